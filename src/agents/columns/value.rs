//! The types of column values, and their conversion from and to the numbers of a column.

#![allow(private_interfaces, reason = "the trait of column values is sealed: this module is private")]

use std::fmt;

use crate::agents::columns::cells::{Cells, wrong_type};
use crate::agents::columns::data::Data;

/// A type of column values: `f32`, `u32`, `u64`, or an array of one of these.
pub trait ColumnValue: Stored {}

impl<T: Stored> ColumnValue for T {}

pub trait Stored: Copy + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// Numbers per value.
    const WIDTH: usize;

    /// One row.
    #[doc(hidden)]
    fn data(self) -> Data;

    /// One row for each value.
    #[doc(hidden)]
    fn all(values: &[Self]) -> Data;

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
    fn get(cells: &Cells, row: usize) -> Self;

    /// Sets the value at a row of a chunk of a column.
    #[doc(hidden)]
    fn set(self, cells: &Cells, row: usize);
}

macro_rules! column_values {
    ($($number:ty, $variant:ident;)*) => {$(
        impl Stored for $number {
            const WIDTH: usize = 1;

            fn data(self) -> Data {
                Data::$variant(vec![self])
            }

            fn all(values: &[Self]) -> Data {
                Data::$variant(values.to_vec())
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

            fn all(values: &[Self]) -> Data {
                Data::$variant(values.as_flattened().to_vec())
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
                let numbers = &numbers[row * width..][..*width];
                let numbers: &[_; N] = numbers.try_into().unwrap_or_else(|_| wrong_type::<Self>(cells));
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
