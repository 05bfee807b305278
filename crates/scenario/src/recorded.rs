//! Start positions from a trajectory: the agents of a file at a tick.

use crate::definition::Scenario;
use crate::fields::{Fields, Reader};
use crate::reason::Reason;
use crate::start::Recorded;

/// The reason to refuse a trajectory in a program that reads none.
#[cfg(not(feature = "trajectories"))]
pub(crate) const WITHOUT: &str =
    "this program was built without trajectories: the feature `trajectories` of throng-scenario reads them";

/// Reads the agents of the file that the `place` of a species names: the agents of the species with this name, or all
/// if the file has no such species.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    place: &Fields<'d>,
    species: &str,
    scenario: &Scenario,
) -> Option<Vec<Recorded>> {
    let (file, tick) = (reader.text(place, "file"), reader.whole(place, "tick"));
    let entry = place.entry("file")?;
    let found = agents(&reader.document.beside(file?), tick, species, scenario.dimensions);
    let (agents, notes) =
        found.map_err(|reason| reader.refuse(place.path_of("file"), &entry.item, Reason::Trajectory(reason))).ok()?;
    #[cfg(feature = "trajectories")]
    for note in notes {
        reader.doubt(place.path_of("file"), note);
    }
    #[cfg(not(feature = "trajectories"))]
    drop(notes);
    Some(agents)
}

#[cfg(feature = "trajectories")]
fn agents(
    file: &std::path::Path,
    tick: Option<u64>,
    species: &str,
    dimensions: usize,
) -> Result<(Vec<Recorded>, Vec<String>), String> {
    use throng_formats::trajectory::{AgentRow, FrameOf, frame_of};

    use crate::recorded_rows::check_dimensions;

    let FrameOf { dimensions: found, rows, has_velocities, notes } =
        frame_of(file, tick, species).map_err(|error| error.to_string())?;
    let notes =
        check_dimensions(found, dimensions, notes).map_err(|reason| format!("{}: {reason}", file.to_string_lossy()))?;
    let velocity = |row: &AgentRow| has_velocities.then_some(row.velocity);
    let agents = rows.iter().map(|row| Recorded { position: row.position, velocity: velocity(row) }).collect();
    Ok((agents, notes))
}

#[cfg(not(feature = "trajectories"))]
fn agents(_: &std::path::Path, _: Option<u64>, _: &str, _: usize) -> Result<(Vec<Recorded>, Vec<String>), String> {
    Err(WITHOUT.to_owned())
}
