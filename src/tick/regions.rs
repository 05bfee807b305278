//! Regions: reports the agents that enter or leave a region.

use crate::agents::Agents;
use crate::agents::columns::{Data, Owner};
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, PerThread, for_each_chunk};
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::Settings;
use crate::environment::Environment;
use crate::environment::index::EnvironmentIndex;
use crate::environment::tree::Aabb;
use crate::kernels::{CHUNK, CLUSTER};
use crate::maths::{Vector, ones};

/// Chunks that a thread takes at a time.
const GRAIN: usize = 4;

/// Buffers of the comparison.
#[derive(Debug, Default)]
pub(crate) struct RegionMembership {
    /// The regions that each agent was in before it moved.
    before: Vec<u64>,
    /// Whether an agent of each chunk entered or left a region.
    changed: Vec<bool>,
    /// The regions near a cluster.
    near: PerThread<Vec<u32>>,
}

/// Compares the regions of each agent of a species with those before it moved.
pub(crate) fn regions<const D: usize>(
    settings: &Settings<D>,
    environment: &Environment<D>,
    index: &EnvironmentIndex<D>,
    agents: &mut Agents<D>,
    RegionMembership { before, changed, near }: &mut RegionMembership,
    events: &mut Vec<Event>,
) {
    let Some(place) = agents.columns.0.iter().position(|column| column.owner == Owner::Regions) else { return };
    let width = agents.columns.0[place].width;
    let Data::U64(mut now) = std::mem::replace(&mut agents.columns.0[place].data, Data::U64(Vec::new())) else {
        return;
    };
    before.resize(now.len(), 0);
    changed.clear();
    changed.resize(agents.chunks(), false);
    near.prepare();
    let parts =
        (ChunkedColumn(&mut now, CHUNK * width), ChunkedColumn(before, CHUNK * width), ChunkedColumn(changed, 1));
    for_each_chunk(agents.chunks(), GRAIN, parts, &|chunk, (now, before, changed)| {
        before.0.copy_from_slice(now.0);
        let clusters = (chunk * CHUNK..agents.len()).step_by(CLUSTER).zip(now.0.chunks_mut(CLUSTER * width));
        near.with(|near| {
            for (first, now) in clusters {
                let points = (first..agents.len()).take(CLUSTER).map(|row| agents.position(row));
                let boxes = points.clone().map(|centre| Aabb { centre, half: Vector::ZERO });
                index.regions_within(&Aabb::around(boxes, settings), near);
                points
                    .zip(now.chunks_mut(width))
                    .for_each(|(point, now)| mark(environment, settings, near, point, now));
            }
        });
        changed.0[0] = now.0 != before.0;
    });
    for (chunk, _) in changed.iter().enumerate().filter(|(_, changed)| **changed) {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, agents.len());
        let words = rows.start * width..rows.end * width;
        let words = now[words.clone()].chunks(width).zip(before[words].chunks(width));
        for (&agent, (now, before)) in agents.id[rows].iter().zip(words) {
            report(agent, agents.species, now, before, events);
        }
    }
    agents.columns.0[place].data = Data::U64(now);
}

/// Sets the bits of the regions among these that contain a point, and clears all others.
fn mark<const D: usize>(
    environment: &Environment<D>,
    settings: &Settings<D>,
    near: &[u32],
    point: Vector<D>,
    bits: &mut [u64],
) {
    bits.fill(0);
    for number in near.iter().map(|&number| number as usize) {
        let is_inside = environment.regions()[number].shape.contains(settings, point);
        bits[number / 64] |= u64::from(is_inside) << (number % 64);
    }
}

/// Reports the regions that an agent entered and left.
fn report(agent: AgentId, species: SpeciesId, now: &[u64], before: &[u64], events: &mut Vec<Event>) {
    for (word, (&now, &before)) in now.iter().zip(before).enumerate() {
        for bit in ones(before ^ now) {
            let region = (word * 64 + bit) as u32;
            events.push(if now >> bit & 1 == 1 {
                Event::EnteredRegion { agent, species, region }
            } else {
                Event::LeftRegion { agent, species, region }
            });
        }
    }
}
