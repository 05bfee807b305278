//! Whom does an agent see? How far, and how wide.

use fearless_simd::{Simd, SimdBase};

use super::group::{Group, GroupMask, Grouped};
use super::simd::{Numbers, dot};

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
}

/// A view, for the agents in the lanes.
pub(super) struct LaneView<S: Grouped> {
    radius_squared: Group<S>,
    /// The field of view's threshold, times each agent's squared speed: an agent at rest sees all round.
    threshold: Group<S>,
}

impl<S: Grouped> LaneView<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, view: Option<View>, speed_squared: Group<S>) -> Self {
        let view = view.unwrap_or(View { radius_squared: 0.0, cosine_squared: View::ALL_ROUND });
        Self {
            radius_squared: Group::<S>::splat(simd, view.radius_squared),
            threshold: Group::<S>::splat(simd, view.cosine_squared) * speed_squared,
        }
    }

    /// Within the radius, and `velocity . offset` not less than the cosine times both lengths: compared as squares
    /// that keep their sign, so without a root. `ahead` is of these two.
    #[inline(always)]
    pub(super) fn sees<const NARROW: bool>(&self, squared: Group<S>, ahead: Group<S>) -> GroupMask<S> {
        let near = squared.simd_le(self.radius_squared);
        if NARROW { near & ahead.simd_ge(self.threshold * squared) } else { near }
    }
}

/// `velocity . offset`, squared with its sign.
#[inline(always)]
pub(super) fn ahead<S: Simd, L: Numbers<S>, const D: usize>(velocity: &[L; D], offset: &[L; D]) -> L {
    let along = dot(velocity, offset);
    along * along.abs()
}
