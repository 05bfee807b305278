//! Trajectories as comma-separated values.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{AgentRow, FARTHEST, Rows, TrajectoryError, unread};
use crate::trajectory::csv::first_names;

/// The longest valid line, in bytes.
const LONGEST_LINE: u64 = 4096;

/// The rows of a file, or of any other reader.
#[derive(Debug)]
pub(super) struct CsvRows<R> {
    file: PathBuf,
    lines: BufReader<R>,
    line: Vec<u8>,
    number: u64,
    dimensions: usize,
    /// The number of fields that follow the velocity, and the names of those with more than times and places.
    more: usize,
    /// The place of the time among them, and the seconds per tick.
    time: Option<usize>,
    tick_seconds: Option<f64>,
    unread: Vec<String>,
    /// The species in the order of their first rows, and their numbers by name.
    species: Vec<String>,
    numbers: HashMap<String, u32>,
    tick: u64,
}

fn heading(dimensions: usize) -> String {
    first_names(&["x", "y", "z"][..dimensions])
}

impl<R: Read> CsvRows<R> {
    /// Reads the header line.
    pub(super) fn start(file: &Path, from: R) -> Result<Self, TrajectoryError> {
        let mut rows = Self {
            file: file.to_owned(),
            lines: BufReader::with_capacity(1 << 18, from),
            line: Vec::new(),
            number: 0,
            dimensions: 2,
            more: 0,
            time: None,
            tick_seconds: None,
            unread: Vec::new(),
            species: Vec::new(),
            numbers: HashMap::new(),
            tick: 0,
        };
        rows.read_line()?;
        let text = String::from_utf8_lossy(&rows.line).into_owned();
        let more = |dimensions| {
            text.strip_prefix(&heading(dimensions)).filter(|more| matches!(more.get(..1), None | Some(",")))
        };
        let known =
            [3, 2].into_iter().find_map(|dimensions| Some((dimensions, more(dimensions)?.matches(',').count())));
        (rows.dimensions, rows.more) = known.ok_or_else(|| {
            let reason = format!("the first line of a trajectory starts with {} or {}", heading(2), heading(3));
            rows.problem(1, &reason)
        })?;
        let names = text.split(',').skip(3 + 2 * rows.dimensions);
        rows.time = names.clone().position(|name| name == "time");
        let names = names.filter(|name| *name != "time" && !name.ends_with("_unwrapped"));
        rows.unread = names.map(str::to_owned).collect();
        Ok(rows)
    }

    /// Reads the next line, without its end; false at the end of the file.
    fn read_line(&mut self) -> Result<bool, TrajectoryError> {
        self.line.clear();
        let read = self.lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| TrajectoryError::whole(&self.file, format!("cannot be read: {error}")))?;
        self.number += 1;
        if read as u64 == LONGEST_LINE && self.line.last() != Some(&b'\n') {
            return Err(self.problem(1, "the line is too long for a trajectory"));
        }
        // Tables of other programs may lack the last line break; tables of a run, which have further fields, do not.
        if read > 0 && self.more > 0 && self.line.last() != Some(&b'\n') {
            return Err(self.problem(1, "the line does not end: the file is cut short"));
        }
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        Ok(read > 0)
    }

    /// The error of the last line.
    fn problem(&self, column: usize, reason: &str) -> TrajectoryError {
        TrajectoryError::at(&self.file, self.number, column, reason)
    }

    fn parse(&mut self, line: &[u8]) -> Result<AgentRow, TrajectoryError> {
        let text = match std::str::from_utf8(line) {
            Ok(text) => text,
            Err(error) => return Err(self.problem(error.valid_up_to() + 1, "is not UTF-8")),
        };
        let mut fields = Fields { text, at: 0 };
        let tick = fields.next(|field| field.parse().ok());
        let tick: u64 = tick.map_err(|column| self.problem(column, "tick must be a whole number"))?;
        if tick < self.tick {
            let reason = format!("tick {tick} must not come after tick {}", self.tick);
            return Err(self.problem(1, &reason));
        }
        self.tick = tick;
        let id = fields.next(id).map_err(|column| self.problem(column, "id must be a number, such as 17 or 17v2"))?;
        let name = fields.next(|field| (!field.is_empty()).then_some(field));
        let name = name.map_err(|column| self.problem(column, "species must be a name"))?;
        let species = match self.numbers.get(name) {
            Some(&species) => species,
            None => {
                let number = self.species.len() as u32;
                self.numbers.insert(name.to_owned(), number);
                self.species.push(name.to_owned());
                number
            }
        };
        let mut vector = |prefix: &str| -> Result<[f32; 3], TrajectoryError> {
            let mut vector = [0.0; 3];
            for (axis, component) in vector.iter_mut().enumerate().take(self.dimensions) {
                let number = fields.next(|field| field.parse().ok().filter(|number: &f32| number.abs() <= FARTHEST));
                *component = number.map_err(|column| {
                    let reason = format!("{prefix}{} must be a number, within 1e9 of zero", ["x", "y", "z"][axis]);
                    self.problem(column, &reason)
                })?;
            }
            Ok(vector)
        };
        let (position, velocity) = (vector("")?, vector("v")?);
        let all = 3 + 2 * self.dimensions + self.more;
        for place in 0..self.more {
            let reason = format!("there must be {all} numbers and names");
            let field = fields.next(Some).map_err(|column| self.problem(column, &reason))?;
            if self.time == Some(place) && self.tick_seconds.is_none() && tick > 0 {
                self.tick_seconds =
                    field.parse().ok().map(|time: f64| time / tick as f64).filter(|seconds| *seconds > 0.0);
            }
        }
        if fields.at <= text.len() {
            let reason = format!("there must be no more than {all} numbers and names");
            return Err(self.problem(fields.at + 1, &reason));
        }
        Ok(AgentRow { tick, id, species, position, velocity })
    }
}

impl<R: Read + std::fmt::Debug> Rows for CsvRows<R> {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn species(&self) -> &[String] {
        &self.species
    }

    fn tick_seconds(&self) -> Option<f64> {
        self.tick_seconds
    }

    fn notes(&self) -> Vec<String> {
        unread(&self.unread).into_iter().collect()
    }

    fn row(&mut self) -> Result<Option<AgentRow>, TrajectoryError> {
        if !self.read_line()? {
            return Ok(None);
        }
        let line = std::mem::take(&mut self.line);
        let row = self.parse(&line);
        self.line = line;
        row.map(Some)
    }
}

/// Packs the slot of an id and how often it was used before into one number.
fn id(text: &str) -> Option<u64> {
    let (slot, used) = text.split_once('v').unwrap_or((text, "0"));
    Some(u64::from(used.parse::<u32>().ok()?) << 32 | u64::from(slot.parse::<u32>().ok()?))
}

/// The fields of a line, separated by commas.
struct Fields<'t> {
    text: &'t str,
    /// The start of the next field; beyond the end after the last one.
    at: usize,
}

impl<'t> Fields<'t> {
    /// Parses the next field.
    ///
    /// # Errors
    ///
    /// Returns the column of a missing or invalid field.
    fn next<T>(&mut self, read: impl FnOnce(&'t str) -> Option<T>) -> Result<T, usize> {
        let column = self.at.clamp(0, self.text.len()) + 1;
        let rest = self.text.get(self.at..).ok_or(column)?;
        let field = rest.split(',').next().unwrap_or(rest);
        self.at += field.len() + 1;
        read(field).ok_or(column)
    }
}
