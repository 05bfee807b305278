//! Prints a Markdown table of workloads on which a crowd engine may be slow or wrong: milliseconds per tick, the ratio
//! to the plain flock of the same size or to the workload that the row names, and the share of agents whose neighbours
//! differ from those that a search over all pairs finds.
//!
//! ```text
//! cargo run --release -p throng-bench --example cliffs            # all of them
//! cargo run --release -p throng-bench --example cliffs -- pursue  # those whose names contain this word
//! ```

use throng_bench::cliffs::{Baseline, Outcome, all, measure};

/// The number of agents of most workloads.
const AGENTS: usize = 100_000;

fn main() -> Outcome<()> {
    let word = std::env::args().nth(1).unwrap_or_default();
    let list = all(AGENTS);
    println!("| workload | agents | ms per tick | ratio | to | not exact | each |\n|---|---|---|---|---|---|---|");
    for workload in list.iter().filter(|workload| workload.name.contains(&word)) {
        let measured = measure(workload, &list)?;
        let baseline = match &workload.baseline {
            Baseline::Plain => "plain",
            Baseline::PlainPair => "plain, per pair",
            Baseline::Row(name) => name,
        };
        let each = measured.each.map_or(String::new(), |(what, time)| format!("{time:.2} µs a {what}"));
        println!(
            "| {} | {} | {:.3} | {:.2} | {baseline} | {:.1} % | {each} |",
            workload.name,
            workload.agents,
            measured.milliseconds,
            measured.ratio,
            100.0 * measured.wrong
        );
    }
    Ok(())
}
