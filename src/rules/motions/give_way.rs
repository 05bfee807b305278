//! Giving way: who is held up by somebody that does not go the same way steps aside, and both of them to the same hand.

use crate::agents::Agents;
use crate::agents::columns::{Owner, Stored as _};
use crate::maths::{Noise, Vector, mix64};
use crate::rules::interface::{AgentRef, Inputs, Neighbour};
use crate::rules::motion::MOTION_KEY;

/// The name of the memory in which an agent shows others the velocity that it wants.
const WISH: &str = "wish";

/// The share of the wanted speed below which an agent is held up.
const HELD_UP: f32 = 0.3;

/// The gap to another agent, in radii of both, within which it is in the way.
const GAP: f32 = 2.0;

/// The cosine of the angle from the wanted direction within which another agent is in the way.
const AHEAD: f32 = 0.5;

/// The cosine and the sine of the angle by which an agent turns aside.
const ASIDE: (f32, f32) = (0.5, 0.866_025_4);

/// The share of turns to the side on which there is more room; the others are drawn.
const TO_ROOM: f32 = 0.75;

/// The offset across the wanted direction, in radii of both, from which one side has more room.
const ROOM: f32 = 0.1;

/// The wishes of agents: the first memory of a motion that gives way.
pub(super) trait Wishes {
    /// Requests the memory of the wish.
    #[must_use]
    fn wish<const D: usize>(self) -> Self;
}

impl Wishes for Inputs<'_> {
    fn wish<const D: usize>(self) -> Self {
        self.memory(WISH, [0f32; D])
    }
}

/// Shows others the velocity that an agent wants. Returns the one with which it goes: turned aside while somebody on the
/// first list, who wants to go elsewhere or to stand, holds it up.
///
/// The two of a pair step to opposite sides in turns of a second each: mostly to the side on which there is more room,
/// else, and where both sides are alike, to one that is drawn for the pair. So no side is preferred, and a pair that a
/// wall keeps from passing on one side tries the other one.
pub(super) fn give_way<const D: usize>(me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
    me.remember(0, wanted.0);
    let speed = wanted.length();
    let ahead = wanted.direction();
    if speed <= 0.0 || me.velocity().dot(ahead) > HELD_UP * speed {
        return wanted;
    }
    let mut nearest: Option<(f32, Neighbour<D>, f32)> = None;
    for other in me.neighbours(0) {
        let them = &me.world().species()[other.species.number()];
        let (distance, touching) = (other.offset.length(), me.radius() + them.radius(other.row));
        let is_near = distance - touching <= GAP * touching && nearest.is_none_or(|(least, ..)| distance < least);
        if is_near && other.offset.dot(ahead) >= AHEAD * distance && wish(them, &other).dot(ahead) <= 0.0 {
            nearest = Some((distance, other, touching));
        }
    }
    let Some((_, other, touching)) = nearest else { return wanted };
    aside(me, &other, ahead, touching).map_or(wanted, |aside| ahead * (speed * ASIDE.0) + aside * (speed * ASIDE.1))
}

/// The velocity that a neighbour wanted in the last tick; its own if it does not show one.
fn wish<const D: usize>(them: &Agents<D>, other: &Neighbour<D>) -> Vector<D> {
    let column = them.columns.0.iter().find(|column| column.is(Owner::Rule(MOTION_KEY), WISH));
    let wishes = column.and_then(|column| <[f32; D]>::rows(&column.data));
    wishes.map_or(other.velocity, |wishes| Vector(wishes[other.row]))
}

/// The direction across the wanted one in which an agent steps; `None` where there is none.
fn aside<const D: usize>(
    me: &AgentRef<'_, D>,
    other: &Neighbour<D>,
    ahead: Vector<D>,
    touching: f32,
) -> Option<Vector<D>> {
    let (world, own, theirs) = (me.world(), me.id().to_bits(), other.id.to_bits());
    let (low, high) = if own < theirs { (own, theirs) } else { (theirs, own) };
    let second = world.seconds() as u64;
    let mut noise = Noise::new(world.settings().seed, mix64(low) ^ high, second, Noise::GIVE_WAY);
    let (keeps, drawn) = (noise.unit() < TO_ROOM, noise.direction::<D>());
    let across = |vector: Vector<D>| vector - ahead * vector.dot(ahead);
    let beside = across(other.offset);
    if keeps && beside.length() > ROOM * touching {
        return Some(-beside.direction());
    }
    let drawn = across(if own == low { drawn } else { -drawn }).direction();
    (drawn != Vector::ZERO).then_some(drawn)
}
