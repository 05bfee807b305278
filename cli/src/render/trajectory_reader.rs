//! Reading trajectory files, row by row, with errors by line and column.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use throng::Vector;

use crate::failure::Failure;
use crate::summed::{Extent, Summed};
use crate::trajectory::heading;

/// The longest valid line, in bytes.
const LONGEST_LINE: u64 = 4096;
/// The largest valid coordinate, in metres, and the largest component of a velocity.
const FARTHEST: f32 = 1e9;

/// One agent at one tick.
#[derive(Debug)]
pub(super) struct TrajectoryRow {
    pub(super) tick: u64,
    pub(super) id: u64,
    pub(super) species: u32,
    pub(super) position: Vector<3>,
    pub(super) velocity: Vector<3>,
}

/// A file with one row per agent and tick.
#[derive(Debug)]
pub(super) struct TrajectoryReader<R = File> {
    file: PathBuf,
    lines: BufReader<Summed<R>>,
    line: Vec<u8>,
    number: u64,
    dimensions: usize,
    /// The number of fields that follow the velocity.
    more: usize,
    /// The numbers of species by name, in the order of their first rows.
    species: HashMap<String, u32>,
    tick: u64,
}

impl TrajectoryReader {
    /// Opens a trajectory and reads its header line.
    pub(super) fn open(file: &Path) -> Result<Self, Failure> {
        let cannot = |error| Failure::Input(format!("{}: cannot be read: {error}", file.display()));
        Self::start(file, File::open(file).map_err(cannot)?)
    }
}

impl<R: Read> TrajectoryReader<R> {
    /// Reads the header line of the trajectory in `file`.
    fn start(file: &Path, from: R) -> Result<Self, Failure> {
        let lines = BufReader::with_capacity(1 << 18, Summed::new(from));
        let (line, species) = (Vec::new(), HashMap::new());
        let mut reader =
            Self { file: file.to_owned(), lines, line, number: 0, dimensions: 2, more: 0, species, tick: 0 };
        reader.read_line()?;
        let text = String::from_utf8_lossy(&reader.line).into_owned();
        let more = |dimensions| {
            text.strip_prefix(&heading(dimensions)).filter(|more| matches!(more.get(..1), None | Some(",")))
        };
        let known =
            [3, 2].into_iter().find_map(|dimensions| Some((dimensions, more(dimensions)?.matches(',').count())));
        (reader.dimensions, reader.more) = known.ok_or_else(|| {
            let reason = format!("the first line of a trajectory starts with {} or {}", heading(2), heading(3));
            reader.problem(1, &reason)
        })?;
        Ok(reader)
    }

    /// The number of dimensions.
    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The number of species so far.
    pub(super) fn species(&self) -> usize {
        self.species.len()
    }

    /// The extent of the file up to where it was read.
    pub(super) fn extent(&self) -> Extent {
        self.lines.get_ref().extent()
    }

    /// Reads the next line, without its end; false at the end of the file.
    fn read_line(&mut self) -> Result<bool, Failure> {
        self.line.clear();
        let read = self.lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| Failure::Input(format!("{}: cannot be read: {error}", self.file.display())))?;
        self.number += 1;
        if read as u64 == LONGEST_LINE && self.line.last() != Some(&b'\n') {
            return Err(self.problem(1, "the line is too long for a trajectory"));
        }
        // Tables of other programs may lack the last line break; those of a run, which have further fields, do not.
        if read > 0 && self.more > 0 && self.line.last() != Some(&b'\n') {
            return Err(self.problem(1, "the line does not end: the file is cut short"));
        }
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        Ok(read > 0)
    }

    /// The failure of the last line, with file, line and column.
    fn problem(&self, column: usize, reason: &str) -> Failure {
        Failure::Input(format!("{}:{}:{column}: {reason}", self.file.display(), self.number))
    }

    /// The next row; `None` after the last.
    pub(super) fn row(&mut self) -> Result<Option<TrajectoryRow>, Failure> {
        if !self.read_line()? {
            return Ok(None);
        }
        let line = std::mem::take(&mut self.line);
        let row = self.parse(&line);
        self.line = line;
        row.map(Some)
    }

    fn parse(&mut self, line: &[u8]) -> Result<TrajectoryRow, Failure> {
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
        let species = match self.species.get(name) {
            Some(&species) => species,
            None => {
                let number = self.species.len() as u32;
                self.species.insert(name.to_owned(), number);
                number
            }
        };
        let mut vector = |prefix: &str| -> Result<Vector<3>, Failure> {
            let mut vector = Vector::ZERO;
            for axis in 0..self.dimensions {
                let number = fields.next(|field| field.parse().ok().filter(|number: &f32| number.abs() <= FARTHEST));
                vector[axis] = number.map_err(|column| {
                    let reason = format!("{prefix}{} must be a number, within 1e9 of zero", ["x", "y", "z"][axis]);
                    self.problem(column, &reason)
                })?;
            }
            Ok(vector)
        };
        let (position, velocity) = (vector("")?, vector("v")?);
        let all = 3 + 2 * self.dimensions + self.more;
        for _ in 0..self.more {
            let reason = format!("there must be {all} numbers and names");
            fields.next(Some).map_err(|column| self.problem(column, &reason))?;
        }
        if fields.at <= text.len() {
            let reason = format!("there must be no more than {all} numbers and names");
            return Err(self.problem(fields.at + 1, &reason));
        }
        Ok(TrajectoryRow { tick, id, species, position, velocity })
    }
}

/// Packs the slot and the generation of an id into one number.
fn id(text: &str) -> Option<u64> {
    let (slot, generation) = text.split_once('v').unwrap_or((text, "0"));
    Some(u64::from(generation.parse::<u32>().ok()?) << 32 | u64::from(slot.parse::<u32>().ok()?))
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

/// Reads a trajectory to its end: for the fuzz targets.
#[cfg(fuzzing)]
pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok(mut reader) = TrajectoryReader::start(Path::new("trajectory.csv"), bytes) else { return };
    let mut last = 0;
    while let Ok(Some(row)) = reader.row() {
        assert!(row.tick >= last && (row.species as usize) < reader.species());
        assert!((0..3).all(|axis| row.position[axis].is_finite() && row.velocity[axis].is_finite()));
        last = row.tick;
    }
}

#[cfg(test)]
mod tests {
    use throng::Noise;

    use super::*;

    /// Reads a trajectory to its end; its extent if every row is valid.
    fn read(bytes: &[u8]) -> Option<Extent> {
        let mut reader = TrajectoryReader::start(Path::new("trajectory.csv"), bytes).ok()?;
        while reader.row().ok()?.is_some() {}
        Some(reader.extent())
    }

    /// Reads a trajectory cut at every byte, and with this many random single bytes changed.
    fn damage(flips: u64) {
        let row = |tick: u32, id: u32| format!("{tick},{id}v1,bird,{}.5,-0.25,1e-3,{tick},0.{tick}\n", 7 * id + tick);
        let rows = (0..4).flat_map(|tick| (0..3).map(move |id| row(tick, id)));
        let bytes = format!("{},time\n{}", heading(2), rows.collect::<String>()).into_bytes();
        let whole = read(&bytes).unwrap();
        for length in 0..bytes.len() {
            assert_ne!(read(&bytes[..length]), Some(whole), "{length}");
        }
        let (mut noise, mut damaged) = (Noise::new(1, 0, 0, Noise::USER), bytes.clone());
        for _ in 0..flips {
            let at = (f64::from(noise.unit()) * bytes.len() as f64) as usize;
            let change = (noise.unit() * 255.0) as u8 + 1;
            damaged[at] ^= change;
            assert_ne!(read(&damaged), Some(whole), "byte {at} by {change}");
            damaged[at] ^= change;
        }
    }

    #[test]
    fn a_damaged_trajectory_has_another_extent() {
        damage(5000);
    }

    #[test]
    #[ignore = "takes a minute: scripts/faults.sh runs it"]
    fn a_million_damaged_trajectories_have_other_extents() {
        damage(1_000_000);
    }
}
