//! D'Orsogna, Chuang, Bertozzi and Chayes, "Self-Propelled Particles with Soft-Core Interactions: Patterns, Stability,
//! and Collapse", Physical Review Letters 96, 104302 (2006).

use crate::maths::{Vector, exp, pow};
use crate::rules::interface::{AgentRef, Inputs, Perception, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::shared::{RESIDUAL, accelerated};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};

rule! {
    /// An agent propels itself against a drag, and interacts with the others by a Morse potential:
    ///
    /// `mass * acceleration = (propulsion - drag * v^2) * v - gradient of the sum of
    /// (repulsion * exp(-r / repulsion_range) - attraction * exp(-r / attraction_range))`
    ///
    /// Alone, an agent reaches the speed `sqrt(propulsion / drag)`. Semi-implicit: positions advance with the new
    /// velocities. The force of the species' rules is added. `max_speed` has no effect on the motion.
    "dorsogna": "Propels itself, and attracts and repels others by a Morse potential."
    pub struct DOrsogna {
        /// Perception radius; by default all agents interact.
        pub radius: f32 = 1e6, "m", Kind::Number(Range::LENGTH);
        /// Propulsion, in proportion to the velocity.
        pub propulsion: f32 = 1.0, "kg/s", Kind::Number(Range::from(0.0, 1e6));
        /// Drag, in proportion to the cube of the speed.
        pub drag: f32 = 0.5, "kg s/m²", Kind::Number(Range::from(0.0, 1e6));
        /// Strength of the repulsion.
        pub repulsion: f32 = 1.0, "J", Kind::Number(Range::from(0.0, 1e6));
        /// Range of the repulsion.
        pub repulsion_range: f32 = 0.5, "m", Kind::Number(Range::above(0.0, 1e6));
        /// Strength of the attraction.
        pub attraction: f32 = 0.5, "J", Kind::Number(Range::from(0.0, 1e6));
        /// Range of the attraction.
        pub attraction_range: f32 = 3.0, "m", Kind::Number(Range::above(0.0, 1e6));
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
    }
}

impl<const D: usize> Motion<D> for DOrsogna {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(self.radius, &self.from)).memory(RESIDUAL, [0.0; D]).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let velocity = me.velocity();
        let (repels, attracts) = (self.repulsion / self.repulsion_range, self.attraction / self.attraction_range);
        let mut force = velocity * (self.propulsion - self.drag * velocity.length_squared()) + wanted;
        for neighbour in me.neighbours(0) {
            let distance = neighbour.distance_squared.sqrt();
            let pull =
                attracts * exp(-distance / self.attraction_range) - repels * exp(-distance / self.repulsion_range);
            force += neighbour.offset.direction() * pull;
        }
        accelerated(me, force / me.mass())
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        Some(if has_rules { &["mass", "response"] } else { &["mass"] })
    }

    /// Above the speed `sqrt(2 * mass / (drag * tick))` the drag of one tick throws an agent back faster than it came. The
    /// attraction of all others together must not give it this speed in one tick. The steady speed must be stable too.
    fn stability(&self, tick: &TickOfSpecies) -> Stability {
        let pull = tick.agents as f32 * self.attraction / self.attraction_range;
        let thrown = (2.0 * tick.mass / self.drag).sqrt() * tick.mass / pull;
        let sees_all = self.radius >= tick.diameter;
        Stability::reaction(tick.reaction()).within(tick.mass / self.propulsion).within(if sees_all {
            pow(thrown, 2.0 / 3.0)
        } else {
            f32::INFINITY
        })
    }

    reflect!(motion);
}
