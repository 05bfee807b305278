//! Trajectories as Parquet, with the columns that throng writes; files of other programs need `frame`, `id`, `x` and
//! `y`.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::loaded::Loaded;
use super::{AgentRow, FARTHEST, Rows, TrajectoryError, unread};
use crate::parquet::{Cells, Numbers, ParquetFile};

/// Opens a file. Without velocities it is read as a whole.
pub(super) fn open(path: &Path, file: File) -> Result<Box<dyn Rows>, TrajectoryError> {
    let mut rows = ParquetRows::open(path, file)?;
    if rows.velocity.iter().take(rows.dimensions).all(Option::is_some) {
        return Ok(Box::new(rows));
    }
    let mut notes = rows.notes();
    let number = |key: &str| rows.file.describes(key).and_then(|text| text.parse().ok());
    let rate = number("frame_rate").filter(|rate: &f64| *rate > 0.0);
    if rate.is_none() {
        notes.push(NO_RATE.to_owned());
    }
    let rate = rate.unwrap_or(1.0);
    let every = number("every").filter(|every| *every >= 1.0).unwrap_or(1.0) as u64;
    let mut all = Vec::new();
    while let Some(row) = rows.row()? {
        all.push(row);
    }
    Ok(Box::new(Loaded::new(rows.dimensions, rows.species, all, (1.0 / rate, every)).with(notes)))
}

/// The rows of a file, with one row group in memory.
#[derive(Debug)]
struct ParquetRows {
    path: PathBuf,
    file: ParquetFile,
    dimensions: usize,
    /// The numbers of columns.
    tick: usize,
    id: usize,
    kind: Option<usize>,
    position: [Option<usize>; 3],
    velocity: [Option<usize>; 3],
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
        let file = ParquetFile::open(file).map_err(|error| fail(&format!("is not a Parquet file: {error}")))?;
        let names = file.columns();
        let find = |name: &str| names.iter().position(|column| column == name);
        let need = |name: &str| {
            let reason = format!("has no column {name}: a trajectory has tick, id, x and y");
            find(name).ok_or_else(|| fail(&reason))
        };
        let (tick, id) = (find("tick").or(find("frame")).map_or_else(|| need("tick"), Ok)?, need("id")?);
        let position = [Some(need("x")?), Some(need("y")?), find("z")];
        Ok(Self {
            path: path.to_owned(),
            dimensions: if position[2].is_some() { 3 } else { 2 },
            tick,
            id,
            kind: find("species"),
            position,
            velocity: ["vx", "vy", "vz"].map(find),
            species: if find("species").is_some() { Vec::new() } else { vec!["agent".to_owned()] },
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
        for (vector, column) in vectors.iter_mut().zip(columns) {
            *vector = match column.map(|column| self.cells(column)).transpose()?.map(|cells| cells.numbers) {
                None => vec![0.0; count],
                Some(Numbers::F32(numbers)) => numbers,
                Some(Numbers::F64(numbers)) => numbers.into_iter().map(|number| number as f32).collect(),
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
        let (positions, velocities) = (self.vectors(self.position, count)?, self.vectors(self.velocity, count)?);
        let mut kinds = vec![0; count];
        if let Some(column) = self.kind {
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
            if tick < self.last {
                return Err(self.fail(format!("tick {tick} must not come after tick {}", self.last)));
            }
            self.last = tick;
            let of = |vectors: &[Vec<f32>; 3]| std::array::from_fn(|axis| vectors[axis][row]);
            let (position, velocity) = (of(&positions), of(&velocities));
            self.rows.push(AgentRow { tick, id: ids[row], species: kinds[row], position, velocity });
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
        let known = ["tick", "frame", "id", "species", "x", "y", "z", "vx", "vy", "vz", "time"];
        let names = self.file.columns().into_iter();
        let names = names.filter(|name| !known.contains(&&name[..]) && !name.ends_with("_unwrapped"));
        unread(&names.collect::<Vec<_>>()).into_iter().collect()
    }

    fn tick_seconds(&self) -> Option<f64> {
        self.file.describes("tick_seconds")?.parse().ok().filter(|seconds| *seconds > 0.0)
    }

    fn dimensions(&self) -> usize {
        self.dimensions
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
