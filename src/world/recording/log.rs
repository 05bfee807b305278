//! The entries of a recording: edits and hashes with their ticks. Copies of a log share them.

use std::fmt;
use std::sync::Arc;

use crate::state::snapshot::{Reader, Saved as _, SnapshotError, Writer, saved};
use crate::world::recording::edit::Edit;

/// An entry, and the tick before which it was made.
#[derive(Clone, Debug)]
pub(crate) struct Entry<const D: usize> {
    pub(super) tick: u64,
    pub(super) what: What<D>,
}

#[derive(Clone, Debug)]
pub(super) enum What<const D: usize> {
    Edit(Edit<D>),
    /// The hash of the state.
    Hash(u64),
}

saved!([const D: usize] struct Entry<D> { tick, what });
saved!([const D: usize] enum What<D> as "an entry of a recording" { 0 => Edit(edit), 1 => Hash(hash) });

/// An entry and those before it.
pub(crate) struct Chained<const D: usize> {
    pub(super) entry: Entry<D>,
    before: Option<Arc<Self>>,
}

impl<const D: usize> fmt::Debug for Chained<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entry.fmt(f)
    }
}

/// A long chain is dropped link by link, which needs no deep stack.
impl<const D: usize> Drop for Chained<D> {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(link) = before {
            before = Arc::into_inner(link).and_then(|mut link| link.before.take());
        }
    }
}

/// Entries in their order.
#[derive(Clone)]
pub(crate) struct Log<const D: usize> {
    last: Option<Arc<Chained<D>>>,
    bytes: usize,
}

impl<const D: usize> Default for Log<D> {
    fn default() -> Self {
        Self { last: None, bytes: 0 }
    }
}

impl<const D: usize> fmt::Debug for Log<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Log({} bytes)", self.bytes)
    }
}

impl<const D: usize> Log<D> {
    pub(super) fn push(&mut self, tick: u64, what: What<D>) {
        self.bytes += size_of::<Chained<D>>();
        if let What::Edit(edit) = &what {
            self.bytes += edit.bytes();
        }
        self.last = Some(Arc::new(Chained { entry: Entry { tick, what }, before: self.last.take() }));
    }

    /// About the bytes of memory that the entries take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All entries, the first one first.
    pub(super) fn entries(&self) -> Vec<Arc<Chained<D>>> {
        let last = std::iter::successors(self.last.as_ref(), |link| link.before.as_ref());
        let mut entries: Vec<_> = last.cloned().collect();
        entries.reverse();
        entries
    }

    /// The ticks of the first and of the last entry.
    pub(super) fn ticks(&self) -> Option<[u64; 2]> {
        let mut links = std::iter::successors(self.last.as_ref(), |link| link.before.as_ref());
        let last = links.next()?.entry.tick;
        Some([links.last().map_or(last, |link| link.entry.tick), last])
    }

    pub(super) fn save(&self, to: &mut Writer<'_>) {
        to.list(self.entries().iter(), |to, link| link.entry.save(to));
    }

    /// Reads entries, and counts those that it starts to read.
    pub(super) fn load(from: &mut Reader<'_>, number: &mut u64) -> Result<Self, SnapshotError> {
        let (mut log, mut tick) = (Self::default(), 0);
        from.list(|from| {
            *number += 1;
            let entry = Entry::load(from)?;
            if entry.tick < tick {
                return Err(from.unknown("an entry after a later one", entry.tick));
            }
            tick = entry.tick;
            log.push(tick, entry.what);
            Ok(())
        })?;
        Ok(log)
    }
}
