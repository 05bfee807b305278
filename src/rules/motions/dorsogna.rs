//! D'Orsogna, Chuang, Bertozzi and Chayes, "Self-Propelled Particles with Soft-Core Interactions: Patterns, Stability,
//! and Collapse", Physical Review Letters 96, 104302 (2006).

use crate::formulas::flocks::{FlockSums, Morse};
use crate::kernels::flocks::FlockModel;
use crate::maths::{Vector, pow};
use crate::rules::interface::{AgentRef, Forces, Inputs, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::flocking::{Flocking, velocities_of, velocity_of};
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

impl<const D: usize> Flocking<D> for DOrsogna {
    fn model(&self) -> FlockModel {
        let &Self { repulsion, repulsion_range, attraction, attraction_range, .. } = self;
        let (repels, attracts) = (repulsion / repulsion_range, attraction / attraction_range);
        FlockModel::Morse(Morse { repels, attracts, repulsion_range, attraction_range })
    }

    fn reach(&self) -> f32 {
        self.radius
    }

    fn start(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> FlockSums<f32, D> {
        let velocity = me.velocity();
        let force = velocity * (self.propulsion - self.drag * velocity.length_squared()) + wanted;
        FlockSums { vectors: [force.0, [0.0; D], [0.0; D]], ..FlockSums::ZERO }
    }

    fn conclude(&self, me: &AgentRef<'_, D>, _wanted: Vector<D>, sums: &FlockSums<f32, D>) -> Vector<D> {
        accelerated(me, Vector(sums.vectors[0]) / me.mass())
    }
}

impl<const D: usize> Motion<D> for DOrsogna {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(self.radius, &self.from)).memory(RESIDUAL, [0.0; D]).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        velocity_of(self, me, wanted)
    }

    fn velocities(&self, rows: &Rows<'_, D>, velocities: &mut Forces<'_, D>) {
        velocities_of(self, rows, velocities);
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
