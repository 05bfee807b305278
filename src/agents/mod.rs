//! The agents of one species: one column per quantity.
//!
//! ```text
//! row        0     1     2  ...  15 | 16 ...          | 255 | 256 ...
//!            |---- cluster of 16 ---|---- cluster ----|     |
//!            |-------------- chunk of 256 ------------------|---- chunk ...
//! position   x0    x1    x2 ...                              one f32 column per axis,
//! velocity   vx0   vx1   vx2 ...                             padded to whole clusters
//! residuals  of positions and of velocities: the rounding errors not yet applied
//! heading    the last velocity of agents that look around, if their species has a field of view
//! id         i0    i1    i2 ...
//! body       one number for the whole species, or a column where it varies
//! columns    named and typed: states, variables, the memory of rules, columns of the host
//! ```
//!
//! Rows are sorted in space, so a cluster covers a small part of the world (see `tick/arrange.rs`).

mod body;
pub mod columns;
pub(crate) mod events;
pub(crate) mod first_touch;
mod heading;
mod padding;
pub(crate) mod parallel;
mod part;
pub(crate) mod positions;
mod previous;
pub(crate) mod radix_sort;
pub(crate) mod row_order;
pub(crate) mod seen;
pub(crate) mod slabs;
pub(crate) mod space_order;
pub mod strand;

use std::fmt;
use std::ops::Range;

use crate::agents::body::BODY_BEYOND;
pub(crate) use crate::agents::body::{BodyQuantities, BodyQuantity};
use crate::agents::columns::{Column, ColumnValue, ColumnView, Columns, Data, Owner};
use crate::agents::positions::Positions;
use crate::base::clone::clone_fields;
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::kernels::{self, CHUNK, CLUSTER};
use crate::maths::Vector;

/// Flags of an agent, one bit each.
pub(crate) mod flag {
    /// It caught another agent in the last tick.
    pub(crate) const CAUGHT: u32 = 1;
    /// It was caught in the last tick.
    pub(crate) const WAS_CAUGHT: u32 = 2;
    /// It arrived in the last tick.
    pub(crate) const ARRIVED: u32 = 4;
    /// It is at its target.
    pub(crate) const THERE: u32 = 8;
}

/// The largest residual of a number, which is the rounding error of one sum, in a world with this period. In a periodic
/// world an agent may re-enter where `f32` is coarsest, so the bound there depends on the period.
pub(crate) fn max_residual(number: f32, period: f32) -> f32 {
    2.0 * f32::EPSILON * if period < f32::INFINITY { period } else { number.abs() }
}

/// One agent, as [`Agents::iter`] returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Agent<const D: usize> {
    /// Its id.
    pub id: AgentId,
    /// Its row among the agents of its species, until the world changes.
    pub row: usize,
    /// Its position, in metres.
    pub position: Vector<D>,
    /// Its velocity, in metres per second.
    pub velocity: Vector<D>,
}

/// The agents of one species: columns of positions, velocities and ids, row by row.
///
/// Rows change from tick to tick; the [`AgentId`] of an agent does not. All slices have one entry per agent, in the
/// same order.
pub struct Agents<const D: usize> {
    pub(crate) species: SpeciesId,
    pub(crate) name: String,
    /// The names of the states of the species.
    pub(crate) states: Vec<String>,
    pub(crate) position: Positions<D>,
    pub(crate) velocity: [Vec<f32>; D],
    /// The residuals of positions and velocities, which the next steps add.
    pub(crate) position_residual: [Vec<f32>; D],
    pub(crate) velocity_residual: [Vec<f32>; D],
    pub(crate) id: Vec<AgentId>,
    /// The rows that these are copies of, if they are the [images](crate::index::images) of agents.
    pub(crate) of: Vec<u32>,
    pub(crate) body: BodyQuantities,
    /// Goals that the host set for single agents; NaN for agents without a goal.
    pub(crate) goal: Option<[Vec<f32>; D]>,
    /// Where agents look: their velocities, or their last ones while they are at rest. Its length has no meaning.
    pub(crate) heading: Option<[Vec<f32>; D]>,
    /// The positions before the last tick, if the host wants to know; no part of the state.
    pub(crate) previous: Option<[Vec<f32>; D]>,
    /// States, variables, the memory of rules, and the host's columns.
    pub(crate) columns: Columns,
    /// The number of rows for which columns have memory that a sort wrote first: see [`first_touch`].
    pub(crate) placed: usize,
}

/// Short: columns are not written.
impl<const D: usize> fmt::Debug for Agents<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut agents = f.debug_struct("Agents");
        agents.field("species", &self.name).field("agents", &self.len()).finish_non_exhaustive()
    }
}

clone_fields!(Agents<const D: usize> {
    species, name, states, position, velocity, position_residual, velocity_residual, id, of, body, goal, heading, previous, columns, placed
});

impl<const D: usize> Agents<D> {
    pub(crate) fn new(species: SpeciesId, name: String, body: BodyQuantities) -> Self {
        let columns = || std::array::from_fn(|_| Vec::new());
        Self {
            species,
            name,
            states: Vec::new(),
            position: Positions::default(),
            velocity: columns(),
            position_residual: columns(),
            velocity_residual: columns(),
            id: Vec::new(),
            of: Vec::new(),
            body,
            goal: None,
            heading: None,
            previous: None,
            columns: Columns::default(),
            placed: 0,
        }
    }

    /// The species of these agents.
    #[must_use]
    pub fn species(&self) -> SpeciesId {
        self.species
    }

    /// The name of the species.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Returns whether the species has no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Positions in metres, one slice per axis, row by row. Rows move in every step: [`ids`](Self::ids) has the agent
    /// of each, and [`Displacement`](crate::measures::Displacement) follows agents from tick to tick. Rounding errors
    /// of positions are in [`position_residuals`](Self::position_residuals).
    #[must_use]
    pub fn positions(&self) -> [&[f32]; D] {
        kernels::rows(&self.position, 0..self.len())
    }

    /// Velocities in metres per second, one slice per axis, row by row. Rows move in every step: [`ids`](Self::ids) has
    /// the agent of each.
    #[must_use]
    pub fn velocities(&self) -> [&[f32]; D] {
        kernels::rows(&self.velocity, 0..self.len())
    }

    /// The rounding errors of the positions, one slice per axis. The `f64` sum of a position and its residual is the
    /// position of the agent to a finer resolution than `f32`, which matters far from the origin. A residual is at most
    /// half a unit in the last place, except for an agent that has just crossed the seam of a periodic world. It is
    /// zero where a host has set the position.
    #[must_use]
    pub fn position_residuals(&self) -> [&[f32]; D] {
        kernels::rows(&self.position_residual, 0..self.len())
    }

    /// Ids.
    #[must_use]
    pub fn ids(&self) -> &[AgentId] {
        &self.id
    }

    /// All agents, row by row.
    ///
    /// ```
    /// # use throng::{Settings, Species, World};
    /// # let mut world = World::<2>::new(Settings::default())?;
    /// # let ant = world.add_species(Species::new("ant"))?;
    /// # world.spawn(ant, [1.0, 2.0], [3.0, 4.0])?;
    /// for agent in world.agents(ant)?.iter() {
    ///     println!("{} is at {:?}, and moves at {} m/s", agent.id, agent.position, agent.velocity.length());
    /// }
    /// # Ok::<(), throng::Error>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Agent<D>> {
        let agent = |(row, &id)| Agent { id, row, position: self.position(row), velocity: self.velocity(row) };
        self.id.iter().enumerate().map(agent)
    }

    /// Refuses a row that has no agent.
    #[inline]
    #[track_caller]
    fn check_row(&self, row: usize) {
        assert!(row < self.len(), "row {row} of {} agents", self.len());
    }

    /// The position of the agent at `row`.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn position(&self, row: usize) -> Vector<D> {
        self.check_row(row);
        Vector::from_fn(|axis| self.position[axis][row])
    }

    /// The velocity of the agent at `row`.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn velocity(&self, row: usize) -> Vector<D> {
        self.check_row(row);
        Vector::from_fn(|axis| self.velocity[axis][row])
    }

    /// The mass of the agent at `row`, in kilograms.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn mass(&self, row: usize) -> f32 {
        self.check_row(row);
        self.body.mass.get(row)
    }

    /// The radius of the body of the agent at `row`, in metres.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn radius(&self, row: usize) -> f32 {
        self.check_row(row);
        self.body.radius.get(row)
    }

    /// The largest speed of the agent at `row`, in metres per second.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn max_speed(&self, row: usize) -> f32 {
        self.check_row(row);
        self.body.max_speed.get(row)
    }

    /// The largest steering force of the agent at `row`, in newtons.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn max_force(&self, row: usize) -> f32 {
        self.check_row(row);
        self.body.max_force.get(row)
    }

    /// The state of the agent at `row`, as its position in [`Species::states`](crate::Species::states); zero if the
    /// species has no states.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn state(&self, row: usize) -> usize {
        self.check_row(row);
        self.columns.values::<u32>(Owner::State).map_or(0, |states| states[row] as usize)
    }

    /// The time for which the agent at `row` has been in its state, in seconds; `None` if the species has no states.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn seconds_in_state(&self, row: usize) -> Option<f32> {
        self.check_row(row);
        self.columns.values::<f32>(Owner::Seconds)?.get(row).copied()
    }

    /// The values of a column, row by row: a column of the host, a variable of the species' states, or else a rule's
    /// memory of this name ([`Inputs::memory`](crate::Inputs::memory)).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchColumn`], or [`Error::ColumnType`] if the column has another type.
    pub fn column<T: ColumnValue>(&self, name: &str) -> Result<&[T], Error> {
        let column = self.columns.typed::<T>(name)?;
        Ok(T::rows(&column.data).unwrap_or_default())
    }

    /// The times left, the variables of the species' states in their order, then the host's columns by name.
    pub fn columns(&self) -> impl Iterator<Item = ColumnView<'_>> {
        let named = |column: &&Column| column.owner.is_host();
        self.columns.0.iter().filter(named).map(Column::view)
    }

    /// The values of the agent at `row` in its variables and the host's columns, as numbers.
    pub(crate) fn values(&self, row: usize) -> impl Iterator<Item = (&str, Vec<f64>)> {
        let named = self.columns.0.iter().filter(|column| column.owner.is_host());
        named.map(move |column| (&column.name[..], column.numbers(row)))
    }

    /// The goal that the host set for the agent at `row`, if any.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn goal(&self, row: usize) -> Option<Vector<D>> {
        self.check_row(row);
        let goal = self.goal.as_ref().map(|goal| Vector::from_fn(|axis| goal[axis][row]))?;
        goal.is_finite().then_some(goal)
    }

    /// Returns whether the species is part of the mix.
    pub(crate) fn is_mixed(&self) -> bool {
        self.columns.of(Owner::Mix).is_some()
    }

    /// The places of the agents in the mix, row by row, if their species is mixed.
    pub(crate) fn mix_rows(&self) -> Option<&[u32]> {
        self.columns.values::<u32>(Owner::Mix)
    }

    /// The place in the mix of the agent at `row`, if its species is mixed.
    pub(crate) fn mix_row(&self, row: usize) -> Option<usize> {
        self.mix_rows().map(|places| places[row] as usize)
    }

    pub(crate) fn set_goal(&mut self, row: usize, goal: Option<Vector<D>>) {
        let padded = self.position[0].len();
        let columns = self.goal.get_or_insert_with(|| std::array::from_fn(|_| vec![f32::NAN; padded]));
        for axis in 0..D {
            columns[axis][row] = goal.map_or(f32::NAN, |goal| goal[axis]);
        }
    }

    /// The length of the columns: the number of agents, rounded up to whole clusters.
    #[inline]
    pub(crate) fn padded(&self) -> usize {
        self.id.len().next_multiple_of(CLUSTER)
    }

    pub(crate) fn chunks(&self) -> usize {
        self.id.len().div_ceil(CHUNK)
    }

    /// The rows of one chunk, padded to whole clusters.
    #[inline]
    pub(crate) fn chunk_rows(&self, chunk: usize) -> Range<usize> {
        let end = (chunk + 1) * CHUNK;
        chunk * CHUNK..if end < self.padded() { end } else { self.padded() }
    }

    /// Sets the position of the agent at a row and clears its residual.
    pub(crate) fn set_position(&mut self, row: usize, position: Vector<D>) {
        let columns = &mut *self.position;
        for axis in 0..D {
            columns[axis][row] = position[axis];
            self.position_residual[axis][row] = 0.0;
        }
    }

    /// The way that the agent at a row went in the last tick, in metres: zero if nothing asks for it, for a new agent,
    /// and for one that has been moved elsewhere since.
    pub(crate) fn moved(&self, row: usize) -> Vector<D> {
        self.columns.values::<[f32; D]>(Owner::Moved).map_or(Vector::ZERO, |moved| Vector(moved[row]))
    }

    /// The regions that the agent at a row is in, one bit each; empty without regions.
    pub(crate) fn regions(&self, row: usize) -> &[u64] {
        match self.columns.of(Owner::Regions) {
            Some(Column { data: Data::U64(words), width, .. }) => &words[row * width..(row + 1) * width],
            _ => &[],
        }
    }

    /// Records that the agent at a row has no way to its position. A new agent has none yet.
    pub(crate) fn forget_way(&mut self, row: usize) {
        let moved = self.columns.values_mut::<[f32; D]>(Owner::Moved);
        if let Some(moved) = moved.and_then(|moved| moved.get_mut(row)) {
            *moved = [0.0; D];
        }
    }

    /// Sets the velocity of the agent at a row and clears its residual.
    pub(crate) fn set_velocity(&mut self, row: usize, velocity: Vector<D>) {
        for axis in 0..D {
            self.velocity[axis][row] = velocity[axis];
            self.velocity_residual[axis][row] = 0.0;
        }
        self.follow_velocity(row);
    }

    /// Adds a row at the end.
    pub(crate) fn push(&mut self, id: AgentId, position: Vector<D>, velocity: Vector<D>) {
        let row = self.len();
        self.id.push(id);
        self.pad();
        self.set_position(row, position);
        self.forget_way(row);
        self.forget_previous(row);
        self.set_velocity(row, velocity);
        self.columns.0.iter_mut().for_each(Column::push);
    }

    /// Sets the mass, radius, largest speed and largest force of the agent at `row`.
    pub(crate) fn set_body(&mut self, row: usize, values: [f32; 4]) {
        let (agents, padded) = (self.len(), self.position[0].len());
        for (quantity, value) in self.body.each().into_iter().zip(values) {
            quantity.set(row, value, agents, padded);
        }
    }

    /// Replaces one quantity of the body for every agent, by the value in `body` or by a value drawn for each agent.
    pub(crate) fn set_quantity(&mut self, quantity: usize, mut body: BodyQuantities, draw: impl Fn(AgentId) -> f32) {
        let padded = self.position[0].len();
        let mut value = std::mem::replace(body.each()[quantity], BodyQuantity::Same(0.0));
        if let BodyQuantity::Each(column) = &mut value {
            column.extend(self.id.iter().map(|&agent| draw(agent)));
            column.resize(padded, BODY_BEYOND);
        }
        *self.body.each()[quantity] = value;
    }

    /// Sets one quantity of one agent's body.
    pub(crate) fn set_agent_quantity(&mut self, row: usize, quantity: usize, value: f32) {
        let (agents, padded) = (self.len(), self.position[0].len());
        self.body.each()[quantity].set(row, value, agents, padded);
    }

    /// Removes a row; the last one takes its place. Returns the agent that moved there.
    pub(crate) fn swap_remove(&mut self, row: usize) -> Option<AgentId> {
        let last = self.len() - 1;
        self.float_columns_mut().for_each(|column| column[row] = column[last]);
        for column in &mut self.columns.0 {
            column.swap_remove(row);
        }
        self.id.swap_remove(row);
        self.clear(last..last + 1);
        self.id.get(row).copied()
    }

    /// Truncates columns to their padded length, once no list refers to rows beyond it. Columns that grew by doubling
    /// keep spare capacity of one eighth.
    pub(crate) fn trim(&mut self) {
        let padded = self.padded();
        let room = padded + padded / 8;
        self.float_columns_mut().for_each(|column| {
            column.truncate(padded);
            if column.capacity() > room + padded / 8 {
                column.shrink_to(room);
            }
        });
    }
}
