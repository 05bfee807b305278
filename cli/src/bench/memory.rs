//! How much memory does a design need? The most bytes that were allocated at once, by a counting allocator.

use peak_alloc::PeakAlloc;

/// Counts what the whole program allocates: two additions per allocation, of which a tick makes hardly any.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The most bytes at once between starts and stops.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    before: usize,
    peak: usize,
}

impl Memory {
    /// What is allocated from now on counts.
    pub(crate) fn start(&mut self) {
        self.before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
    }

    /// What is allocated from now on does not.
    pub(crate) fn stop(&mut self) {
        let most = ALLOCATOR.peak_usage().saturating_sub(self.before);
        self.peak = self.peak.max(most);
    }

    pub(crate) fn peak(&self) -> usize {
        self.peak
    }
}
