//! A value for each agent that an observer has seen.

use crate::base::ids::AgentId;
use crate::state::snapshot::{Saved, saved};

/// Values by id. They are in the order of slots, so that their order does not depend on a hash.
#[derive(Clone, Debug)]
pub(super) struct ByAgent<T> {
    slots: Vec<Option<Entry<T>>>,
    /// The number of observations.
    round: u64,
    /// The tick of the last observation.
    tick: Option<u64>,
    /// Whether a tick passed between two observations unobserved.
    missed: bool,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    id: AgentId,
    round: u64,
    value: T,
}

saved!([T: Saved] struct ByAgent<T> { slots, round, tick, missed });
saved!([T: Saved] struct Entry<T> { id, round, value });

impl<T> Default for ByAgent<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), round: 0, tick: None, missed: false }
    }
}

impl<T> ByAgent<T> {
    /// Starts an observation: [`gone`](Self::gone) then means the agents that are not touched in it.
    pub(super) fn start(&mut self, tick: u64) {
        self.missed |= self.misses(tick);
        self.tick = Some(tick);
        self.round += 1;
    }

    /// Returns whether an observation at this tick leaves out ticks since the last one.
    pub(super) fn misses(&self, tick: u64) -> bool {
        self.tick.is_some_and(|last| tick != last && last.checked_add(1) != Some(tick))
    }

    /// Returns whether observations left out ticks.
    pub(super) fn has_missed(&self) -> bool {
        self.missed
    }

    /// The value of an agent, which is seen in this observation; `None` if the agent is new.
    pub(super) fn touch(&mut self, id: AgentId) -> Option<&mut T> {
        let entry = self.slots.get_mut(slot(id))?.as_mut().filter(|entry| entry.id == id)?;
        entry.round = self.round;
        Some(&mut entry.value)
    }

    /// The value of an agent.
    pub(super) fn get(&self, id: AgentId) -> Option<&T> {
        let entry = self.slots.get(slot(id))?.as_ref().filter(|entry| entry.id == id)?;
        Some(&entry.value)
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
        self.entries().map(|(_, value)| value)
    }

    /// The agents with their values.
    pub(super) fn entries(&self) -> impl Iterator<Item = (AgentId, &T)> {
        self.slots.iter().flatten().map(|entry| (entry.id, &entry.value))
    }
}

fn slot(id: AgentId) -> usize {
    id.to_bits() as u32 as usize
}
