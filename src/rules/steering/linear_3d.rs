//! The linear programme on a plane: the step of a programme in three dimensions.

use crate::kernels::orca::PARALLEL;
use crate::maths::Vector;
use crate::rules::steering::half_space::{Aim, HalfSpace};

/// The solution on the boundary of a half-space, at most `max_speed` long and in the half-spaces `before`.
#[inline]
pub(super) fn on_plane<const D: usize>(
    half_space: &HalfSpace<D>,
    before: &[HalfSpace<D>],
    max_speed: f32,
    aim: Aim<D>,
) -> Option<Vector<D>> {
    let (normal, bound) = (half_space.normal, half_space.bound);
    let squared = max_speed * max_speed - bound * bound;
    if squared < 0.0 {
        return None;
    }
    let (centre, radius) = (normal * bound, squared.sqrt());
    let wanted = match aim {
        Aim::Near(wanted) | Aim::Along(wanted) => wanted,
    };
    let in_plane = wanted - normal * wanted.dot(normal);
    let mut velocity = match aim {
        Aim::Near(_) => centre + in_plane.truncate(radius),
        Aim::Along(_) => centre + in_plane.direction() * radius,
    };
    for (number, other) in before.iter().enumerate() {
        if other.missing(velocity) > 0.0 {
            velocity = on_edge(half_space, other, &before[..number], max_speed, wanted, matches!(aim, Aim::Along(_)))?;
        }
    }
    Some(velocity)
}

/// The solution on the line in which the boundaries of two half-spaces meet.
fn on_edge<const D: usize>(
    one: &HalfSpace<D>,
    other: &HalfSpace<D>,
    before: &[HalfSpace<D>],
    max_speed: f32,
    wanted: Vector<D>,
    farthest: bool,
) -> Option<Vector<D>> {
    let (a, b) = (one.normal, other.normal);
    let mut along = Vector::ZERO;
    (along[0], along[1]) = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2]);
    along[2] = a[0] * b[1] - a[1] * b[0];
    let sine_squared = along.length_squared();
    if sine_squared <= PARALLEL * PARALLEL {
        return None;
    }
    let along = along / sine_squared.sqrt();
    // The point of the line that is nearest to the origin is a combination of the normals.
    let cosine = a.dot(b);
    let nearest = a * ((one.bound - cosine * other.bound) / sine_squared)
        + b * ((other.bound - cosine * one.bound) / sine_squared);
    let squared = max_speed * max_speed - nearest.length_squared();
    if squared < 0.0 {
        return None;
    }
    let half = squared.sqrt();
    let (mut low, mut high) = (-half, half);
    for third in before {
        let (slope, missing) = (third.normal.dot(along), third.missing(nearest));
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
    let place = wanted.dot(along);
    let place = if farthest {
        if place > 0.0 { high } else { low }
    } else {
        let place = if place < low { low } else { place };
        if place > high { high } else { place }
    };
    Some(nearest + along * place)
}
