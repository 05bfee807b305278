//! Searches for agents near a point, for behaviours and for the host.
//!
//! Distances are computed as in the pair kernel: to the nearest image in a periodic world. Ties go to the first
//! species, then to the first row, so the result does not depend on the order in which boxes are searched.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::base::ids::SpeciesId;
use crate::base::settings::nearest_image_from_anywhere;
use crate::index::agent_index::AgentIndex;
use crate::index::joint_index::JointIndex;
use crate::index::ordered_copy::{Copied, OrderedCopy};
use crate::index::query_index::LooseRows;
use crate::index::species_index::SpeciesIndex;
use crate::kernels::CLUSTER;
use crate::kernels::nearest::Bound;
use crate::maths::{Vector, ones};

/// An agent that a search found, ordered by distance, then by species, then by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundAgent {
    /// The bits of the squared distance. For non-negative floats they have the same order as the values.
    bits: u32,
    /// The number of its species.
    pub(crate) species: u32,
    pub(crate) row: u32,
}

impl Ord for FoundAgent {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for FoundAgent {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FoundAgent {
    /// One number in the order of the agents: it is compared without a branch.
    #[inline]
    fn key(self) -> u128 {
        u128::from(self.bits) << 64 | u128::from(self.species) << 32 | u128::from(self.row)
    }

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
        Bound { squared: self.squared(), row }
    }

    /// Returns the bound for the rest of a joint order, in which no agent that was found has a later place than `last`.
    /// Agents at the same distance may be of an earlier species; those on the same point are in the order of species
    /// and rows.
    fn bound_in_joint(self, last: u32) -> Bound {
        Bound { squared: self.squared(), row: if self.bits == 0 { last } else { u32::MAX } }
    }
}

/// The agents of several species, by species and row.
type Joint<'a, const D: usize> = Copied<'a, (u32, u32), D>;

/// The agents of one species, and the indices to search for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchedSpecies<'a, const D: usize> {
    pub(crate) agents: &'a Agents<D>,
    /// The boxes around its rows; `None` if all rows are tested one by one.
    pub(crate) index: Option<&'a AgentIndex<D>>,
    /// Rows outside the boxes of the index.
    pub(crate) strays: Option<Copied<'a, u32, D>>,
    /// Further rows outside the boxes, which are tested one by one.
    pub(crate) rest: &'a [u32],
    /// The states in which agents are found, one bit each, and the states of all rows; `None` for all states.
    pub(crate) limit: Option<(u32, &'a [u32])>,
}

impl<'a, const D: usize> SearchedSpecies<'a, D> {
    /// Creates the search data of a species within a tick.
    pub(crate) fn of(agents: &'a Agents<D>, index: &'a SpeciesIndex<D>) -> Self {
        Self::with(agents, index, &index.strays, &[])
    }

    /// The same with other rows outside the boxes. If agents have moved since these were copied, all rows are tested one
    /// by one.
    fn with(agents: &'a Agents<D>, index: &'a SpeciesIndex<D>, copy: &'a OrderedCopy<u32, D>, rest: &'a [u32]) -> Self {
        let strays = copy.read([&agents.position]);
        debug_assert!(strays.is_some(), "a search of {} after its agents moved", agents.name);
        let index = strays.map(|_| &index.placed);
        Self { agents, index, strays, rest, limit: None }
    }

    /// The search data of a species whose rows are tested one by one.
    fn one_by_one(agents: &'a Agents<D>) -> Self {
        Self { agents, index: None, strays: None, rest: &[], limit: None }
    }

    /// The rows that are tested one by one.
    fn unindexed(&self) -> impl Iterator<Item = u32> + use<'a, D> {
        let all = if self.index.is_some() { 0 } else { self.agents.len() as u32 };
        (0..all).chain(self.rest.iter().copied().filter(move |&row| row >= all))
    }

    /// Whether the agent at a row is in a state in which it is found.
    fn takes(&self, row: u32) -> bool {
        self.limit.is_none_or(|(wanted, states)| states.get(row as usize).is_some_and(|state| wanted >> state & 1 == 1))
    }

    /// The rows among these whose agents are in a state in which they are found.
    fn taken(&self, cluster: u32, rows: u16) -> u16 {
        if self.limit.is_none() {
            return rows;
        }
        let is_taken = |lane: &usize| self.takes(cluster * CLUSTER as u32 + *lane as u32);
        ones(rows).filter(is_taken).fold(0, |taken, lane| taken | 1 << lane)
    }
}

/// The species that a search looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Among<'a, const D: usize> {
    /// The agents of all species, and their indices.
    pub(crate) agents: &'a [Agents<D>],
    pub(crate) indices: &'a [SpeciesIndex<D>],
    /// Which rows are outside the boxes of the indices.
    pub(crate) outside: Outside<'a, D>,
    /// The numbers of the species.
    pub(crate) species: &'a [u32],
    /// For each of them, the states in which agents are found, one bit each; empty for all.
    pub(crate) states: &'a [u32],
    /// The states of the agents of all species, while their columns are being changed.
    pub(crate) frozen: Option<&'a [Vec<u32>]>,
}

/// The rows outside the boxes of the indices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outside<'a, const D: usize> {
    /// The strays of the tick, in its stages that move no agents.
    Strays(&'a JointIndex<D>),
    /// The loose rows of all species, between ticks.
    Loose(&'a [LooseRows<D>], &'a JointIndex<D>),
    /// All rows, while a tick that is watched moves agents.
    All,
}

impl<'a, const D: usize> Among<'a, D> {
    /// Whether a body at a point overlaps one of these agents. No agent is wider than `widest`; `found` is scratch memory.
    pub(crate) fn touch(
        self,
        period: &[f32; D],
        (point, radius): (Vector<D>, f32),
        widest: f32,
        found: &mut Vec<FoundAgent>,
    ) -> bool {
        found.clear();
        Search { point, radius: radius + widest, period: *period, by: None }.all(self, found);
        found.iter().any(|found| {
            let reach = radius + self.agents[found.species as usize].radius(found.row as usize);
            found.squared() < reach * reach
        })
    }

    /// The agents of each species.
    pub(crate) fn each(self) -> impl Iterator<Item = SearchedSpecies<'a, D>> {
        self.species.iter().enumerate().map(move |(place, &number)| {
            let number = number as usize;
            let in_column = || self.agents[number].columns.values::<u32>(Owner::State).unwrap_or_default();
            let states = || self.frozen.map_or_else(in_column, |frozen| &frozen[number]);
            let limit = self.states.get(place).filter(|states| **states != u32::MAX).map(|wanted| (*wanted, states()));
            let (agents, index) = (&self.agents[number], &self.indices[number]);
            let searched = match self.outside {
                Outside::Strays(_) => SearchedSpecies::of(agents, index),
                Outside::Loose(loose, _) => {
                    let LooseRows { copy, rest, .. } = &loose[number];
                    SearchedSpecies::with(agents, index, copy, rest)
                }
                Outside::All => SearchedSpecies::one_by_one(agents),
            };
            SearchedSpecies { limit, ..searched }
        })
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
    pub(crate) fn nearest(&self, among: Among<'_, D>) -> Option<FoundAgent> {
        self.nearest_where(among, |_| true)
    }

    /// Returns the nearest agent within the radius for which a condition holds.
    pub(crate) fn nearest_where(&self, among: Among<'_, D>, holds: impl Fn(FoundAgent) -> bool) -> Option<FoundAgent> {
        let mut nearest: Option<FoundAgent> = None;
        if let Some(joint) = self.joint(among) {
            let mut bound = self.bound();
            self.visit_joint(joint, |found, place| {
                if nearest.is_none_or(|nearest| found < nearest) && holds(found) {
                    nearest = Some(found);
                    bound = found.bound_in_joint(place);
                }
                bound
            });
            return nearest;
        }
        for searched in among.each() {
            let mut bound = nearest.map_or(self.bound(), |found| found.bound(searched.agents));
            self.visit_nearest(searched, bound, |row, squared| {
                let found = FoundAgent::new(searched.agents, row, squared);
                if holds(found) {
                    nearest = Some(found);
                    bound = Bound { squared, row };
                }
                bound
            });
        }
        nearest
    }

    /// Returns whether there is an agent within the radius.
    pub(crate) fn any(&self, among: Among<'_, D>) -> bool {
        if let Some(joint) = self.joint(among) {
            return self.each_in_joint(joint, |_| ControlFlow::Break(())).is_break();
        }
        among.each().any(|searched| self.each(searched, |_, _| ControlFlow::Break(())).is_break())
    }

    /// Fills `found` with the nearest agents within the radius, at most `count`, nearest first.
    pub(crate) fn nearest_of(&self, among: Among<'_, D>, count: usize, found: &mut Vec<FoundAgent>) {
        found.clear();
        if count == 0 {
            return;
        }
        let mut nearest = BinaryHeap::from(std::mem::take(found));
        if let Some(joint) = self.joint(among) {
            let mut last = 0;
            self.visit_joint(joint, |found, place| {
                if nearest.len() < count {
                    nearest.push(found);
                } else if let Some(mut farthest) = nearest.peek_mut().filter(|farthest| found < **farthest) {
                    *farthest = found;
                }
                last = if place > last { place } else { last };
                let farthest = nearest.peek().filter(|_| nearest.len() == count);
                farthest.map_or(self.bound(), |farthest| farthest.bound_in_joint(last))
            });
            *found = nearest.into_sorted_vec();
            return;
        }
        for searched in among.each() {
            let farthest = nearest.peek().filter(|_| nearest.len() == count);
            let bound = farthest.map_or(self.bound(), |found: &FoundAgent| found.bound(searched.agents));
            self.visit_nearest(searched, bound, |row, squared| {
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
    pub(crate) fn all(&self, among: Among<'_, D>, found: &mut Vec<FoundAgent>) {
        self.up_to(among, usize::MAX - 1, found);
    }

    /// Fills `found` with the agents within the radius, or with `limit` + 1 of them if there are more. Returns whether
    /// `found` is complete.
    pub(crate) fn up_to(&self, among: Among<'_, D>, limit: usize, found: &mut Vec<FoundAgent>) -> bool {
        found.clear();
        let is_complete = self.visit(among, |agent| {
            found.push(agent);
            if found.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        is_complete.is_continue()
    }

    /// Calls `visit` with the agents within the radius, in any order, each once.
    pub(crate) fn visit(
        &self,
        among: Among<'_, D>,
        mut visit: impl FnMut(FoundAgent) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.joint(among) {
            Some(joint) => self.each_in_joint(joint, visit),
            None => among.each().try_for_each(|searched| {
                self.each(searched, |row, squared| visit(FoundAgent::new(searched.agents, row, squared)))
            }),
        }
    }

    /// The agents of these species in one index; `None` if each species is searched by itself.
    fn joint<'a>(&self, among: Among<'a, D>) -> Option<Joint<'a, D>> {
        let (Outside::Strays(joints) | Outside::Loose(_, joints)) = among.outside else { return None };
        if !among.states.is_empty() {
            return None;
        }
        joints.of(among.species, among.agents, among.indices, &self.period)
    }

    /// Calls `visit` with every agent of a joint order within the radius, in any order.
    fn each_in_joint(
        &self,
        joint: Joint<'_, D>,
        mut visit: impl FnMut(FoundAgent) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        joint.within(&self.period, self.point.0, self.bound().squared, |(species, row), squared| {
            let is_own = self.by == Some((SpeciesId(species), row as usize));
            let found = FoundAgent { bits: squared.to_bits(), species, row };
            if is_own { ControlFlow::Continue(()) } else { visit(found) }
        })
    }

    /// Calls `visit` with the agents of a joint order that the bound accepts and their places, nearest boxes first.
    /// `visit` returns the next bound.
    fn visit_joint(&self, joint: Joint<'_, D>, mut visit: impl FnMut(FoundAgent, u32) -> Bound) {
        let mut bound = self.bound();
        joint.nearest(&self.period, self.point.0, bound, |place, (species, row), squared| {
            if self.by != Some((SpeciesId(species), row as usize)) {
                bound = visit(FoundAgent { bits: squared.to_bits(), species, row }, place);
            }
            bound
        });
    }

    /// Calls `visit` with every agent of one species within the radius, in any order: its row and squared distance.
    fn each(
        &self,
        searched: SearchedSpecies<'_, D>,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.clusters(searched, |cluster, rows, squared| {
            ones(rows).try_for_each(|lane| visit(cluster * CLUSTER as u32 + lane as u32, squared[lane]))
        })
    }

    /// Calls `visit` with all agents of one species within the radius, in any order, each once: some agents of one
    /// cluster at a time (one bit each), and the squared distances of the cluster's rows.
    pub(crate) fn clusters(
        &self,
        searched: SearchedSpecies<'_, D>,
        mut visit: impl FnMut(u32, u16, &[f32; CLUSTER]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let SearchedSpecies { agents, index, strays, .. } = searched;
        let (without, limit) = (self.without(agents), self.bound().squared);
        if let Some((index, bounds)) = index.and_then(|index| Some((index, index.bounds(&agents.position)?))) {
            bounds.within(
                &agents.position,
                &self.period,
                index.moved,
                self.point.0,
                limit,
                &mut |cluster, rows, squared| {
                    // Strays are searched separately.
                    let rows = rows & index.members(cluster as usize) & !bit_in(cluster, without);
                    let rows = searched.taken(cluster, rows);
                    if rows == 0 { ControlFlow::Continue(()) } else { visit(cluster, rows, squared) }
                },
            )?;
        }
        let mut visit_one = |row: u32, squared: f32| {
            let cluster = row / CLUSTER as u32;
            visit(cluster, bit_in(cluster, row), &[squared; CLUSTER])
        };
        let live = |row: u32| row != without && (row as usize) < agents.len() && searched.takes(row);
        if let Some(strays) = strays {
            strays.within(&self.period, self.point.0, limit, |row, squared| {
                if live(row) { visit_one(row, squared) } else { ControlFlow::Continue(()) }
            })?;
        }
        for row in searched.unindexed().filter(|&row| live(row)) {
            let squared = self.offset(agents, row).length_squared();
            if squared <= limit {
                visit_one(row, squared)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the bound that accepts everything within the radius.
    fn bound(&self) -> Bound {
        if self.radius >= 0.0 { Bound { squared: self.radius * self.radius, row: u32::MAX } } else { Bound::NOTHING }
    }

    /// The row of the searching agent, if it is one of these agents.
    fn without(&self, agents: &Agents<D>) -> u32 {
        let own = self.by.filter(|(species, _)| *species == agents.species);
        own.map_or(u32::MAX, |(_, row)| row as u32)
    }

    /// The offset of an agent from the point.
    fn offset(&self, agents: &Agents<D>, row: u32) -> Vector<D> {
        Vector::from_fn(|axis| {
            // In the middle of a tick agents may be outside of the world.
            nearest_image_from_anywhere(agents.position[axis][row as usize] - self.point[axis], self.period[axis])
        })
    }

    /// Calls `visit` with the rows of one species that the bound accepts, nearest boxes first, then with strays. `visit`
    /// returns the next bound.
    fn visit_nearest(
        &self,
        searched: SearchedSpecies<'_, D>,
        mut bound: Bound,
        mut visit: impl FnMut(u32, f32) -> Bound,
    ) {
        let SearchedSpecies { agents, index, strays, .. } = searched;
        let without = self.without(agents);
        if let Some((index, bounds)) = index.and_then(|index| Some((index, index.bounds(&agents.position)?))) {
            let (start, position, moved) = (bound, &agents.position, index.moved);
            bounds.nearest(position, &self.period, moved, self.point.0, without, start, |row, squared| {
                // Strays are searched separately.
                if index.is_member(row as usize) && searched.takes(row) {
                    bound = visit(row, squared);
                }
                bound
            });
        }
        let live = |row: u32| row != without && (row as usize) < agents.len() && searched.takes(row);
        if let Some(strays) = strays {
            // Strays are in another order here, so the search must not skip rows at the same distance.
            let open = |bound: Bound| Bound { row: u32::MAX, ..bound };
            strays.nearest(&self.period, self.point.0, open(bound), |_, row, squared| {
                if live(row) && bound.takes(squared, row) {
                    bound = visit(row, squared);
                }
                open(bound)
            });
        }
        for row in searched.unindexed().filter(|&row| live(row)) {
            let squared = self.offset(agents, row).length_squared();
            if bound.takes(squared, row) {
                bound = visit(row, squared);
            }
        }
    }
}

/// Returns the bit of a row in a cluster; zero if it is in another one.
fn bit_in(cluster: u32, row: u32) -> u16 {
    if row / CLUSTER as u32 == cluster { 1 << (row % CLUSTER as u32) } else { 0 }
}
