//! Half-spaces of permitted velocities.

use crate::maths::Vector;

/// The largest number of half-spaces that [`nearest_velocity`](fn@crate::steering::nearest_velocity) takes into account.
pub const MOST_HALF_SPACES: usize = 96;

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
