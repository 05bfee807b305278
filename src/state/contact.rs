//! Two agents in contact, and the events that say when it begins and ends.

use crate::agents::events::Event;
use crate::base::ids::{AgentId, SpeciesId};

/// Two agents in contact, the one with the smaller id first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Contact {
    pub(crate) agents: [AgentId; 2],
    /// The numbers of their species.
    pub(crate) species: [u32; 2],
}

impl Contact {
    pub(crate) fn new(one: (AgentId, SpeciesId), other: (AgentId, SpeciesId)) -> Self {
        let [first, second] = if one.0 <= other.0 { [one, other] } else { [other, one] };
        Self { agents: [first.0, second.0], species: [first.1.0, second.1.0] }
    }

    pub(crate) fn touched(self) -> Event {
        let Self { agents: [agent, other], species: [species, _] } = self;
        Event::Touched { agent, species: SpeciesId(species), other }
    }

    pub(crate) fn parted(self) -> Event {
        let Self { agents: [agent, other], species: [species, _] } = self;
        Event::Parted { agent, species: SpeciesId(species), other }
    }
}
