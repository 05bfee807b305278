//! The command `throng sweep`: runs a scenario for many values and seeds, side by side, and writes a table of measures.

mod design;
mod measures;
mod table;
mod until;
mod vary;
mod warnings;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, available_parallelism};
use std::time::Instant;

use indicatif::ProgressBar;
use serde_json::json;
use throng::Registry;
use throng::measures::{Outcomes, Series, Statistic};
use throng_scenario::shown;

use crate::arguments::SweepOptions;
use crate::execution;
use crate::failure::Failure;
use crate::output::{fixed, grouped, json_text};
use crate::paths::Paths;
use crate::progress;
use crate::signals::Signals;
use crate::threads;
use design::{Design, Run};
pub(crate) use measures::{From, from};
use table::Table;
use until::{Egress, Until};
use warnings::{RunFaults, Seeds};

/// Runs the command `throng sweep`.
pub(crate) fn sweep(options: &SweepOptions, registry: &Registry) -> Result<(), Failure> {
    let design = Design::read(options, registry)?;
    let mut paths = Paths::default();
    design.add_to(&mut paths);
    options.points.iter().for_each(|file| paths.reads("the table of --points", file));
    table::add_to(&mut paths, &options.output);
    paths.check()?;
    let first = design.scenario(&design.run(0))?;
    let world = execution::build(&first)?;
    design.observe(&first, &world)?;
    let description = design.description(world.state_hash());
    drop((first, world));
    Table::check(&options.output, &description, options.force)?;
    design.doubts.print();
    let mut table = Table::open(&options.output, &design, &description)?;
    let mut until = design.until.map(|tolerance| Until::new(tolerance, design.runs / until::MOST_SEEDS));
    if let Some(until) = &mut until {
        table.take_exits().into_iter().for_each(|(run, exits)| until.add(run, exits));
    }
    let clock = Instant::now();
    let earlier = table.finished();
    let signals = Signals::listen()?;
    let threads = options.threads.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN).get();
    let was_complete = table.is_complete();
    let remaining = if was_complete { 0 } else { design.runs - earlier };
    let threads = if (threads as u64) < remaining { threads } else { remaining as usize };
    let bar = progress::bar(remaining.saturating_mul(design.ticks), options.output_options.quiet);
    let sweep = Sweep {
        design: &design,
        signals: &signals,
        bar,
        next: AtomicU64::new(0),
        failed: AtomicBool::new(false),
        table: Mutex::new(table),
        until: until.map(Mutex::new),
        faults: Mutex::default(),
        seeds: Mutex::default(),
    };
    let outcome = sweep.run_all(threads);
    sweep.bar.finish_and_clear();
    sweep.faults.into_inner().unwrap_or_else(PoisonError::into_inner).print();
    sweep.seeds.into_inner().unwrap_or_else(PoisonError::into_inner).print(&design.measures);
    let mut table = sweep.table.into_inner().unwrap_or_else(PoisonError::into_inner);
    let until = sweep.until.map(|until| until.into_inner().unwrap_or_else(PoisonError::into_inner));
    let needs = |run: u64| until.as_ref().is_none_or(|until| until.needs(run));
    let mut computed = table.finished() - earlier;
    let complete = was_complete
        || table.finished() == design.runs
        || until.is_some() && (0..design.runs).all(|run| table.has(run) || !needs(run));
    outcome?;
    let mut runs = design.runs;
    if complete && until.is_some() {
        if !was_complete {
            table.keep(needs);
        }
        runs = table.finished();
        computed = runs.saturating_sub(earlier);
    }
    if complete {
        table.complete(&description)?;
    }
    let until = until.filter(|_| complete && !was_complete);
    let seconds = clock.elapsed().as_secs_f64();
    let report = Report { options, runs, earlier, computed, complete, until, seconds };
    options.output_options.print(|| report.json(threads), || report.text())?;
    signals.check()
}

/// The fields of a finished run, and its exits if the sweep ends by them.
type Row = (Vec<String>, Option<Egress>);

/// A sweep in progress.
struct Sweep<'s> {
    design: &'s Design,
    signals: &'s Signals,
    bar: ProgressBar,
    /// The next run that no thread has taken.
    next: AtomicU64,
    /// Whether a run failed, which ends the others.
    failed: AtomicBool,
    table: Mutex<Table>,
    /// Which runs are needed, if that depends on the runs before them.
    until: Option<Mutex<Until>>,
    faults: Mutex<RunFaults>,
    seeds: Mutex<Seeds>,
}

impl Sweep<'_> {
    /// Computes all runs that the table lacks, side by side.
    fn run_all(&self, threads: usize) -> Result<(), Failure> {
        let one = NonZeroUsize::MIN;
        let pools = (0..threads).map(|_| threads::pool(Some(one))).collect::<Result<Vec<_>, _>>()?;
        thread::scope(|scope| {
            let workers: Vec<_> =
                pools.iter().map(|pool| scope.spawn(move || pool.install(|| self.run_some()))).collect();
            let mut outcome = Ok(());
            for worker in workers {
                let ended = worker.join().unwrap_or(Err(Failure::Bug));
                outcome = outcome.and(ended);
            }
            outcome
        })
    }

    /// Computes runs until none is left, one after another.
    fn run_some(&self) -> Result<(), Failure> {
        while !self.ended() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.design.runs {
                break;
            }
            let is_needed = |until: &Mutex<Until>| until.lock().unwrap_or_else(PoisonError::into_inner).needs(number);
            if !self.until.as_ref().is_none_or(is_needed) {
                self.bar.inc(self.design.ticks);
                continue;
            }
            if self.table.lock().unwrap_or_else(PoisonError::into_inner).has(number) {
                continue;
            }
            let run = self.design.run(number);
            let added = self.compute(&run).and_then(|row| match row {
                Some((fields, exits)) => self.add(number, &fields, exits),
                None => Ok(()),
            });
            if added.is_err() {
                self.failed.store(true, Ordering::Relaxed);
                return added;
            }
        }
        Ok(())
    }

    fn ended(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.signals.received().is_some()
    }

    /// Adds a finished run.
    fn add(&self, run: u64, fields: &[String], exits: Option<Egress>) -> Result<(), Failure> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).add(run, fields, exits.as_ref())?;
        if let (Some(until), Some(exits)) = (&self.until, exits) {
            until.lock().unwrap_or_else(PoisonError::into_inner).add(run, exits);
        }
        Ok(())
    }

    /// The row of a run; `None` if the sweep ended before the run did.
    fn compute(&self, run: &Run) -> Result<Option<Row>, Failure> {
        let Design { ticks, from, measures, radius, statistics, precision, .. } = self.design;
        let scenario = self.design.scenario(run)?;
        let mut world = execution::build(&scenario)?;
        let mut outcomes = self.design.observe(&scenario, &world)?;
        let mut series = Series::new(measures, *radius);
        series.observe(&world);
        let first = if let From::Tick(first) = from { *first } else { 0 };
        outcomes.iter_mut().for_each(|outcomes| outcomes.observe(&world));
        let mut tick = 0;
        while tick < *ticks && !(scenario.until_empty() && world.has_ended()) {
            if self.ended() {
                return Ok(None);
            }
            world.step();
            tick += 1;
            series.observe(&world);
            outcomes.iter_mut().for_each(|outcomes| outcomes.observe(&world));
            if tick > first {
                series.measure(&world);
            }
            self.bar.inc(1);
            if !precision.is_empty() && series.is_precise(precision, *from == From::Relaxed) {
                break;
            }
        }
        self.bar.inc(ticks - tick);
        let start = if *from == From::Relaxed { series.relaxation() } else { 0 };
        let unknown = series.warnings(statistics, start).into_iter().chain(series.imprecise(precision, start));
        let doubts = outcomes.iter().flat_map(Outcomes::warnings).chain(unknown).collect();
        if statistics.contains(&Statistic::Error) || !precision.is_empty() {
            let mean = |values: &[f64]| (Statistic::Mean.of(values, 0), Statistic::Error.of(values, 0));
            let means = series.values().map(|values| mean(&values[start..]));
            self.seeds.lock().unwrap_or_else(PoisonError::into_inner).add(&run.values, &self.design.vary, means);
        }
        let bare = |value: &String| value.trim_matches(['"', '\'']).to_owned();
        let agents = world.population();
        let statistics = |values: &[f64]| statistics.iter().map(|own| own.of(values, agents)).collect::<Vec<_>>();
        let measured = series.values().flat_map(|values| statistics(&values[start..]));
        let ends = outcomes.iter().flat_map(Outcomes::values);
        let measured = measured.chain(ends).map(|number| number.to_string());
        let begun = (*from == From::Relaxed).then_some(start as u64);
        let counted = begun.into_iter().chain((!precision.is_empty()).then_some(tick)).map(|number| number.to_string());
        let hashes = [self.design.scenario_hash(), world.state_hash()].map(|hash| format!("{hash:016x}"));
        let values = run.values.iter().map(bare).chain([run.seed.to_string()]).chain(counted);
        let faults = world.faults();
        let counts = [faults.inexact, faults.quarantined, faults.left].map(|count| count.to_string());
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).add(faults, doubts, &run.values, &self.design.vary);
        let exits = outcomes.as_ref().filter(|_| self.until.is_some()).map(|outcomes| outcomes.persons().into());
        Ok(Some((values.chain(measured).chain(counts).chain(hashes).collect(), exits)))
    }
}

/// The outcome of a sweep.
struct Report<'r> {
    options: &'r SweepOptions,
    /// The runs of the table; the most that there can be while their number is unknown.
    runs: u64,
    /// Runs of an earlier, interrupted sweep.
    earlier: u64,
    computed: u64,
    complete: bool,
    /// How many seeds each combination took, if that followed from the runs.
    until: Option<Until>,
    seconds: f64,
}

impl Report<'_> {
    fn json(&self, threads: usize) -> String {
        let mut object = json!({
            "table": self.options.output.to_string_lossy(),
            "runs": self.runs,
            "resumed": self.earlier,
            "computed": self.computed,
            "interrupted": !self.complete,
            "threads": threads,
            "seconds": self.seconds,
        });
        if let Some(until) = &self.until {
            object["combinations"] = until.json();
        }
        json_text(&object)
    }

    fn text(&self) -> String {
        let [runs, computed] = [self.runs, self.computed].map(grouped);
        let earlier = match self.earlier {
            0 => String::new(),
            earlier => format!(", and {} of an earlier one", grouped(earlier)),
        };
        let rest = if self.complete { "" } else { "\ninterrupted: the same command goes on" };
        let (table, seconds) = (shown(&self.options.output), fixed(self.seconds, 2));
        let until = self.until.as_ref().map_or(String::new(), |until| format!("{}\n", until.text()));
        format!("{computed} of {runs} runs in {seconds} s{earlier}{rest}\n{until}wrote {table}\n")
    }
}
