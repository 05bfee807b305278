//! Events: facts of the last tick.

use crate::base::handles::{RegionId, SinkId, SourceId, WallId};
use crate::base::ids::{AgentId, SpeciesId};

/// A fact of the last tick. Events are in the order of the stages that detected them; within a stage, by species and
/// row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
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
        /// The wall.
        wall: WallId,
    },
    /// A wall pushed an agent out: it appeared on its body, for example a door that closed, or the centre of the agent was
    /// on the wall or inside a solid, where a host had placed it.
    PushedOut {
        /// The agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The wall.
        wall: WallId,
        /// The depth by which they overlapped, in metres.
        depth: f32,
    },
    /// A moving wall stayed where it was in this tick. It would have pressed this agent against another wall.
    Squeezed {
        /// The agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The moving wall.
        wall: WallId,
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
        /// The source.
        source: SourceId,
    },
    /// An agent does not exist any more. It is the one event for the end of an agent, in the first tick without it.
    Removed {
        /// The agent.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// Why it was removed.
        reason: Removal,
    },
    /// The bodies of two agents came into contact, and a species of one of them reports it: see
    /// [`Contacts`](crate::Contacts). The event occurs once for the two, and again only after they have parted.
    Touched {
        /// The agent with the smaller id.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The other agent.
        other: AgentId,
    },
    /// Two agents are in contact no longer, or one of them does not exist any more.
    Parted {
        /// The agent with the smaller id.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The other agent.
        other: AgentId,
    },
    /// An agent entered a region.
    EnteredRegion {
        /// The agent that entered.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The region.
        region: RegionId,
    },
    /// An agent left a region.
    LeftRegion {
        /// The agent that left.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The region.
        region: RegionId,
    },
}

/// The reason for which an agent was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Removal {
    /// It was in the region of this sink.
    Sink(SinkId),
    /// Its lifetime ended.
    Lifetime,
    /// It left the world in the tick before.
    Left,
    /// It was caught in the tick before.
    Caught,
    /// Its track ended.
    Track,
    /// The host removed it before the tick.
    Despawned,
}

impl Removal {
    /// The reason in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sink(_) => "sink",
            Self::Lifetime => "lifetime",
            Self::Left => "left",
            Self::Caught => "caught",
            Self::Track => "track",
            Self::Despawned => "despawned",
        }
    }
}

impl Event {
    /// The names of all kinds of events.
    pub const NAMES: [&'static str; 13] = [
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
        "touched",
        "parted",
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
            Self::Touched { .. } => "touched",
            Self::Parted { .. } => "parted",
        }
    }

    /// The agent that the event is about: of two, the caught one, or the one with the smaller id.
    #[must_use]
    pub const fn agent(&self) -> AgentId {
        match *self {
            Self::Caught { agent, .. }
            | Self::Quarantined { agent, .. }
            | Self::Arrived { agent, .. }
            | Self::Collided { agent, .. }
            | Self::PushedOut { agent, .. }
            | Self::Squeezed { agent, .. }
            | Self::Left { agent, .. }
            | Self::Spawned { agent, .. }
            | Self::Removed { agent, .. }
            | Self::EnteredRegion { agent, .. }
            | Self::LeftRegion { agent, .. }
            | Self::Touched { agent, .. }
            | Self::Parted { agent, .. } => agent,
        }
    }
}
