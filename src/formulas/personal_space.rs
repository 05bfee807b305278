//! The room that pedestrians claim: their headway, the side with more of it, and bodies that squeeze past others.

use crate::formulas::headway::{Claim, Headway};
use crate::formulas::passing::{Neighbours, beside_walls, to_left};
use crate::formulas::programme::Half;
use crate::maths::components::{choose, direction, dot, length, minus, negative, over, plus, times};
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
    /// The side to which it turns where both are alike: positive for the left.
    pub(crate) side: f32,
    /// The offset of another to the side up to which both sides are alike, in units of touching bodies.
    pub(crate) alike: f32,
    /// The time for which walls bound its velocity, in seconds.
    pub(crate) wall_time: f32,
    /// The gap that it keeps from walls beside it where it walks freely, in metres, and the tangent of the angle by
    /// which it turns away from one that it touches.
    pub(crate) wall_gap: f32,
    pub(crate) wall_turn: f32,
    /// The gap from which on a wall lets it turn to its side in full, in metres.
    pub(crate) wall_room: f32,
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
        walls: &[Half<N, D>],
    ) -> (Claim<N, D>, [N; D]) {
        let ways = [direction(preferred), direction(turned)];
        let standing = preferred[0].same(self.standing);
        let stands = dot(velocity, &preferred).lt(standing * dot(&preferred, &preferred));
        let squeezes = self.clear(stands, &ways[0], neighbours);
        let width = squeezes.choose(standing.same(self.squeezing_width), standing.same(1.0));
        let swerved = self.swerved(turned, neighbours, walls);
        (Claim { ways, width }, self.off_walls(velocity, swerved, walls))
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
        walls: &[Half<N, D>],
    ) -> [N; D] {
        let speed = length(&preferred);
        let zero = speed.same(0.0);
        if self.swerve == 0.0 || (!speed.gt(zero)).all() {
            return preferred;
        }
        let ahead = over(preferred, speed);
        let left = to_left(&ahead);
        let free = speed * zero.same(self.headway.time);
        let (gap, aside) = self.room([ahead, left], free, neighbours);
        let is_slowed = speed.gt(zero) & gap.lt(free);
        if (!is_slowed).all() {
            return preferred;
        }
        let [mut to_left, mut to_right] = [zero; 2];
        for [cosine, sine, slope] in self.looks {
            let (straight, across) =
                ([times(ahead, zero.same(cosine)), times(left, zero.same(cosine))], zero.same(sine));
            let (forward, sideways) = (times(ahead, across), times(left, across));
            let on_left = [plus(straight[0], sideways), minus(straight[1], forward)];
            let on_right = [minus(straight[0], sideways), plus(straight[1], forward)];
            for (way, turn) in [(on_left, &mut to_left), (on_right, &mut to_right)] {
                let gain = (zero.same(cosine) * self.room(way, free, neighbours).0 - gap) / free;
                let turned = zero.same(self.swerve) * gain * zero.same(slope);
                *turn = turned.gt(*turn).choose(turned, *turn);
            }
        }
        to_left = to_left * self.part(left, self.wall_room, walls);
        to_right = to_right * self.part(negative(left), self.wall_room, walls);
        // Where both sides are alike it passes the one before it on the nearer side.
        let side = aside.abs().gt(zero.same(self.alike)).choose(-aside, zero.same(self.side));
        let is_left = to_left.gt(to_right) | (to_left.ge(to_right) & side.gt(zero));
        let tangent = is_left.choose(to_left, -to_right);
        let swerved = times(direction(plus(preferred, times(left, speed * tangent))), speed);
        choose(is_slowed, swerved, preferred)
    }

    /// The gap to the nearest in the lane along a direction, with the direction across it, up to the gap that does not
    /// slow the pedestrian down; and how far to the side this one is, in units of touching bodies.
    #[inline(always)]
    fn room<N: Number, const D: usize>(
        &self,
        [along, aside]: [[N; D]; 2],
        free: N,
        neighbours: &(impl Neighbours<N, D> + ?Sized),
    ) -> (N, N) {
        let (zero, mut nearest) = (free.same(0.0), free);
        let mut at = zero;
        for number in 0..neighbours.most() {
            let other = neighbours.at(number);
            let lane = zero.same(self.headway.lane) * other.touching;
            let across = dot(&other.offset, &aside);
            let is_in_it = dot(&other.offset, &along).gt(zero) & across.abs().lt(lane);
            let gap = other.gap.gt(zero).choose(other.gap, zero);
            let is_nearer = other.exists & is_in_it & gap.lt(nearest);
            nearest = is_nearer.choose(gap, nearest);
            at = is_nearer.choose(across / other.touching, at);
        }
        (nearest, at)
    }

    /// The gap to the nearest wall on a side, as a part of a distance; one if it is farther.
    #[inline(always)]
    fn part<N: Number, const D: usize>(&self, aside: [N; D], distance: f32, walls: &[Half<N, D>]) -> N {
        let part = beside_walls(self.wall_time, aside, walls) / aside[0].same(distance);
        let one = part.same(1.0);
        part.lt(one).choose(part, one)
    }

    /// The preferred velocity, turned away from walls beside a pedestrian, as far as it gets on.
    #[inline(always)]
    fn off_walls<N: Number, const D: usize>(
        &self,
        velocity: &[N; D],
        preferred: [N; D],
        walls: &[Half<N, D>],
    ) -> [N; D] {
        let speed = length(&preferred);
        let zero = speed.same(0.0);
        if walls.is_empty() || (!speed.gt(zero)).all() {
            return preferred;
        }
        let ahead = over(preferred, speed);
        let left = to_left(&ahead);
        let pace = dot(velocity, &ahead) / speed;
        let pace = pace.gt(zero).choose(pace, zero);
        let [on_left, on_right] = [left, negative(left)];
        let push = self.part(on_left, self.wall_gap, walls) - self.part(on_right, self.wall_gap, walls);
        let push = push * zero.same(self.wall_turn) * pace;
        let turned = times(direction(plus(preferred, times(left, speed * push))), speed);
        choose(push.abs().gt(zero), turned, preferred)
    }
}
