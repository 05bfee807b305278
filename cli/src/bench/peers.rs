//! Measurements of other crates, by the package `benches/peers`: no other package depends on them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use throng_bench::Counts;
use throng_bench::design::Totals;

use crate::failure::Failure;

use super::plan::Plan;
use super::row::Row;

/// The manifest of the package, relative to the root of the repository.
const MANIFEST: &str = "benches/peers/Cargo.toml";

/// Builds and runs the peers, and returns their rows.
pub(crate) fn run(plan: &Plan) -> Result<Vec<Row>, Failure> {
    let failure = |what: String| Failure::Input(format!("--peers: {what}"));
    if !Path::new(MANIFEST).exists() {
        return Err(failure(format!("{MANIFEST} does not exist: run this command in the root of throng's repository")));
    }
    let list = |numbers: Vec<usize>| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let mut all = Vec::new();
    // krABMaga chooses between serial and parallel at compile time: two programs.
    for features in ["", "parallel"] {
        let output = Command::new("cargo")
            // throng chooses instructions at run time; the peers are compiled for the machine that they run on.
            .env("RUSTFLAGS", "-C target-cpu=native")
            .args(["run", "--quiet", "--release", "--manifest-path", MANIFEST, "--features", features, "--"])
            .arg(list(plan.agents.clone()))
            .arg(list(plan.pools.iter().map(rayon::ThreadPool::current_num_threads).collect()))
            .arg(list(plan.dimensions.iter().map(|&dimensions| dimensions.into()).collect()))
            .arg(plan.rounds.iter().sum::<u64>().to_string())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| failure(format!("cargo cannot be started: {error}")))?;
        if !output.status.success() {
            return Err(failure(format!("the peers ended with {}", output.status)));
        }
        let rows: Vec<Value> =
            serde_json::from_slice(&output.stdout).map_err(|error| failure(format!("the peers' rows: {error}")))?;
        all.extend(rows.iter().map(row));
    }
    Ok(all)
}

fn row(peer: &Value) -> Row {
    let number = |key: &str| peer[key].as_f64().unwrap_or_default();
    let text = |key: &str| peer[key].as_str().unwrap_or_default().to_owned();
    let ticks = number("ticks");
    let seconds = number("milliseconds_per_tick") * ticks / 1e3;
    Row {
        design: text("design"),
        dimensions: number("dimensions") as usize,
        agents: number("agents") as usize,
        threads: number("threads") as usize,
        instruction_set: text("instruction_set"),
        totals: Totals {
            ticks: ticks as u64,
            time: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
            counts: Counts {
                candidates: number("candidates") as u64,
                neighbours: number("neighbours") as u64,
                capped: 0,
            },
            ..Totals::default()
        },
        roofline: 0.0,
        bytes: 0,
        notes: Some(text("notes")),
    }
}
