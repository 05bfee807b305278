//! The room that pedestrians claim: their headway, the side with more of it, and bodies that squeeze past others.

use crate::formulas::headway::{Claim, Headway};
use crate::formulas::passing::{Neighbours, to_left};
use crate::maths::components::{choose, direction, dot, length, minus, over, plus, times};
use crate::maths::number::{Number, Truth};

/// The number of directions to each side in which a pedestrian looks for room.
const LOOKS: usize = 3;

/// The room that a pedestrian claims, which walks as with `orca` otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PersonalSpace {
    pub(crate) headway: Headway,
    /// How far an agent turns to where it gets on better.
    pub(crate) swerve: f32,
    /// The cosines, sines and tangents of the angles at which it looks for room, to both sides.
    pub(crate) looks: [[f32; 3]; LOOKS],
    /// The part of the wanted speed below which it stands.
    pub(crate) standing: f32,
    /// The gap up to which one in the lane keeps it from squeezing past those beside it, in metres.
    pub(crate) squeezing_gap: f32,
    /// The part of the widths of its core and lane that it keeps while it squeezes past others.
    pub(crate) squeezing_width: f32,
}

impl PersonalSpace {
    /// The room that a pedestrian with this velocity claims, and the velocity that it prefers now: `preferred` is the one
    /// that it wants, and `turned` the one with which it passes others. One that stands, though no one before it goes
    /// the same way, squeezes past others: it ends arches at doors, and lets people pass that come.
    #[inline(always)]
    pub(crate) fn claimed<N: Number, const D: usize>(
        &self,
        velocity: &[N; D],
        preferred: [N; D],
        turned: [N; D],
        neighbours: &(impl Neighbours<N, D> + ?Sized),
    ) -> (Claim<N, D>, [N; D]) {
        let ways = [direction(preferred), direction(turned)];
        let standing = preferred[0].same(self.standing);
        let stands = dot(velocity, &preferred).lt(standing * dot(&preferred, &preferred));
        let squeezes = self.clear(stands, &ways[0], neighbours);
        let width = squeezes.choose(standing.same(self.squeezing_width), standing.same(1.0));
        (Claim { ways, width }, self.swerved(turned, neighbours))
    }

    /// Which of the agents that stand have no one close that goes the same way in the lane ahead, and rather ahead than
    /// at the side.
    #[inline(always)]
    fn clear<N: Number, const D: usize>(
        &self,
        mut stands: N::Truth,
        ahead: &[N; D],
        neighbours: &(impl Neighbours<N, D> + ?Sized),
    ) -> N::Truth {
        let zero = ahead[0].same(0.0);
        for number in 0..neighbours.most() {
            if (!stands).all() {
                break;
            }
            let other = neighbours.at(number);
            let far = dot(&other.offset, ahead);
            let across = length(&minus(other.offset, times(*ahead, far)));
            let in_lane = across.lt(far) & across.lt(zero.same(self.headway.lane) * other.touching);
            let is_close = other.exists & other.gap.lt(zero.same(self.squeezing_gap));
            stands = stands & !(is_close & in_lane & dot(&other.wanted, ahead).ge(zero));
        }
        stands
    }

    /// The preferred velocity, turned to where a pedestrian that is slowed down gets on better.
    #[inline(always)]
    fn swerved<N: Number, const D: usize>(
        &self,
        preferred: [N; D],
        neighbours: &(impl Neighbours<N, D> + ?Sized),
    ) -> [N; D] {
        let speed = length(&preferred);
        let zero = speed.same(0.0);
        if self.swerve == 0.0 || (!speed.gt(zero)).all() {
            return preferred;
        }
        let ahead = over(preferred, speed);
        let left = to_left(&ahead);
        let free = speed * zero.same(self.headway.time);
        let gap = self.room([ahead, left], free, neighbours);
        let is_slowed = speed.gt(zero) & gap.lt(free);
        if (!is_slowed).all() {
            return preferred;
        }
        let mut tangent = zero;
        for [cosine, sine, slope] in self.looks {
            let (straight, across) =
                ([times(ahead, zero.same(cosine)), times(left, zero.same(cosine))], zero.same(sine));
            let (forward, sideways) = (times(ahead, across), times(left, across));
            let to_left = [plus(straight[0], sideways), minus(straight[1], forward)];
            let to_right = [minus(straight[0], sideways), plus(straight[1], forward)];
            for (way, slope) in [(to_left, slope), (to_right, -slope)] {
                let gain = (zero.same(cosine) * self.room(way, free, neighbours) - gap) / free;
                let turn = zero.same(self.swerve) * gain * zero.same(slope);
                tangent = (gain.gt(zero) & turn.abs().gt(tangent.abs())).choose(turn, tangent);
            }
        }
        let swerved = times(direction(plus(preferred, times(left, speed * tangent))), speed);
        choose(is_slowed, swerved, preferred)
    }

    /// The gap to the nearest in the lane along a direction, with the direction across it, up to the gap that does not
    /// slow the pedestrian down.
    #[inline(always)]
    fn room<N: Number, const D: usize>(
        &self,
        [along, aside]: [[N; D]; 2],
        free: N,
        neighbours: &(impl Neighbours<N, D> + ?Sized),
    ) -> N {
        let (zero, mut nearest) = (free.same(0.0), free);
        for number in 0..neighbours.most() {
            let other = neighbours.at(number);
            let lane = zero.same(self.headway.lane) * other.touching;
            let is_in_it = dot(&other.offset, &along).gt(zero) & dot(&other.offset, &aside).abs().lt(lane);
            let gap = other.gap.gt(zero).choose(other.gap, zero);
            nearest = (other.exists & is_in_it & gap.lt(nearest)).choose(gap, nearest);
        }
        nearest
    }
}
