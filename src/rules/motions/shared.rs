//! Parameters and steps that several models share.

use std::f32::consts::PI;

use crate::formulas::sums::compensated;
use crate::maths::Vector;
use crate::rules::interface::AgentRef;
use crate::rules::parameters::choice;

choice! {
    /// The noise of a model of self-propelled agents.
    pub enum NoiseKind {
        /// An angle is added to the mean direction (Vicsek et al. 1995).
        Angular = "angular",
        /// A vector is added to the sum of directions (Gregoire and Chate 2004).
        Vectorial = "vectorial",
    }
}

choice! {
    /// The heading with which the positions of a model advance in a tick.
    pub enum MovedWith {
        /// The heading at the start of the tick: `x(t + 1) = x(t) + v(t)`.
        OldHeading = "old_heading",
        /// The heading that the tick chooses: `x(t + 1) = x(t) + v(t + 1)`.
        NewHeading = "new_heading",
    }
}

choice! {
    /// The method by which a motion integrates its accelerations.
    pub enum Integrator {
        /// Euler's method: the error is in proportion to the tick.
        Euler = "euler",
        /// The method of Adams and Bashforth with two steps: the error is in proportion to the square of the tick.
        AdamsBashforth = "adams_bashforth",
    }
}

/// The change of velocity that the force of an agent's rules causes in a tick, in metres per second.
pub(super) fn added_velocity<const D: usize>(me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
    wanted * (me.world().settings().tick_seconds / me.mass())
}

/// Turns a direction by an angle, given by its sine and cosine, towards a direction across it.
pub(super) fn rotated<const D: usize>(heading: Vector<D>, across: Vector<D>, (sine, cosine): (f32, f32)) -> Vector<D> {
    heading * cosine + across * sine
}

/// The name of the memory of [`accelerated`], which is the first that its motion requests.
pub(super) const RESIDUAL: &str = "velocity_residual";

/// The velocity after a tick with an acceleration, in m/s². The sum is compensated (Kahan 1965): the part that rounding
/// removes is remembered and enters the next tick, so that small steps accumulate.
pub(super) fn accelerated<const D: usize>(me: &AgentRef<'_, D>, acceleration: Vector<D>) -> Vector<D> {
    let (velocity, dt) = (me.velocity(), me.world().settings().tick_seconds);
    let (step, mut residual) = (acceleration * dt, me.recall::<[f32; D]>(0));
    let mut next = velocity;
    for axis in 0..D {
        (next[axis], residual[axis]) = compensated(velocity[axis], residual[axis], step[axis]);
    }
    me.remember(0, residual);
    next
}

/// The quantities that count for a motion at `max_speed`, to which the forces of rules are added.
pub(super) fn at_full_speed(has_rules: bool) -> Option<&'static [&'static str]> {
    Some(if has_rules { &["mass", "max_speed", "response"] } else { &["max_speed"] })
}

/// The quantities that count for a motion that is limited by `max_speed`, with the velocity that rules desire.
pub(super) fn up_to_full_speed(has_rules: bool) -> Option<&'static [&'static str]> {
    Some(if has_rules { &["max_speed", "response"] } else { &["max_speed"] })
}

/// The quantities that count for accelerations without a limit of speed, to which the forces of rules are added.
pub(super) fn without_limit(has_rules: bool) -> Option<&'static [&'static str]> {
    Some(if has_rules { &["mass", "response"] } else { &[] })
}

/// The doubt about a noise that leaves no order. `order` is the longest vector of the model's own, for each agent in its
/// sum.
pub(super) fn noise_doubt(kind: NoiseKind, noise: f32, order: f32) -> Option<(&'static str, String)> {
    match kind {
        NoiseKind::Angular => angle_doubt(noise, 1.5 * PI),
        NoiseKind::Vectorial if noise > order => {
            let reason = format!("a vector of {noise} exceeds the longest of the model, {order}, and leaves no order");
            Some(("noise", reason))
        }
        NoiseKind::Vectorial => None,
    }
}

/// The doubt about an angle of noise of more than `most` radians.
pub(super) fn angle_doubt(noise: f32, most: f32) -> Option<(&'static str, String)> {
    let (degrees, radians) = (noise * (180.0 / PI), noise * (PI / 180.0));
    let reason = || {
        format!(
            "{noise} radians are {degrees:.0} degrees, which leave hardly any order; {noise} degrees are {radians:.4} radians"
        )
    };
    (noise > most).then(|| ("noise", reason()))
}
