//! Trajectory files: positions and velocities as CSV, one row per agent and tick.

use std::io::Write;

use throng::AnyWorld;

use crate::failure::Failure;
use crate::results::{Draft, Folder, TRAJECTORY};

/// The header line of a trajectory with this number of dimensions.
pub(crate) fn columns(dimensions: usize) -> String {
    let axes = &["x", "y", "z"][..dimensions];
    let velocities = axes.iter().map(|axis| format!("v{axis}"));
    let columns: Vec<String> = axes.iter().map(ToString::to_string).chain(velocities).collect();
    format!("tick,id,species,{}", columns.join(","))
}

/// A trajectory in progress.
#[derive(Debug)]
pub(crate) struct Trajectory {
    draft: Draft,
    every: u64,
}

impl Trajectory {
    /// Starts a trajectory of every `every`-th tick, and writes its header line.
    pub(crate) fn start(folder: &mut Folder, every: u64, dimensions: usize) -> Result<Self, Failure> {
        let mut draft = folder.start(TRAJECTORY)?;
        draft.write(|file| writeln!(file, "{}", columns(dimensions)))?;
        Ok(Self { draft, every })
    }

    /// Writes the world if its tick is one to write. Numbers have the fewest digits that give the same bits when read
    /// back.
    pub(crate) fn write(&mut self, world: &AnyWorld) -> Result<(), Failure> {
        if !world.tick().is_multiple_of(self.every) {
            return Ok(());
        }
        let tick = world.tick();
        self.draft.write(|file| {
            for (species, name, _) in world.species() {
                let columns = (world.ids(species), world.positions(species), world.velocities(species));
                let (Ok(ids), Ok(positions), Ok(velocities)) = columns else { continue };
                for (row, id) in ids.iter().enumerate() {
                    write!(file, "{tick},{id},{name}")?;
                    for column in positions.iter().chain(&velocities) {
                        write!(file, ",{}", column[row])?;
                    }
                    writeln!(file)?;
                }
            }
            Ok(())
        })
    }

    /// Gives the file its final name.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        self.draft.keep()
    }
}
