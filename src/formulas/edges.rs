//! The edges of the world on one axis: images in a periodic world, wrapping and bouncing.

use crate::maths::number::{Number, Truth};

/// Returns the nearest image of a difference of two coordinates, each inside a world with this period; the period is
/// infinite on an axis that does not repeat.
#[inline(always)]
pub(crate) fn nearest_image<N: Number>(difference: N, period: f32) -> N {
    let half = 0.5 * period;
    let period = difference.same(period);
    let lowered = difference.gt(difference.same(half)).choose(difference - period, difference);
    difference.lt(difference.same(-half)).choose(difference + period, lowered)
}

/// A coordinate that was moved into a periodic world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrapped<N: Number> {
    /// The coordinate in `[0, size)`.
    pub(crate) inside: N,
    /// The number of periods by which it moved, without the periods of `beyond`.
    pub(crate) periods: N,
    /// Where rounding left it on the far edge: it moved by one period more.
    pub(crate) beyond: N::Truth,
    /// The part of it that rounding removed.
    pub(crate) lost: N,
}

/// Moves a coordinate into `[0, size)` by whole periods.
#[inline(always)]
pub(crate) fn wrapped<N: Number>(at: N, size: N) -> Wrapped<N> {
    let zero = at.same(0.0);
    let periods = (at / size).floor();
    let way = periods * size;
    let inside = at - way;
    // Rounding can leave a coordinate on the far edge, or just outside the near one.
    let (beyond, short) = (inside.ge(size), inside.lt(zero));
    let lost = at - (inside + way) + short.choose(inside, zero);
    Wrapped { inside: (beyond | short).choose(zero, inside), periods, beyond, lost }
}

/// Moves a coordinate with its residual into `[0, size)` by whole periods.
#[inline(always)]
pub(crate) fn wrapped_sum<N: Number>(at: N, residual: N, size: f32) -> (N, N) {
    let Wrapped { inside, lost, .. } = wrapped(at, at.same(size));
    let residual = residual + lost;
    // Numbers are coarsest at the edge where coordinates re-enter. A step that is not finite leaves no residual.
    let limit = at.same(2.0 * f32::EPSILON * size);
    (inside, residual.abs().le(limit).choose(residual, at.same(0.0)))
}

/// A coordinate and a speed at the edge of a world that bounces, each with its residual.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounced<N> {
    pub(crate) at: [N; 2],
    pub(crate) speed: [N; 2],
}

/// Moves a coordinate outside `[0, size]` to the edge, and turns the speed inwards.
#[inline(always)]
pub(crate) fn bounced<N: Number>(
    Bounced { at: [at, residual], speed: [speed, lacking] }: Bounced<N>,
    size: N,
) -> Bounced<N> {
    let zero = at.same(0.0);
    let (below, above) = (at.lt(zero), at.gt(size));
    let turned = below.choose(speed.abs(), above.choose(zero - speed.abs(), speed));
    Bounced {
        at: [below.choose(zero, above.choose(size, at)), (below | above).choose(zero, residual)],
        speed: [turned, turned.equals(speed).choose(lacking, zero - lacking)],
    }
}
