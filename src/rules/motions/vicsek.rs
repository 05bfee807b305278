//! Vicsek, Czirok, Ben-Jacob, Cohen and Shochet, "Novel Type of Phase Transition in a System of Self-Driven Particles",
//! Physical Review Letters 75, 1226 (1995); vectorial noise: Gregoire and Chate, "Onset of Collective and Cohesive
//! Motion", Physical Review Letters 92, 025702 (2004).

use crate::kernels::CHUNK;
use crate::kernels::vicsek::{AligningAgents, align};
use crate::maths::{Noise, Vector, sin_cos_of_half_turn};
use crate::rules::interface::{AgentRef, Forces, Inputs, NeighbourSum, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::shared::{MovedWith, NoiseKind, added_velocity, at_full_speed, noise_doubt};
use crate::rules::parameters::{Kind, Range, reflect, rule};

rule! {
    /// An agent takes the mean direction of its neighbours and itself, with noise, and moves at full speed:
    ///
    /// `heading(t + 1) = angle(sum of velocities, its own included) + a draw from [-noise / 2, noise / 2]`
    ///
    /// With vectorial noise a vector of length `noise` times the number of agents in the sum, in a random direction, is
    /// added to the sum of headings instead. In three dimensions the angle is about a random axis across the direction.
    ///
    /// Synchronous: all headings are taken at the start of the tick. An agent whose sum is zero keeps its direction;
    /// one that is at rest, with neighbours at rest, takes a random direction. The speed is `max_speed`; where speeds
    /// differ, a neighbour counts by its speed. Noise is drawn once per tick, whatever the tick's length, as in the
    /// paper. The force of the species' rules, divided by the mass and multiplied by the tick, is added to the sum of
    /// velocities.
    "vicsek": "Takes the mean direction of the neighbours, with noise, at constant speed."
    pub struct Vicsek {
        /// Perception radius.
        pub radius: f32 = 1.0, "m", Kind::Number(Range::LENGTH);
        /// Noise: the full width of the angle in radians, or the length of the vector.
        pub noise: f32 = 1.0, "", Kind::Number(Range::from(0.0, 2.0 * std::f64::consts::PI + 1e-6));
        /// The kind of noise: an angle added to the mean direction, or a vector added to the sum.
        pub noise_kind: NoiseKind = NoiseKind::Angular, "", NoiseKind::KIND;
        /// The heading with which positions advance in a tick.
        pub moved_with: MovedWith = MovedWith::OldHeading, "", MovedWith::KIND;
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
    }
}

impl Vicsek {
    /// The width of the drawn angles in radians, and the length of a noise vector.
    fn noise(&self) -> (f32, Option<f32>) {
        match self.noise_kind {
            NoiseKind::Angular => (self.noise, None),
            NoiseKind::Vectorial => (std::f32::consts::TAU, Some(self.noise)),
        }
    }
}

impl<const D: usize> Motion<D> for Vicsek {
    fn inputs(&self) -> Inputs {
        Inputs::default().sum(NeighbourSum::Velocity, Perception::within(self.radius, &self.from)).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let ((width, vectorial), speed) = (self.noise(), me.max_speed());
        let mut noise = me.noise(Noise::MOTION);
        let (sine, cosine) = sin_cos_of_half_turn(f64::from((noise.unit() - 0.5) * width));
        let mut total = me.sum(0) + me.velocity() + added_velocity(me, wanted);
        if let Some(length) = vectorial {
            let length = (me.count(0) as f32 + 1.0) * speed * length;
            total += if D == 2 { in_plane(cosine, sine) } else { noise.direction() } * length;
        }
        let total = if total == Vector::ZERO { me.velocity() } else { total };
        let squared = total.length_squared();
        if squared == 0.0 {
            return set_off(me);
        }
        let new = total * (speed / squared.sqrt());
        if vectorial.is_some() {
            return new;
        }
        if D == 2 {
            return in_plane(new[0] * cosine - new[1] * sine, new[0] * sine + new[1] * cosine);
        }
        new * cosine + noise.across(new) * (sine * speed)
    }

    fn velocities(&self, rows: &Rows<'_, D>, motion: &mut Forces<'_, D>) {
        if D > 2 {
            for me in rows.iter() {
                motion.set(&me, self.velocity(&me, motion.get(&me)));
            }
            return;
        }
        let mut ids = [0; CHUNK];
        for (bits, id) in ids.iter_mut().zip(rows.ids()) {
            *bits = id.to_bits();
        }
        let (world, (width, vectorial)) = (rows.world(), self.noise());
        let agents = AligningAgents {
            steered: rows.steered(),
            mass: rows.mass(),
            dt: world.settings().tick_seconds,
            sum: &rows.sums[0],
            ids: &ids,
            seed: world.settings().seed,
            tick: world.tick(),
            width,
            vectorial,
        };
        align(rows.level, &agents, motion.forces);
        // The kernel leaves an agent without a direction at rest.
        for me in rows.iter() {
            if motion.get(&me) == Vector::ZERO {
                motion.set(&me, set_off(&me));
            }
        }
        // Lanes beyond the last agent, to which the kernel adds noise too, must stay at rest.
        for axis in motion.forces.iter_mut() {
            axis[rows.len()..].fill(0.0);
        }
    }

    fn is_explicit(&self) -> bool {
        self.moved_with == MovedWith::OldHeading
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        at_full_speed(has_rules)
    }

    fn doubt(&self) -> Option<(&'static str, String)> {
        noise_doubt(self.noise_kind, self.noise, 1.0)
    }

    reflect!(motion);
}

/// The velocity of an agent that no direction follows from: full speed in a random direction.
fn set_off<const D: usize>(me: &AgentRef<'_, D>) -> Vector<D> {
    let (mut noise, speed) = (me.noise(Noise::MOTION), me.max_speed());
    // The first draw is the angle.
    noise.unit();
    if speed > 0.0 { noise.direction() * speed } else { Vector::ZERO }
}

/// A vector in the plane of the first two axes.
fn in_plane<const D: usize>(x: f32, y: f32) -> Vector<D> {
    Vector::from_fn(|axis| [x, y, 0.0][axis])
}
