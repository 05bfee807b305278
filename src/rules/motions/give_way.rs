//! Giving way: an agent held up by one that does not go the same way steps aside, and both of them to the same hand.

use crate::maths::{Noise, Vector, mix64};
use crate::rules::interface::{AgentRef, Inputs, Neighbour};
use crate::rules::motions::walking::{AtGoal, GOAL, NO_GOAL, Resting, Settle, Settling, WANTED};
use crate::rules::parameters::{Kind, Range, rule};

rule! {
    /// The parameters of [`SocialForce`](crate::motions::SocialForce) and
    /// [`CollisionFreeSpeed`](crate::motions::CollisionFreeSpeed) with which an agent gives way. Distances in units of
    /// touching bodies are parts of the distance of two bodies that touch.
    "giving_way": "How agents that hold each other up step aside."
    pub struct GivingWay {
        /// The part of the wanted speed below which an agent is held up, and gives way.
        pub held_up: f32 = 0.3, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The gap up to which another is in the way, in units of touching bodies.
        pub blocking_gap: f32 = 2.0, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The least cosine of the angle from the way to another that is in the way.
        pub blocking_cosine: f32 = 0.5, "", Kind::Number(Range::from(-1.0, 1.0)), advanced;
        /// The part of the wanted speed below which a neighbour wants to stand.
        pub standing: f32 = 0.05, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The speed ahead of an agent that steps aside, as a part of the wanted one.
        pub step_ahead: f32 = 0.75, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The speed to the side of an agent that steps aside, as a part of the wanted one.
        pub step_aside: f32 = 0.9, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The offset of another across the way from which an agent has stepped aside, in units of touching bodies.
        pub passing_offset: f32 = 1.1, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The time after which a pair draws anew to which sides both step.
        pub side_time: f32 = 1.0, "s", Kind::Number(Range::from(0.01, 1e6)), advanced;
        /// The probability that an agent steps to the side with more room; otherwise the side is drawn.
        pub to_room: f32 = 0.75, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The offset of another across the way from which one side has more room, in units of touching bodies.
        pub room_offset: f32 = 0.1, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// How many times as strongly an agent wants to advance while it squeezes past another.
        pub insistence: f32 = 4.0, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The time without progress after which an agent goes round those that stand no longer.
        pub patience: f32 = 8.0, "s", Kind::Number(Range::from(0.0, 1e6)), advanced;
        /// How much nearer to its target an agent comes that makes progress.
        pub progress: f32 = 0.2, "m", Kind::Number(Range::LENGTH), advanced;
        /// The distance by which a target is farther, beyond twice the least one, if it is a new target.
        pub new_target: f32 = 2.0, "m", Kind::Number(Range::LENGTH), advanced;
        /// The gap at which agents that press on to the same goal come to rest beside each other.
        pub resting_gap: f32 = 0.3, "m", Kind::Number(Range::LENGTH), advanced;
    }
}

/// The margin by which rounding may misjudge a distance.
const ROUNDING: f32 = 1.01;

/// The columns that a model requests which gives way, by their numbers.
pub(super) const GOALS: usize = 0;
const WISHES: usize = 1;

/// The name of the memory of the least distance to a target, and of the seconds since.
const PROGRESS: &str = "progress";

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
/// The two of a pair step to opposite sides in turns of `side_time` each: mostly to the side on which there is more room,
/// else, and where both sides are alike, to one that is drawn for the pair. So no side is preferred, and a pair that a
/// wall keeps from passing on one side tries the other one. An agent whose target is not beyond the other one waits,
/// and so does one that came no nearer to its target for some seconds in spite of going round those that stand.
pub(super) fn give_way<const D: usize>(
    me: &AgentRef<'_, D>,
    velocity: Vector<D>,
    settle: Settle,
    (giving, resting): (&GivingWay, &Resting),
) -> Wanted<D> {
    let held_for = progress(me, giving);
    let (at_goal, touches_none) = settles(me, velocity, settle, (giving.resting_gap, resting));
    if at_goal == AtGoal::Rests {
        me.remember(0, [0f32; D]);
        return Wanted { rests: touches_none, ..Wanted::NOTHING };
    }
    let velocity = if let AtGoal::GoesRound(round) = at_goal { round } else { velocity };
    me.remember(0, velocity.0);
    if let AtGoal::Waits(velocity) = at_goal {
        return Wanted { velocity, ..Wanted::NOTHING };
    }
    let usual = Wanted { velocity, held_for, ..Wanted::NOTHING };
    let (speed, ahead) = (velocity.length(), velocity.direction());
    if speed <= 0.0 || me.velocity().dot(ahead) > giving.held_up * speed {
        return usual;
    }
    let (left, far) = (me.aim().left, (1.0 + giving.blocking_gap) * ROUNDING);
    let mut nearest: Option<(f32, Neighbour<D>, f32)> = None;
    for other in me.neighbours(0) {
        let them = &me.world().all_agents()[other.species.number()];
        let touching = me.radius() + them.radius(other.row);
        // Most are too far, which their squared distances say.
        if other.distance_squared > (touching * far) * (touching * far) {
            continue;
        }
        let distance = other.offset.length();
        let is_near =
            distance - touching <= giving.blocking_gap * touching && nearest.is_none_or(|(least, ..)| distance < least);
        if !is_near || other.offset.dot(ahead) < giving.blocking_cosine * distance || left <= distance {
            continue;
        }
        let along = wish(me, &other).dot(ahead);
        let standing = giving.standing * speed;
        if along < -standing || (along <= standing && held_for < giving.patience) {
            nearest = Some((distance, other, touching));
        }
    }
    let Some((_, other, touching)) = nearest else { return usual };
    let beside = other.offset - ahead * other.offset.dot(ahead);
    let velocity = if beside.length() >= giving.passing_offset * touching {
        velocity
    } else {
        let Some(aside) = aside(me, &other, ahead, (touching, giving)) else { return usual };
        ahead * (speed * giving.step_ahead) + aside * (speed * giving.step_aside)
    };
    Wanted { velocity, insistence: giving.insistence, held_for, rests: false }
}

/// Remembers whether an agent rests at its goal. Returns what it does there, and whether it touches no body.
fn settles<const D: usize>(
    me: &AgentRef<'_, D>,
    velocity: Vector<D>,
    settle: Settle,
    (gap, resting): (f32, &Resting),
) -> (AtGoal<D>, bool) {
    let before = me.recall::<[u32; 2]>(2);
    let mut touches_none = true;
    let Some(mut settling) = Settling::of(me, before, gap, (settle, resting)) else {
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
    let (at_goal, rests_at) = settling.end(me, velocity, before);
    me.remember(2, rests_at);
    (at_goal, touches_none)
}

/// Remembers how near an agent came to its target. Returns the seconds since it came nearer.
fn progress<const D: usize>(me: &AgentRef<'_, D>, giving: &GivingWay) -> f32 {
    let ([least, seconds], left) = (me.recall::<[f32; 2]>(1), me.aim().left);
    let is_elsewhere = left > 2.0 * least + giving.new_target;
    let (least, seconds) = if left < least - giving.progress || is_elsewhere || left == f32::INFINITY {
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
    (touching, giving): (f32, &GivingWay),
) -> Option<Vector<D>> {
    let (world, own, theirs) = (me.world(), me.id().to_bits(), other.id.to_bits());
    let (low, high) = if own < theirs { (own, theirs) } else { (theirs, own) };
    let turn = (world.seconds() / f64::from(giving.side_time)) as u64;
    let mut noise = Noise::new(world.settings().seed, mix64(low) ^ high, turn, Noise::GIVE_WAY);
    let (keeps, drawn) = (noise.unit() < giving.to_room, noise.direction::<D>());
    let across = |vector: Vector<D>| vector - ahead * vector.dot(ahead);
    let beside = across(other.offset);
    if keeps && beside.length() > giving.room_offset * touching {
        return Some(-beside.direction());
    }
    let drawn = across(if own == low { drawn } else { -drawn }).direction();
    (drawn != Vector::ZERO).then_some(drawn)
}
