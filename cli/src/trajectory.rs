//! Where was everybody? Positions and velocities as a table of text, one row per agent and tick.

use std::io::Write;

use throng::World;

use crate::failure::Failure;
use crate::results::{Draft, Folder, TRAJECTORY};

/// The heading of a trajectory in so many dimensions.
pub(crate) fn columns(dimensions: usize) -> String {
    let axes = &["x", "y", "z"][..dimensions];
    let velocities = axes.iter().map(|axis| format!("v{axis}"));
    let columns: Vec<String> = axes.iter().map(ToString::to_string).chain(velocities).collect();
    format!("tick,id,species,{}", columns.join(","))
}

/// A trajectory that is being written.
#[derive(Debug)]
pub(crate) struct Trajectory {
    draft: Draft,
    every: u64,
}

impl Trajectory {
    /// Starts a trajectory with one tick out of `every`, with its heading.
    pub(crate) fn start<const D: usize>(folder: &mut Folder, every: u64) -> Result<Self, Failure> {
        let mut draft = folder.start(TRAJECTORY)?;
        draft.write(|file| writeln!(file, "{}", columns(D)))?;
        Ok(Self { draft, every })
    }

    /// Writes the world, if it is at one of the ticks. Numbers are as short as they can be and still give the same
    /// bits when they are read.
    pub(crate) fn write<const D: usize>(&mut self, world: &World<D>) -> Result<(), Failure> {
        if !world.tick().is_multiple_of(self.every) {
            return Ok(());
        }
        let tick = world.tick();
        self.draft.write(|file| {
            for agents in world.species_ids().filter_map(|id| world.agents(id).ok()) {
                for (row, id) in agents.ids().iter().enumerate() {
                    write!(file, "{tick},{id},{}", agents.name())?;
                    for component in agents.position(row).0.iter().chain(&agents.velocity(row).0) {
                        write!(file, ",{component}")?;
                    }
                    writeln!(file)?;
                }
            }
            Ok(())
        })
    }

    /// Gives the file its name.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        self.draft.keep()
    }
}
