//! The head of a request, and the commands of a page on a small world.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| throng_cli::fuzzing::page(data));
