//! Parquet files: columns of cells, written row group by row group and read back.

mod cells;
mod encode;
mod guard;
mod read;

pub(crate) use cells::{Cells, Kind, Layout, Numbers};
pub(crate) use encode::Groups;
pub(crate) use read::ParquetFile;
