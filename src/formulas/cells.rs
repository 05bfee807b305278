//! Cells: the part of the room between two bodies that each may use in a tick.

use crate::formulas::programme::Half;
use crate::maths::components::{choose, dot, length, negative, over};
use crate::maths::number::{Number, Truth};

/// The usual speed that is added to those with which two bodies approach, so that each has a part of the gap between
/// them.
pub(crate) const LEAST_CLOSING: f32 = 0.1;

/// Returns the half-space that [`keep_to_cell`](crate::steering::keep_to_cell) permits, and the gap between the bodies.
/// `least_closing` is added to the speeds of approach.
#[inline(always)]
pub(crate) fn cell<N: Number, const D: usize>(
    offset: [N; D],
    [mine, theirs]: [[N; D]; 2],
    touching: N,
    [time_step, least_closing]: [f32; 2],
) -> (Half<N, D>, N) {
    let (distance, zero) = (length(&offset), touching.same(0.0));
    let gap = distance - touching;
    let apart = distance.gt(zero);
    let closing = |speed: N| zero.same(least_closing) + speed.gt(zero).choose(speed, zero);
    let mine = closing(dot(&mine, &offset) / distance);
    let theirs = closing(-(dot(&theirs, &offset) / distance));
    let part = gap.gt(zero).choose(gap * (mine / (mine + theirs)), zero);
    let normal = choose(apart, over(negative(offset), distance), [zero; D]);
    (Half { normal, bound: apart.choose(-part / zero.same(time_step), zero) }, gap)
}
