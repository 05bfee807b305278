//! Walkers: their preferred velocity, and the columns of a cluster for the kernels.

use crate::agents::Agents;
use crate::agents::columns::{Owner, Stored as _};
use crate::base::ids::SpeciesId;
use crate::base::settings::Edge;
use crate::kernels::visibility::VisibleAgents;
use crate::maths::{Vector, sin_cos};
use crate::rules::gatherings::Gatherings;
use crate::rules::interface::{AgentRef, Aim};
use crate::rules::motion::MOTION_KEY;
use crate::rules::parameters::{Kind, Range, rule};

/// The memory of a walker, which others see: the velocity that its rules wanted; and the key of its goal, with the tick
/// since which it rests there.
pub(super) const WANTED: &str = "wanted_velocity";
pub(super) const GOAL: &str = "goal_of_walk";

/// The velocities that the rules of walkers wanted in the last tick, one per row; `None` for other agents.
pub(crate) fn wanted_of<const D: usize>(agents: &Agents<D>) -> Option<&[[f32; D]]> {
    let wanted = agents.columns.0.iter().find(|column| column.is(Owner::Rule(MOTION_KEY), WANTED))?;
    <[f32; D]>::rows(&wanted.data)
}

/// The tick since which an agent rests that does not rest; and the bit of that since which it goes round others.
const ON_THE_WAY: u32 = u32::MAX;
const GOES_ROUND: u32 = 1 << 31;

/// Whether an agent rests since a tick.
pub(super) fn rests(since: u32) -> bool {
    since < GOES_ROUND
}

/// Adds the walkers of a species that rest to those that gather.
pub(crate) fn gather<const D: usize>(agents: &Agents<D>, gatherings: &mut Gatherings) {
    let goals = agents.columns.0.iter().find(|column| column.is(Owner::Rule(MOTION_KEY), GOAL));
    let goals = goals.and_then(|column| <[u32; 2]>::rows(&column.data));
    for (row, [goal, _]) in goals.into_iter().flatten().enumerate().filter(|(_, [_, since])| rests(*since)) {
        gatherings.add(*goal, agents.radius(row));
    }
}

/// The memory of a walker without a goal.
pub(super) const NO_GOAL: [u32; 2] = [0, ON_THE_WAY];

/// The directions in which walls around a goal are looked for.
const DIRECTIONS: usize = 8;

rule! {
    /// The parameters of all models of walkers with which an agent stops at its goal, and rests beside others there.
    "resting": "How agents come to rest at a goal."
    pub struct Resting {
        /// The time in which an agent covers the rest of its way once its body touches the target.
        pub stopping_time: f32 = 0.5, "s", Kind::Number(Range::from(0.0, 1e6)), advanced;
        /// The part of its largest speed below which an agent at its goal rests.
        pub resting_speed: f32 = 0.1, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The time for which another has rested at a goal before those beside it rest too.
        pub resting_time: f32 = 0.5, "s", Kind::Number(Range::from(0.0, 1e6)), advanced;
        /// The least cosine of the angle from the way to another in front, beside which an agent rests.
        pub resting_cosine: f32 = 0.25, "", Kind::Number(Range::from(-1.0, 1.0)), advanced;
        /// How far an agent at rest may be moved off the others before it sets off again, in radii.
        pub resting_slack: f32 = 0.5, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// How far from its goal an agent rests beside others at most, in radii of the disc that they and it fill.
        pub resting_room: f32 = 1.05, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The speed with which that distance grows for one that goes round the others, as a part of its own.
        pub resting_patience: f32 = 0.02, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The half extent of an exit in which there is room for several, in radii.
        pub exit_room: f32 = 1.6, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The speed with which an agent makes room before an exit for one only, as a part of its largest speed.
        pub exit_speed: f32 = 0.3, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
    }
}

/// The velocity that the rules of an agent want, up to its largest speed: its own plus their force times the response.
/// It is zero if no rule leads the agent anywhere, and never beyond the agent's target.
#[inline]
pub(super) fn preferred<const D: usize>(me: &AgentRef<'_, D>, wanted: Vector<D>, resting: &Resting) -> Vector<D> {
    let aim = me.aim();
    if aim.idle && wanted == Vector::ZERO {
        return Vector::ZERO;
    }
    let preferred = (me.velocity() + wanted * me.response()).truncate(me.max_speed());
    let preferred = if aim.left < f32::INFINITY { preferred * (1.0 - aim.held) } else { preferred };
    let (dt, touches) = (me.world().settings().tick_seconds, aim.left <= me.radius());
    let time = if touches && resting.stopping_time > dt { resting.stopping_time } else { dt };
    // In a region, nothing is left.
    if aim.stops && aim.left > 0.0 && aim.left < preferred.length() * time {
        preferred.direction() * (aim.left / time)
    } else {
        preferred
    }
}

/// Whether the agents of a cluster settle at their goals, and whether others near them rest or wait at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settle {
    pub(super) settles: bool,
    pub(super) beside_others: bool,
}

impl Settle {
    /// The result for the agents of a cluster; this agent is one of them. `goals` is the number of the column with the
    /// goals of walkers.
    pub(super) fn of<const D: usize>(me: &AgentRef<'_, D>, settle: bool, goals: usize) -> Self {
        let any_rests = |seen: VisibleAgents<'_>| {
            let goals = me.column::<[u32; 2]>(goals, SpeciesId(seen.species));
            goals.is_some_and(|goals| seen.rows.iter().any(|&row| rests(goals[row as usize][1])))
        };
        Self { settles: settle, beside_others: me.rows.lists[0].sights().parts().any(any_rests) }
    }
}

/// How a walker settles at its goal: one that touches another in front that rests at the same goal rests too, if it is
/// in the disc that both and all others at rest there fill; one that is farther goes round them. A crowd thus comes to
/// rest in a disc around a point, a place or a region, as the walkers that come to it do, one after the other. Where
/// walls take room from the disc, the rest is wider. In space none goes round.
///
/// Where a sink removes walkers none settles. At an exit with room for one only, those that are held up wait for the
/// others that are nearer to it, and make room for them: so a crowd around it leaves, one after the other.
pub(super) struct Settling<'a, const D: usize> {
    resting: &'a Resting,
    goal: u32,
    /// The offset to the end of the way.
    end: Vector<D>,
    /// Whether a sink removes the walker there, and whether it has room for several.
    is_exit: bool,
    has_room: bool,
    /// Whether the walker is at its goal, or a body at the goal would touch it.
    is_near: bool,
    is_there: bool,
    /// The gap within which bodies count as touching, in metres.
    reach: f32,
    margin: f32,
    ticks: u32,
    rests: bool,
    /// Whether another that rests at the goal is in front.
    is_blocked: bool,
    /// The tick since which the walker goes round others.
    round_since: u32,
    /// The least gap to those for which the walker waits, in metres.
    gap: f32,
}

/// What a walker does at its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum AtGoal<const D: usize> {
    /// It walks.
    GoesOn,
    /// It rests beside others.
    Rests,
    /// It goes round others with this velocity.
    GoesRound(Vector<D>),
    /// It waits before an exit with this velocity: at rest, or away from others.
    Waits(Vector<D>),
}

impl<'a, const D: usize> Settling<'a, D> {
    /// The result for an agent which keeps `margin` metres off others; none if it does not settle, or has no goal that
    /// others may share.
    pub(super) fn of(
        me: &AgentRef<'_, D>,
        before: [u32; 2],
        margin: f32,
        (settle, resting): (Settle, &'a Resting),
    ) -> Option<Self> {
        let Aim { goal, left, end, .. } = me.aim();
        if goal == 0 {
            return None;
        }
        let is_near = me.is_there() || left <= 2.0 * me.radius() + margin;
        let sink = if is_near || settle.beside_others { me.sink_at(end) } else { None };
        if !settle.settles && sink.is_none() {
            return None;
        }
        let rested = before[0] == goal && rests(before[1]);
        let slack = resting.resting_slack;
        let more = if rested { 2.0 * slack } else { slack };
        let ticks = resting.resting_time / me.world().settings().tick_seconds;
        Some(Self {
            resting,
            goal,
            end,
            is_exit: sink.is_some(),
            has_room: sink.is_some_and(|half| half >= resting.exit_room * me.radius()),
            is_near,
            is_there: me.is_there(),
            reach: margin + more * me.radius(),
            margin,
            ticks: ticks as u32,
            rests: false,
            is_blocked: false,
            round_since: match before {
                [key, since] if key == goal && !rests(since) && since != ON_THE_WAY => since,
                _ => GOES_ROUND | (me.world().tick() as u32),
            },
            gap: f32::INFINITY,
        })
    }

    /// Looks at a neighbour, which is `gap` metres from body to body and `rests` at a goal.
    pub(super) fn look(
        &mut self,
        me: &AgentRef<'_, D>,
        way: Vector<D>,
        (offset, gap): (Vector<D>, f32),
        [goal, since]: [u32; 2],
    ) {
        if self.has_room || goal != self.goal || !rests(since) || gap > self.reach {
            return;
        }
        let for_ticks = (me.world().tick() as u32).wrapping_sub(since);
        if for_ticks < self.ticks {
            return;
        }
        if self.is_exit {
            // Of two, only one is nearer: one always walks.
            if (offset - self.end).length_squared() < self.end.length_squared() {
                self.rests = true;
                self.gap = if gap < self.gap { gap } else { self.gap };
            }
            return;
        }
        let in_front = || offset.dot(way) >= self.resting.resting_cosine * offset.length() * way.length();
        self.rests |= self.is_there || self.is_held_up(me);
        self.is_blocked |= self.rests || in_front();
    }

    /// Whether one that rests beside others in front is near enough to its goal.
    fn has_place(&self, me: &AgentRef<'_, D>, rested: bool) -> bool {
        if D != 2 || rested {
            return true;
        }
        let disc = me.world().gatherings.radius(self.goal, me.radius()) * (1.0 + 0.5 * self.margin / me.radius());
        let ticks = (me.world().tick() as u32 | GOES_ROUND).wrapping_sub(self.round_since);
        let grown = self.resting.resting_patience * me.max_speed() * ticks as f32 * me.world().settings().tick_seconds;
        let most = self.resting.resting_room * disc + grown;
        let left = me.aim().left;
        left <= most || {
            let free = self.free_part(me, left);
            left * left * free <= most * most
        }
    }

    /// The part of the disc with this radius around the end of the way that walls and the world's edges leave free, from
    /// the directions in which nothing is between.
    fn free_part(&self, me: &AgentRef<'_, D>, radius: f32) -> f32 {
        let (world, from) = (me.world(), me.position() + self.end);
        let (settings, index) = (world.settings(), &world.environment_index.walls);
        let is_free = |number: &usize| {
            let (sine, cosine) = sin_cos((*number as f32 + 0.5) * (std::f32::consts::TAU / DIRECTIONS as f32));
            let offset = Vector::from_fn(|axis| [cosine, sine, 0.0][axis] * radius);
            let inside = |axis: usize| {
                let at = from[axis] + offset[axis];
                settings.edge[axis] != Edge::Bounce || (0.0..=settings.size[axis]).contains(&at)
            };
            let seen = (from, offset);
            (0..D).all(inside) && !world.environment.is_walled_off(index, settings, world.seconds(), seen)
        };
        (0..DIRECTIONS).filter(is_free).count() as f32 / DIRECTIONS as f32
    }

    /// Whether the walker is at its goal, or as near as another there would let it, and gets no nearer.
    fn is_held_up(&self, me: &AgentRef<'_, D>) -> bool {
        self.is_near && me.velocity().dot(self.end.direction()) <= self.resting.resting_speed * me.max_speed()
    }

    /// The way round those that rest in front, to the side to which the agent goes.
    fn goes_round(&self, me: &AgentRef<'_, D>, way: Vector<D>) -> AtGoal<D> {
        let (ahead, last) = (self.end.direction(), Vector(me.recall::<[f32; D]>(0)));
        let aside = Vector::from_fn(|axis| if axis == 0 { -ahead[1] } else { ahead[0] });
        let speed = if last.dot(aside) < 0.0 { -way.length() } else { way.length() };
        AtGoal::GoesRound(aside * speed)
    }

    /// What the agent does now, and the memory that others see. An agent that settles has arrived.
    pub(super) fn end(&mut self, me: &AgentRef<'_, D>, way: Vector<D>, before: [u32; 2]) -> (AtGoal<D>, [u32; 2]) {
        if self.has_room {
            return (AtGoal::GoesOn, [self.goal, ON_THE_WAY]);
        }
        let rested = before[0] == self.goal && rests(before[1]);
        self.rests |= self.is_blocked && self.has_place(me, rested);
        if self.is_blocked && !self.rests {
            return (self.goes_round(me, way), [self.goal, self.round_since]);
        }
        // One that was held up before an exit keeps its turn.
        let is_at_rest = self.rests || self.is_held_up(me) || (self.is_exit && self.is_near && rested);
        let since = match before {
            // One that loses touch for a moment still goes round.
            [goal, since] if !is_at_rest && goal == self.goal && !rested => since,
            _ if !is_at_rest => ON_THE_WAY,
            [_, since] if rested => since,
            _ => me.world().tick() as u32,
        };
        let does = if !self.rests {
            AtGoal::GoesOn
        } else if self.is_exit {
            let makes_room = self.is_near || self.gap < self.margin;
            let away = if makes_room { self.resting.exit_speed * me.max_speed() } else { 0.0 };
            AtGoal::Waits(self.end.direction() * -away)
        } else {
            me.arrive();
            AtGoal::Rests
        };
        (does, [self.goal, since])
    }
}
