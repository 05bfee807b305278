//! Typed, named columns: per-agent data other than position, velocity, body and goal.
//!
//! One mechanism serves the engine (states, flags, regions), the variables of states, the memory of rules and the
//! columns that a host adds. A column has one value per row: a number or an array of numbers. Columns move with their
//! rows, and are part of the state, of its hash and of snapshots.

#![allow(private_interfaces, reason = "the trait of column values is sealed")]

use std::cell::Cell;
use std::fmt;
use std::ops::Range;

use rayon::prelude::*;

use crate::base::error::Error;
use crate::base::values::shortest;

/// The numbers of a column, row by row: [`Column::width`] numbers per row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    F32(Vec<f32>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

/// Runs `$body` with the vector of numbers that `$data` holds, whatever their type.
macro_rules! each_type {
    ($data:expr, $numbers:ident => $body:expr) => {
        match $data {
            Data::F32($numbers) => $body,
            Data::U32($numbers) => $body,
            Data::U64($numbers) => $body,
        }
    };
}

impl Data {
    /// Data of the same type without rows.
    pub(crate) fn empty_like(&self) -> Self {
        match self {
            Self::F32(_) => Self::F32(Vec::new()),
            Self::U32(_) => Self::U32(Vec::new()),
            Self::U64(_) => Self::U64(Vec::new()),
        }
    }

    /// The number of numbers, over all rows.
    pub(crate) fn len(&self) -> usize {
        each_type!(self, numbers => numbers.len())
    }

    /// The type of the numbers, in one word.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::F32(_) => "f32",
            Self::U32(_) => "u32",
            Self::U64(_) => "u64",
        }
    }

    /// Resizes the data to `rows` rows. New rows have the value `start`.
    pub(crate) fn resize(&mut self, rows: usize, start: &Self) {
        match (self, start) {
            (Self::F32(numbers), Self::F32(start)) => resize(numbers, rows, start),
            (Self::U32(numbers), Self::U32(start)) => resize(numbers, rows, start),
            (Self::U64(numbers), Self::U64(start)) => resize(numbers, rows, start),
            _ => unreachable!("a column's start has the type of its values"),
        }
    }
}

fn resize<T: Copy>(numbers: &mut Vec<T>, rows: usize, start: &[T]) {
    numbers.truncate(rows * start.len());
    while numbers.len() < rows * start.len() {
        numbers.extend_from_slice(start);
    }
}

/// Buffers for reordering columns, one for each type of numbers.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    f32: Vec<f32>,
    u32: Vec<u32>,
    u64: Vec<u64>,
}

fn reorder<T: Copy + Send + Sync>(
    numbers: &mut [T],
    spare: &mut Vec<T>,
    width: usize,
    old: impl Fn(usize) -> usize + Sync,
) {
    spare.clear();
    spare.extend_from_slice(numbers);
    numbers.par_chunks_mut(width).with_min_len(4096).enumerate().for_each(|(row, new)| {
        let from = old(row) * width;
        new.copy_from_slice(&spare[from..from + width]);
    });
}

/// The owner of a column, which defines its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The number of an agent's state.
    State,
    /// The seconds that it has been in its state.
    Seconds,
    /// Its flags: bits of [`flag`](crate::agents::flag).
    Flags,
    /// The regions that contain it, one bit for each.
    Regions,
    /// A variable of the species' states.
    Variable,
    /// The memory of the rule with this key.
    Rule(u32),
    /// The place of the agent in the mix.
    Mix,
    /// The host.
    Host,
}

impl Owner {
    /// Whether hosts see the column among those of a species: see [`Agents::columns`](crate::Agents::columns).
    pub(crate) const fn is_host(self) -> bool {
        matches!(self, Self::Variable | Self::Host)
    }
}

/// A column of the agents of one species.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) owner: Owner,
    pub(crate) name: String,
    /// ColumnSlice per row.
    pub(crate) width: usize,
    /// The value of a new agent: one row.
    pub(crate) start: Data,
    pub(crate) data: Data,
}

impl Column {
    /// A column for `rows` agents with the value `start`.
    pub(crate) fn new(owner: Owner, name: impl Into<String>, start: Data, rows: usize) -> Self {
        let mut data = start.empty_like();
        data.resize(rows, &start);
        Self { owner, name: name.into(), width: start.len(), start, data }
    }

    /// Appends a row with the value of a new agent.
    pub(crate) fn push(&mut self) {
        let rows = self.data.len() / self.width;
        self.data.resize(rows + 1, &self.start);
    }

    /// Removes a row; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, row: usize) {
        let width = self.width;
        each_type!(&mut self.data, numbers => {
            let last = numbers.len() - width;
            numbers.copy_within(last.., row * width);
            numbers.truncate(last);
        });
    }

    /// Reorders the rows: the row `old(new)` moves to `new`.
    pub(crate) fn reorder(&mut self, old: impl Fn(usize) -> usize + Sync, spare: &mut Spare) {
        let Spare { f32, u32, u64 } = spare;
        match &mut self.data {
            Data::F32(numbers) => reorder(numbers, f32, self.width, old),
            Data::U32(numbers) => reorder(numbers, u32, self.width, old),
            Data::U64(numbers) => reorder(numbers, u64, self.width, old),
        }
    }

    /// The value of a row, as numbers.
    pub(crate) fn numbers(&self, row: usize) -> Vec<f64> {
        let numbers = row * self.width..(row + 1) * self.width;
        match &self.data {
            Data::F32(all) => all[numbers].iter().map(|&number| shortest(number)).collect(),
            Data::U32(all) => all[numbers].iter().map(|&number| f64::from(number)).collect(),
            Data::U64(all) => all[numbers].iter().map(|&number| number as f64).collect(),
        }
    }

    /// Returns whether the values have the type and width of `T`.
    pub(crate) fn holds<T: ColumnValue>(&self) -> bool {
        self.width == T::WIDTH && T::rows(&self.data).is_some()
    }

    /// The type of a row's value, in Rust's notation.
    pub(crate) fn type_name(&self) -> String {
        type_name(self.data.type_name(), self.width)
    }
}

fn type_name(number: &str, width: usize) -> String {
    if width == 1 { number.to_owned() } else { format!("[{number}; {width}]") }
}

/// A column of a species' agents, with values of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnView<'a> {
    /// Its name.
    pub name: &'a str,
    /// The number of numbers in a row.
    pub width: usize,
    /// The numbers, row by row.
    pub numbers: ColumnSlice<'a>,
}

/// The numbers of a [`ColumnView`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColumnSlice<'a> {
    /// ColumnSlice of type `f32`.
    F32(&'a [f32]),
    /// ColumnSlice of type `u32`.
    U32(&'a [u32]),
    /// ColumnSlice of type `u64`.
    U64(&'a [u64]),
}

impl ColumnView<'_> {
    /// The type of a row's value, in Rust's notation.
    #[must_use]
    pub fn type_name(&self) -> String {
        let number = match self.numbers {
            ColumnSlice::F32(_) => "f32",
            ColumnSlice::U32(_) => "u32",
            ColumnSlice::U64(_) => "u64",
        };
        type_name(number, self.width)
    }
}

impl Column {
    pub(crate) fn view(&self) -> ColumnView<'_> {
        let numbers = match &self.data {
            Data::F32(numbers) => ColumnSlice::F32(numbers),
            Data::U32(numbers) => ColumnSlice::U32(numbers),
            Data::U64(numbers) => ColumnSlice::U64(numbers),
        };
        ColumnView { name: &self.name, width: self.width, numbers }
    }
}

/// A type of column values: `f32`, `u32`, `u64`, or an array of one of these.
pub trait ColumnValue: Stored {}

impl<T: Stored> ColumnValue for T {}

pub(crate) use sealed::Stored;

mod sealed {
    use super::{Data, fmt};

    pub trait Stored: Copy + fmt::Debug + PartialEq + Send + Sync + 'static {
        /// ColumnSlice per value.
        const WIDTH: usize;

        /// One row.
        #[doc(hidden)]
        fn data(self) -> Data;

        /// The values row by row, if they have this type.
        #[doc(hidden)]
        fn rows(data: &Data) -> Option<&[Self]>;

        /// The mutable values row by row, if they have this type.
        #[doc(hidden)]
        fn rows_mut(data: &mut Data) -> Option<&mut [Self]>;

        /// Takes the numbers of a column out, one per row.
        #[doc(hidden)]
        fn take(data: &mut Data) -> Vec<Self>;

        /// Replaces the numbers of a column.
        #[doc(hidden)]
        fn put(values: Vec<Self>, data: &mut Data);

        /// The value at a row of a chunk of a column.
        #[doc(hidden)]
        fn get(cells: &super::Cells, row: usize) -> Self;

        /// Sets the value at a row of a chunk of a column.
        #[doc(hidden)]
        fn set(self, cells: &super::Cells, row: usize);
    }
}

macro_rules! column_values {
    ($($number:ty, $variant:ident;)*) => {$(
        impl Stored for $number {
            const WIDTH: usize = 1;

            fn data(self) -> Data {
                Data::$variant(vec![self])
            }

            fn rows(data: &Data) -> Option<&[Self]> {
                if let Data::$variant(numbers) = data { Some(numbers) } else { None }
            }

            fn rows_mut(data: &mut Data) -> Option<&mut [Self]> {
                if let Data::$variant(numbers) = data { Some(numbers) } else { None }
            }

            fn take(data: &mut Data) -> Vec<Self> {
                if let Data::$variant(numbers) = data { std::mem::take(numbers) } else { Vec::new() }
            }

            fn put(values: Vec<Self>, data: &mut Data) {
                *data = Data::$variant(values);
            }

            #[inline]
            fn get(cells: &Cells, row: usize) -> Self {
                let Cells::$variant(numbers, 1) = cells else { wrong_type::<Self>(cells) };
                numbers[row].get()
            }

            #[inline]
            fn set(self, cells: &Cells, row: usize) {
                let Cells::$variant(numbers, 1) = cells else { wrong_type::<Self>(cells) };
                numbers[row].set(self);
            }
        }

        impl<const N: usize> Stored for [$number; N] {
            const WIDTH: usize = N;

            fn data(self) -> Data {
                Data::$variant(self.to_vec())
            }

            fn rows(data: &Data) -> Option<&[Self]> {
                if let Data::$variant(numbers) = data { Some(numbers.as_chunks().0) } else { None }
            }

            fn rows_mut(data: &mut Data) -> Option<&mut [Self]> {
                if let Data::$variant(numbers) = data { Some(numbers.as_chunks_mut().0) } else { None }
            }

            fn take(data: &mut Data) -> Vec<Self> {
                if let Data::$variant(numbers) = data {
                    std::mem::take(numbers).as_chunks().0.to_vec()
                } else {
                    Vec::new()
                }
            }

            fn put(values: Vec<Self>, data: &mut Data) {
                *data = Data::$variant(values.into_flattened());
            }

            #[inline]
            fn get(cells: &Cells, row: usize) -> Self {
                let Cells::$variant(numbers, width) = cells else { wrong_type::<Self>(cells) };
                let numbers: &[_; N] = numbers[row * width..][..*width].try_into().unwrap_or_else(|_| wrong_type::<Self>(cells));
                numbers.each_ref().map(|number| number.get())
            }

            #[inline]
            fn set(self, cells: &Cells, row: usize) {
                let Cells::$variant(numbers, width) = cells else { wrong_type::<Self>(cells) };
                let numbers = &numbers[row * width..][..*width];
                if numbers.len() != N {
                    wrong_type::<Self>(cells);
                }
                for (to, from) in numbers.iter().zip(self) {
                    to.set(from);
                }
            }
        }
    )*};
}
column_values! { f32, F32; u32, U32; u64, U64; }

/// A chunk of a column and its width. One thread reads and writes it, agent by agent, while rules run.
#[derive(Clone, Debug)]
pub(crate) enum Cells {
    F32(Vec<Cell<f32>>, usize),
    U32(Vec<Cell<u32>>, usize),
    U64(Vec<Cell<u64>>, usize),
}

impl Cells {
    /// Copies these rows of a column.
    pub(crate) fn fill(&mut self, column: &Column, rows: Range<usize>) {
        let (width, numbers) = (column.width, rows.start * column.width..rows.end * column.width);
        match (self, &column.data) {
            (Self::F32(cells, own), Data::F32(data)) => (*own, ()) = (width, refill(cells, &data[numbers])),
            (Self::U32(cells, own), Data::U32(data)) => (*own, ()) = (width, refill(cells, &data[numbers])),
            (Self::U64(cells, own), Data::U64(data)) => (*own, ()) = (width, refill(cells, &data[numbers])),
            (other, _) => {
                *other = Self::like(&column.data);
                other.fill(column, rows);
            }
        }
    }

    /// The values of a column of `[f32; N]`.
    pub(crate) fn arrays<const N: usize>(&self) -> &[[Cell<f32>; N]] {
        match self {
            Self::F32(cells, width) if *width == N => cells.as_chunks().0,
            _ => wrong_type::<[f32; N]>(self),
        }
    }

    /// The values of a column of `u32`.
    pub(crate) fn numbers(&self) -> &[Cell<u32>] {
        match self {
            Self::U32(cells, 1) => cells,
            _ => wrong_type::<u32>(self),
        }
    }

    /// An empty chunk of the same type as a column.
    pub(crate) fn like(data: &Data) -> Self {
        match data {
            Data::F32(_) => Self::F32(Vec::new(), 1),
            Data::U32(_) => Self::U32(Vec::new(), 1),
            Data::U64(_) => Self::U64(Vec::new(), 1),
        }
    }
}

fn refill<T: Copy>(cells: &mut Vec<Cell<T>>, data: &[T]) {
    cells.clear();
    cells.extend(data.iter().map(|&number| Cell::new(number)));
}

/// Writes the memory of rules back into a column, chunk by chunk. `number` is the column's position in each chunk.
pub(crate) fn write_back(column: &mut Column, number: usize, chunks: &mut [Vec<Cells>], rows: usize) {
    macro_rules! write {
        ($($variant:ident)*) => {
            match &mut column.data {
                $(Data::$variant(data) => {
                    let data = data.par_chunks_mut(rows * column.width).zip(chunks).with_min_len(16);
                    data.for_each(|(data, cells)| {
                        if let Cells::$variant(cells, _) = &cells[number] {
                            data.iter_mut().zip(cells).for_each(|(to, from)| *to = from.get());
                        }
                    });
                })*
            }
        };
    }
    write!(F32 U32 U64);
}

#[cold]
fn wrong_type<T>(cells: &Cells) -> ! {
    let (number, width) = match cells {
        Cells::F32(_, width) => ("f32", width),
        Cells::U32(_, width) => ("u32", width),
        Cells::U64(_, width) => ("u64", width),
    };
    panic!("a rule asked for {} where it remembers {}", std::any::type_name::<T>(), type_name(number, *width));
}

/// The named columns of one species.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Columns(pub(crate) Vec<Column>);

impl Columns {
    /// The first column of this owner.
    pub(crate) fn of(&self, owner: Owner) -> Option<&Column> {
        self.0.iter().find(|column| column.owner == owner)
    }

    /// The first column of this owner, mutably.
    pub(crate) fn of_mut(&mut self, owner: Owner) -> Option<&mut Column> {
        self.0.iter_mut().find(|column| column.owner == owner)
    }

    /// The values of the column of this owner.
    pub(crate) fn values<T: ColumnValue>(&self, owner: Owner) -> Option<&[T]> {
        T::rows(&self.of(owner)?.data)
    }

    /// The mutable values of the column of this owner.
    pub(crate) fn values_mut<T: ColumnValue>(&mut self, owner: Owner) -> Option<&mut [T]> {
        T::rows_mut(&mut self.of_mut(owner)?.data)
    }

    /// Takes the values out of the column of this owner, for [`put`](Self::put); empty if the column does not exist.
    pub(crate) fn take<T: ColumnValue>(&mut self, owner: Owner) -> Vec<T> {
        self.of_mut(owner).map_or_else(Vec::new, |column| T::take(&mut column.data))
    }

    /// Puts values back into the column of this owner.
    pub(crate) fn put<T: ColumnValue>(&mut self, owner: Owner, values: Vec<T>) {
        if let Some(column) = self.of_mut(owner) {
            T::put(values, &mut column.data);
        }
    }

    /// The variables of the species' states, in their order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &[f32]> {
        let variables = self.0.iter().filter(|column| column.owner == Owner::Variable);
        variables.filter_map(|column| f32::rows(&column.data))
    }

    /// Takes the values of a variable out, for [`put_variable`](Self::put_variable).
    pub(crate) fn take_variable(&mut self, name: &str) -> Vec<f32> {
        let column = self.0.iter_mut().find(|column| column.is(Owner::Variable, name));
        column.map_or_else(Vec::new, |column| f32::take(&mut column.data))
    }

    /// Puts the values of a variable back.
    pub(crate) fn put_variable(&mut self, name: &str, values: Vec<f32>) {
        if let Some(column) = self.0.iter_mut().find(|column| column.is(Owner::Variable, name)) {
            f32::put(values, &mut column.data);
        }
    }

    /// The position of the column with this name among all columns: a variable or a column that the host added, or else
    /// what the first of the rules remembers under this name.
    pub(crate) fn place_of(&self, name: &str) -> Option<usize> {
        let place = |of: fn(Owner) -> bool| self.0.iter().position(|column| of(column.owner) && column.name == name);
        place(Owner::is_host).or_else(|| place(|owner| matches!(owner, Owner::Rule(_))))
    }

    /// The column with this name: see [`place_of`](Self::place_of).
    pub(crate) fn named(&self, name: &str) -> Option<&Column> {
        self.place_of(name).map(|place| &self.0[place])
    }

    /// The column with this name, mutably.
    pub(crate) fn named_mut(&mut self, name: &str) -> Option<&mut Column> {
        self.place_of(name).map(|place| &mut self.0[place])
    }

    /// The column with this name, if it holds values of type `T`.
    pub(crate) fn typed<T: ColumnValue>(&self, name: &str) -> Result<&Column, Error> {
        let column = self.named(name).ok_or_else(|| Error::NoSuchColumn(name.to_owned()))?;
        check_type::<T>(column)?;
        Ok(column)
    }
}

/// Checks that a column holds values of type `T`.
pub(crate) fn check_type<T: ColumnValue>(column: &Column) -> Result<(), Error> {
    if column.holds::<T>() {
        return Ok(());
    }
    let asked = std::any::type_name::<T>();
    Err(Error::ColumnType { name: column.name.clone(), has: column.type_name(), asked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_added_removed_and_reordered() {
        let mut column = Column::new(Owner::Host, "heading", [1.0f32, 2.0].data(), 3);
        <[f32; 2]>::rows_mut(&mut column.data).unwrap()[2] = [5.0, 6.0];
        column.push();
        assert_eq!(<[f32; 2]>::rows(&column.data).unwrap(), [[1.0, 2.0], [1.0, 2.0], [5.0, 6.0], [1.0, 2.0]]);
        column.swap_remove(0);
        column.reorder(|row| 2 - row, &mut Spare::default());
        assert_eq!(<[f32; 2]>::rows(&column.data).unwrap(), [[5.0, 6.0], [1.0, 2.0], [1.0, 2.0]]);
        column.swap_remove(2);
        assert_eq!(column.data.len(), 4);
    }

    #[test]
    fn a_column_rejects_another_type() {
        let columns = Columns(vec![Column::new(Owner::Host, "count", 7u64.data(), 2)]);
        assert_eq!(u64::rows(&columns.typed::<u64>("count").unwrap().data), Some(&[7, 7][..]));
        let wrong = columns.typed::<f32>("count").unwrap_err();
        assert_eq!(wrong.to_string(), "column `count` holds u64, not f32");
        assert!(matches!(columns.typed::<[u64; 2]>("count"), Err(Error::ColumnType { .. })));
        assert_eq!(columns.typed::<u64>("energy").unwrap_err().to_string(), "unknown column `energy`");
    }
}
