//! The part of a world that this process advances: the seam between the stages of a tick and the other ranks.
//!
//! A stage asks [`Part`] which rows it may write, completes its results for them, and adds up its counts. The only
//! process of a world has all rows, and nothing to complete or add.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::space_order::{self, SortBuffers};
use crate::derived::indices::Indices;
use crate::derived::output::SteeringOutput;
use crate::derived::plans::Plans;
use crate::kernels::CHUNK;
use crate::neighbour_lists::mix_sums::MixSums;
use crate::neighbour_lists::sums::Counts;
use crate::ranks::chunks::Chunks;
use crate::ranks::division::Division;
use crate::ranks::messages::Messages;
use crate::ranks::{measure, results, sort};
use crate::state::State;
use crate::state::undo::Undoable;
use crate::transport::Transport;

/// The rows that are up to date on this rank.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Present {
    /// Every rank has all rows, and moves all agents.
    #[default]
    All,
    /// Rank-local rows: each rank has its own rows and its halo, and moves only its own agents.
    Own,
    /// The same, but the rank with this number has all rows until the next tick.
    AllAt(usize),
}

/// The part of a world that this process advances. By default it is all of it.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(super) division: Division,
    pub(super) present: Present,
}

/// How the world is divided.
impl Part {
    /// The part of this rank of a transport.
    pub(crate) fn among(transport: Arc<dyn Transport>) -> Self {
        Self { division: Division::among(Messages::among(transport)), ..Self::default() }
    }

    /// The transport, if there are other ranks.
    pub(crate) fn transport(&self) -> Option<&Arc<dyn Transport>> {
        self.division.messages.transport()
    }

    /// The number of this rank.
    pub(crate) fn rank(&self) -> usize {
        self.division.messages.rank()
    }

    /// The number of ranks.
    pub(crate) fn ranks(&self) -> usize {
        self.division.messages.ranks()
    }

    /// Returns whether this process has no transport to others.
    pub(crate) fn is_only_process(&self) -> bool {
        self.transport().is_none()
    }

    /// Divides the chunks of a species equally if their number is new, while no lists are kept.
    pub(crate) fn divide(&mut self, species: usize, chunks: usize) {
        self.division.shares.divide(species, chunks);
    }

    /// Divides the chunks of the mix anew.
    pub(crate) fn divide_mix(&mut self, chunks: usize) {
        self.division.shares.divide_mix(chunks);
    }

    /// Returns the rows that this rank has of a species with this number of rows, and announces the number.
    pub(crate) fn expect(&mut self, species: usize, rows: usize) -> Range<usize> {
        self.divide(species, rows.div_ceil(CHUNK));
        self.division.shares.rows_of(self.rank(), species, rows)
    }

    /// Returns the rows of each species that this rank writes to a snapshot.
    pub(crate) fn saved<const D: usize>(&self, state: &State<D>) -> Vec<Range<usize>> {
        let of = |agents: &Agents<D>| self.division.shares.rows_of(self.rank(), agents.species.number(), agents.len());
        state.agents.iter().map(of).collect()
    }
}

/// The rows that a stage may write.
impl Part {
    /// Returns the chunks of a species that this rank steers.
    pub(crate) fn steers<const D: usize>(&self, agents: &Agents<D>) -> Chunks {
        Chunks(self.division.own(agents))
    }

    /// Returns the chunks of the mix whose sums this rank forms.
    pub(crate) fn steers_in_mix(&self, chunks: usize) -> Chunks {
        Chunks(self.division.shares.of(self.rank(), None, chunks))
    }

    /// Returns the chunks of a species whose agents this rank moves and reads: every stage but Steer writes only to
    /// these.
    pub(crate) fn moves<const D: usize>(&self, agents: &Agents<D>) -> Chunks {
        match self.present {
            Present::All => Chunks(0..agents.chunks()),
            Present::Own | Present::AllAt(_) => self.steers(agents),
        }
    }
}

/// Values on which ranks have to agree.
impl Part {
    /// Adds up the counts of each rank for the chunks that it [steers](Self::steers).
    pub(crate) fn sum_of_steered<const N: usize>(&mut self, numbers: [&mut u64; N]) {
        self.division.messages.add_up(numbers);
    }

    /// Adds up the counts of each rank for the chunks that it [moves](Self::moves).
    pub(crate) fn sum_of_moved<const N: usize>(&mut self, numbers: [&mut u64; N]) {
        if self.present != Present::All {
            self.division.messages.add_up(numbers);
        }
    }

    /// Adds up the numbers of cells in which each rank has counted the agents that it [moves](Self::moves).
    pub(crate) fn sum_of_cells(&mut self, numbers: &mut [AtomicI64]) {
        if self.present != Present::All {
            self.division.messages.add_up_cells(numbers);
        }
    }

    /// Returns the largest of the numbers that ranks have found in the chunks that they [move](Self::moves). None is
    /// negative.
    pub(crate) fn largest_of_moved(&mut self, number: f32) -> f32 {
        if self.present == Present::All { number } else { self.division.messages.largest(number) }
    }

    /// Completes the sums over the mix.
    pub(crate) fn complete_mix_sums<const D: usize>(&mut self, sums: &mut MixSums<D>) {
        if !self.is_only_process() {
            results::complete_mix_sums(&mut self.division, sums);
        }
    }

    /// Completes the results of steering, and adds up the counts of all ranks.
    pub(crate) fn complete_steering<const D: usize>(
        &mut self,
        agents: &mut [Agents<D>],
        plans: &Plans<D>,
        outputs: &mut [SteeringOutput<D>],
        arrived: &mut [bool],
        counts: &mut Counts,
    ) {
        if self.is_only_process() {
            return;
        }
        for (number, output) in outputs.iter().enumerate() {
            self.division.worked(number, output.counts.iter().map(|counts| counts.candidates));
        }
        let is_apart = self.present != Present::All;
        results::complete_steering(&mut self.division, is_apart, agents, plans, (outputs, arrived), counts);
    }

    /// Sorts the rows of a species into space order. Ranks sort them together, and divide them by their work in the last
    /// tick: a chunk then has other agents, but mostly from the same region.
    pub(crate) fn sort<const D: usize>(
        &mut self,
        state: &mut State<D>,
        outputs: &mut [SteeringOutput<D>],
        number: usize,
        buffers: &mut SortBuffers,
    ) {
        match self.present {
            Present::All => {
                self.division.balance(number);
                space_order::arrange(&mut state.agents[number], &state.ids, buffers);
            }
            Present::Own | Present::AllAt(_) => {
                sort::sort(&mut self.division, &mut state.agents[number], &mut outputs[number], buffers);
            }
        }
    }

    /// Measures the boxes that this tick needs, and gets the rows near the rows of this rank.
    pub(crate) fn measure<const D: usize>(
        &mut self,
        level: Level,
        state: &mut Undoable<'_, D>,
        plans: &Plans<D>,
        indices: &mut Indices<D>,
    ) {
        match self.present {
            Present::All => indices.measure(level, state),
            Present::Own | Present::AllAt(_) => {
                measure::measure(&mut self.division, level, state.rows(), plans, indices)
            }
        }
    }

    /// Measures all boxes around the present positions, as a function of the state only.
    pub(crate) fn measure_all<const D: usize>(
        &mut self,
        level: Level,
        state: &mut Undoable<'_, D>,
        plans: &Plans<D>,
        indices: &mut Indices<D>,
    ) {
        match self.present {
            Present::All => indices.measure_all(level, state),
            Present::Own | Present::AllAt(_) => {
                measure::measure_all(&mut self.division, level, state.rows(), plans, indices)
            }
        }
    }
}
