//! The ids of a world while its agents are read: whether each agent has a slot of its own, and each slot an agent.

use crate::base::ids::{AgentId, Ids};
use crate::state::fault::SnapshotFault;

/// The slots of all ids, and those whose agents have been read.
#[derive(Debug)]
pub(super) struct Roll {
    generations: Vec<u32>,
    free: Vec<u32>,
    /// One bit for each slot.
    taken: Vec<u64>,
}

impl Roll {
    /// The slots before any agent is read; `None` if a free slot is out of bounds or listed twice.
    pub(super) fn new(generations: Vec<u32>, free: Vec<u32>) -> Option<Self> {
        let mut seen = vec![false; generations.len()];
        let fresh = |slot: &u32| seen.get_mut(*slot as usize).is_some_and(|seen| !std::mem::replace(seen, true));
        let taken = vec![0; generations.len().div_ceil(64)];
        free.iter().all(fresh).then_some(Self { generations, free, taken })
    }

    /// Takes the slot of an agent. Returns `false` if the id is unknown or taken.
    pub(super) fn take(&mut self, id: AgentId) -> bool {
        let slot = id.slot() as usize;
        let is_free = self.generations.get(slot) == Some(&id.generation()) && !self.is_taken(slot);
        if is_free {
            self.taken[slot / 64] |= 1 << (slot % 64);
        }
        is_free
    }

    fn is_taken(&self, slot: usize) -> bool {
        self.taken[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// Returns whether an agent with this id has been read.
    pub(super) fn has(&self, id: AgentId) -> bool {
        let slot = id.slot() as usize;
        self.generations.get(slot) == Some(&id.generation()) && self.is_taken(slot)
    }

    /// Checks that every slot is taken, free or retired once all agents are read, and that the generations count this
    /// number of removals: one ends with each.
    pub(super) fn check(&self, removed: u64) -> Result<(), SnapshotFault> {
        let (mut ended, mut empty, mut retired) = (0, 0_usize, 0);
        for (slot, &generation) in self.generations.iter().enumerate() {
            ended += u64::from(generation);
            if !self.is_taken(slot) {
                empty += 1;
                retired += usize::from(generation == u32::MAX);
            }
        }
        // The last generation of a retired slot ended without a successor.
        if ended + empty.saturating_sub(self.free.len()) as u64 != removed {
            return Err(SnapshotFault::Tally);
        }
        let are_free = self.free.iter().all(|&slot| !self.is_taken(slot as usize));
        if are_free && empty - retired <= self.free.len() { Ok(()) } else { Err(SnapshotFault::FreeSlots) }
    }

    /// The ids, of agents in places that are not known.
    pub(super) fn into_ids(self) -> Ids {
        Ids::unplaced(self.generations.into_iter(), self.free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(generation: u32, slot: u32) -> AgentId {
        AgentId::from_bits(u64::from(generation) << 32 | u64::from(slot))
    }

    #[test]
    fn parts_are_refused_unless_each_free_slot_is_one_of_its_own() {
        assert!(Roll::new(vec![4, 5], vec![0, 0]).is_none());
        assert!(Roll::new(vec![4, 5], vec![2]).is_none());
        assert!(Roll::new(vec![4, 5], vec![1]).is_some());
    }

    #[test]
    fn an_id_is_taken_once_and_only_with_its_generation() {
        let mut roll = Roll::new(vec![4, 5, u32::MAX], vec![1]).unwrap();
        let removed = 4 + 5 + u64::from(u32::MAX) + 1;
        assert_eq!(roll.check(removed + 1), Err(SnapshotFault::FreeSlots), "slot 0 is neither free nor taken");
        for wrong in [id(3, 0), id(5, 0), id(4, 3)] {
            assert!(!roll.take(wrong) && !roll.has(wrong), "{wrong}");
        }
        assert!(!roll.has(id(4, 0)));
        assert!(roll.take(id(4, 0)));
        assert!(!roll.take(id(4, 0)), "taken");
        assert!(roll.has(id(4, 0)));
        assert_eq!(roll.check(removed), Ok(()), "the last slot is retired");
        assert_eq!(roll.check(removed + 1), Err(SnapshotFault::Tally));
        // A slot that is listed as free must be empty.
        assert!(roll.take(id(5, 1)));
        assert_eq!(roll.check(removed - 1), Err(SnapshotFault::FreeSlots));
        let ids = roll.into_ids();
        assert_eq!((ids.parts().1, ids.parts().2), (&[4, 5, u32::MAX][..], &[1][..]));
    }
}
