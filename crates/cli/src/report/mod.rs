//! The command `throng report`: a run and its repetitions with other seeds, as one page of HTML that stands by itself.

mod building;
mod contents;
mod density;
mod html;
mod inputs;
mod page;
mod passages;
mod storeys;

use std::io::Write;

use indicatif::ProgressBar;
use serde_json::json;
use throng::measures::{Convergence, Persons, Recorder, RecorderSettings};
use throng::{Registry, with_world};
use throng_draw::{Building, Colour, Drawable, Options, picture};
use throng_scenario::{Scenario, shown};

use crate::arguments::ReportOptions;
use crate::atomic_file::AtomicFile;
use crate::execution;
use crate::failure::Failure;
use crate::files::existing_folder;
use crate::origin::{Origin, seconds};
use crate::output::{fixed, grouped, json_text};
use crate::paths::Paths;
use crate::progress;
use crate::results;
use crate::signals::Signals;
use crate::telling::Telling;
use crate::terminal::warn_all;
use crate::threads;
use building::InBuilding;
use contents::{Contents, Observed};
use density::Density;

/// The number of runs after which one that has not converged ends.
const MOST_RUNS: u64 = 100;

/// Runs the command `throng report`.
pub(crate) fn report(options: &ReportOptions, registry: &Registry) -> Result<(), Failure> {
    let folder = existing_folder(&options.folder)?;
    let output = options.output.clone().unwrap_or_else(|| folder.join("report.html"));
    if output.exists() && !options.force {
        return Err(Failure::Input(format!("{}: exists; --force replaces it", shown(&output))));
    }
    let origin = Origin::recorded(folder)?;
    let scenario = origin.scenario(registry)?;
    let mut paths = Paths::default();
    origin.add_to(&mut paths, &scenario);
    results::add_read(&mut paths, folder);
    paths.writes("the file of --output", &output);
    paths.check()?;
    warn_all(&scenario.warnings());
    let recorded = origin.recorded.as_ref().map_or(scenario.ticks(), |recorded| recorded.ticks);
    // When one world became empty says nothing of the other worlds.
    let most_ticks = if scenario.until_empty() && scenario.ticks() > recorded { scenario.ticks() } else { recorded };
    let signals = Signals::listen()?;
    // With a tolerance, the number of runs is found on the way.
    let most = if options.until.is_some() { MOST_RUNS } else { options.seeds.get() };
    let bar = progress::bar(most_ticks.saturating_mul(most), options.output_options.quiet);
    let mut convergence = Convergence::new(options.until);
    let mut exits = Vec::new();
    let first = threads::pool(options.threads)?.install(|| {
        let first = observe(&scenario, recorded, &signals, &bar, true)?;
        exits.push(first.persons.exit_times());
        convergence.add(&exits[0], first.persons.all().len());
        while (exits.len() as u64) < most && !convergence.is_reached() {
            let seed = scenario.seed().wrapping_add(exits.len() as u64);
            let other = origin.with_seed(seed).scenario(registry)?;
            let observed = observe(&other, most_ticks, &signals, &bar, false)?;
            exits.push(observed.persons.exit_times());
            convergence.add(&exits[exits.len() - 1], observed.persons.all().len());
        }
        Ok::<_, Failure>(first)
    })?;
    bar.finish_and_clear();
    if let Some(recorded) = &origin.recorded {
        recorded.compare(&format!("{:016x}", first.hash))?;
    }
    let frame = first.telling.frame(&first.world);
    let mut pictures = Vec::new();
    if let Some(frame) = &frame {
        let at = Drawable::tick(frame) as f64 * f64::from(first.world.settings().tick_seconds);
        pictures.extend(png(frame, &scenario).map(|bytes| (format!("After {} s", fixed(at, 1)), bytes)));
    }
    // An empty room adds nothing to a full one.
    if frame.is_none() || first.world.population() > 0 {
        pictures.extend(png(&first.world, &scenario).map(|bytes| ("The end of the run".to_owned(), bytes)));
    }
    let tick_seconds = throng_formats::trajectory::shortest(first.world.settings().tick_seconds);
    drop(frame);
    let (title, seed) = (scenario.name().to_owned(), scenario.seed());
    let report = Contents { origin, title, seed, tick_seconds, first, exits, convergence, pictures };
    let text = page::page(&report)?;
    let mut file = AtomicFile::start(output.clone())?;
    file.write(|file| file.write_all(text.as_bytes()))?;
    file.keep()?;
    let (runs, remaining) = (report.exits.len(), report.first.persons.remaining());
    let object = || {
        let last = report.exits.iter().map(|exits| exits.last().copied()).collect::<Vec<_>>();
        let object = json!({
            "report": output.to_string_lossy(),
            "runs": runs,
            "converged": report.convergence.is_reached(),
            "persons": report.first.persons.all().len(),
            "left": report.first.persons.all().len() - remaining,
            "remaining": remaining,
            "last_exits": last,
            "mean_last_exit_confidence": report.last_exit_confidence(),
        });
        json_text(&object)
    };
    let sentence = || {
        let runs_text = if runs == 1 { "1 run".to_owned() } else { format!("{} runs", grouped(runs as u64)) };
        let until = options.until.map_or(String::new(), |tolerance| {
            let not = if report.convergence.is_reached() { "" } else { "not " };
            let [low, high] = report.last_exit_confidence().map(|end| fixed(end, 1));
            format!(", {not}converged to {tolerance}; the mean of the last exit is {low} to {high} s (95 % confidence)")
        });
        let all = report.first.persons.all().len();
        let [out, all] = [all - remaining, all].map(|count| grouped(count as u64));
        let last =
            report.first.persons.exit_times().last().map(|last| format!(", the last after {} s", fixed(*last, 1)));
        format!(
            "{out} of {all} agents left the world{}\n{runs_text}{until}\nwrote {}\n",
            last.unwrap_or_default(),
            shown(&output)
        )
    };
    options.output_options.print(object, sentence)
}

/// Runs a scenario to its last tick, or to the first after which no agent is left and none can come.
fn observe(
    scenario: &Scenario,
    ticks: u64,
    signals: &Signals,
    bar: &ProgressBar,
    is_first: bool,
) -> Result<Observed, Failure> {
    let mut world = execution::build(scenario)?;
    let mut persons = Persons::new();
    with_world!(&world, world => persons.observe(world));
    let mut counts = vec![[seconds(&world), world.population() as f64]];
    // The other runs have the times of their agents only.
    let mut density = is_first.then(|| Density::start(&world)).flatten();
    let mut building = scenario.storeys().filter(|storeys| is_first && !storeys.is_mesh()).map(InBuilding::start);
    let lines_and_areas =
        || RecorderSettings { measures: Vec::new(), crowd: false, persons: false, ..scenario.recording().clone() };
    let mut telling = Telling::new(scenario.output());
    let mut recorder = Recorder::new(if is_first { lines_and_areas() } else { RecorderSettings::default() });
    with_world!(&world, world => recorder.observe(world));
    telling.observe(&world, &world);
    building.iter_mut().for_each(|building| building.observe(&world));
    let mut tick = 0;
    while tick < ticks && !(scenario.until_empty() && world.has_ended()) {
        signals.check()?;
        world.try_step().map_err(Failure::Step)?;
        tick += 1;
        with_world!(&world, world => persons.observe(world));
        counts.push([seconds(&world), world.population() as f64]);
        with_world!(&world, world => recorder.observe(world));
        density.iter_mut().for_each(|density| density.observe(&world));
        building.iter_mut().for_each(|building| building.observe(&world));
        if is_first {
            telling.observe(&world, &world);
        }
        bar.inc(1);
    }
    bar.inc(ticks - tick);
    let hash = world.state_hash();
    Ok(Observed { persons, counts, density, building, recorder, telling, world, hash })
}

/// A picture of a world.
fn png(world: &impl Drawable, scenario: &Scenario) -> Option<Vec<u8>> {
    let colour = scenario.output().colour.clone().map(Colour::from);
    let options = Options { width: Some(960), colour, light: true, ..Options::default() };
    let mut bytes = Vec::new();
    let building = Building { crowd: world, storeys: scenario.storeys(), stacked: false };
    picture(&building, &options).and_then(|picture| picture.write_png(&mut bytes)).ok()?;
    Some(bytes)
}
