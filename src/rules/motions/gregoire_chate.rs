//! Gregoire and Chate, "Onset of Collective and Cohesive Motion", Physical Review Letters 92, 025702 (2004).

use crate::formulas::flocks::{Bonds, FlockSums};
use crate::kernels::flocks::FlockModel;
use crate::maths::{Noise, Vector, sin_cos_of_half_turn};
use crate::rules::interface::{AgentRef, Forces, Inputs, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::flocking::{Flocking, velocities_of, velocity_of};
use crate::rules::motions::shared::{MovedWith, NoiseKind, added_velocity, at_full_speed, noise_doubt, rotated};
use crate::rules::parameters::{Kind, Range, reflect, rule};

rule! {
    /// An agent aligns with its neighbours, keeps a distance from them, and moves at full speed:
    ///
    /// `heading(t + 1) = direction(alignment * sum of headings + cohesion * sum of f * e + n * noise * u)`
    ///
    /// The sum of headings includes the agent's own, and n is the number of its terms. e is the direction to a
    /// neighbour, and f depends on its distance r: `(r - equilibrium) / (4 * (attraction - equilibrium))` below
    /// `attraction`, and 1 from there to `radius`. A neighbour within `core` repels without limit: the sum over only
    /// such neighbours then gives the heading, away from them. u is a random direction. With angular noise the heading
    /// turns by an angle instead, as in `vicsek`. An agent to which nothing gives a direction takes a random one.
    ///
    /// Synchronous, with the new heading by default. The speed is `max_speed`. Noise is drawn once per tick, whatever
    /// the tick's length, as in the paper. All neighbours within `radius` interact. The force of the species' rules,
    /// divided by the mass and the speed and multiplied by the tick, is added to the sum.
    "gregoire_chate": "Aligns, keeps a distance and stays together, with noise, at constant speed."
    pub struct GregoireChate {
        /// Perception radius.
        pub radius: f32 = 1.0, "m", Kind::Number(Range::LENGTH);
        /// Weight of the sum of headings.
        pub alignment: f32 = 1.0, "", Kind::Number(Range::from(0.0, 1e6));
        /// Weight of the sum over distances.
        pub cohesion: f32 = 1.0, "", Kind::Number(Range::from(0.0, 1e6));
        /// Distance below which agents repel without limit.
        pub core: f32 = 0.2, "m", Kind::Number(Range::LENGTH);
        /// Distance at which neighbours neither repel nor attract.
        pub equilibrium: f32 = 0.5, "m", Kind::Number(Range::LENGTH);
        /// Distance from which the attraction is constant.
        pub attraction: f32 = 0.8, "m", Kind::Number(Range::LENGTH);
        /// Noise: the length of the vector, or the full width of the angle in radians.
        pub noise: f32 = 1.0, "", Kind::Number(Range::from(0.0, 2.0 * std::f64::consts::PI + 1e-6));
        /// The kind of noise: a vector added to the sum, or an angle added to its direction.
        pub noise_kind: NoiseKind = NoiseKind::Vectorial, "", NoiseKind::KIND;
        /// The heading with which positions advance in a tick.
        pub moved_with: MovedWith = MovedWith::NewHeading, "", MovedWith::KIND;
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
    }
}

impl<const D: usize> Flocking<D> for GregoireChate {
    fn model(&self) -> FlockModel {
        let &Self { core, equilibrium, attraction, .. } = self;
        FlockModel::Bonds(Bonds { core, equilibrium, attraction })
    }

    fn reach(&self) -> f32 {
        self.radius
    }

    /// The sum of headings includes the agent's own.
    fn start(&self, me: &AgentRef<'_, D>, _wanted: Vector<D>) -> FlockSums<f32, D> {
        FlockSums { vectors: [me.heading().0, [0.0; D], [0.0; D]], counts: [1.0, 0.0, 0.0] }
    }

    fn conclude(&self, me: &AgentRef<'_, D>, wanted: Vector<D>, sums: &FlockSums<f32, D>) -> Vector<D> {
        let (speed, heading) = (me.max_speed(), me.heading());
        let ([headings, forces, repulsion], [count, ..]) = (sums.vectors.map(Vector), sums.counts);
        let mut noise = me.noise(Noise::MOTION);
        let mut total = if repulsion == Vector::ZERO {
            let added = if speed > 0.0 { added_velocity(me, wanted) / speed } else { Vector::ZERO };
            headings * self.alignment + forces * self.cohesion + added
        } else {
            repulsion
        };
        if self.noise_kind == NoiseKind::Vectorial && repulsion == Vector::ZERO {
            total += noise.direction() * (count * self.noise);
        }
        let total = if total == Vector::ZERO { heading } else { total.direction() };
        // An agent at rest to which nothing gives a direction.
        let total = if total == Vector::ZERO { noise.direction() } else { total };
        if self.noise_kind == NoiseKind::Vectorial {
            return total * speed;
        }
        let turn = sin_cos_of_half_turn(f64::from((noise.unit() - 0.5) * self.noise));
        rotated(total, noise.across(total), turn) * speed
    }
}

impl<const D: usize> Motion<D> for GregoireChate {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(self.radius, &self.from)).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        velocity_of(self, me, wanted)
    }

    fn velocities(&self, rows: &Rows<'_, D>, velocities: &mut Forces<'_, D>) {
        velocities_of(self, rows, velocities);
    }

    fn is_explicit(&self) -> bool {
        self.moved_with == MovedWith::OldHeading
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        at_full_speed(has_rules)
    }

    fn doubt(&self) -> Option<(&'static str, String)> {
        noise_doubt(self.noise_kind, self.noise, self.alignment + self.cohesion)
    }

    reflect!(motion);
}
