//! Chunks of columns, which rules read and write.

use std::cell::Cell;
use std::ops::Range;

use crate::agents::columns::column::Column;
use crate::agents::columns::data::{Data, type_name};
use crate::agents::parallel::{ChunkedColumn, for_each_chunk};

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

/// Writes the memory of rules back into a column, chunk by chunk. `number` is the column's position in each chunk. The
/// chunks of other ranks are empty.
pub(crate) fn write_back(column: &mut Column, number: usize, chunks: &mut [Vec<Cells>], rows: usize) {
    let count = chunks.len();
    macro_rules! write {
        ($($variant:ident)*) => {
            match &mut column.data {
                $(Data::$variant(data) => {
                    let parts = (ChunkedColumn(data, rows * column.width), ChunkedColumn(chunks, 1));
                    for_each_chunk(count, 16, parts, &|_, (data, cells)| {
                        if let Some(Cells::$variant(cells, _)) = cells.0[0].get(number) {
                            data.0.iter_mut().zip(cells).for_each(|(to, from)| *to = from.get());
                        }
                    });
                })*
            }
        };
    }
    write!(F32 U32 U64);
}

/// Panics with the type that a rule asked for and the type that it remembers.
#[cold]
pub(super) fn wrong_type<T>(cells: &Cells) -> ! {
    let (number, width) = match cells {
        Cells::F32(_, width) => ("f32", width),
        Cells::U32(_, width) => ("u32", width),
        Cells::U64(_, width) => ("u64", width),
    };
    panic!("a rule asked for {} where it remembers {}", std::any::type_name::<T>(), type_name(number, *width));
}
