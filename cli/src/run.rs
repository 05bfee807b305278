//! The command `throng run`: loads a scenario, steps its world, draws the last tick and prints a summary.

use throng::{AnyWorld, Registry, Scenario};
use throng_draw::Options;

use crate::arguments::RunOptions;
use crate::audit::Audit;
use crate::execution;
use crate::failure::Failure;
use crate::origin::Origin;
use crate::progress;
use crate::results::{Folder, PICTURE, SUMMARY, TRAJECTORY};
use crate::series::Series;
use crate::signals::Signals;
use crate::summary::{Summary, Totals};
use crate::threads;
use crate::trace::Trace;
use crate::trajectory::Trajectory;

/// Runs the command `throng run`.
pub(crate) fn run(run: &RunOptions, registry: &Registry) -> Result<(), Failure> {
    let origin = Origin::read(run)?;
    let scenario = origin.scenario(registry)?;
    scenario.check_limits()?;
    // A repeated run is compared; its results are those that exist.
    let folder = match (&run.again, &run.out) {
        (Some(_), None) => None,
        (_, out) => Some(Folder::open(out.as_deref(), &origin.file, run.force)?),
    };
    threads::pool(run.engine.threads)?.install(|| run_to_the_end(run, &origin, &scenario, folder))
}

fn run_to_the_end(
    run: &RunOptions,
    origin: &Origin,
    scenario: &Scenario,
    mut folder: Option<Folder>,
) -> Result<(), Failure> {
    let signals = Signals::listen()?;
    let mut world = execution::build(scenario)?;
    let mut trajectory = match &mut folder {
        Some(folder) => Trajectory::start(folder, scenario.output(), &world)?,
        None => None,
    };
    let ticks = run.ticks.or(origin.recorded.as_ref().map(|recorded| recorded.ticks)).unwrap_or(scenario.ticks());
    let mut series = Series::start(folder.as_mut(), scenario, &world)?;
    let totals = step(run, scenario, ticks, &mut world, trajectory.as_mut(), &mut series, &signals)?;
    let (recorder, files) = series.keep(folder.as_mut())?;
    let mut summary = Summary::new(scenario.name(), &world, totals, recorder);
    summary.files.extend(files);
    summary.origin = origin.json(&world);
    summary.interrupted = signals.received().is_some();
    match folder {
        Some(folder) => write_results(run, scenario, &world, &mut summary, trajectory, folder)?,
        None => run.output_options.print(|| format!("{:#}\n", summary.json()), || summary.text())?,
    }
    match (signals.received(), run.expect_hash, &origin.recorded) {
        (Some(signal), ..) => Err(Failure::Signal(signal)),
        (None, Some(expected), _) if expected != summary.hash => {
            let hash = summary.hash_text();
            Err(Failure::Unexpected(format!("the state hash is {hash}, not {expected:016x} as expected")))
        }
        (None, _, Some(recorded)) => recorded.compare(&summary.hash_text()),
        _ => Ok(()),
    }
}

/// Writes the results to their folder, and prints the summary.
fn write_results(
    run: &RunOptions,
    scenario: &Scenario,
    world: &AnyWorld,
    summary: &mut Summary,
    trajectory: Option<Trajectory>,
    mut folder: Folder,
) -> Result<(), Failure> {
    if let Some(trajectory) = trajectory {
        summary.origin.insert("trajectory".to_owned(), trajectory.json(world));
        trajectory.keep()?;
        summary.files.push(("trajectory", folder.path(TRAJECTORY)));
    }
    let (path, mut file) = (folder.path(PICTURE), folder.start(PICTURE)?);
    let picture = throng_draw::picture(world, &Options::from(scenario.output()));
    picture.and_then(|picture| picture.write_png(&mut file)).map_err(|error| Failure::draw(&path, error))?;
    file.keep()?;
    summary.files.push(("picture", path));
    // The summary lists itself too, so that the JSON object names every file.
    summary.files.push(("summary", folder.path(SUMMARY)));
    let json = format!("{:#}\n", summary.json());
    folder.write(SUMMARY, json.as_bytes())?;
    folder.clear();
    run.output_options.print(|| json, || summary.text())
}

/// Steps the world until the last tick or a signal.
fn step(
    run: &RunOptions,
    scenario: &Scenario,
    ticks: u64,
    world: &mut AnyWorld,
    mut trajectory: Option<&mut Trajectory>,
    series: &mut Series,
    signals: &Signals,
) -> Result<Totals, Failure> {
    let bar = progress::bar(ticks, run.output_options.quiet);
    let mut totals = Totals::default();
    let mut trace = run.trace.as_deref().map(|folder| Trace::start(folder, run.force, world)).transpose()?;
    let mut audit = scenario.output().audit.then(|| Audit::new(world));
    if let Some(trajectory) = &mut trajectory {
        trajectory.write(world)?;
    }
    for _ in 0..ticks {
        if signals.received().is_some() {
            break;
        }
        let seconds = match &mut trace {
            Some(trace) => trace.step(world)?,
            None => Audit::step(audit.as_mut(), world),
        };
        totals.add(world, seconds);
        if let Some(trajectory) = &mut trajectory {
            trajectory.write(world)?;
        }
        series.observe(world)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    totals.wall_crossings = audit.map(|audit| audit.crossings());
    Ok(totals)
}
