//! Flow field following.

use crate::maths::Vector;

/// The flow at the agent's predicted position in `horizon` seconds at its present `velocity` (Reynolds 1999). A `speed`
/// replaces the speed of the flow; the result is then `None` where the flow is zero.
///
/// `flow` returns the flow at an offset from the agent, in metres per second: `|ahead| field.at(position + ahead,
/// &settings)` for a [`FlowField`](crate::FlowField).
///
/// ```
/// use throng::Vector;
/// use throng::steering::follow_flow_field;
///
/// // A whirl about the origin.
/// let whirl = |point: Vector<2>| point.perp();
/// let (position, velocity) = (Vector([3.0, 2.0]), Vector([0.0, 4.0]));
/// let flow = |ahead| whirl(position + ahead);
/// assert_eq!(follow_flow_field(velocity, None, 0.5, flow), Some(Vector([-4.0, 3.0])));
/// assert_eq!(follow_flow_field(velocity, Some(10.0), 0.5, flow), Some(Vector([-8.0, 6.0])));
/// ```
#[must_use]
pub fn follow_flow_field<const D: usize>(
    velocity: impl Into<Vector<D>>,
    speed: Option<f32>,
    horizon: f32,
    flow: impl FnOnce(Vector<D>) -> Vector<D>,
) -> Option<Vector<D>> {
    let flow = flow(velocity.into() * horizon);
    match speed {
        None => Some(flow),
        Some(_) if flow == Vector::ZERO => None,
        Some(speed) => Some(flow.direction() * speed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_flow_desires_nothing_or_rest() {
        // The flow is zero at the origin.
        let still = |ahead: Vector<3>| ahead;
        assert_eq!(follow_flow_field(Vector([3.0, 0.0, 0.0]), Some(10.0), 0.0, still), None);
        assert_eq!(follow_flow_field(Vector([3.0, 0.0, 0.0]), None, 0.0, still), Some(Vector::ZERO));
        assert_eq!(
            follow_flow_field(Vector::<3>::ZERO, Some(10.0), 1.0, |_| Vector([0.0, 0.0, 0.1])),
            Some(Vector([0.0, 0.0, 10.0]))
        );
    }
}
