//! Tables of numbers and texts as Parquet and as text.

use std::io::{self, Write};

#[cfg(feature = "parquet")]
use crate::parquet::{Cells, Groups, Kind, Layout, Numbers, ParquetFile};

pub use crate::text_table::{TextTable, TextTableError};

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name.
    pub name: String,
    /// The cells, one per row.
    pub cells: ColumnCells,
}

/// The cells of a column; `None` is an empty cell.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnCells {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<Option<String>>),
}

impl ColumnCells {
    /// The cells of these fields of a text table: whole numbers if all filled ones are, or else numbers, or else texts.
    /// An empty field is an empty cell.
    #[must_use]
    pub fn of_fields(fields: &[&str]) -> Self {
        let filled = || fields.iter().filter(|field| !field.is_empty());
        // Zeros in front are part of a name, not of a number.
        let named = |field: &&&str| field.len() > 1 && field.starts_with('0') && !field.starts_with("0.");
        let texts = filled().next().is_none() || filled().any(|field| named(&field));
        if !texts && filled().all(|field| field.parse::<i64>().is_ok()) {
            return Self::Whole(fields.iter().map(|field| field.parse().ok()).collect());
        }
        if !texts && filled().all(|field| field.parse::<f64>().is_ok()) {
            return Self::numbers(fields);
        }
        Self::texts(fields)
    }

    /// Numbers; a field that is not one is an empty cell.
    #[must_use]
    pub fn numbers(fields: &[&str]) -> Self {
        Self::Number(fields.iter().map(|field| field.parse().ok()).collect())
    }

    /// Texts.
    #[must_use]
    pub fn texts(fields: &[&str]) -> Self {
        Self::Text(fields.iter().map(|field| (!field.is_empty()).then(|| (*field).to_owned())).collect())
    }

    #[cfg(feature = "parquet")]
    fn kind(&self) -> Kind {
        match self {
            Self::Whole(_) => Kind::I64,
            Self::Number(_) => Kind::F64,
            Self::Text(_) => Kind::Text,
        }
    }
}

/// Writes a table as a Parquet file, with names and values that describe it.
///
/// # Errors
///
/// The errors of the writer; columns of different lengths.
#[cfg(feature = "parquet")]
pub fn write_parquet(columns: &[Column], description: Vec<(String, String)>, to: &mut dyn Write) -> io::Result<()> {
    let layout: Vec<Layout> =
        columns.iter().map(|column| Layout::new(&column.name[..], column.cells.kind()).optional()).collect();
    let mut groups = Groups::new(&layout, description)?;
    Groups::start(to)?;
    let cells: Vec<Cells> = columns.iter().map(|column| cells(&column.cells)).collect();
    groups.write(&cells, to)?;
    groups.finish(to)
}

/// Fails: this build has not the feature `parquet`.
///
/// # Errors
///
/// [`Unsupported`](io::ErrorKind::Unsupported).
#[cfg(not(feature = "parquet"))]
pub fn write_parquet(_: &[Column], _: Vec<(String, String)>, _: &mut dyn Write) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, crate::NO_PARQUET))
}

#[cfg(feature = "parquet")]
fn cells(column: &ColumnCells) -> Cells {
    let mut cells = Cells::new(column.kind());
    fn put<T, U>(from: &[Option<T>], to: Option<&mut Vec<U>>, convert: impl Fn(&T) -> U) -> Vec<i16> {
        if let Some(to) = to {
            to.extend(from.iter().flatten().map(convert));
        }
        from.iter().map(|cell| i16::from(cell.is_some())).collect()
    }
    cells.filled = match column {
        ColumnCells::Whole(from) => put(from, cells.i64s(), |number| *number),
        ColumnCells::Number(from) => put(from, cells.f64s(), |number| *number),
        ColumnCells::Text(from) => put(from, cells.texts(), |text| std::sync::Arc::from(&text[..])),
    };
    cells
}

/// Reads a Parquet file as rows of fields of a text table, the names of its columns first. Numbers have the fewest
/// digits from which the same bits are read back; an empty cell is an empty field.
///
/// # Errors
///
/// The reason, without the name of the file.
#[cfg(feature = "parquet")]
pub fn read_parquet(file: std::fs::File) -> Result<Vec<Vec<String>>, String> {
    let file = ParquetFile::open(file, true).map_err(|error| error.to_string())?;
    let names = file.columns();
    let mut rows = vec![names.clone()];
    for group in 0..file.groups() {
        let first = rows.len();
        for (number, name) in names.iter().enumerate() {
            let cells = file.cells(group, number).map_err(|error| format!("column {name}: {error}"))?;
            let texts: Vec<String> = match &cells.numbers {
                Numbers::I64(numbers) => numbers.iter().map(ToString::to_string).collect(),
                Numbers::I32(numbers) => numbers.iter().map(ToString::to_string).collect(),
                Numbers::F32(numbers) => numbers.iter().map(ToString::to_string).collect(),
                Numbers::F64(numbers) => numbers.iter().map(ToString::to_string).collect(),
                Numbers::Text(texts) => texts.iter().map(ToString::to_string).collect(),
            };
            let count = if cells.filled.is_empty() { texts.len() } else { cells.filled.len() };
            if number == 0 {
                rows.resize_with(first + count, Vec::new);
            }
            if rows.len() != first + count {
                return Err(format!("column {name} has another number of cells than the first"));
            }
            let mut texts = texts.into_iter();
            for (row, place) in rows[first..].iter_mut().zip(0..) {
                let empty = cells.filled.get(place).is_some_and(|filled| *filled == 0);
                row.push(if empty { String::new() } else { texts.next().unwrap_or_default() });
            }
        }
    }
    Ok(rows)
}

/// Fails: this build has not the feature `parquet`.
///
/// # Errors
///
/// The reason.
#[cfg(not(feature = "parquet"))]
pub fn read_parquet(_: std::fs::File) -> Result<Vec<Vec<String>>, String> {
    Err(crate::NO_PARQUET.to_owned())
}
