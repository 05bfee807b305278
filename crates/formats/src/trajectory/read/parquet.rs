//! Trajectories as Parquet, with the columns of CSV.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::columns::Columns;
use super::loaded::Loaded;
use super::rows::{AgentRow, FARTHEST, Rows, TrajectoryError};
use crate::parquet::{Cells, Numbers, ParquetFile};

/// Opens a file. Without velocities it is read as a whole.
pub(super) fn open(path: &Path, file: File) -> Result<Box<dyn Rows>, TrajectoryError> {
    let mut rows = ParquetRows::open(path, file)?;
    let has_velocities = rows.columns.has_velocities();
    if rows.is_sorted && has_velocities {
        return Ok(Box::new(rows));
    }
    rows.is_sorted = false;
    let mut notes = rows.notes();
    let number = |key: &str| rows.file.describes(key).and_then(|text| text.parse().ok());
    let rate = number("frame_rate").filter(|rate: &f64| *rate > 0.0);
    if rate.is_none() {
        notes.push(NO_RATE.to_owned());
    }
    let rate = rate.unwrap_or(1.0);
    let every = number("every").filter(|every| *every >= 1.0).unwrap_or(1.0) as u64;
    let mut all = Vec::new();
    while rows.group < rows.file.groups() {
        rows.read()?;
        all.append(&mut rows.rows);
    }
    let (dimensions, times) = (rows.columns.dimensions(), (1.0 / rate, every));
    Ok(Box::new(Loaded::new(dimensions, rows.species, all, times, has_velocities).with(notes)))
}

/// The rows of a file, with one row group in memory.
#[derive(Debug)]
struct ParquetRows {
    path: PathBuf,
    file: ParquetFile,
    columns: Columns,
    tick: usize,
    id: usize,
    /// Whether ticks must ascend.
    is_sorted: bool,
    species: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The next row group, the rows of the last one, and the next of these.
    group: usize,
    rows: Vec<AgentRow>,
    next: usize,
    last: u64,
}

impl ParquetRows {
    fn open(path: &Path, file: File) -> Result<Self, TrajectoryError> {
        let fail = |reason: &dyn std::fmt::Display| TrajectoryError::whole(path, reason);
        let file = ParquetFile::open(file, false).map_err(|error| fail(&format!("is not a Parquet file: {error}")))?;
        let names = file.columns();
        let columns = Columns::find(&names).map_err(|reason| fail(&reason))?;
        let (Some(tick), Some(id)) = (columns.tick, columns.id) else {
            return Err(fail(&"has no column tick: a trajectory has tick or frame, id, x and y"));
        };
        Ok(Self {
            path: path.to_owned(),
            tick,
            id,
            is_sorted: names[tick].eq_ignore_ascii_case("tick"),
            species: if columns.species.is_some() { Vec::new() } else { vec!["agent".to_owned()] },
            columns,
            numbers: HashMap::new(),
            group: 0,
            rows: Vec::new(),
            next: 0,
            last: 0,
            file,
        })
    }

    fn fail(&self, reason: impl std::fmt::Display) -> TrajectoryError {
        TrajectoryError::whole(&self.path, format!("row group {}: {reason}", self.group))
    }

    fn cells(&self, column: usize) -> Result<Cells, TrajectoryError> {
        let cells = self.file.cells(self.group, column).map_err(|error| self.fail(error))?;
        if cells.filled.contains(&0) {
            return Err(self.fail("cells of a trajectory must not be empty"));
        }
        Ok(cells)
    }

    fn whole(&self, column: usize) -> Result<Vec<u64>, TrajectoryError> {
        match self.cells(column)?.numbers {
            Numbers::I64(numbers) => Ok(numbers.into_iter().map(|number| number as u64).collect()),
            Numbers::I32(numbers) => Ok(numbers.into_iter().map(|number| u64::from(number as u32)).collect()),
            _ => Err(self.fail("ticks and ids must be whole numbers")),
        }
    }

    fn vectors(&self, columns: [Option<usize>; 3], count: usize) -> Result<[Vec<f32>; 3], TrajectoryError> {
        let mut vectors = [Vec::new(), Vec::new(), Vec::new()];
        let scale = self.columns.scale;
        for (vector, column) in vectors.iter_mut().zip(columns) {
            *vector = match column.map(|column| self.cells(column)).transpose()?.map(|cells| cells.numbers) {
                None => vec![0.0; count],
                Some(Numbers::F32(numbers)) if scale == 1.0 => numbers,
                Some(Numbers::F32(numbers)) => {
                    numbers.into_iter().map(|number| (f64::from(number) * scale) as f32).collect()
                }
                Some(Numbers::F64(numbers)) => numbers.into_iter().map(|number| (number * scale) as f32).collect(),
                Some(_) => return Err(self.fail("coordinates must be numbers")),
            };
            if !vector.iter().all(|number| number.abs() <= FARTHEST) {
                return Err(self.fail("coordinates must be numbers, within 1e9 of zero"));
            }
        }
        Ok(vectors)
    }

    /// Reads the next row group.
    fn read(&mut self) -> Result<(), TrajectoryError> {
        let (ticks, ids) = (self.whole(self.tick)?, self.whole(self.id)?);
        let count = ticks.len();
        let (positions, velocities) =
            (self.vectors(self.columns.position, count)?, self.vectors(self.columns.velocity, count)?);
        let mut kinds = vec![0; count];
        if let Some(column) = self.columns.species {
            let Numbers::Text(names) = self.cells(column)?.numbers else {
                return Err(self.fail("species must be names"));
            };
            kinds.truncate(names.len());
            for (kind, name) in kinds.iter_mut().zip(names) {
                *kind = self.number(&name);
            }
        }
        let vectors = positions.iter().chain(&velocities);
        if ids.len() != count || kinds.len() != count || vectors.into_iter().any(|column| column.len() != count) {
            return Err(self.fail("its columns have several lengths"));
        }
        self.rows.clear();
        for (row, tick) in ticks.into_iter().enumerate() {
            if self.is_sorted && tick < self.last {
                return Err(self.fail(format!("tick {tick} must not come after tick {}", self.last)));
            }
            self.last = tick;
            let of = |vectors: &[Vec<f32>; 3]| std::array::from_fn(|axis| vectors[axis][row]);
            let (position, velocity) = (of(&positions), of(&velocities));
            self.rows.push(AgentRow { tick, id: ids[row], species: kinds[row], line: 0, position, velocity });
        }
        (self.next, self.group) = (0, self.group + 1);
        Ok(())
    }

    /// The number of a species.
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.species.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.species.push(name.to_owned());
        number
    }
}

/// The note of a file without a frame rate.
const NO_RATE: &str =
    "no frame rate: frames count as a second apart, which scales speeds; metadata `frame_rate` has it";

impl Rows for ParquetRows {
    fn notes(&self) -> Vec<String> {
        self.columns.unread(&self.file.columns()).into_iter().collect()
    }

    fn tick_seconds(&self) -> Option<f64> {
        self.file.describes("tick_seconds")?.parse().ok().filter(|seconds| *seconds > 0.0)
    }

    fn dimensions(&self) -> usize {
        self.columns.dimensions()
    }

    fn species(&self) -> &[String] {
        &self.species
    }

    fn row(&mut self) -> Result<Option<AgentRow>, TrajectoryError> {
        while self.next >= self.rows.len() && self.group < self.file.groups() {
            self.read()?;
        }
        let row = self.rows.get(self.next).copied();
        self.next += 1;
        Ok(row)
    }
}
