//! Trajectory files: positions, velocities, states and columns as CSV, one row per agent and tick.

use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use throng::columns::ColumnSlice;
use throng::scenario::Output;
use throng::{AnyWorld, Error, SpeciesId};

use crate::atomic_file::AtomicFile;
use crate::checkpoint::Resumable;
use crate::failure::Failure;
use crate::origin::seconds;
use crate::output::shortest;
use crate::results::{Folder, TRAJECTORY};
use crate::summed::Extent;
use crate::unwrapped::Unwrapped;

/// The header fields that all trajectories with this number of dimensions share.
pub(crate) fn heading(dimensions: usize) -> String {
    let axes = &["x", "y", "z"][..dimensions];
    let velocities = axes.iter().map(|axis| format!("v{axis}"));
    let columns: Vec<String> = axes.iter().map(ToString::to_string).chain(velocities).collect();
    format!("tick,id,species,{}", columns.join(","))
}

/// A trajectory in progress.
#[derive(Debug)]
pub(crate) struct Trajectory {
    file: AtomicFile,
    every: u64,
    unwrapped: Option<Unwrapped>,
    /// Whether any species has states.
    states: bool,
    /// The columns of all species: names and widths.
    columns: Vec<(String, usize)>,
}

/// What a checkpoint holds of a trajectory.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TrajectoryState {
    pub(crate) extent: Extent,
    unwrapped: Option<Unwrapped>,
}

impl Resumable for Trajectory {
    type State = TrajectoryState;

    fn mark(&mut self) -> Result<TrajectoryState, Failure> {
        Ok(TrajectoryState { extent: self.file.mark()?, unwrapped: self.unwrapped.clone() })
    }
}

impl Trajectory {
    /// Starts the trajectory that a scenario asks for, if it does, and writes its header line.
    pub(crate) fn start(folder: &mut Folder, output: &Output, world: &AnyWorld) -> Result<Option<Self>, Failure> {
        let Some(every) = output.trajectory_every else { return Ok(None) };
        let (states, columns) = layout(world);
        let state = if states { ",state" } else { "" };
        let named = |(name, width): &(String, usize)| match width {
            1 => format!(",{name}"),
            width => (0..*width).map(|number| format!(",{name}.{number}")).collect(),
        };
        let named: String = columns.iter().map(named).collect();
        let mut file = folder.start(TRAJECTORY)?;
        let axes = ["x", "y", "z"].iter().take(world.dimensions());
        let unwrapped: String = axes.map(|axis| format!(",{axis}_unwrapped")).collect();
        let unwrapped = if output.trajectory_unwrapped { unwrapped } else { String::new() };
        let heading = heading(world.dimensions());
        file.write(|file| writeln!(file, "{heading},time{unwrapped}{state}{named}"))?;
        let unwrapped = output.trajectory_unwrapped.then(Unwrapped::default);
        Ok(Some(Self { file, every, unwrapped, states, columns }))
    }

    /// Goes on with the trajectory of a run.
    pub(crate) fn resume(
        folder: &mut Folder,
        output: &Output,
        world: &AnyWorld,
        state: TrajectoryState,
    ) -> Result<Option<Self>, Failure> {
        let Some(every) = output.trajectory_every else { return Ok(None) };
        let (states, columns) = layout(world);
        let file = folder.resume(TRAJECTORY, state.extent)?;
        Ok(Some(Self { file, every, unwrapped: state.unwrapped, states, columns }))
    }

    /// The interval between frames, and their rate per simulated second.
    pub(crate) fn json(&self, world: &AnyWorld) -> Value {
        let rate = 1.0 / (shortest(world.settings().tick_seconds) * self.every as f64);
        json!({ "every": self.every, "frame_rate": rate, "unwrapped": self.unwrapped.is_some() })
    }

    /// Observes the world at every tick, and writes it if the tick is due. Numbers have the fewest digits from which the same bits are read back.
    pub(crate) fn write(&mut self, world: &AnyWorld) -> Result<(), Failure> {
        if let Some(unwrapped) = &mut self.unwrapped {
            unwrapped.observe(world);
        }
        if !world.tick().is_multiple_of(self.every) {
            return Ok(());
        }
        let Self { file, unwrapped, states, columns, .. } = self;
        file.write(|file| {
            for (species, name, _) in world.species() {
                if let Ok(rows) = SpeciesRows::new(world, (species, name), columns) {
                    rows.write(file, unwrapped.as_ref(), *states)?;
                }
            }
            Ok(())
        })
    }

    /// Gives the file its final name.
    pub(crate) fn keep(self) -> Result<Extent, Failure> {
        self.file.complete()
    }
}

/// Whether any species has states, and the columns of all species: names and widths.
fn layout(world: &AnyWorld) -> (bool, Vec<(String, usize)>) {
    let mut columns: Vec<(String, usize)> = Vec::new();
    let mut states = false;
    for (species, ..) in world.species() {
        states |= world.states(species).is_ok_and(|states| !states.is_empty());
        for column in world.columns(species).unwrap_or_default() {
            match columns.iter_mut().find(|(name, _)| name == column.name) {
                Some((_, width)) if *width < column.width => *width = column.width,
                Some(_) => {}
                None => columns.push((column.name.to_owned(), column.width)),
            }
        }
    }
    (states, columns)
}

/// The agents of one species, as rows of a trajectory.
struct SpeciesRows<'w> {
    world: &'w AnyWorld,
    species: SpeciesId,
    name: &'w str,
    states: Vec<&'w str>,
    /// Positions and velocities.
    motion: Vec<&'w [f32]>,
    /// For each column of the file: its width there, and the numbers and the width of the species' column if it has one.
    columns: Vec<(usize, Option<(ColumnSlice<'w>, usize)>)>,
}

impl<'w> SpeciesRows<'w> {
    fn new(
        world: &'w AnyWorld,
        (species, name): (SpeciesId, &'w str),
        columns: &[(String, usize)],
    ) -> Result<Self, Error> {
        let own = world.columns(species)?;
        let found = |(name, width): &(String, usize)| {
            let column = own.iter().find(|column| column.name == name);
            (*width, column.map(|column| (column.numbers, column.width)))
        };
        let motion = [world.positions(species)?, world.velocities(species)?].concat();
        let columns = columns.iter().map(found).collect();
        Ok(Self { world, species, name, states: world.states(species)?, motion, columns })
    }

    fn write(&self, file: &mut impl Write, unwrapped: Option<&Unwrapped>, states: bool) -> std::io::Result<()> {
        let time = seconds(self.world);
        let ids = self.world.ids(self.species).unwrap_or_default();
        for (row, id) in ids.iter().enumerate() {
            write!(file, "{},{id},{}", self.world.tick(), self.name)?;
            for column in &self.motion {
                write!(file, ",{}", column[row])?;
            }
            write!(file, ",{time}")?;
            for axis in 0..self.motion.len() / 2 {
                if let Some(unwrapped) = unwrapped {
                    let position = unwrapped.position(self.world, *id, axis);
                    write!(file, ",{}", position.unwrap_or(f64::NAN))?;
                }
            }
            if states {
                let number = self.world.state(self.species, row).unwrap_or(0);
                write!(file, ",{}", self.states.get(number).unwrap_or(&""))?;
            }
            for (width, column) in &self.columns {
                for place in 0..*width {
                    write!(file, ",")?;
                    match column.filter(|(_, own)| place < *own) {
                        Some((ColumnSlice::F32(numbers), own)) => write!(file, "{}", numbers[row * own + place])?,
                        Some((ColumnSlice::U32(numbers), own)) => write!(file, "{}", numbers[row * own + place])?,
                        Some((ColumnSlice::U64(numbers), own)) => write!(file, "{}", numbers[row * own + place])?,
                        _ => {}
                    }
                }
            }
            writeln!(file)?;
        }
        Ok(())
    }
}
