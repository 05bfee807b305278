//! How walkers pass each other: the side to which they turn.

use crate::formulas::programme::Half;
use crate::maths::components::{choose, direction, dot, length, minus, negative, over, plus, times};
use crate::maths::number::{Number, Truth};

/// The constants of the side to which a walker turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    /// The tangent of the angle for an agent that stands.
    pub(crate) sidestep: f32,
    /// Whether an agent takes the side of others ahead that walk the same way.
    pub(crate) follows: bool,
    /// The side on which all pass where neither is nearer, now and always: one for the left, minus one for the right.
    pub(crate) common_side: [f32; 2],
    /// The gap that bodies keep where there is room, in metres.
    pub(crate) margin: f32,
    /// The time for which walls bound velocities, in seconds.
    pub(crate) wall_time: f32,
    /// The parameters of `Passing`.
    pub(crate) passing_dist: f32,
    pub(crate) crowd_dist: f32,
    pub(crate) crowd_onset: f32,
    pub(crate) crowd_full: f32,
    pub(crate) crowd_turn: f32,
    pub(crate) push_turn: f32,
    pub(crate) nearer_side: f32,
    pub(crate) common_weight: f32,
}

/// A neighbour as it affects the way that an agent prefers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met<N: Number, const D: usize> {
    /// Whether there is one: the agents in the lanes have different numbers of neighbours.
    pub(crate) exists: N::Truth,
    pub(crate) offset: [N; D],
    /// The sum of both radii, in metres.
    pub(crate) touching: N,
    /// From body to body, in metres.
    pub(crate) gap: N,
    pub(crate) velocity: [N; D],
    /// The velocity that it wants; its own if it shows none.
    pub(crate) wanted: [N; D],
    /// One if it has the agent's goal, zero if not.
    pub(crate) same_goal: N,
}

/// The neighbours of an agent, or of the agents in the lanes: nearest first.
pub(crate) trait Neighbours<N: Number, const D: usize> {
    /// The largest number of neighbours.
    fn most(&self) -> usize;

    /// The neighbour with this number.
    fn at(&self, number: usize) -> Met<N, D>;
}

impl<const D: usize> Neighbours<f32, D> for [Met<f32, D>] {
    #[inline]
    fn most(&self) -> usize {
        self.len()
    }

    #[inline]
    fn at(&self, number: usize) -> Met<f32, D> {
        self[number]
    }
}

/// Returns the direction across the first two axes, to the left of this one.
#[inline(always)]
pub(crate) fn to_left<N: Number, const D: usize>(ahead: &[N; D]) -> [N; D] {
    let mut left = [ahead[0].same(0.0); D];
    (left[0], left[1]) = (-ahead[1], ahead[0]);
    left
}

#[inline(always)]
fn larger<N: Number>(one: N, other: N) -> N {
    one.gt(other).choose(one, other)
}

#[inline(always)]
fn clamp<N: Number>(value: N, low: f32, high: f32) -> N {
    let (low, high) = (value.same(low), value.same(high));
    let value = value.lt(low).choose(low, value);
    value.gt(high).choose(high, value)
}

/// The gap to the nearest wall on a side, in metres, of those that bound the velocity for `wall_time` seconds.
#[inline(always)]
pub(crate) fn beside_walls<N: Number, const D: usize>(wall_time: f32, aside: [N; D], walls: &[Half<N, D>]) -> N {
    let (zero, mut nearest) = (aside[0].same(0.0), aside[0].same(f32::INFINITY));
    for number in 0..walls.len() {
        let wall = &walls[number];
        let towards = -dot(&wall.normal, &aside);
        let gap = -wall.bound * zero.same(wall_time) / towards;
        let gap = gap.gt(zero).choose(gap, zero);
        nearest = (towards.gt(zero.same(0.5)) & gap.lt(nearest)).choose(gap, nearest);
    }
    nearest
}

/// The part of a wanted velocity that an agent lacks: more than one if it is pushed back, at most `most`.
#[inline(always)]
fn lack<N: Number, const D: usize>(velocity: &[N; D], wanted: &[N; D], most: f32) -> N {
    let squared = dot(wanted, wanted);
    let (zero, one, most) = (squared.same(0.0), squared.same(1.0), squared.same(most));
    let lack = one - squared.gt(zero).choose(dot(velocity, wanted) / squared, one);
    lack.lt(most).choose(lack, most)
}

/// The gap within which one that comes holds an agent up that stands, in metres.
const HEAD_ON: f32 = 0.5;

/// The part of the wanted velocity that an agent lacks, and the part with which another comes, from which on that one
/// opposes it.
const OPPOSED: f32 = 0.5;
const OPPOSING: f32 = 0.2;

/// The preferred velocity of an agent, turned to the side on which it passes those in its way; whether it stands before
/// one that comes in a way too narrow for both; and whether one of several that come, or walk back, holds it up. It
/// walks with `velocity`, and `way` metres are left to its target.
#[inline(always)]
pub(crate) fn turned<N: Number, const D: usize>(
    turning: &Turning,
    velocity: &[N; D],
    preferred: [N; D],
    way: N,
    neighbours: &(impl Neighbours<N, D> + ?Sized),
    walls: &[Half<N, D>],
) -> ([N; D], [N::Truth; 2]) {
    let squared = dot(&preferred, &preferred);
    let (zero, one) = (squared.same(0.0), squared.same(1.0));
    let walks = squared.gt(zero);
    let (mut is_head_on, mut is_opposed, mut both) = (zero.gt(zero), zero.gt(zero), zero);
    if turning.sidestep == 0.0 || (!walks).all() {
        return (preferred, [is_head_on, is_opposed]);
    }
    let speed = squared.sqrt();
    let ahead = over(preferred, speed);
    let left = to_left(&ahead);
    let (to_target, most) = (times(ahead, way), turning.push_turn);
    let mut blocked = lack(velocity, &preferred, most);
    let (stands_still, is_slow) = (blocked.gt(zero.same(0.8)), blocked.gt(zero.same(OPPOSED)));
    let [mut weights, mut side, mut facing, mut along, mut drift] = [zero; 5];
    let mut is_near = walks;
    for number in 0..neighbours.most() {
        let other = neighbours.at(number);
        is_near = is_near & other.exists & other.gap.lt(zero.same(turning.crowd_dist));
        if (!is_near).all() {
            break;
        }
        let (far, across) = (dot(&other.offset, &ahead), dot(&other.offset, &left));
        // One beyond the target is not in the way.
        let is_ahead = is_near & far.gt(zero) & far.le(way);
        if is_ahead.skips() {
            continue;
        }
        // One for an agent that stands, two for one that comes, zero for one that walks the same way or across.
        let theirs = length(&other.wanted) / speed;
        let same = dot(&other.wanted, &ahead) / speed;
        let stands = theirs.lt(one).choose(one - theirs, zero);
        // Agents that press on to the same place from another side do not come against it. Their goal is not enough: at
        // the two jambs of a door, the ways to one goal lead against each other.
        let meets = other.same_goal.gt(zero) & dot(&other.wanted, &minus(to_target, other.offset)).gt(zero);
        let comes = meets.choose(zero, clamp(-same, 0.0, 1.0));
        facing = is_ahead.choose(facing + comes * (one - other.gap / zero.same(turning.crowd_dist)), facing);
        let width = other.touching + zero.same(turning.margin);
        let nearness = one - other.gap / zero.same(turning.passing_dist);
        let in_the_way = is_ahead & across.abs().lt(width) & nearness.gt(zero);
        if in_the_way.skips() {
            continue;
        }
        // Those with the same goal press on to it from another side, but hardly ever against each other for long.
        let is_close = in_the_way & other.gap.lt(zero.same(HEAD_ON));
        is_opposed = is_opposed | (is_close & is_slow & comes.gt(zero.same(OPPOSING)));
        let is_against = comes.gt(zero.same(0.5)) & !other.same_goal.gt(zero);
        let holds_up = is_close & is_against & stands_still;
        both = holds_up.choose(other.touching, both);
        is_head_on = is_head_on | holds_up;
        let follows = clamp(same, 0.0, 1.0) * nearness;
        along = in_the_way.choose(along + follows, along);
        drift = in_the_way.choose(drift + follows * dot(&other.velocity, &left) / speed, drift);
        let weight = (stands + zero.same(2.0) * comes) * nearness;
        weights = in_the_way.choose(weights + weight, weights);
        side = in_the_way.choose(side - weight * across / width, side);
        // One that comes and gives way needs the agent to turn as well.
        let theirs = comes * lack(&other.velocity, &other.wanted, most);
        blocked = (in_the_way & comes.gt(zero) & theirs.gt(blocked)).choose(theirs, blocked);
    }
    if !(!is_head_on).all() {
        let room =
            beside_walls(turning.wall_time, left, walls) + beside_walls(turning.wall_time, negative(left), walls);
        is_head_on = is_head_on & room.lt(both);
    }
    // Two pass each other without walking back.
    is_opposed = is_opposed & facing.gt(one);
    // In a crowd, lanes form only if all keep to one side, in time.
    let onset = turning.crowd_onset;
    let crowd = clamp((facing - zero.same(onset)) / zero.same(turning.crowd_full - onset), 0.0, 1.0);
    let blocked = larger(blocked, zero.same(turning.crowd_turn) * crowd);
    let turns = walks & blocked.gt(zero);
    if turns.skips() {
        return (preferred, [is_head_on, is_opposed]);
    }
    // An agent that cannot get on trusts the common side, since there may be no room on the nearer one.
    let ([now, always], nearest) = (turning.common_side, turning.nearer_side);
    let nearer = weights.gt(zero).choose(zero.same(nearest) * side / weights, zero);
    let common =
        zero.same(turning.common_weight) + zero.same(nearest - turning.common_weight) * clamp(blocked, 0.0, 1.0);
    let few = nearer + common * zero.same(now);
    let side = few + (zero.same(nearest * always) - few) * crowd;
    let side = clamp(zero.same(0.5) * (side + one), 0.0, 1.0) * zero.same(2.0) - one;
    let weights = larger(clamp(weights, 0.0, 1.0), crowd);
    let mut tangent = zero.same(turning.sidestep) * blocked * side * weights;
    // Behind others that walk the same way, it follows them to their side.
    if turning.follows {
        tangent += along.gt(zero).choose(drift / along, zero);
    }
    let turned = times(direction(plus(preferred, times(left, speed * tangent))), speed);
    (choose(turns, turned, preferred), [is_head_on, is_opposed])
}
