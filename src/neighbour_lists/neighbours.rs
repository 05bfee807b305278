//! Neighbours one by one: the candidates that each agent of a cluster perceives, for rules and for sums over the
//! nearest.

use std::ops::Range;

use crate::agents::columns::Owner;
use crate::boxes::aabb::Aabb;
use crate::kernels::hulls::{Balls, HullNumbers, NearHulls, hulls_near_balls};
use crate::kernels::nearest_agents::MOST_NEIGHBOURS;
use crate::kernels::pairs::{COINCIDENT, Observers, Sum};
use crate::kernels::visibility::{SightQuery, Sights, see};
use crate::kernels::{CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::neighbour_lists::lists::{NearestFinder, TickLists};
use crate::neighbour_lists::nearest::Kept;
use crate::neighbour_lists::search::NeighbourSearch;
use crate::neighbour_lists::sums::Counts;
use crate::rules::interface::{NeighbourSum, Neighbourhood, Neighbours, Sight};

/// The neighbours of a cluster's agents one by one, and the buffers of the search for them.
#[derive(Debug, Default)]
pub(crate) struct ListedNeighbours<const D: usize> {
    nearest: NearestFinder,
    walls: WallsBetween<D>,
    /// One for each list of the plan.
    pub(crate) lists: Vec<Neighbourhood<D>>,
}

/// The buffers of a look for walls between neighbours.
#[derive(Debug, Default)]
struct WallsBetween<const D: usize> {
    /// The balls in which agents see others.
    balls: Balls<D>,
    /// The pieces of walls in these balls, and those in one of them.
    of_lanes: NearHulls,
    of_lane: HullNumbers,
    /// The numbers of sights in which walls hide the agent.
    hidden: Vec<usize>,
}

/// The radius of a ball over the radius of the search, for rounding.
const ROOM: f32 = 1.001;

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Fills these lists of a cluster, and forms the sums over the neighbours on them. Returns the counts that no other
    /// pass makes.
    pub(crate) fn list_all(
        &self,
        (chunk, cluster): (usize, usize),
        numbers: Range<usize>,
        lists: TickLists<'_>,
        neighbours: &mut ListedNeighbours<D>,
        sums: &mut [Sum<D>],
    ) -> Counts {
        let (mut counts, mut is_capped) = (Counts::default(), false);
        neighbours.lists.resize_with(self.plan.lists.len(), Default::default);
        for number in numbers {
            let list = &self.plan.lists[number];
            let lanes = self.listening(chunk, cluster, list.during);
            neighbours.lists[number].clear();
            if lanes == 0 {
                continue;
            }
            let ListedNeighbours { nearest, walls, lists: listed } = &mut *neighbours;
            let (place, listed) = ((chunk, cluster, lanes), &mut listed[number]);
            let mut pairs = 0;
            let is_short = list.nearest > 0 && list.nearest <= MOST_NEIGHBOURS as u32;
            if is_short && let Kept::Certain(looked) = self.keep_nearest(place, number, &mut listed.nearest) {
                listed.is_nearest = true;
                counts.candidates += looked.pairs;
                is_capped |= looked.capped;
                pairs = listed.nearest.len().iter().map(|&len| len as u64).sum();
                self.count_and_add(place, number, pairs, listed, (&mut counts, sums));
                continue;
            }
            let sights = &mut listed.sights;
            let radius = if list.nearest > 0 {
                let looked = self.find_nearest(place, number, nearest);
                counts.candidates += looked.pairs;
                is_capped |= looked.capped;
                self.see_nearest(place, number, nearest, sights)
            } else {
                self.see_all(place, number, lists, sights, &mut pairs)
            };
            if let Some(limit) = &list.limit {
                let is_in = |species: u32, row: u32| limit.contains(&self.world.agents[species as usize], row as usize);
                sights.keep(is_in);
            }
            if list.sight == Sight::Walls {
                self.hide(chunk, cluster, radius, walls, sights);
            }
            if list.nearest > 0 {
                pairs = self.drop_ties((chunk, cluster), list.nearest, nearest, sights);
            }
            if is_short {
                self.keep_seen((chunk, cluster), list.nearest, sights, &mut listed.nearest);
            }
            self.count_and_add(place, number, pairs, listed, (&mut counts, sums));
        }
        // The passes count the clusters that they cap.
        let by_passes = (0..self.plan.passes.len()).any(|pass| lists.capped(pass, cluster));
        counts.capped = if is_capped && !by_passes { self.own_rows(chunk, cluster).len() as u64 } else { 0 };
        counts
    }

    /// Counts the neighbours on a list, and adds them to its sum.
    fn count_and_add(
        &self,
        (chunk, cluster, _): (usize, usize, u16),
        number: usize,
        pairs: u64,
        listed: &Neighbourhood<D>,
        (counts, sums): (&mut Counts, &mut [Sum<D>]),
    ) {
        let is_counted = self.plan.passes.iter().any(|pass| pass.counted_by == Some(number));
        counts.neighbours += if is_counted { pairs } else { 0 };
        if let Some((slot, addend)) = self.plan.lists[number].sum {
            self.add_list(chunk, cluster, addend, listed, &mut sums[slot]);
        }
    }

    /// Fills `sights` with all agents in sight of a cluster, for the list with this number. Adds their number to
    /// `pairs` where the list counts them, and returns the largest radius.
    fn see_all(
        &self,
        (chunk, cluster, lanes): (usize, usize, u16),
        number: usize,
        lists: TickLists<'_>,
        sights: &mut Sights,
        pairs: &mut u64,
    ) -> f32 {
        let mut radius = 0.0;
        for (pass_number, pass) in self.plan.passes.iter().enumerate() {
            let Some((_, view)) = pass.lists.iter().find(|(listener, _)| *listener == number) else { continue };
            let candidates = lists.candidates(pass_number, self.others(pass));
            let observers = self.cluster_observers(chunk, cluster, pass, pass.radius);
            radius = if pass.radius > radius { pass.radius } else { radius };
            for group in cluster * self.groups()..(cluster + 1) * self.groups() {
                let query = SightQuery {
                    species: pass.species as u32,
                    position: candidates.position,
                    rows: candidates.of(group),
                    own_rows: self.rows_of_each_other(chunk, cluster, &observers),
                    view: *view,
                    within: None,
                    lanes: lanes & self.lanes_of(group),
                };
                let seen = see(self.level, &observers, group, &query, sights);
                *pairs += if pass.counted_by == Some(number) { seen } else { 0 };
            }
            let across = self.seen_across((chunk, cluster, lanes), (pass.species, pass.radius), |_| *view);
            self.extend_across(pass.species, &across, sights);
        }
        radius
    }

    /// Returns the rows of a cluster if its agents may be neighbours of each other.
    pub(super) fn rows_of_each_other(&self, chunk: usize, cluster: usize, observers: &Observers<'_, D>) -> Range<u32> {
        let own = self.own_rows(chunk, cluster);
        if observers.each_other { own.start as u32..own.end as u32 } else { 0..0 }
    }

    /// Returns the agents of a cluster whose state needs a list, one bit each.
    pub(super) fn listening(&self, chunk: usize, cluster: usize, during: u32) -> u16 {
        let own = self.own_rows(chunk, cluster);
        let all = ((1u32 << own.len()) - 1) as u16;
        let Some(states) = self.agents.columns.values::<u32>(Owner::State).filter(|_| during != 0) else { return all };
        let listens = |(_, state): &(usize, &u32)| during >> **state & 1 == 1;
        states[own].iter().enumerate().filter(listens).fold(0, |lanes, (lane, _)| lanes | 1 << lane)
    }

    /// Removes the neighbours behind walls, within `radius` metres, from those that each agent sees.
    fn hide(&self, chunk: usize, cluster: usize, radius: f32, walls: &mut WallsBetween<D>, sights: &mut Sights) {
        let (world, own) = (self.world, self.own_rows(chunk, cluster));
        let (index, period) = (&world.environment_index.walls, world.settings.period());
        if index.pieces.is_empty() || own.is_empty() {
            return;
        }
        let at = |row: usize| Aabb { centre: self.agents.position(row), half: Vector::ZERO };
        let around = Aabb::around(own.clone().map(at), world.settings);
        let near = index.near(&Aabb { half: around.half + Vector::splat(radius), ..around });
        // Most clusters are not near a wall.
        if near.is_empty() {
            return;
        }
        let WallsBetween { balls, of_lanes, of_lane, hidden } = walls;
        for (lane, row) in own.clone().enumerate() {
            balls.set(lane, self.agents.position(row), radius * ROOM, &period);
        }
        for lane in own.len()..CLUSTER {
            balls.set(lane, self.agents.position(own.start), 0.0, &period);
        }
        hulls_near_balls(self.level, balls, &period, &index.hulls, &near, of_lanes);
        for (lane, row) in own.enumerate() {
            let pieces = of_lanes.of_ball(lane, of_lane);
            if pieces.is_empty() {
                continue;
            }
            let (from, seconds) = (self.agents.position(row), world.seconds());
            hidden.clear();
            for part in sights.parts() {
                let others = &world.agents[part.species as usize];
                let numbered = (part.first..).zip(part.rows.iter().zip(part.by));
                for (number, (&their_row, _)) in numbered.filter(|(_, (_, by))| **by >> lane & 1 == 1) {
                    let offset = self.offset(row, others, their_row as usize);
                    if world.environment.is_hidden((index, pieces), world.settings, seconds, from, offset) {
                        hidden.push(number);
                    }
                }
            }
            hidden.iter().for_each(|&number| sights.clear_bit(number, lane));
        }
    }

    /// Adds the neighbours on each agent's list to its sum.
    fn add_list(&self, chunk: usize, cluster: usize, addend: NeighbourSum, list: &Neighbourhood<D>, sum: &mut Sum<D>) {
        let far = 1.0 / COINCIDENT.sqrt();
        let (listed, period) = (list.listed(self.level, self.world.agents), self.world.settings.period());
        for (place, row) in self.own_rows(chunk, cluster).enumerate() {
            let (lane, own) = (row - chunk * CHUNK, self.agents.id[row]);
            let neighbours = Neighbours::new(listed, place, self.agents.position(row), period);
            if addend != NeighbourSum::InverseOffset {
                sum.count[lane] += neighbours.len() as f32;
            }
            for neighbour in neighbours {
                let term = match addend {
                    NeighbourSum::Offset => neighbour.offset,
                    NeighbourSum::Velocity => neighbour.velocity,
                    NeighbourSum::InverseOffset if neighbour.distance_squared < COINCIDENT => {
                        -self.world.drawn_direction(own.to_bits(), neighbour.id.to_bits()) * far
                    }
                    NeighbourSum::InverseOffset => neighbour.offset / neighbour.distance_squared,
                };
                for axis in 0..D {
                    sum.vector[axis][lane] += term[axis];
                }
            }
        }
    }
}
