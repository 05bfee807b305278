//! Collision-free speed model: Tordeux, Chraibi and Seyfried, "Collision-free speed model for pedestrian dynamics"
//! (2016).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Inputs, Perception, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::preferred;
use crate::rules::parameters::{Kind, Range, rule};
use crate::rules::steering::{self, Body};

rule! {
    /// An agent turns away from its neighbours and walks no faster than the gap ahead permits. See
    /// [`steering::collision_free_speed`] for the formula.
    "collision_free_speed": "Turns away from neighbours and walks no faster than the gap ahead permits."
    pub struct CollisionFreeSpeed {
        /// The distance within which neighbours count.
        pub radius: f32 = 3.0, "m", Kind::Number(Range::LENGTH);
        /// The strength `a` of the repulsion that turns the agent.
        pub strength: f32 = 5.0, "", Kind::Number(Range::from(0.0, 1e6));
        /// The distance `D` over which the repulsion falls to the e-th part.
        pub range: f32 = 0.1, "m", Kind::Number(Range::above(0.0, 1e6));
        /// The time gap `T` to the agent ahead.
        pub time_gap: f32 = 1.0, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The species that the agent heeds.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
    }
}

impl<const D: usize> Motion<D> for CollisionFreeSpeed {
    fn inputs(&self) -> Inputs<'_> {
        Inputs::default().neighbours(Perception::within(self.radius, &self.from))
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let world = me.world();
        let model = steering::CollisionFreeSpeed {
            strength: self.strength,
            range: self.range,
            time_gap: self.time_gap,
        };
        let bodies = me.neighbours(0).map(|other| {
            let them = &world.species()[other.species.number()];
            Body { offset: other.offset, velocity: other.velocity, radius: them.radius(other.row) }
        });
        let apart = |place| {
            let other = me.neighbours(0).nth(place);
            other.map_or(Vector::ZERO, |other| world.drawn_direction(me.id().to_bits(), other.id.to_bits()))
        };
        steering::collision_free_speed(bodies, preferred(me, wanted), me.radius(), &model, apart)
    }
}
