//! Measurements of other crates, by the package `benches/peers`: no other package depends on them.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use throng_bench::Counts;

use super::plan::Plan;
use super::row::{Row, Sample};
use super::subject::Size;
use crate::failure::Failure;

/// The manifest of the package, relative to the root of the repository.
const MANIFEST: &str = "benches/peers/Cargo.toml";

/// Builds and runs the peers, and returns their rows.
pub(crate) fn run(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    let failure = |what: String| Failure::Input(format!("--peers: {what}"));
    if !Path::new(MANIFEST).exists() {
        return Err(failure(format!("{MANIFEST} does not exist: run this command in the root of throng's repository")));
    }
    let list =
        |numbers: &mut dyn Iterator<Item = u64>| numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let agents = |size: &Size| if let Size::Agents(agents) = size { Some(*agents) } else { None };
    let mut all = Vec::new();
    // krABMaga chooses between serial and parallel at compile time: two programs.
    for features in ["", "parallel"] {
        let output = Command::new("cargo")
            // throng chooses instructions at run time; the peers are compiled for the machine that they run on.
            .env("RUSTFLAGS", "-C target-cpu=native")
            .args(["run", "--quiet", "--release", "--manifest-path", MANIFEST, "--features", features, "--"])
            .arg(list(&mut plan.sizes.iter().filter_map(agents)))
            .arg(list(&mut plan.threads.iter().map(|threads| threads.get() as u64)))
            .arg(list(&mut plan.dimensions.iter().map(|&dimensions| dimensions as u64)))
            .arg((plan.repetitions * plan.ticks).to_string())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| failure(format!("cargo cannot be started: {error}")))?;
        if !output.status.success() {
            return Err(failure(format!("the peers ended with {}", output.status)));
        }
        let rows: Vec<Value> =
            serde_json::from_slice(&output.stdout).map_err(|error| failure(format!("the peers' rows: {error}")))?;
        all.extend(rows.iter().map(|row| of_peer(plan, row)));
    }
    Ok(all)
}

/// The row of a peer, which has one mean of all its ticks.
fn of_peer(plan: &Plan<'_>, peer: &Value) -> Row {
    let number = |key: &str| peer[key].as_f64().unwrap_or_default();
    let text = |key: &str| peer[key].as_str().unwrap_or_default().to_owned();
    let agents = number("agents");
    let sample = Sample {
        agents,
        milliseconds: number("milliseconds_per_tick"),
        ticks: number("ticks") as u64,
        counts: Counts { candidates: number("candidates") as u64, neighbours: number("neighbours") as u64, capped: 0 },
        ..Sample::default()
    };
    Row {
        scenario: plan.subject.name().to_owned(),
        dimensions: number("dimensions") as usize,
        size: Size::Agents(agents as u64).text(),
        design: text("design"),
        threads: number("threads") as usize,
        instruction_set: text("instruction_set"),
        samples: vec![sample],
        bytes: 0,
        roofline: 0.0,
        notes: Some(text("notes")),
    }
}
