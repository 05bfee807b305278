//! The edits of a run with their ticks, and the changes that they make to the scenario.
//!
//! The recording of the world has the same edits, as changes of its state. This log has them as the page means them: with
//! the keys of the scenario that they change, with their reversals, and as gestures, whose parts replace one another.

use std::collections::VecDeque;

use super::changes::{Change, Changes};
use super::edit::Edit;

/// The log of edits. Positions count all edits since the start of the run, also those that were dropped.
#[derive(Debug)]
pub(super) struct EditLog {
    entries: VecDeque<Entry>,
    /// The number of edits before the first entry.
    dropped: usize,
    /// The number of edits that the present world contains.
    position: usize,
    /// The changes before the first entry, and the changes of the present world.
    base: Changes,
    present: Changes,
    /// About the memory of the entries.
    bytes: usize,
}

/// An edit at a tick.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) tick: u64,
    pub(super) edit: Edit,
    pub(super) changes: Vec<Change>,
}

impl Entry {
    fn bytes(&self) -> usize {
        self.edit.bytes() + self.changes.iter().map(Change::bytes).sum::<usize>()
    }
}

impl EditLog {
    /// The log of a world that has these changes at its start.
    pub(super) fn new(base: Changes) -> Self {
        let present = base.clone();
        Self { entries: VecDeque::new(), dropped: 0, position: 0, base, present, bytes: 0 }
    }

    /// The number of edits that the present world contains.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The number of edits before the first that is kept.
    pub(super) fn dropped(&self) -> usize {
        self.dropped
    }

    /// About the bytes of memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The changes to the scenario in the present world.
    pub(super) fn changes(&self) -> &Changes {
        &self.present
    }

    /// The changes before the first edit.
    pub(super) fn base(&self) -> &Changes {
        &self.base
    }

    /// The edits that the present world contains, with their ticks.
    pub(super) fn present(&self) -> impl Iterator<Item = (u64, &Edit)> {
        self.entries.range(..self.position - self.dropped).map(|entry| (entry.tick, &entry.edit))
    }

    /// The edit that came last in the present world.
    pub(super) fn last(&self) -> Option<&Entry> {
        self.entries.get(self.position.checked_sub(self.dropped + 1)?)
    }

    /// The edits up to this tick that the world does not contain yet. It contains them from now on.
    pub(super) fn due(&mut self, tick: u64) -> Vec<Edit> {
        let rest = self.entries.range(self.position - self.dropped..);
        let due: Vec<&Entry> = rest.take_while(|entry| entry.tick <= tick).collect();
        due.iter().flat_map(|entry| &entry.changes).for_each(|change| self.present.record(change.clone()));
        self.position += due.len();
        due.into_iter().map(|entry| entry.edit.clone()).collect()
    }

    /// Goes back to a world with this number of edits.
    pub(super) fn rewind(&mut self, position: usize) {
        self.present = self.base.clone();
        let kept = self.entries.range(..position - self.dropped);
        kept.flat_map(|entry| &entry.changes).for_each(|change| self.present.record(change.clone()));
        self.position = position;
    }

    /// Adds an edit of the present world, and drops those that came after it in an earlier course of the run. With
    /// `replace`, the edit takes the place of the last one, which set the same thing.
    pub(super) fn push(&mut self, entry: Entry, replace: bool) {
        let kept = self.position - self.dropped - usize::from(replace);
        self.bytes -= self.entries.drain(kept..).map(|entry| entry.bytes()).sum::<usize>();
        self.bytes += entry.bytes();
        entry.changes.iter().for_each(|change| self.present.record(change.clone()));
        self.entries.push_back(entry);
        self.position = self.dropped + self.entries.len();
    }

    /// Drops the edits before a position: no earlier world is reached again.
    pub(super) fn forget(&mut self, position: usize) {
        for entry in self.entries.drain(..position - self.dropped) {
            self.bytes -= entry.bytes();
            entry.changes.into_iter().for_each(|change| self.base.record(change));
        }
        self.dropped = position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(tick: u64, key: &str, value: i64) -> Entry {
        let edit = Edit::Mark { name: key.to_owned(), point: vec![value as f64] };
        Entry { tick, edit, changes: vec![Change::Key(vec![key.to_owned()], value.into())] }
    }

    /// The changes of all entries, one after another.
    fn replayed(log: &EditLog) -> String {
        let mut changes = log.base.clone();
        let kept = log.entries.range(..log.position - log.dropped);
        kept.flat_map(|entry| &entry.changes).for_each(|change| changes.record(change.clone()));
        format!("{changes:?}")
    }

    #[test]
    fn the_changes_of_the_present_world_are_those_of_its_edits() {
        let mut log = EditLog::new(Changes::default());
        let check = |log: &EditLog| assert_eq!(format!("{:?}", log.changes()), replayed(log));
        for tick in 0..20 {
            log.push(entry(tick, ["a", "b", "c"][tick as usize % 3], tick as i64), false);
            check(&log);
        }
        log.push(entry(20, "b", 7), true);
        check(&log);
        log.forget(5);
        check(&log);
        log.rewind(8);
        check(&log);
        assert_eq!(log.due(11).len(), 4);
        check(&log);
        log.push(entry(12, "d", 1), false);
        check(&log);
        assert_eq!((log.position(), log.dropped(), log.entries.len()), (13, 5, 8));
        assert!(log.due(100).is_empty());
        log.forget(13);
        check(&log);
        assert_eq!((log.bytes(), log.last().is_none()), (0, true));
    }
}
