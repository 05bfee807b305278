//! A run in progress: its world, its outputs and its checkpoints.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use throng::{AnyWorld, with_world};
use throng_draw::{Building, Divided, Drawable, Options, Painter, Picture};
use throng_scenario::Scenario;
use throng_view::HASH_EVERY;

use crate::arguments::OutputOptions;
use crate::audit::Audit;
use crate::checkpoint::{self, Checkpoints, Contents, Header, Interval, Resumable};
use crate::clock::timed;
use crate::failure::Failure;
use crate::lead::Lead;
use crate::live::Live;
use crate::means::Means;
use crate::opening::open;
use crate::origin::Origin;
use crate::output::json_text;
use crate::paths::Paths;
use crate::persons;
use crate::progress;
use crate::recording;
use crate::render::CHOSEN;
use crate::render::caption::{Caption, Names, captioned};
use crate::render::summary::meaning;
use crate::results::{Folder, MEASURES, PERSONS, PICTURE, SUMMARY};
use crate::series::{Series, SeriesState};
use crate::signals::Signals;
use crate::summary::{Summary, Totals};
use crate::telling::{Frame, Telling};
use crate::terminal::warn_all;
use crate::trace::Trace;
use crate::trajectory::{Requested, Target, Trajectories, TrajectoriesState};
use crate::watch::Watch;

/// The options of a run.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    pub(crate) origin: &'a Origin,
    pub(crate) scenario: &'a Scenario,
    /// The last tick.
    pub(crate) ticks: u64,
    pub(crate) output_options: &'a OutputOptions,
    /// Whether the picture has a caption, and whether it is opened.
    pub(crate) caption: bool,
    pub(crate) open: bool,
    /// Whether the summary has the stages of a tick.
    pub(crate) verbose: bool,
    /// The file whose change ends the run.
    pub(crate) watch: Option<&'a Mutex<Watch>>,
    pub(crate) expect_hash: Option<u64>,
    /// When the command began.
    pub(crate) begun: Instant,
}

/// The part of a checkpoint for a run, without its world.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) totals: Totals,
    pub(crate) trajectories: TrajectoriesState,
    pub(crate) series: SeriesState,
    pub(crate) telling: Telling,
}

impl Progress {
    /// Adds the outputs outside of the results to the files of a command.
    pub(crate) fn add_to(&self, paths: &mut Paths) {
        let files = self.trajectories.files.iter().map(|file| &file.target).chain(&self.series.also);
        let elsewhere = files.filter_map(Target::elsewhere);
        elsewhere.for_each(|file| paths.writes("an output of the run", file));
    }
}

/// A run in progress.
#[derive(Debug)]
pub(crate) struct Running {
    world: AnyWorld,
    /// The results; a run that is only compared has none.
    folder: Option<Folder>,
    trajectories: Trajectories,
    series: Series,
    totals: Totals,
    telling: Telling,
    audit: Option<Audit>,
    trace: Option<Trace>,
    /// The file for a recording.
    recording: Option<PathBuf>,
    checkpoints: Option<Checkpoints>,
    signals: Signals,
    lead: Lead,
    /// The world in the terminal.
    live: Option<Live>,
    /// Whether a key or a changed file has ended the run.
    ended_early: bool,
}

impl Running {
    /// Starts a run with its new world, and records that before the first tick.
    pub(crate) fn start(
        task: &Task<'_>,
        mut folder: Option<Folder>,
        requested: &Requested<'_>,
        every: Option<Interval>,
        (world, lead): (AnyWorld, Lead),
    ) -> Result<Self, Failure> {
        let (scenario, signals) = (task.scenario, Signals::listen()?);
        let checkpoints = match (&folder, every) {
            (Some(folder), Some(every)) => {
                folder.withdraw();
                Some(Checkpoints::start(folder.root(), every)?)
            }
            (Some(folder), None) => {
                checkpoint::remove(folder.root());
                None
            }
            _ => None,
        };
        let trajectories = Trajectories::start(folder.as_mut(), requested, scenario, &world)?;
        let series = Series::start(folder.as_mut(), requested.measures, scenario, &world)?;
        let audit = scenario.output().audit.then(|| Audit::new(&world));
        let (mut totals, telling, trace) = (Totals::start(&world), Telling::new(scenario.output()), None);
        totals.clock.continue_from(task.begun);
        let mut running = Self {
            world,
            folder,
            trajectories,
            series,
            totals,
            telling,
            audit,
            trace,
            recording: None,
            checkpoints,
            signals,
            lead,
            live: None,
            ended_early: false,
        };
        running.record()?;
        Ok(running)
    }

    /// Continues a run from a checkpoint.
    pub(crate) fn resume(
        task: &Task<'_>,
        mut folder: Folder,
        every: Interval,
        progress: Progress,
        (world, lead): (AnyWorld, Lead),
    ) -> Result<Self, Failure> {
        let signals = Signals::listen()?;
        folder.withdraw();
        // Later checkpoints go before their rows do.
        checkpoint::clear(folder.root());
        let checkpoints = Some(Checkpoints::resume(folder.root(), every, world.tick()));
        let Progress { mut totals, trajectories, series, telling } = progress;
        totals.clock.continue_from(task.begun);
        let series = Series::resume(&mut folder, task.scenario, &world, series)?;
        let trajectories = Trajectories::resume(&mut folder, task.scenario, &world, trajectories)?;
        let audit = task.scenario.output().audit.then(|| Audit::new(&world));
        Ok(Self {
            world,
            folder: Some(folder),
            trajectories,
            series,
            totals,
            telling,
            audit,
            trace: None,
            recording: None,
            checkpoints,
            signals,
            lead,
            live: None,
            ended_early: false,
        })
    }

    /// Writes a trace of the run to a folder.
    pub(crate) fn trace(&mut self, folder: &Path, force: bool) -> Result<(), Failure> {
        self.trace = Some(Trace::start(folder, force, &self.world)?);
        Ok(())
    }

    /// Writes a recording of the run to a file at its end.
    ///
    /// # Errors
    ///
    /// Fails if several ranks have divided the world.
    pub(crate) fn write_recording(&mut self, file: &Path) -> Result<(), Failure> {
        if self.lead.ranks().count() > 1 {
            return Err(Failure::Input("--record: a world on several ranks is not recorded".to_owned()));
        }
        self.world.record(HASH_EVERY);
        // A rule that no file can hold is reported before the run, not after it.
        recording::check_rules(&self.world)?;
        self.recording = Some(file.to_owned());
        Ok(())
    }

    /// Shows the world in the terminal while it runs.
    pub(crate) fn show(&mut self, task: &Task<'_>) -> Result<(), Failure> {
        self.live = Some(Live::start(task.scenario.name(), &self.world, &self.signals)?);
        Ok(())
    }

    /// Runs to the last tick or until a signal arrives, and writes the results.
    pub(crate) fn finish(mut self, task: &Task<'_>) -> Result<(), Failure> {
        let stepped = self.step(task);
        // The recording of a step that fails is the most useful one.
        let recorded = self.recording.take().map(|file| recording::write(&self.world, &file).map(|()| file));
        stepped?;
        let recorded = recorded.transpose()?;
        let Self { world, mut folder, trajectories, series, mut totals, telling, audit, signals, mut lead, .. } = self;
        let ended_early = self.ended_early || signals.received().is_some();
        totals.wall_crossings = crossings(&totals, audit.as_ref());
        if let Some(folder) = &folder {
            folder.withdraw();
        }
        // The other ranks wait only for the data that this one reads of them.
        let (means, hash) = (with_world!(&world, world => Means::of(world, &lead)), lead.state_hash(&world));
        let drawn = folder
            .is_some()
            .then(|| timed(&mut totals.clock.pictures, || draw(task, &world, &lead, telling.frame(&world).as_ref())));
        lead.end();
        let ended = Instant::now();
        let (recorder, mut files, table) = series.keep(folder.as_mut())?;
        if let (Some(persons), Some(folder)) = (recorder.persons(), &mut folder) {
            folder.write(PERSONS, persons::csv(persons, &world).as_bytes())?;
            files.push(("persons", folder.path(PERSONS)));
        }
        let mut summary = Summary::new(task.scenario.name(), &world, (means, hash), totals, recorder);
        summary.files.extend(files);
        summary.checksums.extend(table.map(|extent| (MEASURES.to_owned(), extent)));
        summary.origin = task.origin.json(&world);
        summary.take(trajectories.keep(&world, folder.as_ref())?);
        summary.totals.clock.output += ended.elapsed().as_secs_f64();
        summary.interrupted = ended_early;
        summary.files.extend(recorded.map(|file| ("recording", file)));
        warn_all(&summary.warnings());
        match folder.zip(drawn) {
            Some((folder, drawn)) => write_results(task, &mut summary, folder, drawn)?,
            None => summary.totals.clock.read(),
        }
        let printed = print_summary(task, &summary);
        if let Some(signal) = signals.received() {
            // The terminal may be gone.
            return Err(Failure::Signal(signal));
        }
        printed?;
        match (task.expect_hash, &task.origin.recorded) {
            (Some(expected), _) if expected != summary.hash => {
                let hash = summary.hash_text();
                Err(Failure::Unexpected(format!("the state hash is {hash}, not {expected:016x} as expected")))
            }
            (_, Some(recorded)) => recorded.compare(&summary.hash_text()),
            _ => Ok(()),
        }
    }

    /// Steps the world until the last tick or a signal.
    fn step(&mut self, task: &Task<'_>) -> Result<(), Failure> {
        let bar = progress::bar(task.ticks, task.output_options.quiet || self.live.is_some());
        bar.set_position(self.world.tick());
        self.checkpoint(task, |checkpoints, tick| checkpoints.is_due(tick))?;
        let has_ended = |world: &AnyWorld| task.scenario.until_empty() && world.has_ended();
        while self.world.tick() < task.ticks && self.signals.received().is_none() && !has_ended(&self.world) {
            let changed =
                task.watch.is_some_and(|watch| watch.lock().unwrap_or_else(PoisonError::into_inner).was_saved());
            if changed || !self.live.as_mut().map_or(Ok(true), |live| live.wait(&self.world))? {
                self.ended_early = true;
                break;
            }
            self.lead.step();
            let Self { world, totals, trace, audit, .. } = self;
            match trace {
                Some(trace) => totals.clock.ticks += trace.step(world)?,
                None => Audit::step(audit.as_mut(), world, &mut totals.clock).map_err(Failure::Step)?,
            }
            totals.add(world);
            self.record()?;
            self.checkpoint(task, |checkpoints, tick| checkpoints.is_due(tick))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        self.live = None;
        // An ended run can be continued too.
        self.checkpoint(task, |checkpoints, tick| !checkpoints.has(tick))
    }

    /// Writes this tick to the outputs. Gathers the agents if one of them reads these.
    fn record(&mut self) -> Result<(), Failure> {
        let tick = self.world.tick();
        if self.audit.is_some() || self.trajectories.is_due(tick) || self.series.is_due(tick) {
            self.lead.gather(&mut self.world);
        }
        let Self { world, lead, telling, totals, trajectories, series, .. } = self;
        if self.folder.is_some() {
            let all = Divided { world, ranks: lead.ranks(), rank: 0, announce: &|| lead.announce_reading() };
            timed(&mut totals.clock.pictures, || telling.observe(world, &all));
        }
        timed(&mut totals.clock.output, || {
            trajectories.write(world)?;
            series.observe(world)
        })
    }

    /// Writes a checkpoint of this tick if it is wanted.
    fn checkpoint(&mut self, task: &Task<'_>, wanted: impl Fn(&Checkpoints, u64) -> bool) -> Result<(), Failure> {
        let Self { world, checkpoints, trajectories, series, totals, telling, audit, lead, .. } = self;
        let tick = world.tick();
        let Some(checkpoints) = checkpoints.as_mut().filter(|checkpoints| wanted(checkpoints, tick)) else {
            return Ok(());
        };
        // Outputs first: a checkpoint never refers to rows that a loss of power can take away.
        let start = Instant::now();
        let (trajectories, series) = (trajectories.mark()?, series.mark()?);
        totals.clock.read();
        let mut totals_until_now = totals.clone();
        totals_until_now.wall_crossings = crossings(totals, audit.as_ref());
        let progress = Progress { totals: totals_until_now, trajectories, series, telling: telling.clone() };
        let header = Header::new(task.origin, tick, task.ticks, checkpoints.every);
        let written = checkpoints.write(&Contents { header, progress }, |to| lead.save(world, to));
        totals.clock.output += start.elapsed().as_secs_f64();
        written
    }
}

/// The crossings of walls before a checkpoint, and those since.
fn crossings(totals: &Totals, audit: Option<&Audit>) -> Option<u64> {
    audit.map(|audit| totals.wall_crossings.unwrap_or(0) + audit.crossings())
}

/// A run's picture, with its caption, its tick, and the quantity that its colours show.
type Drawn = (Picture, u64, String);

/// Draws the most telling tick: an earlier one, or the last one with the agents of all ranks.
fn draw(
    task: &Task<'_>,
    world: &AnyWorld,
    lead: &Lead,
    telling: Option<&Frame<'_>>,
) -> Result<Drawn, throng_draw::Error> {
    match telling {
        Some(frame) => draw_tick(task, world, frame, frame.agents.len()),
        None => {
            let all = Divided { world, ranks: lead.ranks(), rank: 0, announce: &|| lead.announce_reading() };
            draw_tick(task, world, &all, world.population())
        }
    }
}

/// Draws one tick of a world, which has this many agents.
fn draw_tick(
    task: &Task<'_>,
    world: &AnyWorld,
    drawable: &impl Drawable,
    agents: usize,
) -> Result<Drawn, throng_draw::Error> {
    let building = &Building { crowd: drawable, storeys: task.scenario.storeys(), stacked: false };
    let mut painter = Painter::new(building, &Options::from(task.scenario.output()))?;
    painter.paint(building);
    let (legend, names) = (painter.legend(), Names::of(task.scenario.name(), world));
    let caption = Caption { names: &names, tick: drawable.tick(), agents };
    let caption = task.caption.then_some(&caption);
    Ok((captioned(painter.picture(), caption, &legend).into_owned(), drawable.tick(), meaning(&legend)))
}

/// Writes the results to their folder.
fn write_results(
    task: &Task<'_>,
    summary: &mut Summary,
    mut folder: Folder,
    drawn: Result<Drawn, throng_draw::Error>,
) -> Result<(), Failure> {
    let (path, mut file) = (folder.path(PICTURE), folder.start(PICTURE)?);
    let failed = |error| Failure::draw(&path, error);
    let (picture, tick, colours) = drawn.map_err(failed)?;
    let chosen = if task.scenario.output().colour.is_some() { CHOSEN } else { "by default; output.picture changes it" };
    summary.picture_tick = Some(tick);
    summary.colours = Some(format!("{colours} ({chosen})"));
    timed(&mut summary.totals.clock.pictures, || {
        picture.write_png(&mut file).map_err(failed)?;
        file.keep()
    })?;
    if task.open {
        open(path.as_os_str());
    }
    summary.files.push(("picture", path));
    // The summary lists itself too, so that the JSON object names every file.
    summary.files.push(("summary", folder.path(SUMMARY)));
    summary.totals.clock.read();
    folder.complete(&json_text(&summary.json()))
}

/// Prints the summary. The text of the scenario is only in the file.
fn print_summary(task: &Task<'_>, summary: &Summary) -> Result<(), Failure> {
    let json = || {
        let mut json = summary.json();
        json.as_object_mut().map(|json| json.shift_remove("scenario_text"));
        json_text(&json)
    };
    task.output_options.print(json, || summary.text(task.verbose))
}
