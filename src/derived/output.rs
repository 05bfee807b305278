//! The results of steering one species, and its lists that outlast a tick.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::agents::columns::{Cells, Data, Owner, keep_entries, write_back};
use crate::agents::events::Event;
use crate::agents::first_touch::resize;
use crate::agents::{Agents, flag};
use crate::base::settings::LIMIT;
use crate::kernels::CHUNK;
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::neighbour_lists::lists::ChunkLists;
use crate::neighbour_lists::patches::Patch;
use crate::neighbour_lists::plan::Plan;
use crate::neighbour_lists::sums::Counts;
use crate::species::Species;

/// The largest size of a component of steering: of a velocity in metres per second for a species with a motion, else of
/// a force in newtons, whose effect the largest speed limits.
pub(crate) fn largest_steering(motion: bool) -> f32 {
    if motion { LIMIT } else { f32::MAX }
}

/// The results of steering one species, and the lists kept for later ticks.
#[derive(Debug)]
pub(crate) struct SteeringOutput<const D: usize> {
    /// The steering forces, or the velocities if the species has a motion, one column per axis.
    pub(crate) force: [Vec<f32>; D],
    /// The velocities that the rules want, one column per axis; empty if the species has no motion of its own.
    pub(crate) preferred: [Vec<f32>; D],
    /// Displacements of agents in addition to their velocities, one column per axis; empty if neither the motion nor a
    /// zone displaces agents.
    pub(crate) displacement: [Vec<f32>; D],
    /// Whether each chunk has a force or velocity that the tick must discard.
    pub(crate) too_large: Vec<bool>,
    /// The memory of rules after this tick: for each chunk, the columns of the plan. The mutex is never locked: it only
    /// makes the cells, and so the world, shareable among threads.
    pub(crate) memory: Mutex<Vec<Vec<Cells>>>,
    /// The flags of agents, arrivals included.
    pub(crate) flags: Vec<u32>,
    /// The candidates of each chunk that are kept from tick to tick.
    pub(crate) lists: Vec<ChunkLists>,
    /// For each pass, the additions of strays to the lists.
    pub(crate) patches: Vec<Patch>,
    /// The counts of each chunk.
    pub(crate) counts: Vec<Counts>,
}

impl<const D: usize> Default for SteeringOutput<D> {
    fn default() -> Self {
        Self {
            force: std::array::from_fn(|_| Vec::new()),
            preferred: std::array::from_fn(|_| Vec::new()),
            displacement: std::array::from_fn(|_| Vec::new()),
            too_large: Vec::new(),
            memory: Mutex::default(),
            flags: Vec::new(),
            lists: Vec::new(),
            patches: Vec::new(),
            counts: Vec::new(),
        }
    }
}

impl<const D: usize> SteeringOutput<D> {
    /// The columns that have a value for each agent.
    fn columns(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        let others = self.preferred.iter_mut().chain(&mut self.displacement);
        self.force.iter_mut().chain(others.filter(|column| !column.is_empty()))
    }

    /// Sets the forces on `agents` agents to zero. Their pages are left untouched if they are many.
    pub(crate) fn start(&mut self, agents: usize) {
        self.preferred.iter_mut().chain(&mut self.displacement).for_each(Vec::clear);
        self.force.iter_mut().for_each(|column| *column = vec![0.0; agents]);
    }

    /// Discards the lists of all chunks but these.
    pub(crate) fn keep_lists(&mut self, chunks: Range<usize>) {
        let others = self.lists.iter_mut().enumerate().filter(|(chunk, _)| !chunks.contains(chunk));
        others.for_each(|(_, lists)| *lists = ChunkLists::default());
    }

    /// Gives back the memory of all forces.
    pub(crate) fn keep_no_forces(&mut self) {
        self.columns().for_each(|column| keep_entries(column, 0..0));
    }

    /// Makes room for the results of an agent that was added.
    pub(crate) fn push(&mut self, row: usize) {
        self.columns().for_each(|column| {
            column.truncate(row);
            column.resize(row + 1, 0.0);
        });
    }

    /// Removes an agent's results; the results of the last agent move into its row.
    pub(crate) fn swap_remove(&mut self, row: usize, last: usize) {
        self.columns().for_each(|column| {
            column.resize(last + 1, 0.0);
            column.swap_remove(row);
        });
    }

    /// Stores the memory of rules with the agents.
    pub(crate) fn remember(&mut self, agents: &mut Agents<D>, plan: &Plan) {
        let memory = self.memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (number, &place) in plan.memory.iter().enumerate() {
            write_back(&mut agents.columns.0[place], number, memory, CHUNK);
        }
    }

    /// Stores the flags with the agents, and reports arrivals in row order.
    pub(crate) fn take_over(&mut self, agents: &mut Agents<D>, plan: &Plan, arrived: &[bool], events: &mut Vec<Event>) {
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

    /// Makes room for the results of one tick.
    pub(crate) fn resize(
        &mut self,
        agents: &Agents<D>,
        plan: &Plan,
        (species, is_carried): (&Species<D>, bool),
        modes: &[ListMode],
    ) {
        if modes.iter().any(|mode| *mode != ListMode::Fresh) {
            self.lists.resize_with(agents.chunks(), ChunkLists::default);
        }
        for column in &mut self.force {
            resize(column, agents.padded());
        }
        for column in &mut self.preferred {
            resize(column, if species.prefers() { agents.padded() } else { 0 });
        }
        for column in &mut self.displacement {
            resize(column, if is_carried || species.displaces() { agents.padded() } else { 0 });
        }
        self.too_large.clear();
        self.too_large.resize(agents.chunks(), false);
        let memory = self.memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        memory.resize_with(if plan.memory.is_empty() { 0 } else { agents.chunks() }, Vec::new);
        self.flags.resize(if plan.arrives() { agents.len() } else { 0 }, 0);
    }
}
