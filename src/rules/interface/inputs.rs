//! The inputs that a rule requests: neighbour sums, neighbours one by one, memory, targets, flow fields and columns.

use crate::agents::columns::{ColumnValue, Data};
use crate::base::ids::AgentId;
use crate::rules::interface::SpeciesFilter;
use crate::rules::parameters::{Kind, choice};

/// The inputs of a rule in addition to its own agent and the world, and its memory for each agent.
///
/// Sums, lists, targets and other inputs are numbered in the order of the requests, separately for each kind. Names are
/// resolved when species, rules or the environment change, not for each agent. A world asks a rule for its inputs once,
/// when it gets it.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    pub(crate) sums: Vec<(NeighbourSum, Perception)>,
    pub(crate) lists: Vec<Perception>,
    pub(crate) memory: Vec<(&'static str, Data)>,
    pub(crate) targets: Vec<RequestedTarget>,
    pub(crate) fields: Vec<String>,
    pub(crate) columns: Vec<String>,
    pub(crate) substances: Vec<String>,
    /// The column whose numbers make groups of the agents of the species.
    pub(crate) group: Option<String>,
    /// The variables that the rule sets.
    pub(crate) updates: Vec<String>,
    pub(crate) places: Option<String>,
    /// The walls that hide the nearest agents from the search for a target.
    pub(crate) sight: Sight,
    /// The number of kept targets, which come first in memory.
    pub(crate) kept: usize,
    pub(crate) arrives: bool,
    /// Whether the first memory is the heading of an agent: its navigation and the distance left.
    pub(crate) heads: bool,
    /// The share of agents for which the rule takes the quickest ways of its navigations.
    pub(crate) quickest: f32,
    /// Whether it takes ways by time for the others.
    pub(crate) by_time: bool,
    /// Whether the rule reads the queues of agents with headings: with their places, and without.
    pub(crate) queues: [bool; 2],
    /// Whether the rule says that it reads only the neighbours that it perceives.
    pub(crate) nearby: bool,
    /// Whether the rule searches the environment near its agents.
    pub(crate) searches: bool,
    /// Whether the rule reads the ways of its agents in the last tick.
    pub(crate) ways: bool,
    /// The species whose headings the rule reads, in addition to the centres of fields of view.
    pub(crate) headings: Vec<SpeciesFilter>,
}

impl Inputs {
    /// Requests a sum over the neighbours. The engine computes the sums of all rules in one pass: see
    /// [`AgentRef::sum`](crate::AgentRef::sum).
    #[must_use]
    pub fn sum(mut self, sum: NeighbourSum, perception: Perception) -> Self {
        self.sums.push((sum, perception));
        self
    }

    /// Requests the neighbours one by one: see [`AgentRef::neighbours`](crate::AgentRef::neighbours). A sum is several
    /// times as fast.
    #[must_use]
    pub fn neighbours(mut self, perception: Perception) -> Self {
        self.lists.push(perception);
        self
    }

    /// Requests a remembered value for each agent, which is `start` for a new agent: see
    /// [`AgentRef::recall`](crate::AgentRef::recall). Other rules read it through the [`column`](Self::column) of this
    /// name, and hosts through [`World::column_value`](crate::World::column_value). A column of the host or a variable of the same
    /// name takes precedence.
    #[must_use]
    pub fn memory<T: ColumnValue>(mut self, name: &'static str, start: T) -> Self {
        self.memory.push((name, start.data()));
        self
    }

    /// Requests the flow field or the navigation with this name: see
    /// [`AgentRef::flow_field`](crate::AgentRef::flow_field) and [`AgentRef::navigation`](crate::AgentRef::navigation).
    #[must_use]
    pub fn flow_field(mut self, name: impl Into<String>) -> Self {
        self.fields.push(name.into());
        self
    }

    /// Requests the column with this name, of every species that has it: see
    /// [`AgentRef::column`](crate::AgentRef::column).
    #[must_use]
    pub fn column(mut self, name: impl Into<String>) -> Self {
        self.columns.push(name.into());
        self
    }

    /// Requests the substance with this name.
    pub(crate) fn substance(mut self, name: &str) -> Self {
        self.substances.push(name.to_owned());
        self
    }

    /// Requests the members of the agent's group: agents of its species with the same number in this column of the host.
    pub(crate) fn group(mut self, column: &str) -> Self {
        self.group = Some(column.to_owned());
        self
    }

    /// Requests to set the variable with this name: see `Rows::update`.
    pub(crate) fn updating(mut self, variable: &str) -> Self {
        self.updates.push(variable.to_owned());
        self
    }

    /// The variables that the rule sets.
    #[must_use]
    pub fn updated(&self) -> &[String] {
        &self.updates
    }

    /// Requests arrival events: see [`AgentRef::arrive`](crate::AgentRef::arrive).
    #[must_use]
    pub fn arrival(mut self) -> Self {
        self.arrives = true;
        self
    }

    /// Requests the way of the agent in the last tick: see [`AgentRef::moved`](crate::AgentRef::moved).
    #[must_use]
    pub fn way(mut self) -> Self {
        self.ways = true;
        self
    }

    /// Whether the rule reads the ways of its agents. They arrive on these.
    pub(crate) fn reads_way(&self) -> bool {
        self.ways || self.arrives
    }

    /// Sets which walls hide an agent that could be the nearest and so a target of the rule. A kept target stays one
    /// behind a wall.
    #[must_use]
    pub fn target_sight(mut self, sight: Sight) -> Self {
        self.sight = sight;
        self
    }

    /// The inputs in a species with this sight, which counts where the rule leaves it open.
    pub(crate) fn seen_by(mut self, species: Sight) -> Self {
        if species == Sight::Walls {
            let of_sums = self.sums.iter_mut().map(|(_, perception)| &mut perception.sight);
            let all = of_sums.chain(self.lists.iter_mut().map(|perception| &mut perception.sight));
            let left_open = all.chain([&mut self.sight]).filter(|sight| **sight == Sight::Through);
            left_open.for_each(|sight| *sight = Sight::Walls);
        }
        self
    }

    /// Requests a place of the queue or waiting area with this name: see
    /// [`AgentRef::own_place`](crate::AgentRef::own_place).
    #[must_use]
    pub fn places(mut self, name: impl Into<String>) -> Self {
        self.places = Some(name.into());
        self
    }

    /// Declares that the rule reads the positions, velocities, ids and bodies of the neighbours that it perceives, and
    /// nothing else of other agents. On several [ranks](crate::ranks), a world whose rules all declare this needs only
    /// the agents near the agents of a rank.
    #[must_use]
    pub fn nearby(mut self) -> Self {
        self.nearby = true;
        self
    }

    /// Declares that the rule searches the environment near the agents of a chunk. This takes longer where these are
    /// far from each other.
    pub(crate) fn searching(mut self) -> Self {
        self.searches = true;
        self
    }

    /// Returns whether the rule needs only the agents near its own.
    pub(crate) fn is_nearby(&self) -> bool {
        let is_point =
            |target: &RequestedTarget| matches!(target, RequestedTarget::Point(_) | RequestedTarget::Mark(_));
        let elsewhere = self.reads_way() || self.heads || self.queues != [false; 2] || self.places.is_some();
        self.nearby && !elsewhere && self.targets.iter().all(is_point)
    }

    /// Declares that the first memory is a heading, a navigation's number plus one and the bits of the distance left. It
    /// counts in all queues. The rule reads them with the places of agents, and without, as `queues` says.
    pub(crate) fn heading(mut self, queues: [bool; 2]) -> Self {
        (self.heads, self.queues) = (true, queues);
        self
    }

    /// Requests the headings of the agents of these species, which then outlive their velocities: see
    /// [`Agents::heading`](crate::Agents::heading). A field of view requests the headings of the agents that have it.
    #[must_use]
    pub fn headings_of(mut self, filter: &SpeciesFilter) -> Self {
        self.headings.push(filter.clone());
        self
    }

    /// Requests the headings of the rule's targets.
    pub(crate) fn headings_of_targets(mut self) -> Self {
        self.headings.extend(self.targets.iter().filter_map(|target| match target {
            // An agent may change its species.
            RequestedTarget::Agent(_) => Some(SpeciesFilter::All),
            RequestedTarget::Nearest(filter) | RequestedTarget::Kept(filter, _) => Some(filter.clone()),
            _ => None,
        }));
        self
    }

    /// The species whose headings the rule reads.
    pub(crate) fn headings(&self) -> impl Iterator<Item = &SpeciesFilter> {
        let looks = self.perceptions().any(|perception| perception.field_of_view < 360.0);
        self.headings.iter().chain(looks.then_some(&SpeciesFilter::Own))
    }

    /// Declares the share of agents for which the rule takes the quickest ways of its navigations, which follow from the
    /// crowd, and whether it takes ways by time for the others.
    pub(crate) fn ways(mut self, quickest: f32, by_time: bool) -> Self {
        (self.quickest, self.by_time) = (quickest, by_time);
        self
    }

    /// Iterates over all perceptions: first of sums, then of lists.
    pub fn perceptions(&self) -> impl Iterator<Item = &Perception> {
        self.sums.iter().map(|(_, perception)| perception).chain(&self.lists)
    }
}

/// A target as a rule requests it, in any number of dimensions.
#[derive(Clone, Debug)]
pub(crate) enum RequestedTarget {
    Point([f32; 3]),
    Mark(String),
    Agent(AgentId),
    Nearest(SpeciesFilter),
    /// The filter, and the number of the target in the rule's memory.
    Kept(SpeciesFilter, usize),
    Random(f32),
}

/// The quantity that is summed over an agent's neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
#[derive(Clone, Debug)]
pub struct Perception {
    /// The perception radius, in metres.
    pub radius: f32,
    /// The field of view: the full angle around the heading, in degrees. At 360 or more an agent perceives all directions.
    pub field_of_view: f32,
    /// The perceived species.
    pub filter: SpeciesFilter,
    /// The maximum number of neighbours, nearest first (ties go to the smaller id); unlimited if zero.
    pub nearest: u32,
    /// The walls that hide agents.
    pub sight: Sight,
}

choice! {
    /// The walls that hide agents from a perception, or from the search for a target.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
    pub enum Sight {
        /// None, unless the species of the agent has [`Sight::Walls`](crate::Species::sight).
        Through = "through",
        /// Walls, and doors while they are closed: an agent is perceived if no wall stands on the straight way to it.
        Walls = "walls",
        /// None, whatever the species has.
        Always = "always",
    }
}

/// Nothing hides agents, unless the species says so.
impl Default for Sight {
    fn default() -> Self {
        Self::Through
    }
}

impl Perception {
    /// The range of [`nearest`](Self::nearest).
    pub(crate) const NEAREST: Kind = Kind::Whole(0, 1_000_000);

    /// All agents of these species within `radius` metres, in all directions.
    #[must_use]
    pub fn within(radius: f32, filter: &SpeciesFilter) -> Self {
        Self { radius, field_of_view: 360.0, filter: filter.clone(), nearest: 0, sight: Sight::Through }
    }

    /// Sets the field of view: the full angle, in degrees.
    #[must_use]
    pub fn with_field_of_view(self, degrees: f32) -> Self {
        Self { field_of_view: degrees, ..self }
    }

    /// Sets which walls hide agents. With [`Sight::Walls`], a sum takes as long as its neighbours one by one.
    #[must_use]
    pub fn with_sight(self, sight: Sight) -> Self {
        Self { sight, ..self }
    }

    /// Limits the perception to the `nearest` agents; 0 removes the limit.
    #[must_use]
    pub fn with_nearest(self, nearest: u32) -> Self {
        Self { nearest, ..self }
    }
}
