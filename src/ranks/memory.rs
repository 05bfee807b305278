//! The memory of a rank for the columns of agents; it writes only its own rows.

use std::ops::Range;

/// For each species, the chunks whose memory this rank may have touched since it last released memory; `None` if it
/// never did.
#[derive(Debug, Default)]
pub(super) struct Memory(Vec<Option<Range<usize>>>);

impl Memory {
    /// Returns true, and resets the record, if this rank, which now has these chunks of a species, should release the
    /// memory of many others.
    pub(super) fn gives_back(&mut self, species: usize, own: Range<usize>) -> bool {
        if self.0.len() <= species {
            self.0.resize(species + 1, None);
        }
        let kept = &mut self.0[species];
        let wider = kept.as_ref().map(|kept| kept.start.min(own.start)..kept.end.max(own.end));
        *kept = wider.filter(|wider| wider.len() <= own.len() + own.len() / 8);
        let many = kept.is_none();
        kept.get_or_insert(own);
        many
    }

    /// Records that this rank has got the rows of all others.
    pub(super) fn filled(&mut self) {
        self.0.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_given_back_when_other_chunks_are_many() {
        let mut memory = Memory::default();
        assert!(memory.gives_back(0, 100..200), "all of them");
        assert!(!memory.gives_back(0, 100..200));
        assert!(!memory.gives_back(0, 104..204));
        assert!(!memory.gives_back(0, 96..196), "the first and the last four");
        assert!(memory.gives_back(0, 90..190), "16 of 116");
        assert!(!memory.gives_back(0, 90..190));
        memory.filled();
        assert!(memory.gives_back(0, 90..190));
    }
}
