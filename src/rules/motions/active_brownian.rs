//! Active Brownian particles: Romanczuk, Baer, Ebeling, Lindner and Schimansky-Geier, "Active Brownian Particles",
//! European Physical Journal Special Topics 202, 1-162 (2012).

use crate::maths::{Noise, Vector, sin_cos};
use crate::rules::interface::{AgentRef, Inputs};
use crate::rules::motion::Motion;
use crate::rules::motions::shared::{rotated, up_to_full_speed};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};

rule! {
    /// An agent moves at full speed along a heading that diffuses, and its position diffuses too:
    ///
    /// `velocity = max_speed * heading + mobility * force`
    ///
    /// `displacement = tick * velocity + sqrt(2 * diffusion * tick) * (D normal draws)`
    ///
    /// The velocity is the self-propulsion and the drift of the forces. A diffusing position has no velocity, so the
    /// noise of the position is not part of it. The heading turns in each tick by `sqrt(2 * rotational_diffusion *
    /// tick)` times a normal draw, in three dimensions by two such angles at right angles. Both steps scale with the
    /// square root of the tick, so that the model converges as the tick gets shorter (Euler and Maruyama). The force
    /// comes from the species' rules; without rules agents do not interact.
    ///
    /// Without forces the mean squared displacement in two dimensions is
    /// `4 * diffusion * t + 2 * v^2 / R^2 * (R * t - 1 + exp(-R * t))` with R the rotational diffusion. An agent at the
    /// edge of a bounded world keeps its heading, so that it presses against the edge until it has turned.
    "active_brownian": "Moves along a diffusing heading."
    pub struct ActiveBrownian {
        /// Rotational diffusion.
        pub rotational_diffusion: f32 = 1.0, "rad²/s", Kind::Number(Range::from(0.0, 1e6));
        /// Translational diffusion.
        pub diffusion: f32 = 0.0, "m²/s", Kind::Number(Range::from(0.0, 1e6));
        /// Velocity per force of the species' rules.
        pub mobility: f32 = 1.0, "m/(N s)", Kind::Number(Range::from(0.0, 1e6));
    }
}

impl<const D: usize> Motion<D> for ActiveBrownian {
    fn inputs(&self) -> Inputs {
        Inputs::default().memory("heading", [0.0; D]).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let dt = me.world().settings().tick_seconds;
        let mut noise = me.noise(Noise::MOTION);
        let mut heading = Vector(me.recall::<[f32; D]>(0));
        if heading == Vector::ZERO {
            heading = me.heading();
        }
        if heading == Vector::ZERO {
            heading = noise.direction();
        }
        let mut squared = 0.0;
        for _ in 1..D {
            let angle = noise.normal();
            squared += angle * angle;
        }
        let angle = (2.0 * self.rotational_diffusion * dt * squared).sqrt();
        let heading = rotated(heading, noise.across(heading), sin_cos(angle)).direction();
        me.remember(0, heading.0);
        heading * me.max_speed() + wanted * self.mobility
    }

    fn displaces(&self) -> bool {
        self.diffusion > 0.0
    }

    fn displacement(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let dt = me.world().settings().tick_seconds;
        let mut noise = me.noise(Noise::DISPLACEMENT);
        Vector::from_fn(|_| noise.normal()) * (2.0 * self.diffusion * dt).sqrt()
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        up_to_full_speed(has_rules)
    }

    /// The velocity is a function of the forces, whatever the length of the tick.
    fn stability(&self, tick: &TickOfSpecies) -> Stability {
        Stability::reaction(self.mobility / tick.response)
    }

    reflect!(motion);
}
