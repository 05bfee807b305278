//! Steer: every chunk finds its neighbours and asks its behaviours, in parallel, on frozen state.

use std::sync::Mutex;

use fearless_simd::Level;

use crate::agents::{Agents, FLAGS, STATE, flag};
use crate::behaviour::{Forces, Rows};
use crate::events::Event;
use crate::kernels::combine::{Force, add_truncated, add_weighted, take_first};
use crate::kernels::confine::all_finite;
use crate::kernels::pairs::Sum;
use crate::kernels::{AxesMut, CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::parallel::{Column, Columns, for_each_chunk};
use crate::scene::Scene;
use crate::species::{Combine, Species};
use crate::tick::candidates::{ChunkLists, Finder};
use crate::tick::keep::Mode;
use crate::tick::neighbours::NeighbourLists;
use crate::tick::plan::{Plan, Source};

/// What was counted while a chunk was steered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) candidates: u64,
    pub(crate) neighbours: u64,
    pub(crate) capped: u64,
    /// Whether a list of candidates is too long to be kept.
    pub(crate) crowded: bool,
    /// How many agents arrived somewhere.
    pub(crate) arrived: u64,
}

/// What steering one species results in.
#[derive(Debug)]
pub(crate) struct Steered<const D: usize> {
    /// The steering forces, one column per axis.
    pub(crate) force: [Vec<f32>; D],
    /// The chunks that have a force that is not finite.
    pub(crate) sick: Vec<bool>,
    /// What the behaviours remember from now on.
    pub(crate) memory: Vec<f32>,
    /// The candidates of each chunk, where they are kept from tick to tick.
    lists: Vec<ChunkLists>,
}

impl<const D: usize> Default for Steered<D> {
    fn default() -> Self {
        let force = std::array::from_fn(|_| Vec::new());
        Self { force, sick: Vec::new(), memory: Vec::new(), lists: Vec::new() }
    }
}

impl<const D: usize> Steered<D> {
    /// Tells who arrived somewhere, in row order.
    pub(crate) fn tell_arrivals(&self, agents: &Agents<D>, counts: &[Counts], events: &mut Vec<Event>) {
        for (chunk, _) in counts.iter().enumerate().filter(|(_, counts)| counts.arrived > 0) {
            for row in agents.chunk_rows(chunk) {
                let flags = self.memory[row * agents.memory_width + FLAGS] as u32;
                if let Some(&agent) = agents.id.get(row).filter(|_| flags & flag::ARRIVED != 0) {
                    events.push(Event::Arrived { agent, species: agents.species });
                }
            }
        }
    }

    fn resize(&mut self, agents: &Agents<D>, mode: Mode) {
        if mode != Mode::Fresh {
            self.lists.resize_with(agents.chunks(), ChunkLists::default);
        }
        for column in &mut self.force {
            column.resize(agents.padded(), 0.0);
        }
        self.sick.resize(agents.chunks(), false);
        self.memory.clone_from(&agents.memory);
    }
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch<const D: usize> {
    sums: Vec<Sum<D>>,
    forces: Vec<Force<D>>,
    finder: Finder<D>,
    lists: ChunkLists,
    list: NeighbourLists<D>,
}

impl<const D: usize> Scratch<D> {
    fn prepare(&mut self, plan: &Plan) {
        if self.sums.len() < plan.slots {
            self.sums.resize(plan.slots, Sum::ZERO);
        }
        for sum in &mut self.sums[..plan.slots] {
            *sum = Sum::ZERO;
        }
        // A behaviour need not say anything about every agent.
        self.forces.clear();
        self.forces.resize(plan.sources.len(), [[0.0; CHUNK]; D]);
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
    pub(crate) mode: Mode,
}

impl<const D: usize> Steering<'_, D> {
    /// Steers every agent, and fills one count per chunk.
    pub(crate) fn steer(&self, steered: &mut Steered<D>, counts: &mut Vec<Counts>) {
        let chunks = self.agents.chunks();
        counts.clear();
        counts.resize(chunks, Counts::default());
        steered.resize(self.agents, self.mode);
        let Steered { force, sick, memory, lists } = steered;
        let (memory, lists) = (Column(memory, CHUNK * self.agents.memory_width), Column(lists, 1));
        let columns = ((Columns::<D, CHUNK>::new(force), Column(sick, 1), memory), (lists, Column(counts, 1)));
        for_each_chunk(chunks, 1, columns, &|chunk, ((mut force, sick, memory), (lists, counts))| {
            counts.0[0] = self.scratches.with(|scratch| {
                let counts = self.steer_chunk(chunk, lists.0.first_mut(), scratch);
                self.combine(chunk, scratch, &mut force.0);
                sick.0[0] = !force.0.iter().all(|column| all_finite(self.level, column));
                self.remember(chunk, memory.0);
                Counts { arrived: self.notice_arrivals(chunk, memory.0), ..counts }
            });
        });
    }

    /// Leaves in `scratch` the force that each rule asks for. `kept` are the lists of candidates that last longer than
    /// this tick, if there are any.
    fn steer_chunk(&self, chunk: usize, kept: Option<&mut ChunkLists>, scratch: &mut Scratch<D>) -> Counts {
        scratch.prepare(self.plan);
        let Scratch { sums, forces, finder, lists, list } = scratch;
        let lists = match (self.mode, kept) {
            (Mode::Keep, Some(kept)) => kept,
            (Mode::Build(skin), Some(kept)) => {
                self.find_candidates(chunk, skin, finder, kept);
                kept
            }
            _ => {
                self.find_candidates(chunk, 0.0, finder, lists);
                lists
            }
        };
        let mut counts = Counts { crowded: lists.crowded, ..Counts::default() };
        let agents = (self.agents.len() - chunk * CHUNK).clamp(0, CHUNK);
        for (number, pass) in self.plan.passes.iter().enumerate() {
            let candidates = lists.candidates(number, &self.scene.agents[pass.species]);
            for cluster in 0..self.clusters_of(chunk) {
                let lanes = (agents - cluster * CLUSTER).clamp(0, CLUSTER);
                let mates = if self.looks_at_own(pass) { lanes } else { 0 };
                counts.candidates += ((candidates.of(cluster).len() + mates) * lanes) as u64;
                counts.capped += if lists.capped(number, cluster) { lanes as u64 } else { 0 };
            }
            let seams = self.agents.index.seams(chunk, pass.radius, &self.scene.settings.period());
            let observers = self.observers(chunk, pass, seams);
            for run in &pass.runs {
                self.add_neighbours(chunk, &observers, &candidates, pass, run, sums);
            }
        }
        for cluster in 0..self.clusters_of(chunk) {
            counts.neighbours += self.steer_by_lists(chunk, cluster, lists, list, forces);
        }
        for &slot in &self.plan.counters {
            counts.neighbours += total(&sums[slot].count[..agents]);
        }
        self.steer_by_sums(chunk, agents, sums, forces);
        self.silence(chunk, agents, forces);
        counts
    }

    /// Asks the behaviours that want their neighbours one by one. Tells how many there are that no sum counts.
    fn steer_by_lists(
        &self,
        chunk: usize,
        cluster: usize,
        lists: &ChunkLists,
        list: &mut NeighbourLists<D>,
        forces: &mut [Force<D>],
    ) -> u64 {
        let first = cluster * CLUSTER;
        let lanes = (self.agents.len() - chunk * CHUNK - first).clamp(0, CLUSTER);
        let mut uncounted = 0;
        for (rule, entry) in self.species.rules.iter().enumerate() {
            if self.plan.sources[rule] != Source::Neighbours {
                continue;
            }
            list.neighbourhood.iter_mut().for_each(Vec::clear);
            for (number, pass) in self.plan.passes.iter().enumerate() {
                if let Some((_, view)) = pass.lists.iter().find(|(listener, _)| *listener == rule) {
                    let candidates = lists.candidates(number, &self.scene.agents[pass.species]);
                    let listed = self.list(chunk, cluster, pass, *view, candidates.of(cluster), list);
                    uncounted += if pass.counted_by == Some(rule) { listed } else { 0 };
                }
            }
            let rows = Rows { first, neighbourhood: Some(&list.neighbourhood), ..self.rows(chunk, rule, lanes) };
            entry.behaviour.steer_rows(&rows, &mut Forces(&mut forces[rule]));
        }
        uncounted
    }

    /// Asks the behaviours that read sums, or only their own agent and the world.
    fn steer_by_sums(&self, chunk: usize, agents: usize, sums: &[Sum<D>], forces: &mut [Force<D>]) {
        for (rule, entry) in self.species.rules.iter().enumerate() {
            let sum = match self.plan.sources[rule] {
                Source::World => None,
                Source::Sum(slot) => Some(&sums[slot]),
                Source::Neighbours => continue,
            };
            let rows = Rows { sum, ..self.rows(chunk, rule, agents) };
            entry.behaviour.steer_rows(&rows, &mut Forces(&mut forces[rule]));
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

    /// Takes back what rules ask for that are silent in an agent's state.
    fn silence(&self, chunk: usize, agents: usize, forces: &mut [Force<D>]) {
        for (&during, force) in self.plan.during.iter().zip(forces).filter(|(during, _)| **during != 0) {
            for row in 0..agents {
                let state = self.agents.remembered(chunk * CHUNK + row, STATE) as u32;
                if during >> state & 1 == 0 {
                    for axis in &mut *force {
                        axis[row] = 0.0;
                    }
                }
            }
        }
    }

    /// Notes who came to a target since the last tick, and tells how many did.
    fn notice_arrivals(&self, chunk: usize, memory: &mut [f32]) -> u64 {
        let mut arrived = 0;
        if self.plan.arrivals.is_empty() {
            return arrived;
        }
        let agents = (self.agents.len() - chunk * CHUNK).clamp(0, CHUNK);
        for (in_chunk, memory) in (0..agents).zip(memory.chunks_mut(self.agents.memory_width)) {
            let there = self.plan.arrivals.iter().any(|&rule| {
                let speaks = self.plan.during[rule] == 0 || self.plan.during[rule] >> memory[STATE] as u32 & 1 == 1;
                let rows = self.rows(chunk, rule, agents);
                speaks && self.species.rules[rule].behaviour.is_there(&rows.at(in_chunk))
            });
            let before = memory[FLAGS] as u32;
            let now = match (there, before & flag::THERE != 0) {
                (true, false) => before | flag::THERE | flag::ARRIVED,
                (true, true) => before,
                (false, _) => before & !flag::THERE,
            };
            arrived += u64::from(now & flag::ARRIVED != 0);
            memory[FLAGS] = now as f32;
        }
        arrived
    }

    /// The force that each rule asks for and what they come to together, for one agent.
    pub(crate) fn explain(&self, row: usize) -> (Vec<Vector<D>>, Vector<D>) {
        let (chunk, in_chunk) = (row / CHUNK, row % CHUNK);
        self.scratches.with(|scratch| {
            self.steer_chunk(chunk, None, scratch);
            let forces = scratch.forces.iter().map(|force| Vector::from_fn(|axis| force[axis][in_chunk])).collect();
            let rows = self.agents.chunk_rows(chunk).len();
            let mut total: [[f32; CHUNK]; D] = [[0.0; CHUNK]; D];
            self.combine(chunk, scratch, &mut total.each_mut().map(|axis| &mut axis[..rows]));
            (forces, Vector::from_fn(|axis| total[axis][in_chunk]))
        })
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
