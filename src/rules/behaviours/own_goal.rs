//! Walking to a goal of one's own around walls.

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, key_of_point};
use crate::rules::steering;

/// The distance in which an agent can stop, in lengths that it covers in its response time.
pub(super) const WITHOUT_OVERSHOOT: f32 = 4.0;

/// The bit of a heading that has the node at which the way turns next.
pub(crate) const OWN: u32 = 1 << 31;

/// The force towards a goal of the agent on the ground of its rule's first navigation. The heading in its memory is the
/// node at which its way turns next.
pub(super) fn steer<const D: usize>(me: &AgentRef<'_, D>, goal: Vector<D>) -> Vector<D> {
    let [heading, _] = me.recall::<[u32; 2]>(0);
    let kept = (heading & OWN != 0).then_some(heading & !OWN);
    let flat = |point: Vector<D>| Vector([point[0], point[1]]);
    let leg = me.navigation(0).and_then(|field| field.leg(flat(me.position()), flat(goal), kept));
    let Some(leg) = leg else {
        me.remember(0, [0u32; 2]);
        return me.towards(Vector::ZERO);
    };
    let turn = me.offset_to(Vector::from_fn(|axis| leg.end.0.get(axis).copied().unwrap_or(0.0)));
    let left = turn.length() + leg.left;
    me.remember(0, [OWN | leg.node, left.to_bits()]);
    let end = me.offset_to(goal);
    me.heads_for(key_of_point(goal), (left, end), true);
    if left <= me.radius() {
        me.arrive_at(end);
    }
    if leg.is_last {
        let slowing = WITHOUT_OVERSHOOT * me.max_speed() * me.response();
        return me.towards(steering::arrive(end, me.max_speed(), slowing));
    }
    me.towards(turn.direction() * me.max_speed())
}
