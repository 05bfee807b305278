//! Separation, alignment and cohesion.
//!
//! Reynolds, "Flocks, Herds, and Schools: A Distributed Behavioral Model" (1987), with the sums of "Steering Behaviors
//! For Autonomous Characters" (1999).

use crate::maths::Vector;

use crate::rules::steering::seek;

/// Full speed away from neighbours, each weighted by the inverse of its distance. A coincident neighbour has no
/// direction and does not count. Returns `None` without neighbours, or where they cancel out.
///
/// ```
/// use throng::Vector;
/// use throng::steering::separation;
///
/// // One metre to the right, two metres ahead: pushes of 1 and of 1/2.
/// let desired = separation([Vector([1.0, 0.0]), Vector([0.0, 2.0])], 5.0_f32.sqrt()).unwrap();
/// assert!((desired - Vector([-2.0, -1.0])).length() < 1e-6);
/// ```
#[must_use]
pub fn separation<const D: usize>(
    offsets: impl IntoIterator<Item = impl Into<Vector<D>>>,
    max_speed: f32,
) -> Option<Vector<D>> {
    let mut sum = Vector::ZERO;
    for offset in offsets {
        let offset: Vector<D> = offset.into();
        let squared = offset.length_squared();
        if squared > 0.0 {
            sum += offset / squared;
        }
    }
    seek(-sum, max_speed)
}

/// The mean of the neighbours' velocities; `None` without neighbours.
///
/// ```
/// use throng::Vector;
/// use throng::steering::alignment;
///
/// assert_eq!(alignment([Vector([1.0, 0.0]), Vector([3.0, 4.0])]), Some(Vector([2.0, 2.0])));
/// ```
#[must_use]
pub fn alignment<const D: usize>(velocities: impl IntoIterator<Item = impl Into<Vector<D>>>) -> Option<Vector<D>> {
    let (mut sum, mut count) = (Vector::ZERO, 0.0);
    for velocity in velocities {
        sum += velocity.into();
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// Full speed towards the centre of the neighbours; `None` at the centre itself, and without neighbours.
///
/// ```
/// use throng::Vector;
/// use throng::steering::cohesion;
///
/// assert_eq!(cohesion([Vector([1.0, 0.0]), Vector([5.0, 8.0])], 10.0), Some(Vector([6.0, 8.0])));
/// ```
#[must_use]
pub fn cohesion<const D: usize>(
    offsets: impl IntoIterator<Item = impl Into<Vector<D>>>,
    max_speed: f32,
) -> Option<Vector<D>> {
    let sum = offsets.into_iter().fold(Vector::ZERO, |sum, offset| sum + offset.into());
    seek(sum, max_speed)
}
