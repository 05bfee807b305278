//! Whom does an agent see? How far, and how wide.

use fearless_simd::{Simd, SimdBase};

use super::CHUNK;
use super::simd::{Lanes, Mask, dot, load};

/// How far and how wide an agent sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// The perception radius, squared.
    pub(crate) radius_squared: f32,
    /// The cosine of half the field of view, times its own absolute value; -2 for all round.
    pub(crate) cosine_squared: f32,
}

impl View {
    pub(crate) const ALL_ROUND: f32 = -2.0;

    /// As far as the one that sees farther, and narrow if one of them is.
    pub(crate) fn around(self, other: Self) -> Self {
        let larger = |a: f32, b: f32| if b > a { b } else { a };
        Self {
            radius_squared: larger(self.radius_squared, other.radius_squared),
            cosine_squared: larger(self.cosine_squared, other.cosine_squared),
        }
    }
}

/// How far and how wide each agent of a chunk sees, for each kind of term, where they are of several species. Squares of
/// radii are negative where an agent does not look at all.
#[derive(Clone, Debug)]
pub(crate) struct Views {
    pub(crate) radius_squared: [[f32; CHUNK]; 3],
    pub(crate) cosine_squared: [[f32; CHUNK]; 3],
    /// Whether velocities and offsets have the same views.
    pub(crate) shared: bool,
}

/// A view, for the agents in the lanes.
pub(super) struct LaneView<S: Simd> {
    radius_squared: Lanes<S>,
    /// The field of view's threshold, times each agent's squared speed: an agent at rest sees all round.
    threshold: Lanes<S>,
}

impl<S: Simd> LaneView<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, view: Option<View>, speed_squared: Lanes<S>) -> Self {
        Self::of(simd, None, 0, 0, view, speed_squared)
    }

    /// The views of one kind of term of the agents from `first` on: `view`, unless each has its own.
    #[inline(always)]
    pub(super) fn of(
        simd: S,
        each: Option<&Views>,
        term: usize,
        first: usize,
        view: Option<View>,
        speed_squared: Lanes<S>,
    ) -> Self {
        if let Some(each) = each {
            let threshold = load(simd, &each.cosine_squared[term], first) * speed_squared;
            return Self { radius_squared: load(simd, &each.radius_squared[term], first), threshold };
        }
        let view = view.unwrap_or(View { radius_squared: 0.0, cosine_squared: View::ALL_ROUND });
        Self {
            radius_squared: Lanes::splat(simd, view.radius_squared),
            threshold: Lanes::splat(simd, view.cosine_squared) * speed_squared,
        }
    }

    /// Within the radius, and `velocity . offset` not less than the cosine times both lengths: compared as squares
    /// that keep their sign, so without a root. `ahead` is of these two.
    #[inline(always)]
    pub(super) fn sees<const NARROW: bool>(&self, squared: Lanes<S>, ahead: Lanes<S>) -> Mask<S> {
        let near = squared.simd_le(self.radius_squared);
        if NARROW { near & ahead.simd_ge(self.threshold * squared) } else { near }
    }
}

/// `velocity . offset`, squared with its sign.
#[inline(always)]
pub(super) fn ahead<S: Simd, const D: usize>(velocity: &[Lanes<S>; D], offset: &[Lanes<S>; D]) -> Lanes<S> {
    let along = dot(velocity, offset);
    along * along.abs()
}
