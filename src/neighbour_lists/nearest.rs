//! The nearest neighbours of a cluster's agents. They need no candidate lists: a walk through the boxes of the perceived
//! species finds them, however large the radius is.
//!
//! The walk gives each agent the distance of the last of its nearest, and the rows within these distances. The agents
//! that they see are then listed as other neighbours are, in the order of rows.

use crate::agents::Agents;
use crate::kernels::cull::REACH_MARGIN;
use crate::kernels::nearest_agents::{NearestAgents, walk_agents};
use crate::kernels::nearest_walk::{NearestDistances, Visited, Walk, walk_nearest};
use crate::kernels::pairs::Observers;
use crate::kernels::visibility::{SightQuery, Sights, see};
use crate::kernels::vision::Vision;
use crate::kernels::{self, CLUSTER};
use crate::maths::ones;
use crate::neighbour_lists::lists::NearestFinder;
use crate::neighbour_lists::pass::Pass;
use crate::neighbour_lists::plan::List;
use crate::neighbour_lists::search::NeighbourSearch;
use crate::rules::interface::Sight;

/// The number of pairs that a search looked at, and whether it left out others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looked {
    pub(crate) pairs: u64,
    pub(crate) capped: bool,
}

impl Looked {
    const NOTHING: Self = Self { pairs: 0, capped: false };
}

/// The result of a search for the nearest in order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kept {
    Certain(Looked),
    /// The last on a list is as far away as the next one, and ids decide.
    Tied,
}

/// What a search keeps: lists in order, or the distances alone.
enum Gathering<'a> {
    InOrder(&'a mut NearestAgents),
    Distances(&'a mut NearestDistances),
}

impl Gathering<'_> {
    fn within(&self, lane: usize) -> f32 {
        match self {
            Self::InOrder(nearest) => nearest.within(lane),
            Self::Distances(distances) => distances.within[lane],
        }
    }
}

/// A walk among the agents of one species.
struct AgentsWalk<'a, 's, const D: usize> {
    search: &'a NeighbourSearch<'s, D>,
    list: &'a List,
    others: &'a Agents<D>,
    species: u32,
    first: usize,
    found: &'a mut Vec<(u32, u32, u16)>,
}

impl<const D: usize> AgentsWalk<'_, '_, D> {
    /// Returns whether an agent is in a state in which it is perceived.
    fn is_perceived(&self, row: u32) -> bool {
        self.list.limit.as_ref().is_none_or(|limit| limit.contains(self.others, row as usize))
    }
}

impl<const D: usize> Visited for AgentsWalk<'_, '_, D> {
    fn rows(&mut self, cluster: u32) -> u16 {
        let placed = self.search.world.indices[self.species as usize].placed.members(cluster as usize);
        if self.list.limit.is_none() {
            return placed;
        }
        let perceived = ones(placed).filter(|&place| self.is_perceived(cluster * CLUSTER as u32 + place as u32));
        perceived.fold(0, |rows, place| rows | 1 << place)
    }

    fn seen(&mut self, row: u32, by: u16) -> u16 {
        let (world, walls) = (self.search.world, &self.search.world.environment_index.walls);
        let sees = |lane: &usize| {
            let (from, own) = (self.search.agents.position(self.first + lane), self.first + lane);
            let offset = self.search.offset(own, self.others, row as usize);
            !world.environment.is_walled_off(walls, world.settings, world.seconds(), (from, offset))
        };
        ones(by).filter(sees).fold(0, |lanes, lane| lanes | 1 << lane)
    }

    fn found(&mut self, cluster: u32, rows: u16) {
        self.found.push((self.species, cluster, rows));
    }
}

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Finds the distances of the nearest of each agent in `lanes`, for the list with this number, and the rows within
    /// them.
    pub(crate) fn find_nearest(
        &self,
        (chunk, cluster, lanes): (usize, usize, u16),
        number: usize,
        finder: &mut NearestFinder,
    ) -> Looked {
        let NearestFinder { distances, found, .. } = finder;
        found.clear();
        let list = &self.plan.lists[number];
        let Some((_, view)) = self.passes_of(number).next().filter(|_| lanes != 0) else {
            return Looked::NOTHING;
        };
        distances.start(list.nearest as usize, view.radius_squared, lanes);
        for (pass, _) in self.passes_of(number) {
            let (first, others) = (self.own_rows(chunk, cluster).start, self.others(pass));
            let mut walker =
                AgentsWalk { search: self, list, others, species: pass.species as u32, first, found: &mut *found };
            if let Some(walk) = self.walk(first, pass, view, &walker) {
                walk_nearest(self.level, &walk, distances, &mut walker);
            }
            self.add_strays(first, pass, view, &mut walker, &mut Gathering::Distances(distances));
            let gathering = &mut Gathering::Distances(distances);
            self.add_nearest_across((chunk, cluster, lanes), view, (list, pass.species), gathering);
        }
        self.looked(distances.tested, lanes)
    }

    /// Returns the passes of a list, with its view.
    fn passes_of(&self, number: usize) -> impl Iterator<Item = (&Pass, Vision)> {
        self.plan.passes.iter().filter_map(move |pass| {
            let (_, view) = pass.lists.iter().find(|(listener, _)| *listener == number)?;
            Some((pass, *view))
        })
    }

    /// The number of agents that a cluster looks at for its nearest, where a tick exceeds the budget of pairs.
    fn most_looked_at(&self) -> usize {
        self.limit.unwrap_or(usize::MAX)
    }

    /// Keeps the nearest of each agent in `lanes` in order, for the list with this number, which is a short one.
    pub(crate) fn keep_nearest(
        &self,
        (chunk, cluster, lanes): (usize, usize, u16),
        number: usize,
        nearest: &mut NearestAgents,
    ) -> Kept {
        let list = &self.plan.lists[number];
        let Some((_, view)) = self.passes_of(number).next() else { return Kept::Certain(Looked::NOTHING) };
        nearest.start(list.nearest as usize, view.radius_squared, lanes);
        let mut none = Vec::new();
        for (pass, _) in self.passes_of(number) {
            let (first, others) = (self.own_rows(chunk, cluster).start, self.others(pass));
            nearest.species = pass.species as u32;
            let mut walker =
                AgentsWalk { search: self, list, others, species: nearest.species, first, found: &mut none };
            if let Some(walk) = self.walk(first, pass, view, &walker) {
                walk_agents(self.level, &walk, nearest, &mut walker);
            }
            self.add_strays(first, pass, view, &mut walker, &mut Gathering::InOrder(nearest));
            let gathering = &mut Gathering::InOrder(nearest);
            self.add_nearest_across((chunk, cluster, lanes), view, (list, pass.species), gathering);
        }
        let looked = self.looked(nearest.tested, lanes);
        if nearest.end() { Kept::Certain(looked) } else { Kept::Tied }
    }

    /// The number of pairs of these agents and the `tested` ones, and whether a search left out others.
    fn looked(&self, tested: usize, lanes: u16) -> Looked {
        Looked { pairs: tested as u64 * u64::from(lanes.count_ones()), capped: tested > self.most_looked_at() }
    }

    /// The walk through the boxes of a pass, if it has any.
    fn walk<'a>(
        &'a self,
        first: usize,
        pass: &'a Pass,
        view: Vision,
        walker: &AgentsWalk<'a, '_, D>,
    ) -> Option<Walk<'a, D>> {
        let (index, others) = (&self.their_index(pass).placed, walker.others);
        let (layers, rows) = index.bounds(&others.position)?.layers()?;
        let own = first..first + CLUSTER;
        Some(Walk {
            position: kernels::rows(&self.agents.position, own.clone()),
            heading: kernels::rows(self.agents.looks(), own),
            view,
            own: (self.looks_at_own(pass) && first < rows as usize).then_some((first / CLUSTER) as u32),
            period: self.world.settings.period(),
            layers,
            theirs: kernels::rows(&others.position, 0..rows.next_multiple_of(CLUSTER as u32) as usize),
            rows,
            moved: index.moved,
            most: self.most_looked_at(),
            through: walker.list.sight == Sight::Through || self.world.environment_index.walls.pieces.is_empty(),
        })
    }

    /// Adds the strays of a pass, which no box contains, one agent after the other.
    fn add_strays(
        &self,
        first: usize,
        pass: &Pass,
        view: Vision,
        walker: &mut AgentsWalk<'_, '_, D>,
        nearest: &mut Gathering<'_>,
    ) {
        let Some(strays) = self.their_index(pass).strays.read([&walker.others.position]) else { return };
        if strays.names().is_empty() {
            return;
        }
        let (period, each_other) = (self.world.settings.period(), self.looks_at_own(pass));
        for lane in 0..CLUSTER {
            let (own, within) = (first + lane, nearest.within(lane));
            if within < 0.0 || own >= self.agents.len() {
                continue;
            }
            let _ = strays.within(&period, self.agents.position(own).0, within, |row, squared| {
                let in_view = self.is_in_view(own, &self.offset(own, walker.others, row as usize), squared, view);
                let is_itself = each_other && row as usize == own;
                let hides = walker.list.sight == Sight::Walls && walker.seen(row, 1 << lane) == 0;
                if in_view && !is_itself && walker.is_perceived(row) && !hides {
                    match nearest {
                        Gathering::InOrder(nearest) => nearest.add(lane, (walker.species, row), squared),
                        Gathering::Distances(distances) => {
                            walker.found(row / CLUSTER as u32, 1 << (row % CLUSTER as u32));
                            if squared < within {
                                distances.add(lane, squared);
                            }
                        }
                    }
                }
                std::ops::ControlFlow::Continue(())
            });
        }
        if let Gathering::Distances(distances) = nearest {
            distances.sort(self.level);
        }
    }

    /// Adds the images of a species across seams.
    fn add_nearest_across(
        &self,
        place: (usize, usize, u16),
        view: Vision,
        (list, species): (&List, usize),
        nearest: &mut Gathering<'_>,
    ) {
        if !self.shows_images() {
            return;
        }
        let (number, first, found) = (self.images_of(species), self.own_rows(place.0, place.1).start, &mut Vec::new());
        let others = &self.world.agents[number as usize];
        let mut walker = AgentsWalk { search: self, list, others, species: number, first, found };
        let within = |lane: usize| Vision { radius_squared: nearest.within(lane), ..view };
        let seen = self.seen_across(place, (species, view.radius_squared.sqrt() * REACH_MARGIN), within);
        for (image, by) in seen {
            let by = match (walker.is_perceived(image), list.sight) {
                (false, _) => 0,
                (true, Sight::Walls) => walker.seen(image, by),
                (true, _) => by,
            };
            for lane in ones(by) {
                let squared = self.offset(first + lane, others, image as usize).length_squared();
                match nearest {
                    Gathering::InOrder(nearest) => nearest.add(lane, (number, image), squared),
                    Gathering::Distances(distances) if squared < distances.within[lane] => distances.add(lane, squared),
                    Gathering::Distances(_) => {}
                }
            }
        }
        if let Gathering::Distances(distances) = nearest {
            distances.sort(self.level);
        }
    }

    /// Keeps the agents that a cluster sees in order, where a search left ties.
    pub(crate) fn keep_seen(
        &self,
        (chunk, cluster): (usize, usize),
        count: u32,
        sights: &Sights,
        nearest: &mut NearestAgents,
    ) {
        nearest.start(count as usize, f32::INFINITY, u16::MAX);
        for part in sights.parts() {
            let others = &self.world.agents[part.species as usize];
            for (row, by) in part.each() {
                for lane in ones(by) {
                    let own = self.own_rows(chunk, cluster).start + lane;
                    let squared = self.offset(own, others, row).length_squared();
                    nearest.add(lane, (part.species, row as u32), squared);
                }
            }
        }
        nearest.end();
    }

    /// Fills `sights` with the agents that [`find_nearest`](Self::find_nearest) found. Several at the distance of the
    /// last are all among them. Returns the largest distance.
    pub(crate) fn see_nearest(
        &self,
        (chunk, cluster, lanes): (usize, usize, u16),
        number: usize,
        finder: &mut NearestFinder,
        sights: &mut Sights,
    ) -> f32 {
        let NearestFinder { distances, found, rows, .. } = finder;
        found.sort_unstable();
        found.dedup_by(|next, last| {
            let is_same = (next.0, next.1) == (last.0, last.1);
            last.2 |= if is_same { next.2 } else { 0 };
            is_same
        });
        let radius = distances.farthest().sqrt() * REACH_MARGIN;
        let own = self.own_rows(chunk, cluster).start / CLUSTER;
        for (pass, view) in self.passes_of(number) {
            let observers = self.cluster_observers(chunk, cluster, pass, radius);
            let own_cluster = observers.each_other.then_some(own as u32);
            rows.clear();
            let of_pass = found.iter().filter(|(species, ..)| *species as usize == pass.species);
            for &(_, near, places) in of_pass.filter(|(_, near, _)| Some(*near) != own_cluster) {
                rows.extend(ones(places).map(|place| near * CLUSTER as u32 + place as u32));
            }
            self.see_rows(
                &observers,
                cluster,
                SightQuery {
                    species: pass.species as u32,
                    position: self.positions(pass),
                    rows,
                    own_rows: self.rows_of_each_other(chunk, cluster, &observers),
                    view,
                    within: Some(&distances.within),
                    lanes,
                },
                sights,
            );
            let within = |lane: usize| Vision { radius_squared: distances.within[lane], ..view };
            let across = self.seen_across((chunk, cluster, lanes), (pass.species, radius), within);
            self.extend_across(pass.species, &across, sights);
        }
        radius
    }

    fn see_rows(&self, observers: &Observers<'_, D>, cluster: usize, query: SightQuery<'_, D>, sights: &mut Sights) {
        for group in cluster * self.groups()..(cluster + 1) * self.groups() {
            let lanes = query.lanes & self.lanes_of(group);
            see(self.level, observers, group, &SightQuery { lanes, ..query.clone() }, sights);
        }
    }

    /// Drops, of several neighbours at the distance of the last nearest, the ones that have the largest ids. Returns the
    /// number of neighbours that remain.
    pub(crate) fn drop_ties(
        &self,
        (chunk, cluster): (usize, usize),
        nearest: u32,
        finder: &mut NearestFinder,
        sights: &mut Sights,
    ) -> u64 {
        let (mut remaining, by_id) = (0, &mut finder.by_id);
        for (lane, (row, seen)) in self.own_rows(chunk, cluster).zip(sights.count()).enumerate() {
            remaining += u64::from(seen.min(nearest));
            if seen <= nearest {
                continue;
            }
            by_id.clear();
            for part in sights.parts() {
                let others = &self.world.agents[part.species as usize];
                let numbered = (part.first..).zip(part.rows.iter().zip(part.by));
                for (number, (&their_row, _)) in numbered.filter(|(_, (_, by))| *by >> lane & 1 == 1) {
                    let squared = self.offset(row, others, their_row as usize).length_squared();
                    by_id.push((squared.to_bits(), others.id[their_row as usize].to_bits(), number));
                }
            }
            by_id.select_nth_unstable(nearest as usize - 1);
            by_id[nearest as usize..].iter().for_each(|&(.., number)| sights.clear_bit(number, lane));
        }
        remaining
    }
}
