//! Sums over neighbours: the candidates of a chunk through the pair kernel, and coincident pairs.

use crate::kernels::group::group;
use crate::kernels::pairs::{COINCIDENT, CandidateList, Observers, Sum, add_pairs};
use crate::kernels::vision::Vision;
use crate::kernels::{CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::neighbour_lists::lists::TickLists;
use crate::neighbour_lists::pass::{KernelRun, Pass};
use crate::neighbour_lists::search::NeighbourSearch;
use crate::rules::interface::Tally;

/// The number of others on an agent's point from which they count as a crowd.
const MANY_COINCIDENT: f32 = 16.0;

/// Counts from the steering of a chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) candidates: u64,
    pub(crate) neighbours: u64,
    pub(crate) capped: u64,
    /// Whether an agent of the chunk arrived at a target.
    pub(crate) arrived: bool,
    pub(crate) tally: Tally,
}

impl Counts {
    /// Adds the counts of each of these chunks.
    pub(crate) fn add(&mut self, chunks: &[Self]) {
        for chunk in chunks {
            self.candidates += chunk.candidates;
            self.neighbours += chunk.neighbours;
            self.capped += chunk.capped;
            self.tally.add(&chunk.tally);
        }
    }
}

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Adds the candidates of a chunk to the sums of all passes. `classes` begins with the classes of its agents.
    pub(crate) fn add_passes(
        &self,
        chunk: usize,
        lists: TickLists<'_>,
        sums: &mut [Sum<D>],
        classes: &[u32],
    ) -> Counts {
        let agents = (self.agents.len() - chunk * CHUNK).clamp(0, CHUNK);
        let mut counts = Counts::default();
        let mut capped = 0u16;
        for (number, pass) in self.plan.passes.iter().enumerate().filter(|(_, pass)| pass.has_candidates) {
            let candidates = lists.candidates(number, self.others(pass));
            if candidates.rows.is_empty() && !self.looks_at_own(pass) {
                continue;
            }
            for cluster in 0..self.clusters_of(chunk) {
                counts.candidates += self.pairs_of(cluster, agents - cluster * CLUSTER, pass, &candidates);
                capped |= u16::from(lists.capped(number, cluster)) << cluster;
            }
            let period = self.world.settings.period();
            let seams = self.own_index.placed.seams(chunk, pass.radius, &period, &self.agents.position);
            let observers = self.observers(chunk, pass, seams);
            for run in &pass.runs {
                let views = run.table.chunk(classes);
                let observers = Observers { views: views.as_ref(), ..observers };
                self.add_neighbours(chunk, &observers, &candidates, pass, run, sums);
            }
        }
        let lanes = |cluster: usize| (agents - cluster * CLUSTER).clamp(0, CLUSTER) as u64;
        let is_capped = |cluster: &usize| capped >> cluster & 1 == 1;
        counts.capped = (0..self.clusters_of(chunk)).filter(is_capped).map(lanes).sum();
        counts
    }

    /// Returns how many pairs a cluster of at least `agents` agents looks at.
    fn pairs_of(&self, cluster: usize, agents: usize, pass: &Pass, candidates: &CandidateList<'_, D>) -> u64 {
        let (groups, size) = (self.groups(), group(self.level));
        let own_rows = if self.looks_at_own(pass) { agents.clamp(0, CLUSTER) } else { 0 };
        let pairs = |half: usize| {
            let lanes = agents.saturating_sub(half * size).clamp(0, size);
            ((candidates.of(cluster * groups + half).len() + own_rows) * lanes) as u64
        };
        (0..groups).map(pairs).sum()
    }

    /// Adds the candidates of one pass to the sums of one run.
    fn add_neighbours(
        &self,
        chunk: usize,
        observers: &Observers<'_, D>,
        candidates: &CandidateList<'_, D>,
        pass: &Pass,
        run: &KernelRun,
        sums: &mut [Sum<D>],
    ) {
        let coincident = add_pairs(self.level, observers, candidates, &run.terms, &run.slots, sums);
        if let Some(view) = run.terms.inverse_offsets {
            let sum = &mut sums[run.slots[0]];
            for group in (0..self.clusters_of(chunk) * self.groups()).filter(|group| coincident >> group & 1 == 1) {
                self.add_drawn_directions(chunk, group, pass, observers, view, candidates.of(group), sum);
            }
        }
    }

    /// Adds drawn directions for agents on one point, which have no direction from each other: one for each pair,
    /// opposite for the other agent. Where many stand on one point, an agent draws one direction away from all of them.
    #[expect(clippy::too_many_arguments, reason = "a rare path of the pair kernel, with all that it has")]
    fn add_drawn_directions(
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
            let mut add_away = |away: Vector<D>| {
                for axis in 0..D {
                    sum.vector[axis][lane] -= away[axis] * far;
                }
            };
            if count >= MANY_COINCIDENT {
                add_away(self.world.drawn_direction(me, me));
                continue;
            }
            let others = self.others(pass);
            let own_rows = own.clone().filter(|&own_row| self.looks_at_own(pass) && own_row != row);
            for their_row in candidates.iter().map(|&row| row as usize).chain(own_rows) {
                let squared = self.offset(row, others, their_row).length_squared();
                if squared < COINCIDENT && squared <= radius_squared {
                    add_away(self.world.drawn_direction(me, others.id[their_row].to_bits()));
                }
            }
        }
    }
}
