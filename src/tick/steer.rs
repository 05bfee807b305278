//! Steer: every chunk finds its neighbours and asks its behaviours, in parallel, on frozen state.

use std::sync::Mutex;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::behaviour::{Forces, Neighbour, Neighbourhood, Rows};
use crate::kernels::combine::{Force, add_truncated, add_weighted, take_first};
use crate::kernels::gather::{Candidates, ClusterList, Perceived, Reach, clusters_within, gather};
use crate::kernels::pairs::{COINCIDENT, Observers, Sum, View, add_pairs, coincident_weight};
use crate::kernels::{self, AxesMut, CHUNK, CLUSTER, CLUSTERS};
use crate::noise::{Noise, mix};
use crate::parallel::{Column, Columns, for_each_chunk};
use crate::scene::Scene;
use crate::settings::nearest_image;
use crate::species::{Combine, Species};
use crate::tick::crowd;
use crate::tick::plan::{Pass, Plan, Run, Source};
use crate::vector::Vector;

/// What was counted while a chunk was steered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) candidates: u64,
    pub(crate) neighbours: u64,
    pub(crate) capped: u64,
}

/// What steering one species results in.
#[derive(Debug)]
pub(crate) struct Steered<const D: usize> {
    /// The steering forces, one column per axis.
    pub(crate) force: [Vec<f32>; D],
    /// What the behaviours remember from now on.
    pub(crate) memory: Vec<f32>,
}

impl<const D: usize> Default for Steered<D> {
    fn default() -> Self {
        Self { force: std::array::from_fn(|_| Vec::new()), memory: Vec::new() }
    }
}

impl<const D: usize> Steered<D> {
    fn resize(&mut self, agents: &Agents<D>) {
        for column in &mut self.force {
            column.resize(agents.padded(), 0.0);
        }
        self.memory.clone_from(&agents.memory);
    }
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch<const D: usize> {
    sums: Vec<Sum<D>>,
    forces: Vec<Force<D>>,
    /// Per pass: the chunks near the observers' chunk, and the candidates of the cluster at hand.
    chunks: Vec<Vec<u32>>,
    candidates: Vec<Candidates<D>>,
    clusters: ClusterList,
    nearest: Vec<(u32, u32, u32)>,
    neighbourhood: Neighbourhood<D>,
}

impl<const D: usize> Scratch<D> {
    fn prepare(&mut self, plan: &Plan) {
        if self.sums.len() < plan.slots {
            self.sums.resize(plan.slots, Sum::ZERO);
        }
        for sum in &mut self.sums[..plan.slots] {
            *sum = Sum::ZERO;
        }
        self.forces.resize(plan.sources.len(), [[0.0; CHUNK]; D]);
        while self.chunks.len() < plan.passes.len() {
            self.chunks.push(Vec::new());
            self.candidates.push(Candidates::default());
        }
    }
}

/// The buffers of all threads of a pool. A thread that is asked for a second set while it uses its own (a behaviour
/// may use the pool as well) gets one for the time being.
#[derive(Debug, Default)]
pub(crate) struct Scratches<const D: usize>(Vec<Mutex<Scratch<D>>>);

impl<const D: usize> Scratches<D> {
    /// Sees to it that every thread of the pool has one.
    pub(crate) fn prepare(&mut self) {
        let threads = rayon::current_num_threads();
        if self.0.len() < threads {
            self.0.resize_with(threads, Mutex::default);
        }
    }

    fn with<R>(&self, work: impl FnOnce(&mut Scratch<D>) -> R) -> R {
        let own = rayon::current_thread_index().and_then(|thread| self.0.get(thread)?.try_lock().ok());
        match own {
            Some(mut scratch) => work(&mut scratch),
            None => work(&mut Scratch::default()),
        }
    }
}

/// One species being steered.
#[derive(Debug)]
pub(crate) struct Steering<'a, const D: usize> {
    pub(crate) scene: Scene<'a, D>,
    pub(crate) level: Level,
    pub(crate) species: &'a Species<D>,
    pub(crate) agents: &'a Agents<D>,
    pub(crate) plan: &'a Plan,
    pub(crate) scratches: &'a Scratches<D>,
}

impl<const D: usize> Steering<'_, D> {
    /// Steers every agent, and fills one count per chunk.
    pub(crate) fn steer(&self, steered: &mut Steered<D>, counts: &mut Vec<Counts>) {
        let chunks = self.agents.chunks();
        counts.clear();
        counts.resize(chunks, Counts::default());
        steered.resize(self.agents);
        let Steered { force, memory } = steered;
        let memory = Column(memory, CHUNK * self.agents.memory_width);
        let columns = (Columns::<D, CHUNK>::new(force), memory, Column(counts, 1));
        for_each_chunk(chunks, 1, columns, &|chunk, (mut force, memory, counts)| {
            counts.0[0] = self.scratches.with(|scratch| {
                let counts = self.steer_chunk(chunk, scratch);
                self.combine(chunk, scratch, &mut force.0);
                self.remember(chunk, memory.0);
                counts
            });
        });
    }

    /// Leaves in `scratch` the force that each rule asks for.
    fn steer_chunk(&self, chunk: usize, scratch: &mut Scratch<D>) -> Counts {
        let mut counts = Counts::default();
        scratch.prepare(self.plan);
        let first = chunk * CHUNK;
        let agents = (self.agents.len() - first).clamp(0, CHUNK);
        self.find_chunks(chunk, scratch);
        for cluster in 0..agents.div_ceil(CLUSTER) {
            let lanes = (agents - cluster * CLUSTER).clamp(0, CLUSTER);
            for (number, pass) in self.plan.passes.iter().enumerate() {
                if self.find_candidates(chunk * CLUSTERS + cluster, number, pass, scratch) {
                    counts.capped += lanes as u64;
                }
                counts.candidates += (scratch.candidates[number].len * lanes) as u64;
                for run in &pass.runs {
                    self.add_neighbours(chunk, cluster, pass, run, number, scratch);
                }
            }
            self.steer_by_lists(chunk, cluster, lanes, scratch);
        }
        for &slot in &self.plan.counters {
            counts.neighbours += scratch.sums[slot].count[..agents].iter().map(|&count| count as u64).sum::<u64>();
        }
        self.steer_by_sums(chunk, agents, scratch);
        counts
    }

    /// The chunks within the radius of the observers' chunk, for each pass.
    fn find_chunks(&self, chunk: usize, scratch: &mut Scratch<D>) {
        let envelope = self.agents.index.envelope(chunk);
        let period = self.scene.settings.period();
        for (pass, found) in self.plan.passes.iter().zip(&mut scratch.chunks) {
            self.scene.agents[pass.species].index.chunks_within(&envelope, pass.radius, &period, found);
        }
    }

    /// The agents within the radius of the observers' cluster, for one pass. Where they are more than the cap allows,
    /// those of the nearest clusters, and `true`.
    fn find_candidates(&self, cluster: usize, number: usize, pass: &Pass, scratch: &mut Scratch<D>) -> bool {
        let boxes = &self.agents.index.boxes;
        let reach = Reach {
            centre: std::array::from_fn(|axis| boxes.centre[axis][cluster]),
            half: std::array::from_fn(|axis| boxes.half[axis][cluster]),
            squared: pass.radius * pass.radius,
            period: self.scene.settings.period(),
        };
        let others = &self.scene.agents[pass.species];
        let perceived = Perceived {
            position: kernels::rows(&others.position, 0..others.padded()),
            velocity: kernels::rows(&others.velocity, 0..others.padded()),
            boxes: &others.index.boxes,
        };
        let Scratch { chunks, clusters, candidates, nearest, .. } = scratch;
        let (chunks, candidates) = (&chunks[number], &mut candidates[number]);
        clusters_within(self.level, &reach, perceived.boxes, chunks, clusters);
        let most = self.scene.settings.candidate_cap.unwrap_or(usize::MAX);
        let too_many = gather(self.level, &reach, &perceived, clusters.as_slice(), most, candidates);
        if too_many {
            let own = (pass.species == self.agents.species.number()).then_some(cluster as u32);
            crowd::nearest_clusters(self.level, reach, perceived.boxes, chunks, own, most / CLUSTER, clusters, nearest);
            gather(self.level, &reach, &perceived, clusters.as_slice(), usize::MAX, candidates);
        }
        too_many
    }

    /// Whether a pair within the radius of one of the cluster's agents may lie across a seam.
    fn period(&self, cluster: usize, radius: f32) -> Option<[f32; D]> {
        let period = self.scene.settings.period();
        let boxes = &self.agents.index.boxes;
        let inside = (0..D).all(|axis| {
            let reach = boxes.half[axis][cluster] + radius;
            let centre = boxes.centre[axis][cluster];
            period[axis] == f32::INFINITY || (centre - reach >= 0.0 && centre + reach <= period[axis])
        });
        (!inside).then_some(period)
    }

    /// Adds the candidates of one pass to the sums of one run.
    fn add_neighbours(
        &self,
        chunk: usize,
        cluster: usize,
        pass: &Pass,
        run: &Run,
        number: usize,
        scratch: &mut Scratch<D>,
    ) {
        let rows = self.agents.chunk_rows(chunk);
        let observers = Observers {
            position: kernels::rows(&self.agents.position, rows.clone()),
            velocity: kernels::rows(&self.agents.velocity, rows),
            first: cluster * CLUSTER,
            period: self.period(chunk * CLUSTERS + cluster, pass.radius),
            among: pass.species == self.agents.species.number(),
        };
        let candidates = &scratch.candidates[number];
        add_pairs(self.level, &observers, candidates, &run.terms, &run.slots, &mut scratch.sums);
        if let Some(view) = run.terms.inverse_offsets {
            let sum = &mut scratch.sums[run.slots[0]];
            self.part_coincident(chunk, &observers, pass, view, candidates, sum);
        }
    }

    /// Agents on one point have no direction from each other: one is drawn for each pair, opposite for the other.
    fn part_coincident(
        &self,
        chunk: usize,
        observers: &Observers<'_, D>,
        pass: &Pass,
        view: View,
        candidates: &Candidates<D>,
        sum: &mut Sum<D>,
    ) {
        let met = coincident_weight(usize::from(observers.among));
        for lane in observers.first..observers.first + CLUSTER {
            let weight = std::mem::replace(&mut sum.count[lane], 0.0);
            let row = chunk * CHUNK + lane;
            if weight < met || row >= self.agents.len() {
                continue;
            }
            let me = self.agents.id[row].to_bits();
            let others = &self.scene.agents[pass.species];
            for candidate in 0..candidates.len {
                let them = others.id[candidates.row[candidate] as usize].to_bits();
                let offset = self.offset(row, candidates, candidate);
                let squared = offset.length_squared();
                if them == me || squared >= COINCIDENT || squared > view.radius_squared {
                    continue;
                }
                let (low, high) = if me < them { (me, them) } else { (them, me) };
                let pair = mix(low) ^ high;
                let settings = self.scene.settings;
                let away = Noise::new(settings.seed, pair, self.scene.tick, Noise::COINCIDENT).direction::<D>();
                let away = if me < them { away } else { -away };
                for axis in 0..D {
                    sum.vector[axis][lane] -= away[axis] * (1.0 / COINCIDENT.sqrt());
                }
            }
        }
    }

    /// From the agent at `row` to a candidate, by the same operations as in the pair kernel.
    fn offset(&self, row: usize, candidates: &Candidates<D>, candidate: usize) -> Vector<D> {
        let period = self.scene.settings.period();
        Vector::from_fn(|axis| {
            nearest_image(candidates.position[axis][candidate] - self.agents.position[axis][row], period[axis])
        })
    }

    /// Asks the behaviours that want their neighbours one by one.
    fn steer_by_lists(&self, chunk: usize, cluster: usize, lanes: usize, scratch: &mut Scratch<D>) {
        for (rule, entry) in self.species.rules.iter().enumerate() {
            if self.plan.sources[rule] != Source::Neighbours {
                continue;
            }
            let Scratch { neighbourhood, candidates, forces, .. } = scratch;
            neighbourhood.ends.clear();
            neighbourhood.neighbours.clear();
            for lane in 0..lanes {
                let row = chunk * CHUNK + cluster * CLUSTER + lane;
                for (pass, candidates) in self.plan.passes.iter().zip(&*candidates) {
                    if let Some((_, view)) = pass.lists.iter().find(|(listener, _)| *listener == rule) {
                        self.list(row, pass, *view, candidates, &mut neighbourhood.neighbours);
                    }
                }
                neighbourhood.ends.push(neighbourhood.neighbours.len());
            }
            let rows =
                Rows { first: cluster * CLUSTER, neighbourhood: Some(neighbourhood), ..self.rows(chunk, rule, lanes) };
            entry.behaviour.steer_rows(&rows, &mut Forces(&mut forces[rule]));
        }
    }

    /// Appends whom the agent at `row` sees among the candidates.
    fn list(
        &self,
        row: usize,
        pass: &Pass,
        view: View,
        candidates: &Candidates<D>,
        neighbours: &mut Vec<Neighbour<D>>,
    ) {
        let species = self.scene.agents[pass.species].species;
        let velocity = self.agents.velocity(row);
        let threshold = view.cosine_squared * velocity.length_squared();
        for candidate in 0..candidates.len {
            let their_row = candidates.row[candidate] as usize;
            let offset = self.offset(row, candidates, candidate);
            let distance_squared = offset.length_squared();
            let along = velocity.dot(offset);
            let seen = distance_squared <= view.radius_squared && along * along.abs() >= threshold * distance_squared;
            if seen && (their_row != row || species != self.agents.species) {
                let velocity = Vector::from_fn(|axis| candidates.velocity[axis][candidate]);
                neighbours.push(Neighbour { offset, distance_squared, velocity, species, row: their_row });
            }
        }
    }

    /// Asks the behaviours that read sums, or only their own agent and the world.
    fn steer_by_sums(&self, chunk: usize, agents: usize, scratch: &mut Scratch<D>) {
        for (rule, entry) in self.species.rules.iter().enumerate() {
            let sum = match self.plan.sources[rule] {
                Source::World => None,
                Source::Sum(slot) => Some(&scratch.sums[slot]),
                Source::Neighbours => continue,
            };
            let rows = Rows { sum, ..self.rows(chunk, rule, agents) };
            entry.behaviour.steer_rows(&rows, &mut Forces(&mut scratch.forces[rule]));
        }
    }

    /// The rows of a chunk from the first on, as one rule sees them.
    fn rows(&self, chunk: usize, rule: usize, len: usize) -> Rows<'_, D> {
        Rows {
            scene: self.scene,
            level: self.level,
            agents: self.agents,
            response: self.species.response,
            chunk: chunk * CHUNK,
            first: 0,
            len,
            sum: None,
            neighbourhood: None,
            memory: self.plan.memory[rule],
        }
    }

    /// Brings up to date what the behaviours remember.
    fn remember(&self, chunk: usize, memory: &mut [f32]) {
        let agents = (self.agents.len() - chunk * CHUNK).clamp(0, CHUNK);
        for (rule, entry) in self.species.rules.iter().enumerate() {
            let (start, len) = self.plan.memory[rule];
            if len == 0 {
                continue;
            }
            let rows = self.rows(chunk, rule, agents);
            for (me, memory) in rows.iter().zip(memory.chunks_mut(self.agents.memory_width)) {
                entry.behaviour.remember(&me, &mut memory[start..start + len]);
            }
        }
    }

    /// Makes one force of those of all rules.
    fn combine(&self, chunk: usize, scratch: &Scratch<D>, out: &mut AxesMut<'_, D>) {
        let rows = out[0].len();
        let mut total: Force<D> = [[0.0; CHUNK]; D];
        for (rule, force) in self.species.rules.iter().zip(&scratch.forces) {
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
