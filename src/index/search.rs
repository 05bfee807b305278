//! Searches for agents near a point, for behaviours and for the host.
//!
//! Distances are those of the pair kernel: to the nearest image in a periodic world. Ties go to the first species, then
//! to the first row, so the result does not depend on the order in which boxes are searched.

use std::collections::BinaryHeap;

use crate::agents::Agents;
use crate::base::ids::SpeciesId;
use crate::base::settings::nearest_image;
use crate::index::agent_index::AgentIndex;
use crate::index::species_index::SpeciesIndex;
use crate::index::strays::Strays;
use crate::kernels::nearest::{Bound, SearchOrder};
use crate::maths::Vector;

/// An agent that a search found, ordered by distance, then by species, then by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FoundAgent {
    /// The bits of the squared distance. For non-negative floats they have the same order as the values.
    bits: u32,
    /// The number of its species.
    pub(crate) species: u32,
    pub(crate) row: u32,
}

impl FoundAgent {
    fn new<const D: usize>(agents: &Agents<D>, row: u32, squared: f32) -> Self {
        Self { bits: squared.to_bits(), species: agents.species.0, row }
    }

    /// Returns the squared distance.
    pub(crate) fn squared(self) -> f32 {
        f32::from_bits(self.bits)
    }

    /// Returns the bound for an unsearched species: agents nearer than this one.
    fn bound<const D: usize>(self, agents: &Agents<D>) -> Bound {
        // At equal distances the agent of the earlier species wins.
        let row = if self.species == agents.species.0 { self.row } else { 0 };
        Bound { squared: f32::from_bits(self.bits), row }
    }
}

/// The agents of one species, and the indices to search for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchedSpecies<'a, const D: usize> {
    pub(crate) agents: &'a Agents<D>,
    pub(crate) index: &'a AgentIndex<D>,
    /// Rows outside the boxes of the index.
    pub(crate) strays: &'a Strays<D>,
    /// Further rows outside the boxes, which are tested one by one.
    pub(crate) rest: &'a [u32],
}

impl<'a, const D: usize> SearchedSpecies<'a, D> {
    /// Creates the search data of a species within a tick.
    pub(crate) fn of(agents: &'a Agents<D>, index: &'a SpeciesIndex<D>) -> Self {
        Self { agents, index: &index.placed, strays: &index.strays, rest: &[] }
    }
}

/// The centre and extent of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<const D: usize> {
    pub(crate) point: Vector<D>,
    /// The radius in metres; it may be infinite.
    pub(crate) radius: f32,
    /// The world's period per axis, infinite where it does not repeat.
    pub(crate) period: [f32; D],
    /// The searching agent, which the search skips.
    pub(crate) by: Option<(SpeciesId, usize)>,
}

impl<const D: usize> Search<D> {
    /// Returns the nearest agent within the radius.
    pub(crate) fn nearest<'a>(&self, species: impl Iterator<Item = SearchedSpecies<'a, D>>) -> Option<FoundAgent> {
        let mut nearest: Option<FoundAgent> = None;
        for searched in species {
            let bound = nearest.map_or(self.bound(), |found| found.bound(searched.agents));
            self.search(searched, bound, SearchOrder::Nearest, |row, squared| {
                nearest = Some(FoundAgent::new(searched.agents, row, squared));
                Bound { squared, row }
            });
        }
        nearest
    }

    /// Returns whether there is an agent within the radius.
    pub(crate) fn any<'a>(&self, mut species: impl Iterator<Item = SearchedSpecies<'a, D>>) -> bool {
        species.any(|searched| {
            let mut any = false;
            self.search(searched, self.bound(), SearchOrder::Rows, |_, _| {
                any = true;
                Bound::NOTHING
            });
            any
        })
    }

    /// Fills `found` with the nearest agents within the radius, at most `count`, nearest first.
    pub(crate) fn nearest_of<'a>(
        &self,
        species: impl Iterator<Item = SearchedSpecies<'a, D>>,
        count: usize,
        found: &mut Vec<FoundAgent>,
    ) {
        found.clear();
        if count == 0 {
            return;
        }
        let mut nearest = BinaryHeap::from(std::mem::take(found));
        for searched in species {
            let farthest = nearest.peek().filter(|_| nearest.len() == count);
            let bound = farthest.map_or(self.bound(), |found: &FoundAgent| found.bound(searched.agents));
            self.search(searched, bound, SearchOrder::Nearest, |row, squared| {
                let new = FoundAgent::new(searched.agents, row, squared);
                if nearest.len() < count {
                    nearest.push(new);
                } else if let Some(mut farthest) = nearest.peek_mut() {
                    *farthest = new;
                }
                let farthest = nearest.peek().filter(|_| nearest.len() == count);
                farthest.map_or(self.bound(), |found| found.bound(searched.agents))
            });
        }
        *found = nearest.into_sorted_vec();
    }

    /// Fills `found` with all agents within the radius, in any order, each once.
    pub(crate) fn all<'a>(&self, species: impl Iterator<Item = SearchedSpecies<'a, D>>, found: &mut Vec<FoundAgent>) {
        found.clear();
        for searched in species {
            self.search(searched, self.bound(), SearchOrder::Rows, |row, squared| {
                found.push(FoundAgent::new(searched.agents, row, squared));
                self.bound()
            });
        }
    }

    /// Fills `found` with the agents within the radius, or with `limit` + 1 of them if there are more. Returns whether
    /// `found` is complete.
    pub(crate) fn up_to<'a>(
        &self,
        species: impl Iterator<Item = SearchedSpecies<'a, D>>,
        limit: usize,
        found: &mut Vec<FoundAgent>,
    ) -> bool {
        found.clear();
        for searched in species {
            self.search(searched, self.bound(), SearchOrder::Rows, |row, squared| {
                found.push(FoundAgent::new(searched.agents, row, squared));
                if found.len() > limit { Bound::NOTHING } else { self.bound() }
            });
        }
        found.len() <= limit
    }

    /// Calls `visit` with the row of every agent of one species within the radius, in any order, each once.
    pub(crate) fn rows(&self, searched: SearchedSpecies<'_, D>, mut visit: impl FnMut(u32)) {
        let bound = self.bound();
        self.search(searched, bound, SearchOrder::Rows, |row, _| {
            visit(row);
            bound
        });
    }

    /// Returns the bound that accepts everything within the radius.
    fn bound(&self) -> Bound {
        if self.radius >= 0.0 { Bound { squared: self.radius * self.radius, row: u32::MAX } } else { Bound::NOTHING }
    }

    /// Calls `visit` with the rows of one species that the bound accepts, in `order`, then with strays. `visit` returns
    /// the next bound.
    fn search(
        &self,
        searched: SearchedSpecies<'_, D>,
        mut bound: Bound,
        order: SearchOrder,
        mut visit: impl FnMut(u32, f32) -> Bound,
    ) {
        let SearchedSpecies { agents, index, strays, rest } = searched;
        let without = self.by.filter(|(species, _)| *species == agents.species).map(|(_, row)| row as u32);
        let without = without.unwrap_or(u32::MAX);
        if let Some(bounds) = index.bounds(&agents.position) {
            let (start, position, moved) = (bound, &agents.position, index.moved);
            bounds.search(position, &self.period, moved, self.point.0, without, start, order, |row, squared| {
                // Strays are searched separately.
                if index.is_member(row as usize) {
                    bound = visit(row, squared);
                }
                bound
            });
        }
        let live = |row: u32| row != without && (row as usize) < agents.len();
        if !strays.is_empty()
            && let Some(bounds) = strays.index.bounds(&strays.position)
        {
            // Strays are in another order here, so the search must not skip rows at the same distance.
            let open = |bound: Bound| Bound { row: u32::MAX, ..bound };
            let (start, position) = (open(bound), &strays.position);
            bounds.search(position, &self.period, 0.0, self.point.0, u32::MAX, start, order, |place, squared| {
                let row = strays.rows[place as usize];
                if live(row) && bound.takes(squared, row) {
                    bound = visit(row, squared);
                }
                open(bound)
            });
        }
        for &row in rest.iter().filter(|&&row| live(row)) {
            let at = &agents.position;
            let offset = Vector::<D>::from_fn(|axis| {
                nearest_image(at[axis][row as usize] - self.point[axis], self.period[axis])
            });
            if bound.takes(offset.length_squared(), row) {
                bound = visit(row, offset.length_squared());
            }
        }
    }
}
