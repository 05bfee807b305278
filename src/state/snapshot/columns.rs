//! Encoding and decoding of named columns.

use crate::agents::columns::{Column, Data, Owner};
use crate::base::ids::SpeciesId;
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::{Reader, Rows};
use crate::state::snapshot::writer::Writer;

/// Writes the name, the type and the value of new agents of a column.
pub(super) fn write_head(to: &mut Writer<'_>, column: &Column) {
    let (owner, key) = match column.owner {
        Owner::State => (0, 0),
        Owner::Seconds => (1, 0),
        Owner::Flags => (2, 0),
        Owner::Regions => (3, 0),
        Owner::Variable => (4, 0),
        Owner::Rule(key) => (5, key),
        // Local columns are not written.
        Owner::Host | Owner::Local => (6, 0),
        Owner::Mix => (7, 0),
        Owner::Time => (8, 0),
        Owner::FreeSpeed => (9, 0),
        Owner::Moved => (10, 0),
    };
    to.u8(owner);
    to.u32(key);
    to.text(&column.name);
    let number = match column.data {
        Data::F32(_) => 0,
        Data::U32(_) => 1,
        Data::U64(_) => 2,
    };
    to.u8(number);
    to.u32(column.width as u32);
    match &column.start {
        Data::F32(numbers) => to.f32_column(numbers),
        Data::U32(numbers) => to.u32_column(numbers),
        Data::U64(numbers) => to.u64_column(numbers),
    }
}

/// Appends numbers to bytes.
pub(super) fn encode(numbers: &Data, to: &mut Vec<u8>) {
    match numbers {
        Data::F32(numbers) => to.extend(numbers.iter().flat_map(|number| number.to_bits().to_le_bytes())),
        Data::U32(numbers) => to.extend(numbers.iter().flat_map(|number| number.to_le_bytes())),
        Data::U64(numbers) => to.extend(numbers.iter().flat_map(|number| number.to_le_bytes())),
    }
}

/// Writes the numbers of all agents in a column.
pub(super) fn write_numbers(to: &mut Writer<'_>, species: SpeciesId, column: &Column) {
    match &column.data {
        Data::F32(numbers) => to.rows(species, column.width, numbers, |number| number.to_bits().to_le_bytes()),
        Data::U32(numbers) => to.rows(species, column.width, numbers, |number| number.to_le_bytes()),
        Data::U64(numbers) => to.rows(species, column.width, numbers, |number| number.to_le_bytes()),
    }
}

/// Reads a column with these rows.
pub(super) fn read_column(from: &mut Reader<'_>, rows: &Rows) -> Result<Column, SnapshotError> {
    let (owner, key) = (from.u8()?, from.u32()?);
    let owner = match owner {
        0 => Owner::State,
        1 => Owner::Seconds,
        2 => Owner::Flags,
        3 => Owner::Regions,
        4 => Owner::Variable,
        5 => Owner::Rule(key),
        6 => Owner::Host,
        7 => Owner::Mix,
        8 => Owner::Time,
        9 => Owner::FreeSpeed,
        10 => Owner::Moved,
        other => return Err(from.unknown("the owner of a column", other)),
    };
    let name = from.text()?;
    let (number, width) = (from.u8()?, from.u32()? as usize);
    if width == 0 {
        return Err(from.unknown("the width of a column", width));
    }
    let mut numbers = |rows: &Rows| match number {
        0 => Ok(Data::F32(from.rows(rows, width)?)),
        1 => Ok(Data::U32(from.rows(rows, width)?)),
        2 => Ok(Data::U64(from.rows(rows, width)?)),
        other => Err(from.unknown("a type of numbers", other)),
    };
    let start = numbers(&Rows { all: 1, own: 0..1 })?;
    let data = numbers(rows)?;
    Ok(Column { owner, name, width, start, data })
}
