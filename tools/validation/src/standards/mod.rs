//! The tests of RiMEA 4.1.1, ISO 20414 and NIST TN 1822 for every model of walkers, and tests against experiments:
//! `validation standards [--short] [--page] [--out FOLDER] [--seeds NUMBER] [--model NAME] [TEST ...]`.
//!
//! Prints one line per value. With a folder it replaces the records of the tests that it ran, and writes
//! `standards.md`, the pages in `standards/` and their figures from all records. The exit status is 1 if a model fails
//! that is not known to fail. `--short` runs some tests with fewer seeds, `--page` none.

mod bottlenecks;
mod components;
mod crowd;
mod diagrams;
mod experiments;
mod groups;
mod page;
mod records;
mod routes;
mod streams;
mod test;

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use crate::run::Outcome;
use crowd::{Model, Run};
use records::Record;
use test::{Failure, Summary, Test};

/// The models, each with its defaults.
const MODELS: &[Model] = &[
    Model { name: "pedvo", motion: "{ model = \"pedvo\" }", tick: 0.05 },
    Model { name: "orca", motion: "{ model = \"orca\" }", tick: 0.05 },
    // Bodies in contact are stiff: ticks of 0.05 s are at the edge of stability.
    Model { name: "social_force", motion: "{ model = \"social_force\" }", tick: 0.02 },
    Model { name: "collision_free_speed", motion: "{ model = \"collision_free_speed\" }", tick: 0.05 },
];

/// The name of the record of JuPedSim, which `scripts/standards-jupedsim.py` writes.
const JUPEDSIM: &str = "jupedsim";

/// The seeds of the whole and of the short form.
const SEEDS: [u64; 2] = [30, 2];

/// The results of one model in one test.
struct Outcomes {
    test: &'static Test,
    model: &'static str,
    seeds: u64,
    /// One for each value.
    summaries: Vec<Summary>,
}

impl Outcomes {
    fn values(&self) -> impl Iterator<Item = (&'static test::Value, &Summary)> + '_ {
        self.test.values.iter().zip(&self.summaries)
    }

    /// The failure, if the model is known to fail.
    fn known(&self) -> Option<&'static Failure> {
        self.test.fail.iter().find(|failure| failure.model == self.model)
    }

    /// Whether every bound is kept.
    fn passes(&self) -> bool {
        self.values().all(|(value, summary)| value.holds(summary))
    }
}

/// All tests, in the order of the page.
fn tests() -> impl Iterator<Item = &'static Test> {
    let standards = [components::TESTS, diagrams::TESTS, bottlenecks::TESTS, routes::TESTS, groups::TESTS];
    let experiments = [experiments::TESTS, streams::TESTS, groups::EXPERIMENTS];
    standards.into_iter().chain(experiments).flatten()
}

/// Runs the tests that the arguments name; all without names.
pub(crate) fn run(mut arguments: impl Iterator<Item = String>) -> Outcome<bool> {
    let (mut short, mut page_only, mut out) = (false, false, None::<PathBuf>);
    let (mut seeds, mut names, mut models) = (None, Vec::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        let mut next = |what: &str| arguments.next().ok_or_else(|| format!("{argument} needs {what}"));
        match &argument[..] {
            "--short" => short = true,
            "--page" => page_only = true,
            "--out" => out = Some(next("a folder")?.into()),
            "--seeds" => seeds = Some(next("a number")?.parse()?),
            "--model" => models.push(next("a name")?),
            name if tests().any(|test| test.name == name) => names.push(argument),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let seeds = seeds.unwrap_or(SEEDS[usize::from(short)]);
    let chosen =
        |test: &&Test| if names.is_empty() { !short || test.short } else { names.iter().any(|name| name == test.name) };
    let pairs: Vec<_> = tests()
        .filter(|test| !page_only && chosen(test))
        .flat_map(|test| MODELS.iter().map(move |model| (test, model)))
        .filter(|(_, model)| models.is_empty() || models.iter().any(|name| name == model.name))
        .collect();
    let outcomes = measure(pairs, seeds)?;
    for outcome in &outcomes {
        let verdict = match (outcome.passes(), outcome.known()) {
            (true, None) => "passes",
            (true, Some(_)) => "passes, though known to fail",
            (false, Some(_)) => "fails, as known",
            (false, None) => "FAILS",
        };
        println!("{}, {}: {verdict}", page::heading(outcome.test), outcome.model);
        for (value, summary) in outcome.values() {
            println!("    {}", page::cells(value, summary).join(" | "));
        }
    }
    if let Some(folder) = out {
        keep(&outcomes)?;
        page::write(&folder, &recorded()?)?;
    }
    Ok(outcomes.iter().all(|outcome| outcome.passes() || outcome.known().is_some()))
}

/// Runs tests, each with a model and all seeds.
fn measure(pairs: Vec<(&'static Test, &'static Model)>, seeds: u64) -> Outcome<Vec<Outcomes>> {
    let jobs: Vec<_> =
        pairs.iter().flat_map(|&(test, model)| (1..=seeds).map(move |seed| (test, Run { model, seed }))).collect();
    let start = Instant::now();
    let mut runs = side_by_side(&jobs, |(test, run)| (test.measure)(run))?.into_iter();
    let outcomes = pairs
        .into_iter()
        .map(|(test, model)| {
            let mut numbers = vec![Vec::new(); test.values.len()];
            for run in runs.by_ref().take(seeds as usize) {
                numbers.iter_mut().zip(run).for_each(|(all, of_run)| all.extend(of_run));
            }
            let summaries = test.values.iter().zip(&numbers).map(|(value, numbers)| value.sum_up(numbers)).collect();
            Outcomes { test, model: model.name, seeds, summaries }
        })
        .collect();
    println!("{} runs in {:.0} s", jobs.len(), start.elapsed().as_secs_f64());
    Ok(outcomes)
}

/// Replaces the recorded measurements by new ones.
fn keep(outcomes: &[Outcomes]) -> Outcome<()> {
    for model in MODELS {
        let mut record = Record::read(model.name)?;
        for of in outcomes.iter().filter(|of| of.model == model.name) {
            record.set(of.test, of.seeds, &of.summaries);
        }
        record.write(model.name)?;
    }
    Ok(())
}

/// The recorded measurements of all models, and of JuPedSim, test by test.
fn recorded() -> Outcome<Vec<Outcomes>> {
    let names = || MODELS.iter().map(|model| model.name).chain([JUPEDSIM]);
    let records = names().map(Record::read).collect::<Outcome<Vec<_>>>()?;
    let of = |test| {
        let found = names().zip(&records).filter_map(move |(model, record)| Some((model, record.of(test)?)));
        found.map(move |(model, (seeds, summaries))| Outcomes { test, model, seeds, summaries })
    };
    Ok(tests().flat_map(of).collect())
}

/// Runs jobs on all processors, each on one thread, and returns their results in order.
fn side_by_side<J: Sync, R: Send>(jobs: &[J], run: impl Fn(&J) -> Outcome<R> + Sync) -> Outcome<Vec<R>> {
    let next = Mutex::new(0..jobs.len());
    let done = Mutex::new(Vec::new());
    let work = || -> Outcome<()> {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        loop {
            let job = next.lock().map_err(|_| "a run panicked")?.next();
            let Some(job) = job else { return Ok(()) };
            let result = alone.install(|| run(&jobs[job]))?;
            done.lock().map_err(|_| "a run panicked")?.push((job, result));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a run panicked")?)
    })?;
    let mut done = done.into_inner().map_err(|_| "a run panicked")?;
    done.sort_by_key(|(job, _)| *job);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}
