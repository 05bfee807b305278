//! Edits of a world's scenery by its host.

use std::ops::{Deref, DerefMut};

use crate::columns::Owner;
use crate::scenery::{RegionId, Scenery};
use crate::tick::derived::Change;
use crate::world::World;

impl<const D: usize> World<D> {
    /// Mutable access to the marks, obstacles, regions and flow fields between ticks.
    pub fn scenery_mut(&mut self) -> SceneryMut<'_, D> {
        self.derived.note(Change::Scenery);
        SceneryMut { regions: self.state.scenery.region_ids().map(|(id, _)| id).collect(), world: self }
    }
}

/// Mutable access to the scenery of a world. Dropping it brings the columns of agents in line with the regions.
#[derive(Debug)]
pub struct SceneryMut<'a, const D: usize> {
    world: &'a mut World<D>,
    /// The regions before the edit.
    regions: Vec<RegionId>,
}

impl<const D: usize> Deref for SceneryMut<'_, D> {
    type Target = Scenery<D>;

    fn deref(&self) -> &Scenery<D> {
        &self.world.state.scenery
    }
}

impl<const D: usize> DerefMut for SceneryMut<'_, D> {
    fn deref_mut(&mut self) -> &mut Scenery<D> {
        &mut self.world.state.scenery
    }
}

impl<const D: usize> Drop for SceneryMut<'_, D> {
    fn drop(&mut self) {
        // The set of regions determines the width of the regions column.
        let state = &mut self.world.state;
        let now: Vec<RegionId> = state.scenery.region_ids().map(|(id, _)| id).collect();
        if now == self.regions {
            return;
        }
        for number in 0..state.species.len() {
            if !now.starts_with(&self.regions) {
                renumber(&mut state.agents[number], &self.regions, &now);
            }
            state.conform(number);
        }
        self.world.derived.note(Change::Rules);
    }
}

/// Moves each region's bit from its position in `before` to its position in `now`.
fn renumber<const D: usize>(agents: &mut crate::Agents<D>, before: &[RegionId], now: &[RegionId]) {
    let Some(column) = agents.columns.of_mut(Owner::Regions) else { return };
    let width = column.width;
    let crate::columns::Data::U64(words) = &mut column.data else { return };
    for words in words.chunks_mut(width) {
        let old = words.to_vec();
        words.fill(0);
        let inside = before.iter().enumerate().filter(|(place, _)| old[place / 64] >> (place % 64) & 1 == 1);
        for (_, id) in inside {
            if let Some(place) = now.iter().position(|other| other == id) {
                words[place / 64] |= 1 << (place % 64);
            }
        }
    }
}
