//! Neighbours: the candidates that each agent of a cluster perceives, as sums or one by one.

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::base::settings::nearest_image;
use crate::index::species_index::SpeciesIndex;
use crate::kernels::pairs::{COINCIDENT, CandidateList, Observers, Sum, add_pairs};
use crate::kernels::visibility::{Looked, see};
use crate::kernels::vision::Vision;
use crate::kernels::{self, Axes, CHUNK, CLUSTER, CLUSTERS};
use crate::maths::Vector;
use crate::neighbour_lists::candidates::TickLists;
use crate::neighbour_lists::plan::{KernelRun, Pass};
use crate::rules::interface::{NeighbourSum, Neighbourhood};
use crate::tick::steer::Steering;

/// The number of others on an agent's point from which they count as a crowd.
const MANY: f32 = 16.0;

/// The neighbours of a cluster's agents one by one, and the buffers of the search for them.
#[derive(Debug, Default)]
pub(crate) struct ListedNeighbours<const D: usize> {
    /// The squared distance, id and number of each agent that one agent sees.
    nearest: Vec<(u32, u64, usize)>,
    /// One for each list of the plan.
    pub(crate) lists: Vec<Neighbourhood>,
}

impl<const D: usize> Steering<'_, D> {
    /// Adds the candidates of one pass to the sums of one run.
    pub(crate) fn add_neighbours(
        &self,
        chunk: usize,
        observers: &Observers<'_, D>,
        candidates: &CandidateList<'_, D>,
        pass: &Pass,
        run: &KernelRun,
        sums: &mut [Sum<D>],
    ) {
        let met = add_pairs(self.level, observers, candidates, &run.terms, &run.slots, sums);
        if let Some(view) = run.terms.inverse_offsets {
            let sum = &mut sums[run.slots[0]];
            for group in (0..self.clusters_of(chunk) * self.groups()).filter(|group| met >> group & 1 == 1) {
                self.part_coincident(chunk, group, pass, observers, view, candidates.of(group), sum);
            }
        }
    }

    /// Returns the agents of a chunk as observers. `seams` has one bit for each cluster: whether its neighbours may lie
    /// across a seam.
    pub(crate) fn observers(&self, chunk: usize, pass: &Pass, seams: u16) -> Observers<'_, D> {
        let own = self.agents.chunk_rows(chunk);
        Observers {
            position: kernels::rows(&self.agents.position, own.clone()),
            velocity: kernels::rows(&self.agents.velocity, own),
            period: self.world.settings.period(),
            seams,
            each_other: self.looks_at_own(pass),
            views: None,
        }
    }

    /// Returns the agents of a chunk as observers, with the seams of one cluster that looks as far as `radius`.
    pub(crate) fn cluster_observers(&self, chunk: usize, cluster: usize, pass: &Pass, radius: f32) -> Observers<'_, D> {
        let (number, period) = (chunk * CLUSTERS + cluster, self.world.settings.period());
        let at_seam = self.own.index.any_at_seam(number, radius, &period, &self.agents.position);
        self.observers(chunk, pass, u16::from(at_seam) << cluster)
    }

    /// Returns whether a pass looks at the observers' own species.
    pub(crate) fn looks_at_own(&self, pass: &Pass) -> bool {
        pass.species == self.agents.species.number()
    }

    /// Returns the positions of the agents that a pass looks at.
    pub(crate) fn positions(&self, pass: &Pass) -> Axes<'_, D> {
        let others = self.others(pass);
        kernels::rows(&others.position, 0..others.position[0].len())
    }

    /// Returns the agents that a pass looks at.
    pub(crate) fn others(&self, pass: &Pass) -> &Agents<D> {
        if self.looks_at_own(pass) { self.agents } else { &self.world.agents[pass.species] }
    }

    /// Returns the places of the agents that a pass looks at.
    pub(crate) fn their_places(&self, pass: &Pass) -> &SpeciesIndex<D> {
        if self.looks_at_own(pass) { self.own } else { &self.world.places[pass.species] }
    }

    /// Adds drawn directions for agents on one point, which have no direction from each other: one for each pair,
    /// opposite for the other agent. Where many stand on one point, an agent draws one direction away from all of them.
    #[expect(clippy::too_many_arguments, reason = "a rare path of the pair kernel, with all that it has")]
    fn part_coincident(
        &self,
        chunk: usize,
        group: usize,
        pass: &Pass,
        observers: &Observers<'_, D>,
        view: Vision,
        candidates: &[u32],
        sum: &mut Sum<D>,
    ) {
        let far = 1.0 / COINCIDENT.sqrt();
        let own = self.own_rows(chunk, group / self.groups());
        for row in own.clone().filter(|row| self.lanes_of(group) >> (row % CLUSTER) & 1 == 1) {
            let lane = row - chunk * CHUNK;
            let count = std::mem::replace(&mut sum.count[lane], 0.0);
            if count == 0.0 {
                continue;
            }
            let radius_squared = observers.views.map_or(view.radius_squared, |views| views.radius_squared[0][lane]);
            let me = self.agents.id[row].to_bits();
            let mut part = |away: Vector<D>| {
                for axis in 0..D {
                    sum.vector[axis][lane] -= away[axis] * far;
                }
            };
            if count >= MANY {
                part(self.world.parting(me, me));
                continue;
            }
            let others = self.others(pass);
            let mates = own.clone().filter(|&mate| self.looks_at_own(pass) && mate != row);
            for their_row in candidates.iter().map(|&row| row as usize).chain(mates) {
                let squared = self.offset(row, others, their_row).length_squared();
                if squared < COINCIDENT && squared <= radius_squared {
                    part(self.world.parting(me, others.id[their_row].to_bits()));
                }
            }
        }
    }

    /// Returns the rows of a cluster's agents.
    fn own_rows(&self, chunk: usize, cluster: usize) -> std::ops::Range<usize> {
        let first = chunk * CHUNK + cluster * CLUSTER;
        first..(first + CLUSTER).clamp(0, self.agents.len())
    }

    /// Returns the offset from the agent at `row` to another one, by the operations of the pair kernel.
    fn offset(&self, row: usize, others: &Agents<D>, their_row: usize) -> Vector<D> {
        let period = self.world.settings.period();
        Vector::from_fn(|axis| {
            nearest_image(others.position[axis][their_row] - self.agents.position[axis][row], period[axis])
        })
    }

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
            for (pass_number, pass) in self.plan.passes.iter().enumerate() {
                if let Some((_, view)) = pass.lists.iter().find(|(listener, _)| *listener == number) {
                    let candidates = lists.candidates(pass_number, self.others(pass));
                    let observers = self.cluster_observers(chunk, cluster, pass, pass.radius);
                    let sights = &mut neighbours.lists[number].sights;
                    for group in cluster * self.groups()..(cluster + 1) * self.groups() {
                        let mates = self.own_rows(chunk, cluster);
                        let looked = Looked {
                            species: pass.species as u32,
                            position: candidates.position,
                            rows: candidates.of(group),
                            mates: if observers.each_other { mates.start as u32..mates.end as u32 } else { 0..0 },
                            view: *view,
                            lanes: lanes & self.lanes_of(group),
                        };
                        see(self.level, &observers, group, &looked, sights);
                        uncounted += if pass.counted_by == Some(number) { sights.last_count() } else { 0 };
                    }
                }
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
                nearest[count..].iter().for_each(|&(.., number)| sights.lose(number, lane));
            }
        }
    }

    /// Adds the neighbours on each agent's list to its sum.
    fn add_list(&self, chunk: usize, cluster: usize, addend: NeighbourSum, lists: &Neighbourhood, sum: &mut Sum<D>) {
        let far = 1.0 / COINCIDENT.sqrt();
        for (place, row) in self.own_rows(chunk, cluster).enumerate() {
            let (lane, list) = (row - chunk * CHUNK, lists.of(self.level, place));
            if addend != NeighbourSum::InverseOffset {
                sum.count[lane] += list.rows() as f32;
            }
            for (species, rows) in list {
                let others = &self.world.agents[species as usize];
                for their_row in rows.iter().map(|&row| row as usize) {
                    let offset = self.offset(row, others, their_row);
                    let squared = offset.length_squared();
                    let term = match addend {
                        NeighbourSum::Offset => offset,
                        NeighbourSum::Velocity => others.velocity(their_row),
                        NeighbourSum::InverseOffset if squared < COINCIDENT => {
                            -self.world.parting(self.agents.id[row].to_bits(), others.id[their_row].to_bits()) * far
                        }
                        NeighbourSum::InverseOffset => offset / squared,
                    };
                    for axis in 0..D {
                        sum.vector[axis][lane] += term[axis];
                    }
                }
            }
        }
    }
}
