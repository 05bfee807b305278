//! Named columns in a snapshot.

use crate::agents::columns::{Column, Data, Owner, each_type};
use crate::base::ids::SpeciesId;
use crate::state::snapshot::{Reader, Rows, Saved, SnapshotError, Writer};
use crate::transport::numbers;

/// Owners by their codes. Columns outside of the state are not written.
const OWNERS: [Owner; 11] = [
    Owner::State,
    Owner::Seconds,
    Owner::Flags,
    Owner::Regions,
    Owner::Variable,
    Owner::Rule(0),
    Owner::Host,
    Owner::Mix,
    Owner::Time,
    Owner::FreeSpeed,
    Owner::Moved,
];

impl Saved for Owner {
    fn save(&self, to: &mut Writer<'_>) {
        let (kind, key) = if let Self::Rule(key) = self { (Self::Rule(0), *key) } else { (*self, 0) };
        let code = OWNERS.iter().position(|owner| *owner == kind);
        (code.unwrap_or(OWNERS.len()) as u8, key).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (code, key) = <(u8, u32)>::load(from)?;
        match OWNERS.get(usize::from(code)) {
            Some(Self::Rule(_)) => Ok(Self::Rule(key)),
            Some(owner) => Ok(*owner),
            None => Err(from.unknown("the owner of a column", code)),
        }
    }
}

/// Numbers outside of a column, with their type and their count.
impl Saved for Data {
    fn save(&self, to: &mut Writer<'_>) {
        to.number::<u8>(type_of(self));
        to.number(self.len() as u64);
        each_type!(self, numbers => to.column(numbers));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (number, count) = (from.number::<u8>()?, from.number::<u64>()?);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        match number {
            0 => from.column(count).map(Self::F32),
            1 => from.column(count).map(Self::U32),
            2 => from.column(count).map(Self::U64),
            other => Err(from.unknown("a type of numbers", other)),
        }
    }
}

/// The code of a type of numbers.
fn type_of(data: &Data) -> u8 {
    match data {
        Data::F32(_) => 0,
        Data::U32(_) => 1,
        Data::U64(_) => 2,
    }
}

/// Writes the name, the type and the value of new agents of a column.
pub(super) fn write_head(to: &mut Writer<'_>, column: &Column) {
    column.owner.save(to);
    to.text(&column.name);
    to.number::<u8>(type_of(&column.data));
    to.number(column.width as u32);
    each_type!(&column.start, numbers => to.column(numbers));
}

/// Appends numbers to bytes.
pub(super) fn encode(data: &Data, to: &mut Vec<u8>) {
    each_type!(data, column => numbers::write(column, to));
}

/// Writes the numbers of all agents in a column.
pub(super) fn write_numbers(to: &mut Writer<'_>, species: SpeciesId, column: &Column) {
    each_type!(&column.data, numbers => to.rows(species, column.width, numbers));
}

/// Reads a column with these rows.
pub(super) fn read_column(from: &mut Reader<'_>, rows: &Rows) -> Result<Column, SnapshotError> {
    let (owner, name) = (Owner::load(from)?, from.text()?);
    let (number, width) = (from.number::<u8>()?, from.number::<u32>()? as usize);
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
