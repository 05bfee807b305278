//! The command `throng bench`: one flock in throng and in other designs, by agents, threads and dimensions.

mod memory;
mod peers;
mod plan;
mod plot;
mod row;
mod table;

use std::collections::HashMap;
use std::time::Duration;

use indicatif::ProgressBar;
use serde_json::Value;
use throng::InstructionSet;
use throng_bench::design::WARM;
use throng_bench::{AnyFlock, DesignKind, Rounds};

use crate::arguments::BenchOptions;
use crate::failure::Failure;
use crate::output::print;
use crate::progress;

use memory::Memory;
use plan::Plan;
use row::Row;

/// The time limit of a roofline measurement.
const ROOFLINE_TIME: Duration = Duration::from_millis(200);

/// Measures and prints what the command `throng bench` asks for.
pub(crate) fn bench(bench: &BenchOptions) -> Result<(), Failure> {
    let plan = Plan::new(bench)?;
    if let Some(path) = &bench.plot {
        // A path that cannot be written fails before minutes of measurements, not after.
        std::fs::write(path, "").map_err(|error| Failure::write(path, &error))?;
    }
    let bar = progress::bar(plan.ticks(), false);
    let mut rows = Vec::new();
    let mut rooflines = HashMap::new();
    for &dimensions in &plan.dimensions {
        for &agents in &plan.agents {
            let flock = AnyFlock::new(dimensions.into(), agents);
            measure(&plan, &flock, agents, &mut rooflines, &bar, &mut rows)?;
        }
    }
    bar.finish_and_clear();
    if bench.peers {
        rows.extend(peers::run(&plan)?);
    }
    if let Some(path) = &bench.plot {
        let picture = plot::draw(&rows).map_err(|error| Failure::Write(format!("{}: {error}", path.display())))?;
        std::fs::write(path, picture).map_err(|error| Failure::write(path, &error))?;
    }
    if bench.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        return print(&format!("{:#}\n", Value::from(rows)));
    }
    print(&table::table(&rows))
}

/// The pair tests per second of one core, by dimensions and instruction set.
type Rooflines = HashMap<(usize, InstructionSet), f64>;

/// Measures all designs with one number of agents. The designs take turns, one round each, so that other load on the
/// machine affects all of them alike.
fn measure(
    plan: &Plan,
    flock: &AnyFlock,
    agents: usize,
    rooflines: &mut Rooflines,
    bar: &ProgressBar,
    rows: &mut Vec<Row>,
) -> Result<(), Failure> {
    let dimensions = flock.dimensions();
    let set = plan.instruction_set;
    for pool in &plan.pools {
        let threads = pool.current_num_threads();
        let mut all: Vec<_> = Plan::kinds(agents).map(|kind| (kind, Rounds::default(), Memory::default())).collect();
        for &ticks in &plan.rounds {
            for (kind, rounds, memory) in &mut all {
                bar.set_message(format!("{} {dimensions}D {agents} agents {threads} threads", kind.name()));
                memory.start();
                let mut design = flock.design(*kind, set).map_err(|error| Failure::Input(error.to_string()))?;
                pool.install(|| rounds.round(&mut *design, ticks));
                memory.stop();
                bar.inc(WARM + ticks);
            }
        }
        for (kind, rounds, memory) in all {
            // The tree's code is compiled for the baseline, not dispatched at run time.
            let set = if kind == DesignKind::RstarPerAgent { InstructionSet::Baseline } else { set };
            let roofline = match rooflines.get(&(dimensions, set)) {
                Some(&roofline) => roofline,
                None => {
                    let found = flock.roofline(set, ROOFLINE_TIME);
                    let found = found.map_err(|error| Failure::Input(error.to_string()))?;
                    rooflines.insert((dimensions, set), found);
                    found
                }
            };
            rows.push(Row {
                design: kind.name().to_owned(),
                dimensions,
                agents,
                threads,
                instruction_set: set.name().to_owned(),
                totals: rounds.totals,
                roofline: roofline * threads as f64,
                bytes: memory.peak(),
                notes: None,
            });
        }
    }
    Ok(())
}
