//! Tables as CSV and as Parquet.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use throng_formats::table::{Column, ColumnCells, read_parquet, write_parquet};
use throng_formats::trajectory::TrajectoryFormat;
use throng_scenario::shown;

use crate::atomic_file::AtomicFile;
use crate::failure::Failure;

/// Whether a table is Parquet by its ending, and not CSV.
pub(crate) fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

/// Parses the name of a table.
pub(crate) fn table_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is_parquet(&path) {
        return TrajectoryFormat::Parquet.missing().map_or(Ok(path), |reason| Err(reason.to_owned()));
    }
    match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
        true => Ok(path),
        false => Err("the name of a table ends in .csv or .parquet".to_owned()),
    }
}

/// Writes a table, with the kinds of its columns where they are known from their names: without one, a column has the
/// kind of its fields.
pub(crate) fn write(
    path: &Path,
    rows: &[Vec<String>],
    kind: impl Fn(&str, &[&str]) -> ColumnCells,
    description: Vec<(String, String)>,
) -> Result<(), Failure> {
    let mut file = AtomicFile::start(path.to_owned())?;
    if is_parquet(path) {
        let names = rows.first().map_or(&[][..], |names| names);
        let columns = names.iter().enumerate().map(|(place, name)| {
            let fields: Vec<&str> = rows.iter().skip(1).map(|row| row.get(place).map_or("", |field| field)).collect();
            Column { name: name.clone(), cells: kind(name, &fields) }
        });
        let columns: Vec<Column> = columns.collect();
        file.write(|file| write_parquet(&columns, description, file))?;
    } else {
        let text = to_csv(rows).map_err(|error| Failure::Write(format!("{}: {error}", shown(&path))))?;
        file.write(|file| file.write_all(&text))?;
    }
    file.keep()
}

/// Reads a table as CSV.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::Input(format!("{}: cannot be read: {error}", shown(&path)));
    if !is_parquet(path) {
        return fs::read(path).map_err(|error| fail(&error));
    }
    let rows = File::open(path).map_err(|error| fail(&error))?;
    let rows = read_parquet(rows).map_err(|error| fail(&error))?;
    to_csv(&rows).map_err(|error| fail(&error))
}

/// The rows of a table as CSV.
pub(crate) fn rows(text: &[u8]) -> Result<Vec<Vec<String>>, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text);
    reader.records().map(|record| Ok(record?.iter().map(str::to_owned).collect())).collect()
}

fn to_csv(rows: &[Vec<String>]) -> Result<Vec<u8>, String> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}
