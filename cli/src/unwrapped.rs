//! Unwrapped positions: the way of each agent across the seams of a periodic world, as if the world had no end.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use throng::{AgentId, AnyWorld, with_world};
use throng_formats::trajectory::shortest;

/// The crossings of seams since the first observation, per agent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, Crossings)>", into = "Vec<(u64, Crossings)>")]
pub(crate) struct Unwrapped {
    agents: HashMap<AgentId, Crossings>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Crossings {
    /// The position in the world at the last observation.
    last: [f32; 3],
    /// The number of crossings on each axis, in the positive direction.
    count: [i32; 3],
}

impl From<Unwrapped> for Vec<(u64, Crossings)> {
    /// In the order of ids, so that equal checkpoints have equal bytes.
    fn from(unwrapped: Unwrapped) -> Self {
        let mut agents: Self = unwrapped.agents.into_iter().map(|(id, crossings)| (id.to_bits(), crossings)).collect();
        agents.sort_unstable_by_key(|(id, _)| *id);
        agents
    }
}

impl From<Vec<(u64, Crossings)>> for Unwrapped {
    fn from(agents: Vec<(u64, Crossings)>) -> Self {
        Self { agents: agents.into_iter().map(|(id, crossings)| (AgentId::from_bits(id), crossings)).collect() }
    }
}

impl Unwrapped {
    /// Observes the world. Must be called at every tick: an agent that moved by more than half a period has crossed the
    /// seam.
    pub(crate) fn observe(&mut self, world: &AnyWorld) {
        let period = periods(world);
        let mut agents = HashMap::with_capacity(self.agents.len());
        for (species, ..) in world.all_species() {
            let (Ok(ids), Ok(positions)) = (world.ids(species), world.positions(species)) else { continue };
            for (row, id) in ids.iter().enumerate() {
                let mut last = [0.0; 3];
                for (last, column) in last.iter_mut().zip(&positions) {
                    *last = column[row];
                }
                let before = self.agents.get(id).copied().unwrap_or(Crossings { last, count: [0; 3] });
                let mut count = before.count;
                for axis in 0..positions.len() {
                    let step = last[axis] - before.last[axis];
                    // Infinite periods are never crossed.
                    count[axis] += i32::from(step < -0.5 * period[axis]) - i32::from(step > 0.5 * period[axis]);
                }
                agents.insert(*id, Crossings { last, count });
            }
        }
        self.agents = agents;
    }

    /// The unwrapped position of an agent on an axis, in metres.
    pub(crate) fn position(&self, world: &AnyWorld, id: AgentId, axis: usize) -> Option<f64> {
        let Crossings { last, count } = self.agents.get(&id)?;
        let whole = if count[axis] == 0 { 0.0 } else { f64::from(count[axis]) * shortest(periods(world)[axis]) };
        Some(shortest(last[axis]) + whole)
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
