//! The command `throng run`: loads a scenario, steps its world, draws the busiest tick and prints a summary.

use throng::Registry;

use crate::arguments::RunOptions;
use crate::failure::Failure;
use crate::lead::Lead;
use crate::origin::Origin;
use crate::results::Folder;
use crate::running::{Running, Task};
use crate::terminal::warn_all;
use crate::threads;
use crate::trajectory::Requested;

/// Runs the command `throng run`.
pub(crate) fn run(run: &RunOptions, registry: &Registry) -> Result<(), Failure> {
    run_with(run, registry, Lead::default(), &mut false)
}

/// Runs the command as the first of the ranks that `lead` leads. Sets `has_begun` once they wait for this one.
pub(crate) fn run_with(
    run: &RunOptions,
    registry: &Registry,
    mut lead: Lead,
    has_begun: &mut bool,
) -> Result<(), Failure> {
    let requested = Requested { files: &run.trajectory, every: run.every, measures: run.measures.as_deref() };
    requested.check(run.force)?;
    let origin = Origin::read(run)?;
    let scenario = origin.scenario(registry)?;
    scenario.check_limits_on(lead.ranks())?;
    // A repeated run is compared; its results are those that exist.
    let folder = match (&run.again, &run.out) {
        (Some(_), None) => None,
        (_, out) => Some(Folder::open(out.as_deref(), &origin.file, run.force)?),
    };
    warn_all(&scenario.warnings());
    let ticks = run.ticks.or(origin.recorded.as_ref().map(|recorded| recorded.ticks)).unwrap_or(scenario.ticks());
    let (output_options, expect_hash) = (&run.output_options, run.expect_hash);
    let open = run.open;
    let task =
        Task { origin: &origin, scenario: &scenario, ticks, output_options, caption: run.caption, open, expect_hash };
    let pool = threads::pool(run.engine.threads)?;
    pool.install(|| {
        *has_begun = true;
        let world = lead.build(&scenario, &origin)?;
        let mut running = Running::start(&task, folder, &requested, run.checkpoint_every, (world, lead))?;
        if let Some(folder) = &run.trace {
            running.trace(folder, run.force)?;
        }
        running.finish(&task)
    })
}
