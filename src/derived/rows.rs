//! Edits of rows: agents are added, removed and moved elsewhere, and the data derived from the state follow.

use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow};
use crate::derived::Derived;
use crate::derived::indices::Indices;
use crate::maths::Vector;
use crate::state::State;

/// Adds an agent at a point of the world.
pub(crate) fn spawn<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    species: usize,
    position: Vector<D>,
    velocity: Vector<D>,
) -> Result<AgentId, Error> {
    let id = state.spawn(species, position, velocity)?;
    derived.row_added(state, species);
    Ok(id)
}

/// Removes one agent and counts the reason, if it lives. Returns where it was.
pub(crate) fn remove<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    id: AgentId,
    reason: &str,
) -> Option<AgentRow> {
    let (place, mixed) = state.remove(id, reason)?;
    derived.row_removed(state, place, mixed);
    Some(place)
}

impl<const D: usize> Derived<D> {
    /// Records that an agent was added in the last row of a species.
    pub(crate) fn row_added(&mut self, state: &State<D>, species: usize) {
        let row = state.agents[species].len() - 1;
        self.indices.mixed.located = false;
        self.outputs[species].push(row);
        self.indices.row_edited(state, species, row);
        // The list lacks a row that was let go before its removal.
        self.indices.species[species].loose.push(row as u32);
    }

    /// Records that an agent was removed from its row and its place in the mix, and that the last one took its row.
    pub(crate) fn row_removed(&mut self, state: &State<D>, from: AgentRow, mixed: Option<usize>) {
        let (species, row) = (from.species as usize, from.row as usize);
        self.indices.mixed.located = false;
        self.outputs[species].swap_remove(row, state.agents[species].len());
        self.indices.edit(state, species, row, mixed);
    }

    /// Records that the host moved agents of a species, except strays, by at most this distance, in metres.
    pub(crate) fn rows_moved(&mut self, state: &mut State<D>, species: usize, distance: f32) {
        state.moved_by_host(species, distance);
        let Self { plans, indices, .. } = self;
        let by = indices.species[species].stride_of(distance, &state.settings.period());
        indices.joints.edited();
        indices.queries.forget();
        indices.species[species].moved_by_host(by);
        indices.mixed.moved_by_host(by);
        indices.lists_aged(plans, |number, _| if number == species { by } else { 0.0 });
    }
}

impl<const D: usize> Indices<D> {
    /// Records that the agent at a row was moved elsewhere, and is a stray from now on.
    pub(crate) fn strayed(&mut self, state: &mut State<D>, species: usize, row: usize) {
        state.stray(species, row);
        self.row_edited(state, species, row);
    }

    /// Records that a row has another agent, or that its agent was moved.
    pub(crate) fn row_edited(&mut self, state: &State<D>, species: usize, row: usize) {
        self.edit(state, species, row, state.mix_row(species, row));
    }

    /// The same for a row and a place in the mix, if there is one.
    fn edit(&mut self, state: &State<D>, species: usize, row: usize, mixed: Option<usize>) {
        self.joints.edited();
        self.species[species].make_loose(row);
        self.queries.edited(species, row, state.agents[species].position.stamp());
        if let Some(place) = mixed {
            // The list may lack a place that was let go before it became empty, so the place is always added.
            self.mixed.index.placed.make_loose(place);
            self.mixed.index.loose.push(place as u32);
            self.mixed.index.edit(place);
        }
    }
}
