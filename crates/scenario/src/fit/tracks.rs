//! Recorded tracks as patterns.

use std::path::Path;

use throng::measures::{Patterns, Sample};
use throng::{AnyWorld, Settings, with_world};
use throng_formats::trajectory::AgentRow;

use crate::recorded_rows::RecordedRows;

/// The patterns of recorded tracks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrackPatterns {
    /// The patterns of all frames.
    pub patterns: Patterns,
    /// The number of frames.
    pub frames: u64,
    /// The time between frames in seconds, if the file has it.
    pub seconds: Option<f64>,
    /// Parts of the file that are not read or are guesses, in words.
    pub notes: Vec<String>,
}

impl TrackPatterns {
    /// Reads a trajectory: the agents of the species with this name, or all if the file has no such species. `world` has
    /// the size and the edges of the space that they move in. Where frames are missing, no turns are measured.
    ///
    /// # Errors
    ///
    /// The reason in words, with its place: the file cannot be read, or has fewer than two frames or fewer
    /// dimensions than the world.
    pub fn read(file: &Path, world: &AnyWorld, species: Option<&str>) -> Result<Self, String> {
        with_world!(world, world => read(file, world.settings(), species))
    }
}

fn read<const D: usize>(file: &Path, settings: &Settings<D>, species: Option<&str>) -> Result<TrackPatterns, String> {
    let wrong = |reason: String| format!("{}: {reason}", file.to_string_lossy());
    let RecordedRows { rows, tick_seconds, notes } = RecordedRows::read(file, D, species)?;
    let frames: Vec<&[AgentRow]> = rows.chunk_by(|one, next| one.tick == next.tick).collect();
    let steps = frames.windows(2).map(|two| two[1][0].tick - two[0][0].tick);
    let step = steps.min().ok_or_else(|| wrong("has fewer than two frames".to_owned()))?;
    let (mut patterns, mut last) = (Patterns::default(), None);
    for frame in &frames {
        if last.is_some_and(|last| frame[0].tick - last != step) {
            patterns.interrupt();
        }
        last = Some(frame[0].tick);
        let column = |of: fn(&AgentRow) -> [f32; 3], axis: usize| -> Vec<f32> {
            frame.iter().map(|row| of(row)[axis]).collect()
        };
        let positions: [Vec<f32>; D] = std::array::from_fn(|axis| column(|row| row.position, axis));
        let velocities: [Vec<f32>; D] = std::array::from_fn(|axis| column(|row| row.velocity, axis));
        let sample = Sample::new(
            positions.each_ref().map(|column| &column[..]),
            velocities.each_ref().map(|column| &column[..]),
            settings,
        );
        let ids: Vec<u64> = frame.iter().map(|row| row.id).collect();
        patterns.add(&sample.map_err(|error| wrong(error.to_string()))?, &ids);
    }
    let seconds = tick_seconds.map(|seconds| seconds * step as f64);
    Ok(TrackPatterns { patterns, frames: frames.len() as u64, seconds, notes })
}
