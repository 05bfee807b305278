//! Contacts: reports bodies that have come near each other, and those that no longer are.

use fearless_simd::Level;

use crate::agents::events::Event;
use crate::agents::parallel::ChunkedColumn;
use crate::derived::indices::Indices;
use crate::derived::plans::Plans;
use crate::index::search::{Among, FoundAgent, Search};
use crate::kernels::CHUNK;
use crate::ranks::Part;
use crate::state::State;
use crate::state::contact::Contact;

/// Buffers of the search.
#[derive(Debug, Default)]
pub(super) struct ContactBuffers {
    /// For each chunk of a species, the bodies that its agents found, and their contacts.
    chunks: Vec<(Vec<FoundAgent>, Vec<Contact>)>,
    all: Vec<Contact>,
}

/// Compares the contacts of all agents with the contacts of the last tick, in the order of ids.
pub(super) fn report<const D: usize>(
    state: &mut State<D>,
    plans: &Plans<D>,
    indices: &mut Indices<D>,
    part: &Part,
    buffers: &mut ContactBuffers,
    level: Level,
    events: &mut Vec<Event>,
) {
    if state.contacts.is_empty() && state.species.iter().all(|species| species.contacts.is_none()) {
        return;
    }
    // Indices of earlier searches of this tick have the positions before agents moved.
    indices.forget_searches();
    buffers.all.clear();
    for number in 0..state.species.len() {
        find(state, plans, indices, part, level, number, buffers);
    }
    let all = &mut buffers.all;
    all.sort_unstable();
    all.dedup();
    let (mut old, mut new) = (state.contacts.iter().copied().peekable(), all.iter().copied().peekable());
    // A change of species is neither a touch nor a parting, so only agents are compared.
    let of = |contact: Option<&Contact>| contact.map(|contact| contact.agents);
    while old.peek().is_some() || new.peek().is_some() {
        match (of(old.peek()), of(new.peek())) {
            (Some(before), Some(now)) if before == now => _ = (old.next(), new.next()),
            (Some(before), now) if now.is_none_or(|now| before < now) => {
                events.extend(old.next().map(Contact::parted));
            }
            _ => events.extend(new.next().map(Contact::touched)),
        }
    }
    std::mem::swap(&mut state.contacts, all);
}

/// Adds the contacts that the agents of one species report.
fn find<const D: usize>(
    state: &State<D>,
    plans: &Plans<D>,
    indices: &Indices<D>,
    part: &Part,
    level: Level,
    number: usize,
    buffers: &mut ContactBuffers,
) {
    let Some(perceived) = plans.names().get(number).and_then(|names| names.contacts.as_ref()) else { return };
    let Some(distance) = state.species[number].contacts.as_ref().map(|contacts| contacts.distance) else { return };
    let (agents, period) = (&state.agents[number], state.settings.period());
    let among = Among { species: &perceived.numbers, states: &perceived.states, ..indices.everyone(state, level) };
    let others = perceived.numbers.iter().map(|&other| &state.agents[other as usize]);
    let widest = others.map(|other| other.body.radius.largest(0..other.len()));
    let widest = widest.fold(0.0, |widest, radius| if radius > widest { radius } else { widest });
    buffers.chunks.resize_with(agents.chunks(), Default::default);
    part.moves(agents).for_each(1, ChunkedColumn(&mut buffers.chunks, 1), &|chunk, buffers| {
        let (found, contacts) = &mut buffers.0[0];
        contacts.clear();
        for row in (chunk * CHUNK..agents.len()).take(CHUNK) {
            let reach = agents.radius(row) + distance;
            let search =
                Search { point: agents.position(row), radius: reach + widest, period, by: Some((agents.species, row)) };
            search.all(among, found);
            for found in &*found {
                let (other, their_row) = (&state.agents[found.species as usize], found.row as usize);
                let reach = reach + other.radius(their_row);
                if found.squared() <= reach * reach {
                    contacts.push(Contact::new((agents.id[row], agents.species), (other.id[their_row], other.species)));
                }
            }
        }
    });
    buffers.chunks.iter().for_each(|(_, contacts)| buffers.all.extend_from_slice(contacts));
}
