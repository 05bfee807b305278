//! The places of agents in the mix, kept up to date as agents are spawned, removed and reordered.

use crate::agents::Agents;
use crate::agents::columns::{Column, Owner, Stored as _};
use crate::agents::row_order::RowOrder;
use crate::base::ids::AgentId;
use crate::state::State;
use crate::state::fault::SnapshotFault;

impl<const D: usize> State<D> {
    /// The place in the mix of an agent, if its species is mixed.
    pub(crate) fn mix_row(&self, species: usize, row: usize) -> Option<usize> {
        self.agents[species].mix_row(row)
    }

    /// Records that an agent no longer fits the order at its row and at its place in the mix.
    pub(crate) fn stray(&mut self, species: usize, row: usize) {
        self.orders[species].stray(row);
        if let Some(place) = self.mix_row(species, row) {
            self.mix.order.stray(place);
        }
    }

    /// Records how far the host moved agents of a species, except strays, in metres.
    pub(crate) fn moved_by_host(&mut self, species: usize, distance: f32) {
        self.orders[species].moved_by_host(distance);
        if self.agents[species].is_mixed() {
            self.mix.order.moved_by_host(distance);
        }
    }

    /// Assigns the last place to the agent in the last row of a species, if the species is mixed.
    pub(crate) fn join_mix(&mut self, species: usize, id: AgentId) {
        let place = self.mix_ids.len() as u32;
        if let Some(places) = self.agents[species].columns.values_mut::<u32>(Owner::Mix) {
            if let Some(last) = places.last_mut() {
                *last = place;
            }
            self.mix_ids.push(id);
        }
    }

    /// Frees the place of a removed agent; the agent at the last place takes it.
    pub(crate) fn leave_mix(&mut self, place: usize) {
        self.mix_ids.swap_remove(place);
        if let Some(&moved) = self.mix_ids.get(place) {
            self.set_mix_place(moved, place as u32);
        }
        self.mix.order.stray(place);
    }

    /// Replaces the set of mixed species. Their agents start in the order of their rows.
    pub(crate) fn mix_species(&mut self, members: &[bool]) {
        self.mix.order = RowOrder::default();
        self.mix_ids.clear();
        for (number, &member) in members.iter().enumerate() {
            let agents = &mut self.agents[number];
            agents.columns.0.retain(|column| column.owner != Owner::Mix);
            if member {
                let mut places = Column::new(Owner::Mix, "", u32::MAX.data(), 0);
                let start = self.mix_ids.len() as u32;
                u32::put((start..start + agents.len() as u32).collect(), &mut places.data);
                self.mix_ids.extend(&agents.id);
                agents.columns.0.push(places);
            }
            self.conform(number);
        }
    }

    /// Sets the order of the mix.
    pub(crate) fn order_mix(&mut self, ids: &[AgentId]) {
        self.mix_ids.copy_from_slice(ids);
        for (place, &id) in ids.iter().enumerate() {
            self.set_mix_place(id, place as u32);
        }
    }

    /// The agent at each place according to the columns of the species.
    pub(crate) fn ids_in_mix(&self) -> Result<Vec<AgentId>, SnapshotFault> {
        let mixed = || self.agents.iter().filter(|agents| agents.is_mixed());
        let mut ids = vec![AgentId::NONE; mixed().map(Agents::len).sum()];
        for agents in mixed() {
            let places = agents.mix_rows().filter(|places| places.len() == agents.len());
            for (&place, &id) in places.ok_or(SnapshotFault::Mix)?.iter().zip(&agents.id) {
                match ids.get_mut(place as usize) {
                    Some(entry) if *entry == AgentId::NONE => *entry = id,
                    _ => return Err(SnapshotFault::MixPlace(place)),
                }
            }
        }
        Ok(ids)
    }

    fn set_mix_place(&mut self, id: AgentId, place: u32) {
        let Some(at) = self.ids.row_of(id) else { return };
        if let Some(places) = self.agents[at.species as usize].columns.values_mut::<u32>(Owner::Mix) {
            places[at.row as usize] = place;
        }
    }
}
