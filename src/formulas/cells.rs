//! Cells: the part of the room between two bodies that each may use in a tick.

use crate::formulas::programme::Half;
use crate::maths::components::{choose, dot, length, negative, over};
use crate::maths::number::{Number, Truth};

/// The speed that is added to those with which two bodies approach, so that each has a part of the gap between them.
const LEAST_CLOSING: f32 = 0.1;

/// Returns the half-space that [`keep_to_cell`](crate::steering::keep_to_cell) permits, and the gap between the bodies.
#[inline(always)]
pub(crate) fn cell<N: Number, const D: usize>(
    offset: [N; D],
    [mine, theirs]: [[N; D]; 2],
    touching: N,
    time_step: f32,
) -> (Half<N, D>, N) {
    let (distance, zero) = (length(&offset), touching.same(0.0));
    let gap = distance - touching;
    let apart = distance.gt(zero);
    let mine = closing(dot(&mine, &offset) / distance);
    let theirs = closing(-(dot(&theirs, &offset) / distance));
    let part = gap.gt(zero).choose(gap * (mine / (mine + theirs)), zero);
    let normal = choose(apart, over(negative(offset), distance), [zero; D]);
    (Half { normal, bound: apart.choose(-part / zero.same(time_step), zero) }, gap)
}

/// The speed at which a body counts as approaching, from its speed towards the other.
#[inline(always)]
fn closing<N: Number>(speed: N) -> N {
    speed.same(LEAST_CLOSING) + speed.gt(speed.same(0.0)).choose(speed, speed.same(0.0))
}
