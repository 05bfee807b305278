//! Waiting in a queue or a waiting area.

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs};
use crate::rules::parameters::{Kind, Range, choice, reflect, rule};
use crate::rules::steering;
use crate::rules::target::TargetState;

choice! {
    /// The place at which an agent arrives.
    pub enum ArriveAt {
        /// Its own place.
        Place = "place",
        /// The head of the queue.
        Head = "head",
    }
}

rule! {
    /// The agent takes one of the [`Places`](crate::Places) with this name, and arrives there (Reynolds 1999). In a
    /// queue it takes the next free place, before others that are farther from it, and moves up as places become free.
    /// In a waiting area it takes the nearest free place. It loses its place when the rule stops being active for it.
    /// An agent without a place stops.
    ///
    /// An event and a flag report that an agent arrived: its body touches its place, or the head of the queue.
    "take_place": "Waits in a queue or in a waiting area."
    pub struct TakePlace {
        /// The name of the places.
        pub places: String = "queue".to_owned(), "", Kind::Reference("queue or waiting area");
        /// Where the agent arrives: at its own `place`, or only at the `head` of the queue.
        pub arrive_at: ArriveAt = ArriveAt::Place, "", ArriveAt::KIND;
        /// Distance from the place within which the agent slows down.
        pub slowing_radius: f32 = 1.0, "m", Kind::Number(Range::LENGTH);
    }
}

impl<const D: usize> Behaviour<D> for TakePlace {
    fn inputs(&self) -> Inputs {
        Inputs::default().arrival().places(&self.places)
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let Some((place, point)) = me.own_place() else { return me.towards(Vector::ZERO) };
        let offset = me.offset_to(point);
        me.heads_for(0, (offset.length(), offset), true);
        let counts = self.arrive_at == ArriveAt::Place || place == 0;
        let place = TargetState { offset, velocity: Vector::ZERO, radius: 0.0 };
        if counts && me.has_touched(&place) {
            me.arrive();
        }
        me.towards(steering::arrive(offset, me.max_speed(), self.slowing_radius))
    }

    reflect!();
}
