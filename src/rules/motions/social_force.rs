//! Social force model: Helbing, Farkas and Vicsek, "Simulating dynamical features of escape panic" (2000).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Inputs, Perception, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::preferred;
use crate::rules::parameters::{Kind, Range, rule};
use crate::rules::steering::{self, Body, Walker};

rule! {
    /// An agent accelerates to the velocity that its rules want within the relaxation time, is repelled by bodies near
    /// it, and is pushed and slowed by bodies in contact. See [`steering::social_force`] for the formula.
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
        /// The species that repel the agent.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
    }
}

impl<const D: usize> Motion<D> for SocialForce {
    fn inputs(&self) -> Inputs<'_> {
        Inputs::default().neighbours(Perception::within(self.radius, &self.from))
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let world = me.world();
        let walker = Walker { velocity: me.velocity(), radius: me.radius() };
        let model = steering::SocialForce {
            strength: self.strength,
            range: self.range,
            stiffness: self.stiffness,
            friction: self.friction,
        };
        let mut total = Vector::ZERO;
        for other in me.neighbours(0) {
            let them = &world.species()[other.species.number()];
            let body = Body { offset: other.offset, velocity: other.velocity, radius: them.radius(other.row) };
            let apart = || world.drawn_direction(me.id().to_bits(), other.id.to_bits());
            total += steering::social_force(&walker, &body, &model, apart);
        }
        let step = world.settings().tick_seconds;
        let driving = (preferred(me, wanted) - me.velocity()) / self.relaxation_time;
        (me.velocity() + (driving + total / me.mass()) * step).truncate(me.max_speed())
    }
}
