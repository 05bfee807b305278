//! Regions: reports the agents that enter or leave a region, on their ways.
//!
//! An agent that passes through a region within one tick is in it at the end of that tick: it enters, the sinks and
//! sources of the region count it, and it leaves in the next tick.

use crate::agents::Agents;
use crate::agents::columns::{Data, Owner};
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, PerThread};
use crate::base::handles::RegionId;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::Settings;
use crate::boxes::aabb::Aabb;
use crate::environment::Environment;
use crate::environment::index::EnvironmentIndex;
use crate::kernels::{CHUNK, CLUSTER};
use crate::maths::{Vector, ones};
use crate::ranks::Chunks;

/// Chunks that a thread takes at a time.
const GRAIN: usize = 4;

/// Buffers of the comparison.
#[derive(Debug, Default)]
pub(super) struct RegionMembership {
    /// The regions that each agent was in before it moved.
    before: Vec<u64>,
    /// The regions that each agent passed through: it was inside neither before it moved nor afterwards.
    passed: Vec<u64>,
    /// Whether an agent of each chunk entered or left a region.
    changed: Vec<bool>,
    /// The regions near a cluster.
    near: PerThread<Vec<u32>>,
}

/// Compares the regions of each agent of a species with those before it moved.
pub(super) fn regions<const D: usize>(
    settings: &Settings<D>,
    environment: &Environment<D>,
    index: &EnvironmentIndex<D>,
    (agents, chunks): (&mut Agents<D>, &Chunks),
    RegionMembership { before, passed, changed, near }: &mut RegionMembership,
    events: &mut Vec<Event>,
) {
    let Some(place) = agents.columns.0.iter().position(|column| column.owner == Owner::Regions) else { return };
    let width = agents.columns.0[place].width;
    let Data::U64(mut now) = std::mem::replace(&mut agents.columns.0[place].data, Data::U64(Vec::new())) else {
        return;
    };
    before.resize(now.len(), 0);
    passed.resize(now.len(), 0);
    changed.clear();
    changed.resize(agents.chunks(), false);
    near.prepare();
    let moved = agents.columns.values::<[f32; D]>(Owner::Moved);
    let way = |row: usize| moved.map_or(Vector::ZERO, |moved| Vector(moved[row]));
    let parts = (
        (ChunkedColumn(&mut now, CHUNK * width), ChunkedColumn(before, CHUNK * width)),
        (ChunkedColumn(passed, CHUNK * width), ChunkedColumn(changed, 1)),
    );
    chunks.for_each(GRAIN, parts, &|chunk, ((now, before), (passed, changed))| {
        before.0.copy_from_slice(now.0);
        passed.0.fill(0);
        let clusters = (chunk * CHUNK..agents.len()).step_by(CLUSTER);
        let words = now.0.chunks_mut(CLUSTER * width).zip(passed.0.chunks_mut(CLUSTER * width));
        near.with(|near| {
            for (first, (now, passed)) in clusters.zip(words) {
                let ways = (first..agents.len()).take(CLUSTER).map(|row| (agents.position(row), way(row)));
                let boxes = ways.clone().map(|(to, way)| Aabb {
                    centre: to - way * 0.5,
                    half: Vector::from_fn(|axis| way[axis].abs() * 0.5),
                });
                index.regions_within(&Aabb::around(boxes, settings), near);
                let words = now.chunks_mut(width).zip(passed.chunks_mut(width));
                ways.zip(words).for_each(|(way, words)| mark(environment, settings, near, way, words));
            }
        });
        changed.0[0] = now.0 != before.0 || passed.0.iter().any(|&words| words != 0);
    });
    for (chunk, _) in changed.iter().enumerate().filter(|(_, changed)| **changed) {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, agents.len());
        let words = rows.start * width..rows.end * width;
        let [now, before, passed] = [&now[..], &before[..], &passed[..]].map(|all| all[words.clone()].chunks(width));
        for ((&agent, passed), (now, before)) in agents.id[rows].iter().zip(passed).zip(now.zip(before)) {
            report((agent, agents.species), environment.regions.ids(), [now, before, passed], events);
        }
    }
    agents.columns.0[place].data = Data::U64(now);
}

/// Sets the bits of the regions among these that contain the end of a way, or that the way passes through, and clears
/// all others.
fn mark<const D: usize>(
    environment: &Environment<D>,
    settings: &Settings<D>,
    near: &[u32],
    (to, way): (Vector<D>, Vector<D>),
    (now, passed): (&mut [u64], &mut [u64]),
) {
    now.fill(0);
    for number in near.iter().map(|&number| number as usize) {
        let shape = &environment.regions.items()[number].shape;
        let is_inside = shape.contains(settings, to);
        let passes = !is_inside && shape.is_near_way(settings, to, way, 0.0) && !shape.contains(settings, to - way);
        now[number / 64] |= u64::from(is_inside || passes) << (number % 64);
        passed[number / 64] |= u64::from(passes) << (number % 64);
    }
}

/// Reports the regions that an agent entered and left. One that it passes through it enters, even if it was there.
fn report(
    (agent, species): (AgentId, SpeciesId),
    regions: &[RegionId],
    [now, before, passed]: [&[u64]; 3],
    events: &mut Vec<Event>,
) {
    for (word, ((&now, &before), &passed)) in now.iter().zip(before).zip(passed).enumerate() {
        for bit in ones(before ^ now | before & passed) {
            // The bits before the tick may come from a file.
            let Some(&region) = regions.get(word * 64 + bit) else { continue };
            if before >> bit & 1 == 1 {
                events.push(Event::LeftRegion { agent, species, region });
            }
            if now >> bit & 1 == 1 {
                events.push(Event::EnteredRegion { agent, species, region });
            }
        }
    }
}
