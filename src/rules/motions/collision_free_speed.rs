//! Collision-free speed model: Tordeux, Chraibi and Seyfried, "Collision-free speed model for pedestrian dynamics"
//! (2016).

use crate::formulas::bodies::repulsion;
use crate::kernels::CLUSTER;
use crate::kernels::walkers::{Turns, add_turns, find_gaps};
use crate::maths::{Noise, Vector};
use crate::rules::interface::{AgentRef, Forces, Inputs, Neighbour, Perception, Rows, Sight, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::give_way::{GOALS, GivingWay, Wanted, give_way};
use crate::rules::motions::hardness::Hardness;
use crate::rules::motions::shared::up_to_full_speed;
use crate::rules::motions::walking::{Resting, Settle, preferred};
use crate::rules::motions::walls::{NearWalls, WallsOfCluster};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};
use crate::rules::steering::{self, Body, gap_ahead, turn_away};

rule! {
    /// An agent turns away from its neighbours and walks no faster than the gap ahead permits. See
    /// [`steering::collision_free_speed`](fn@steering::collision_free_speed) for the formula.
    "collision_free_speed": "Turns away from neighbours and walks no faster than the gap ahead permits."
    pub struct CollisionFreeSpeed {
        /// The distance within which neighbours count.
        pub radius: f32 = 3.0, "m", Kind::Number(Range::LENGTH);
        /// The strength `a` of the repulsion that turns the agent.
        pub strength: f32 = 5.0, "", Kind::Number(Range::from(0.0, 1e6));
        /// The distance `D` over which the repulsion falls to the e-th part.
        pub range: f32 = 0.1, "m", Kind::Number(Range::above(0.0, 1e6));
        /// The distance over which the repulsion of a wall falls to the e-th part.
        pub wall_range: f32 = 0.02, "m", Kind::Number(Range::above(0.0, 1e6));
        /// The time gap `T` to the agent ahead.
        pub time_gap: f32 = 1.0, "s", Kind::Number(Range::above(0.0, 1e6));
        /// Whether agents that gather at one goal settle around it: an agent that touches another one in front which
        /// has rested at the same goal for half a second rests too.
        pub settle: bool = true, "", Kind::Flag;
        /// The species that the agent heeds.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
        /// The sum of the wish, of length one, and all turns below which an agent goes more slowly.
        pub balance: f32 = 0.1, "", Kind::Number(Range::from(0.001, 1.0)), advanced;
        /// The time without progress after which an agent presses on, or makes room, now and then.
        pub pressing_time: f32 = 2.0, "s", Kind::Number(Range::from(0.0, 1e6)), advanced;
        /// The probability that an agent without progress presses on; otherwise it makes room in any direction.
        pub pressing: f32 = 0.5, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        ..pub giving_way: GivingWay;
        ..pub resting: Resting;
    }
}

impl CollisionFreeSpeed {
    fn model(&self) -> steering::CollisionFreeSpeed {
        steering::CollisionFreeSpeed { strength: self.strength, range: self.range, time_gap: self.time_gap }
    }

    /// The direction of the wanted velocity, turned by neighbours and away from walls. It is shorter than one where a
    /// step of full length would lead past the balance of all turns.
    fn direction<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        wanted: &Wanted<D>,
        TurnSum { turn, mut hardness }: TurnSum<D>,
        walls: &NearWalls<D>,
    ) -> Vector<D> {
        let model = steering::CollisionFreeSpeed { range: self.wall_range, ..self.model() };
        let mut turned = wanted.velocity.direction() * wanted.insistence + turn;
        for wall in walls.iter() {
            let body = Body { offset: wall.nearest, velocity: wall.velocity, radius: 0.0 };
            let turn = turn_away(me.radius(), &body, &model, || Vector::ZERO);
            turned += turn;
            // A wall does not step back, as the other one of a pair does.
            hardness.add(-wall.nearest.direction(), turn.length() / self.wall_range * 0.5);
        }
        step(turned, &hardness, self.balance, 2.0 * wanted.velocity.length() * me.world().settings().tick_seconds)
    }

    /// The wish of an agent. One that has made no progress for some seconds presses on, or makes room in any direction,
    /// in some of the seconds that follow, ever more rarely: so those that hold each other up in front of a door come
    /// free, and a crowd that has reached its goal comes to rest.
    fn wish<const D: usize>(&self, me: &AgentRef<'_, D>, wanted: Vector<D>, settle: Settle) -> Wanted<D> {
        let wanted = preferred(me, wanted, &self.resting);
        let wanted = give_way(me, wanted, settle, (&self.giving_way, &self.resting));
        if wanted.held_for < self.pressing_time {
            return wanted;
        }
        let (world, insistence) = (me.world(), self.giving_way.insistence);
        let mut noise = Noise::new(world.settings().seed, me.id().to_bits(), world.seconds() as u64, Noise::PRESS_ON);
        if noise.unit() * wanted.held_for >= self.pressing_time {
            wanted
        } else if noise.unit() < self.pressing {
            Wanted { insistence, ..wanted }
        } else {
            Wanted { velocity: noise.direction::<D>() * wanted.velocity.length(), insistence, ..wanted }
        }
    }

    /// The velocity of an agent that wants this.
    fn chosen<const D: usize>(&self, me: &AgentRef<'_, D>, wanted: Wanted<D>) -> Vector<D> {
        let world = me.world();
        let body = |other: &Neighbour<D>| {
            let them = &world.all_agents()[other.species.number()];
            Body { offset: other.offset, velocity: other.velocity, radius: them.radius(other.row) }
        };
        let mut sum = TurnSum { turn: Vector::ZERO, hardness: Hardness::NONE };
        for other in me.neighbours(0) {
            let apart = || world.drawn_direction(me.id().to_bits(), other.id.to_bits());
            let body = body(&other);
            let (distance, away) = body.away(apart);
            let push = repulsion(me.radius() + body.radius - distance, self.strength, self.range);
            sum.turn += away * push;
            sum.hardness.add(away, push / self.range);
        }
        let direction = self.direction(me, &wanted, sum, &NearWalls::of(me, self.radius));
        let (ahead, mut gap) = (direction.direction(), f32::INFINITY);
        for other in me.neighbours(0) {
            let to_body = gap_ahead(me.radius(), &body(&other), ahead);
            gap = if to_body < gap { to_body } else { gap };
        }
        self.in_direction(direction, gap, wanted.velocity)
    }

    /// The velocity in a direction, with this gap ahead.
    fn in_direction<const D: usize>(&self, direction: Vector<D>, gap: f32, preferred: Vector<D>) -> Vector<D> {
        let speed = if gap > 0.0 { gap / self.time_gap } else { 0.0 };
        let wanted = preferred.length();
        direction * if speed < wanted { speed } else { wanted }
    }
}

/// The sum of the turns of an agent, and how fast they change with its position.
#[derive(Clone, Copy, Debug)]
struct TurnSum<const D: usize> {
    turn: Vector<D>,
    hardness: Hardness<D>,
}

/// The direction of `turned` at the end of a step along it; `both` is twice the length of the step, because the step of
/// the other one of a pair counts too. It is shorter than one if the sum of the turns falls below `balance` on the way.
fn step<const D: usize>(turned: Vector<D>, hardness: &Hardness<D>, balance: f32, both: f32) -> Vector<D> {
    let mut left = turned.length();
    if left <= 0.0 {
        return Vector::ZERO;
    }
    let mut direction = Vector::ZERO;
    for _ in 0..SOLUTIONS {
        direction = hardness.solve(left, both, turned);
        let length = direction.length();
        if length >= FULL {
            break;
        }
        // The rest of the turned wish at the end of this step.
        left *= length;
        if left <= balance {
            direction = hardness.solve(balance, both, turned);
            break;
        }
    }
    direction.truncate(1.0)
}

/// The number of solutions that find the length of the rest of a wish closely enough.
const SOLUTIONS: u32 = 6;

/// The ranges of the repulsion that an agent may go in a tick: the time in which a crowd passes a door is then at most a
/// tenth longer than with short ticks.
const RANGES: f32 = 1.3;

/// The length of a direction that counts as one.
const FULL: f32 = 0.99;

impl<const D: usize> Motion<D> for CollisionFreeSpeed {
    fn inputs(&self) -> Inputs {
        let seen = Perception::within(self.radius, &self.from).with_sight(Sight::Walls);
        Inputs::default().neighbours(seen).giving_way::<D>()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        self.chosen(me, self.wish(me, wanted, Settle::of(me, self.settle, GOALS)))
    }

    fn velocities(&self, rows: &Rows<'_, D>, motion: &mut Forces<'_, D>) {
        let (walking, mut turns, mut coincident) = (rows.cluster_bodies(self.radius), Turns::NONE, 0);
        let walls = WallsOfCluster::of(rows, |_| self.radius);
        let sights = rows.lists[0].sights();
        for seen in sights.parts() {
            let (others, model) = (rows.bodies(seen.species), [self.strength, self.range]);
            coincident |= add_turns(rows.level, &walking, &others, &seen, &model, &mut turns);
        }
        let settle = Settle::of(&rows.at(rows.first), self.settle, GOALS);
        let (mut wishes, mut directions) = ([Wanted::NOTHING; CLUSTER], [Vector::ZERO; CLUSTER]);
        let (mut ahead, mut gaps) = ([[0.0; CLUSTER]; D], [f32::INFINITY; CLUSTER]);
        for lane in 0..rows.len {
            let me = rows.at(rows.first + lane);
            let turn = Vector::from_fn(|axis| turns.turn[axis][lane]);
            let sum = TurnSum { turn, hardness: Hardness::of(&turns.hardness, lane) };
            wishes[lane] = self.wish(&me, motion.get(&me), settle);
            directions[lane] = self.direction(&me, &wishes[lane], sum, &walls.near(&me, self.radius));
            let direction = directions[lane].direction();
            for axis in 0..D {
                ahead[axis][lane] = direction[axis];
            }
        }
        for seen in sights.parts() {
            find_gaps(rows.level, &walking, &rows.bodies(seen.species), &seen, &ahead, &mut gaps);
        }
        for lane in 0..rows.len {
            let me = rows.at(rows.first + lane);
            let velocity = if coincident >> lane & 1 == 1 {
                self.chosen(&me, wishes[lane])
            } else {
                self.in_direction(directions[lane], gaps[lane], wishes[lane].velocity)
            };
            motion.set(&me, velocity);
        }
    }

    fn walks(&self) -> bool {
        true
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        up_to_full_speed(has_rules)
    }

    /// An agent looks once in a tick how its neighbours turn it. Where it goes farther than the range of their repulsion,
    /// crowds pass doors more slowly.
    fn stability(&self, tick: &TickOfSpecies) -> Stability {
        Stability::reaction(1.0).within(RANGES * self.range / tick.max_speed)
    }

    reflect!(motion);
}
