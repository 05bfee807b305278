//! Where the agents of a run were in its building.

use std::collections::{BTreeMap, HashMap};

use throng::{AgentId, AnyWorld, with_world};
use throng_scenario::Storeys;

use crate::origin::seconds;

/// A storey or a flight of stairs over a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    /// The agents before the first tick, and the most at a time.
    pub(super) start: u64,
    pub(super) most: u64,
    /// The times at which agents came, one for each agent.
    pub(super) times: Vec<f64>,
    /// The last time with an agent.
    pub(super) last: Option<f64>,
}

/// The agents of a run in its building.
pub(super) struct InBuilding {
    pub(super) storeys: Storeys,
    pub(super) parts: BTreeMap<String, Part>,
    /// The parts in which each agent was, the present one last.
    ways: HashMap<AgentId, Vec<String>>,
}

impl InBuilding {
    pub(super) fn start(storeys: &Storeys) -> Self {
        let parts = storeys.names().chain(storeys.stairs()).map(|name| (name.to_owned(), Part::default())).collect();
        Self { storeys: storeys.clone(), parts, ways: HashMap::new() }
    }

    pub(super) fn observe(&mut self, world: &AnyWorld) {
        let now = seconds(world);
        let mut counts: HashMap<&str, u64> = HashMap::new();
        with_world!(world, world => {
            for agents in world.all_agents() {
                for (row, &id) in agents.ids().iter().enumerate() {
                    let position = agents.position(row);
                    let Some(place) = self.storeys.locate([position[0], position[1]]) else { continue };
                    *counts.entry(place.name).or_default() += 1;
                    let (way, Some(part)) = (self.ways.entry(id).or_default(), self.parts.get_mut(place.name)) else {
                        continue;
                    };
                    if way.last().is_none_or(|last| last != place.name) {
                        if !way.iter().any(|known| known == place.name) {
                            part.times.push(now);
                        }
                        way.push(place.name.to_owned());
                    }
                }
            }
        });
        for (name, count) in counts {
            let Some(part) = self.parts.get_mut(name) else { continue };
            part.last = Some(now);
            part.most = if count > part.most { count } else { part.most };
            if world.tick() == 0 {
                part.start = count;
            }
        }
    }

    /// The last stair on which an agent was.
    pub(super) fn last_stair(&self, agent: AgentId) -> Option<&str> {
        let way = self.ways.get(&agent)?;
        way.iter().rev().find(|part| self.storeys.stairs().any(|stair| stair == *part)).map(|stair| &stair[..])
    }
}
