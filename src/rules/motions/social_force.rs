//! Social force model: Helbing, Farkas and Vicsek, "Simulating dynamical features of escape panic" (2000).

use crate::kernels::walkers::{SocialForces, add_social_forces};
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Forces, Inputs, Perception, Rows, Sight, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::give_way::{GOALS, GivingWay, give_way};
use crate::rules::motions::hardness::Hardness;
use crate::rules::motions::walking::{Resting, Settle, preferred};
use crate::rules::motions::walls::{NearWalls, WallsOfCluster};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};
use crate::rules::steering::{self, Body, Walker};

rule! {
    /// An agent accelerates to the velocity that its rules want within the relaxation time, is repelled by bodies near
    /// it, and is pushed and slowed by bodies in contact. Walls act as bodies at rest at their nearest points. Contact
    /// is stiff: with the default constants a tick should be at most 0.05 s long. See
    /// [`steering::social_force`](fn@steering::social_force) for the formula.
    "social_force": "Accelerates to the wanted velocity, repelled and rubbed by bodies near it."
    pub struct SocialForce {
        /// The distance within which neighbours repel.
        pub radius: f32 = 2.0, "m", Kind::Number(Range::LENGTH);
        /// The relaxation time `tau`, in which the agent takes up the wanted velocity.
        pub relaxation_time: f32 = 0.5, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The strength `A` of the repulsion between bodies that just touch.
        pub strength: f32 = 2000.0, "N", Kind::Number(Range::from(0.0, 1e9));
        /// The distance `B` over which the repulsion falls to the e-th part.
        pub range: f32 = 0.08, "m", Kind::Number(Range::above(0.0, 1e6));
        /// The stiffness `k` of bodies in contact.
        pub stiffness: f32 = 1.2e5, "kg/s²", Kind::Number(Range::from(0.0, 1e9));
        /// The friction `kappa` of bodies in contact.
        pub friction: f32 = 2.4e5, "kg/(m s)", Kind::Number(Range::from(0.0, 1e9));
        /// Whether agents that gather at one goal settle around it: an agent that touches another one in front which
        /// has rested at the same goal for half a second rests too.
        pub settle: bool = true, "", Kind::Flag;
        /// The species that repel the agent.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
        ..pub giving_way: GivingWay;
        ..pub resting: Resting;
    }
}

impl SocialForce {
    fn model(&self) -> steering::SocialForce {
        steering::SocialForce {
            strength: self.strength,
            range: self.range,
            stiffness: self.stiffness,
            friction: self.friction,
        }
    }

    /// The velocity after a tick of the forces of neighbours, of walls and of the wanted velocity.
    fn accelerated<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        wanted: Vector<D>,
        mut sum: ForceSum<D>,
        walls: &NearWalls<D>,
        settle: Settle,
    ) -> Vector<D> {
        let seconds = me.world().settings().tick_seconds;
        let walker = Walker { velocity: me.velocity(), radius: me.radius() };
        for wall in walls.iter() {
            let body = Body { offset: wall.nearest, velocity: wall.velocity, radius: 0.0 };
            // A wall does not step back, as the other one of a pair does.
            sum.add(&walker, &body, &self.model(), seconds, 0.5, || Vector::ZERO);
        }
        let wanted = preferred(me, wanted, &self.resting);
        let wanted = give_way(me, wanted, settle, (&self.giving_way, &self.resting));
        if wanted.rests {
            return Vector::ZERO;
        }
        let rate = wanted.insistence / self.relaxation_time;
        let driving = (wanted.velocity - me.velocity()) * rate;
        let both = 2.0 * seconds / me.mass();
        let diagonal = 1.0 + seconds * rate + both * sum.rub;
        let step = sum.hardness.solve(diagonal, both, (driving + sum.force / me.mass()) * seconds);
        (me.velocity() + step).truncate(me.max_speed())
    }
}

/// The sum of social forces on an agent, and how it changes with the velocity of a tick.
#[derive(Clone, Copy, Debug)]
struct ForceSum<const D: usize> {
    force: Vector<D>,
    hardness: Hardness<D>,
    rub: f32,
}

impl<const D: usize> ForceSum<D> {
    const NONE: Self = Self { force: Vector::ZERO, hardness: Hardness::NONE, rub: 0.0 };

    /// The force on one agent of a cluster.
    fn of(forces: &SocialForces<D>, lane: usize) -> Self {
        Self {
            force: Vector::from_fn(|axis| forces.force[axis][lane]),
            hardness: Hardness::of(&forces.hardness, lane),
            rub: forces.rub[lane],
        }
    }

    /// Adds the [social force](steering::social_force) of a body, with the push that it has at the end of the tick.
    /// `weight` is the part of the change of the force that counts.
    fn add(
        &mut self,
        me: &Walker<D>,
        other: &Body<D>,
        model: &steering::SocialForce,
        seconds: f32,
        weight: f32,
        apart: impl FnOnce() -> Vector<D>,
    ) {
        let (distance, away) = other.away(apart);
        let push = model.push(me, other, (distance, away), seconds);
        self.force += Vector(push.force);
        self.hardness.add(away, push.hardness * weight);
        self.rub += push.rub * weight;
    }
}

impl<const D: usize> Motion<D> for SocialForce {
    fn inputs(&self) -> Inputs {
        let seen = Perception::within(self.radius, &self.from).with_sight(Sight::Walls);
        Inputs::default().neighbours(seen).giving_way::<D>()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let world = me.world();
        let (walker, model) = (Walker { velocity: me.velocity(), radius: me.radius() }, self.model());
        let mut sum = ForceSum::NONE;
        for other in me.neighbours(0) {
            let them = &world.all_agents()[other.species.number()];
            let body = Body { offset: other.offset, velocity: other.velocity, radius: them.radius(other.row) };
            let apart = || world.drawn_direction(me.id().to_bits(), other.id.to_bits());
            sum.add(&walker, &body, &model, world.settings().tick_seconds, 1.0, apart);
        }
        self.accelerated(me, wanted, sum, &NearWalls::of(me, self.radius), Settle::of(me, self.settle, GOALS))
    }

    fn velocities(&self, rows: &Rows<'_, D>, motion: &mut Forces<'_, D>) {
        let (walking, mut forces, mut coincident) = (rows.cluster_bodies(self.radius), SocialForces::NONE, 0);
        let walls = WallsOfCluster::of(rows, |_| self.radius);
        let model = self.model().pushes(rows.world.settings().tick_seconds);
        for seen in rows.lists[0].sights().parts() {
            let others = rows.bodies(seen.species);
            coincident |= add_social_forces(rows.level, &walking, &others, &seen, &model, &mut forces);
        }
        let settle = Settle::of(&rows.at(rows.first), self.settle, GOALS);
        for lane in 0..rows.len {
            let me = rows.at(rows.first + lane);
            let wanted = motion.get(&me);
            let velocity = if coincident >> lane & 1 == 1 {
                self.velocity(&me, wanted)
            } else {
                self.accelerated(&me, wanted, ForceSum::of(&forces, lane), &walls.near(&me, self.radius), settle)
            };
            motion.set(&me, velocity);
        }
    }

    fn walks(&self) -> bool {
        true
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        Some(if has_rules { &["mass", "max_speed", "response"] } else { &["mass", "max_speed"] })
    }

    /// Bodies in contact are springs.
    fn stability(&self, tick: &TickOfSpecies) -> Stability {
        let spring = 2.0 * (tick.mass / self.stiffness).sqrt();
        Stability::reaction(tick.tick_seconds / self.relaxation_time).within(spring)
    }

    reflect!(motion);
}
