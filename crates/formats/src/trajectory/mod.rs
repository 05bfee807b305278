//! Trajectories: the positions of agents over time, frame by frame.
//!
//! A [`Heading`] has the values that a file has once, a [`Frame`] the agents at one time. An [`Encoder`] writes frames
//! in one of the [`TrajectoryFormat`]s to any writer, and [`Database`] to SQLite. [`TrajectoryReader`] reads them back,
//! and files of other programs too.

#[cfg(not(feature = "sqlite"))]
mod absent;
mod csv;
#[cfg(feature = "sqlite")]
mod database;
mod encoder;
mod frame;
mod frame_files;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod ply;
mod read;
mod text;
mod usd;
mod vtk;
mod walkable;

#[cfg(not(feature = "sqlite"))]
pub use absent::Database;
#[cfg(feature = "sqlite")]
pub use database::Database;
pub use encoder::Encoder;
pub use frame::{ColumnHeading, Frame, Heading, NumberKind, Numbers, SpeciesHeading, SpeciesRows, shortest};
pub use read::{AgentRow, FrameOf, TrajectoryError, TrajectoryReader, frame_of};
pub use walkable::{Walls, walkable_area};

use std::io;
use std::path::{Path, PathBuf};

use frame_files::FrameFiles;
use lines::LineEncoder;

/// A format of trajectories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrajectoryFormat {
    /// Typed columns.
    Parquet,
    /// JuPedSim's database of trajectories, version 2.
    Sqlite,
    /// The text of the pedestrian data archive, which PedPy reads.
    Text,
    /// A file of VTK for each frame, and a list of them.
    Vtk,
    /// Points of PLY: a file for each frame, and a list of them.
    Ply,
    /// Point instances of USD: a layer for each frame, and a stage of them.
    Usd,
    /// Comma-separated values.
    Csv,
}

impl TrajectoryFormat {
    /// All variants.
    pub const ALL: [Self; 7] = [Self::Parquet, Self::Sqlite, Self::Text, Self::Vtk, Self::Ply, Self::Usd, Self::Csv];

    /// The ending of its files, without a dot.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Sqlite => "sqlite",
            Self::Text => "txt",
            Self::Vtk => "vtp",
            Self::Ply => "ply",
            Self::Usd => "usda",
            Self::Csv => "csv",
        }
    }

    /// The format with the ending of this file, in upper or lower case.
    #[must_use]
    pub fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| format.ending().eq_ignore_ascii_case(ending))
    }

    /// The file that lists or holds the frames of a trajectory with this name: for VTK it ends in `.pvd`, for PLY in
    /// `.ply.series`.
    #[must_use]
    pub fn file(self, named: &Path) -> PathBuf {
        match self {
            Self::Vtk => named.with_extension("pvd"),
            Self::Ply => named.with_extension("ply.series"),
            _ => named.to_owned(),
        }
    }

    /// Whether its files have the colours and the radii of agents.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        matches!(self, Self::Ply | Self::Usd)
    }

    /// Why this build neither writes nor reads the format; `None` if it does.
    #[must_use]
    pub const fn missing(self) -> Option<&'static str> {
        match self {
            Self::Parquet if cfg!(not(feature = "parquet")) => Some(crate::NO_PARQUET),
            Self::Sqlite if cfg!(not(feature = "sqlite")) => Some(crate::NO_SQLITE),
            _ => None,
        }
    }

    /// An encoder for a file with this name, unless the format is a database.
    ///
    /// # Errors
    ///
    /// The errors of the format; [`Unsupported`](io::ErrorKind::Unsupported) if it is [`missing`](Self::missing).
    pub fn encoder(self, named: &Path, heading: &Heading) -> io::Result<Option<Box<dyn Encoder>>> {
        Ok(Some(match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => Box::new(parquet::Parquet::new(heading)?),
            #[cfg(not(feature = "parquet"))]
            Self::Parquet => return Err(io::Error::new(io::ErrorKind::Unsupported, crate::NO_PARQUET)),
            Self::Sqlite => return Ok(None),
            Self::Text => Box::new(LineEncoder::new(text::Text::new(heading))),
            Self::Vtk => Box::new(FrameFiles::new(named, vtk::Vtk(heading.clone()))),
            Self::Ply => Box::new(FrameFiles::new(named, ply::Ply(heading.clone()))),
            Self::Usd => Box::new(FrameFiles::new(named, usd::Usd::new(heading.clone()))),
            Self::Csv => Box::new(LineEncoder::new(csv::Csv::new(heading))),
        }))
    }
}
