//! Measures the time of workloads.

use std::time::{Duration, Instant};

use super::list::plain;
use super::{Baseline, Outcome, Setup, TimedPart, Workload, WorldBuilder, exactness};

/// Rounds per workload; the fastest counts.
const ROUNDS: usize = 3;

/// The longest round. At least one tick is measured, even where it takes longer: some workloads need seconds per tick.
const LONGEST: Duration = Duration::from_secs(2);

/// The pause between two ticks, as in a game.
const SLEEP: Duration = Duration::from_millis(16);

/// The results of one workload.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Milliseconds per tick.
    pub milliseconds: f64,
    /// The ratio to the workload that it is compared with.
    pub ratio: f64,
    /// The share of agents whose neighbours were wrong.
    pub wrong: f64,
    /// The unit that the workload counts, and microseconds per unit.
    pub each: Option<(&'static str, f64)>,
}

/// Measures a workload and the one that it is compared with, in turns. `all` is the list that holds both.
///
/// # Errors
///
/// The errors of the workload.
pub fn measure(workload: &Workload, all: &[Workload]) -> Outcome<Measurement> {
    let plain = plain(if matches!(workload.build, WorldBuilder::Two(_)) { 2 } else { 3 }, workload.agents);
    let other = match &workload.baseline {
        Baseline::Plain | Baseline::PlainPair => &plain,
        Baseline::Row(name) => all.iter().find(|other| other.name == *name).ok_or("no such row")?,
    };
    let [mut milliseconds, mut others] = [f64::INFINITY; 2];
    let began = Instant::now();
    for _ in 0..ROUNDS {
        if began.elapsed() < 4 * LONGEST {
            milliseconds = milliseconds.min(time(workload)?);
            others = others.min(time(other)?);
        }
    }
    let exact = exactness(workload)?;
    let ratio = match workload.baseline {
        Baseline::PlainPair => (milliseconds / exact.neighbours) / (others / exactness(other)?.neighbours),
        _ => milliseconds / others,
    };
    let each = workload.each.map(|(what, count)| (what, milliseconds * 1e3 / count as f64));
    Ok(Measurement { milliseconds, ratio, wrong: exact.wrong_share(), each })
}

/// Returns milliseconds per tick of one round. The round has a thread of its own: a thread can belong to one pool only.
fn time(workload: &Workload) -> Outcome<f64> {
    let timed = || match &workload.build {
        WorldBuilder::Two(make) => round(workload, make()?),
        WorldBuilder::Three(make) => round(workload, make()?),
    };
    let thread = std::thread::scope(|scope| {
        let thread = scope.spawn(|| timed().map_err(|problem| problem.to_string()));
        thread.join().map_err(|_| "a workload panicked".to_owned())
    });
    Ok(thread??)
}

fn round<const D: usize>(workload: &Workload, run: Setup<D>) -> Outcome<f64> {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build();
    let threads = workload.threads.or_else(|| (!workload.asleep).then(rayon::current_num_threads));
    let pool = threads.map(pool).transpose()?;
    let Setup { mut world, mut host, .. } = run;
    let step = |world: &mut throng::World<D>| match &pool {
        Some(pool) => pool.install(|| world.step()),
        None => world.step(),
    };
    let start = Instant::now();
    for _ in 0..workload.warm {
        if start.elapsed() < LONGEST {
            step(&mut world);
        }
    }
    let (mut time, mut ticks) = (Duration::ZERO, 0);
    for tick in 0..workload.ticks.end {
        if ticks > 0 && start.elapsed() > LONGEST {
            break;
        }
        if workload.asleep {
            std::thread::sleep(SLEEP);
        }
        let began = Instant::now();
        host(&mut world, tick)?;
        let (host_took, began) = (began.elapsed(), Instant::now());
        if workload.timed == TimedPart::Steps {
            step(&mut world);
        }
        if workload.ticks.contains(&tick) {
            ticks += 1;
            time += if workload.timed == TimedPart::Steps { began.elapsed() } else { host_took };
        }
    }
    Ok(time.as_secs_f64() * 1e3 / f64::from(ticks))
}
