//! Olfati-Saber, "Flocking for Multi-Agent Dynamic Systems: Algorithms and Theory", IEEE Transactions on Automatic
//! Control 51, 401-420 (2006).

use crate::formulas::flocks::{FlockSums, Lattice};
use crate::kernels::flocks::FlockModel;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Forces, Inputs, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::flocking::{Flocking, velocities_of, velocity_of};
use crate::rules::motions::shared::{RESIDUAL, accelerated, without_limit};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};

rule! {
    /// Agents form a lattice of equal distances and equal velocities:
    ///
    /// `acceleration = sum of phi(|q|) * n + sum of a(q) * (velocity of the other - own velocity)
    /// - goal_gain * (position - goal) - goal_damping * (velocity - goal_velocity)`
    ///
    /// with the offset q to the other. `|q| = (sqrt(1 + epsilon * q^2) - 1) / epsilon` is the paper's sigma-norm, and
    /// `n = q / sqrt(1 + epsilon * q^2)`. `phi` is zero at the distance `spacing`, and with the weights `a` it falls
    /// smoothly to zero at `radius`: from `bump` of the radius on, in the sigma-norm, by half a period of a cosine.
    /// `near` and `far` are the paper's a and b: the largest forces of repulsion and of attraction, up to a factor
    /// below one.
    ///
    /// With the goal this is the paper's Algorithm 2, without (the default) Algorithm 1, which may fragment. The goal
    /// starts at `goal` and moves at `goal_velocity`. Semi-implicit: positions advance with the new velocities. The
    /// force of the species' rules, divided by the mass, is added to the acceleration. Speeds have no limit.
    "olfati_saber": "Forms a lattice with equal velocities."
    pub struct OlfatiSaber<D> {
        /// Perception radius.
        pub radius: f32 = 8.4, "m", Kind::Number(Range::above(0.0, 1e6));
        /// Distance between neighbours in the lattice.
        pub spacing: f32 = 7.0, "m", Kind::Number(Range::above(0.0, 1e6));
        /// Parameter of the sigma-norm.
        pub epsilon: f32 = 0.1, "1/m²", Kind::Number(Range::above(0.0, 1e3));
        /// Parameter a of the action function.
        pub near: f32 = 5.0, "m/s²", Kind::Number(Range::above(0.0, 1e6));
        /// Parameter b of the action function, at least a.
        pub far: f32 = 5.0, "m/s²", Kind::Number(Range::above(0.0, 1e6));
        /// Parameter h of the bump function.
        pub bump: f32 = 0.2, "", Kind::Number(Range::from(0.0, 0.999));
        /// Position of the goal at the start.
        pub goal: Vector<D> = Vector::ZERO, "m", Kind::Point(Range::COORDINATE);
        /// Velocity of the goal.
        pub goal_velocity: Vector<D> = Vector::ZERO, "m/s", Kind::Point(Range::COORDINATE);
        /// Strength of the attraction to the goal.
        pub goal_gain: f32 = 0.0, "1/s²", Kind::Number(Range::from(0.0, 1e6));
        /// Strength of the damping relative to the goal.
        pub goal_damping: f32 = 0.0, "1/s", Kind::Number(Range::from(0.0, 1e6));
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
    }
}

impl<const D: usize> OlfatiSaber<D> {
    /// The sigma-norm of a vector with this squared length.
    fn norm(&self, squared: f32) -> f32 {
        // The difference of the paper's formula would lose the digits of a small length.
        squared / ((1.0 + self.epsilon * squared).sqrt() + 1.0)
    }
}

impl<const D: usize> Flocking<D> for OlfatiSaber<D> {
    fn model(&self) -> FlockModel {
        let &Self { epsilon, near, far, bump, .. } = self;
        let [reach, rest] = [self.radius, self.spacing].map(|length| self.norm(length * length));
        FlockModel::Lattice(Lattice { epsilon, reach, rest, near, far, bump })
    }

    fn reach(&self) -> f32 {
        self.radius
    }

    fn start(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> FlockSums<f32, D> {
        FlockSums { vectors: [(wanted / me.mass()).0, [0.0; D], [0.0; D]], ..FlockSums::ZERO }
    }

    fn conclude(&self, me: &AgentRef<'_, D>, _wanted: Vector<D>, sums: &FlockSums<f32, D>) -> Vector<D> {
        let mut acceleration = Vector(sums.vectors[0]);
        if self.goal_gain > 0.0 {
            let seconds = me.world().seconds() as f32;
            acceleration += me.offset_to(self.goal + self.goal_velocity * seconds) * self.goal_gain;
        }
        acceleration += (self.goal_velocity - me.velocity()) * self.goal_damping;
        accelerated(me, acceleration)
    }
}

impl<const D: usize> Motion<D> for OlfatiSaber<D> {
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
        without_limit(has_rules)
    }

    fn stability(&self, tick: &TickOfSpecies) -> Stability {
        let (damping, stiffness) = (self.goal_damping, self.goal_gain);
        Stability::reaction(tick.reaction()).within(2.0 / damping).within(2.0 / stiffness.sqrt())
    }

    reflect!(motion);
}
