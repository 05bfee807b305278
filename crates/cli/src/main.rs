//! The program `throng`, with throng's own rules only.

use std::process::ExitCode;

use peak_alloc::PeakAlloc;
use throng::Registry;

/// Counts allocations, for the bytes of an agent in `throng bench`.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    throng_cli::main_with(Registry::new())
}
