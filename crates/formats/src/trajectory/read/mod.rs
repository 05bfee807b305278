//! Reading of trajectories, row by row, with errors by line and column where the format has lines.

mod columns;
mod csv;
#[cfg(feature = "sqlite")]
mod database;
mod fixes;
mod loaded;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;
mod text;
mod wide;

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use super::TrajectoryFormat;
use rows::Rows;
pub use rows::{AgentRow, TrajectoryError};

/// A trajectory with one row per agent and tick, in the order of ticks.
#[derive(Debug)]
pub struct TrajectoryReader<'r> {
    file: PathBuf,
    rows: Box<dyn Rows + 'r>,
    /// The last tick, and the ids of its agents.
    tick: u64,
    ids: HashSet<u64>,
}

impl<'r> TrajectoryReader<'r> {
    /// Opens a file in the format of its ending: CSV and Parquet with the columns `tick` or `frame`, `id`, `x` and `y`,
    /// JuPedSim's SQLite, or the text of the pedestrian data archive. CSV with `x` and `y` alone has all agents at tick 0.
    /// CSV of idtracker.ai and Movebank has columns of its own.
    ///
    /// # Errors
    ///
    /// [`TrajectoryError`].
    pub fn open(file: &Path) -> Result<Self, TrajectoryError> {
        let cannot = |error| TrajectoryError::whole(file, format!("cannot be read: {error}"));
        let opened = || File::open(file).map_err(cannot);
        let rows: Box<dyn Rows> = match TrajectoryFormat::of(file) {
            Some(TrajectoryFormat::Csv) => return Self::csv(file, opened()?),
            Some(TrajectoryFormat::Text) => Box::new(text::read(file, BufReader::new(opened()?))?),
            #[cfg(feature = "parquet")]
            Some(TrajectoryFormat::Parquet) => parquet::open(file, opened()?)?,
            #[cfg(feature = "sqlite")]
            Some(TrajectoryFormat::Sqlite) => Box::new(opened().and_then(|_| database::read(file))?),
            Some(TrajectoryFormat::Vtk | TrajectoryFormat::Ply | TrajectoryFormat::Usd) => {
                return Err(TrajectoryError::whole(file, "files with a frame each are written, and not read"));
            }
            #[cfg(not(all(feature = "parquet", feature = "sqlite")))]
            Some(format) => return Err(TrajectoryError::whole(file, format.missing().unwrap_or_default())),
            None => {
                let reason = "the name of a trajectory ends in .parquet, .sqlite, .txt or .csv";
                return Err(TrajectoryError::whole(file, reason));
            }
        };
        Ok(Self::of(file, rows))
    }

    fn of(file: &Path, rows: Box<dyn Rows + 'r>) -> Self {
        Self { file: file.to_owned(), rows, tick: 0, ids: HashSet::new() }
    }

    /// Reads comma-separated values; `file` is their name in errors.
    ///
    /// # Errors
    ///
    /// [`TrajectoryError`].
    pub fn csv(file: &Path, from: impl Read + fmt::Debug + 'r) -> Result<Self, TrajectoryError> {
        Ok(Self::of(file, csv::open(file, from)?))
    }

    /// The number of dimensions.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.rows.dimensions()
    }

    /// The names of the species so far.
    #[must_use]
    pub fn species(&self) -> &[String] {
        self.rows.species()
    }

    /// Whether the file has ticks or frames; without them, all agents are at tick 0.
    #[must_use]
    pub fn has_ticks(&self) -> bool {
        self.rows.has_ticks()
    }

    /// The time per tick in seconds, if the file has it. The tables of CSV have it from their second tick on.
    #[must_use]
    pub fn tick_seconds(&self) -> Option<f64> {
        self.rows.tick_seconds()
    }

    /// Parts of the file that are not read, such as further columns, or are guesses, such as the time between frames.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.rows.notes()
    }

    /// The next row; `None` after the last.
    ///
    /// # Errors
    ///
    /// [`TrajectoryError`]; an agent has two positions at a tick.
    pub fn row(&mut self) -> Result<Option<AgentRow>, TrajectoryError> {
        let Some(row) = self.rows.row()? else { return Ok(None) };
        self.check(&row)?;
        Ok(Some(row))
    }

    /// All rows that are left.
    ///
    /// # Errors
    ///
    /// As for [`row`](Self::row).
    pub fn all(&mut self) -> Result<Vec<AgentRow>, TrajectoryError> {
        if let Some(rows) = self.rows.take() {
            rows.iter().try_for_each(|row| self.check(row))?;
            return Ok(rows);
        }
        let mut rows = Vec::new();
        while let Some(row) = self.row()? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// Refuses a second row of an agent at a tick.
    fn check(&mut self, row: &AgentRow) -> Result<(), TrajectoryError> {
        if row.tick != self.tick {
            self.tick = row.tick;
            self.ids.clear();
        }
        match self.ids.insert(row.id) {
            true => Ok(()),
            false => Err(self.at(row, format!("agent {} has two positions at {}", row.id, row.tick))),
        }
    }

    /// A mistake in a row, with its line if the format has lines.
    fn at(&self, row: &AgentRow, reason: impl fmt::Display) -> TrajectoryError {
        match row.line {
            0 => TrajectoryError::whole(&self.file, reason),
            line => TrajectoryError::at(&self.file, line.into(), 1, reason),
        }
    }
}

/// The agents of a trajectory at a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameOf {
    /// The number of dimensions.
    pub dimensions: usize,
    /// The agents.
    pub rows: Vec<AgentRow>,
    /// Whether they have velocities: a plain table of places has none.
    pub has_velocities: bool,
    /// See [`TrajectoryReader::notes`].
    pub notes: Vec<String>,
}

/// Reads the agents at a tick, by default the last, in the order of the file: the agents of the species with this name,
/// or all if the file has no such species.
///
/// # Errors
///
/// [`TrajectoryError`]; no agents are at that tick.
pub fn frame_of(file: &Path, tick: Option<u64>, species: &str) -> Result<FrameOf, TrajectoryError> {
    let mut reader = TrajectoryReader::open(file)?;
    let (mut rows, mut first, mut last): (Vec<AgentRow>, _, _) = (Vec::new(), None, None);
    while let Some(row) = reader.row()? {
        first = first.or(Some(row.tick));
        if last != Some(row.tick) && tick.is_none() {
            rows.clear();
        }
        last = Some(row.tick);
        if tick.is_none_or(|tick| tick == row.tick) {
            rows.push(row);
        }
    }
    if let Some(number) = reader.species().iter().position(|name| name == species) {
        rows.retain(|row| row.species == number as u32);
    }
    match (first, last) {
        _ if !rows.is_empty() => {
            let has_velocities = reader.rows.has_velocities();
            Ok(FrameOf { dimensions: reader.dimensions(), rows, has_velocities, notes: reader.notes() })
        }
        (Some(first), Some(last)) => {
            let at = tick.unwrap_or(last);
            let reason = format!("holds no agents of {species} at tick {at}; it has the ticks from {first} to {last}");
            Err(TrajectoryError::whole(file, reason))
        }
        _ => Err(TrajectoryError::whole(file, "holds no agents at any tick")),
    }
}
