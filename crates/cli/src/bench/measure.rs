//! The measurement: repetitions of all rows of a group in turns, so that other load affects all of them alike.

use std::num::NonZeroUsize;
use std::time::Instant;

use indicatif::ProgressBar;
use rayon::ThreadPool;
use throng::{AnyWorld, InstructionSet};
use throng_bench::{Counts, Design};

use super::memory::Memory;
use super::plan::{Plan, pool};
use super::row::{Row, Sample};
use super::subject::Size;
use crate::failure::Failure;
use crate::output::grouped;
use crate::signals::Signals;
use crate::terminal::error;

/// The name of throng among designs.
pub(crate) const THRONG: &str = "throng";

/// A world in a design, which is stepped.
pub(crate) enum Moving {
    Throng(Box<AnyWorld>),
    /// A rival, with its number of agents.
    #[cfg_attr(not(feature = "designs"), expect(dead_code, reason = "the rivals are left out"))]
    Rival(Box<dyn Design>, usize),
}

impl Moving {
    fn step(&mut self) -> Result<(), Failure> {
        match self {
            Self::Throng(world) => world.try_step().map_err(Failure::Step),
            Self::Rival(design, _) => {
                design.tick();
                Ok(())
            }
        }
    }

    /// Adds the counts of the last tick.
    fn add_to(&self, sample: &mut Sample) {
        let (agents, counts, stages) = match self {
            Self::Throng(world) => {
                let profile = world.profile();
                let (candidates, neighbours, capped) = (profile.candidates, profile.neighbours, profile.capped);
                (world.population(), Counts { candidates, neighbours, capped }, profile.stages().to_vec())
            }
            Self::Rival(design, agents) => (*agents, design.counts(), design.stages()),
        };
        sample.agents += agents as f64;
        sample.counts += counts;
        sample.stages.resize(stages.len(), ("", 0.0));
        for (sum, (name, milliseconds)) in sample.stages.iter_mut().zip(stages) {
            *sum = (name, sum.1 + milliseconds);
        }
    }

    fn hash(&self) -> u64 {
        match self {
            Self::Throng(world) => world.state_hash(),
            Self::Rival(design, _) => design.hash(),
        }
    }
}

/// A row in progress, and how its world starts.
pub(crate) struct Entrant<'s> {
    pub(crate) row: Row,
    pub(crate) pool: ThreadPool,
    pub(crate) memory: Memory,
    pub(crate) start: Box<dyn Fn() -> Result<Moving, Failure> + 's>,
}

/// Returns the rivals of a group, with its number and dimensions, on this number of threads and in this size.
pub(crate) type Rivals = fn(&Plan<'_>, (usize, usize), NonZeroUsize, Size) -> Result<Vec<Entrant<'static>>, Failure>;

/// Measures all rows of a plan into `rows`, until a signal arrives: rows of throng, and of the rivals.
pub(crate) fn measure(
    plan: &Plan<'_>,
    rivals: Option<Rivals>,
    bar: &ProgressBar,
    signals: &Signals,
    rows: &mut Vec<Row>,
) -> Result<(), Failure> {
    for (number, (dimensions, group)) in plan.groups().into_iter().enumerate() {
        bar.set_message(format!("{} in {dimensions}D", plan.size_text(number)));
        let starts = group.iter().map(|&(size, _)| plan.start(dimensions, size)).collect::<Result<Vec<_>, _>>()?;
        let mut entrants = Vec::new();
        for ((size, threads), start) in group.iter().zip(&starts) {
            for &threads in threads {
                entrants.push(entrant(plan, (number, dimensions), threads, start)?);
                if let Some(rivals) = rivals {
                    let rivals = rivals(plan, (number, dimensions), threads, *size)?;
                    bar.inc_length(rivals.len() as u64 * plan.ticks_of_row());
                    entrants.extend(rivals);
                }
            }
        }
        let all = turns(plan, bar, signals, &mut entrants);
        let measured = entrants.into_iter().map(|Entrant { row, memory, .. }| Row { bytes: memory.peak(), ..row });
        rows.extend(measured.filter(|row| !row.samples.is_empty()));
        all?;
        if signals.received().is_some() {
            break;
        }
    }
    Ok(())
}

/// The row of throng with this number of threads.
fn entrant<'s>(
    plan: &Plan<'_>,
    group: (usize, usize),
    threads: NonZeroUsize,
    start: &'s AnyWorld,
) -> Result<Entrant<'s>, Failure> {
    let row = row(plan, group, threads, (THRONG, start.instruction_set()));
    let start = Box::new(|| Ok(Moving::Throng(Box::new(start.clone()))));
    Ok(Entrant { row, pool: pool(threads.get())?, memory: Memory::default(), start })
}

/// A row without samples.
pub(crate) fn row(
    plan: &Plan<'_>,
    (group, dimensions): (usize, usize),
    threads: NonZeroUsize,
    (design, set): (&str, InstructionSet),
) -> Row {
    Row {
        scenario: plan.subject.name().to_owned(),
        dimensions,
        size: plan.size_text(group),
        design: design.to_owned(),
        threads: threads.get(),
        instruction_set: set.name().to_owned(),
        samples: Vec::new(),
        bytes: 0,
        roofline: 0.0,
        notes: None,
    }
}

/// Runs the repetitions, in turns.
fn turns(plan: &Plan<'_>, bar: &ProgressBar, signals: &Signals, entrants: &mut [Entrant<'_>]) -> Result<(), Failure> {
    for _ in 0..plan.repetitions {
        for Entrant { row, pool, memory, start } in &mut *entrants {
            memory.start();
            let mut moving = start()?;
            let sample = pool.install(|| repetition(plan, &mut moving, bar, signals))?;
            memory.stop();
            let Some(sample) = sample else { return Ok(()) };
            if let Some(first) = row.samples.first().filter(|first| first.hash != sample.hash) {
                return Err(differs(row, first.hash, sample.hash));
            }
            row.samples.push(sample);
        }
        // The same world has the same bits on any number of threads.
        let rows = || entrants.iter().map(|entrant| &entrant.row).filter(|row| row.design == THRONG);
        let first = rows().next().filter(|_| !plan.is_weak);
        if let Some((one, other)) = first.and_then(|one| Some((one, rows().find(|other| other.hash() != one.hash())?)))
        {
            return Err(differs(other, one.hash(), other.hash()));
        }
    }
    Ok(())
}

/// Steps a world and measures its ticks; `None` if a signal arrived.
fn repetition(
    plan: &Plan<'_>,
    moving: &mut Moving,
    bar: &ProgressBar,
    signals: &Signals,
) -> Result<Option<Sample>, Failure> {
    let mut sample = Sample::default();
    for tick in 0..plan.warm() + plan.ticks {
        if signals.received().is_some() {
            return Ok(None);
        }
        let began = Instant::now();
        moving.step()?;
        if tick >= plan.warm() {
            sample.milliseconds += began.elapsed().as_secs_f64() * 1e3;
            moving.add_to(&mut sample);
        }
        bar.inc(1);
    }
    (sample.ticks, sample.hash) = (plan.ticks, moving.hash());
    let ticks = plan.ticks as f64;
    sample.milliseconds /= ticks;
    sample.agents /= ticks;
    sample.stages.iter_mut().for_each(|(_, sum)| *sum /= ticks);
    Ok(Some(sample))
}

/// The failure of two repetitions that differ.
fn differs(row: &Row, first: u64, second: u64) -> Failure {
    let agents = grouped(row.agents() as u64);
    error(&format!(
        "{}, {agents} agents: the state hash with {} threads is {second:016x}, and was {first:016x}",
        row.scenario, row.threads
    ));
    Failure::Bug
}
