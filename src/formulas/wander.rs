//! Wandering: a point that walks on a circle ahead of the agent.

use crate::maths::components::{choose, direction, dot, is_zero, minus, negative, plus, times};
use crate::maths::number::Number;

/// The share of its largest speed up to which an agent is at rest: it then keeps its heading.
pub(crate) const AT_REST: f32 = 1e-3;

/// Returns the heading of a velocity; at rest, the one `before`.
#[inline(always)]
pub(crate) fn faced<N: Number, const D: usize>(velocity: [N; D], before: [N; D]) -> [N; D] {
    let heading = direction(velocity);
    choose(is_zero(&heading), before, heading)
}

/// Returns a displacement that turned with the heading: by the shortest rotation between two headings. Without a heading
/// before, it stays.
#[inline(always)]
pub(crate) fn turned<N: Number, const D: usize>(displacement: [N; D], from: [N; D], to: [N; D]) -> [N; D] {
    let (both, cosine) = (plus(from, to), dot(&from, &to));
    let (share, twice) =
        (dot(&both, &displacement) / (cosine.same(1.0) + cosine), cosine.same(2.0) * dot(&from, &displacement));
    let turned = direction(plus(minus(displacement, times(both, share)), times(to, twice)));
    // The axis of a half turn is not unique in three dimensions; the opposite keeps its angle to the heading.
    let opposite = cosine.lt(cosine.same(-0.999_999));
    choose(is_zero(&from), displacement, choose(opposite, negative(displacement), turned))
}

/// Returns a displacement after a turn towards a direction across it.
#[inline(always)]
pub(crate) fn walked<N: Number, const D: usize>(displacement: [N; D], aside: [N; D], (sine, cosine): (N, N)) -> [N; D] {
    direction(plus(times(displacement, cosine), times(aside, sine)))
}

/// Returns the offset to the point on a circle with this radius and distance.
#[inline(always)]
pub(crate) fn on_circle<N: Number, const D: usize>(
    heading: [N; D],
    displacement: [N; D],
    (radius, distance): (N, N),
) -> [N; D] {
    plus(times(heading, distance), times(displacement, radius))
}
