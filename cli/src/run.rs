//! The command `throng run`: loads a scenario, steps its world, draws the last tick and prints a summary.

use throng::{AnyWorld, Registry, Scenario};
use throng_draw::Options;

use crate::arguments::RunOptions;
use crate::audit::Audit;
use crate::execution;
use crate::failure::Failure;
use crate::progress;
use crate::results::{Folder, PICTURE, SUMMARY, TRAJECTORY};
use crate::signals::Signals;
use crate::summary::{Summary, Totals};
use crate::threads;
use crate::trajectory::Trajectory;

/// Runs the command `throng run`.
pub(crate) fn run(run: &RunOptions, registry: &Registry) -> Result<(), Failure> {
    let scenario = run.source.load(registry, run.engine.seed)?;
    scenario.check_limits()?;
    let folder = Folder::open(run.out.as_deref(), &run.source.scenario, run.force)?;
    threads::pool(run.engine.threads)?.install(|| run_to_the_end(run, &scenario, folder))
}

fn run_to_the_end(run: &RunOptions, scenario: &Scenario, mut folder: Folder) -> Result<(), Failure> {
    let signals = Signals::listen()?;
    let mut world = execution::build(scenario)?;
    let mut trajectory = match scenario.output().trajectory_every {
        Some(every) => Some(Trajectory::start(&mut folder, every, &world)?),
        None => None,
    };
    let totals = step(run, scenario, &mut world, trajectory.as_mut(), &signals)?;
    let mut summary = Summary::new(scenario.name(), &world, totals);
    if let Some(trajectory) = trajectory {
        trajectory.keep()?;
        summary.files.push(("trajectory", folder.path(TRAJECTORY)));
    }
    let (path, mut file) = (folder.path(PICTURE), folder.start(PICTURE)?);
    let picture = throng_draw::picture(&world, &Options::from(scenario.output()));
    picture.and_then(|picture| picture.write_png(&mut file)).map_err(|error| Failure::draw(&path, error))?;
    file.keep()?;
    summary.files.push(("picture", path));
    summary.interrupted = signals.received().is_some();
    // The summary lists itself too, so that the JSON object names every file.
    summary.files.push(("summary", folder.path(SUMMARY)));
    let json = format!("{:#}\n", summary.json());
    folder.write(SUMMARY, json.as_bytes())?;
    folder.clear();
    run.output_options.print(|| json, || summary.text())?;
    match (signals.received(), run.expect_hash) {
        (Some(signal), _) => Err(Failure::Signal(signal)),
        (None, Some(expected)) if expected != summary.hash => {
            let hash = summary.hash_text();
            Err(Failure::Unexpected(format!("the state hash is {hash}, not {expected:016x} as expected")))
        }
        _ => Ok(()),
    }
}

/// Steps the world until the last tick or a signal.
fn step(
    run: &RunOptions,
    scenario: &Scenario,
    world: &mut AnyWorld,
    mut trajectory: Option<&mut Trajectory>,
    signals: &Signals,
) -> Result<Totals, Failure> {
    let ticks = run.ticks.unwrap_or(scenario.ticks());
    let bar = progress::bar(ticks, run.output_options.quiet);
    let mut totals = Totals::default();
    let mut audit = scenario.output().audit.then(|| Audit::new(world));
    if let Some(trajectory) = &mut trajectory {
        trajectory.write(world)?;
    }
    for _ in 0..ticks {
        if signals.received().is_some() {
            break;
        }
        let seconds = Audit::step(audit.as_mut(), world);
        totals.add(world, seconds);
        if let Some(trajectory) = &mut trajectory {
            trajectory.write(world)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    totals.wall_crossings = audit.map(|audit| audit.crossings());
    Ok(totals)
}
