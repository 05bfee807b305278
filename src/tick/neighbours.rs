//! Neighbours: whom of its candidates does each agent of a cluster meet? As sums, or one by one.

use crate::agents::Agents;
use crate::behaviour::{Neighbour, Neighbourhood};
use crate::kernels::pairs::{COINCIDENT, Candidates, Observers, Sum, add_pairs};
use crate::kernels::see::see;
use crate::kernels::view::View;
use crate::kernels::{self, Axes, CHUNK, CLUSTER, CLUSTERS};
use crate::maths::Vector;
use crate::settings::nearest_image;
use crate::tick::plan::{Pass, Run};
use crate::tick::steer::Steering;

/// As many others on an agent's point are a crowd.
const MANY: f32 = 16.0;

/// The neighbours of a cluster's agents one by one, and what it takes to find them.
#[derive(Debug, Default)]
pub(crate) struct NeighbourLists<const D: usize> {
    rows: Vec<u32>,
    seen: Vec<u16>,
    pub(crate) neighbourhood: Neighbourhood<D>,
}

impl<const D: usize> Steering<'_, D> {
    /// Adds the candidates of one pass to the sums of one run.
    pub(crate) fn add_neighbours(
        &self,
        chunk: usize,
        observers: &Observers<'_, D>,
        candidates: &Candidates<'_, D>,
        pass: &Pass,
        run: &Run,
        sums: &mut [Sum<D>],
    ) {
        let met = add_pairs(self.level, observers, candidates, &run.terms, &run.slots, sums);
        if let Some(view) = run.terms.inverse_offsets {
            let sum = &mut sums[run.slots[0]];
            for cluster in (0..self.clusters_of(chunk)).filter(|cluster| met >> cluster & 1 == 1) {
                self.part_coincident(chunk, cluster, pass, view, candidates.of(cluster), sum);
            }
        }
    }

    /// The agents of a chunk, as those who look for others. One bit for each cluster: whether what it looks for may lie
    /// across a seam.
    pub(crate) fn observers(&self, chunk: usize, pass: &Pass, seams: u16) -> Observers<'_, D> {
        let own = self.agents.chunk_rows(chunk);
        Observers {
            position: kernels::rows(&self.agents.position, own.clone()),
            velocity: kernels::rows(&self.agents.velocity, own),
            period: self.scene.settings.period(),
            seams,
            each_other: self.looks_at_own(pass),
        }
    }

    /// The same for the agents of one cluster alone, who look as far as `radius`.
    pub(crate) fn cluster_observers(&self, chunk: usize, cluster: usize, pass: &Pass, radius: f32) -> Observers<'_, D> {
        let (number, period) = (chunk * CLUSTERS + cluster, self.scene.settings.period());
        let at_seam = self.agents.index.at_seam(number, radius, &period);
        self.observers(chunk, pass, u16::from(at_seam) << cluster)
    }

    /// Whether a pass looks at the species of those who look.
    pub(crate) fn looks_at_own(&self, pass: &Pass) -> bool {
        pass.species == self.agents.species.number()
    }

    /// Where the agents are that a pass looks at.
    pub(crate) fn positions(&self, pass: &Pass) -> Axes<'_, D> {
        let others = &self.scene.agents[pass.species];
        kernels::rows(&others.position, 0..others.padded())
    }

    /// Agents on one point have no direction from each other: one is drawn for each pair, opposite for the other. Where
    /// there are many on one point, an agent draws one direction away from all of them.
    fn part_coincident(
        &self,
        chunk: usize,
        cluster: usize,
        pass: &Pass,
        view: View,
        candidates: &[u32],
        sum: &mut Sum<D>,
    ) {
        let far = 1.0 / COINCIDENT.sqrt();
        let own = self.own_rows(chunk, cluster);
        for row in own.clone() {
            let lane = row - chunk * CHUNK;
            let count = std::mem::replace(&mut sum.count[lane], 0.0);
            if count == 0.0 {
                continue;
            }
            let me = self.agents.id[row].to_bits();
            let mut part = |away: Vector<D>| {
                for axis in 0..D {
                    sum.vector[axis][lane] -= away[axis] * far;
                }
            };
            if count >= MANY {
                part(self.scene.parting(me, me));
                continue;
            }
            let others = &self.scene.agents[pass.species];
            let mates = own.clone().filter(|&mate| self.looks_at_own(pass) && mate != row);
            for their_row in candidates.iter().map(|&row| row as usize).chain(mates) {
                let squared = self.offset(row, others, their_row).length_squared();
                if squared < COINCIDENT && squared <= view.radius_squared {
                    part(self.scene.parting(me, others.id[their_row].to_bits()));
                }
            }
        }
    }

    /// The rows of the agents of a cluster.
    fn own_rows(&self, chunk: usize, cluster: usize) -> std::ops::Range<usize> {
        let first = chunk * CHUNK + cluster * CLUSTER;
        first..(first + CLUSTER).clamp(0, self.agents.len())
    }

    /// From the agent at `row` to another one, by the same operations as in the pair kernel.
    fn offset(&self, row: usize, others: &Agents<D>, their_row: usize) -> Vector<D> {
        let period = self.scene.settings.period();
        Vector::from_fn(|axis| {
            nearest_image(others.position[axis][their_row] - self.agents.position[axis][row], period[axis])
        })
    }

    /// Appends whom each agent of a cluster sees, in row order. Tells how many that are.
    pub(crate) fn list(
        &self,
        chunk: usize,
        cluster: usize,
        pass: &Pass,
        view: View,
        candidates: &[u32],
        NeighbourLists { rows, seen, neighbourhood }: &mut NeighbourLists<D>,
    ) -> u64 {
        let others = &self.scene.agents[pass.species];
        let own = self.own_rows(chunk, cluster);
        let (before, after) = candidates.split_at(candidates.partition_point(|&row| (row as usize) < own.start));
        rows.clear();
        rows.extend(before);
        rows.extend(own.clone().filter(|_| self.looks_at_own(pass)).map(|row| row as u32));
        rows.extend(after);
        let observers = self.cluster_observers(chunk, cluster, pass, pass.radius);
        see(self.level, &observers, cluster, &self.positions(pass), rows, view, seen);
        let mut listed = 0;
        for (row, &seen) in rows.iter().map(|&row| row as usize).zip(&*seen) {
            let mut seen = seen;
            if self.looks_at_own(pass) && own.contains(&row) {
                seen &= !(1 << (row - own.start));
            }
            listed += u64::from(seen.count_ones());
            while seen != 0 {
                let lane = seen.trailing_zeros() as usize;
                seen &= seen - 1;
                let offset = self.offset(own.start + lane, others, row);
                let distance_squared = offset.length_squared();
                let (velocity, species) = (others.velocity(row), others.species);
                neighbourhood[lane].push(Neighbour { offset, distance_squared, velocity, species, row });
            }
        }
        listed
    }
}
