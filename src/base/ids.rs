//! Ids of agents and species. An id is valid for the life of its agent, a row only until the next change.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::base::clone::clone_fields;

/// The id of an agent for its life. Slots are reused after an agent is removed; pairs of slot and generation are not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct AgentId(u64);

impl AgentId {
    /// An id that is never assigned to an agent.
    pub(crate) const NONE: Self = Self(u64::MAX);

    const fn new(generation: u32, slot: u32) -> Self {
        Self((generation as u64) << 32 | slot as u64)
    }

    pub(crate) const fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(crate) const fn slot(self) -> u32 {
        self.0 as u32
    }

    /// The id as one number, unique in its world.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The id from the number that [`to_bits`](Self::to_bits) returned.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// Writes the slot, followed by `v` and the generation unless it is the first.
impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation() {
            0 => write!(f, "{}", self.slot()),
            generation => write!(f, "{}v{generation}", self.slot()),
        }
    }
}

impl fmt::Debug for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AgentId({self})")
    }
}

/// The id of a species in its world: its number in the order of addition, which is never assigned again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct SpeciesId(pub(crate) u32);

impl SpeciesId {
    /// The number of species that were added before it.
    #[must_use]
    pub const fn number(self) -> usize {
        self.0 as usize
    }
}

/// The current species and row of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AgentRow {
    pub(crate) species: u32,
    pub(crate) row: u32,
}

/// The largest number of slots. Tests reach a smaller one.
const SLOTS: u32 = if cfg!(test) { 1 << 20 } else { 1 << 31 };

/// The species of an empty slot.
const EMPTY: u32 = u32::MAX;

/// All ids of a world, with the species and rows of their agents.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The generations of all slots while the rows of agents are forgotten.
    unplaced: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) generation: u32,
    species: u32,
    /// Atomic, so that several threads can update different agents at the same time.
    row: AtomicU32,
}

impl Slot {
    const fn empty(generation: u32) -> Self {
        Self { generation, species: EMPTY, row: AtomicU32::new(0) }
    }
}

impl Clone for Slot {
    fn clone(&self) -> Self {
        Self { generation: self.generation, species: self.species, row: AtomicU32::new(self.row.load(Relaxed)) }
    }
}

clone_fields!(Ids { slots, free, unplaced });

impl Ids {
    /// Ids of agents in rows that are not known, with the generations of all slots, and the free ones.
    pub(crate) fn unplaced(generations: impl ExactSizeIterator<Item = u32>, free: Vec<u32>) -> Self {
        // Generations are mostly zero, and pages of zeros are left untouched: see `keep_entries`.
        let mut unplaced = vec![0; generations.len()];
        for (slot, generation) in unplaced.iter_mut().zip(generations).filter(|(_, generation)| *generation > 0) {
            *slot = generation;
        }
        Self { slots: Vec::new(), free, unplaced }
    }

    /// All slots, or the generations of all slots while the rows of agents are forgotten; and the free slots in the
    /// order in which they were freed.
    pub(crate) fn parts(&self) -> (&[Slot], &[u32], &[u32]) {
        (&self.slots, &self.unplaced, &self.free)
    }

    /// Gives back the memory of the species and rows of all agents, until they are found again.
    pub(crate) fn forget_rows(&mut self) {
        if self.slots.is_empty() {
            return;
        }
        let generations = self.slots.iter().map(|slot| slot.generation);
        *self = Self::unplaced(generations, std::mem::take(&mut self.free));
    }

    /// Records the species and rows of all agents after they were forgotten, from the ids of each species.
    pub(crate) fn find_rows<'a>(&mut self, agents: impl Iterator<Item = &'a [AgentId]>) {
        if self.slots.is_empty() {
            self.slots = std::mem::take(&mut self.unplaced).into_iter().map(Slot::empty).collect();
        }
        for (species, ids) in (0..).zip(agents) {
            (0..).zip(ids).for_each(|(row, &id)| _ = self.assign(id, AgentRow { species, row }));
        }
    }

    /// Assigns a living agent to its species and row. Returns `false` if the id is unknown or taken.
    fn assign(&mut self, id: AgentId, at: AgentRow) -> bool {
        match self.slots.get_mut(id.slot() as usize) {
            Some(slot) if slot.generation == id.generation() && slot.species == EMPTY => {
                (slot.species, slot.row) = (at.species, AtomicU32::new(at.row));
                true
            }
            _ => false,
        }
    }

    /// Returns whether every slot is occupied, free or retired.
    pub(crate) fn is_complete(&self) -> bool {
        let empty = self.slots.iter().filter(|slot| slot.species == EMPTY && slot.generation < u32::MAX).count();
        let free = self.free.iter().filter(|&&slot| self.slots[slot as usize].species == EMPTY).count();
        free == self.free.len() && empty <= free
    }

    /// Creates an id for an agent at a row; `None` if no slot is left.
    pub(crate) fn add(&mut self, at: AgentRow) -> Option<AgentId> {
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.slots[slot as usize];
            (entry.species, entry.row) = (at.species, AtomicU32::new(at.row));
            return Some(AgentId::new(entry.generation, slot));
        }
        let slot = self.next_slot()?;
        self.slots.push(Slot { generation: 0, species: at.species, row: AtomicU32::new(at.row) });
        Some(AgentId::new(0, slot))
    }

    /// The id of the next agent; `None` if no slot is left.
    pub(crate) fn next(&self) -> Option<AgentId> {
        match self.free.last() {
            Some(&slot) => Some(AgentId::new(self.slots[slot as usize].generation, slot)),
            None => Some(AgentId::new(0, self.next_slot()?)),
        }
    }

    /// The slot behind the last one; `None` if all are taken.
    fn next_slot(&self) -> Option<u32> {
        u32::try_from(self.slots.len()).ok().filter(|&slot| slot < SLOTS)
    }

    /// Returns whether there are slots for this number of further agents.
    pub(crate) fn has_room(&self, agents: usize) -> bool {
        agents <= self.free.len() + (SLOTS as usize).saturating_sub(self.slots.len())
    }

    /// The number of agents that were ever removed: a generation ends with each.
    pub(crate) fn removed(&self) -> u64 {
        let generations: u64 = self.slots.iter().map(|slot| u64::from(slot.generation)).sum();
        let empty = self.slots.iter().filter(|slot| slot.species == EMPTY).count();
        // The last generation of a retired slot ended without a successor.
        generations + empty.saturating_sub(self.free.len()) as u64
    }

    /// Removes an agent. Its id is never assigned again.
    pub(crate) fn remove(&mut self, id: AgentId) {
        let entry = &mut self.slots[id.slot() as usize];
        entry.species = EMPTY;
        if let Some(next) = entry.generation.checked_add(1) {
            entry.generation = next;
            self.free.push(id.slot());
        }
    }

    /// The species and row of an agent, if it is alive.
    pub(crate) fn row_of(&self, id: AgentId) -> Option<AgentRow> {
        let entry = self.slots.get(id.slot() as usize)?;
        let lives = entry.generation == id.generation() && entry.species != EMPTY;
        lives.then(|| AgentRow { species: entry.species, row: entry.row.load(Relaxed) })
    }

    /// Records that a living agent is of another species, or in another row.
    pub(crate) fn change_row(&mut self, id: AgentId, at: AgentRow) {
        let entry = &mut self.slots[id.slot() as usize];
        (entry.species, entry.row) = (at.species, AtomicU32::new(at.row));
    }

    /// Records that a living agent moved to another row.
    #[inline]
    pub(crate) fn set_row(&self, id: AgentId, row: u32) {
        self.slots[id.slot() as usize].row.store(row, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: AgentRow = AgentRow { species: 0, row: 0 };

    /// Ids without agents.
    fn without_agents(generations: &[u32], free: Vec<u32>) -> Ids {
        let mut ids = Ids::unplaced(generations.iter().copied(), free);
        ids.find_rows([].into_iter());
        ids
    }

    #[test]
    fn an_id_is_never_used_again() {
        let mut ids = Ids::default();
        let first = ids.add(ROW).unwrap();
        ids.remove(first);
        let second = ids.add(ROW).unwrap();
        assert_ne!(first, second);
        assert_eq!(ids.row_of(first), None);
        assert_eq!(ids.row_of(second), Some(ROW));
        assert_eq!(format!("{first} {second}"), "0 0v1");
        assert_eq!(AgentId::from_bits(second.to_bits()), second);
        assert_eq!((SpeciesId(0).number(), SpeciesId(3).number()), (0, 3));
    }

    #[test]
    fn ids_are_distinct_and_counted_past_two_to_the_32_spawns() {
        let mut ids = without_agents(&[u32::MAX - 1, u32::MAX], vec![1, 0]);
        let removed = 2 * u64::from(u32::MAX) - 1;
        assert_eq!(ids.removed(), removed);
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..10 {
            let id = ids.add(ROW).unwrap();
            assert!(seen.insert(id.to_bits()));
            assert_eq!(ids.row_of(id), Some(ROW));
            ids.remove(id);
            assert_eq!((ids.row_of(id), ids.removed()), (None, removed + number + 1));
        }
        // Both slots are used up: a third takes their place.
        assert_eq!(ids.parts().0.len(), 3);
    }

    #[test]
    fn a_slot_retires_with_its_last_generation() {
        let mut ids = Ids::default();
        let id = ids.add(ROW).unwrap();
        ids.slots[0].generation = u32::MAX;
        let last = AgentId::new(u32::MAX, id.slot());
        ids.remove(last);
        assert_ne!(ids.add(ROW).unwrap().slot(), last.slot());
        assert_eq!(ids.row_of(last), None);
    }

    #[test]
    fn an_id_is_assigned_once_and_only_with_its_generation() {
        let mut ids = without_agents(&[4, 5, u32::MAX], vec![1]);
        let at = AgentRow { species: 3, row: 7 };
        let first = AgentId::new(4, 0);
        assert!(!ids.is_complete(), "slot 0 is neither free nor taken");
        for wrong in [AgentId::new(3, 0), AgentId::new(5, 0), AgentId::new(4, 3)] {
            assert!(!ids.assign(wrong, at), "{wrong}");
        }
        assert!(ids.assign(first, at));
        assert!(!ids.assign(first, at), "taken");
        assert_eq!(ids.row_of(first), Some(at));
        assert!(ids.is_complete(), "the last slot is retired");
        ids.set_row(first, 9);
        assert_eq!(ids.row_of(first), Some(AgentRow { row: 9, ..at }));
        // A slot that is listed as free must be empty.
        assert!(ids.assign(AgentId::new(5, 1), at));
        assert!(!ids.is_complete());
    }

    #[test]
    fn the_next_id_is_announced() {
        let mut ids = Ids::default();
        for number in 0..20 {
            let next = ids.next().unwrap();
            assert_eq!(ids.add(ROW), Some(next));
            if number % 3 == 0 {
                ids.remove(next);
            }
        }
        // Ids that ended are counted once each.
        assert_eq!((ids.removed(), ids.parts().0.len()), (7, 13));
    }

    #[test]
    fn rows_are_found_again() {
        let mut ids = Ids::default();
        let all: Vec<AgentId> = (0..9).map(|row| ids.add(AgentRow { species: 0, row }).unwrap()).collect();
        ids.remove(all[3]);
        ids.remove(all[5]);
        let again = ids.add(AgentRow { species: 1, row: 0 }).unwrap();
        ids.forget_rows();
        ids.forget_rows();
        let rows = [all[8], all[0], all[1], all[2], all[4], all[6], all[7]];
        ids.find_rows([&rows[..], &[again]].into_iter());
        ids.find_rows([&rows[..], &[again]].into_iter());
        assert_eq!(ids.row_of(all[8]), Some(AgentRow { species: 0, row: 0 }));
        assert_eq!(ids.row_of(all[7]), Some(AgentRow { species: 0, row: 6 }));
        assert_eq!(ids.row_of(again), Some(AgentRow { species: 1, row: 0 }));
        assert_eq!((ids.row_of(all[3]), ids.row_of(all[5]), ids.removed()), (None, None, 2));
        assert!(ids.is_complete());
        assert_eq!(ids.next(), Some(AgentId::new(1, 3)));
    }
}
