//! Measures other crates on the flock and prints rows for `throng bench --peers`:
//! `throng-peers AGENTS,... THREADS,... DIMENSIONS,... TICKS`.
//!
//! Without the feature `parallel`: `kiddo`, the rules of `rstar_per_agent` with another tree, and `krabmaga`, the model
//! `flockers` of krABMaga. With it: krABMaga's model on its parallel schedule.

mod flockers;
#[cfg(not(feature = "parallel"))]
mod kiddo_tree;
mod model;

use std::error::Error;

use serde_json::{Value, json};
use throng_bench::design::ROUND;
use throng_bench::{Design, Flock, Rounds};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<Vec<usize>> =
        std::env::args().skip(1).map(|list| list.split(',').map(str::parse).collect()).collect::<Result<_, _>>()?;
    let [agents, threads, dimensions, ticks] = &arguments[..] else {
        return Err("throng-peers AGENTS,... THREADS,... DIMENSIONS,... TICKS".into());
    };
    let ticks = ticks.first().copied().unwrap_or(ROUND as usize) as u64;
    let mut rows: Vec<Value> = Vec::new();
    for &dimensions in dimensions {
        for &agents in agents {
            for &threads in threads {
                match dimensions {
                    3 => run::<3>(agents, threads, ticks, &mut rows)?,
                    _ => run::<2>(agents, threads, ticks, &mut rows)?,
                }
            }
        }
    }
    println!("{}", Value::from(rows));
    Ok(())
}

fn run<const D: usize>(agents: usize, threads: usize, ticks: u64, rows: &mut Vec<Value>) -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let flock = Flock::<D>::new(agents);
    let mut measure = |design: &str, notes: &str, make: &dyn Fn() -> Box<dyn Design>| {
        let mut rounds = Rounds::default();
        let mut left = ticks;
        while left > 0 {
            let now = left.clamp(1, ROUND);
            let mut peer = make();
            pool.install(|| rounds.round(&mut *peer, now));
            left -= now;
        }
        let totals = rounds.totals;
        rows.push(json!({
            "design": design,
            "dimensions": D,
            "agents": agents,
            "threads": threads,
            "instruction_set": if cfg!(target_feature = "avx") { "native" } else { "baseline" },
            "ticks": totals.ticks,
            "milliseconds_per_tick": totals.time.as_secs_f64() * 1e3 / totals.ticks as f64,
            "candidates": totals.counts.candidates,
            "neighbours": totals.counts.neighbours,
            "notes": notes,
        }));
    };
    #[cfg(not(feature = "parallel"))]
    measure("kiddo", kiddo_tree::NOTES, &|| Box::new(kiddo_tree::new(&flock)));
    if D == 2 && (threads == 1 || cfg!(feature = "parallel")) {
        measure(flockers::NAME, flockers::NOTES, &|| Box::new(flockers::Peer::new(&flock, threads)));
    }
    Ok(())
}
