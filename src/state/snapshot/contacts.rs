//! Encoding and decoding of contacts, and of the removals that the next tick reports.

use crate::base::ids::{AgentId, SpeciesId};
use crate::species::Contacts;
use crate::state::State;
use crate::state::contact::Contact;
use crate::state::snapshot::definitions::{read_filter, write_filter};
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::Reader;
use crate::state::snapshot::writer::Writer;

/// Returns whether a species reports contacts, or anything is to be reported.
pub(crate) fn exist<const D: usize>(state: &State<D>) -> bool {
    let State { species, contacts, despawned, .. } = state;
    !(contacts.is_empty() && despawned.is_empty() && species.iter().all(|species| species.contacts.is_none()))
}

pub(crate) fn write<const D: usize>(to: &mut Writer<'_>, state: &State<D>) {
    to.list(state.species.iter(), |to, species| {
        to.flag(species.contacts.is_some());
        if let Some(Contacts { filter, distance }) = &species.contacts {
            write_filter(to, filter);
            to.f32(*distance);
        }
    });
    to.list(state.contacts.iter(), |to, Contact { agents, species }| {
        agents.iter().for_each(|agent| to.u64(agent.to_bits()));
        species.iter().for_each(|species| to.u32(*species));
    });
    to.list(state.despawned.iter(), |to, (agent, species)| {
        to.u64(agent.to_bits());
        to.u32(species.0);
    });
}

/// Reads the section into a state whose species have been read.
pub(crate) fn read<const D: usize>(from: &mut Reader<'_>, state: &mut State<D>) -> Result<(), SnapshotError> {
    if from.is_empty() {
        return Ok(());
    }
    let contacts = from.list(|from| {
        Ok(if from.flag()? { Some(Contacts { filter: read_filter(from)?, distance: from.f32()? }) } else { None })
    })?;
    for (species, contacts) in state.species.iter_mut().zip(contacts) {
        if let Some(contacts) = &contacts {
            contacts.check()?;
        }
        species.contacts = contacts;
    }
    let count = state.species.len() as u32;
    let species = |from: &mut Reader<'_>| match from.u32()? {
        known if known < count => Ok(known),
        other => Err(from.unknown("the number of a species", other)),
    };
    state.contacts = from.list(|from| {
        let agents = [AgentId::from_bits(from.u64()?), AgentId::from_bits(from.u64()?)];
        Ok(Contact { agents, species: [species(from)?, species(from)?] })
    })?;
    state.despawned = from.list(|from| Ok((AgentId::from_bits(from.u64()?), SpeciesId(species(from)?))))?;
    Ok(())
}
