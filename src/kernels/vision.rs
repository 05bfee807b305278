//! Vision: the radius and the field of view within which an agent sees others.

use fearless_simd::{Simd, SimdBase};

use crate::kernels::CHUNK;
use crate::kernels::group::{Group, GroupMask, Grouped, load_group};
use crate::kernels::simd::{FloatLanes, dot};

/// How far and how wide an agent sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vision {
    /// The perception radius, squared.
    pub(crate) radius_squared: f32,
    /// The cosine of half the field of view, times its own absolute value; -2 for all round.
    pub(crate) cosine_squared: f32,
}

impl Vision {
    pub(crate) const ALL_ROUND: f32 = -2.0;

    /// A view as far as the farther of the two, and limited to a field if one of them is.
    pub(crate) fn around(self, other: Self) -> Self {
        let larger = |a: f32, b: f32| if b > a { b } else { a };
        Self {
            radius_squared: larger(self.radius_squared, other.radius_squared),
            cosine_squared: larger(self.cosine_squared, other.cosine_squared),
        }
    }
}

/// How far and how wide each agent of a chunk sees, for each kind of term, where the agents are of several species. The
/// squared radius is negative where an agent does not look at all.
#[derive(Clone, Debug)]
pub(crate) struct ChunkVision {
    pub(crate) radius_squared: [[f32; CHUNK]; 3],
    pub(crate) cosine_squared: [[f32; CHUNK]; 3],
    /// Whether velocities and offsets have the same views.
    pub(crate) shared: bool,
}

/// A view, for the agents in the lanes.
pub(super) struct LaneVision<S: Grouped> {
    radius_squared: Group<S>,
    /// The field of view's threshold, times each agent's squared speed: an agent at rest sees all round.
    threshold: Group<S>,
}

impl<S: Grouped> LaneVision<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, view: Option<Vision>, speed_squared: Group<S>) -> Self {
        Self::of(simd, None, 0, 0, view, speed_squared)
    }

    /// The views of one kind of term of the agents from `first` on: `view`, unless each has its own.
    #[inline(always)]
    pub(super) fn of(
        simd: S,
        each: Option<&ChunkVision>,
        term: usize,
        first: usize,
        view: Option<Vision>,
        speed_squared: Group<S>,
    ) -> Self {
        if let Some(each) = each {
            let threshold = load_group(simd, &each.cosine_squared[term], first) * speed_squared;
            return Self { radius_squared: load_group(simd, &each.radius_squared[term], first), threshold };
        }
        let view = view.unwrap_or(Vision { radius_squared: 0.0, cosine_squared: Vision::ALL_ROUND });
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
pub(super) fn ahead<S: Simd, L: FloatLanes<S>, const D: usize>(velocity: &[L; D], offset: &[L; D]) -> L {
    let along = dot(velocity, offset);
    along * along.abs()
}
