//! Collision avoidance for the agents of a cluster.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::formulas::bodies::Meeting;
use crate::formulas::targets::{self, ahead};
use crate::kernels::CLUSTER;
use crate::kernels::bodies::{Bodies, ClusterBodies};
use crate::kernels::combine::{Force, QuantitySlice};
use crate::kernels::simd::{
    Lanes, Ordered, Truth, at_row, choose, direction, dot, is_zero, load, load_axes, mask, minus, negative, offset_to,
    plus, store, store_axes, times,
};
use crate::kernels::table::kernels;
use crate::kernels::visibility::VisibleAgents;

/// The agents of one cluster, with their limits and the parameters of the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AvoidingAgents<'a, const D: usize> {
    pub(crate) bodies: ClusterBodies<'a, D>,
    pub(crate) max_speed: QuantitySlice<'a>,
    pub(crate) response: f32,
    /// The time within which a collision is a threat, in seconds.
    pub(crate) horizon: f32,
    /// The distance to keep from other bodies, in metres.
    pub(crate) buffer: f32,
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
    others: &Bodies<'_, D>,
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
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    threats: &mut Threats<D>,
) {
    let (horizon, buffer) = (Lanes::splat(simd, agents.horizon), Lanes::splat(simd, agents.buffer));
    let position = load_axes(simd, &agents.bodies.position, 0);
    let velocity = load_axes(simd, &agents.bodies.velocity, 0);
    let radius = agents.bodies.radius.lanes(simd, 0);
    let mut earliest = load(simd, &threats.time, 0);
    let mut offsets = load_axes(simd, &threats.offset, 0);
    let mut velocities = load_axes(simd, &threats.velocity, 0);
    for (row, by) in seen.each() {
        let offset = offset_to(&position, &others.position, row, agents.bodies.seam, &agents.bodies.period);
        let touching = radius + Lanes::splat(simd, others.radius.at(row));
        let theirs = at_row(velocity, &others.velocity, row);
        let meeting = Meeting::new(offset, minus(theirs, velocity), touching, horizon);
        let sees = mask(simd, by);
        if !(sees & (meeting.overlaps | meeting.approaches)).any_true() {
            continue;
        }
        let (threatens, time) = meeting.threat(buffer);
        let earlier = sees & threatens & time.lt(earliest);
        earliest = earlier.choose(time, earliest);
        offsets = choose(earlier, offset, offsets);
        velocities = choose(earlier, theirs, velocities);
    }
    store(earliest, &mut threats.time, 0);
    store_axes(offsets, &mut threats.offset, 0);
    store_axes(velocities, &mut threats.velocity, 0);
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
    let velocity = load_axes(simd, &agents.bodies.velocity, 0);
    let max_speed = agents.max_speed.lanes(simd, 0);
    let offset = load_axes(simd, &threats.offset, 0);
    let relative = minus(load_axes(simd, &threats.velocity, 0), velocity);
    let overlaps = time.lt(Lanes::splat(simd, 0.0));
    let closest = ahead(offset, relative, time);
    // A shorter offset is a rounding error with an arbitrary direction.
    let head_on = dot(&closest, &closest).le(Lanes::splat(simd, 1e-10) * dot(&offset, &offset));
    let (outwards, aside) = (direction(offset), direction(closest));
    let urgency = Lanes::splat(simd, 1.0) - time / Lanes::splat(simd, agents.horizon);
    let drawn = threatened & ((overlaps & is_zero(&outwards)) | (!overlaps & head_on));
    let set = threatened & !drawn;
    let round = plus(velocity, times(negative(aside), max_speed * urgency));
    let desired = choose(overlaps, times(negative(outwards), max_speed), round);
    let requested = targets::force(desired, velocity, Lanes::splat(simd, agents.response));
    store_axes(choose(set, requested, load_axes(simd, force, row)), force, row);
    drawn.to_bitmask() as u16
}
