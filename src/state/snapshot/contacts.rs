//! Contacts in a snapshot, and the removals that the next tick reports.

use crate::base::definition::Definition;
use crate::species::Contacts;
use crate::state::State;
use crate::state::contact::Contact;
use crate::state::snapshot::saved::section;
use crate::state::snapshot::{Reader, Saved, SnapshotError, Writer, saved};

saved!(struct Contact { agents, species });

section!(save, load { contacts, despawned });

/// Writes the section; nothing if no species reports contacts and no contact waits to be reported.
pub(crate) fn write<const D: usize>(to: &mut Writer<'_>, state: &State<D>) {
    let State { species, contacts, despawned, .. } = state;
    if contacts.is_empty() && despawned.is_empty() && species.iter().all(|species| species.contacts.is_none()) {
        return;
    }
    to.list(species.iter(), |to, species| species.contacts.save(to));
    save(state, to);
}

/// Reads the section into a state whose species have been read.
pub(crate) fn read<const D: usize>(from: &mut Reader<'_>, state: &mut State<D>) -> Result<(), SnapshotError> {
    if from.is_empty() {
        return Ok(());
    }
    let contacts = Vec::<Option<Contacts>>::load(from)?;
    for (species, contacts) in state.species.iter_mut().zip(contacts) {
        contacts.as_ref().map_or(Ok(()), Contacts::check_keys)?;
        species.contacts = contacts;
    }
    load(state, from)?;
    let of_contacts = state.contacts.iter().flat_map(|contact| contact.species);
    let mut species = of_contacts.chain(state.despawned.iter().map(|(_, species)| species.0));
    match species.find(|species| *species as usize >= state.species.len()) {
        Some(other) => Err(from.unknown("the number of a species", other)),
        None => Ok(()),
    }
}
