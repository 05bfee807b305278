//! The command `throng run`: loads a scenario, steps its world, draws the most telling tick and prints a summary.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use throng::Registry;
use throng_scenario::{Scenario, shown};

use crate::arguments::RunOptions;
use crate::failure::Failure;
use crate::lead::Lead;
use crate::origin::Origin;
use crate::paths::Paths;
use crate::recording;
use crate::results::{self, Folder};
use crate::running::{Running, Task};
use crate::signals::Signals;
use crate::terminal::warn_all;
use crate::trajectory::Requested;
use crate::watch::Watch;
use crate::{threads, trace};

/// The time between two looks for a signal.
const NAP: Duration = Duration::from_millis(50);

/// Runs the command `throng run`.
pub(crate) fn run(run: &RunOptions, registry: &Registry) -> Result<(), Failure> {
    match run.scenario.as_deref().filter(|_| run.watch) {
        Some(name) => again_and_again(run, &Mutex::new(Watch::start(name)?), registry),
        None => run_with(run, registry, Lead::default(), &mut false, None),
    }
}

/// Runs whenever the file is saved, until a signal arrives.
fn again_and_again(run: &RunOptions, watch: &Mutex<Watch>, registry: &Registry) -> Result<(), Failure> {
    let signals = Signals::listen()?;
    let mut run = run.clone();
    loop {
        match run_with(&run, registry, Lead::default(), &mut false, Some(watch)) {
            Err(failure @ Failure::Signal(_)) => return Err(failure),
            Err(failure) => failure.report(),
            Ok(()) => {}
        }
        let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
        // A message for people: the results go elsewhere.
        let _ = writeln!(std::io::stderr(), "watching {}; Ctrl-C ends", shown(&watch.file()));
        while !watch.was_saved() {
            signals.check()?;
            std::thread::sleep(NAP);
        }
        watch.take();
        run.force = true;
    }
}

/// The files of the command.
fn files(run: &RunOptions, requested: &Requested<'_>, origin: &Origin, scenario: &Scenario) -> Paths {
    let mut paths = Paths::default();
    origin.add_to(&mut paths, scenario);
    requested.add_to(&mut paths);
    run.record.iter().for_each(|file| paths.writes("the file of --record", file));
    run.trace.iter().for_each(|folder| trace::add_to(&mut paths, folder));
    if run.again.is_none() || run.out.is_some() {
        results::add_to(&mut paths, &results::folder(run.out.as_deref(), &origin.file));
    }
    paths
}

/// Runs the command as the first of the ranks that `lead` leads. Sets `has_begun` once they wait for this one.
pub(crate) fn run_with(
    run: &RunOptions,
    registry: &Registry,
    mut lead: Lead,
    has_begun: &mut bool,
    watch: Option<&Mutex<Watch>>,
) -> Result<(), Failure> {
    let begun = Instant::now();
    if run.live && !std::io::stdout().is_terminal() {
        return Err(Failure::Input("--live: the standard output is not a terminal".to_owned()));
    }
    let requested = Requested { files: &run.trajectory, every: run.every, measures: run.measures.as_deref() };
    requested.check(run.force)?;
    let origin = Origin::read(run)?;
    let scenario = origin.scenario(registry)?;
    scenario.check_limits_on(lead.ranks().count())?;
    files(run, &requested, &origin, &scenario).check()?;
    if let Some(file) = &run.record {
        recording::check(file, run.force)?;
    }
    // A repeated run is compared; its results are those that exist.
    let folder = match (&run.again, &run.out) {
        (Some(_), None) => None,
        (_, out) => Some(Folder::open(out.as_deref(), &origin.file, run.force)?),
    };
    warn_all(&scenario.warnings());
    let ticks = run.ticks.or(origin.recorded.as_ref().map(|recorded| recorded.ticks)).unwrap_or(scenario.ticks());
    let RunOptions { output_options, expect_hash, open, verbose, no_caption, .. } = run;
    let (open, verbose, expect_hash, caption) = (*open, *verbose, *expect_hash, !no_caption);
    let (origin, scenario) = (&origin, &scenario);
    let task = Task { origin, scenario, ticks, output_options, caption, open, verbose, watch, expect_hash, begun };
    let pool = threads::pool(run.engine.threads)?;
    pool.install(|| {
        *has_begun = true;
        let world = lead.build(scenario, origin)?;
        let mut running = Running::start(&task, folder, &requested, run.checkpoint_every, (world, lead))?;
        if let Some(folder) = &run.trace {
            running.trace(folder, run.force)?;
        }
        if let Some(file) = &run.record {
            running.write_recording(file)?;
        }
        if run.live {
            running.show(&task)?;
        }
        running.finish(&task)
    })
}
