//! The table of a sweep: rows of finished runs survive an interruption, and the whole table appears when it is
//! complete.
//!
//! Next to `table.csv` are `table.csv.json`, the description of the sweep, and while it runs `table.csv.part`, with a
//! line for each finished run in the order in which they finished: its number, its exits if the sweep ends by them, and its
//! row.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use throng::measures::{MeasureOf, Outcome, Statistic};
use throng_formats::table::ColumnCells;
use throng_scenario::shown;

use super::design::Design;
use super::until::Egress;
use crate::atomic_file::AtomicFile;
use crate::failure::Failure;
use crate::paths::Paths;
use crate::tables::{self, table_file};

/// The rows of a sweep.
pub(super) struct Table {
    path: PathBuf,
    columns: Vec<String>,
    /// The rows of finished runs, as lines of the table.
    rows: BTreeMap<u64, String>,
    /// The exits of finished runs, if the sweep ends by them.
    exits: BTreeMap<u64, Egress>,
    /// Whether an earlier sweep has finished it.
    is_complete: bool,
    /// The file of finished runs; `None` once the table is complete.
    part: Option<File>,
}

/// The path with a further extension.
fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(extension);
    PathBuf::from(name)
}

/// Adds the table and the files next to it to the files of the command.
pub(super) fn add_to(paths: &mut Paths, table: &Path) {
    paths.writes("the file of --output", table);
    paths.writes("the description of the sweep", &beside(table, ".json"));
    paths.writes("the finished runs of the sweep", &beside(table, ".part"));
}

/// Whether a column has a statistic of a measure.
fn is_measured(name: &str) -> bool {
    Statistic::ALL.into_iter().any(|statistic| {
        let measured = name.strip_suffix(&statistic.column("")).and_then(|name| MeasureOf::parse(name).ok());
        measured.is_some_and(|of| statistic.column(&of.to_string()) == name)
    })
}

/// A row as a line without its end.
fn line(fields: &[String]) -> Result<String, Failure> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let written = writer.write_record(fields).map_err(|error| error.to_string());
    let bytes = written.and_then(|()| writer.into_inner().map_err(|error| error.to_string()));
    let bytes = bytes.map_err(|error| Failure::Write(format!("the table: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned())
}

impl Table {
    /// Refuses an output that holds another sweep, or any other file.
    pub(super) fn check(path: &Path, description: &Value, force: bool) -> Result<(), Failure> {
        let refuse = |reason: &str| Err(Failure::Input(format!("{}: {reason}", shown(&path))));
        if table_file(&path.to_string_lossy()).is_err() {
            return refuse("the name of a table must end in .csv or .parquet");
        }
        if force || !path.exists() && !beside(path, ".part").exists() {
            return Ok(());
        }
        let held = fs::read(beside(path, ".json")).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        match held {
            Some(held) if held == *description => Ok(()),
            Some(held) => {
                let keys = description.as_object().into_iter().flat_map(|object| object.keys());
                let differing: Vec<&str> =
                    keys.filter(|key| held.get(&key[..]) != description.get(&key[..])).map(|key| &key[..]).collect();
                let differing = differing.join(", ");
                refuse(&format!("holds another sweep (other {differing}); --force replaces it"))
            }
            None => refuse("already exists and is not the table of a sweep; --force replaces it"),
        }
    }

    /// Opens the table, with the rows of an earlier sweep with the same description.
    pub(super) fn open(path: &Path, design: &Design, description: &Value) -> Result<Self, Failure> {
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |error: std::io::Error| Failure::write(&path, &error)
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(fail(folder))?;
        }
        let (part, json) = (beside(path, ".part"), beside(path, ".json"));
        let held = fs::read(&json).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        let same = held.as_ref() == Some(description);
        let columns = design.columns();
        let (rows, exits) = (BTreeMap::new(), BTreeMap::new());
        let mut table = Self { path: path.to_owned(), columns, rows, exits, is_complete: false, part: None };
        if same && path.exists() && table.read_complete(design) {
            return Ok(table);
        }
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(&part).map_err(fail(&part))?;
        if file.try_lock().is_err() {
            return Err(Failure::Input(format!("{}: another sweep is writing to it", shown(&path))));
        }
        if same {
            table.read_part(&mut file, design.runs).map_err(fail(&part))?;
        } else {
            file.set_len(0).map_err(fail(&part))?;
            // The rows of another sweep must be gone before its description is.
            let _ = fs::remove_file(path);
            let mut output = AtomicFile::start(json)?;
            output.write(|output| writeln!(output, "{description:#}"))?;
            output.keep()?;
        }
        table.part = Some(file);
        Ok(table)
    }

    /// Reads a complete table; false if it is not one.
    fn read_complete(&mut self, design: &Design) -> bool {
        let Some(text) = tables::read(&self.path).ok().and_then(|text| String::from_utf8(text).ok()) else {
            return false;
        };
        let mut lines = text.lines();
        let header = line(&self.columns).ok();
        let has_all = |rows: u64| if design.until.is_some() { rows > 0 } else { rows == design.runs };
        if lines.next().map(str::to_owned) != header || !has_all(lines.clone().count() as u64) {
            return false;
        }
        self.is_complete = true;
        self.rows = (0..).zip(lines.map(str::to_owned)).collect();
        true
    }

    /// Reads the rows of finished runs, and removes a line that was not written to its end.
    fn read_part(&mut self, file: &mut File, runs: u64) -> std::io::Result<()> {
        file.seek(SeekFrom::Start(0))?;
        let (mut reader, mut whole) = (BufReader::new(&*file), 0);
        loop {
            let mut bytes = Vec::new();
            reader.read_until(b'\n', &mut bytes)?;
            let text = std::str::from_utf8(&bytes).ok().and_then(|text| text.strip_suffix('\n'));
            let Some((head, row)) = text.and_then(|text| text.split_once(' ')) else { break };
            let (number, exits) = head.split_once(':').map_or((head, None), |(number, exits)| (number, Some(exits)));
            let Some(number) = number.parse::<u64>().ok().filter(|number| *number < runs) else { break };
            whole += bytes.len() as u64;
            self.rows.insert(number, row.to_owned());
            self.exits.extend(exits.and_then(Egress::parse).map(|exits| (number, exits)));
        }
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0)).map(|_| ())
    }

    /// The number of finished runs.
    pub(super) fn finished(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Whether an earlier sweep has finished the table.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The exits of the finished runs of an earlier sweep.
    pub(super) fn take_exits(&mut self) -> BTreeMap<u64, Egress> {
        std::mem::take(&mut self.exits)
    }

    /// Drops the rows of runs that are not needed.
    pub(super) fn keep(&mut self, needs: impl Fn(u64) -> bool) {
        self.rows.retain(|run, _| needs(*run));
    }

    /// Whether a run is finished.
    pub(super) fn has(&self, run: u64) -> bool {
        self.rows.contains_key(&run)
    }

    /// Adds the row of a finished run, and its exits if the sweep ends by them.
    pub(super) fn add(&mut self, run: u64, fields: &[String], exits: Option<&Egress>) -> Result<(), Failure> {
        let row = line(fields)?;
        if let Some(part) = &mut self.part {
            let exits = exits.map_or(String::new(), |exits| format!(":{exits}"));
            let written = part.write_all(format!("{run}{exits} {row}\n").as_bytes());
            written.map_err(|error| Failure::write(&beside(&self.path, ".part"), &error))?;
        }
        self.rows.insert(run, row);
        Ok(())
    }

    /// Writes the complete table, in the order of runs.
    pub(super) fn complete(self, description: &Value) -> Result<(), Failure> {
        let Some(part) = self.part else { return Ok(()) };
        let header = line(&self.columns)?;
        if tables::is_parquet(&self.path) {
            let text: String = std::iter::once(&header).chain(self.rows.values()).flat_map(|row| [row, "\n"]).collect();
            let unreadable = |error| Failure::Write(format!("{}: {error}", shown(&self.path)));
            let rows = tables::rows(text.as_bytes()).map_err(unreadable)?;
            let kind = |name: &str, fields: &[&str]| match name {
                "scenario_hash" | "state_hash" => ColumnCells::texts(fields),
                name if is_measured(name) || Outcome::parse(name).is_some() => ColumnCells::numbers(fields),
                _ => ColumnCells::of_fields(fields),
            };
            tables::write(&self.path, &rows, kind, vec![("sweep".to_owned(), description.to_string())])?;
        } else {
            let mut output = AtomicFile::start(self.path.clone())?;
            output.write(|output| {
                writeln!(output, "{header}")?;
                self.rows.values().try_for_each(|row| writeln!(output, "{row}"))
            })?;
            output.keep()?;
        }
        drop(part);
        let path = beside(&self.path, ".part");
        fs::remove_file(&path).map_err(|error| Failure::write(&path, &error))
    }
}
