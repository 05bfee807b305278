//! Half-spaces of permitted velocities, and the permitted velocity nearest to a preferred one.

use crate::maths::Vector;
use crate::rules::steering::{linear_2d, linear_3d};

/// The largest number of half-spaces that [`nearest_velocity`] takes into account.
pub const MOST_HALF_SPACES: usize = 64;

/// Normals whose sine is below this are parallel.
pub(super) const PARALLEL: f32 = 1e-5;

/// The velocities that one neighbour or wall permits: those with `velocity . normal >= bound`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<const D: usize> {
    /// A vector of length one that points to the permitted side.
    pub normal: Vector<D>,
    /// The least component of the velocity along the normal, in metres per second.
    pub bound: f32,
}

impl<const D: usize> HalfSpace<D> {
    /// Permits everything.
    pub(crate) const ALL: Self = Self { normal: Vector::ZERO, bound: 0.0 };

    /// By how much a velocity falls short of the bound, in metres per second; negative if it is permitted.
    #[inline]
    #[must_use]
    pub fn missing(&self, velocity: Vector<D>) -> f32 {
        self.bound - self.normal.dot(velocity)
    }
}

/// The aim of a linear programme.
#[derive(Clone, Copy, Debug)]
pub(super) enum Aim<const D: usize> {
    /// The velocity nearest to this one.
    Near(Vector<D>),
    /// The velocity that is farthest in this direction.
    Along(Vector<D>),
}

/// The velocity nearest to `preferred` that is at most `max_speed` long and in all half-spaces (van den Berg, Guy, Lin
/// and Manocha 2011, section 5).
///
/// If no velocity is in all of them, the first `walls` half-spaces hold if possible, and the result is the velocity
/// whose worst violation of the others is least. Half-spaces after the first [`MOST_HALF_SPACES`] are ignored. In two
/// dimensions the programme is solved by incremental construction on lines (de Berg et al. 2008), in three on planes.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{HalfSpace, nearest_velocity};
///
/// let slow = HalfSpace { normal: Vector([-1.0, 0.0]), bound: -0.5 };
/// assert_eq!(nearest_velocity(&[slow], 0, 2.0, [1.0, 1.0]), Vector([0.5, 1.0]));
/// ```
#[must_use]
pub fn nearest_velocity<const D: usize>(
    half_spaces: &[HalfSpace<D>],
    walls: usize,
    max_speed: f32,
    preferred: impl Into<Vector<D>>,
) -> Vector<D> {
    let half_spaces = &half_spaces[..half_spaces.len().clamp(0, MOST_HALF_SPACES)];
    let preferred = Aim::Near(preferred.into());
    match solve(half_spaces, max_speed, preferred) {
        Ok(velocity) => velocity,
        Err((first, velocity)) => least_violation(half_spaces, walls, first, max_speed, velocity),
    }
}

/// Solves a programme. Without a solution, returns the first half-space that none fits and the solution before it.
#[inline]
fn solve<const D: usize>(
    half_spaces: &[HalfSpace<D>],
    max_speed: f32,
    aim: Aim<D>,
) -> Result<Vector<D>, (usize, Vector<D>)> {
    let mut velocity = match aim {
        Aim::Near(preferred) => preferred.truncate(max_speed),
        Aim::Along(direction) => direction * max_speed,
    };
    for (number, half_space) in half_spaces.iter().enumerate() {
        if half_space.missing(velocity) > 0.0 {
            let (before, speed) = (&half_spaces[..number], max_speed);
            let solution = if D == 2 {
                linear_2d::on_line(half_space, before, speed, aim)
            } else {
                linear_3d::on_plane(half_space, before, speed, aim)
            };
            velocity = solution.ok_or((number, velocity))?;
        }
    }
    Ok(velocity)
}

/// The velocity with the least violation of the worst violated half-space, from the solution of those before `first`.
#[cold]
fn least_violation<const D: usize>(
    half_spaces: &[HalfSpace<D>],
    walls: usize,
    first: usize,
    max_speed: f32,
    mut velocity: Vector<D>,
) -> Vector<D> {
    let (mut worst, mut buffer) = (0.0, [HalfSpace::ALL; MOST_HALF_SPACES]);
    for (number, half_space) in half_spaces.iter().enumerate().skip(first) {
        if half_space.missing(velocity) <= worst {
            continue;
        }
        // In these half-spaces, no earlier one is violated by more than this one.
        let mut len = 0;
        for (place, other) in half_spaces[..number].iter().enumerate() {
            let no_worse = if place < walls { Some(*other) } else { no_worse(half_space, other) };
            if let Some(no_worse) = no_worse {
                buffer[len] = no_worse;
                len += 1;
            }
        }
        // The programme has a solution by construction. A failure is rounding error, and the last solution stays.
        if let Ok(better) = solve(&buffer[..len], max_speed, Aim::Along(half_space.normal)) {
            velocity = better;
        }
        worst = half_space.missing(velocity);
    }
    velocity
}

/// The velocities that violate `other` by no more than `half_space`; `None` if the difference is the same everywhere.
fn no_worse<const D: usize>(half_space: &HalfSpace<D>, other: &HalfSpace<D>) -> Option<HalfSpace<D>> {
    let normal = other.normal - half_space.normal;
    let length = normal.length();
    (length > PARALLEL).then(|| HalfSpace { normal: normal / length, bound: (other.bound - half_space.bound) / length })
}
