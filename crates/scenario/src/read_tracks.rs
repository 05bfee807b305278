//! Reading of the recorded tracks of a scenario.

use std::sync::Arc;

use crate::definition::Scenario;
use crate::document::Node;
use crate::fields::{Fields, Reader};
use crate::place;
use crate::reason::Reason;
use crate::start::StartRegion;
use crate::tracks::{TracksOfFile, TracksSpec};

/// Reads the tracks from the file's outermost table.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) -> Vec<TracksSpec> {
    let species: Vec<&str> = match root.entry("species").map(|entry| &entry.item.node) {
        Some(Node::Table(table)) => table.iter().map(|entry| &entry.key[..]).collect(),
        _ => Vec::new(),
    };
    let mut all: Vec<TracksSpec> = Vec::new();
    for fields in &reader.tables(root, "tracks") {
        let species = reader.reference(fields, "species", &species);
        let name = reader.name(fields, "name");
        let Some((species, name)) = species.map(|species| (species, name.unwrap_or(species))) else { continue };
        if all.iter().any(|other| other.name == name) {
            let entry = fields.entry("name").or(fields.entry("species"));
            reader.note(
                entry.map_or(fields.at, |entry| entry.at),
                fields.path_of("name"),
                None,
                Reason::NameTaken("tracks"),
            );
        }
        let file = read_file(reader, fields, species, scenario);
        let (name, species) = (name.to_owned(), species.to_owned());
        all.extend(file.map(|file| TracksSpec { name, species, file: Arc::new(file) }));
    }
    all
}

/// Reads the file of tracks.
fn read_file<'d>(
    reader: &mut Reader<'d>,
    fields: &Fields<'d>,
    species: &str,
    scenario: &Scenario,
) -> Option<TracksOfFile> {
    let file = reader.text(fields, "file");
    let (from, frame_seconds) = (reader.whole(fields, "from"), reader.number(fields, "frame_seconds"));
    let (file, entry) = (file?, fields.entry("file")?);
    let path = reader.document.beside(file);
    let found = tracks_of(&path, (species, from, frame_seconds), scenario);
    let (tracks, notes) =
        found.map_err(|reason| reader.refuse(fields.path_of("file"), &entry.item, Reason::Trajectory(reason))).ok()?;
    #[cfg(feature = "trajectories")]
    for note in notes {
        reader.doubt(fields.path_of("file"), note);
    }
    #[cfg(not(feature = "trajectories"))]
    drop(notes);
    let world = scenario.size.as_ref()?;
    let outside = |position: &[f32; 3]| {
        let at = StartRegion::Box(position[..world.len()].to_vec(), vec![0.0; world.len()]);
        place::outside(&at, world, &scenario.edge)
    };
    if let Some(reason) = tracks.tracks.iter().flat_map(|(_, positions)| positions).find_map(outside) {
        reader.note(entry.at, fields.path_of("file"), None, reason);
    }
    Some(tracks)
}

/// The species, the first frame, and the time between frames.
type Wanted<'w> = (&'w str, Option<u64>, Option<f32>);

#[cfg(feature = "trajectories")]
fn tracks_of(
    file: &std::path::Path,
    wanted: Wanted<'_>,
    scenario: &Scenario,
) -> Result<(TracksOfFile, Vec<String>), String> {
    match scenario.dimensions {
        3 => tracks_in::<3>(file, wanted, scenario),
        _ => tracks_in::<2>(file, wanted, scenario),
    }
}

#[cfg(feature = "trajectories")]
fn tracks_in<const D: usize>(
    file: &std::path::Path,
    (species, from, frame_seconds): Wanted<'_>,
    scenario: &Scenario,
) -> Result<(TracksOfFile, Vec<String>), String> {
    use crate::trajectories::{RecordedTracks, TrackOptions};

    let Some(settings) = scenario.settings::<D>() else { return Ok(Default::default()) };
    let options = TrackOptions { species: Some(species), from, frame_seconds };
    let RecordedTracks { frame_seconds, tracks, notes, .. } = RecordedTracks::read(file, &settings, options)?;
    let of = |position: throng::Vector<D>| std::array::from_fn(|axis| position.0.get(axis).copied().unwrap_or(0.0));
    let tracks = tracks.into_iter().map(|track| (track.first, track.positions.into_iter().map(of).collect()));
    Ok((TracksOfFile { frame_seconds, tracks: tracks.collect() }, notes))
}

#[cfg(not(feature = "trajectories"))]
fn tracks_of(_: &std::path::Path, _: Wanted<'_>, _: &Scenario) -> Result<(TracksOfFile, Vec<String>), String> {
    Err(crate::recorded::WITHOUT.to_owned())
}
