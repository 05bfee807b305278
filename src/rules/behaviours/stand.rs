//! Standing.

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;

rule! {
    /// The desired velocity is zero: the agent stops, and stands. With `returns` it goes back to the place where the rule
    /// became active for it, if something moved it from there, and arrives (Reynolds 1999).
    "stand": "Stops and stands."
    pub struct Stand {
        /// Whether the agent returns to its place.
        pub returns: bool = false, "", Kind::Flag;
        /// Distance from the place within which an agent that returns slows down.
        pub slowing_radius: f32 = 1.0, "m", Kind::Number(Range::LENGTH);
    }
}

impl Stand {
    /// The place of the agent, which begins where the agent is after a tick without the rule.
    fn place<const D: usize>(me: &AgentRef<'_, D>) -> Vector<D> {
        let (next, place) = (me.recall::<u64>(1), me.recall::<[f32; D]>(0));
        let tick = me.world().tick();
        me.remember(1, tick + 1);
        if next == tick && next > 0 {
            return Vector(place);
        }
        me.remember(0, me.position().0);
        me.position()
    }
}

impl<const D: usize> Behaviour<D> for Stand {
    fn inputs(&self) -> Inputs {
        if self.returns {
            Inputs::default().memory("place", [0.0f32; D]).memory("place_until", 0u64)
        } else {
            Inputs::default()
        }
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        if !self.returns {
            return me.towards(Vector::ZERO);
        }
        let offset = me.offset_to(Self::place(me));
        me.heads_for(0, (offset.length(), offset), true);
        me.towards(steering::arrive(offset, me.max_speed(), self.slowing_radius))
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{RESPONSE, TICK, alone, motion};

    #[test]
    fn the_velocity_decays_with_the_response() {
        let (mut world, agent) = alone(Stand::default(), [20.0, 20.0], [4.0, -2.0]);
        let mut part = 1.0;
        for _ in 0..200 {
            world.step();
            part *= 1.0 - TICK / RESPONSE;
            assert!((motion(&world, agent).1 - Vector([4.0, -2.0]) * part).length() < 1e-4);
        }
    }

    #[test]
    fn an_agent_returns_to_where_it_stood() {
        let (mut world, agent) = alone::<2>(Stand { returns: true, slowing_radius: 10.0 }, [20.0, 20.0], [0.0; 2]);
        world.step();
        world.set_position(agent, [25.0, 20.0]).unwrap();
        for _ in 0..2000 {
            world.step();
        }
        let (position, velocity) = motion(&world, agent);
        assert!((position - Vector([20.0, 20.0])).length() < 0.01 && velocity.length() < 0.01, "{position:?}");
    }
}
