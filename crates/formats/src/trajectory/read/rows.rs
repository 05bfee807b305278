//! Rows of trajectories, and the errors of reading them.

use std::fmt;
use std::path::Path;

/// The largest valid coordinate, in metres, and the largest component of a velocity.
pub(super) const FARTHEST: f32 = 1e9;

/// One agent at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentRow {
    /// The tick; in a file of another program the frame.
    pub tick: u64,
    /// The id.
    pub id: u64,
    /// The number of its species, in the order of their first rows.
    pub species: u32,
    /// The line in a text, from 1; 0 in other formats.
    pub line: u32,
    /// The position in metres; zero on a missing axis.
    pub position: [f32; 3],
    /// The velocity in metres per second. In a format without velocities it is the difference from the last position of
    /// the agent, or else to the next one.
    pub velocity: [f32; 3],
}

/// The reason why a trajectory cannot be read, with its file and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrajectoryError(String);

impl TrajectoryError {
    pub(super) fn whole(file: &Path, reason: impl fmt::Display) -> Self {
        Self(format!("{}: {reason}", file.to_string_lossy()))
    }

    pub(super) fn at(file: &Path, line: u64, column: usize, reason: impl fmt::Display) -> Self {
        Self(format!("{}:{line}:{column}: {reason}", file.to_string_lossy()))
    }
}

impl fmt::Display for TrajectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TrajectoryError {}

/// The rows of a format, in the order of ticks.
pub(super) trait Rows: fmt::Debug {
    fn dimensions(&self) -> usize;
    fn species(&self) -> &[String];
    fn row(&mut self) -> Result<Option<AgentRow>, TrajectoryError>;

    /// The simulated time per tick, in seconds, as far as it is known so far.
    fn tick_seconds(&self) -> Option<f64>;

    /// All rows that are left, if they are in memory.
    fn take(&mut self) -> Option<Vec<AgentRow>> {
        None
    }

    /// Whether rows have ticks or frames; otherwise all are at tick 0.
    fn has_ticks(&self) -> bool {
        true
    }

    /// Whether rows have velocities, if they have no ticks from which these follow.
    fn has_velocities(&self) -> bool {
        true
    }

    /// Parts of the file that are not read or are guesses, in words.
    fn notes(&self) -> Vec<String>;
}

/// A whole number, which some programs write with decimals.
pub(super) fn whole(field: &str) -> Option<u64> {
    let with_decimals =
        || field.parse::<f64>().ok().filter(|number| number.fract() == 0.0 && (0.0..9e15).contains(number));
    field.parse().ok().or_else(|| with_decimals().map(|number| number as u64))
}

/// The note on further columns; none without any.
pub(super) fn unread(columns: &[String]) -> Option<String> {
    let (kept, s) = (columns.join(", "), if columns.len() == 1 { "" } else { "s" });
    (!columns.is_empty()).then(|| format!("column{s} {kept} not read"))
}
