//! The head of an HTTP request and the messages of a page.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| throng_cli::fuzzing::page(data));
