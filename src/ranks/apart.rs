//! Which rows a rank has: all of them, or its own and those near them.
//!
//! While all rules look only at neighbours, a rank holds only its own agents and a halo. Boxes are measured by the rank
//! of their chunk, and the boxes of chunks are gathered, so that all ranks have the tree of one process. Rows are
//! sorted by all ranks together (`shared_sort.rs`). Everything else is rare and gathers all rows first: agents that
//! leave the world, edits, and ticks with strays.

use crate::agents::Agents;
use crate::derived::Derived;
use crate::derived::plans::Plans;
use crate::environment::Environment;
use crate::kernels::CHUNK;
use crate::neighbour_lists::mix_members;
use crate::ranks::columns::{OwnColumns, Shared};
use crate::ranks::halo::Halo;
use crate::ranks::part::{Part, Present};
use crate::species::Species;
use crate::state::State;
use crate::state::undo::Undoable;

impl Part {
    /// Gathers all rows if this tick needs more than those near each rank.
    pub(crate) fn keep_together<const D: usize>(&mut self, state: &mut Undoable<'_, D>, derived: &mut Derived<D>) {
        if self.present != Present::All && !self.needs_only_neighbours(state, &derived.plans) {
            self.gather_rows(state.rows(), derived, None);
        }
    }

    /// Switches to rank-local rows if all rules look only at neighbours. Otherwise all ranks have all rows.
    pub(crate) fn separate<const D: usize>(&mut self, state: &mut Undoable<'_, D>, derived: &mut Derived<D>) {
        self.keep_together(state, derived);
        if !self.lacks_rows() && self.needs_only_neighbours(state, &derived.plans) {
            self.present = Present::Own;
            self.division.halo = Halo::default();
            let state = state.rows();
            state.ids.forget_rows();
            for (agents, output) in state.agents.iter_mut().zip(&mut derived.outputs) {
                self.divide(agents.species.number(), agents.chunks());
                self.division.give_back(agents, output);
            }
            // The lists that were kept have no halo.
            derived.indices.species.iter_mut().for_each(|index| index.valid = false);
        }
        if self.present != Present::All {
            self.present = Present::Own;
            // Only a rank that had all rows has listed them.
            derived.indices.species.iter_mut().for_each(|index| index.loose.clear());
        }
    }

    /// Starts with the rows that each rank has of a world that was built or loaded. Returns the data derived from it, and
    /// whether the next tick can begin so; otherwise all rows have to be gathered.
    pub(crate) fn start<const D: usize>(&mut self, state: &State<D>) -> (Derived<D>, bool) {
        self.present = Present::Own;
        let mut derived = self.derive(state);
        derived.plan(state);
        let is_mixed = state.agents.iter().any(Agents::is_mixed) || mix_members::choose(state).0.contains(&true);
        let starts = state.is_settled() && !is_mixed && self.needs_only_neighbours(state, &derived.plans);
        derived.plans.forget();
        (derived, starts)
    }

    /// Returns whether each rank can move its agents with only the agents near them.
    fn needs_only_neighbours<const D: usize>(&self, state: &State<D>, plans: &Plans<D>) -> bool {
        let State { species, orders, environment, mix_ids, leavers, region_bits, .. } = state;
        let is_simple = |species: &Species<D>| {
            let times = species.times().iter().all(Option::is_none);
            times && species.states.is_empty() && species.variables.is_empty() && species.catch.is_none()
        };
        let Environment { walls, places, tracks, links, .. } = environment;
        let is_empty = walls.is_empty() && places.is_empty() && tracks.is_empty() && links.is_empty();
        let regions = region_bits.is_empty() && environment.regions.ids().is_empty();
        !self.is_only_process()
            // Without plans, those before allowed it: no rule has changed since.
            && plans.of().iter().all(|plan| plan.is_nearby)
            && species.iter().all(is_simple)
            && orders.iter().all(|order| order.strays.is_empty())
            && is_empty
            && regions
            && state.settings.seams.is_empty()
            && mix_ids.is_empty()
            && leavers.is_empty()
            && !state.is_limited()
    }

    /// Gathers all rows if `is_needed` holds for a chunk of any rank.
    pub(crate) fn gather_if<const D: usize>(
        &mut self,
        state: &mut State<D>,
        derived: &mut Derived<D>,
        is_needed: impl Fn(&Agents<D>, usize) -> bool,
    ) {
        if self.present == Present::All {
            return;
        }
        let of =
            |agents: &Agents<D>| self.moves(agents).range().filter(|&chunk| is_needed(agents, chunk)).count() as u64;
        let mut chunks = state.agents.iter().map(of).sum();
        self.sum_of_moved([&mut chunks]);
        if chunks > 0 {
            self.gather_rows(state, derived, None);
        }
    }

    /// Gathers the rows of all ranks at one of them, or at all, where they are missing.
    pub(crate) fn gather_rows<const D: usize>(
        &mut self,
        state: &mut State<D>,
        derived: &mut Derived<D>,
        at: Option<usize>,
    ) {
        if self.present == Present::All || at.is_some_and(|at| self.present == Present::AllAt(at)) {
            return;
        }
        let mut columns = Vec::new();
        for (agents, output) in state.agents.iter_mut().zip(&mut derived.outputs) {
            let number = agents.species.number();
            let forces = output.force.iter_mut().chain(&mut output.preferred);
            columns.extend(forces.map(|column| Shared::of(number, CHUNK, column)));
            let OwnColumns { changing, fixed } = OwnColumns::of(agents);
            let of_agents = changing.into_iter().chain(fixed);
            columns.extend(of_agents.map(|(numbers, width)| Shared::wide(number, numbers, width)));
        }
        self.division.gather(&mut columns, at);
        drop(columns);
        self.present = at.map_or(Present::All, Present::AllAt);
        if self.lacks_rows() {
            state.ids.forget_rows();
        } else {
            state.ids.find_rows(state.agents.iter().map(Agents::ids));
            self.division.memory.filled();
        }
        self.division.halo = Halo::default();
        derived.gathered(state, !self.lacks_rows());
    }

    /// The data derived from a state, for its next tick. It lists no rows that this rank lacks.
    pub(crate) fn derive<const D: usize>(&self, state: &State<D>) -> Derived<D> {
        Derived::new(state, !self.lacks_rows())
    }

    /// Returns whether the rows of other ranks are out of date here, except those near this rank's own.
    fn lacks_rows(&self) -> bool {
        match self.present {
            Present::All => false,
            Present::Own => true,
            Present::AllAt(rank) => rank != self.rank(),
        }
    }

    /// Panics if this rank lacks rows: a host reads the rows of all agents.
    pub(crate) fn admit_reader(&self) {
        assert!(!self.lacks_rows(), "a world on several ranks is read after `Ranks::gather`");
    }

    /// Panics if any rank lacks rows: an edit of the host would reach the rows of one rank only.
    pub(crate) fn admit_editor(&self) {
        assert!(self.present == Present::All, "a world on several ranks is edited after `Ranks::gather`");
    }

    /// Returns the result of a check of all rows, where every rank has them.
    pub(crate) fn check<E>(&self, check: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        if self.present == Present::All { check() } else { Ok(()) }
    }
}
