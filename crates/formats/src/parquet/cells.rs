//! Columns of a Parquet file: their names, kinds and cells.

use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::errors::Result;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor, Type};

/// The kind of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    I64,
    U32,
    U64,
    F32,
    F64,
    Text,
}

/// The name and the kind of a column.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whether cells may be empty.
    pub(crate) optional: bool,
    /// Whether cells are stored as differences from the last one: numbers that count up, or change little.
    pub(crate) delta: bool,
    /// Whether most cells are equal to others.
    pub(crate) repeats: bool,
}

impl Layout {
    pub(crate) fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind, optional: false, delta: false, repeats: kind == Kind::Text }
    }

    pub(crate) fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    pub(crate) fn delta(self) -> Self {
        Self { delta: true, ..self }
    }

    pub(crate) fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }
}

/// The cells of a column. Cells of an optional column have no entry among the numbers where they are empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) numbers: Numbers,
    /// For each cell of an optional column whether it is filled: 1, or 0.
    pub(crate) filled: Vec<i16>,
}

/// Cells of one kind.
#[derive(Clone, Debug)]
pub(crate) enum Numbers {
    /// Also for whole numbers without sign, with the same bits.
    I64(Vec<i64>),
    /// 32 bits without sign, as the bits of a number with one.
    I32(Vec<i32>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Text(Vec<Arc<str>>),
}

impl Default for Numbers {
    fn default() -> Self {
        Self::I64(Vec::new())
    }
}

impl Cells {
    /// No cells, for a column of this kind.
    pub(crate) fn new(kind: Kind) -> Self {
        let numbers = match kind {
            Kind::I64 | Kind::U64 => Numbers::I64(Vec::new()),
            Kind::U32 => Numbers::I32(Vec::new()),
            Kind::F32 => Numbers::F32(Vec::new()),
            Kind::F64 => Numbers::F64(Vec::new()),
            Kind::Text => Numbers::Text(Vec::new()),
        };
        Self { numbers, filled: Vec::new() }
    }

    /// Removes all cells, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.filled.clear();
        match &mut self.numbers {
            Numbers::I64(numbers) => numbers.clear(),
            Numbers::I32(numbers) => numbers.clear(),
            Numbers::F32(numbers) => numbers.clear(),
            Numbers::F64(numbers) => numbers.clear(),
            Numbers::Text(texts) => texts.clear(),
        }
    }

    /// Adds this number of empty cells to an optional column.
    pub(crate) fn skip(&mut self, count: usize) {
        self.filled.resize(self.filled.len() + count, 0);
    }

    /// Notes that this number of cells of an optional column were added.
    pub(crate) fn fill(&mut self, count: usize) {
        self.filled.resize(self.filled.len() + count, 1);
    }

    pub(crate) fn i64s(&mut self) -> Option<&mut Vec<i64>> {
        if let Numbers::I64(numbers) = &mut self.numbers { Some(numbers) } else { None }
    }

    pub(crate) fn f32s(&mut self) -> Option<&mut Vec<f32>> {
        if let Numbers::F32(numbers) = &mut self.numbers { Some(numbers) } else { None }
    }

    pub(crate) fn f64s(&mut self) -> Option<&mut Vec<f64>> {
        if let Numbers::F64(numbers) = &mut self.numbers { Some(numbers) } else { None }
    }

    pub(crate) fn texts(&mut self) -> Option<&mut Vec<Arc<str>>> {
        if let Numbers::Text(texts) = &mut self.numbers { Some(texts) } else { None }
    }
}

/// The schema of a file with these columns.
pub(crate) fn schema(columns: &[Layout]) -> Result<SchemaDescPtr> {
    let field = |column: &Layout| {
        let whole = |bit_width| Some(LogicalType::integer(bit_width, false));
        let (physical, logical) = match column.kind {
            Kind::I64 => (Physical::INT64, None),
            Kind::U64 => (Physical::INT64, whole(64)),
            Kind::U32 => (Physical::INT32, whole(32)),
            Kind::F32 => (Physical::FLOAT, None),
            Kind::F64 => (Physical::DOUBLE, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let builder = Type::primitive_type_builder(&column.name, physical).with_repetition(repetition);
        let builder = builder.with_converted_type(ConvertedType::NONE).with_logical_type(logical);
        builder.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>>>()?;
    let root = Type::group_type_builder("schema").with_fields(fields).build()?;
    Ok(Arc::new(SchemaDescriptor::new(Arc::new(root))))
}
