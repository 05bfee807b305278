//! Flow field following.

use crate::vector::Vector;

/// The flow where the agent will be in `horizon` seconds if it keeps its `velocity` (Reynolds 1999): at `speed`, or,
/// without one, as fast as the flow is. At a `speed`, where there is no flow, nothing is desired.
///
/// `flow` gives the flow at an offset from the agent, in metres per second: `|ahead| field.at(position + ahead,
/// &settings)` for a [`FlowField`](crate::FlowField).
///
/// ```
/// use throng::glam::{Vec2, vec2};
/// use throng::steering::follow_flow_field;
///
/// // It whirls about the origin.
/// let whirl = |point: Vec2| vec2(-point.y, point.x);
/// let (position, velocity) = (vec2(3.0, 2.0), vec2(0.0, 4.0));
/// let flow = |ahead| whirl(position + Vec2::from(ahead)).into();
/// assert_eq!(follow_flow_field(velocity, None, 0.5, flow), Some(vec2(-4.0, 3.0).into()));
/// assert_eq!(follow_flow_field(velocity, Some(10.0), 0.5, flow), Some(vec2(-8.0, 6.0).into()));
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
    use glam::{Vec3, vec3};

    #[test]
    fn where_there_is_no_flow_it_is_free_or_stands() {
        // There is none at the origin.
        let still = |ahead: Vector<3>| ahead;
        assert_eq!(follow_flow_field(vec3(3.0, 0.0, 0.0), Some(10.0), 0.0, still), None);
        assert_eq!(follow_flow_field(vec3(3.0, 0.0, 0.0), None, 0.0, still), Some(Vector::ZERO));
        assert_eq!(
            follow_flow_field(Vec3::ZERO, Some(10.0), 1.0, |_| Vector([0.0, 0.0, 0.1])),
            Some(Vector([0.0, 0.0, 10.0]))
        );
    }
}
