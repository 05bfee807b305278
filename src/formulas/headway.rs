//! The headway of pedestrians: how fast one may come nearer to another, in its way or beside it.
//!
//! Speeds follow the gap ahead as in Tordeux, Chraibi and Seyfried, "Collision-free speed model for pedestrian dynamics"
//! (2016): at most the gap over a time. Here the limit counts for the approach to each person ahead, so that it turns
//! the velocity past that one where there is room.

use crate::formulas::cells::cell;
use crate::formulas::programme::Half;
use crate::maths::components::{dot, minus, times};
use crate::maths::number::{Number, Truth};

/// The constants of a headway.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Headway {
    /// The time in which a pedestrian covers the gap to one ahead, in seconds.
    pub(crate) time: f32,
    /// How far to the side another is in the way, as a part of the distance of two bodies that touch.
    pub(crate) lane: f32,
    /// The part of a body that does not yield.
    pub(crate) core: f32,
    /// The time in which a pedestrian may use up its part of the gap between two cores, in seconds.
    pub(crate) time_gap: f32,
    /// The speed that is added to those with which two approach each other, in metres per second.
    pub(crate) least_closing: f32,
}

/// The room that a pedestrian claims now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim<N, const D: usize> {
    /// The directions that it wants and has turned to.
    pub(crate) ways: [[N; D]; 2],
    /// How much of the widths of cores and lanes it keeps: less while it squeezes past others.
    pub(crate) width: N,
}

impl Headway {
    /// Returns the velocities that another permits to a pedestrian with this claim, and whether they bound any of those
    /// up to `max_speed`.
    ///
    /// The cores of both keep to their cells. The pedestrian approaches one that is in both of its ways no faster than
    /// with the gap over the time of the headway: the gap between bodies straight ahead, and between cores at the side
    /// of the lane.
    #[inline(always)]
    pub(crate) fn permits<N: Number, const D: usize>(
        &self,
        offset: [N; D],
        velocities: [[N; D]; 2],
        touching: N,
        claim: &Claim<N, D>,
        max_speed: N,
    ) -> (Half<N, D>, N::Truth) {
        let (zero, width) = (touching.same(0.0), touching * claim.width);
        let core = width * zero.same(self.core);
        let (mut half, core_gap) = cell(offset, velocities, core, [self.time_gap, self.least_closing]);
        let lane = width * zero.same(self.lane);
        let (is_ahead, aside) = beside(&offset, claim.ways[0]);
        let (is_ahead_too, aside_too) = beside(&offset, claim.ways[1]);
        let aside = aside.gt(aside_too).choose(aside, aside_too);
        let in_the_way = is_ahead & is_ahead_too & aside.lt(lane * lane);
        let gap = core_gap - (touching - core) * (zero.same(1.0) - aside / (lane * lane));
        let gap = gap.gt(zero).choose(gap, zero);
        let bound = -(gap / zero.same(self.time));
        half.bound = (in_the_way & bound.gt(half.bound)).choose(bound, half.bound);
        let is_near = core_gap.lt(max_speed * zero.same(2.0 * self.time_gap));
        (half, is_near | (in_the_way & gap.lt(max_speed * zero.same(self.time))))
    }
}

/// Returns whether an offset leads ahead along a way, and its squared distance from the line along it.
#[inline(always)]
fn beside<N: Number, const D: usize>(offset: &[N; D], way: [N; D]) -> (N::Truth, N) {
    let far = dot(offset, &way);
    let across = minus(*offset, times(way, far));
    (far.gt(far.same(0.0)), dot(&across, &across))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vector;
    use crate::formulas::programme::HalfSpace;

    const HEADWAY: Headway = Headway { time: 2.0, lane: 0.5, core: 0.5, time_gap: 0.1, least_closing: 0.1 };

    /// The claim of one that wants to go along x and has turned to another way.
    fn claim(turned: [f32; 2]) -> Claim<f32, 2> {
        Claim { ways: [[1.0, 0.0], turned], width: 1.0 }
    }

    /// The velocities that another at an offset permits to one that wants to go along x, both 0.2 m in radius.
    fn permitted(offset: [f32; 2], theirs: [f32; 2]) -> (HalfSpace<2>, bool) {
        let (half, counts) = HEADWAY.permits(offset, [[1.0, 0.0], theirs], 0.4, &claim([1.0, 0.0]), 1.5);
        (half.into(), counts)
    }

    #[test]
    fn one_ahead_is_approached_with_the_gap_over_the_time() {
        let (half, counts) = permitted([1.4, 0.0], [0.0, 0.0]);
        assert!(counts && (half.bound + 0.5).abs() < 1e-6 && half.normal == Vector([-1.0, 0.0]), "{half:?}");
        // Whatever its own velocity.
        assert_eq!(permitted([1.4, 0.0], [1.0, 0.0]).0, half);
        // Bodies that yield already come no nearer ahead.
        assert!(permitted([0.3, 0.0], [0.0, 0.0]).0.bound == 0.0);
        assert!(!permitted([3.5, 0.0], [0.0, 0.0]).1);
    }

    #[test]
    fn shoulders_yield_at_the_side_of_the_lane() {
        // Half of the lane off: a quarter of the half that yields.
        let (half, counts) = permitted([0.8, 0.1], [0.0, 0.0]);
        let gap = Vector([0.8f32, 0.1]).length() - 0.4 * (1.0 - 0.5 * 0.25);
        assert!(counts && (half.bound + 0.5 * gap).abs() < 1e-5, "{half:?}");
    }

    #[test]
    fn one_past_which_it_turns_is_not_in_the_way() {
        let (half, counts) = HEADWAY.permits([1.0, 0.0], [[1.0, 0.0], [0.0, 0.0]], 0.4, &claim([0.8, 0.6]), 1.5);
        assert!(!counts && half.bound < -1.5, "{half:?}");
    }

    #[test]
    fn one_beside_or_behind_keeps_only_to_its_cell() {
        for offset in [[1.0, 0.21], [-1.0, 0.0]] {
            assert!(!permitted(offset, [0.0, 0.0]).1);
        }
        // Cores leave a gap of ten centimetres; each has half.
        let (half, counts) = permitted([0.0, 0.3], [1.0, 0.0]);
        assert!(counts && (half.bound + 0.5).abs() < 1e-5, "{half:?}");
    }
}
