//! Obstacles and paths ahead of an agent.

use crate::maths::components::{choose, direction, dot, length, minus, plus, times};
use crate::maths::number::{Number, Truth};

/// Returns whether a feeler of this `length` in the direction `along` meets an obstacle that it should pass at a
/// distance of `touching + buffer`, and how far along it does; negative for overlapping bodies.
#[inline(always)]
pub(crate) fn feel<N: Number, const D: usize>(
    offset: [N; D],
    along: [N; D],
    touching: N,
    [feeler, buffer]: [f32; 2],
) -> (N::Truth, N) {
    let (ahead, zero) = (dot(&offset, &along), touching.same(0.0));
    let aside = minus(offset, times(along, ahead));
    let aside_squared = dot(&aside, &aside);
    let reach = touching + zero.same(buffer);
    let from_centre = length(&offset);
    let inside = from_centre.lt(touching);
    let entry = ahead - (reach * reach - aside_squared).sqrt();
    let entry = entry.gt(zero).choose(entry, zero);
    let distance = inside.choose(from_centre - touching, entry);
    (inside | (ahead.gt(zero) & aside_squared.lt(reach * reach) & entry.lt(zero.same(feeler))), distance)
}

/// Returns the velocity of an agent that turns away, the more the closer an obstacle is, and brakes. An obstacle that
/// overtakes the agent does not slow it down.
#[inline(always)]
pub(crate) fn turned<N: Number, const D: usize>(
    velocity: [N; D],
    away: [N; D],
    is_ahead: N::Truth,
    (max_speed, closeness, braking): (N, N, f32),
) -> [N; D] {
    let braking = is_ahead.choose(closeness.same(braking) * closeness, closeness.same(0.0));
    plus(times(velocity, closeness.same(1.0) - braking), times(away, max_speed * closeness))
}

/// Returns the way of an obstacle off a feeler, and whether it is a rounding error, whose direction is arbitrary.
#[inline(always)]
pub(crate) fn aside<N: Number, const D: usize>(offset: [N; D], along: [N; D]) -> ([N; D], N::Truth) {
    let aside = minus(offset, times(along, dot(&offset, &along)));
    let least = along[0].same(1e-10) * dot(&offset, &offset);
    (direction(aside), dot(&aside, &aside).le(least))
}

/// Returns the offset to the nearest point of a segment, given the offsets to its two ends.
#[inline(always)]
pub(crate) fn nearest_on_segment<N: Number, const D: usize>(start: [N; D], end: [N; D]) -> [N; D] {
    let along = minus(end, start);
    // NaN for a segment of length zero: its start is returned.
    let part = -dot(&start, &along) / dot(&along, &along);
    let between = choose(part.gt(part.same(0.0)), plus(start, times(along, part)), start);
    choose(part.ge(part.same(1.0)), end, between)
}
