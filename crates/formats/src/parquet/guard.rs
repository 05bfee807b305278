//! Limits of Parquet files, which are compared with the claims of a file before anything is decoded.

use std::fs::File;
use std::io::{BufReader, Read};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

/// The rows that any file may hold, and the bytes of a file for each further one: equal numbers take no room in a file, and
/// the memory of the rows is bounded for files up to a size. Larger files may have a row for each byte.
const MOST_ROWS: u64 = 1 << 21;
const BYTES_PER_ROW: u64 = 16;
const LARGE: u64 = 16 << 20;

/// The same of the cells of a table.
const MOST_CELLS: u64 = 1 << 22;
const BYTES_PER_CELL: u64 = 8;

/// The largest footer beyond the part of a file that it may be, in bytes, and that part.
const LARGEST_FOOTER: u64 = 4 << 20;
const FOOTER_PART: u64 = 256;

/// The largest page, in bytes without compression. Programs write a megabyte.
const LARGEST_PAGE: i64 = 16 << 20;

/// The length of the end of a file: the length of its footer, and a mark.
const END: u64 = 8;

/// A file whose pages are refused before they are decompressed if they are too large.
pub(super) struct GuardedFile(pub(super) File);

pub(super) fn refuse<T>(reason: String) -> Result<T> {
    Err(ParquetError::General(reason))
}

/// The number of rows that a file of this length may hold.
pub(super) fn most_rows(length: u64) -> u64 {
    MOST_ROWS + length / BYTES_PER_ROW + length.saturating_sub(LARGE)
}

/// Refuses a file whose footer is too large.
pub(super) fn check_footer(file: &GuardedFile) -> Result<()> {
    let length = file.len();
    let mut end = [0; END as usize];
    if length >= END {
        file.0.get_read(length - END)?.read_exact(&mut end)?;
    }
    let footer = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
    match footer > LARGEST_FOOTER + length / FOOTER_PART && footer < length {
        true => refuse(format!("its footer of {footer} bytes is too large")),
        false => Ok(()),
    }
}

/// Refuses a file that claims more rows than one of its length may hold, or more cells if it is a table.
pub(super) fn check_claims(metadata: &ParquetMetaData, length: u64, is_table: bool) -> Result<()> {
    let rows = metadata.row_groups().iter().map(|group| u64::try_from(group.num_rows()).unwrap_or(u64::MAX));
    let rows = rows.fold(0, u64::saturating_add);
    let cells = rows.saturating_mul(metadata.file_metadata().schema_descr().num_columns() as u64);
    let most_cells =
        if is_table { MOST_CELLS + length / BYTES_PER_CELL + length.saturating_sub(LARGE) } else { u64::MAX };
    match rows > most_rows(length) || cells > most_cells {
        true => refuse(format!("claims {rows} rows in {length} bytes, more than a file of this length may hold")),
        false => Ok(()),
    }
}

/// The size of a page without compression, from the start of its header: the second of its whole numbers.
fn page_size(header: &[u8]) -> Option<i64> {
    let mut bytes = header.iter().copied();
    let mut number = || -> Option<i64> {
        // A field after the last one, of 32 bits, in the compact protocol of Thrift.
        (bytes.next()? == 0x15).then_some(())?;
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = bytes.next()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some((number >> 1) as i64 ^ -((number & 1) as i64));
            }
        }
        None
    };
    number()?;
    number()
}

impl Length for GuardedFile {
    fn len(&self) -> u64 {
        Length::len(&self.0)
    }
}

impl ChunkReader for GuardedFile {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        // All but the end of the file is read from headers of pages on.
        if start < self.len().saturating_sub(END) {
            let mut header = Vec::new();
            self.0.get_read(start)?.take(16).read_to_end(&mut header)?;
            match page_size(&header) {
                Some(size) if size <= LARGEST_PAGE => {}
                Some(size) => return refuse(format!("a page of {size} bytes is too large")),
                None => return refuse("the header of a page is damaged".to_owned()),
            }
        }
        self.0.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        match start.checked_add(length as u64).is_some_and(|end| end <= self.len()) {
            true => self.0.get_bytes(start, length),
            false => refuse("a part lies beyond its end".to_owned()),
        }
    }
}
