//! Trajectories as tables of text: comma-separated values of throng and of other programs.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::columns::Columns;
use super::fixes::Fixes;
use super::loaded::{Loaded, NO_RATE, NO_SCALE, in_comments};
use super::rows::{AgentRow, FARTHEST, Rows, TrajectoryError, whole};
use super::wide::Wide;
use crate::table::{TextTable, TextTableError};

/// The columns of other tables, after the names of those that a trajectory has.
const OTHERS: &str = "; idtracker.ai has x1, y1, x2, y2, and Movebank timestamp, individual-local-identifier, and \
                      utm-easting and utm-northing or location-long and location-lat";

/// Opens a table. It is read as a whole unless it is sorted by ticks and has velocities, as throng writes it.
pub(super) fn open<'r>(
    file: &Path,
    from: impl Read + std::fmt::Debug + 'r,
) -> Result<Box<dyn Rows + 'r>, TrajectoryError> {
    let wrong = |error: TextTableError| TrajectoryError::at(file, error.line, error.column, error.reason);
    let table = TextTable::start(from).map_err(wrong)?;
    if let Some(wide) = Wide::find(table.names()) {
        return Ok(Box::new(wide.read(file, table)?));
    }
    if let Some(fixes) = Fixes::find(table.names()) {
        return Ok(Box::new(fixes.read(file, table)?));
    }
    let mut rows = CsvRows::start(file, table)?;
    let is_tick = |place: usize| rows.table.names()[place].eq_ignore_ascii_case("tick");
    if rows.columns.tick.is_none_or(|place| is_tick(place) && rows.columns.has_velocities()) {
        return Ok(Box::new(rows));
    }
    rows.is_sorted = false;
    let mut all = Vec::new();
    while let Some(row) = rows.row()? {
        all.push(row);
    }
    let rate = in_comments(rows.table.comments(), "framerate").map(|rate| 1.0 / rate).or(rows.tick_seconds);
    let mut notes = rows.notes();
    notes.extend(rows.columns.is_in_pixels(rows.table.names()).then(|| NO_SCALE.to_owned()));
    notes.extend(rate.is_none().then(|| NO_RATE.to_owned()));
    let has_velocities = rows.columns.has_velocities();
    let times = (rate.unwrap_or(1.0), 1);
    Ok(Box::new(Loaded::new(rows.columns.dimensions(), rows.species, all, times, has_velocities).with(notes)))
}

/// The rows of a file, or of any other reader.
#[derive(Debug)]
struct CsvRows<R> {
    file: PathBuf,
    table: TextTable<R>,
    columns: Columns,
    /// Whether ticks must ascend.
    is_sorted: bool,
    /// Whether the last line must have an end: tables of a run do.
    has_end: bool,
    /// The first tick with a time, and the seconds per tick.
    first_time: Option<(u64, f64)>,
    tick_seconds: Option<f64>,
    /// The species in the order of their first rows, and their numbers by name.
    species: Vec<String>,
    numbers: HashMap<String, u32>,
    tick: u64,
    count: u64,
}

impl<R: Read> CsvRows<R> {
    /// Reads the header line.
    fn start(file: &Path, table: TextTable<R>) -> Result<Self, TrajectoryError> {
        let mut columns = Columns::find(table.names())
            .map_err(|reason| TrajectoryError::at(file, table.line(), 1, format!("{reason}{OTHERS}")))?;
        columns.scale = in_comments(table.comments(), "scale").unwrap_or(columns.scale);
        let named = columns.species.is_none().then(|| "agent".to_owned());
        Ok(Self {
            file: file.to_owned(),
            is_sorted: true,
            has_end: columns.tick == Some(0) && columns.species == Some(2) && columns.time.is_some(),
            columns,
            table,
            first_time: None,
            tick_seconds: None,
            species: named.into_iter().collect(),
            numbers: HashMap::new(),
            tick: 0,
            count: 0,
        })
    }

    /// The row of the last line of the table.
    fn parse(&mut self) -> Result<AgentRow, TextTableError> {
        let (table, columns) = (&self.table, &self.columns);
        let problem = |place: usize, reason: &str| table.problem(table.column(place), reason);
        let expected = table.names().len();
        if table.len() != expected {
            let more = if table.len() > expected { "no more than " } else { "" };
            let place = if table.len() > expected { expected } else { table.len() };
            return Err(problem(place, &format!("there must be {more}{expected} numbers and names")));
        }
        if self.has_end && !table.is_whole() {
            return Err(problem(0, "the line does not end: the file is cut short"));
        }
        let tick = columns.tick.map(|place| {
            let name = &table.names()[place];
            table.field(place).and_then(whole).ok_or_else(|| problem(place, &format!("{name} must be a whole number")))
        });
        let tick = tick.transpose()?.unwrap_or(0);
        if self.is_sorted && tick < self.tick {
            return Err(problem(0, &format!("tick {tick} must not come after tick {}", self.tick)));
        }
        let read_id = |place: usize| {
            let read = table.field(place).and_then(id);
            read.ok_or_else(|| problem(place, "id must be a number, such as 17 or 17v2"))
        };
        let id = columns.id.map(read_id).transpose()?.unwrap_or(self.count);
        let vector = |places: [Option<usize>; 3]| -> Result<[f32; 3], TextTableError> {
            let mut vector = [0.0; 3];
            for (component, place) in vector.iter_mut().zip(places) {
                let Some(place) = place else { continue };
                // Metres are read in the precision in which they are kept.
                let number = match columns.scale {
                    1.0 => table.field(place).and_then(|field| field.parse().ok()),
                    scale => table.number(place).map(|number| (number * scale) as f32),
                };
                *component = number.filter(|number: &f32| number.abs() <= FARTHEST).ok_or_else(|| {
                    problem(place, &format!("{} must be a number, within 1e9 of zero", table.names()[place]))
                })?;
            }
            Ok(vector)
        };
        let (position, velocity) = (vector(columns.position)?, vector(columns.velocity)?);
        let name = columns.species.map(|place| {
            let name = table.field(place).filter(|name| !name.is_empty());
            name.ok_or_else(|| problem(place, "species must be a name"))
        });
        let species = match name.transpose()? {
            None => 0,
            Some(name) => match self.numbers.get(name) {
                Some(&species) => species,
                None => {
                    let number = self.species.len() as u32;
                    self.numbers.insert(name.to_owned(), number);
                    self.species.push(name.to_owned());
                    number
                }
            },
        };
        if self.tick_seconds.is_none()
            && let Some(time) = columns.time.and_then(|place| table.number(place))
        {
            match self.first_time {
                Some((first, start)) if tick > first => {
                    let seconds = (time - start) / (tick - first) as f64;
                    self.tick_seconds = Some(seconds).filter(|seconds| *seconds > 0.0 && seconds.is_finite());
                }
                Some(_) => {}
                // Ticks of throng start at a time of zero.
                None if self.has_end => self.first_time = Some((0, 0.0)),
                None => self.first_time = Some((tick, time)),
            }
        }
        (self.tick, self.count) = (tick, self.count + 1);
        let line = u32::try_from(table.line()).unwrap_or(0);
        Ok(AgentRow { tick, id, species, line, position, velocity })
    }
}

impl<R: Read + std::fmt::Debug> Rows for CsvRows<R> {
    fn dimensions(&self) -> usize {
        self.columns.dimensions()
    }

    fn species(&self) -> &[String] {
        &self.species
    }

    fn tick_seconds(&self) -> Option<f64> {
        self.tick_seconds
    }

    fn has_ticks(&self) -> bool {
        self.columns.tick.is_some()
    }

    fn has_velocities(&self) -> bool {
        self.has_ticks() || self.columns.has_velocities()
    }

    fn notes(&self) -> Vec<String> {
        self.columns.unread(self.table.names()).into_iter().collect()
    }

    fn row(&mut self) -> Result<Option<AgentRow>, TrajectoryError> {
        let wrong =
            |file: &Path, error: TextTableError| TrajectoryError::at(file, error.line, error.column, error.reason);
        if !self.table.next().map_err(|error| wrong(&self.file, error))? {
            return Ok(None);
        }
        self.parse().map(Some).map_err(|error| wrong(&self.file, error))
    }
}

/// Packs the slot of an id and how often it was used before into one number.
fn id(text: &str) -> Option<u64> {
    match text.split_once('v') {
        Some((slot, used)) => Some(u64::from(used.parse::<u32>().ok()?) << 32 | u64::from(slot.parse::<u32>().ok()?)),
        None => whole(text),
    }
}
