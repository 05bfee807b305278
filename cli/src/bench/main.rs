//! The program `throng-bench`, which `throng bench` runs, with an allocator that counts.

use std::process::ExitCode;

use peak_alloc::PeakAlloc;

/// Counts the allocations of the whole program, for the peak memory of a design.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    throng_cli::bench_main()
}
