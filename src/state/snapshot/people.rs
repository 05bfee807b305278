//! Sources, sinks, zones, tracks, lifts and links in a snapshot, and the tally of removals.

use crate::agents::columns::Owner;
use crate::base::values::Kind;
use crate::environment::Environment;
use crate::species::MAX_SPEED;
use crate::species::tables::QUANTITIES;
use crate::state::State;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::saved::section;
use crate::state::snapshot::{Reader, Saved, SnapshotError, Writer, saved};
use crate::state::tally::Tally;

saved!(struct Tally { removed });

section!(save, load { environment.sources, environment.sinks, environment.zones, tally });

/// Writes the section; nothing if the world never had a source, a sink, a zone, tracks, a lift or a link, nor
/// removed an agent. Tracks, lifts and then links are its last parts, which worlds that never had any lack.
pub(crate) fn write<const D: usize>(to: &mut Writer<'_>, state: &State<D>) {
    let Environment { sources, sinks, zones, tracks, lifts, links, .. } = &state.environment;
    let last = [tracks.is_new(), lifts.is_new(), links.is_new()];
    let has_from = |part: usize| last[part..].contains(&false);
    let is_new = sources.is_new() && sinks.is_new() && zones.is_new() && !has_from(0);
    if !(is_new && state.tally == Tally::default()) {
        save(state, to);
    }
    if has_from(0) {
        tracks.save(to);
    }
    if has_from(1) {
        lifts.save(to);
    }
    if has_from(2) {
        links.save(to);
    }
}

/// Reads the section into a state whose agents and regions have been read.
pub(crate) fn read<const D: usize>(from: &mut Reader<'_>, state: &mut State<D>) -> Result<(), SnapshotError> {
    if !from.is_empty() {
        load(state, from)?;
        if !from.is_empty() {
            state.environment.tracks = Saved::load(from)?;
        }
        if !from.is_empty() {
            state.environment.lifts = Saved::load(from)?;
        }
        if !from.is_empty() {
            state.environment.links = Saved::load(from)?;
        }
        state.zoned = state.environment.limits_speeds();
        check_free_speeds(state)?;
    }
    for number in 0..state.species.len() {
        // The set of columns follows from definitions and regions.
        let layout = |state: &State<D>| {
            let columns = state.agents[number].columns.0.iter();
            columns.map(|column| (column.owner, column.name.clone(), column.type_name())).collect::<Vec<_>>()
        };
        let before = layout(state);
        state.conform(number);
        if layout(state) != before {
            return Err(from.invalid(SnapshotFault::Columns { species: state.species[number].name.clone() }));
        }
    }
    Ok(())
}

/// Checks the largest speeds of agents outside of zones.
fn check_free_speeds<const D: usize>(state: &State<D>) -> Result<(), SnapshotError> {
    let table = &QUANTITIES[MAX_SPEED];
    let Kind::Number(range) = table.kind else { return Ok(()) };
    let mut speeds =
        state.agents.iter().flat_map(|agents| agents.columns.values::<f32>(Owner::FreeSpeed).unwrap_or_default());
    match speeds.find(|speed| !range.contains(f64::from(**speed))) {
        Some(&speed) => Err(table.refuse(&speed.into()).into()),
        None => Ok(()),
    }
}
