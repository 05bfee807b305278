//! Kinematic: the velocity that the rules desire, without inertia.

use crate::maths::Vector;
use crate::rules::interface::AgentRef;
use crate::rules::motion::Motion;
use crate::rules::motions::shared::up_to_full_speed;
use crate::rules::parameters::{reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};

rule! {
    /// An agent takes on the velocity that its rules desire, up to its largest speed. Mass and largest force have no
    /// effect.
    ///
    /// A rule requests a velocity through [`AgentRef::towards`], which returns the force `(desired - velocity) /
    /// response`. With this motion an agent has the desired velocity at once. A model that sets velocities directly may
    /// be one rule with this motion: see [`Species::kinematic`](crate::Species::kinematic).
    "kinematic": "Takes on the velocity that the rules desire."
    pub struct Kinematic {}
}

impl<const D: usize> Motion<D> for Kinematic {
    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        (me.velocity() + wanted * me.response()).truncate(me.max_speed())
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        up_to_full_speed(has_rules)
    }

    fn stability(&self, _tick: &TickOfSpecies) -> Stability {
        Stability::reaction(1.0)
    }

    reflect!(motion);
}
