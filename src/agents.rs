//! Where are the agents of one species, how do they move, and what are their bodies? One column per quantity.
//!
//! ```text
//! row        0     1     2  ...  15 | 16 ...          | 255 | 256 ...
//!            |---- cluster of 16 ---|---- cluster ----|     |
//!            |-------------- chunk of 256 ------------------|---- chunk ...
//! position   x0    x1    x2 ...                              one f32 column per axis,
//! velocity   vx0   vx1   vx2 ...                             padded to whole clusters
//! id         i0    i1    i2 ...
//! body       one number for the whole species, or a column where it varies
//! ```
//!
//! What is remembered of an agent stands in one piece:
//!
//! ```text
//! memory of a row   | state | seconds in it | flags | regions | variable 0 ... | behaviours ...
//! ```
//!
//! Rows are kept in a space order, so that a cluster is a small patch of the world (see `tick/arrange.rs`).

use crate::ids::{AgentId, SpeciesId};
use crate::index::Index;
use crate::kernels::{self, CHUNK, CLUSTER};
use crate::maths::Vector;

/// Numbers that are remembered of an agent before variables.
pub(crate) const HEADER: usize = 4;
/// The place of the number of its state.
pub(crate) const STATE: usize = 0;
/// The place of the seconds that it has been in its state.
pub(crate) const SECONDS: usize = 1;
/// The place of its flags.
pub(crate) const FLAGS: usize = 2;
/// The place of the regions that it is in: one bit for each.
pub(crate) const REGIONS: usize = 3;

/// What happened to an agent, one bit for each; as a number that a column of floats holds exactly.
pub(crate) mod flag {
    /// It caught somebody in the last tick.
    pub(crate) const CAUGHT: u32 = 1;
    /// It was caught in the last tick.
    pub(crate) const WAS_CAUGHT: u32 = 2;
    /// It arrived in the last tick.
    pub(crate) const ARRIVED: u32 = 4;
    /// It is at its target.
    pub(crate) const THERE: u32 = 8;
}

/// A quantity of each agent of a species: one number while it is the same for all, a column from the first that
/// differs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Varying {
    Same(f32),
    Each(Vec<f32>),
}

impl Varying {
    pub(crate) fn get(&self, row: usize) -> f32 {
        match self {
            Self::Same(value) => *value,
            Self::Each(column) => column[row],
        }
    }

    /// Gives one agent a value of its own.
    pub(crate) fn set(&mut self, row: usize, value: f32, padded: usize) {
        match self {
            Self::Same(same) if *same == value => {}
            Self::Same(same) => {
                let mut column = vec![*same; padded];
                column[row] = value;
                *self = Self::Each(column);
            }
            Self::Each(column) => column[row] = value,
        }
    }

    /// The values of `rows`.
    #[inline]
    pub(crate) fn of(&self, rows: std::ops::Range<usize>) -> kernels::combine::Quantity<'_> {
        match self {
            Self::Same(value) => kernels::combine::Quantity::Same(*value),
            Self::Each(column) => kernels::combine::Quantity::Each(&column[rows]),
        }
    }

    fn resize(&mut self, padded: usize, value: f32) {
        if let Self::Each(column) = self {
            column.resize(padded, value);
        }
    }
}

/// A body's quantities: those that may vary from agent to agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Body {
    /// Kilograms.
    pub(crate) mass: Varying,
    /// Metres.
    pub(crate) radius: Varying,
    /// Metres per second.
    pub(crate) max_speed: Varying,
    /// Newtons.
    pub(crate) max_force: Varying,
}

impl Body {
    fn each(&mut self) -> [&mut Varying; 4] {
        [&mut self.mass, &mut self.radius, &mut self.max_speed, &mut self.max_force]
    }
}

/// The agents of one species: columns of positions, velocities and ids, row by row.
///
/// Rows move from tick to tick as agents do; an agent's [`AgentId`] stays. Slices are as long as there are agents, and
/// all in the same order.
#[derive(Clone, Debug)]
pub struct Agents<const D: usize> {
    pub(crate) species: SpeciesId,
    pub(crate) name: String,
    pub(crate) position: [Vec<f32>; D],
    pub(crate) velocity: [Vec<f32>; D],
    pub(crate) id: Vec<AgentId>,
    pub(crate) body: Body,
    /// Points that the host gave to single agents; not a number where it gave none.
    pub(crate) goal: Option<[Vec<f32>; D]>,
    /// What behaviours remember of each agent: `memory_width` numbers a row.
    pub(crate) memory: Vec<f32>,
    pub(crate) memory_width: usize,
    /// Whether the first of them are the agent's state, and what happened to it.
    remembers: bool,
    /// What is remembered of a new agent.
    memory_start: Vec<f32>,
    pub(crate) index: Index<D>,
}

impl<const D: usize> Agents<D> {
    pub(crate) fn new(species: SpeciesId, name: String, body: Body) -> Self {
        let columns = || std::array::from_fn(|_| Vec::new());
        let (position, velocity) = (columns(), columns());
        Self {
            species,
            name,
            position,
            velocity,
            id: Vec::new(),
            body,
            goal: None,
            memory: Vec::new(),
            memory_width: 0,
            remembers: false,
            memory_start: Vec::new(),
            index: Index::default(),
        }
    }

    /// The species that these agents are of.
    #[must_use]
    pub fn species(&self) -> SpeciesId {
        self.species
    }

    /// The name of the species.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many agents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Positions in metres, one slice per axis.
    #[must_use]
    pub fn positions(&self) -> [&[f32]; D] {
        kernels::rows(&self.position, 0..self.len())
    }

    /// Velocities in metres per second, one slice per axis.
    #[must_use]
    pub fn velocities(&self) -> [&[f32]; D] {
        kernels::rows(&self.velocity, 0..self.len())
    }

    /// Ids.
    #[must_use]
    pub fn ids(&self) -> &[AgentId] {
        &self.id
    }

    /// The position of the agent at `row`.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn position(&self, row: usize) -> Vector<D> {
        Vector::from_fn(|axis| self.position[axis][row])
    }

    /// The velocity of the agent at `row`.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn velocity(&self, row: usize) -> Vector<D> {
        Vector::from_fn(|axis| self.velocity[axis][row])
    }

    /// The mass of the agent at `row`, in kilograms.
    #[must_use]
    pub fn mass(&self, row: usize) -> f32 {
        self.body.mass.get(row)
    }

    /// The radius of the body of the agent at `row`, in metres.
    #[must_use]
    pub fn radius(&self, row: usize) -> f32 {
        self.body.radius.get(row)
    }

    /// The largest speed of the agent at `row`, in metres per second.
    #[must_use]
    pub fn max_speed(&self, row: usize) -> f32 {
        self.body.max_speed.get(row)
    }

    /// The largest steering force of the agent at `row`, in newtons.
    #[must_use]
    pub fn max_force(&self, row: usize) -> f32 {
        self.body.max_force.get(row)
    }

    /// The state of the agent at `row`, by its number in [`Species::states`](crate::Species::states); zero where the
    /// species has none.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn state(&self, row: usize) -> usize {
        self.remembered(row, STATE) as usize
    }

    /// The goal that the host gave to the agent at `row`, if any.
    #[must_use]
    pub fn goal(&self, row: usize) -> Option<Vector<D>> {
        let goal = self.goal.as_ref().map(|goal| Vector::from_fn(|axis| goal[axis][row]))?;
        goal.is_finite().then_some(goal)
    }

    pub(crate) fn set_goal(&mut self, row: usize, goal: Option<Vector<D>>) {
        let padded = self.padded();
        let columns = self.goal.get_or_insert_with(|| std::array::from_fn(|_| vec![f32::NAN; padded]));
        for axis in 0..D {
            columns[axis][row] = goal.map_or(f32::NAN, |goal| goal[axis]);
        }
    }

    /// The length of the columns: agents, and no numbers up to a whole cluster.
    #[inline]
    pub(crate) fn padded(&self) -> usize {
        self.id.len().next_multiple_of(CLUSTER)
    }

    pub(crate) fn chunks(&self) -> usize {
        self.id.len().div_ceil(CHUNK)
    }

    /// The rows of one chunk, padded to whole clusters.
    #[inline]
    pub(crate) fn chunk_rows(&self, chunk: usize) -> std::ops::Range<usize> {
        let end = (chunk + 1) * CHUNK;
        chunk * CHUNK..if end < self.padded() { end } else { self.padded() }
    }

    pub(crate) fn set_position(&mut self, row: usize, position: Vector<D>) {
        for axis in 0..D {
            self.position[axis][row] = position[axis];
        }
    }

    pub(crate) fn set_velocity(&mut self, row: usize, velocity: Vector<D>) {
        for axis in 0..D {
            self.velocity[axis][row] = velocity[axis];
        }
    }

    /// Adds a row at the end.
    pub(crate) fn push(&mut self, id: AgentId, position: Vector<D>, velocity: Vector<D>) {
        let row = self.len();
        self.id.push(id);
        self.pad();
        self.set_position(row, position);
        self.set_velocity(row, velocity);
        let width = self.memory_width;
        self.memory[row * width..(row + 1) * width].copy_from_slice(&self.memory_start);
    }

    /// Gives the agent at `row` its mass, radius, largest speed and largest force.
    pub(crate) fn set_body(&mut self, row: usize, values: [f32; 4]) {
        let padded = self.padded();
        for (quantity, value) in self.body.each().into_iter().zip(values) {
            quantity.set(row, value, padded);
        }
    }

    /// Gives every agent another body: what varies of it is drawn for each.
    pub(crate) fn set_bodies(&mut self, body: Body, draw: impl Fn(AgentId) -> [f32; 4]) {
        self.body = body;
        self.pad();
        for row in 0..self.len() {
            self.set_body(row, draw(self.id[row]));
        }
    }

    /// Removes a row; the last one takes its place. Tells who moved there.
    pub(crate) fn swap_remove(&mut self, row: usize) -> Option<AgentId> {
        let last = self.len() - 1;
        for column in self.columns_mut() {
            column[row] = column[last];
        }
        let width = self.memory_width;
        self.memory.copy_within(last * width..(last + 1) * width, row * width);
        self.memory[last * width..].fill(0.0);
        self.id.swap_remove(row);
        for axis in 0..D {
            self.position[axis].truncate(last);
            self.velocity[axis].truncate(last);
        }
        // What is left of a row must not come back with the next agent.
        for column in self.goal.iter_mut().flatten() {
            column.truncate(last);
        }
        self.pad();
        self.id.get(row).copied()
    }

    /// Says what is remembered of a new agent, and whether that starts with its state; what is remembered of the others
    /// is lost where that is something else.
    pub(crate) fn set_memory(&mut self, start: Vec<f32>, remembers: bool) {
        self.remembers = remembers;
        if self.memory_start == start {
            return;
        }
        self.memory_width = start.len();
        self.memory_start = start;
        self.memory.clear();
        for _ in 0..self.len() {
            self.memory.extend_from_slice(&self.memory_start);
        }
        self.pad();
    }

    /// One of the numbers that are remembered of the agent at `row` before what its behaviours do; zero if none are.
    pub(crate) fn remembered(&self, row: usize, place: usize) -> f32 {
        if self.remembers { self.memory[row * self.memory_width + place] } else { 0.0 }
    }

    /// Notes that something happened to the agent at `row`, if such things are remembered of it.
    pub(crate) fn raise_flag(&mut self, row: usize, flag: u32) {
        if self.remembers {
            let flags = &mut self.memory[row * self.memory_width + FLAGS];
            *flags = (*flags as u32 | flag) as f32;
        }
    }

    /// Brings every column to its padded length; positions beyond the last agent are no numbers, so that nobody ever
    /// perceives them.
    fn pad(&mut self) {
        let padded = self.padded();
        for axis in 0..D {
            self.position[axis].resize(padded, f32::NAN);
            self.velocity[axis].resize(padded, 0.0);
        }
        self.memory.resize(padded * self.memory_width, 0.0);
        for quantity in self.body.each() {
            quantity.resize(padded, 1.0);
        }
        for column in self.goal.iter_mut().flatten() {
            column.resize(padded, f32::NAN);
        }
    }

    /// All columns that make up the agents' state, but for the ids.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &Vec<f32>> {
        let Body { mass, radius, max_speed, max_force } = &self.body;
        let body = [mass, radius, max_speed, max_force].into_iter().filter_map(|quantity| match quantity {
            Varying::Same(_) => None,
            Varying::Each(column) => Some(column),
        });
        self.position.iter().chain(&self.velocity).chain(body).chain(self.goal.iter().flatten())
    }

    /// The same columns, to be changed.
    pub(crate) fn columns_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        let body = self.body.each().into_iter().filter_map(|quantity| match quantity {
            Varying::Same(_) => None,
            Varying::Each(column) => Some(column),
        });
        self.position.iter_mut().chain(&mut self.velocity).chain(body).chain(self.goal.iter_mut().flatten())
    }
}
