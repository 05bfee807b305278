//! Trajectories as text: they are refused with line and column, or have finite rows in ascending ticks.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use throng_formats::trajectory::TrajectoryReader;

fuzz_target!(|data: &[u8]| {
    let Ok(mut reader) = TrajectoryReader::csv(Path::new("trajectory.csv"), data) else { return };
    let mut last = 0;
    while let Ok(Some(row)) = reader.row() {
        assert!(row.tick >= last && (row.species as usize) < reader.species().len());
        assert!((0..3).all(|axis| row.position[axis].is_finite() && row.velocity[axis].is_finite()));
        last = row.tick;
    }
});
