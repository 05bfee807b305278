//! The rival designs, each with the share of the roofline that it reaches.

use std::num::NonZeroUsize;
use std::rc::Rc;
use std::time::Duration;

use throng::InstructionSet;
use throng_bench::{AnyFlock, DesignKind};

use super::measure::{Entrant, Moving, row};
use super::memory::Memory;
use super::plan::{Plan, pool};
use super::subject::Size;
use crate::failure::Failure;

/// The most agents for which the tree of single agents is measured; larger flocks take too long.
const MOST_PER_AGENT: usize = 100_000;

/// The time limit of a roofline measurement.
const ROOFLINE_TIME: Duration = Duration::from_millis(200);

/// The designs that are measured with this number of agents.
pub(crate) fn kinds(agents: usize) -> impl Iterator<Item = DesignKind> {
    DesignKind::ALL.into_iter().filter(move |&kind| kind != DesignKind::RstarPerAgent || agents <= MOST_PER_AGENT)
}

/// The rows of the designs of a flock.
pub(crate) fn entrants(
    plan: &Plan<'_>,
    (group, dimensions): (usize, usize),
    threads: NonZeroUsize,
    size: Size,
) -> Result<Vec<Entrant<'static>>, Failure> {
    let Size::Agents(agents) = size else { return Ok(Vec::new()) };
    let (agents, set) = (agents as usize, plan.machine.instruction_set);
    let flock = Rc::new(AnyFlock::new(dimensions, agents));
    let entrant = |kind: DesignKind| {
        // The tree's code is compiled for the baseline, not dispatched at run time.
        let set_of_code = if kind == DesignKind::RstarPerAgent { InstructionSet::Baseline } else { set };
        let roofline = flock.roofline(set_of_code, ROOFLINE_TIME).map_err(|error| Failure::Input(error.to_string()))?;
        let mut row = row(plan, (group, dimensions), threads, (kind.name(), set_of_code));
        row.roofline = roofline * threads.get() as f64;
        let flock = Rc::clone(&flock);
        let start = Box::new(move || {
            let design = flock.design(kind, set).map_err(|error| Failure::Input(error.to_string()))?;
            Ok(Moving::Rival(design, agents))
        });
        Ok(Entrant { row, pool: pool(threads.get())?, memory: Memory::default(), start })
    };
    kinds(agents).map(entrant).collect()
}
