//! Containment in a region, and tethers.

use crate::environment::region::Shape;
use crate::maths::Vector;

/// Full speed inwards if the agent will be outside a region in `horizon` seconds, or is within `margin` metres of its
/// boundary now (Reynolds 1999).
///
/// The centre of the `region` is an offset from the agent. Inwards is at right angles to the boundary; the component of
/// `velocity` along the boundary is kept. Returns `None` if the agent stays inside, and at the centre of a region
/// that the margin fills.
///
/// ```
/// use throng::steering::containment;
/// use throng::{Shape, Vector};
///
/// let position = Vector([75.0, 50.0]);
/// let disc = |centre: Vector<2>| Shape::Ball { centre: centre - position, radius: 30.0 };
/// // In a second the agent will be one metre outside.
/// assert_eq!(containment(disc(Vector([50.0, 50.0])), Vector([6.0, 0.0]), 10.0, 0.0, 1.0), Some(Vector([-10.0, 0.0])));
/// assert_eq!(containment(disc(Vector([50.0, 50.0])), Vector([4.0, 0.0]), 10.0, 0.0, 1.0), None);
/// ```
#[must_use]
pub fn containment<const D: usize>(
    region: Shape<D>,
    velocity: impl Into<Vector<D>>,
    max_speed: f32,
    margin: f32,
    horizon: f32,
) -> Option<Vector<D>> {
    let velocity = velocity.into();
    let inwards = (way_in(&region, Vector::ZERO, margin) + way_in(&region, velocity * horizon, 0.0)).direction();
    (inwards != Vector::ZERO).then(|| velocity + inwards * (max_speed - velocity.dot(inwards)))
}

/// The offset from a point to the nearest point that is inside by `margin`.
fn way_in<const D: usize>(region: &Shape<D>, point: Vector<D>, margin: f32) -> Vector<D> {
    match *region {
        Shape::Ball { centre, radius } => {
            let from_centre = point - centre;
            from_centre.direction() * -positive(from_centre.length() - positive(radius - margin))
        }
        Shape::Box { centre, half } => Vector::from_fn(|axis| {
            let from_centre = point[axis] - centre[axis];
            let beyond = positive(from_centre.abs() - positive(half[axis] - margin));
            if from_centre > 0.0 { -beyond } else { beyond }
        }),
    }
}

fn positive(length: f32) -> f32 {
    if length > 0.0 { length } else { 0.0 }
}

/// The velocity plus a pull towards an anchor that is farther away than `length` metres. The pull grows linearly with
/// the stretch of the line, up to `max_speed` at `stretch` metres. Returns `None` within `length`.
///
/// The source is the tether of the descendants of OpenSteer.
///
/// ```
/// use throng::Vector;
/// use throng::steering::tether;
///
/// assert_eq!(tether(Vector([22.5, 0.0]), Vector([0.0, 4.0]), 10.0, 20.0, 10.0), Some(Vector([2.5, 4.0])));
/// assert_eq!(tether(Vector([20.0, 0.0]), Vector([0.0, 4.0]), 10.0, 20.0, 10.0), None);
/// ```
#[must_use]
pub fn tether<const D: usize>(
    anchor: impl Into<Vector<D>>,
    velocity: impl Into<Vector<D>>,
    max_speed: f32,
    length: f32,
    stretch: f32,
) -> Option<Vector<D>> {
    let anchor = anchor.into();
    let excess = anchor.length() - length;
    if excess <= 0.0 {
        return None;
    }
    let share = if excess < stretch { excess / stretch } else { 1.0 };
    Some(velocity.into() + anchor.direction() * (max_speed * share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_walls_of_a_corner_turn_an_agent_back() {
        let room = Shape::Box { centre: Vector([-33.0, -34.0, 0.0]), half: Vector::splat(30.0) };
        let desired = containment(room, Vector::<3>::ZERO, 10.0, 0.0, 1.0).unwrap();
        assert!((desired - Vector([-6.0, -8.0, 0.0])).length() < 1e-5, "{desired:?}");
        // The component along the wall is kept.
        let hall = Shape::Box { centre: Vector([-28.0, 0.0]), half: Vector::splat(30.0) };
        assert_eq!(containment(hall, Vector([0.0, 3.0]), 10.0, 5.0, 1.0), Some(Vector([-10.0, 3.0])));
        assert_eq!(containment(hall, Vector([1.0, 3.0]), 10.0, 2.0, 1.0), None);
    }

    #[test]
    fn a_region_of_margin_only_is_a_point() {
        let disc = |x: f32| Shape::Ball { centre: Vector([x, 0.0]), radius: 3.0 };
        assert_eq!(containment(disc(2.0), Vector::<2>::ZERO, 10.0, 5.0, 1.0), Some(Vector([10.0, 0.0])));
        assert_eq!(containment(disc(0.0), Vector::<2>::ZERO, 10.0, 5.0, 1.0), None);
    }

    #[test]
    fn the_pull_of_a_tether_is_bounded_and_zero_stretch_is_stiff() {
        assert_eq!(
            tether(Vector([0.0, 0.0, -45.0]), Vector::<3>::ZERO, 10.0, 20.0, 10.0),
            Some(Vector([0.0, 0.0, -10.0]))
        );
        assert_eq!(tether(Vector([0.0, 6.0]), Vector([1.0, 0.0]), 10.0, 5.0, 0.0), Some(Vector([1.0, 10.0])));
        assert_eq!(tether(Vector::<2>::ZERO, Vector([1.0, 0.0]), 10.0, 0.0, 0.0), None);
    }
}
