//! Trajectories: they are refused with line and column, or have finite rows in ascending ticks.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| throng_cli::fuzzing::trajectory(data));
