//! Seek: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::behaviour::{Behaviour, Me};
use crate::parameters::{Kind, rule, tunable};
use crate::target::Target;
use crate::vector::Vector;

rule! {
    /// The desired velocity is full speed towards the target: `max_speed * direction(target - position)`. (The paper
    /// prints the difference the other way round, a known slip.) On the target, and without one, there is no force.
    "seek": "Flies towards a target at full speed."
    pub struct Seek<D> {
        #[doc = "What it flies towards."]
        pub target: Target<D> = Target::default(), "m", Kind::Target;
    }
}

impl<const D: usize> Behaviour<D> for Seek<D> {
    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        let Some(aim) = me.aim(&self.target) else { return Vector::ZERO };
        let towards = aim.offset.direction();
        if towards == Vector::ZERO { towards } else { me.towards(towards * me.max_speed()) }
    }

    tunable!();
}
