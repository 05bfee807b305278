//! The tally of removed agents by reason.

use std::collections::BTreeMap;

/// The number of agents that were removed for each reason. Together with the agents alive they are all that were ever
/// spawned, which [`Ids`](crate::base::ids::Ids) counts on its own.
///
/// The tally is state: a world that continues from a snapshot reports all its removals. The state hash covers it, as
/// it covers the generations of ids, which count removals too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) removed: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a removal.
    pub(crate) fn count(&mut self, reason: &str) {
        match self.removed.get_mut(reason) {
            Some(count) => *count += 1,
            None => drop(self.removed.insert(reason.to_owned(), 1)),
        }
    }

    /// The number of removals.
    pub(crate) fn total(&self) -> u64 {
        self.removed.values().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The reasons in alphabetical order, and the number of removals for each.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.removed.iter().map(|(reason, &count)| (&reason[..], count))
    }
}
