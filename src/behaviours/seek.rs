//! Seek: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::behaviour::{Behaviour, Me};
use crate::parameters::{Kind, Tunable, rule};
use crate::vector::Vector;

rule! {
    /// The desired velocity is full speed towards the target: `max_speed * direction(target - position)`. (The paper
    /// prints the difference the other way round, a known slip.) On the target there is no force. An agent that was
    /// given a goal of its own ([`World::set_goal`](crate::World::set_goal)) seeks that instead.
    "seek": "Flies towards a point at full speed."
    pub struct Seek<D> {
        #[doc = "The point."]
        pub target: Vector<D> = Vector::ZERO, "m", Kind::Point;
    }
}

impl<const D: usize> Behaviour<D> for Seek<D> {
    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        let towards = me.offset_to(me.goal().unwrap_or(self.target)).direction();
        if towards == Vector::ZERO { towards } else { me.towards(towards * me.max_speed()) }
    }

    fn tunable(&self) -> Option<&dyn Tunable> {
        Some(self)
    }

    fn tunable_mut(&mut self) -> Option<&mut dyn Tunable> {
        Some(self)
    }
}
