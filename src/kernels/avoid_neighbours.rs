//! Collision avoidance for the agents of a cluster.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::formulas::bodies::Meeting;
use crate::formulas::targets::ahead;
use crate::kernels::combine::{Force, QuantitySlice};
use crate::kernels::simd::{Lanes, Ordered, Truth, direction, dot, is_zero, load, load_axes, mask, offset_to, store};
use crate::kernels::table::kernels;
use crate::kernels::visibility::VisibleAgents;
use crate::kernels::{Axes, CLUSTER};

/// The agents of one cluster, with their limits and the parameters of the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AvoidingAgents<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    pub(crate) max_speed: QuantitySlice<'a>,
    pub(crate) radius: QuantitySlice<'a>,
    pub(crate) response: f32,
    /// The time within which a collision is a threat, in seconds.
    pub(crate) horizon: f32,
    /// The distance to keep from other bodies, in metres.
    pub(crate) buffer: f32,
    /// Whether a seam may lie between them and others.
    pub(crate) seam: bool,
    pub(crate) period: [f32; D],
}

/// The agents of one species.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Others<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    pub(crate) radius: QuantitySlice<'a>,
}

/// The first threat of each agent.
#[derive(Clone, Debug)]
pub(crate) struct Threats<const D: usize> {
    /// The time to the threat in seconds; negative where bodies overlap, infinite without a threat.
    time: [f32; CLUSTER],
    offset: [[f32; CLUSTER]; D],
    velocity: [[f32; CLUSTER]; D],
}

impl<const D: usize> Threats<D> {
    pub(crate) fn new() -> Self {
        let nothing = [[0.0; CLUSTER]; D];
        Self { time: [f32::INFINITY; CLUSTER], offset: nothing, velocity: nothing }
    }
}

/// Updates `threats` with the earlier ones among the visible agents of one species.
pub(crate) fn find_threats<const D: usize>(
    level: Level,
    agents: &AvoidingAgents<'_, D>,
    others: &Others<'_, D>,
    seen: &VisibleAgents<'_>,
    threats: &mut Threats<D>,
) {
    kernels::<D>().find_threats(level, agents, others, seen, threats);
}

/// Sets the forces away from threats, from `row` on. Returns one bit for each agent whose direction the caller must
/// draw. Their forces stay unchanged.
pub(crate) fn avoid_threats<const D: usize>(
    level: Level,
    agents: &AvoidingAgents<'_, D>,
    threats: &Threats<D>,
    row: usize,
    force: &mut Force<D>,
) -> u16 {
    kernels::<D>().avoid_threats(level, agents, threats, row, force)
}

#[inline(always)]
pub(super) fn find_threats_lanes<S: Simd, const D: usize>(
    simd: S,
    agents: &AvoidingAgents<'_, D>,
    others: &Others<'_, D>,
    seen: &VisibleAgents<'_>,
    threats: &mut Threats<D>,
) {
    let (horizon, buffer) = (Lanes::splat(simd, agents.horizon), Lanes::splat(simd, agents.buffer));
    let position = load_axes(simd, &agents.position, 0);
    let velocity = load_axes(simd, &agents.velocity, 0);
    let radius = agents.radius.lanes(simd, 0);
    let mut earliest = load(simd, &threats.time, 0);
    let mut offsets = load_axes(simd, &threats.offset.each_ref().map(|axis| &axis[..]), 0);
    let mut velocities = load_axes(simd, &threats.velocity.each_ref().map(|axis| &axis[..]), 0);
    for (&row, &by) in seen.rows.iter().zip(seen.by) {
        let row = row as usize;
        let offset = offset_to(&position, &others.position, row, agents.seam, &agents.period);
        let touching = radius + Lanes::splat(simd, others.radius.at(row));
        let mut relative = velocity;
        for axis in 0..D {
            relative[axis] = Lanes::splat(simd, others.velocity[axis][row]) - velocity[axis];
        }
        let meeting = Meeting::new(offset, relative, touching, horizon);
        let sees = mask(simd, by as u16);
        if !(sees & (meeting.overlaps | meeting.approaches)).any_true() {
            continue;
        }
        let (threatens, time) = meeting.threat(buffer);
        let earlier = sees & threatens & time.lt(earliest);
        earliest = earlier.choose(time, earliest);
        for axis in 0..D {
            offsets[axis] = earlier.choose(offset[axis], offsets[axis]);
            let theirs = Lanes::splat(simd, others.velocity[axis][row]);
            velocities[axis] = earlier.choose(theirs, velocities[axis]);
        }
    }
    store(earliest, &mut threats.time, 0);
    for axis in 0..D {
        store(offsets[axis], &mut threats.offset[axis], 0);
        store(velocities[axis], &mut threats.velocity[axis], 0);
    }
}

#[inline(always)]
pub(super) fn avoid_threats_lanes<S: Simd, const D: usize>(
    simd: S,
    agents: &AvoidingAgents<'_, D>,
    threats: &Threats<D>,
    row: usize,
    force: &mut Force<D>,
) -> u16 {
    let time = load(simd, &threats.time, 0);
    let threatened = time.lt(Lanes::splat(simd, f32::INFINITY));
    if !threatened.any_true() {
        return 0;
    }
    let velocity = load_axes(simd, &agents.velocity, 0);
    let max_speed = agents.max_speed.lanes(simd, 0);
    let offset = load_axes(simd, &threats.offset.each_ref().map(|axis| &axis[..]), 0);
    let mut relative = load_axes(simd, &threats.velocity.each_ref().map(|axis| &axis[..]), 0);
    for axis in 0..D {
        relative[axis] -= velocity[axis];
    }
    let overlaps = time.lt(Lanes::splat(simd, 0.0));
    let closest = ahead(offset, relative, time);
    // A shorter offset is a rounding error with an arbitrary direction.
    let head_on = dot(&closest, &closest).le(Lanes::splat(simd, 1e-10) * dot(&offset, &offset));
    let (outwards, aside) = (direction(offset), direction(closest));
    let urgency = Lanes::splat(simd, 1.0) - time / Lanes::splat(simd, agents.horizon);
    let drawn = threatened & ((overlaps & is_zero(&outwards)) | (!overlaps & head_on));
    let set = threatened & !drawn;
    for axis in 0..D {
        let round = velocity[axis] + (-aside[axis]) * (max_speed * urgency);
        let desired = overlaps.choose((-outwards[axis]) * max_speed, round);
        let requested = (desired - velocity[axis]) / Lanes::splat(simd, agents.response);
        store(set.choose(requested, load(simd, &force[axis], row)), &mut force[axis], row);
    }
    drawn.to_bitmask() as u16
}
