//! Cucker and Smale, "Emergent Behavior in Flocks", IEEE Transactions on Automatic Control 52, 852-862 (2007).

use crate::formulas::flocks::{Approach, FlockSums};
use crate::kernels::flocks::FlockModel;
use crate::maths::{Vector, pow};
use crate::rules::interface::{AgentRef, Forces, Inputs, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::flocking::{Flocking, velocities_of, velocity_of};
use crate::rules::motions::shared::{Integrator, RESIDUAL, accelerated, without_limit};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};

rule! {
    /// An agent approaches the velocities of the others, the nearer the more strongly:
    ///
    /// `acceleration = sum of strength / (scale^2 + r^2)^exponent * (velocity of the other - own velocity)`
    ///
    /// The sum is not divided by the number of agents. Positions advance with the old velocities, as in the paper's
    /// discrete model. The force of the species' rules, divided by the mass, is added to the acceleration. Speeds have
    /// no limit. With the method of Adams and Bashforth both are of second order in the tick.
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
        /// Method of integration: `euler`, as in the paper, or `adams_bashforth`, of second order at the same cost.
        pub integrator: Integrator = Integrator::Euler, "", Integrator::KIND;
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
    }
}

/// The numbers of the memory of the method of Adams and Bashforth: the acceleration of the last tick, and whether there
/// was one.
const BEFORE: usize = 1;
const HAS_BEFORE: usize = 2;

impl CuckerSmale {
    /// The acceleration with which the velocity advances in a tick.
    fn stepped<const D: usize>(&self, me: &AgentRef<'_, D>, acceleration: Vector<D>) -> Vector<D> {
        if self.integrator == Integrator::Euler {
            return acceleration;
        }
        let (before, has_before) = (Vector(me.recall::<[f32; D]>(BEFORE)), me.recall::<u32>(HAS_BEFORE) != 0);
        me.remember(BEFORE, acceleration.0);
        me.remember(HAS_BEFORE, 1_u32);
        let share = 0.5 * me.world().settings().tick_seconds / me.world().last_tick_seconds();
        // A single step of first order leaves the whole at the second.
        if has_before { acceleration * (1.0 + share) - before * share } else { acceleration }
    }
}

impl<const D: usize> Flocking<D> for CuckerSmale {
    fn model(&self) -> FlockModel {
        let &Self { strength, scale, exponent, .. } = self;
        FlockModel::Approach(Approach { strength, square: scale * scale, exponent })
    }

    fn reach(&self) -> f32 {
        self.radius
    }

    fn start(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> FlockSums<f32, D> {
        FlockSums { vectors: [(wanted / me.mass()).0, [0.0; D], [0.0; D]], ..FlockSums::ZERO }
    }

    fn conclude(&self, me: &AgentRef<'_, D>, _wanted: Vector<D>, sums: &FlockSums<f32, D>) -> Vector<D> {
        accelerated(me, self.stepped(me, Vector(sums.vectors[0])))
    }
}

impl<const D: usize> Motion<D> for CuckerSmale {
    fn inputs(&self) -> Inputs {
        let inputs = Inputs::default().neighbours(Perception::within(self.radius, &self.from));
        let inputs = inputs.memory(RESIDUAL, [0.0; D]).nearby();
        match self.integrator {
            Integrator::Euler => inputs,
            Integrator::AdamsBashforth => inputs.memory("last_acceleration", [0.0; D]).memory("has_accelerated", 0_u32),
        }
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        velocity_of(self, me, wanted)
    }

    fn velocities(&self, rows: &Rows<'_, D>, velocities: &mut Forces<'_, D>) {
        velocities_of(self, rows, velocities);
    }

    fn displaces(&self) -> bool {
        self.integrator == Integrator::AdamsBashforth
    }

    /// The term of second order of the way.
    fn displacement(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let dt = me.world().settings().tick_seconds;
        Vector(me.recall::<[f32; D]>(BEFORE)) * (0.5 * dt * dt)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Settings, Species, World};

    /// The error of the distance at which two birds that start at one point settle: `tan(v / 2)` in closed form.
    fn error(integrator: Integrator, tick_seconds: f32) -> f64 {
        let settings = Settings::<2> { edge: [Edge::Open; 2], tick_seconds, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let model = CuckerSmale { exponent: 1.0, integrator, ..CuckerSmale::default() };
        let bird = world.add_species(Species::new("bird").with_motion(model)).unwrap();
        let [a, b] = [1.0, -1.0].map(|speed| world.spawn(bird, [0.0, 0.0], [speed, 0.0]).unwrap());
        (0..(40.0 / tick_seconds) as u32).for_each(|_| world.step());
        let distance = world.position(a).unwrap()[0] - world.position(b).unwrap()[0];
        f64::from(distance) / f64::tan(1.0) - 1.0
    }

    #[test]
    fn the_method_of_adams_and_bashforth_is_of_second_order() {
        let euler = [0.1, 0.05].map(|tick| error(Integrator::Euler, tick).abs());
        assert!(euler[0] > 0.05 && (1.8..2.5).contains(&(euler[0] / euler[1])), "{euler:?}");
        let second = [0.1, 0.05].map(|tick| error(Integrator::AdamsBashforth, tick).abs());
        assert!(second[0] < 0.02 && (3.0..6.0).contains(&(second[0] / second[1])), "{second:?}");
    }
}
