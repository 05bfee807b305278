//! How walkers pass each other: the side to which they turn.

use crate::maths::{Noise, Vector};
use crate::rules::interface::AgentRef;
use crate::rules::parameters::choice;

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

/// The time for which a drawn side lasts, in seconds.
const SIDE_LASTS: f32 = 8.0;

/// How much the nearer side counts, times the distance off the middle; and how much the common one does, for an agent
/// that gets on.
const NEARER: f32 = 4.0;
const COMMON: f32 = 0.5;

/// The gap within which somebody in front turns an agent, in metres.
const LOOK: f32 = 2.0;

/// The progress of an agent that is pushed back, as a part of the speed that it wants; farther back counts as this.
const MOST_BACK: f32 = -2.0;

/// A neighbour as it matters to what an agent prefers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met<const D: usize> {
    pub(super) offset: Vector<D>,
    pub(super) velocity: Vector<D>,
    /// The sum of both radii and the margin, in metres.
    pub(super) width: f32,
    /// From body to body, in metres.
    pub(super) gap: f32,
    /// The velocity that it wants; its own if it is no walker of this kind.
    pub(super) wanted: Vector<D>,
    /// The goal at which it rests, and since when.
    pub(super) rests: [u32; 2],
}

/// The preferred velocity of an agent, turned to the side on which it passes those in its way. `sidestep` is the tangent
/// of the angle for an agent that stands.
pub(super) fn turned<const D: usize>(
    me: &AgentRef<'_, D>,
    preferred: Vector<D>,
    neighbours: impl Iterator<Item = Met<D>>,
    (sidestep, on_side): (f32, Side),
) -> Vector<D> {
    let squared = preferred.length_squared();
    if sidestep == 0.0 || !(squared > 0.0) {
        return preferred;
    }
    let speed = squared.sqrt();
    let ahead = preferred / speed;
    let mut left = Vector::ZERO;
    (left[0], left[1]) = (-ahead[1], ahead[0]);
    let mut blocked = lack(me.velocity(), preferred);
    let (mut weights, mut side) = (0.0, 0.0);
    for other in neighbours.take_while(|other| other.gap < LOOK) {
        let (far, across) = (other.offset.dot(ahead), other.offset.dot(left));
        let width = other.width;
        if !(far > 0.0 && across < width && across > -width) {
            continue;
        }
        // One for somebody who stands, two for one who comes, zero for one who walks the same way or across.
        let (theirs, same) = (other.wanted.length() / speed, other.wanted.dot(ahead) / speed);
        let stands = if theirs < 1.0 { 1.0 - theirs } else { 0.0 };
        let comes = if same < -1.0 {
            1.0
        } else if same < 0.0 {
            -same
        } else {
            0.0
        };
        let weight = (stands + 2.0 * comes) * (1.0 - other.gap / LOOK);
        weights += weight;
        side -= weight * across / width;
        if comes > 0.0 {
            // Who comes and gives way needs the agent to turn as well.
            let theirs = comes * lack(other.velocity, other.wanted);
            blocked = if theirs > blocked { theirs } else { blocked };
        }
    }
    if !(weights > 0.0 && blocked > 0.0) {
        return preferred;
    }
    // Who cannot get on trusts the common side, since there may be no room on the nearer one.
    let stuck = if blocked < 1.0 { blocked } else { 1.0 };
    let side = NEARER * side / weights + (COMMON + (NEARER - COMMON) * stuck) * common_side(me, on_side);
    let side = if side > 1.0 {
        1.0
    } else if side < -1.0 {
        -1.0
    } else {
        side
    };
    let weights = if weights < 1.0 { weights } else { 1.0 };
    (preferred + left * (speed * sidestep * blocked * side * weights)).direction() * speed
}

/// The side on which all pass where neither is nearer: one for the left, minus one for the right.
fn common_side<const D: usize>(me: &AgentRef<'_, D>, side: Side) -> f32 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
        Side::Drawn => {
            let settings = me.world().settings();
            let turn = (me.world().tick() as f32 * settings.tick_seconds / SIDE_LASTS) as u64;
            if Noise::new(settings.seed, 0, turn, Noise::SIDE).unit() < 0.5 { -1.0 } else { 1.0 }
        }
    }
}

/// The part of a wanted velocity that an agent lacks: more than one if it is pushed back.
fn lack<const D: usize>(velocity: Vector<D>, wanted: Vector<D>) -> f32 {
    let squared = wanted.length_squared();
    let progress = if squared > 0.0 { velocity.dot(wanted) / squared } else { 1.0 };
    1.0 - if progress > MOST_BACK { progress } else { MOST_BACK }
}
