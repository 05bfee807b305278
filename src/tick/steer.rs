//! Steer: every chunk finds its neighbours and asks its rules, in parallel, on frozen state.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use fearless_simd::Level;

use crate::agents::{Agents, flag};
use crate::behaviour::{Forces, Names, Neighbourhood, Rows};
use crate::columns::{Cells, Data, Owner, write_back};
use crate::events::Event;
use crate::kernels::combine::{Force, add_truncated, add_weighted, take_first};
use crate::kernels::confine::all_finite;
use crate::kernels::pairs::{Observers, Sum};
use crate::kernels::view::Views;
use crate::kernels::{AxesMut, CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::parallel::{Column, Columns, for_each_chunk};
use crate::places::Places;
use crate::scene::Scene;
use crate::species::{Combine, Species};
use crate::tick::candidates::{ChunkLists, Finder, TickLists};
use crate::tick::keep::{Kept, Mode};
use crate::tick::mix::MixSums;
use crate::tick::neighbours::NeighbourLists;
use crate::tick::patches::Patch;
use crate::tick::plan::{Plan, RulePlan};

/// What was counted while a chunk was steered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) candidates: u64,
    pub(crate) neighbours: u64,
    pub(crate) capped: u64,
    /// Whether an agent of the chunk arrived at a target.
    pub(crate) arrived: bool,
}

/// The results of steering one species, and the lists kept for later ticks.
#[derive(Debug)]
pub(crate) struct Steered<const D: usize> {
    /// The steering forces, or the velocities if the species has a motion, one column per axis.
    pub(crate) force: [Vec<f32>; D],
    /// Whether each chunk has a force that is not finite.
    pub(crate) not_finite: Vec<bool>,
    /// What rules remember from now on: for each chunk, the columns of the plan. The mutex is never locked: it only
    /// makes the cells, and so the world, shareable among threads.
    memory: Mutex<Vec<Vec<Cells>>>,
    /// The flags of agents, arrivals included.
    flags: Vec<u32>,
    /// The candidates of each chunk that are kept from tick to tick.
    lists: Vec<ChunkLists>,
    /// For each pass, what rows out of place add to the lists.
    patches: Vec<Patch>,
    /// For each pass, whether lists were kept and how this tick finds candidates.
    pub(crate) kept: Vec<Kept>,
    pub(crate) modes: Vec<Mode>,
}

impl<const D: usize> Default for Steered<D> {
    fn default() -> Self {
        Self {
            force: std::array::from_fn(|_| Vec::new()),
            not_finite: Vec::new(),
            memory: Mutex::default(),
            flags: Vec::new(),
            lists: Vec::new(),
            patches: Vec::new(),
            kept: Vec::new(),
            modes: Vec::new(),
        }
    }
}

impl<const D: usize> Steered<D> {
    /// Sets the forces on `agents` agents to zero.
    pub(crate) fn start(&mut self, agents: usize) {
        for column in &mut self.force {
            column.clear();
            column.resize(agents, 0.0);
        }
    }

    /// Makes room for the force of an agent that was added.
    pub(crate) fn push(&mut self, row: usize) {
        for column in &mut self.force {
            column.truncate(row);
            column.resize(row + 1, 0.0);
        }
    }

    /// Removes an agent's force; the last one moves into its row.
    pub(crate) fn swap_remove(&mut self, row: usize, last: usize) {
        for column in &mut self.force {
            column.resize(last + 1, 0.0);
            column.swap_remove(row);
        }
    }

    /// Stores what rules remember and the flags with the agents, and reports arrivals in row order.
    pub(crate) fn take_over(&mut self, agents: &mut Agents<D>, plan: &Plan, arrived: &[bool], events: &mut Vec<Event>) {
        let memory = self.memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (number, &place) in plan.memory.iter().enumerate() {
            write_back(&mut agents.columns.0[place], number, memory, CHUNK);
        }
        if !plan.arrives() {
            return;
        }
        if let Some(flags) = agents.columns.of_mut(Owner::Flags)
            && let Data::U32(flags) = &mut flags.data
        {
            std::mem::swap(flags, &mut self.flags);
        }
        let flags = agents.columns.values::<u32>(Owner::Flags).unwrap_or_default();
        for (chunk, _) in arrived.iter().enumerate().filter(|(_, arrived)| **arrived) {
            for row in agents.chunk_rows(chunk) {
                if let Some(&agent) = agents.id.get(row).filter(|_| flags[row] & flag::ARRIVED != 0) {
                    events.push(Event::Arrived { agent, species: agents.species });
                }
            }
        }
    }

    fn resize(&mut self, agents: &Agents<D>, plan: &Plan) {
        if self.modes.iter().any(|mode| *mode != Mode::Fresh) {
            self.lists.resize_with(agents.chunks(), ChunkLists::default);
        }
        for column in &mut self.force {
            column.resize(agents.padded(), 0.0);
        }
        self.not_finite.resize(agents.chunks(), false);
        let memory = self.memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        memory.resize_with(if plan.memory.is_empty() { 0 } else { agents.chunks() }, Vec::new);
        self.flags.resize(if plan.arrives() { agents.len() } else { 0 }, 0);
    }
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch<const D: usize> {
    pub(crate) sums: Vec<Sum<D>>,
    forces: Vec<Force<D>>,
    pub(crate) finder: Finder<D>,
    pub(crate) lists: ChunkLists,
    neighbours: NeighbourLists<D>,
    /// For each rule limited to some states, the agents of the chunk for which it is active.
    active: Vec<[bool; CHUNK]>,
    there: Vec<Cell<bool>>,
}

impl<const D: usize> Scratch<D> {
    fn prepare(&mut self, plan: &Plan) {
        if self.sums.len() < plan.slots {
            self.sums.resize(plan.slots, Sum::ZERO);
        }
        for sum in &mut self.sums[..plan.slots] {
            *sum = Sum::ZERO;
        }
        // A rule need not set the force of every agent.
        self.forces.clear();
        self.forces.resize(plan.rules.len(), [[0.0; CHUNK]; D]);
        self.there.clear();
        self.there.resize(if plan.arrives() { CHUNK } else { 0 }, Cell::new(false));
    }
}

/// The buffers of all threads of a pool. A thread that needs a second set while its own is in use (a rule may use the
/// pool as well) gets a temporary one.
#[derive(Debug, Default)]
pub(crate) struct Scratches<const D: usize>(Vec<Mutex<Scratch<D>>>);

impl<const D: usize> Scratches<D> {
    /// Ensures that every thread of the pool has a set.
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
    pub(crate) own: &'a Places<D>,
    pub(crate) plan: &'a Plan,
    /// The names that each rule, and the motion, refers to.
    pub(crate) names: &'a [Names<D>],
    pub(crate) scratches: &'a Scratches<D>,
    /// The sums over neighbours in the mix.
    pub(crate) mix_sums: &'a MixSums<D>,
    /// The limit on the candidates of crowded clusters, if there is one.
    pub(crate) most: Option<usize>,
}

impl<const D: usize> Steering<'_, D> {
    /// Steers every agent, and fills `counts` with one entry per chunk.
    pub(crate) fn steer(&self, steered: &mut Steered<D>, counts: &mut Vec<Counts>) {
        let chunks = self.agents.chunks();
        counts.clear();
        counts.resize(chunks, Counts::default());
        steered.resize(self.agents, self.plan);
        let Steered { force, not_finite, memory, flags, lists, patches, modes, .. } = steered;
        self.find_patches(modes, patches);
        let memory = memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        let columns = (
            (Columns::<D, CHUNK>::new(force), Column(not_finite, 1), Column(memory, 1)),
            (Column(flags, CHUNK), Column(lists, 1), Column(counts, 1)),
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
        (modes, patches): (&[Mode], &[Patch]),
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
        if let (Some(joint), Some(places)) = (&self.plan.joint, self.agents.mix_places()) {
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
        views: impl Fn(usize) -> Option<Views>,
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
            let period = self.scene.settings.period();
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
        let (modes, mut patches) = (vec![Mode::Fresh; self.plan.passes.len()], Vec::new());
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

/// The rows of a chunk, for which its rules run one after the other.
struct ChunkRows<'a, 's, const D: usize> {
    steering: &'a Steering<'s, D>,
    chunk: usize,
    /// The number of agents.
    agents: usize,
    sums: &'a mut [Sum<D>],
    memory: &'a [Cells],
    there: &'a [Cell<bool>],
    active: &'a [[bool; CHUNK]],
}

impl<const D: usize> ChunkRows<'_, '_, D> {
    /// Lists the neighbours of a cluster's agents, forms the sums over the nearest, and runs the rules that look at
    /// neighbours one by one. Returns the number of neighbours that no sum counts.
    fn steer_cluster(
        &mut self,
        cluster: usize,
        lists: TickLists<'_>,
        neighbours: &mut NeighbourLists<D>,
        forces: &mut [Force<D>],
    ) -> u64 {
        let plan = self.steering.plan;
        if plan.lists.is_empty() {
            return 0;
        }
        let uncounted = self.steering.list_all(self.chunk, cluster, lists, neighbours, Some(self.sums));
        for (number, rule) in self.steering.species.rules.iter().enumerate() {
            if let Some(rows) = self.cluster_rows(number, cluster, &neighbours.lists) {
                let (first, len) = (rows.first, rows.len);
                rule.behaviour.steer_rows(&rows, &mut Forces { forces: &mut forces[number], first, len });
            }
        }
        uncounted
    }

    /// Runs the rules that do not look at neighbours one by one.
    fn steer_all(&self, forces: &mut [Force<D>]) {
        for (number, rule) in self.steering.species.rules.iter().enumerate() {
            let plan = &self.steering.plan.rules[number];
            let active = self.active.get(number);
            let force = &mut forces[number];
            if plan.lists.is_empty() && active.is_none_or(|active| active.contains(&true)) {
                let rows = self.rows(plan, number, 0, self.agents, &[]);
                rule.behaviour.steer_rows(&rows, &mut Forces { forces: force, first: 0, len: self.agents });
            }
            // A rule that steers many agents at once may ignore for which it is active.
            if let Some(active) = active.filter(|_| plan.during != 0) {
                for row in (0..self.agents).filter(|&row| !active[row]) {
                    force.iter_mut().for_each(|axis| axis[row] = 0.0);
                }
            }
        }
    }

    /// Runs the species' motion, which turns the rules' forces into velocities.
    fn make_motion(
        &mut self,
        lists: TickLists<'_>,
        neighbours: &mut NeighbourLists<D>,
        out: &mut AxesMut<'_, D>,
        velocity: &mut Force<D>,
    ) {
        let Some(motion) = &self.steering.species.motion else { return };
        for axis in 0..D {
            velocity[axis][..out[axis].len()].copy_from_slice(out[axis]);
        }
        let number = self.steering.species.rules.len();
        let plan = &self.steering.plan.rules[number];
        if plan.lists.is_empty() {
            let rows = self.rows(plan, number, 0, self.agents, &[]);
            motion.velocities(&rows, &mut Forces { forces: velocity, first: 0, len: self.agents });
        } else {
            for cluster in 0..self.steering.clusters_of(self.chunk) {
                self.steering.list_all(self.chunk, cluster, lists, neighbours, None);
                if let Some(rows) = self.cluster_rows(number, cluster, &neighbours.lists) {
                    let (first, len) = (rows.first, rows.len);
                    motion.velocities(&rows, &mut Forces { forces: velocity, first, len });
                }
            }
        }
        for axis in 0..D {
            out[axis].copy_from_slice(&velocity[axis][..out[axis].len()]);
        }
    }

    /// Returns the rows of a cluster for a rule that looks at neighbours one by one; none if it is not active there.
    fn cluster_rows<'r>(&'r self, number: usize, cluster: usize, lists: &'r [Neighbourhood]) -> Option<Rows<'r, D>> {
        let plan = &self.steering.plan.rules[number];
        let first = cluster * CLUSTER;
        let len = (self.agents - first).clamp(0, CLUSTER);
        let speaks = self.active.get(number).is_none_or(|active| active[first..first + len].contains(&true));
        (!plan.lists.is_empty() && speaks).then(|| self.rows(plan, number, first, len, &lists[plan.lists.clone()]))
    }

    fn rows<'r>(
        &'r self,
        plan: &RulePlan,
        number: usize,
        first: usize,
        len: usize,
        lists: &'r [Neighbourhood],
    ) -> Rows<'r, D> {
        Rows {
            scene: self.steering.scene,
            level: self.steering.level,
            agents: self.steering.agents,
            response: self.steering.species.response,
            chunk: self.chunk * CHUNK,
            first,
            len,
            sums: &self.sums[plan.sums.clone()],
            lists,
            memory: &self.memory[plan.memory.clone()],
            kept: plan.kept,
            names: &self.steering.names[number],
            there: if plan.arrives { self.there } else { &[] },
            active: self.active.get(number).map_or(&[], |active| &active[..]),
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
