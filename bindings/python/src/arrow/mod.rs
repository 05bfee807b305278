//! Columns as Arrow streams and batches (the Arrow C data interface in `PyCapsule`s), which polars, pyarrow, duckdb and
//! others read.

mod array;
mod schema;
mod stream;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use throng::columns::{ColumnSlice, ColumnView};

use crate::shared::Lease;

/// A column of a stream.
#[derive(Debug)]
pub(crate) struct Source {
    name: String,
    /// Numbers per row.
    width: usize,
    /// The number of numbers.
    len: usize,
    /// The format of the numbers in Arrow's notation.
    format: &'static str,
    memory: Memory,
}

/// The memory of a column.
#[derive(Debug)]
enum Memory {
    /// Numbers of the stream itself.
    Owned(Numbers),
    /// Numbers in a world, which stay in place while the lease lives.
    Leased(*const std::ffi::c_void, #[expect(dead_code, reason = "its end is what matters")] Lease),
}

// SAFETY: the pointer is to numbers that nothing writes while the lease lives, so that any thread may read them.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

/// Numbers of one type.
#[derive(Clone, Debug)]
pub(crate) enum Numbers {
    F64(Vec<f64>),
    F32(Vec<f32>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

impl Numbers {
    /// A copy of a column's numbers.
    pub(crate) fn copied(numbers: ColumnSlice<'_>) -> Self {
        match numbers {
            ColumnSlice::F32(numbers) => Self::F32(numbers.to_vec()),
            ColumnSlice::U32(numbers) => Self::U32(numbers.to_vec()),
            ColumnSlice::U64(numbers) => Self::U64(numbers.to_vec()),
            _ => Self::U64(Vec::new()),
        }
    }

    fn parts(&self) -> (usize, &'static str, *const std::ffi::c_void) {
        match self {
            Self::F64(numbers) => (numbers.len(), "g", numbers.as_ptr().cast()),
            Self::F32(numbers) => (numbers.len(), "f", numbers.as_ptr().cast()),
            Self::U32(numbers) => (numbers.len(), "I", numbers.as_ptr().cast()),
            Self::U64(numbers) => (numbers.len(), "L", numbers.as_ptr().cast()),
        }
    }
}

impl Source {
    /// A column with numbers of its own, `width` per row.
    pub(crate) fn owned(name: impl Into<String>, width: usize, numbers: Numbers) -> Self {
        let (len, format, _) = numbers.parts();
        Self { name: name.into(), width, len, format, memory: Memory::Owned(numbers) }
    }

    /// A column in a world. `lease` is a lease of that world.
    pub(crate) fn leased(column: &ColumnView<'_>, lease: Lease) -> Self {
        let (len, format, memory) = match column.numbers {
            ColumnSlice::F32(numbers) => (numbers.len(), "f", numbers.as_ptr().cast()),
            ColumnSlice::U32(numbers) => (numbers.len(), "I", numbers.as_ptr().cast()),
            ColumnSlice::U64(numbers) => (numbers.len(), "L", numbers.as_ptr().cast()),
            _ => return Self::owned(column.name, column.width, Numbers::copied(column.numbers)),
        };
        let (name, width, memory) = (column.name.to_owned(), column.width, Memory::Leased(memory, lease));
        Self { name, width, len, format, memory }
    }

    /// The name and the type of the column.
    fn without_rows(&self) -> Self {
        let memory = Memory::Owned(Numbers::U64(Vec::new()));
        Self { name: self.name.clone(), len: 0, memory, width: self.width, format: self.format }
    }

    fn rows(&self) -> usize {
        self.len / self.width
    }

    fn address(&self) -> *const std::ffi::c_void {
        match &self.memory {
            Memory::Owned(numbers) => numbers.parts().2,
            Memory::Leased(address, _) => *address,
        }
    }
}

/// A stream of one batch with these columns, in the capsule that the protocol demands.
pub(crate) fn stream(py: Python<'_>, columns: Vec<Source>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream::Stream::new(columns), c"arrow_array_stream")
}

/// One batch with these columns: its type and its memory, in the capsules that the protocol demands.
pub(crate) fn batch<'py>(
    py: Python<'py>,
    columns: Vec<Source>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let types = PyCapsule::new_with_value(py, schema::Schema::batch(&columns), c"arrow_schema")?;
    Ok((types, PyCapsule::new_with_value(py, array::Array::batch(columns), c"arrow_array")?))
}
