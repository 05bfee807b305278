//! The linear programme on a line: the step of a programme in two dimensions.

use crate::kernels::orca::PARALLEL;
use crate::maths::Vector;
use crate::rules::steering::half_space::{Aim, HalfSpace};

/// The solution on the boundary of a half-plane, at most `max_speed` long and in the half-planes `before`.
///
/// Only the first two axes count.
#[inline]
pub(super) fn on_line<const D: usize>(
    half_plane: &HalfSpace<D>,
    before: &[HalfSpace<D>],
    max_speed: f32,
    aim: Aim<D>,
) -> Option<Vector<D>> {
    let (normal, bound) = (half_plane.normal, half_plane.bound);
    let mut along = Vector::ZERO;
    (along[0], along[1]) = (normal[1], -normal[0]);
    // The point of the line that is nearest to the origin is the normal times the bound.
    let squared = max_speed * max_speed - bound * bound;
    if squared < 0.0 {
        return None;
    }
    let half = squared.sqrt();
    let (mut low, mut high) = (-half, half);
    for other in before {
        let slope = other.normal.dot(along);
        let missing = other.bound - bound * other.normal.dot(normal);
        if slope.abs() <= PARALLEL {
            if missing > 0.0 {
                return None;
            }
            continue;
        }
        let cut = missing / slope;
        if slope > 0.0 {
            low = if cut > low { cut } else { low };
        } else {
            high = if cut < high { cut } else { high };
        }
        if low > high {
            return None;
        }
    }
    let place = match aim {
        Aim::Near(preferred) => {
            let place = preferred.dot(along);
            let place = if place < low { low } else { place };
            if place > high { high } else { place }
        }
        Aim::Along(direction) => {
            if direction.dot(along) > 0.0 {
                high
            } else {
                low
            }
        }
    };
    Some(normal * bound + along * place)
}
