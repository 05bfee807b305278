//! Collision-free speed model: Tordeux, Chraibi and Seyfried, "Collision-free speed model for pedestrian dynamics"
//! (2016).

use crate::kernels::CLUSTER;
use crate::kernels::walkers::{add_turns, find_gaps};
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Forces, Inputs, Neighbour, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::shared::up_to_full_speed;
use crate::rules::motions::walking::{bodies, preferred, walking};
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
        /// The species that the agent heeds.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
    }
}

impl CollisionFreeSpeed {
    fn model(&self) -> steering::CollisionFreeSpeed {
        steering::CollisionFreeSpeed { strength: self.strength, range: self.range, time_gap: self.time_gap }
    }

    /// The direction of the wanted velocity, turned by `turns` and away from walls.
    fn direction<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        preferred: Vector<D>,
        turns: Vector<D>,
        walls: &NearWalls<D>,
    ) -> Vector<D> {
        let model = steering::CollisionFreeSpeed { range: self.wall_range, ..self.model() };
        let mut turned = preferred.direction() + turns;
        for wall in walls.iter() {
            let body = Body { offset: wall.nearest, velocity: wall.velocity, radius: 0.0 };
            turned += turn_away(me.radius(), &body, &model, || Vector::ZERO);
        }
        turned.direction()
    }

    /// The velocity in a direction, with this gap ahead.
    fn in_direction<const D: usize>(&self, direction: Vector<D>, gap: f32, preferred: Vector<D>) -> Vector<D> {
        let speed = if gap > 0.0 { gap / self.time_gap } else { 0.0 };
        let wanted = preferred.length();
        direction * if speed < wanted { speed } else { wanted }
    }
}

impl<const D: usize> Motion<D> for CollisionFreeSpeed {
    fn inputs(&self) -> Inputs<'_> {
        Inputs::default().neighbours(Perception::within(self.radius, &self.from))
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let (world, preferred) = (me.world(), preferred(me, wanted));
        let body = |other: &Neighbour<D>| {
            let them = &world.species()[other.species.number()];
            Body { offset: other.offset, velocity: other.velocity, radius: them.radius(other.row) }
        };
        let mut turns = Vector::ZERO;
        for other in me.neighbours(0) {
            let apart = || world.drawn_direction(me.id().to_bits(), other.id.to_bits());
            turns += turn_away(me.radius(), &body(&other), &self.model(), apart);
        }
        let direction = self.direction(me, preferred, turns, &NearWalls::of(me, self.radius));
        let mut gap = f32::INFINITY;
        for other in me.neighbours(0) {
            let ahead = gap_ahead(me.radius(), &body(&other), direction);
            gap = if ahead < gap { ahead } else { gap };
        }
        self.in_direction(direction, gap, preferred)
    }

    fn velocities(&self, rows: &Rows<'_, D>, motion: &mut Forces<'_, D>) {
        let (walking, mut turns, mut coincident) = (walking(rows, self.radius), [[0.0; CLUSTER]; D], 0);
        let walls = WallsOfCluster::of(rows, |_| self.radius);
        let sights = &rows.lists[0].sights;
        for seen in sights.parts() {
            let (others, model) = (bodies(rows, seen.species), [self.strength, self.range]);
            coincident |= add_turns(rows.level, &walking, &others, &seen, &model, &mut turns);
        }
        let (mut directions, mut gaps) = ([[0.0; CLUSTER]; D], [f32::INFINITY; CLUSTER]);
        for lane in 0..rows.len {
            let me = rows.at(rows.first + lane);
            let turns = Vector::from_fn(|axis| turns[axis][lane]);
            let preferred = preferred(&me, motion.get(&me));
            let direction = self.direction(&me, preferred, turns, &walls.near(&me, self.radius));
            for axis in 0..D {
                directions[axis][lane] = direction[axis];
            }
        }
        for seen in sights.parts() {
            find_gaps(rows.level, &walking, &bodies(rows, seen.species), &seen, &directions, &mut gaps);
        }
        for lane in 0..rows.len {
            let me = rows.at(rows.first + lane);
            let wanted = motion.get(&me);
            let velocity = if coincident >> lane & 1 == 1 {
                self.velocity(&me, wanted)
            } else {
                let direction = Vector::from_fn(|axis| directions[axis][lane]);
                self.in_direction(direction, gaps[lane], preferred(&me, wanted))
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

    fn stability(&self, _tick: &TickOfSpecies) -> Stability {
        Stability::reaction(1.0)
    }

    reflect!(motion);
}
