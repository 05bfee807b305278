//! The rows of a trajectory for a world, for starts, tracks and fits.

use std::path::Path;

use throng_formats::trajectory::{AgentRow, TrajectoryReader};

/// The rows of a trajectory in the order of ticks.
#[derive(Debug)]
pub(crate) struct RecordedRows {
    pub(crate) rows: Vec<AgentRow>,
    /// The time per tick in seconds, if the file has it.
    pub(crate) tick_seconds: Option<f64>,
    /// Parts of the file that are not read or are guesses, in words.
    pub(crate) notes: Vec<String>,
}

impl RecordedRows {
    /// Reads the agents of the species with this name, or all if the file has no such species. A world of two dimensions
    /// drops z.
    ///
    /// # Errors
    ///
    /// The reason in words, with its place: the file cannot be read, has no ticks, or fewer dimensions than the world.
    pub(crate) fn read(file: &Path, dimensions: usize, species: Option<&str>) -> Result<Self, String> {
        let wrong = |reason: String| format!("{}: {reason}", file.to_string_lossy());
        let mut reader = TrajectoryReader::open(file).map_err(|error| error.to_string())?;
        if !reader.has_ticks() {
            return Err(wrong("has no column tick or frame, as tracks have".to_owned()));
        }
        let mut rows = reader.all().map_err(|error| error.to_string())?;
        if let Some(number) = species.and_then(|name| reader.species().iter().position(|known| known == name)) {
            rows.retain(|row| row.species == number as u32);
        }
        let notes = check_dimensions(reader.dimensions(), dimensions, reader.notes()).map_err(wrong)?;
        Ok(Self { rows, tick_seconds: reader.tick_seconds(), notes })
    }
}

/// Refuses a file with fewer dimensions than the world. Adds a note if it has more.
pub(crate) fn check_dimensions(found: usize, world: usize, mut notes: Vec<String>) -> Result<Vec<String>, String> {
    if found < world {
        return Err(format!("has {found} dimensions, and the world {world}"));
    }
    if found > world {
        notes.insert(0, "z is not read: the world has two dimensions".to_owned());
    }
    Ok(notes)
}

/// A mistake in a row of a file, with its line if the file has lines.
pub(crate) fn at_row(file: &Path, row: Option<&AgentRow>, reason: &str) -> String {
    let name = file.to_string_lossy();
    match row.map(|row| row.line).filter(|line| *line > 0) {
        Some(line) => format!("{name}:{line}:1: {reason}"),
        None => format!("{name}: {reason}"),
    }
}
