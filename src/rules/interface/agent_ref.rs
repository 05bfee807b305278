//! A rule's view of one agent, and access to the rows and forces of agents.

use std::cell::Cell;

use crate::agents::columns::{ColumnValue, Owner, Stored as _};
use crate::base::ids::{AgentId, SpeciesId};
use crate::environment::NavigationField;
use crate::environment::flow_field::FlowField;
use crate::environment::navigation::LazyTimed;
use crate::environment::region::Shape;
use crate::index::groups::Member;
use crate::kernels::CLUSTER;
use crate::maths::{Noise, Vector};
use crate::rules::interface::{Aim, Forces, Neighbours, ResolvedNames, Rows};
use crate::rules::steering::{self, Body};
use crate::rules::world_view::WorldView;

/// The distance within which a point counts as in a sink, in metres: offsets are rounded.
const ROUNDING: f32 = 1e-3;

/// One agent, as a rule sees it: its own state, its neighbours, the world and the rule's memory.
#[derive(Clone, Copy, Debug)]
pub struct AgentRef<'a, const D: usize> {
    pub(crate) rows: &'a Rows<'a, D>,
    pub(crate) in_chunk: usize,
}

impl<'a, const D: usize> AgentRef<'a, D> {
    /// The agent's row.
    #[must_use]
    pub fn row(&self) -> usize {
        self.rows.chunk + self.in_chunk
    }

    /// The agent's id.
    #[must_use]
    pub fn id(&self) -> AgentId {
        self.rows.agents.id[self.row()]
    }

    /// The agent's species.
    #[must_use]
    pub fn species(&self) -> SpeciesId {
        self.rows.agents.species
    }

    /// The world at the start of the tick.
    #[must_use]
    pub fn world(&self) -> WorldView<'a, D> {
        self.rows.world
    }

    /// The agent's position, in metres.
    #[must_use]
    pub fn position(&self) -> Vector<D> {
        self.rows.agents.position(self.row())
    }

    /// The agent's velocity, in metres per second.
    #[must_use]
    pub fn velocity(&self) -> Vector<D> {
        self.rows.agents.velocity(self.row())
    }

    /// The direction in which the agent looks: the direction of its velocity. At rest it is the direction of its last
    /// velocity, or zero if no rule requests it: see [`Inputs::headings_of`](crate::Inputs::headings_of) and
    /// [`Agents::heading`](crate::Agents::heading).
    #[must_use]
    pub fn heading(&self) -> Vector<D> {
        self.rows.agents.heading(self.row())
    }

    /// The way that the agent went in the last tick, in metres, if the rule requests it ([`Inputs::way`](crate::Inputs::way)
    /// or [`Inputs::arrival`](crate::Inputs::arrival)): straight from its position before that tick. Zero for a new agent,
    /// and for one that the host has moved elsewhere.
    #[must_use]
    pub fn moved(&self) -> Vector<D> {
        self.rows.agents.moved(self.row())
    }

    /// The agent's mass, in kilograms.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.rows.agents.mass(self.row())
    }

    /// The radius of the agent's body, in metres.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.rows.agents.radius(self.row())
    }

    /// The agent's largest speed, in metres per second.
    #[must_use]
    pub fn max_speed(&self) -> f32 {
        self.rows.agents.max_speed(self.row())
    }

    /// The agent's largest steering force, in newtons.
    #[must_use]
    pub fn max_force(&self) -> f32 {
        self.rows.agents.max_force(self.row())
    }

    /// The goal that the host set for the agent, if any.
    #[must_use]
    pub fn goal(&self) -> Option<Vector<D>> {
        self.rows.agents.goal(self.row())
    }

    /// The agent's response time in seconds: the time constant with which its velocity approaches the desired one.
    #[must_use]
    pub fn response(&self) -> f32 {
        self.rows.response
    }

    /// The diameter of the circle on which the agent turns at the speed of the last tick, in metres: limited by its turn
    /// rate, by its largest force, or by its response. Zero for an agent with a motion, which steps to any side.
    pub(crate) fn turning_circle(&self) -> f32 {
        let Some(turn_rate) = self.rows.turn_rate else { return 0.0 };
        let speed = self.moved().length() / self.world().last_tick_seconds();
        let radii = [
            speed / (turn_rate * (std::f32::consts::PI / 180.0)),
            speed * speed * self.mass() / self.max_force(),
            speed * self.response(),
        ];
        2.0 * radii.into_iter().fold(0.0, |most, radius| if radius > most { radius } else { most })
    }

    /// Random numbers for this agent and tick; see [`Noise::USER`] for the purpose.
    #[must_use]
    pub fn noise(&self, purpose: u64) -> Noise {
        let world = self.world();
        Noise::new(world.settings.seed, self.id().to_bits(), world.tick, purpose)
    }

    /// The resolved names of the rule's inputs.
    pub(crate) fn names(&self) -> &'a ResolvedNames<D> {
        self.rows.names
    }

    /// The remembered value of the agent with this number, in the order of
    /// [`Inputs::memory`](crate::Inputs::memory).
    ///
    /// # Panics
    ///
    /// If the rule did not request a value with this number and type.
    #[must_use]
    pub fn recall<T: ColumnValue>(&self, number: usize) -> T {
        T::get(&self.rows.memory[self.rows.kept + number], self.in_chunk)
    }

    /// Replaces the remembered value with this number.
    ///
    /// # Panics
    ///
    /// If the rule did not request a value with this number and type.
    pub fn remember<T: ColumnValue>(&self, number: usize, value: T) {
        value.set(&self.rows.memory[self.rows.kept + number], self.in_chunk);
    }

    /// The kept target with this number: an agent, and the tick until which it is kept. `None` if the rule did not
    /// request it.
    pub(crate) fn recall_kept(&self, number: usize) -> Option<(AgentId, u64)> {
        let cells = self.rows.memory[..self.rows.kept].get(number)?;
        let [agent, until] = <[u64; 2]>::get(cells, self.in_chunk);
        Some((AgentId::from_bits(agent), until))
    }

    /// Keeps an agent as the target with this number until a tick.
    pub(crate) fn remember_kept(&self, number: usize, agent: AgentId, until: u64) {
        if let Some(cells) = self.rows.memory[..self.rows.kept].get(number) {
            [agent.to_bits(), until].set(cells, self.in_chunk);
        }
    }

    /// The column of a species with this number, in the order of [`Inputs::column`](crate::Inputs::column): one value
    /// per row. `None` if the species has no such column, or one of another type.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer columns.
    #[must_use]
    pub fn column<T: ColumnValue>(&self, number: usize, species: SpeciesId) -> Option<&'a [T]> {
        let them = &self.rows.world.agents[species.number()];
        let place = self.rows.names.columns[number].get(them.species.number()).copied().flatten()?;
        T::rows(&them.columns.0[place].data)
    }

    /// The members of the agent's group, itself included, by their ids; empty if it belongs to none.
    pub(crate) fn group(&self) -> &'a [Member] {
        let Some(column) = self.rows.names.group else { return &[] };
        let numbers = u32::rows(&self.rows.agents.columns.0[column].data);
        let number = numbers.map_or(0, |numbers| numbers[self.row()]);
        self.rows.world.groups.of(self.species().0, column, number)
    }

    /// The memory of this rule with a name, of all agents of the species, at the start of the tick.
    pub(crate) fn memory_of_all<T: ColumnValue>(&self, name: &str) -> Option<&'a [T]> {
        let columns = &self.rows.agents.columns.0;
        let column = columns.iter().find(|column| column.is(Owner::Rule(self.rows.key), name))?;
        T::rows(&column.data)
    }

    /// The flow field with this number, in the order of [`Inputs::flow_field`](crate::Inputs::flow_field); `None` while
    /// the environment has no field of its name.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer fields.
    #[must_use]
    pub fn flow_field(&self, number: usize) -> Option<&'a FlowField<D>> {
        self.rows.flow_field(number)
    }

    /// The field of the navigation with this number, in the order of [`Inputs::flow_field`](crate::Inputs::flow_field);
    /// `None` while the environment has no navigation of its name.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer fields.
    #[must_use]
    pub fn navigation(&self, number: usize) -> Option<&'a NavigationField> {
        self.rows.navigation(number)
    }

    /// The direction in which a navigation leads from the agent's position: a unit vector, or zero inside its goal and
    /// where no way leads there.
    pub(crate) fn way(&self, field: &NavigationField) -> Vector<D> {
        let position = self.position();
        let way = field.direction(Vector([position.0[0], position.0[1]]));
        Vector::from_fn(|axis| way.0.get(axis).copied().unwrap_or(0.0))
    }

    /// The distance from the agent to the goal of a navigation, in metres.
    pub(crate) fn distance_left(&self, field: &NavigationField) -> f32 {
        let position = self.position();
        field.distance([position.0[0], position.0[1]])
    }

    /// The offset to the middle of the nearest goal of a navigation, and whether the agent is inside it; `None` without
    /// a goal.
    pub(crate) fn middle_of(&self, field: &NavigationField) -> Option<(Vector<D>, bool)> {
        let position = self.position();
        let (offset, is_inside) = field.middle_of(Vector([position.0[0], position.0[1]]))?;
        Some((Vector::from_fn(|axis| offset.0.get(axis).copied().unwrap_or(0.0)), is_inside))
    }

    /// The number of the handle of the navigation with this number.
    pub(crate) fn navigation_number(&self, number: usize) -> Option<u32> {
        let place = self.rows.names.navigations[number]?;
        self.world().environment.navigations.ids().get(place).map(|id| id.to_bits() as u32)
    }

    /// Whether the navigations with these numbers have the same goals.
    pub(crate) fn leads_to_same_place(&self, one: usize, other: usize) -> bool {
        let goals = |number: usize| {
            let place = self.rows.names.navigations[number]?;
            Some(&self.world().environment.navigations.items()[place].goals)
        };
        one == other || goals(one).is_some_and(|of_one| goals(other) == Some(of_one))
    }

    /// The quickest ways of the navigation with this number in its crowd.
    pub(crate) fn quickest_ways(&self, number: usize) -> Option<&'a NavigationField> {
        let place = self.rows.names.navigations[number]?;
        self.world().environment.quickest_ways_at(place)
    }

    /// The quickest ways of the navigation with this number without a crowd.
    pub(crate) fn timed_ways(&self, number: usize) -> Option<&'a LazyTimed> {
        let place = self.rows.names.navigations[number]?;
        self.world().environment.timed_ways_at(place)
    }

    /// The agent's largest speed outside of zones, in metres per second.
    pub(crate) fn free_speed(&self) -> f32 {
        let own = self.rows.agents.columns.values::<f32>(Owner::FreeSpeed);
        own.map_or_else(|| self.max_speed(), |speeds| speeds[self.row()])
    }

    /// The index and the position of the agent's place in the queue or waiting area that the rule requested with
    /// [`Inputs::places`](crate::Inputs::places); `None` if it has none.
    #[must_use]
    pub fn own_place(&self) -> Option<(usize, Vector<D>)> {
        let (world, number) = (self.world(), self.rows.names.places?);
        let place = world.environment_index.places.find(number, self.id())?;
        Some((place, *world.environment.places.items()[number].points.get(place)?))
    }

    /// Records that the agent is at the rule's target. An [`Event::Arrived`](crate::Event::Arrived) follows if it was
    /// elsewhere in the previous tick. The rule must request [`Inputs::arrival`](crate::Inputs::arrival).
    pub fn arrive(&self) {
        if let Some(at_target) = self.rows.at_target.get(self.in_chunk) {
            at_target.set(true);
        }
    }

    /// Records that the agent is at a target, which is at this offset. One that a sink removes there arrives nowhere
    /// else: it walks until its centre is in the sink.
    pub(crate) fn arrive_at(&self, target: Vector<D>) {
        if self.sink_at(target).is_none() {
            self.arrive();
        }
    }

    /// The largest half extent of a sink that removes the agent at this offset, in its present state, in metres.
    pub(crate) fn sink_at(&self, offset: Vector<D>) -> Option<f32> {
        let sinks = &self.rows.names.sinks;
        if sinks.is_empty() {
            return None;
        }
        let state = self.rows.agents.columns.values::<u32>(Owner::State).map_or(0, |states| states[self.row()]);
        let (settings, at) = (self.world().settings(), self.position() + offset);
        let removes = |(shape, states): &(Shape<D>, u32)| {
            states >> state & 1 == 1 && shape.distance_squared(settings, at) <= ROUNDING * ROUNDING
        };
        let extent = |(shape, _): &(Shape<D>, u32)| {
            shape.bounds().1.0.into_iter().fold(0.0, |most: f32, half| if half > most { half } else { most })
        };
        sinks.iter().find(|sink| removes(sink)).map(extent)
    }

    /// Gives the motion the place where the agent heads in this tick: the key of a goal that others may share, or zero, the
    /// distance that is left, and the offset to the end of the way. Of several rules that do, the nearest target counts.
    pub(crate) fn heads_for(&self, goal: u32, (left, end): (f32, Vector<D>), stops: bool) {
        if let Some(aim) = self.rows.aims.get(self.in_chunk) {
            let before = aim.get();
            if left < before.left {
                aim.set(Aim { goal, left, end, stops, ..before });
            }
        }
    }

    /// Lets the motion give up a part of the agent's speed while it heads for a target.
    pub(crate) fn hold_back(&self, part: f32) {
        if let Some(aim) = self.rows.aims.get(self.in_chunk) {
            aim.set(Aim { held: part, ..aim.get() });
        }
    }

    /// The aim that the agent's rules set for its motion.
    pub(crate) fn aim(&self) -> Aim<D> {
        self.rows.aims.get(self.in_chunk).map_or(Aim::NONE, Cell::get)
    }

    /// Whether a rule found in this tick that the agent is at its target.
    pub(crate) fn is_there(&self) -> bool {
        self.rows.at_target.get(self.in_chunk).is_some_and(Cell::get)
    }

    /// The offset to a point, in metres; in a periodic world to its nearest image.
    #[must_use]
    pub fn offset_to(&self, point: impl Into<Vector<D>>) -> Vector<D> {
        self.world().settings.offset(self.position(), point)
    }

    /// The force towards a desired velocity, `(desired - velocity) / response`; zero if it is `None`.
    #[must_use]
    pub fn towards(&self, desired: impl Into<Option<Vector<D>>>) -> Vector<D> {
        steering::force(desired, self.velocity(), self.response())
    }

    /// The sum with this number, in the order of [`Inputs::sum`](crate::Inputs::sum).
    ///
    /// # Panics
    ///
    /// If the rule requested fewer sums.
    #[must_use]
    pub fn sum(&self, number: usize) -> Vector<D> {
        let sum = &self.rows.sums[number];
        Vector::from_fn(|axis| sum.vector[axis][self.in_chunk])
    }

    /// The number of neighbours in a [`sum`](Self::sum); zero for
    /// [`NeighbourSum::InverseOffset`](crate::NeighbourSum::InverseOffset), which does not count them.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer sums.
    #[must_use]
    pub fn count(&self, number: usize) -> u32 {
        self.rows.sums[number].count[self.in_chunk] as u32
    }

    /// The neighbours on the list with this number, in the order of [`Inputs::neighbours`](crate::Inputs::neighbours),
    /// sorted by species and row. A loop that adds to a vector with `+=` is much faster than a `fold` in two
    /// dimensions.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer lists.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, number: usize) -> Neighbours<'a, D> {
        let world = self.rows.world;
        let listed = self.rows.lists[number].listed(self.rows.level, world.agents);
        Neighbours::new(listed, self.in_chunk - self.rows.first, self.position(), world.settings.period())
    }

    /// The bodies of the neighbours on the first list, in the same order.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = Body<D>> {
        self.neighbours(0).map(|neighbour| {
            let them = &self.rows.world.all_agents()[neighbour.species.number()];
            Body { offset: neighbour.offset, velocity: neighbour.velocity, radius: them.radius(neighbour.row) }
        })
    }
}

impl<const D: usize> Rows<'_, D> {
    /// Iterates over the agents for which the rule is active.
    pub fn iter(&self) -> impl Iterator<Item = AgentRef<'_, D>> {
        let rows = self.first..self.first + self.len;
        rows.filter(|in_chunk| self.is_active(*in_chunk)).map(|in_chunk| AgentRef { rows: self, in_chunk })
    }

    /// One of the agents, given by its index in the chunk.
    pub(crate) fn at(&self, in_chunk: usize) -> AgentRef<'_, D> {
        AgentRef { rows: self, in_chunk }
    }

    /// Iterates over the agents that are out of place, which no box contains.
    pub(crate) fn out_of_place(&self) -> impl Iterator<Item = AgentRef<'_, D>> {
        let left = self.active_bits().into_iter().enumerate().map(|(cluster, active)| {
            let first = cluster * CLUSTER;
            (first, if active == 0 { 0 } else { active & !self.placed(first) })
        });
        left.filter(|(_, left)| *left != 0).flat_map(move |(first, left)| {
            (0..CLUSTER).filter(move |lane| left >> lane & 1 == 1).map(move |lane| self.at(first + lane))
        })
    }
}

impl<const D: usize> Forces<'_, D> {
    /// Sets the force of one agent, in newtons.
    #[inline]
    pub fn set(&mut self, me: &AgentRef<'_, D>, force: Vector<D>) {
        for axis in 0..D {
            self.forces[axis][me.in_chunk] = force[axis];
        }
    }

    /// The force of one agent, in newtons.
    #[inline]
    #[must_use]
    pub fn get(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        Vector::from_fn(|axis| self.forces[axis][me.in_chunk])
    }
}
