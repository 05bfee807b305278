//! Regions: which agents came into one, and which went out of one.

use crate::agents::Agents;
use crate::columns::{Data, Owner};
use crate::events::Event;
use crate::kernels::CHUNK;
use crate::parallel::{Column, for_each_chunk};
use crate::scenery::Scenery;
use crate::scenery::index::SceneryIndex;
use crate::settings::Settings;

/// Chunks that a thread takes at a time.
const GRAIN: usize = 4;

/// Compares the regions that each agent of a species is in with those that it was in before.
pub(crate) fn regions<const D: usize>(
    settings: &Settings<D>,
    scenery: &Scenery<D>,
    index: &SceneryIndex<D>,
    agents: &mut Agents<D>,
    before: &mut Vec<u64>,
    events: &mut Vec<Event>,
) {
    let Some(place) = agents.columns.0.iter().position(|column| column.owner == Owner::Regions) else { return };
    let width = agents.columns.0[place].width;
    let Data::U64(mut now) = std::mem::replace(&mut agents.columns.0[place].data, Data::U64(Vec::new())) else {
        return;
    };
    before.clone_from(&now);
    for_each_chunk(agents.chunks(), GRAIN, Column(&mut now, CHUNK * width), &|chunk, now| {
        for (row, now) in (chunk * CHUNK..agents.len()).zip(now.0.chunks_mut(width)) {
            index.regions_at(scenery, settings, agents.position(row), now);
        }
    });
    if *before != now {
        for (&agent, words) in agents.id.iter().zip(now.chunks(width).zip(before.chunks(width))) {
            let species = agents.species;
            for (word, (&now, &before)) in words.0.iter().zip(words.1).enumerate() {
                let mut changed = before ^ now;
                while changed != 0 {
                    let bit = changed.trailing_zeros();
                    changed &= changed - 1;
                    let region = word as u32 * 64 + bit;
                    events.push(if now >> bit & 1 == 1 {
                        Event::EnteredRegion { agent, species, region }
                    } else {
                        Event::LeftRegion { agent, species, region }
                    });
                }
            }
        }
    }
    agents.columns.0[place].data = Data::U64(now);
}
