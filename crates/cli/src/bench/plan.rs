//! The plan of a measurement: worlds, threads and ticks.

use std::num::NonZeroUsize;

use rayon::ThreadPool;
use throng::{AnyWorld, InstructionSet, Registry};
use throng_bench::design::WARM;
use throng_scenario::Scenario;

use super::machine::Machine;
use super::options::BenchOptions;
use super::subject::{Size, Subject};
use crate::execution::execution;
use crate::failure::Failure;
use crate::output::grouped;
use crate::threads;

/// The sizes of the flock.
const FLOCK: [u64; 3] = [1_000, 10_000, 100_000];

/// Worlds in a number of dimensions that are measured in turns: their sizes, each with its numbers of threads.
pub(crate) type Group = (usize, Vec<(Size, Vec<NonZeroUsize>)>);

/// The worlds that are measured, and the numbers of threads.
pub(crate) struct Plan<'r> {
    pub(crate) subject: Subject<'r>,
    pub(crate) machine: Machine,
    pub(crate) dimensions: Vec<usize>,
    pub(crate) sizes: Vec<Size>,
    pub(crate) threads: Vec<NonZeroUsize>,
    /// Whether each thread gets a world of the size.
    pub(crate) is_weak: bool,
    /// The tick after which the clock starts.
    from: u64,
    /// Timed ticks of a repetition.
    pub(crate) ticks: u64,
    pub(crate) repetitions: u64,
    /// The number of agents of the scenario as it is.
    population: u64,
}

impl<'r> Plan<'r> {
    /// Reads the names on the command line, and refuses worlds that do not fit into this machine.
    pub(crate) fn new(options: &BenchOptions, registry: &'r Registry) -> Result<Self, Failure> {
        let subject = Subject::open(options, registry)?;
        let execution = execution().map_err(|error| Failure::Input(error.to_string()))?;
        let machine = Machine::this(execution.instruction_set.unwrap_or_else(InstructionSet::widest));
        let agents = options.agents.iter().map(|&agents| Size::Agents(agents));
        let mut sizes: Vec<Size> = agents.chain(options.scale.iter().map(|&scale| Size::Scale(scale))).collect();
        if sizes.is_empty() {
            match subject {
                Subject::Flock(_) => sizes.extend(FLOCK.map(Size::Agents)),
                Subject::Scenario(_) => sizes.push(Size::Scale(1.0)),
            }
        }
        let mut threads = options.threads.clone();
        if threads.is_empty() {
            threads.extend(machine.ladder().into_iter().filter_map(NonZeroUsize::new));
        }
        let dimensions = subject.dimensions(options);
        let (is_weak, from, ticks) = (options.weak, options.from, options.ticks);
        let repetitions = options.repetitions;
        let population = 0;
        let mut plan =
            Self { subject, machine, dimensions, sizes, threads, is_weak, from, ticks, repetitions, population };
        plan.check()?;
        Ok(plan)
    }

    /// Checks that this machine has room for each world and a copy of it, before any is built.
    fn check(&mut self) -> Result<(), Failure> {
        let worlds = self.groups();
        for &(dimensions, ref group) in &worlds {
            let agents = group.iter().map(|(size, _)| if let Size::Agents(agents) = size { *agents } else { 0 });
            check_room(agents.fold(0, u64::saturating_add), dimensions)?;
        }
        if let (Subject::Scenario(_), Some(Size::Agents(_))) = (&self.subject, self.sizes.first()) {
            let world = self.subject.world(self.dimensions[0], Size::Scale(1.0), 1)?;
            // Sources need a tick for agents that come at the start.
            let first = if self.from > 0 { self.from } else { 1 };
            self.population = self.stepped(world, first)?.population() as u64;
            if self.population == 0 {
                let name = self.subject.name();
                return Err(Failure::Input(format!(
                    "--agents: {name} has no agents after tick {}: --from starts the clock later, and --scale takes \
                     multiples",
                    self.from
                )));
            }
        }
        for (dimensions, group) in worlds {
            let mut agents = 0_u64;
            for (size, _) in group {
                agents = agents.saturating_add(self.subject.check(size, self.population)?);
            }
            check_room(agents, dimensions)?;
        }
        Ok(())
    }

    /// The groups of worlds that are measured in turns, each world with the numbers of threads that it is measured on.
    pub(crate) fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        for &dimensions in &self.dimensions {
            for &size in &self.sizes {
                let group = match self.is_weak {
                    true => self.threads.iter().map(|&threads| (size.times(threads.get()), vec![threads])).collect(),
                    false => vec![(size, self.threads.clone())],
                };
                groups.push((dimensions, group));
            }
        }
        groups
    }

    /// The size in the words of the rows of a group.
    pub(crate) fn size_text(&self, group: usize) -> String {
        let size = self.sizes[group % self.sizes.len()].text();
        if self.is_weak { format!("{size} for each thread") } else { size }
    }

    /// Builds a world, [`warm`](Self::warm) ticks before the clock starts.
    pub(crate) fn start(&self, dimensions: usize, size: Size) -> Result<AnyWorld, Failure> {
        let world = self.subject.world(dimensions, size, self.population)?;
        self.stepped(world, self.from - self.warm())
    }

    /// Advances a world by some ticks, on all threads.
    fn stepped(&self, mut world: AnyWorld, ticks: u64) -> Result<AnyWorld, Failure> {
        let step = || (0..ticks).try_for_each(|_| world.try_step());
        pool(self.machine.threads)?.install(step).map_err(Failure::Step)?;
        Ok(world)
    }

    /// The ticks of each repetition before the clock starts: rows are sorted, and neighbour lists built.
    pub(crate) fn warm(&self) -> u64 {
        if self.from < WARM { self.from } else { WARM }
    }

    /// The ticks of one row.
    pub(crate) fn ticks_of_row(&self) -> u64 {
        self.repetitions * (self.warm() + self.ticks)
    }
}

/// A pool of this many threads.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, Failure> {
    threads::pool(NonZeroUsize::new(threads))
}

/// Checks that this machine has room for this many agents twice: at the start, and moving.
fn check_room(agents: u64, dimensions: usize) -> Result<(), Failure> {
    let size = vec!["100.0"; dimensions].join(", ");
    let check = |count: u64| {
        let count = count.clamp(0, 1 << 53);
        let text = format!(
            "format = 1\n[world]\ndimensions = {dimensions}\nsize = [{size}]\n[species.boid]\ncount = {count}\n\
             behaviours = []\n"
        );
        Ok(Scenario::parse(&text, "--agents")?.check_limits()?)
    };
    check(agents)?;
    check(agents.saturating_mul(2)).map_err(|error: Failure| {
        let agents = grouped(agents);
        Failure::Limit(format!("a world of {agents} agents and the copy that is measured are too large: {error}"))
    })
}
