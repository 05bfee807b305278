//! What is a point, a velocity or a force in `D` dimensions?

use std::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// A point, a velocity or a force in `D` dimensions (2 or 3).
///
/// A thin type over `[f32; D]`: it converts from and to arrays and glam's vectors, so a host may keep its own.
///
/// ```
/// use throng::{Vector, glam};
///
/// let east: Vector<2> = [3.0, 4.0].into();
/// assert_eq!(east.length(), 5.0);
/// assert_eq!(glam::Vec2::from(east.direction()), glam::vec2(0.6, 0.8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Vector<const D: usize>(pub [f32; D]);

/// What brings the largest numbers to where their squares are numbers as well.
pub(crate) const SHRINK: f32 = 1.0 / (1u128 << 70) as f32;

impl<const D: usize> Vector<D> {
    /// The zero vector.
    pub const ZERO: Self = Self([0.0; D]);

    /// A vector with the same value on every axis.
    #[must_use]
    pub const fn splat(value: f32) -> Self {
        Self([value; D])
    }

    /// A vector from a function of the axis.
    #[inline]
    #[must_use]
    pub fn from_fn(value: impl FnMut(usize) -> f32) -> Self {
        Self(std::array::from_fn(value))
    }

    /// The dot product.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> f32 {
        let mut sum = self.0[0] * other.0[0];
        for axis in 1..D {
            sum += self.0[axis] * other.0[axis];
        }
        sum
    }

    /// The square of the length.
    #[inline]
    #[must_use]
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// The length.
    #[inline]
    #[must_use]
    pub fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    /// The vector of length one that points the same way; zero for the zero vector.
    #[inline]
    #[must_use]
    pub fn direction(self) -> Self {
        let squared = self.length_squared();
        if squared > 0.0 { self * (1.0 / squared.sqrt()) } else { Self::ZERO }
    }

    /// The same vector, shortened to `longest` where it is longer.
    #[inline]
    #[must_use]
    pub fn truncate(self, longest: f32) -> Self {
        let squared = self.length_squared();
        if squared <= longest * longest || squared.is_nan() {
            return self;
        }
        // A square may be too large for a number where the vector is not.
        let scaled = if squared > f32::MAX { self * SHRINK } else { self };
        scaled * (longest / scaled.length())
    }

    /// Whether every component is finite.
    #[inline]
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.0.iter().all(|component| component.is_finite())
    }
}

impl<const D: usize> Default for Vector<D> {
    fn default() -> Self {
        Self::ZERO
    }
}

macro_rules! componentwise {
    ($($operator:ident $method:ident $symbol:tt),*) => {$(
        impl<const D: usize> $operator for Vector<D> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self::from_fn(|axis| self.0[axis] $symbol other.0[axis])
            }
        }
    )*};
}
componentwise!(Add add +, Sub sub -);

impl<const D: usize> Mul<f32> for Vector<D> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f32) -> Self {
        Self::from_fn(|axis| self.0[axis] * factor)
    }
}

impl<const D: usize> Div<f32> for Vector<D> {
    type Output = Self;
    #[inline]
    fn div(self, divisor: f32) -> Self {
        Self::from_fn(|axis| self.0[axis] / divisor)
    }
}

impl<const D: usize> Neg for Vector<D> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::from_fn(|axis| -self.0[axis])
    }
}

impl<const D: usize> AddAssign for Vector<D> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const D: usize> SubAssign for Vector<D> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const D: usize> Index<usize> for Vector<D> {
    type Output = f32;
    #[inline]
    fn index(&self, axis: usize) -> &f32 {
        &self.0[axis]
    }
}

impl<const D: usize> IndexMut<usize> for Vector<D> {
    #[inline]
    fn index_mut(&mut self, axis: usize) -> &mut f32 {
        &mut self.0[axis]
    }
}

impl<const D: usize> From<[f32; D]> for Vector<D> {
    #[inline]
    fn from(components: [f32; D]) -> Self {
        Self(components)
    }
}

impl<const D: usize> From<Vector<D>> for [f32; D] {
    #[inline]
    fn from(vector: Vector<D>) -> Self {
        vector.0
    }
}

macro_rules! from_and_into_glam {
    ($($dimensions:literal $type:ty),*) => {$(
        impl From<$type> for Vector<$dimensions> {
            #[inline]
            fn from(vector: $type) -> Self {
                Self(vector.to_array())
            }
        }

        impl From<Vector<$dimensions>> for $type {
            #[inline]
            fn from(vector: Vector<$dimensions>) -> Self {
                Self::from_array(vector.0)
            }
        }
    )*};
}
from_and_into_glam!(2 glam::Vec2, 3 glam::Vec3, 3 glam::Vec3A);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_of_nothing_is_nothing() {
        assert_eq!(Vector::<3>::ZERO.direction(), Vector::ZERO);
        assert_eq!(Vector([0.0, -2.0]).direction(), Vector([0.0, -1.0]));
    }

    #[test]
    fn truncate_shortens_only_what_is_longer() {
        assert_eq!(Vector([3.0, 4.0]).truncate(5.0), Vector([3.0, 4.0]));
        assert_eq!(Vector([6.0, 8.0]).truncate(5.0), Vector([3.0, 4.0]));
        assert_eq!(Vector([6.0, 8.0]).truncate(0.0), Vector::ZERO);
        assert_eq!(Vector([0.0, 1e30]).truncate(5.0), Vector([0.0, 5.0]));
    }

    #[test]
    fn glam_there_and_back() {
        let there: glam::Vec3A = Vector([1.0, 2.0, 3.0]).into();
        assert_eq!(Vector::from(there), Vector([1.0, 2.0, 3.0]));
    }
}
