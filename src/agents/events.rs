//! Events: facts of the last tick.

use crate::base::ids::{AgentId, SpeciesId};

/// A fact of the last tick. Events are in the order of the stages that detected them; within a stage, by species and
/// row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// An agent was caught. If its hunters remove their prey, the next tick starts without the agent.
    Caught {
        /// The caught agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The hunter.
        by: AgentId,
    },
    /// The steering of an agent was not finite, or its motion gave a velocity beyond [`LIMIT`](crate::LIMIT) metres per
    /// second. The tick discarded it.
    Quarantined {
        /// The agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
    },
    /// An agent reached the target of one of its rules. The event occurs once per arrival: again only after the agent
    /// has been away from the target.
    Arrived {
        /// The agent that arrived.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
    },
    /// An agent ran into a wall. The event occurs once per contact: again only after the agent has been away from the
    /// wall.
    Collided {
        /// The agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the wall in the environment.
        wall: u32,
    },
    /// A wall pushed an agent out: it appeared on its body, for example a door that closed, or the centre of the agent was
    /// on the wall or inside a solid, where a host had placed it.
    PushedOut {
        /// The agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the wall in the environment.
        wall: u32,
        /// The depth by which they overlapped, in metres.
        depth: f32,
    },
    /// A moving wall stayed where it was in this tick. It would have pressed this agent against another wall.
    Squeezed {
        /// The agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the moving wall in the environment.
        wall: u32,
    },
    /// An agent left the world. If the edge removes agents, the next tick starts without it.
    Left {
        /// The agent that left.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
    },
    /// A source spawned an agent.
    Spawned {
        /// The new agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the source in the environment.
        source: u32,
    },
    /// An agent was removed because it was in the region of a sink, or because its lifetime ended.
    Removed {
        /// The agent, which does not exist any more.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the sink in the environment; `None` for the end of its lifetime.
        sink: Option<u32>,
    },
    /// An agent entered a region.
    EnteredRegion {
        /// The agent that entered.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the region in the environment.
        region: u32,
    },
    /// An agent left a region.
    LeftRegion {
        /// The agent that left.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the region in the environment.
        region: u32,
    },
}

impl Event {
    /// The names of all kinds of events.
    pub const NAMES: [&'static str; 11] = [
        "caught",
        "quarantined",
        "arrived",
        "collided",
        "pushed_out",
        "squeezed",
        "left",
        "spawned",
        "removed",
        "entered_region",
        "left_region",
    ];

    /// The kind of event, in one word. Event counts use these names.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Caught { .. } => "caught",
            Self::Quarantined { .. } => "quarantined",
            Self::Arrived { .. } => "arrived",
            Self::Collided { .. } => "collided",
            Self::PushedOut { .. } => "pushed_out",
            Self::Squeezed { .. } => "squeezed",
            Self::Left { .. } => "left",
            Self::Spawned { .. } => "spawned",
            Self::Removed { .. } => "removed",
            Self::EnteredRegion { .. } => "entered_region",
            Self::LeftRegion { .. } => "left_region",
        }
    }
}
