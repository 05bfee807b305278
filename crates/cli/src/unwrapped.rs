//! Unwrapped positions: the way of each agent across the seams of a periodic world, as if the world had no end. A jump
//! crosses no seam.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use throng::{AgentId, AnyWorld, Came, Seen, World, with_world};
use throng_formats::trajectory::shortest;

/// The crossings of seams since the first observation, per agent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Entry>", into = "Vec<Entry>")]
pub(crate) struct Unwrapped {
    agents: HashMap<AgentId, Crossings>,
}

/// An agent with its last position and its crossings.
type Entry = (u64, [f32; 3], [i32; 3]);

#[derive(Clone, Copy, Debug)]
struct Crossings {
    /// The agent at the last observation.
    last: Seen,
    /// The number of crossings on each axis, in the positive direction.
    count: [i32; 3],
}

impl From<Unwrapped> for Vec<Entry> {
    /// In the order of ids, so that equal checkpoints have equal bytes.
    fn from(unwrapped: Unwrapped) -> Self {
        let entry = |(id, Crossings { last, count }): (AgentId, Crossings)| (id.to_bits(), last.place(), count);
        let mut agents: Self = unwrapped.agents.into_iter().map(entry).collect();
        agents.sort_unstable_by_key(|(id, ..)| *id);
        agents
    }
}

impl From<Vec<Entry>> for Unwrapped {
    fn from(agents: Vec<Entry>) -> Self {
        let crossings = |(id, last, count): Entry| (AgentId::from_bits(id), Crossings { last: Seen::at(last), count });
        Self { agents: agents.into_iter().map(crossings).collect() }
    }
}

impl Unwrapped {
    /// Observes the world. Must be called at every tick: an agent that moved by more than half a period has crossed the
    /// seam.
    pub(crate) fn observe(&mut self, world: &AnyWorld) {
        with_world!(world, world => self.follow(world));
    }

    fn follow<const D: usize>(&mut self, world: &World<D>) {
        let (settings, period) = (world.settings(), world.settings().period());
        let mut agents = HashMap::with_capacity(self.agents.len());
        for all in world.all_agents() {
            for (row, id) in all.ids().iter().enumerate() {
                let new = || Crossings { last: Seen::of(all, row), count: [0; 3] };
                let mut crossings = self.agents.get(id).copied().unwrap_or_else(new);
                let before = crossings.last.place();
                if let Came::Moved(_) = crossings.last.again(settings, all, row) {
                    for axis in 0..D {
                        let step = crossings.last.place()[axis] - before[axis];
                        // Infinite periods are never crossed.
                        crossings.count[axis] +=
                            i32::from(step < -0.5 * period[axis]) - i32::from(step > 0.5 * period[axis]);
                    }
                }
                agents.insert(*id, crossings);
            }
        }
        self.agents = agents;
    }

    /// The unwrapped position of an agent on an axis, in metres.
    pub(crate) fn position(&self, world: &AnyWorld, id: AgentId, axis: usize) -> Option<f64> {
        let Crossings { last, count } = self.agents.get(&id)?;
        let whole = if count[axis] == 0 { 0.0 } else { f64::from(count[axis]) * shortest(periods(world)[axis]) };
        Some(shortest(last.place()[axis]) + whole)
    }
}

fn periods(world: &AnyWorld) -> [f32; 3] {
    let mut periods = [f32::INFINITY; 3];
    with_world!(world, world => {
        for (period, own) in periods.iter_mut().zip(world.settings().period()) {
            *period = own;
        }
    });
    periods
}
