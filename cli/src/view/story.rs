//! The story of a run: populations per species and state, and the events of each kind since its start.

use serde_json::{Map, Value as Json, json};
use throng::{AnyWorld, Event, World, with_world};

/// The events since the start of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Story {
    events: [u64; Event::NAMES.len()],
}

impl Story {
    /// Counts the events of the world's last tick.
    pub(super) fn count(&mut self, world: &AnyWorld) {
        for event in world.events() {
            if let Some(kind) = Event::NAMES.iter().position(|name| *name == event.name()) {
                self.events[kind] += 1;
            }
        }
    }

    /// The number of events of each kind that occurred, and the present populations.
    pub(super) fn describe(&self, world: &AnyWorld) -> Json {
        let events = Event::NAMES.iter().zip(self.events).filter(|(_, number)| *number > 0);
        let events: Map<String, Json> = events.map(|(name, number)| ((*name).to_owned(), number.into())).collect();
        let populations = with_world!(world, world => populations(world));
        json!({ "events": events, "populations": populations })
    }
}

/// The number of agents of each species, and of each of its states.
fn populations<const D: usize>(world: &World<D>) -> Vec<Json> {
    let counted = world.species_ids().zip(world.all()).map(|(id, agents)| {
        let mut states = vec![0_usize; world.species(id).map_or(0, |species| species.states.len())];
        if !states.is_empty() {
            (0..agents.len()).for_each(|row| states[agents.state(row)] += 1);
        }
        json!({ "agents": agents.len(), "states": states })
    });
    counted.collect()
}
