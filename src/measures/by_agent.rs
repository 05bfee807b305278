//! A value for each agent that an observer has seen.

use crate::base::ids::AgentId;
use crate::measures::saved::saved;

/// Values by id. They are in the order of slots, so that their order does not depend on a hash.
#[derive(Clone, Debug)]
pub(super) struct ByAgent<T> {
    slots: Vec<Option<Entry<T>>>,
    /// The number of observations.
    round: u64,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    id: AgentId,
    round: u64,
    value: T,
}

saved!(ByAgent<T> { slots, round });
saved!(Entry<T> { id, round, value });

impl<T> Default for ByAgent<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), round: 0 }
    }
}

impl<T> ByAgent<T> {
    /// Starts an observation: [`gone`](Self::gone) then means the agents that are not touched in it.
    pub(super) fn start(&mut self) {
        self.round += 1;
    }

    /// The value of an agent, which is seen in this observation; `None` if the agent is new.
    pub(super) fn touch(&mut self, id: AgentId) -> Option<&mut T> {
        let entry = self.slots.get_mut(slot(id))?.as_mut().filter(|entry| entry.id == id)?;
        entry.round = self.round;
        Some(&mut entry.value)
    }

    /// Sets the value of an agent, which is seen in this observation.
    pub(super) fn set(&mut self, id: AgentId, value: T) {
        let slot = slot(id);
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        self.slots[slot] = Some(Entry { id, round: self.round, value });
    }

    /// Drops the agents that this observation did not touch, and passes their values to `gone`.
    pub(super) fn gone(&mut self, mut gone: impl FnMut(T)) {
        let round = self.round;
        for slot in &mut self.slots {
            if slot.as_ref().is_some_and(|entry| entry.round != round)
                && let Some(entry) = slot.take()
            {
                gone(entry.value);
            }
        }
    }

    /// The values of all agents.
    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().flatten().map(|entry| &entry.value)
    }
}

fn slot(id: AgentId) -> usize {
    id.to_bits() as u32 as usize
}
