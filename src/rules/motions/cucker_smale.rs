//! Cucker and Smale, "Emergent Behavior in Flocks", IEEE Transactions on Automatic Control 52, 852-862 (2007).

use crate::maths::{Vector, pow};
use crate::rules::interface::{AgentRef, Inputs, Perception, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::shared::{RESIDUAL, accelerated, without_limit};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};

rule! {
    /// An agent approaches the velocities of the others, the nearer the more strongly:
    ///
    /// `acceleration = sum of strength / (scale^2 + r^2)^exponent * (velocity of the other - own velocity)`
    ///
    /// The sum is not divided by the number of agents. Positions advance with the old velocities, as in the paper's
    /// discrete model. The force of the species' rules, divided by the mass, is added to the acceleration. Speeds have
    /// no limit.
    "cucker_smale": "Approaches the velocities of others, the nearer the more strongly."
    pub struct CuckerSmale {
        /// Perception radius; by default all agents interact.
        pub radius: f32 = 1e6, "m", Kind::Number(Range::LENGTH);
        /// Strength of the interaction: the numerator.
        pub strength: f32 = 1.0, "m^(2 exponent)/s", Kind::Number(Range::from(0.0, 1e9));
        /// Length in the denominator.
        pub scale: f32 = 1.0, "m", Kind::Number(Range::above(0.0, 1e6));
        /// Exponent of the denominator.
        pub exponent: f32 = 0.4, "", Kind::Number(Range::from(0.0, 10.0));
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
    }
}

impl<const D: usize> Motion<D> for CuckerSmale {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(self.radius, &self.from)).memory(RESIDUAL, [0.0; D]).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let (velocity, square) = (me.velocity(), self.scale * self.scale);
        let mut acceleration = wanted / me.mass();
        for neighbour in me.neighbours(0) {
            let weight = self.strength / pow(square + neighbour.distance_squared, self.exponent);
            acceleration += (neighbour.velocity - velocity) * weight;
        }
        accelerated(me, acceleration)
    }

    fn is_explicit(&self) -> bool {
        true
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        without_limit(has_rules)
    }

    /// The rate at which differences of velocities vanish is the sum of the weights. At any distances in the world it
    /// is at least the value at the world's diameter.
    fn stability(&self, tick: &TickOfSpecies) -> Stability {
        let square = self.scale * self.scale + tick.diameter * tick.diameter;
        let rate = tick.agents as f32 * self.strength / pow(square, self.exponent);
        let sees_all = self.radius >= tick.diameter;
        Stability::reaction(tick.reaction()).within(if sees_all { 2.0 / rate } else { f32::INFINITY })
    }

    reflect!(motion);
}
