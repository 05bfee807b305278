//! Regions: who came into one, who went out of one.

use crate::agents::{Agents, REGIONS};
use crate::events::Event;
use crate::kernels::CHUNK;
use crate::parallel::{Column, for_each_chunk};
use crate::scenery::Scenery;
use crate::settings::Settings;

/// Chunks that a thread takes at a time.
const GRAIN: usize = 4;

/// Compares the regions that each agent of a species is in with those that it was in before.
pub(crate) fn regions<const D: usize>(
    settings: &Settings<D>,
    scenery: &Scenery<D>,
    agents: &mut Agents<D>,
    before: &mut Vec<u32>,
    events: &mut Vec<Event>,
) {
    if scenery.regions().is_empty() {
        return;
    }
    let width = agents.memory_width;
    let mut memory = std::mem::take(&mut agents.memory);
    before.clear();
    before.extend(memory.chunks(width).map(|memory| memory[REGIONS] as u32));
    for_each_chunk(agents.chunks(), GRAIN, Column(memory.as_mut_slice(), CHUNK * width), &|chunk, memory| {
        for (row, memory) in (chunk * CHUNK..agents.len()).zip(memory.0.chunks_mut(width)) {
            memory[REGIONS] = scenery.regions_at(settings, agents.position(row)) as f32;
        }
    });
    agents.memory = memory;
    for (row, (&agent, &before)) in agents.id.iter().zip(&*before).enumerate() {
        let (species, now) = (agents.species, agents.memory[row * width + REGIONS] as u32);
        let mut changed = before ^ now;
        while changed != 0 {
            let region = changed.trailing_zeros();
            changed &= changed - 1;
            events.push(if now >> region & 1 == 1 {
                Event::EnteredRegion { agent, species, region }
            } else {
                Event::LeftRegion { agent, species, region }
            });
        }
    }
}
