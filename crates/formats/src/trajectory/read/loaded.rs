//! Trajectories that are read as a whole: those that are not sorted by time, or lack velocities.

use super::rows::{AgentRow, Rows, TrajectoryError};

/// The note of a text without a frame rate.
pub(super) const NO_RATE: &str = "no frame rate: frames count as a second apart, which scales speeds; a first line such \
                                  as `# framerate: 25` has it";

/// The note of coordinates that are pixels of a video.
pub(super) const NO_SCALE: &str = "no scale: coordinates count as metres, and trackers of videos have pixels; a first line \
                                   such as `# scale: 0.002` has the metres of one";

/// The shortest time between frames, in seconds: with any valid coordinates, speeds stay finite.
const SHORTEST: f64 = 1e-9;

/// The number after a word in a comment.
pub(super) fn after(comment: &str, word: &str) -> Option<f64> {
    let rest = &comment[comment.find(word)? + word.len()..];
    let rest = rest.trim_start_matches([':', '=', ' ', '\t']);
    let end = rest.find(|next: char| !next.is_ascii_digit() && next != '.').unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// The positive number after a word in one of these comments.
pub(super) fn in_comments(comments: &[String], word: &str) -> Option<f64> {
    let found = comments.iter().find_map(|comment| after(&comment.to_ascii_lowercase(), word));
    found.filter(|number| *number > 0.0)
}

/// The rows of a file in memory, in the order of ticks.
#[derive(Debug)]
pub(super) struct Loaded {
    dimensions: usize,
    species: Vec<String>,
    rows: Vec<AgentRow>,
    next: usize,
    tick_seconds: f64,
    notes: Vec<String>,
}

impl Loaded {
    /// Adds notes: see [`TrajectoryReader::notes`](crate::trajectory::TrajectoryReader::notes).
    pub(super) fn with(mut self, notes: Vec<String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Rows in any order, with velocities or without; frames are this time apart, in seconds, and this number of ticks.
    pub(super) fn new(
        dimensions: usize,
        species: Vec<String>,
        mut rows: Vec<AgentRow>,
        (seconds, every): (f64, u64),
        has_velocities: bool,
    ) -> Self {
        let seconds = seconds.max(SHORTEST);
        rows.sort_unstable_by_key(|row| (row.id, row.tick, row.line));
        for place in (0..rows.len()).filter(|_| !has_velocities) {
            let own = rows[place];
            let pair = |from: usize, to: usize| {
                let (from, to) = (rows.get(from)?, rows.get(to)?);
                (from.id == to.id && to.tick > from.tick).then_some((from, to))
            };
            let pair = place.checked_sub(1).and_then(|before| pair(before, place)).or_else(|| pair(place, place + 1));
            let velocity = pair.map_or([0.0; 3], |(from, to)| {
                let time = (to.tick - from.tick) as f64 / every as f64 * seconds;
                std::array::from_fn(|axis| {
                    ((f64::from(to.position[axis]) - f64::from(from.position[axis])) / time) as f32
                })
            });
            rows[place] = AgentRow { velocity, ..own };
        }
        rows.sort_unstable_by_key(|row| (row.tick, row.id, row.line));
        Self { dimensions, species, rows, next: 0, tick_seconds: seconds / every as f64, notes: Vec::new() }
    }
}

impl Rows for Loaded {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn species(&self) -> &[String] {
        &self.species
    }

    fn tick_seconds(&self) -> Option<f64> {
        Some(self.tick_seconds)
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn take(&mut self) -> Option<Vec<AgentRow>> {
        let mut rows = std::mem::take(&mut self.rows);
        rows.drain(..self.next.min(rows.len()));
        Some(rows)
    }

    fn row(&mut self) -> Result<Option<AgentRow>, TrajectoryError> {
        let row = self.rows.get(self.next).copied();
        self.next += 1;
        Ok(row)
    }
}
