//! Steer: every chunk finds its neighbours and asks its rules, in parallel, on frozen state.

use std::cell::Cell;
use std::sync::PoisonError;

use fearless_simd::Level;

use crate::agents::columns::{Cells, Owner};
use crate::agents::parallel::{ChunkedAxes, ChunkedColumn, for_each_chunk};
use crate::agents::{Agents, flag};
use crate::index::species_index::SpeciesIndex;
use crate::kernels::combine::{Force, add_truncated, add_weighted, take_first};
use crate::kernels::confine::all_finite;
use crate::kernels::pairs::{Observers, Sum};
use crate::kernels::vision::ChunkVision;
use crate::kernels::{AxesMut, CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::neighbour_lists::candidates::{ChunkLists, TickLists};
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::neighbour_lists::mix::MixSums;
use crate::neighbour_lists::patches::Patch;
use crate::neighbour_lists::plan::Plan;
use crate::rules::interface::ResolvedNames;
use crate::rules::world_view::WorldView;
use crate::species::{Combine, Species};
use crate::tick::rules::ChunkRows;
use crate::tick::scratch::{Scratch, Scratches};
use crate::tick::steered::{Counts, SteeringOutput};

/// One species being steered.
#[derive(Debug)]
pub(crate) struct Steering<'a, const D: usize> {
    pub(crate) world: WorldView<'a, D>,
    pub(crate) level: Level,
    pub(crate) species: &'a Species<D>,
    pub(crate) agents: &'a Agents<D>,
    pub(crate) own: &'a SpeciesIndex<D>,
    pub(crate) plan: &'a Plan,
    /// The names that each rule, and the motion, refers to.
    pub(crate) names: &'a [ResolvedNames<D>],
    pub(crate) scratches: &'a Scratches<D>,
    /// The sums over neighbours in the mix.
    pub(crate) mix_sums: &'a MixSums<D>,
    /// The limit on the candidates of crowded clusters, if there is one.
    pub(crate) most: Option<usize>,
}

impl<const D: usize> Steering<'_, D> {
    /// Steers every agent, and fills `counts` with one entry per chunk.
    pub(crate) fn steer(&self, steered: &mut SteeringOutput<D>, counts: &mut Vec<Counts>) {
        let chunks = self.agents.chunks();
        counts.clear();
        counts.resize(chunks, Counts::default());
        steered.resize(self.agents, self.plan);
        let SteeringOutput { force, not_finite, memory, flags, lists, patches, modes, .. } = steered;
        self.find_patches(modes, patches);
        let memory = memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        let columns = (
            (ChunkedAxes::<D, CHUNK>::new(force), ChunkedColumn(not_finite, 1), ChunkedColumn(memory, 1)),
            (ChunkedColumn(flags, CHUNK), ChunkedColumn(lists, 1), ChunkedColumn(counts, 1)),
        );
        for_each_chunk(chunks, 1, columns, &|chunk, ((mut force, not_finite, memory), (flags, lists, counts))| {
            counts.0[0] = self.scratches.with(|scratch| {
                let memory = memory.0.first_mut().map_or(&[][..], |memory| self.recall(chunk, memory));
                let (found_by, kept) = ((&modes[..], &patches[..]), lists.0.first_mut());
                let counts = self.steer_chunk(chunk, found_by, kept, scratch, memory, &mut force.0);
                not_finite.0[0] = !force.0.iter().all(|column| all_finite(self.level, column));
                Counts { arrived: self.notice_arrivals(chunk, &scratch.there, flags.0), ..counts }
            });
        });
    }

    /// Copies what rules remember of a chunk's agents, for them to read and change.
    fn recall<'m>(&self, chunk: usize, memory: &'m mut Vec<Cells>) -> &'m [Cells] {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, self.agents.len());
        memory.truncate(self.plan.memory.len());
        for (number, &place) in self.plan.memory.iter().enumerate() {
            let column = &self.agents.columns.0[place];
            if number == memory.len() {
                memory.push(Cells::like(&column.data));
            }
            memory[number].fill(column, rows.clone());
        }
        memory
    }

    /// Fills `out` with the combined force of all rules, or with the motion's velocities, and leaves each rule's force
    /// in `scratch`. `kept` holds the candidate lists that outlast this tick, if there are any.
    fn steer_chunk(
        &self,
        chunk: usize,
        (modes, patches): (&[ListMode], &[Patch]),
        kept: Option<&mut ChunkLists>,
        scratch: &mut Scratch<D>,
        memory: &[Cells],
        out: &mut AxesMut<'_, D>,
    ) -> Counts {
        scratch.prepare(self.plan);
        let Scratch { sums, forces, finder, lists, neighbours, active, there } = scratch;
        let agents = (self.agents.len() - chunk * CHUNK).clamp(0, CHUNK);
        self.activate(chunk, agents, active);
        let lists = self.find_candidates(chunk, modes, patches, kept, finder, lists);
        if let (Some(joint), Some(places)) = (&self.plan.joint, self.agents.mix_rows()) {
            self.mix_sums.take(joint, &places[chunk * CHUNK..][..agents], sums);
        }
        let mut counts = self.add_passes(chunk, lists, sums, |_| None);
        let mut rows = ChunkRows { steering: self, chunk, agents, sums, memory, there, active };
        for cluster in 0..self.clusters_of(chunk) {
            counts.neighbours += rows.steer_cluster(cluster, lists, neighbours, forces);
        }
        for &slot in &self.plan.counters {
            counts.neighbours += total(&rows.sums[slot].count[..agents]);
        }
        rows.steer_all(forces);
        self.combine(chunk, forces, out);
        if self.species.motion.is_some() {
            rows.make_motion(lists, neighbours, out, &mut forces[self.species.rules.len()]);
        }
        counts
    }

    /// Adds the candidates of a chunk to the sums of all passes. `views` gives the views of its agents in a run, where
    /// they differ.
    pub(crate) fn add_passes(
        &self,
        chunk: usize,
        lists: TickLists<'_>,
        sums: &mut [Sum<D>],
        views: impl Fn(usize) -> Option<ChunkVision>,
    ) -> Counts {
        let agents = (self.agents.len() - chunk * CHUNK).clamp(0, CHUNK);
        let mut counts = Counts::default();
        let mut capped = 0u16;
        for (number, pass) in self.plan.passes.iter().enumerate() {
            let candidates = lists.candidates(number, self.others(pass));
            for cluster in 0..self.clusters_of(chunk) {
                counts.candidates += self.pairs_of(cluster, agents - cluster * CLUSTER, pass, &candidates);
                capped |= u16::from(lists.capped(number, cluster)) << cluster;
            }
            let period = self.world.settings.period();
            let seams = self.own.index.seams(chunk, pass.radius, &period, &self.agents.position);
            let observers = self.observers(chunk, pass, seams);
            for (number, run) in pass.runs.iter().enumerate() {
                let views = views(number);
                let observers = Observers { views: views.as_ref(), ..observers };
                self.add_neighbours(chunk, &observers, &candidates, pass, run, sums);
            }
        }
        let lanes = |cluster: usize| (agents - cluster * CLUSTER).clamp(0, CLUSTER) as u64;
        let is_capped = |cluster: &usize| capped >> cluster & 1 == 1;
        counts.capped = (0..self.clusters_of(chunk)).filter(is_capped).map(lanes).sum();
        counts
    }

    /// Calls `work` with a thread's buffers.
    pub(crate) fn with_scratch<R>(&self, work: impl FnOnce(&mut Scratch<D>) -> R) -> R {
        self.scratches.with(work)
    }

    /// Finds the agents for which each rule is active.
    fn activate(&self, chunk: usize, agents: usize, active: &mut Vec<[bool; CHUNK]>) {
        if self.plan.rules.iter().all(|rule| rule.during == 0) {
            active.clear();
            return;
        }
        // Entries of another species must not disable a rule that is active in every state.
        active.clear();
        active.resize(self.plan.rules.len(), [true; CHUNK]);
        let states = self.agents.columns.values::<u32>(Owner::State).unwrap_or_default();
        for (rule, active) in self.plan.rules.iter().zip(active).filter(|(rule, _)| rule.during != 0) {
            *active = [false; CHUNK];
            for (active, state) in active.iter_mut().zip(&states[chunk * CHUNK..][..agents]) {
                *active = rule.during >> state & 1 == 1;
            }
        }
    }

    /// Records which agents arrived at a target since the last tick, and returns whether any did.
    fn notice_arrivals(&self, chunk: usize, there: &[Cell<bool>], flags: &mut [u32]) -> bool {
        let mut any = false;
        let Some(before) = self.agents.columns.values::<u32>(Owner::Flags).filter(|_| !flags.is_empty()) else {
            return any;
        };
        for ((flags, &before), there) in flags.iter_mut().zip(&before[chunk * CHUNK..]).zip(there) {
            *flags = match (there.get(), before & flag::THERE != 0) {
                (true, false) => before | flag::THERE | flag::ARRIVED,
                (true, true) => before,
                (false, _) => before & !flag::THERE,
            };
            any |= *flags & flag::ARRIVED != 0;
        }
        any
    }

    /// Returns each rule's force on one agent, and the combined force.
    pub(crate) fn explain(&self, row: usize) -> (Vec<Vector<D>>, Vector<D>) {
        let (chunk, in_chunk) = (row / CHUNK, row % CHUNK);
        let mut memory = Vec::new();
        let memory = self.recall(chunk, &mut memory);
        let (modes, mut patches) = (vec![ListMode::Fresh; self.plan.passes.len()], Vec::new());
        self.find_patches(&modes, &mut patches);
        self.scratches.with(|scratch| {
            let mut total: Force<D> = [[0.0; CHUNK]; D];
            let padded = self.agents.chunk_rows(chunk).len();
            let mut out = total.each_mut().map(|axis| &mut axis[..padded]);
            self.steer_chunk(chunk, (&modes, &patches), None, scratch, memory, &mut out);
            self.combine(chunk, &scratch.forces, &mut out);
            let forces = &scratch.forces[..self.species.rules.len()];
            let at = |force: &Force<D>| Vector::from_fn(|axis| force[axis][in_chunk]);
            (forces.iter().map(at).collect(), at(&total))
        })
    }

    /// Combines the forces of all rules.
    fn combine(&self, chunk: usize, forces: &[Force<D>], out: &mut AxesMut<'_, D>) {
        let rows = out[0].len();
        let mut total: Force<D> = [[0.0; CHUNK]; D];
        for (rule, force) in self.species.rules.iter().zip(forces) {
            match self.species.combine {
                Combine::Weighted => add_weighted(self.level, &mut total, force, rule.weight),
                Combine::Priority(least) => take_first(self.level, &mut total, force, rule.weight, least),
                Combine::Truncated => {
                    let max_force = self.agents.body.max_force.of(self.agents.chunk_rows(chunk));
                    add_truncated(self.level, &mut total, force, rule.weight, max_force, rows);
                }
            }
        }
        for axis in 0..D {
            out[axis].copy_from_slice(&total[axis][..rows]);
        }
    }
}

/// The sum of whole numbers, sixteen at a time.
fn total(counts: &[f32]) -> u64 {
    let (clusters, rest) = counts.as_chunks::<CLUSTER>();
    let mut lanes = [0.0; CLUSTER];
    for cluster in clusters {
        for (sum, count) in lanes.iter_mut().zip(cluster) {
            *sum += count;
        }
    }
    lanes.iter().chain(rest).map(|&sum| sum as u64).sum()
}
