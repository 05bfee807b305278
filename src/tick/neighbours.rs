//! Neighbours: whom of its candidates does each agent of a cluster meet? As sums, or one by one.

use crate::agents::Agents;
use crate::behaviour::{Neighbour, Neighbourhood};
use crate::kernels::pairs::{COINCIDENT, Candidates, Observers, Sum, View, add_pairs, coincident_weight};
use crate::kernels::see::see;
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS};
use crate::settings::nearest_image;
use crate::tick::plan::{Pass, Run};
use crate::tick::steer::Steering;
use crate::vector::Vector;

/// As many agents on one point are a crowd.
const MANY: usize = 16;

/// The neighbours of a cluster's agents one by one, and what it takes to find them.
#[derive(Debug, Default)]
pub(crate) struct NeighbourLists<const D: usize> {
    seen: Vec<u16>,
    pub(crate) neighbourhood: Neighbourhood<D>,
}

impl<const D: usize> Steering<'_, D> {
    /// Adds the candidates of one pass to the sums of one run.
    pub(crate) fn add_neighbours(
        &self,
        chunk: usize,
        cluster: usize,
        pass: &Pass,
        run: &Run,
        rows: &[u32],
        sums: &mut [Sum<D>],
    ) {
        let observers = self.observers(chunk, cluster, pass);
        let candidates = self.candidates(pass, rows);
        let met = add_pairs(self.level, &observers, candidates, &run.terms, &run.slots, sums);
        if let Some(view) = run.terms.inverse_offsets.filter(|_| met) {
            self.part_coincident(chunk, &observers, pass, view, rows, &mut sums[run.slots[0]]);
        }
    }

    /// The agents of a cluster, as those who look.
    fn observers(&self, chunk: usize, cluster: usize, pass: &Pass) -> Observers<'_, D> {
        let own = self.agents.chunk_rows(chunk);
        let period = self.scene.settings.period();
        Observers {
            position: kernels::rows(&self.agents.position, own.clone()),
            velocity: kernels::rows(&self.agents.velocity, own),
            first: cluster * CLUSTER,
            period: self.agents.index.period_within(chunk * CLUSTERS + cluster, pass.radius, &period),
            among: pass.species == self.agents.species.number(),
        }
    }

    /// Rows of the species that a pass looks at, as those who are looked at.
    fn candidates<'b>(&'b self, pass: &Pass, rows: &'b [u32]) -> Candidates<'b, D> {
        let others = &self.scene.agents[pass.species];
        let all = 0..others.padded();
        Candidates {
            rows,
            position: kernels::rows(&others.position, all.clone()),
            velocity: kernels::rows(&others.velocity, all),
        }
    }

    /// Agents on one point have no direction from each other: one is drawn for each pair, opposite for the other. Where
    /// there are many on one point, an agent draws one direction away from all of them.
    fn part_coincident(
        &self,
        chunk: usize,
        observers: &Observers<'_, D>,
        pass: &Pass,
        view: View,
        rows: &[u32],
        sum: &mut Sum<D>,
    ) {
        let own = usize::from(observers.among);
        let (met, many) = (coincident_weight(own), coincident_weight(own + MANY));
        let far = 1.0 / COINCIDENT.sqrt();
        for lane in observers.first..observers.first + CLUSTER {
            let weight = std::mem::replace(&mut sum.count[lane], 0.0);
            let row = chunk * CHUNK + lane;
            if weight < met || row >= self.agents.len() {
                continue;
            }
            let me = self.agents.id[row].to_bits();
            let mut part = |away: Vector<D>| {
                for axis in 0..D {
                    sum.vector[axis][lane] -= away[axis] * far;
                }
            };
            if weight > many {
                part(self.scene.parting(me, me));
                continue;
            }
            let others = &self.scene.agents[pass.species];
            for &their_row in rows {
                let them = others.id[their_row as usize].to_bits();
                let squared = self.offset(row, others, their_row as usize).length_squared();
                if them == me || squared >= COINCIDENT || squared > view.radius_squared {
                    continue;
                }
                part(self.scene.parting(me, them));
            }
        }
    }

    /// From the agent at `row` to another one, by the same operations as in the pair kernel.
    fn offset(&self, row: usize, others: &Agents<D>, their_row: usize) -> Vector<D> {
        let period = self.scene.settings.period();
        Vector::from_fn(|axis| {
            nearest_image(others.position[axis][their_row] - self.agents.position[axis][row], period[axis])
        })
    }

    /// Appends whom each agent of a cluster sees among the candidates. Tells how many that are.
    pub(crate) fn list(
        &self,
        chunk: usize,
        cluster: usize,
        pass: &Pass,
        view: View,
        candidates: &[u32],
        NeighbourLists { seen, neighbourhood }: &mut NeighbourLists<D>,
    ) -> u64 {
        let others = &self.scene.agents[pass.species];
        let observers = self.observers(chunk, cluster, pass);
        see(self.level, &observers, self.candidates(pass, candidates), view, seen);
        let own = chunk * CHUNK + cluster * CLUSTER;
        let mut listed = 0;
        for (row, &seen) in candidates.iter().map(|&row| row as usize).zip(&*seen) {
            let mut seen = seen;
            if observers.among && (own..own + CLUSTER).contains(&row) {
                seen &= !(1 << (row - own));
            }
            listed += u64::from(seen.count_ones());
            while seen != 0 {
                let lane = seen.trailing_zeros() as usize;
                seen &= seen - 1;
                let offset = self.offset(own + lane, others, row);
                let distance_squared = offset.length_squared();
                let (velocity, species) = (others.velocity(row), others.species);
                neighbourhood[lane].push(Neighbour { offset, distance_squared, velocity, species, row });
            }
        }
        listed
    }
}
