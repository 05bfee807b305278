//! How walkers pass each other: the side to which they turn.

use crate::base::ids::SpeciesId;
use crate::maths::{Noise, Vector};
use crate::rules::interface::AgentRef;
use crate::rules::parameters::{Kind, Range, choice, rule};

choice! {
    /// The side on which walkers pass each other where neither is nearer.
    pub enum Side {
        /// One side for all, drawn from the seed again and again.
        Drawn = "drawn",
        /// The left one.
        Left = "left",
        /// The right one.
        Right = "right",
    }
}

rule! {
    /// The parameters of [`Orca`](crate::motions::Orca) and [`Pedvo`](crate::motions::Pedvo) that decide on which side
    /// an agent passes others, and how far it turns.
    "passing": "How agents pass each other."
    pub struct Passing {
        /// The gap within which another in front turns an agent, up to `crowd_dist`.
        pub passing_dist: f32 = 2.0, "m", Kind::Number(Range::from(0.01, 1e6)), advanced;
        /// The gap within which those that come count as a crowd.
        pub crowd_dist: f32 = 4.0, "m", Kind::Number(Range::from(0.01, 1e6)), advanced;
        /// The number of those that come, each weighted by its nearness, above which they begin to count as a crowd.
        pub crowd_onset: f32 = 0.3, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The number of those that come, weighted by nearness, from which they are a crowd in full.
        pub crowd_full: f32 = 1.5, "", Kind::Number(Range::above(1.0, 1e3)), advanced;
        /// How far an agent turns in front of a crowd before it is slowed down, in units of `sidestep`.
        pub crowd_turn: f32 = 2.0, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The most by which an agent that is pushed back turns, in units of `sidestep`; one that stands turns by one.
        pub push_turn: f32 = 3.0, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The weight of the nearer side, times the offset of the others from the middle, in units of touching bodies.
        pub nearer_side: f32 = 4.0, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The weight of the common side for an agent that gets on; it grows to `nearer_side` for one that stands.
        pub common_side: f32 = 0.5, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The time for which a side that is `drawn` lasts.
        pub side_time: f32 = 8.0, "s", Kind::Number(Range::from(0.01, 1e6)), advanced;
    }
}

/// A neighbour as it affects an agent's preference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met<const D: usize> {
    pub(super) offset: Vector<D>,
    /// The sum of both radii and the margin, in metres.
    pub(super) width: f32,
    /// From body to body, in metres.
    pub(super) gap: f32,
    pub(super) species: SpeciesId,
    pub(super) row: usize,
}

/// The visible memory of a neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown<const D: usize> {
    pub(super) velocity: Vector<D>,
    /// The velocity that it wants; its own if it is not a walker of this kind.
    pub(super) wanted: Vector<D>,
    /// The key of its goal.
    pub(super) goal: u32,
}

/// The preferred velocity of an agent, turned to the side on which it passes those in its way. `sidestep` is the tangent
/// of the angle for an agent that stands. One that `follows` takes the side of those ahead that walk the same way.
pub(super) fn turned<const D: usize>(
    me: &AgentRef<'_, D>,
    preferred: Vector<D>,
    neighbours: &[Met<D>],
    shown: impl Fn(&Met<D>) -> Shown<D>,
    (sidestep, on_side, passing): (f32, Side, &Passing),
    follows: bool,
) -> Vector<D> {
    let squared = preferred.length_squared();
    if sidestep == 0.0 || squared <= 0.0 {
        return preferred;
    }
    let (aim, speed) = (me.aim(), squared.sqrt());
    let ahead = preferred / speed;
    let mut left = Vector::ZERO;
    (left[0], left[1]) = (-ahead[1], ahead[0]);
    let (most, common_side) = (passing.push_turn, |now| common_side(me, on_side, passing.side_time, now));
    let mut blocked = lack(me.velocity(), preferred, most);
    let [mut weights, mut side, mut facing, mut along, mut drift] = [0.0; 5];
    for other in neighbours.iter().take_while(|other| other.gap < passing.crowd_dist) {
        let (far, across) = (other.offset.dot(ahead), other.offset.dot(left));
        // One beyond the target is not in the way.
        if far <= 0.0 || far > aim.left {
            continue;
        }
        let Shown { velocity, wanted, goal } = shown(other);
        // One for an agent that stands, two for one that comes, zero for one that walks the same way or across.
        let (theirs, same) = (wanted.length() / speed, wanted.dot(ahead) / speed);
        let stands = if theirs < 1.0 { 1.0 - theirs } else { 0.0 };
        // Agents that press on to the same place from another side do not come against it. Their goal is not enough: at
        // the two jambs of a door, the ways to one goal lead against each other.
        let meets = aim.goal != 0 && goal == aim.goal && wanted.dot(ahead * aim.left - other.offset) > 0.0;
        let comes = if meets { 0.0 } else { (-same).clamp(0.0, 1.0) };
        facing += comes * (1.0 - other.gap / passing.crowd_dist);
        let (width, nearness) = (other.width, 1.0 - other.gap / passing.passing_dist);
        if across >= width || across <= -width || nearness <= 0.0 {
            continue;
        }
        let follows = same.clamp(0.0, 1.0) * nearness;
        along += follows;
        drift += follows * velocity.dot(left) / speed;
        let weight = (stands + 2.0 * comes) * nearness;
        weights += weight;
        side -= weight * across / width;
        if comes > 0.0 {
            // One that comes and gives way needs the agent to turn as well.
            let theirs = comes * lack(velocity, wanted, most);
            blocked = if theirs > blocked { theirs } else { blocked };
        }
    }
    // In a crowd, lanes form only if all keep to one side, in time.
    let onset = passing.crowd_onset;
    let crowd = ((facing - onset) / (passing.crowd_full - onset)).clamp(0.0, 1.0);
    let in_time = passing.crowd_turn * crowd;
    let blocked = if blocked > in_time { blocked } else { in_time };
    if blocked <= 0.0 {
        return preferred;
    }
    // An agent that cannot get on trusts the common side, since there may be no room on the nearer one.
    let (nearest, common) = (passing.nearer_side, passing.common_side);
    let nearer = if weights > 0.0 { nearest * side / weights } else { 0.0 };
    let few = nearer + (common + (nearest - common) * blocked.clamp(0.0, 1.0)) * common_side(true);
    let side = few + (nearest * common_side(false) - few) * crowd;
    let side = (0.5 * (side + 1.0)).clamp(0.0, 1.0) * 2.0 - 1.0;
    let weights = if weights > crowd { weights.clamp(0.0, 1.0) } else { crowd };
    // Behind others that walk the same way, it follows them to their side.
    let followed = if follows && along > 0.0 { drift / along } else { 0.0 };
    (preferred + left * (speed * (sidestep * blocked * side * weights + followed))).direction() * speed
}

/// The side on which all pass where neither is nearer, now or always: one for the left, minus one for the right.
/// A drawn side lasts `time` seconds.
fn common_side<const D: usize>(me: &AgentRef<'_, D>, side: Side, time: f32, now: bool) -> f32 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
        Side::Drawn => {
            let settings = me.world().settings();
            let turn = me.world().seconds() / f64::from(time);
            let turn = if now { (turn as u64).saturating_add(1) } else { 0 };
            if Noise::new(settings.seed, 0, turn, Noise::SIDE).unit() < 0.5 { -1.0 } else { 1.0 }
        }
    }
}

/// The part of a wanted velocity that an agent lacks: more than one if it is pushed back, at most `most`.
fn lack<const D: usize>(velocity: Vector<D>, wanted: Vector<D>, most: f32) -> f32 {
    let squared = wanted.length_squared();
    let progress = if squared > 0.0 { velocity.dot(wanted) / squared } else { 1.0 };
    let lack = 1.0 - progress;
    if lack < most { lack } else { most }
}
