//! The columns of a species that Python sees by name.

use throng::columns::{ColumnSlice, ColumnView};
use throng::{AnyWorld, Error, SpeciesId};

/// The names of positions and velocities, per axis.
const AXES: [[&str; 3]; 2] = [["x", "y", "z"], ["vx", "vy", "vz"]];

/// The columns that live in the world: positions and velocities per axis, then variables and the host's columns. A name
/// occurs once: an axis hides a column of its name.
pub(crate) fn all(world: &AnyWorld, species: SpeciesId) -> Result<Vec<ColumnView<'_>>, Error> {
    let vectors = [world.positions(species)?, world.velocities(species)?];
    let axes = AXES.iter().zip(vectors).flat_map(|(names, axes)| {
        names.iter().zip(axes).map(|(name, axis)| ColumnView { name, width: 1, numbers: ColumnSlice::F32(axis) })
    });
    let mut all: Vec<ColumnView<'_>> = axes.collect();
    for column in world.columns(species)? {
        if all.iter().all(|other| other.name != column.name) {
            all.push(column);
        }
    }
    Ok(all)
}

/// The column with this name.
pub(crate) fn named<'w>(world: &'w AnyWorld, species: SpeciesId, name: &str) -> Result<ColumnView<'w>, Error> {
    let found = all(world, species)?.into_iter().find(|column| column.name == name);
    found.ok_or_else(|| Error::NoSuchColumn(name.to_owned()))
}
