//! The command `throng sweep`: runs a scenario for many values and seeds, side by side, and writes a table of measures.

mod design;
mod measures;
mod table;
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
use throng_scenario::printable;

use crate::arguments::SweepOptions;
use crate::execution;
use crate::failure::Failure;
use crate::output::{fixed, grouped};
use crate::progress;
use crate::signals::Signals;
use crate::threads;
use design::{Design, Run};
use measures::Series;
use table::Table;
use warnings::RunFaults;

/// Runs the command `throng sweep`.
pub(crate) fn sweep(options: &SweepOptions, registry: &Registry) -> Result<(), Failure> {
    let design = Design::read(options, registry)?;
    let start = execution::build(&design.scenario(&design.run(0))?)?.state_hash();
    let description = design.description(start);
    Table::check(&options.output, &description, options.force)?;
    design.doubts.print();
    let table = Table::open(&options.output, &design, &description)?;
    let clock = Instant::now();
    let earlier = table.finished();
    let signals = Signals::listen()?;
    let threads = options.threads.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN).get();
    let remaining = design.runs - earlier;
    let threads = if (threads as u64) < remaining { threads } else { remaining as usize };
    let bar = progress::bar(remaining.saturating_mul(design.ticks), options.output_options.quiet);
    let sweep = Sweep {
        design: &design,
        signals: &signals,
        bar,
        next: AtomicU64::new(0),
        failed: AtomicBool::new(false),
        table: Mutex::new(table),
        faults: Mutex::default(),
    };
    let outcome = sweep.run_all(threads);
    sweep.bar.finish_and_clear();
    sweep.faults.into_inner().unwrap_or_else(PoisonError::into_inner).print();
    let table = sweep.table.into_inner().unwrap_or_else(PoisonError::into_inner);
    let computed = table.finished() - earlier;
    let complete = table.finished() == design.runs;
    outcome?;
    if complete {
        table.complete(&description)?;
    }
    let report =
        Report { design: &design, options, earlier, computed, complete, seconds: clock.elapsed().as_secs_f64() };
    options.output_options.print(|| report.json(threads), || report.text())?;
    signals.check()
}

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
    faults: Mutex<RunFaults>,
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
            if self.table.lock().unwrap_or_else(PoisonError::into_inner).has(number) {
                continue;
            }
            let run = self.design.run(number);
            let added = self.compute(&run).and_then(|fields| match fields {
                Some(fields) => self.table.lock().unwrap_or_else(PoisonError::into_inner).add(number, &fields),
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

    /// The row of a run; `None` if the sweep ended before the run did.
    fn compute(&self, run: &Run) -> Result<Option<Vec<String>>, Failure> {
        let Design { ticks, from, measures, radius, .. } = self.design;
        let mut world = execution::build(&self.design.scenario(run)?)?;
        let mut series = Series::new(measures, *radius);
        series.observe(&world);
        for tick in 1..=*ticks {
            if self.ended() {
                return Ok(None);
            }
            world.step();
            series.observe(&world);
            if tick > *from {
                series.measure(&world);
            }
            self.bar.inc(1);
        }
        let bare = |value: &String| value.trim_matches(['"', '\'']).to_owned();
        let measured = series.results().flatten().map(|number| number.to_string());
        let hashes = [self.design.scenario_hash(), world.state_hash()].map(|hash| format!("{hash:016x}"));
        let values = run.values.iter().map(bare).chain([run.seed.to_string()]);
        let faults = world.faults();
        let counts = [faults.inexact, faults.quarantined, faults.left].map(|count| count.to_string());
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).add(faults, &run.values, &self.design.vary);
        Ok(Some(values.chain(measured).chain(counts).chain(hashes).collect()))
    }
}

/// The outcome of a sweep.
struct Report<'r> {
    design: &'r Design,
    options: &'r SweepOptions,
    /// Runs of an earlier, interrupted sweep.
    earlier: u64,
    computed: u64,
    complete: bool,
    seconds: f64,
}

impl Report<'_> {
    fn json(&self, threads: usize) -> String {
        let object = json!({
            "table": self.options.output.display().to_string(),
            "runs": self.design.runs,
            "resumed": self.earlier,
            "computed": self.computed,
            "interrupted": !self.complete,
            "threads": threads,
            "seconds": self.seconds,
        });
        format!("{object:#}\n")
    }

    fn text(&self) -> String {
        let table = self.options.output.display().to_string();
        let [runs, computed] = [self.design.runs, self.computed].map(grouped);
        let earlier = match self.earlier {
            0 => String::new(),
            earlier => format!(", and {} of an earlier one", grouped(earlier)),
        };
        let rest = if self.complete { "" } else { "\ninterrupted: the same command goes on" };
        let (table, seconds) = (printable(&table), fixed(self.seconds, 2));
        format!("{computed} of {runs} runs in {seconds} s{earlier}{rest}\nwrote {table}\n")
    }
}
