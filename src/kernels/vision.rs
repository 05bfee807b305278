//! Vision: the radius and field of view within which an agent sees others.

use fearless_simd::SimdBase;

use crate::kernels::CHUNK;
use crate::kernels::group::{Group, GroupMask, Grouped, load_group};
use crate::kernels::simd::{Number, Ordered, dot};

/// The radius and field of view of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vision {
    /// The perception radius, squared.
    pub(crate) radius_squared: f32,
    /// The cosine of half the field of view, times its absolute value; -2 for all directions.
    pub(crate) cosine_squared: f32,
}

impl Vision {
    pub(crate) const ALL_ROUND: f32 = -2.0;

    /// Returns a vision with the larger radius of the two. It has a limited field of view if one of them has.
    pub(crate) fn around(self, other: Self) -> Self {
        let larger = |a: f32, b: f32| if b > a { b } else { a };
        Self {
            radius_squared: larger(self.radius_squared, other.radius_squared),
            cosine_squared: larger(self.cosine_squared, other.cosine_squared),
        }
    }
}

/// The vision of each agent of a chunk, for each kind of term, where the agents are of several species or states. The
/// squared radius is negative for agents that the term does not apply to.
#[derive(Clone, Debug)]
pub(crate) struct ChunkVision {
    pub(crate) radius_squared: [[f32; CHUNK]; 3],
    pub(crate) cosine_squared: [[f32; CHUNK]; 3],
    /// Whether velocities and offsets have the same visions.
    pub(crate) shared: bool,
}

impl ChunkVision {
    /// Agents that no term applies to.
    pub(crate) const NONE: Self =
        Self { radius_squared: [[-1.0; CHUNK]; 3], cosine_squared: [[-1.0; CHUNK]; 3], shared: false };
}

/// The visions of the agents in the lanes.
pub(super) struct LaneVision<S: Grouped> {
    pub(super) radius_squared: Group<S>,
    /// The threshold of the field of view, times the squared length of each agent's heading. An agent without a heading sees in
    /// all directions.
    threshold: Group<S>,
}

impl<S: Grouped> LaneVision<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, view: Option<Vision>, heading_squared: Group<S>) -> Self {
        Self::of(simd, None, 0, 0, view, heading_squared)
    }

    /// Returns the visions of the agents from `first` on for one kind of term: `view`, unless `each` has one per agent.
    #[inline(always)]
    pub(super) fn of(
        simd: S,
        each: Option<&ChunkVision>,
        term: usize,
        first: usize,
        view: Option<Vision>,
        heading_squared: Group<S>,
    ) -> Self {
        if let Some(each) = each {
            let threshold = load_group(simd, &each.cosine_squared[term], first) * heading_squared;
            return Self { radius_squared: load_group(simd, &each.radius_squared[term], first), threshold };
        }
        let view = view.unwrap_or(Vision { radius_squared: 0.0, cosine_squared: Vision::ALL_ROUND });
        Self {
            radius_squared: Group::<S>::splat(simd, view.radius_squared),
            threshold: Group::<S>::splat(simd, view.cosine_squared) * heading_squared,
        }
    }

    /// Returns which offsets are within the radius and the field of view: `heading . offset` is at least the cosine
    /// times both lengths. Squares that keep their sign save the root. `ahead` is the signed square of `heading .
    /// offset`.
    #[inline(always)]
    pub(super) fn sees<const NARROW: bool>(&self, squared: Group<S>, ahead: Group<S>) -> GroupMask<S> {
        let near = squared.le(self.radius_squared);
        if NARROW { near & ahead.ge(self.threshold * squared) } else { near }
    }
}

/// Returns `heading . offset`, squared with its sign.
#[inline(always)]
pub(crate) fn ahead<N: Number, const D: usize>(heading: &[N; D], offset: &[N; D]) -> N {
    let along = dot(heading, offset);
    along * along.abs()
}
