//! The steering of one species: every chunk finds its neighbours and asks its rules, in parallel.

use std::cell::Cell;
use std::sync::PoisonError;

use crate::agents::columns::{Cells, Owner};
use crate::agents::flag;
use crate::agents::parallel::{ChunkedAxes, ChunkedColumn};
use crate::base::settings::LIMIT;
use crate::derived::output::{SteeringOutput, largest_steering};
use crate::kernels::combine::{Force, add_truncated, add_weighted, take_first};
use crate::kernels::confine::all_within;
use crate::kernels::{AxesMut, CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::neighbour_lists::lists::ChunkLists;
use crate::neighbour_lists::patches::Patch;
use crate::neighbour_lists::search::SearchBuffers;
use crate::neighbour_lists::sums::Counts;
use crate::ranks::Chunks;
use crate::rules::interface::Broken;
use crate::species::{Combine, PRE_MOVEMENT};
use crate::tick::steer::buffers::ThreadBuffers;
use crate::tick::steer::rules::ChunkRows;
use crate::tick::steer::steering::Steering;

/// The columns and lists that the steering of a chunk fills.
struct ChunkOutput<'o, 'a, const D: usize> {
    /// The combined force of all rules, or the motion's velocities.
    steering: &'o mut AxesMut<'a, D>,
    /// The velocities that the rules want, if the species has a motion.
    preferred: &'o mut AxesMut<'a, D>,
    /// Displacements of agents in addition to their velocities, if the motion or a zone has any.
    displacement: &'o mut AxesMut<'a, D>,
}

impl<const D: usize> Steering<'_, D> {
    /// Steers the agents of these chunks.
    pub(super) fn steer(&self, chunks: &Chunks, steered: &mut SteeringOutput<D>) {
        let modes = self.modes;
        steered.resize(self.search.agents, self.search.plan, (self.species, self.carries()), modes);
        let SteeringOutput { force, preferred, displacement, too_large, memory, flags, lists, patches, counts } =
            steered;
        counts.clear();
        counts.resize(self.search.agents.chunks(), Counts::default());
        self.search.find_patches(modes, patches);
        let memory = memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        let largest = largest_steering(self.species.motion.is_some());
        let columns = (
            (
                (ChunkedAxes::<D, CHUNK>::new(force), ChunkedAxes::<D, CHUNK>::new(preferred)),
                ChunkedAxes::<D, CHUNK>::new(displacement),
                (ChunkedColumn(too_large, 1), ChunkedColumn(memory, 1)),
            ),
            (ChunkedColumn(flags, CHUNK), ChunkedColumn(lists, 1), ChunkedColumn(counts, 1)),
        );
        chunks.for_each(1, columns, &|chunk, (steering, found)| {
            let ((mut force, mut preferred), mut displacement, (too_large, memory)) = steering;
            let (flags, lists, counts) = found;
            counts.0[0] = self.buffers.with(|buffers| {
                let memory = memory.0.first_mut().map_or(&[][..], |memory| self.recall(chunk, memory));
                let (found_by, kept) = ((modes, &patches[..]), lists.0.first_mut());
                let out = ChunkOutput {
                    steering: &mut force.0,
                    preferred: &mut preferred.0,
                    displacement: &mut displacement.0,
                };
                let mut counts = self.steer_chunk(chunk, found_by, kept, buffers, memory, out);
                let within = |column: &&mut [f32], largest| all_within(self.search.level, column, largest);
                too_large.0[0] = !(force.0.iter().all(|column| within(column, largest))
                    && displacement.0.iter().all(|column| within(column, LIMIT)));
                if too_large.0[0] && counts.tally.broken.is_none() {
                    counts.tally.broken = self.broken(&buffers.forces);
                }
                Counts { arrived: self.notice_arrivals(chunk, &buffers.there, flags.0), ..counts }
            });
        });
    }

    /// The first rule with a force that is not finite.
    fn broken(&self, forces: &[Force<D>]) -> Option<Broken> {
        let is_broken = |force: &Force<D>| force.iter().flatten().any(|number| !number.is_finite());
        let mut rules = self.species.rules.iter().zip(forces);
        rules.find(|(_, force)| is_broken(force)).map(|(rule, _)| Broken { key: rule.key, operation: None })
    }

    /// Copies the memory of rules for a chunk's agents, for them to read and change.
    fn recall<'m>(&self, chunk: usize, memory: &'m mut Vec<Cells>) -> &'m [Cells] {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, self.search.agents.len());
        memory.truncate(self.search.plan.memory.len());
        for (number, &place) in self.search.plan.memory.iter().enumerate() {
            let column = &self.search.agents.columns.0[place];
            if number == memory.len() {
                memory.push(Cells::like(&column.data));
            }
            memory[number].fill(column, rows.clone());
        }
        memory
    }

    /// Fills `out`, and leaves each rule's force in `buffers`. `kept` holds the candidate lists that outlast this tick,
    /// if there are any.
    fn steer_chunk(
        &self,
        chunk: usize,
        (modes, patches): (&[ListMode], &[Patch]),
        kept: Option<&mut ChunkLists>,
        buffers: &mut ThreadBuffers<D>,
        memory: &[Cells],
        out: ChunkOutput<'_, '_, D>,
    ) -> Counts {
        let ChunkOutput { steering: out, preferred, displacement } = out;
        buffers.prepare(self.search.plan, self.species.motion.is_some());
        let ThreadBuffers { search: SearchBuffers { sums, finder, lists }, forces, neighbours, active, there, aims } =
            buffers;
        let agents = (self.search.agents.len() - chunk * CHUNK).clamp(0, CHUNK);
        self.activate(chunk, agents, active);
        let lists = self.search.find_candidates(chunk, modes, patches, kept, finder, lists);
        if let (Some(joint), Some(places)) = (&self.search.plan.joint, self.search.agents.mix_rows()) {
            self.mix_sums.take(joint, &places[chunk * CHUNK..][..agents], sums);
        }
        let states = self.search.agents.columns.values::<u32>(Owner::State).unwrap_or_default();
        let states = states.get(chunk * CHUNK..).unwrap_or_default();
        let mut counts = self.search.add_passes(chunk, lists, sums, states);
        self.search.add_across(chunk, sums, states);
        let tally = Cell::default();
        let mut rows = ChunkRows { steering: self, chunk, agents, sums, memory, there, aims, active, tally: &tally };
        for cluster in 0..self.search.clusters_of(chunk) {
            counts.add(&[rows.steer_cluster(cluster, lists, neighbours, forces)]);
        }
        for &slot in &self.search.plan.counters {
            counts.neighbours += total(&rows.sums[slot].count[..agents]);
        }
        rows.steer_all(forces);
        rows.find_idle();
        self.combine(chunk, forces, out);
        if self.species.prefers() {
            self.prefer(chunk, out, preferred);
        }
        self.limit_wishes(chunk, out);
        displacement.iter_mut().for_each(|axis| axis.fill(0.0));
        if self.species.motion.is_some() {
            let velocity = &mut forces[self.species.rules.len()];
            counts.add(&[rows.make_motion(lists, neighbours, (out, displacement), velocity)]);
            self.limit_motion(chunk, out);
        }
        self.carry(chunk, displacement);
        self.hold(chunk, displacement);
        counts.tally = tally.get();
        counts
    }

    /// Fills `preferred` with the velocities that agents have if they follow their rules: their own plus the force
    /// times the response.
    fn prefer(&self, chunk: usize, force: &AxesMut<'_, D>, preferred: &mut AxesMut<'_, D>) {
        for axis in 0..D {
            let velocity = &self.search.agents.velocity[axis][chunk * CHUNK..];
            for ((preferred, velocity), force) in preferred[axis].iter_mut().zip(velocity).zip(&force[axis][..]) {
                *preferred = velocity + force * self.species.response;
            }
        }
    }

    /// Finds the agents for which each rule is active.
    fn activate(&self, chunk: usize, agents: usize, active: &mut Vec<[bool; CHUNK]>) {
        let waits = self.search.agents.columns.time(PRE_MOVEMENT).map(|left| &left[chunk * CHUNK..][..agents]);
        let waits = waits.filter(|left| left.iter().any(|&left| left > 0.0));
        if waits.is_none() && self.search.plan.rules.iter().all(|rule| rule.during == 0) {
            active.clear();
            return;
        }
        // Entries of another species must not disable a rule that is active in every state.
        active.clear();
        active.resize(self.search.plan.rules.len(), [true; CHUNK]);
        let states = self.search.agents.columns.values::<u32>(Owner::State).unwrap_or_default();
        for (rule, active) in self.search.plan.rules.iter().zip(&mut *active).filter(|(rule, _)| rule.during != 0) {
            *active = [false; CHUNK];
            for (active, state) in active.iter_mut().zip(&states[chunk * CHUNK..][..agents]) {
                *active = rule.during >> state & 1 == 1;
            }
        }
        for active in active {
            for (active, &left) in active.iter_mut().zip(waits.unwrap_or_default()) {
                *active &= left <= 0.0;
            }
        }
    }

    /// Records which agents arrived at a target since the last tick, and returns whether any did.
    fn notice_arrivals(&self, chunk: usize, there: &[Cell<bool>], flags: &mut [u32]) -> bool {
        let mut any = false;
        let Some(before) = self.search.agents.columns.values::<u32>(Owner::Flags).filter(|_| !flags.is_empty()) else {
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

    /// Returns each rule's force on one agent, the combined force, and the velocity that the motion chooses, if there is
    /// one.
    pub(super) fn explain(&self, row: usize) -> (Vec<Vector<D>>, Vector<D>, Vector<D>) {
        let (chunk, in_chunk) = (row / CHUNK, row % CHUNK);
        let mut memory = Vec::new();
        let memory = self.recall(chunk, &mut memory);
        let (modes, mut patches) = (vec![ListMode::Fresh; self.search.plan.passes.len()], Vec::new());
        self.search.find_patches(&modes, &mut patches);
        self.buffers.with(|buffers| {
            let mut total: Force<D> = [[0.0; CHUNK]; D];
            let padded = self.search.agents.chunk_rows(chunk).len();
            let mut out = total.each_mut().map(|axis| &mut axis[..padded]);
            let [mut preferred, mut displacement] = [(); 2].map(|()| std::array::from_fn(|_| &mut [][..]));
            let all = ChunkOutput { steering: &mut out, preferred: &mut preferred, displacement: &mut displacement };
            self.steer_chunk(chunk, (&modes, &patches), None, buffers, memory, all);
            let chosen = Vector::from_fn(|axis| out[axis][in_chunk]);
            self.combine(chunk, &buffers.forces, &mut out);
            let forces = &buffers.forces[..self.species.rules.len()];
            let at = |force: &Force<D>| Vector::from_fn(|axis| force[axis][in_chunk]);
            (forces.iter().map(at).collect(), at(&total), chosen)
        })
    }

    /// Combines the forces of all rules.
    fn combine(&self, chunk: usize, forces: &[Force<D>], out: &mut AxesMut<'_, D>) {
        let rows = out[0].len();
        let mut total: Force<D> = [[0.0; CHUNK]; D];
        for (rule, force) in self.species.rules.iter().zip(forces) {
            match self.species.combine {
                Combine::Weighted => add_weighted(self.search.level, &mut total, force, rule.weight),
                Combine::Priority(least) => take_first(self.search.level, &mut total, force, rule.weight, least),
                Combine::Truncated => {
                    let max_force = self.search.agents.body.max_force.of(self.search.agents.chunk_rows(chunk));
                    add_truncated(self.search.level, &mut total, force, rule.weight, max_force, rows);
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
