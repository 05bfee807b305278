//! Reading of Parquet files, row group by row group.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::Type as Physical;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{FileReader, Length, SerializedFileReader};

use super::cells::{Cells, Numbers};
use super::guard::{GuardedFile, check_claims, check_footer, most_rows, refuse};

/// The number of cells that are read at a time: memory grows with the contents of a file, not with its claims.
const BATCH: usize = 1 << 14;

/// The bytes of the texts of a column for each row that a file may hold: equal texts take no room in a file.
const TEXT_PER_ROW: u64 = 16;

/// An open Parquet file.
pub(crate) struct ParquetFile {
    reader: SerializedFileReader<GuardedFile>,
    /// The largest number of bytes of the texts of a column.
    most_text: u64,
}

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetFile").field("groups", &self.groups()).finish()
    }
}

impl ParquetFile {
    /// Opens a table, or a file with columns that are not read, that claims no more than one of its length may hold.
    pub(crate) fn open(file: File, is_table: bool) -> Result<Self> {
        guarded(|| {
            let file = GuardedFile(file);
            check_footer(&file)?;
            let length = file.len();
            let reader = SerializedFileReader::new(file)?;
            check_claims(reader.metadata(), length, is_table)?;
            Ok(Self { reader, most_text: TEXT_PER_ROW * most_rows(length) })
        })
    }

    /// The number of row groups.
    pub(crate) fn groups(&self) -> usize {
        self.reader.num_row_groups()
    }

    /// The names of the columns.
    pub(crate) fn columns(&self) -> Vec<String> {
        let schema = self.reader.metadata().file_metadata().schema_descr();
        schema.columns().iter().map(|column| column.path().string()).collect()
    }

    /// A value of the file's description.
    pub(crate) fn describes(&self, key: &str) -> Option<String> {
        let pairs = self.reader.metadata().file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.clone()
    }

    /// Reads a column of a row group.
    pub(crate) fn cells(&self, group: usize, column: usize) -> Result<Cells> {
        guarded(|| {
            let group = self.reader.get_row_group(group)?;
            let descriptor = group.metadata().column(column).column_descr_ptr();
            let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            if descriptor.max_rep_level() > 0 {
                return Err(ParquetError::General("a cell holds a list".to_owned()));
            }
            let (mut filled, levels) = (Vec::new(), descriptor.max_def_level());
            let filled_to = (levels > 0).then_some(&mut filled);
            let numbers = match group.get_column_reader(column)? {
                ColumnReader::Int64ColumnReader(reader) => Numbers::I64(all(reader, filled_to, rows)?),
                ColumnReader::Int32ColumnReader(reader) => Numbers::I32(all(reader, filled_to, rows)?),
                ColumnReader::FloatColumnReader(reader) => Numbers::F32(all(reader, filled_to, rows)?),
                ColumnReader::DoubleColumnReader(reader) => Numbers::F64(all(reader, filled_to, rows)?),
                ColumnReader::ByteArrayColumnReader(reader) => {
                    let mut last: Option<Arc<str>> = None;
                    let texts = all(reader, filled_to, rows)?;
                    let length = texts.iter().fold(0, |sum: u64, text: &ByteArray| sum + text.len() as u64);
                    if length > self.most_text {
                        return refuse(format!("its texts have {length} bytes, more than {}", self.most_text));
                    }
                    let texts = texts.into_iter().map(|bytes| {
                        let text = bytes.as_utf8()?;
                        let same = last.clone().filter(|last| **last == *text);
                        let text = same.unwrap_or_else(|| text.into());
                        last = Some(text.clone());
                        Ok(text)
                    });
                    Numbers::Text(texts.collect::<Result<_>>()?)
                }
                _ => {
                    let found: Physical = descriptor.physical_type();
                    return Err(ParquetError::General(format!("cells of the type {found} are not known here")));
                }
            };
            for level in &mut filled {
                *level = i16::from(*level == levels);
            }
            Ok(Cells { numbers, filled })
        })
    }
}

/// Reads all cells of a column of a row group with this number of rows.
fn all<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    mut filled: Option<&mut Vec<i16>>,
    rows: usize,
) -> Result<Vec<T::T>> {
    let mut values = Vec::new();
    loop {
        let before = values.len();
        let (records, _, _) = reader.read_records(BATCH, filled.as_deref_mut(), None, &mut values)?;
        if values.len() > rows || filled.as_ref().is_some_and(|filled| filled.len() > rows) {
            return refuse("a column has more cells than its row group".to_owned());
        }
        if records == 0 && values.len() == before {
            return Ok(values);
        }
    }
}

/// Calls a reader of files from elsewhere, in which a panic of the library for Parquet is an error of the file.
fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    read.unwrap_or_else(|_| Err(ParquetError::General("the file is damaged".to_owned())))
}
