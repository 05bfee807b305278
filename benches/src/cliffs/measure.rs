//! The times of workloads, as a table.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::list::plain;
use super::{Make, Outcome, Run, Timed, To, Workload, exactness};

/// Rounds, of which the best counts.
const ROUNDS: usize = 3;

/// A round ends after so long, but for one tick on the clock: some workloads need seconds for one.
const LONGEST: Duration = Duration::from_secs(2);

/// What a game does between two ticks.
const SLEEP: Duration = Duration::from_millis(16);

/// One row.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Milliseconds per tick.
    pub milliseconds: f64,
    /// That to what it is compared with.
    pub ratio: f64,
    /// The share of agents that did not see what they should.
    pub wrong: f64,
    /// Microseconds for each of what the workload counts.
    pub each: Option<(&'static str, f64)>,
}

/// All that was measured so far: what others are compared with is measured once.
#[derive(Default)]
pub struct Table {
    milliseconds: BTreeMap<String, f64>,
    neighbours: BTreeMap<String, f64>,
}

impl Table {
    /// Measures one of a list of workloads.
    ///
    /// # Errors
    ///
    /// Those of the workload.
    pub fn measure(&mut self, workload: &Workload, all: &[Workload]) -> Outcome<Figures> {
        let milliseconds = self.time(workload)?;
        let exact = exactness(workload)?;
        let dimensions = if matches!(workload.make, Make::Two(_)) { 2 } else { 3 };
        let ratio = match &workload.to {
            To::Row(name) => match all.iter().find(|other| other.name == *name) {
                Some(other) => milliseconds / self.time(other)?,
                None => f64::NAN,
            },
            To::Plain => milliseconds / self.time(&plain(dimensions, workload.agents))?,
            To::PlainPair => {
                let plain = plain(dimensions, workload.agents);
                let neighbours = match self.neighbours.get(&plain.name) {
                    Some(known) => *known,
                    None => exactness(&plain)?.neighbours,
                };
                self.neighbours.insert(plain.name.clone(), neighbours);
                milliseconds / exact.neighbours * neighbours / self.time(&plain)?
            }
        };
        let each = workload.each.map(|(what, count)| (what, milliseconds * 1e3 / count as f64));
        Ok(Figures { milliseconds, ratio, wrong: exact.wrong_share(), each })
    }

    /// The milliseconds per tick of the best of some rounds.
    fn time(&mut self, workload: &Workload) -> Outcome<f64> {
        if let Some(known) = self.milliseconds.get(&workload.name) {
            return Ok(*known);
        }
        let mut best = f64::INFINITY;
        let began = Instant::now();
        for _ in 0..ROUNDS {
            if began.elapsed() > 3 * LONGEST {
                break;
            }
            best = best.min(match &workload.make {
                Make::Two(make) => round(workload, make()?)?,
                Make::Three(make) => round(workload, make()?)?,
            });
        }
        self.milliseconds.insert(workload.name.clone(), best);
        Ok(best)
    }
}

fn round<const D: usize>(workload: &Workload, run: Run<D>) -> Outcome<f64> {
    let threads = workload.threads.unwrap_or_else(rayon::current_num_threads);
    // The pool is not entered: a host calls from a thread of its own, and its pool falls asleep.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
    let Run { mut world, mut host, .. } = run;
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
        if workload.timed == Timed::Steps {
            step(&mut world);
        }
        if workload.ticks.contains(&tick) {
            ticks += 1;
            time += if workload.timed == Timed::Steps { began.elapsed() } else { host_took };
        }
    }
    Ok(time.as_secs_f64() * 1e3 / f64::from(ticks))
}
