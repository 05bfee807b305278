//! The plan of a measurement: sizes, dimensions, threads and rounds.

use std::num::NonZeroUsize;

use rayon::{ThreadPool, ThreadPoolBuilder};
use throng::{InstructionSet, Scenario};
use throng_bench::design::{ROUND, WARM};
use throng_bench::{DesignKind, Flock};

use crate::arguments::BenchOptions;
use crate::execution::execution;
use crate::failure::Failure;

/// The most agents for which the tree of single agents is measured; larger flocks take too long.
const MOST_PER_AGENT: usize = 100_000;

/// The sizes, thread pools and rounds to measure.
pub(crate) struct Plan {
    pub(crate) agents: Vec<usize>,
    pub(crate) dimensions: Vec<u8>,
    pub(crate) pools: Vec<ThreadPool>,
    /// Timed ticks of each round.
    pub(crate) rounds: Vec<u64>,
    pub(crate) instruction_set: InstructionSet,
}

/// Checks that this machine has room for a flock.
fn check_room(agents: NonZeroUsize, dimensions: u8) -> Result<(), Failure> {
    let size = vec!["100.0"; dimensions.into()].join(", ");
    let text = format!(
        "format = 1\n[world]\ndimensions = {dimensions}\nsize = [{size}]\n[species.boid]\ncount = {agents}\n\
         behaviours = []\n"
    );
    Ok(Scenario::parse(&text, "--agents")?.check_limits()?)
}

impl Plan {
    pub(crate) fn new(bench: &BenchOptions) -> Result<Self, Failure> {
        for &agents in &bench.agents {
            for &dimensions in &bench.dimensions {
                check_room(agents, dimensions)?;
            }
        }
        let all = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let mut threads: Vec<usize> = bench.threads.iter().map(|&threads| threads.into()).collect();
        if threads.is_empty() {
            threads.extend(if all == 1 { vec![1] } else { vec![1, all] });
        }
        let pool = |threads: usize| {
            let failure = |error| Failure::Limit(format!("{threads} threads cannot be started: {error}"));
            ThreadPoolBuilder::new().num_threads(threads).build().map_err(failure)
        };
        let mut rounds = vec![ROUND; (bench.ticks / ROUND) as usize];
        rounds.extend(Some(bench.ticks % ROUND).filter(|&rest| rest > 0));
        // Building a world checks whether this machine has the instruction set that the environment names.
        let world = execution().and_then(|execution| Flock::<2>::new(1).world(execution));
        let world = world.map_err(|error| Failure::Input(error.to_string()))?;
        Ok(Self {
            agents: bench.agents.iter().map(|&agents| agents.into()).collect(),
            dimensions: bench.dimensions.clone(),
            pools: threads.into_iter().map(pool).collect::<Result<_, _>>()?,
            rounds,
            instruction_set: world.instruction_set(),
        })
    }

    /// The designs to measure with this number of agents.
    pub(crate) fn kinds(agents: usize) -> impl Iterator<Item = DesignKind> {
        DesignKind::ALL.into_iter().filter(move |&kind| kind != DesignKind::RstarPerAgent || agents <= MOST_PER_AGENT)
    }

    /// The number of ticks of all measurements, for the progress bar.
    pub(crate) fn ticks(&self) -> u64 {
        let kinds: u64 = self.agents.iter().map(|&agents| Self::kinds(agents).count() as u64).sum();
        let ticks = self.rounds.iter().sum::<u64>() + self.rounds.len() as u64 * WARM;
        kinds * ticks * (self.dimensions.len() * self.pools.len()) as u64
    }
}
