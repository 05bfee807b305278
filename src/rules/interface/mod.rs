//! The [`Behaviour`] trait of rules of motion, and a rule's view of its agent and the world.

mod agent_ref;
mod names;
mod neighbour;
mod rows;
mod species_filter;

pub use agent_ref::AgentRef;
pub(crate) use names::{RequestedTarget, ResolvedNames, ResolvedTarget};
pub(crate) use neighbour::Neighbourhood;
pub use neighbour::{Neighbour, Neighbours};
pub use rows::{Forces, Rows};
pub use species_filter::SpeciesFilter;

use std::any::Any;
use std::fmt;

use crate::agents::columns::{ColumnValue, Data};
use crate::maths::Vector;
use crate::rules::parameters::Reflect;

/// A rule of motion: its inputs and its steering force.
///
/// throng's own rules ([`behaviours`](crate::behaviours)) and those of users implement the same trait; nothing is
/// registered. A behaviour may depend only on the state at the start of the tick; otherwise runs lose their equal
/// bits. It must not use clocks, shared generators (draw from [`AgentRef::noise`] instead) or functions such as
/// `f32::sin` ([`trig`](crate::maths) gives equal results on every machine).
///
/// ```
/// use throng::{AgentRef, Behaviour, Vector};
///
/// /// Flies at full speed in one direction.
/// #[derive(Debug)]
/// struct Migrate<const D: usize>(Vector<D>);
///
/// impl<const D: usize> Behaviour<D> for Migrate<D> {
///     fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
///         me.towards(self.0.direction() * me.max_speed())
///     }
/// }
/// ```
pub trait Behaviour<const D: usize>: Any + fmt::Debug + Send + Sync {
    /// The rule's inputs besides its own agent and the world, and its memory for each agent.
    fn inputs(&self) -> Inputs<'_> {
        Inputs::default()
    }

    /// The steering force on one agent, in newtons. The rule reads and writes its memory of the agent with
    /// [`AgentRef::recall`] and [`AgentRef::remember`].
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D>;

    /// The steering forces on consecutive rows: a chunk, or a cluster if the rule lists neighbours one by one. A rule
    /// that can process many agents at once may override it; the result must be the same as that of
    /// [`steer`](Self::steer).
    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        for me in rows.iter() {
            forces.set(&me, self.steer(&me));
        }
    }

    /// The rule's name in explanations: the name in its table, otherwise that of its type.
    fn name(&self) -> &str {
        let own = || std::any::type_name::<Self>().split('<').next().and_then(|path| path.rsplit("::").next());
        self.table().map_or_else(|| own().unwrap_or("own"), |table| table.rule())
    }

    /// The rule with its parameter table, if it has one ([`rule!`](crate::rule)).
    fn table(&self) -> Option<&dyn NamedRule<D>> {
        None
    }
}

/// The inputs of a rule besides its own agent and the world, and its memory for each agent.
///
/// Sums, lists, targets and other inputs are numbered in the order of the requests, separately for each kind. ResolvedNames are
/// resolved when species, rules or the environment change, not for each agent.
#[derive(Clone, Debug, Default)]
pub struct Inputs<'a> {
    pub(crate) sums: Vec<(NeighbourSum, Perception<'a>)>,
    pub(crate) lists: Vec<Perception<'a>>,
    pub(crate) memory: Vec<(&'static str, Data)>,
    pub(crate) targets: Vec<RequestedTarget>,
    pub(crate) fields: Vec<&'a str>,
    pub(crate) columns: Vec<&'a str>,
    /// The number of kept targets, which come first in memory.
    pub(crate) kept: usize,
    pub(crate) arrives: bool,
}

impl<'a> Inputs<'a> {
    /// Requests a sum over the neighbours, which the engine computes for all rules in one pass: see [`AgentRef::sum`].
    #[must_use]
    pub fn sum(mut self, addend: NeighbourSum, perception: Perception<'a>) -> Self {
        self.sums.push((addend, perception));
        self
    }

    /// Requests the neighbours one by one: see [`AgentRef::neighbours`]. A sum is several times as fast.
    #[must_use]
    pub fn neighbours(mut self, perception: Perception<'a>) -> Self {
        self.lists.push(perception);
        self
    }

    /// Requests a remembered value for each agent, which is `start` for a new agent: see [`AgentRef::recall`]. Rules that
    /// request the [`column`](Self::column) of this name read it of all agents, as hosts do by
    /// [`World::value`](crate::World::value); a column of the host or a variable of the same name comes first.
    #[must_use]
    pub fn memory<T: ColumnValue>(mut self, name: &'static str, start: T) -> Self {
        self.memory.push((name, start.data()));
        self
    }

    /// Requests the flow field with this name: see [`AgentRef::flow_field`].
    #[must_use]
    pub fn flow_field(mut self, name: &'a str) -> Self {
        self.fields.push(name);
        self
    }

    /// Requests the column with this name, of every species that has it: see [`AgentRef::column`].
    #[must_use]
    pub fn column(mut self, name: &'a str) -> Self {
        self.columns.push(name);
        self
    }

    /// Requests arrival events: see [`AgentRef::arrive`].
    #[must_use]
    pub fn arrival(mut self) -> Self {
        self.arrives = true;
        self
    }

    /// All perceptions: those of sums, then those of lists.
    pub fn perceptions(&self) -> impl Iterator<Item = &Perception<'a>> {
        self.sums.iter().map(|(_, perception)| perception).chain(&self.lists)
    }
}

/// The quantity that is summed over an agent's neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeighbourSum {
    /// The offset to the neighbour, divided by its squared length, in 1/m. Coincident neighbours contribute a random
    /// direction instead, opposite for the two agents of a pair.
    InverseOffset,
    /// The neighbour's velocity, in m/s.
    Velocity,
    /// The offset to the neighbour, in metres.
    Offset,
}

/// The agents that a rule perceives: species, radius and field of view.
#[derive(Clone, Copy, Debug)]
pub struct Perception<'a> {
    /// The perception radius, in metres.
    pub radius: f32,
    /// The field of view: the full angle, in degrees. At 360 or more, and at rest, an agent perceives all directions.
    pub field_of_view: f32,
    /// The perceived species.
    pub filter: &'a SpeciesFilter,
    /// The maximum number of neighbours, nearest first (ties go to the smaller id); unlimited if zero.
    pub nearest: u32,
}

impl<'a> Perception<'a> {
    /// All agents of these species within `radius` metres, in all directions.
    #[must_use]
    pub fn within(radius: f32, filter: &'a SpeciesFilter) -> Self {
        Self { radius, field_of_view: 360.0, filter, nearest: 0 }
    }

    /// Sets the field of view: the full angle, in degrees.
    #[must_use]
    pub fn with_field_of_view(self, degrees: f32) -> Self {
        Self { field_of_view: degrees, ..self }
    }

    /// Limits the perception to the `nearest` agents; 0 removes the limit.
    #[must_use]
    pub fn with_nearest(self, nearest: u32) -> Self {
        Self { nearest, ..self }
    }
}

/// A behaviour with a parameter table. Scenario files, the program and the page refer to it by its name.
pub trait NamedRule<const D: usize>: Behaviour<D> + Reflect {
    /// A copy of the rule, its parameters included.
    fn duplicate(&self) -> Box<dyn NamedRule<D>>;
}

impl<const D: usize, T: Behaviour<D> + Reflect + Clone + 'static> NamedRule<D> for T {
    fn duplicate(&self) -> Box<dyn NamedRule<D>> {
        Box::new(self.clone())
    }
}
