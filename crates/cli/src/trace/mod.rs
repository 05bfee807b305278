//! Traces of runs: every column of a world after each stage of a tick in which it changed.
//!
//! A trace is a folder with three files. `settings.txt` has the settings of the world. `hashes.csv` has a line for each change of a column, in the order of the run.
//! `values.bin` has the values of these columns, one after the other, row by row, little-endian.

pub(crate) mod read;
mod settings;
pub(crate) mod verify;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use throng::columns::ColumnSlice;
use throng::{AnyWorld, TraceEntry};

use crate::failure::Failure;
use crate::paths::Paths;
use settings::SETTINGS;
use throng_scenario::shown;

/// The file of hashes.
const HASHES: &str = "hashes.csv";
/// The file of values.
const VALUES: &str = "values.bin";
/// The columns of the file of hashes. The species is empty for data that are not columns of agents.
const HEADER: &str = "tick,stage,species,column,type,rows,hash";
/// The stage of the lines before the first tick.
const START: &str = "start";

/// Adds the files of a trace in this folder to the files of a command.
pub(crate) fn add_to(paths: &mut Paths, folder: &Path) {
    [SETTINGS, HASHES, VALUES].iter().for_each(|name| paths.writes(format!("{name} of --trace"), &folder.join(name)));
}

/// Writes the trace of a run.
#[derive(Debug)]
pub(crate) struct Trace {
    path: PathBuf,
    hashes: BufWriter<File>,
    values: BufWriter<File>,
    /// The hash of each column, by species and name, when it was last written.
    last: HashMap<(String, String), u64>,
}

impl Trace {
    /// Creates the folder and writes the world before the first tick.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds a trace and `force` is not set, or if it cannot be written.
    pub(crate) fn start(folder: &Path, force: bool, world: &AnyWorld) -> Result<Self, Failure> {
        if folder.join(HASHES).exists() && !force {
            let folder = shown(&folder);
            return Err(Failure::Input(format!("{folder} holds the trace of an earlier run; --force replaces it")));
        }
        let path = folder.to_owned();
        let create = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
        let files = fs::create_dir_all(folder).and_then(|()| {
            fs::write(folder.join(SETTINGS), settings::text(world))?;
            Ok((create(HASHES)?, create(VALUES)?))
        });
        let (hashes, values) = files.map_err(|error| Failure::write(folder, &error))?;
        let mut trace = Self { path, hashes, values, last: HashMap::new() };
        let mut written = writeln!(trace.hashes, "{HEADER}");
        world.trace(|entry| {
            if written.is_ok() {
                written = trace.write(world.tick(), START, entry);
            }
        });
        trace.finish(written)?;
        Ok(trace)
    }

    /// Advances the world by one tick and writes the changes. Returns the seconds that both took.
    pub(crate) fn step(&mut self, world: &mut AnyWorld) -> Result<f64, Failure> {
        let (start, tick) = (Instant::now(), world.tick() + 1);
        let mut written = Ok(());
        world.step_traced(|stage, entry| {
            if written.is_ok() {
                written = self.write(tick, stage, entry);
            }
        });
        self.finish(written)?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Flushes the files, so that the trace of a killed run has all complete ticks.
    fn finish(&mut self, written: io::Result<()>) -> Result<(), Failure> {
        let written = written.and_then(|()| self.values.flush()).and_then(|()| self.hashes.flush());
        written.map_err(|error| Failure::write(&self.path, &error))
    }

    /// Writes a column if it has changed.
    fn write(&mut self, tick: u64, stage: &str, entry: TraceEntry<'_>) -> io::Result<()> {
        let (species, name, kind, rows, hash, bytes) = match entry {
            TraceEntry::Section { tag, hash } => ("", tag, "section".to_owned(), 0, hash, Vec::new()),
            TraceEntry::Column { species, column } => {
                let bytes = bytes(column.numbers);
                let rows = length(column.numbers) / column.width;
                (species, column.name, column.type_name(), rows, hash(&bytes), bytes)
            }
            _ => return Ok(()),
        };
        if self.last.insert((species.to_owned(), name.to_owned()), hash) == Some(hash) {
            return Ok(());
        }
        // Names of columns may have any characters.
        let name = name.replace([',', '"', '\n', '\r'], "_");
        let kind = kind.replace(',', ";");
        writeln!(self.hashes, "{tick},{stage},{species},{name},{kind},{rows},{hash:016x}")?;
        self.values.write_all(&bytes)
    }
}

fn length(numbers: ColumnSlice<'_>) -> usize {
    match numbers {
        ColumnSlice::F32(numbers) => numbers.len(),
        ColumnSlice::U32(numbers) => numbers.len(),
        ColumnSlice::U64(numbers) => numbers.len(),
        _ => 0,
    }
}

fn bytes(numbers: ColumnSlice<'_>) -> Vec<u8> {
    match numbers {
        ColumnSlice::F32(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        ColumnSlice::U32(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        ColumnSlice::U64(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        _ => Vec::new(),
    }
}

/// A hash of 64 bits, as FNV-1a but over words of eight bytes and with a rotation.
fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let rest = rest.iter().map(|&byte| u64::from(byte));
    words.chain(rest).chain([bytes.len() as u64]).fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        // Products carry upwards only: the rotation brings high bits down.
        mixed.rotate_left(29)
    })
}
