//! Giving way: an agent held up by one that does not go the same way steps aside, and both of them to the same hand.

use crate::maths::{Noise, Vector, mix64};
use crate::rules::interface::{AgentRef, Inputs, Neighbour};
use crate::rules::motions::walking::{AtGoal, GOAL, NO_GOAL, Settle, Settling, WANTED};

/// The share of the wanted speed below which an agent is held up.
const HELD_UP: f32 = 0.3;

/// The gap to another agent, in radii of both, within which it is in the way.
const GAP: f32 = 2.0;

/// A distance, in radii of both, at which another is certainly not in the way.
const FAR: f32 = (1.0 + GAP) * 1.01;

/// The cosine of the angle from the wanted direction within which another agent is in the way.
const AHEAD: f32 = 0.5;

/// The parts of the wanted speed ahead and to the side with which an agent steps aside.
const ASIDE: (f32, f32) = (0.75, 0.9);

/// The offset across the wanted direction, in radii of both, from which an agent has stepped aside far enough.
const BESIDE: f32 = 1.1;

/// The distance, in metres, beyond which a target is another one than before.
const ELSEWHERE: f32 = 2.0;

/// The share of turns to the side on which there is more room; the others are drawn.
const TO_ROOM: f32 = 0.75;

/// The offset across the wanted direction, in radii of both, from which one side has more room.
const ROOM: f32 = 0.1;

/// The part of a wanted speed below which a neighbour wants to stand.
const STANDS: f32 = 0.05;

/// The seconds after which an agent that came no nearer to its target stops going round those that stand.
const PATIENCE: f32 = 8.0;

/// How much nearer to its target, in metres, an agent comes that gets on.
const NEARER: f32 = 0.2;

/// The columns that a model requests which gives way, by their numbers.
pub(super) const GOALS: usize = 0;
const WISHES: usize = 1;

/// The name of the memory of the least distance to a target, and of the seconds since.
const PROGRESS: &str = "progress";

/// The gap up to which others keep an agent off that presses on to the same goal, in metres.
const BALANCE: f32 = 0.3;

/// How many times as much an agent wants to advance while it squeezes past another one.
pub(super) const INSISTENCE: f32 = 4.0;

impl Inputs {
    /// Requests the inputs and the memory of [`give_way`]. Neighbours come from the first list.
    pub(super) fn giving_way<const D: usize>(self) -> Self {
        let remembering = self.memory(WANTED, [0f32; D]).memory(PROGRESS, [f32::INFINITY, 0.0]);
        remembering.memory(GOAL, NO_GOAL).column(GOAL).column(WANTED)
    }
}

/// The wish of an agent after a look at the neighbours in its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wanted<const D: usize> {
    /// The velocity, in metres per second.
    pub(super) velocity: Vector<D>,
    /// How many times as strongly as usual: more than once while it squeezes past another.
    pub(super) insistence: f32,
    /// The seconds since the agent came nearer to its target.
    pub(super) held_for: f32,
    /// Whether it has settled at its goal, and touches no other agent: it stands still.
    pub(super) rests: bool,
}

impl<const D: usize> Wanted<D> {
    pub(super) const NOTHING: Self = Self { velocity: Vector::ZERO, insistence: 1.0, held_for: 0.0, rests: false };
}

/// Shows others the velocity that an agent wants. Returns the one with which it goes: turned aside while it is held up
/// by another ahead that wants to go the other way or to stand.
///
/// The two of a pair step to opposite sides in turns of a second each: mostly to the side on which there is more room,
/// else, and where both sides are alike, to one that is drawn for the pair. So no side is preferred, and a pair that a
/// wall keeps from passing on one side tries the other one. An agent whose target is not beyond the other one waits,
/// and so does one that came no nearer to its target for some seconds in spite of going round those that stand.
pub(super) fn give_way<const D: usize>(me: &AgentRef<'_, D>, velocity: Vector<D>, settle: Settle) -> Wanted<D> {
    let held_for = progress(me);
    let (at_goal, touches_none) = settles(me, velocity, settle);
    if at_goal == AtGoal::Rests {
        me.remember(0, [0f32; D]);
        return Wanted { rests: touches_none, ..Wanted::NOTHING };
    }
    me.remember(0, velocity.0);
    if let AtGoal::Waits(velocity) = at_goal {
        return Wanted { velocity, ..Wanted::NOTHING };
    }
    let usual = Wanted { velocity, held_for, ..Wanted::NOTHING };
    let (speed, ahead) = (velocity.length(), velocity.direction());
    if speed <= 0.0 || me.velocity().dot(ahead) > HELD_UP * speed {
        return usual;
    }
    let left = me.aim().left;
    let mut nearest: Option<(f32, Neighbour<D>, f32)> = None;
    for other in me.neighbours(0) {
        let them = &me.world().all_agents()[other.species.number()];
        let touching = me.radius() + them.radius(other.row);
        // Most are too far, which their squared distances say.
        if other.distance_squared > (touching * FAR) * (touching * FAR) {
            continue;
        }
        let distance = other.offset.length();
        let is_near = distance - touching <= GAP * touching && nearest.is_none_or(|(least, ..)| distance < least);
        if !is_near || other.offset.dot(ahead) < AHEAD * distance || left <= distance {
            continue;
        }
        let along = wish(me, &other).dot(ahead);
        if along < -STANDS * speed || (along <= STANDS * speed && held_for < PATIENCE) {
            nearest = Some((distance, other, touching));
        }
    }
    let Some((_, other, touching)) = nearest else { return usual };
    let beside = other.offset - ahead * other.offset.dot(ahead);
    let velocity = if beside.length() >= BESIDE * touching {
        velocity
    } else {
        let Some(aside) = aside(me, &other, ahead, touching) else { return usual };
        ahead * (speed * ASIDE.0) + aside * (speed * ASIDE.1)
    };
    Wanted { velocity, insistence: INSISTENCE, held_for, rests: false }
}

/// Remembers whether an agent rests at its goal. Returns what it does there, and whether it touches no body.
fn settles<const D: usize>(me: &AgentRef<'_, D>, velocity: Vector<D>, settle: Settle) -> (AtGoal<D>, bool) {
    let before = me.recall::<[u32; 2]>(2);
    let mut touches_none = true;
    let Some(mut settling) = Settling::of(me, before, BALANCE, settle) else {
        me.remember(2, NO_GOAL);
        return (AtGoal::GoesOn, touches_none);
    };
    // Without a neighbour at rest there is nothing to look at. A list of neighbours takes more time than all else here.
    if settle.beside_others {
        for other in me.neighbours(0) {
            let touching = me.radius() + me.world().all_agents()[other.species.number()].radius(other.row);
            let gap = other.offset.length() - touching;
            touches_none &= gap >= 0.0;
            let rests = me.column::<[u32; 2]>(GOALS, other.species).map_or(NO_GOAL, |rests| rests[other.row]);
            settling.look(me, velocity, (other.offset, gap), rests);
        }
    }
    let (at_goal, rests_at) = settling.end(me, before);
    me.remember(2, rests_at);
    (at_goal, touches_none)
}

/// Remembers how near an agent came to its target. Returns the seconds since it came nearer.
fn progress<const D: usize>(me: &AgentRef<'_, D>) -> f32 {
    let ([least, seconds], left) = (me.recall::<[f32; 2]>(1), me.aim().left);
    let is_elsewhere = left > 2.0 * least + ELSEWHERE;
    let (least, seconds) = if left < least - NEARER || is_elsewhere || left == f32::INFINITY {
        (left, 0.0)
    } else {
        (least, seconds + me.world().settings().tick_seconds)
    };
    me.remember(1, [least, seconds]);
    seconds
}

/// The velocity that a neighbour wanted in the last tick; its own if it does not show one.
fn wish<const D: usize>(me: &AgentRef<'_, D>, other: &Neighbour<D>) -> Vector<D> {
    me.column::<[f32; D]>(WISHES, other.species).map_or(other.velocity, |wishes| Vector(wishes[other.row]))
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
