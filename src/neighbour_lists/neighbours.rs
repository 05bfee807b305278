//! Neighbours one by one: the candidates that each agent of a cluster perceives, for rules and for sums over the
//! nearest.

use crate::agents::columns::Owner;
use crate::boxes::aabb::Aabb;
use crate::kernels::hulls::{Balls, HullNumbers, NearHulls, hulls_near_balls};
use crate::kernels::pairs::{COINCIDENT, Sum};
use crate::kernels::visibility::{SightQuery, Sights, see};
use crate::kernels::{CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::neighbour_lists::lists::TickLists;
use crate::neighbour_lists::search::NeighbourSearch;
use crate::rules::interface::{NeighbourSum, Neighbourhood, Neighbours, Sight};

/// The neighbours of a cluster's agents one by one, and the buffers of the search for them.
#[derive(Debug, Default)]
pub(crate) struct ListedNeighbours<const D: usize> {
    /// The squared distance, id and number of each agent that one agent sees.
    nearest: Vec<(u32, u64, usize)>,
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
    /// Fills every list of a cluster, and forms the sums over the nearest neighbours. Returns the number of neighbours
    /// that no other sum counts.
    pub(crate) fn list_all(
        &self,
        chunk: usize,
        cluster: usize,
        lists: TickLists<'_>,
        neighbours: &mut ListedNeighbours<D>,
        mut sums: Option<&mut [Sum<D>]>,
    ) -> u64 {
        let mut uncounted = 0;
        neighbours.lists.resize_with(self.plan.lists.len(), Default::default);
        for (number, list) in self.plan.lists.iter().enumerate() {
            let lanes = self.listening(chunk, cluster, list.during);
            neighbours.lists[number].clear();
            if lanes == 0 {
                continue;
            }
            let mut radius = 0.0;
            for (pass_number, pass) in self.plan.passes.iter().enumerate() {
                if let Some((_, view)) = pass.lists.iter().find(|(listener, _)| *listener == number) {
                    let candidates = lists.candidates(pass_number, self.others(pass));
                    let observers = self.cluster_observers(chunk, cluster, pass, pass.radius);
                    let sights = &mut neighbours.lists[number].sights;
                    radius = if pass.radius > radius { pass.radius } else { radius };
                    for group in cluster * self.groups()..(cluster + 1) * self.groups() {
                        let own_rows = self.own_rows(chunk, cluster);
                        let query = SightQuery {
                            species: pass.species as u32,
                            position: candidates.position,
                            rows: candidates.of(group),
                            own_rows: if observers.each_other {
                                own_rows.start as u32..own_rows.end as u32
                            } else {
                                0..0
                            },
                            view: *view,
                            lanes: lanes & self.lanes_of(group),
                        };
                        let pairs = see(self.level, &observers, group, &query, sights);
                        uncounted += if pass.counted_by == Some(number) { pairs } else { 0 };
                    }
                }
            }
            if let Some(limit) = &list.limit {
                let is_in = |species: u32, row: u32| limit.contains(&self.world.agents[species as usize], row as usize);
                neighbours.lists[number].sights.keep(is_in);
            }
            if list.sight == Sight::Walls {
                let ListedNeighbours { walls, lists, .. } = neighbours;
                self.hide(chunk, cluster, radius, walls, &mut lists[number].sights);
            }
            if list.nearest > 0 {
                self.keep_nearest(chunk, cluster, list.nearest as usize, number, neighbours);
            }
            if let (Some((slot, addend)), Some(sums)) = (list.sum, &mut sums) {
                self.add_list(chunk, cluster, addend, &neighbours.lists[number], &mut sums[slot]);
            }
        }
        uncounted
    }

    /// Returns the agents of a cluster whose state needs a list, one bit each.
    fn listening(&self, chunk: usize, cluster: usize, during: u32) -> u16 {
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

    /// Keeps only the nearest neighbours among those that each agent sees.
    fn keep_nearest(
        &self,
        chunk: usize,
        cluster: usize,
        count: usize,
        number: usize,
        neighbours: &mut ListedNeighbours<D>,
    ) {
        let ListedNeighbours { nearest, lists, .. } = neighbours;
        let sights = &mut lists[number].sights;
        for (lane, row) in self.own_rows(chunk, cluster).enumerate() {
            nearest.clear();
            for part in sights.parts() {
                let others = &self.world.agents[part.species as usize];
                let numbered = (part.first..).zip(part.rows.iter().zip(part.by));
                for (number, (&their_row, _)) in numbered.filter(|(_, (_, by))| *by >> lane & 1 == 1) {
                    let squared = self.offset(row, others, their_row as usize).length_squared();
                    nearest.push((squared.to_bits(), others.id[their_row as usize].to_bits(), number));
                }
            }
            if nearest.len() > count {
                nearest.select_nth_unstable(count - 1);
                nearest[count..].iter().for_each(|&(.., number)| sights.clear_bit(number, lane));
            }
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
