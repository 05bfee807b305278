//! The tests of RiMEA 4.1.1, ISO 20414 and NIST TN 1822 for every model of walkers: `validation standards [--short]
//! [--out FOLDER] [--seeds NUMBER] [--model NAME] [TEST ...]`.
//!
//! Prints one line per value, and writes the page `standards.md` with its figures into the folder. The exit status is 1
//! if a model fails that is not known to fail. `--short` runs some tests with fewer seeds.

mod bottlenecks;
mod components;
mod crowd;
mod diagrams;
mod page;
mod routes;
mod test;

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use crate::run::Outcome;
use crowd::{Model, Run};
use test::{Test, Verdict};

/// The models, each with its defaults.
const MODELS: &[Model] = &[
    Model { name: "orca", motion: "{ model = \"orca\" }", tick: 0.05 },
    // Bodies in contact are stiff: ticks of 0.05 s are at the edge of stability.
    Model { name: "social_force", motion: "{ model = \"social_force\" }", tick: 0.02 },
    Model { name: "collision_free_speed", motion: "{ model = \"collision_free_speed\" }", tick: 0.05 },
];

/// The seeds of the whole and of the short form.
const SEEDS: [u64; 2] = [30, 2];

/// The results of one model in one test.
struct Outcomes {
    test: &'static Test,
    model: &'static Model,
    /// The numbers of all runs, for each value.
    numbers: Vec<Vec<f64>>,
}

impl Outcomes {
    fn verdicts(&self) -> impl Iterator<Item = (&'static test::Value, Verdict)> + '_ {
        self.test.values.iter().zip(&self.numbers).map(|(value, numbers)| (value, value.judge(numbers)))
    }

    fn known_to_fail(&self) -> bool {
        self.test.fail.contains(&self.model.name)
    }

    /// Whether every bound is kept.
    fn passes(&self) -> bool {
        self.verdicts().all(|(value, verdict)| !value.judged() || verdict.holds())
    }
}

/// Runs the tests that the arguments name; all without names.
pub(crate) fn run(mut arguments: impl Iterator<Item = String>) -> Outcome<bool> {
    let all = || [components::TESTS, diagrams::TESTS, bottlenecks::TESTS, routes::TESTS].into_iter().flatten();
    let (mut short, mut out, mut seeds, mut names, mut models) = (false, None::<PathBuf>, None, Vec::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        let mut next = |what: &str| arguments.next().ok_or_else(|| format!("{argument} needs {what}"));
        match &argument[..] {
            "--short" => short = true,
            "--out" => out = Some(next("a folder")?.into()),
            "--seeds" => seeds = Some(next("a number")?.parse()?),
            "--model" => models.push(next("a name")?),
            name if all().any(|test| test.name == name) => names.push(argument),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let seeds = seeds.unwrap_or(SEEDS[usize::from(short)]);
    let chosen =
        |test: &&Test| if names.is_empty() { !short || test.short } else { names.iter().any(|name| name == test.name) };
    let pairs: Vec<_> = all()
        .filter(chosen)
        .flat_map(|test| MODELS.iter().map(move |model| (test, model)))
        .filter(|(_, model)| models.is_empty() || models.iter().any(|name| name == model.name))
        .collect();
    let jobs: Vec<_> =
        pairs.iter().flat_map(|&(test, model)| (1..=seeds).map(move |seed| (test, Run { model, seed }))).collect();
    let start = Instant::now();
    let mut runs = side_by_side(&jobs, |(test, run)| (test.measure)(run))?.into_iter();
    let outcomes: Vec<Outcomes> = pairs
        .into_iter()
        .map(|(test, model)| {
            let mut numbers = vec![Vec::new(); test.values.len()];
            for run in runs.by_ref().take(seeds as usize) {
                numbers.iter_mut().zip(run).for_each(|(all, of_run)| all.extend(of_run));
            }
            Outcomes { test, model, numbers }
        })
        .collect();
    for outcome in &outcomes {
        let verdict = match (outcome.passes(), outcome.known_to_fail()) {
            (true, false) => "passes",
            (true, true) => "passes, though known to fail",
            (false, true) => "fails, as known",
            (false, false) => "FAILS",
        };
        println!("{} ({}), {}: {verdict}", outcome.test.of.join(", "), outcome.test.name, outcome.model.name);
        for (value, verdict) in outcome.verdicts() {
            println!("    {}", page::cells(value, &verdict).join(" | "));
        }
    }
    println!("{} runs in {:.0} s", jobs.len(), start.elapsed().as_secs_f64());
    if let Some(folder) = out {
        page::write(&folder, &outcomes, seeds)?;
    }
    Ok(outcomes.iter().all(|outcome| outcome.passes() || outcome.known_to_fail()))
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
