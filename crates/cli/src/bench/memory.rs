//! The peak memory of a world, measured by the allocator of the program.

use peak_alloc::PeakAlloc;

/// The counters of the allocator of `throng`.
const ALLOCATOR: PeakAlloc = PeakAlloc;

/// The peak number of bytes allocated between starts and stops; zero in programs with another allocator.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    before: usize,
    peak: usize,
}

impl Memory {
    /// Counts allocations from now on.
    pub(crate) fn start(&mut self) {
        self.before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
    }

    /// Stops counting, and keeps the peak.
    pub(crate) fn stop(&mut self) {
        let most = ALLOCATOR.peak_usage().saturating_sub(self.before);
        self.peak = self.peak.max(most);
    }

    pub(crate) fn peak(&self) -> usize {
        self.peak
    }
}
