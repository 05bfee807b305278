//! The views of columns that hosts get.

use crate::agents::columns::data::type_name;

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
    /// Numbers of type `f32`.
    F32(&'a [f32]),
    /// Numbers of type `u32`.
    U32(&'a [u32]),
    /// Numbers of type `u64`.
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
