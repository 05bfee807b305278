//! Vectors in `D` dimensions: points, velocities and forces.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::maths::components;

/// A point, a velocity or a force in `D` dimensions (2 or 3).
///
/// A thin type over `[f32; D]`. It converts from and to arrays and, with the features `glam` and `mint`, the vectors of
/// these crates, so a host can use its own type.
///
/// ```
/// use throng::Vector;
///
/// let east: Vector<2> = [3.0, 4.0].into();
/// assert_eq!(east.length(), 5.0);
/// assert_eq!(2.0 * east.direction(), Vector([1.2, 1.6]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Vector<const D: usize>(pub [f32; D]);

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
        components::dot(&self.0, &other.0)
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

    /// The distance from one point to another, in a world that is not periodic.
    #[inline]
    #[must_use]
    pub fn distance(self, other: Self) -> f32 {
        (other - self).length()
    }

    /// The point that is `fraction` of the way from this one to the other.
    #[inline]
    #[must_use]
    pub fn lerp(self, other: Self, fraction: f32) -> Self {
        self + (other - self) * fraction
    }

    /// The unit vector with the same direction; zero for the zero vector. The result is not finite for a vector with an
    /// infinite component.
    #[inline]
    #[must_use]
    pub fn direction(self) -> Self {
        Self(components::direction(self.0))
    }

    /// The same vector, shortened to `longest` where it is longer.
    #[inline]
    #[must_use]
    pub fn truncate(self, longest: f32) -> Self {
        Self(components::truncate(self.0, longest))
    }

    /// Whether every component is finite.
    #[inline]
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.0.iter().all(|component| component.is_finite())
    }

    /// The components, axis by axis.
    pub fn iter(&self) -> std::slice::Iter<'_, f32> {
        self.0.iter()
    }
}

impl Vector<2> {
    /// The vector after a quarter turn to the left (anticlockwise if the second axis points up).
    #[inline]
    #[must_use]
    pub fn perp(self) -> Self {
        Self([-self.0[1], self.0[0]])
    }

    /// The signed area of the parallelogram of two vectors: positive if the other one points to the left of this one.
    #[inline]
    #[must_use]
    pub fn cross(self, other: Self) -> f32 {
        self.0[0] * other.0[1] - self.0[1] * other.0[0]
    }
}

impl Vector<3> {
    /// The cross product.
    #[inline]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        Self([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
    }
}

/// Writes a point as `(1, 2)`. A precision applies to the components.
impl<const D: usize> fmt::Display for Vector<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (axis, component) in self.0.iter().enumerate() {
            f.write_str(if axis == 0 { "(" } else { ", " })?;
            component.fmt(f)?;
        }
        f.write_str(")")
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

impl<const D: usize> Mul<Vector<D>> for f32 {
    type Output = Vector<D>;
    #[inline]
    fn mul(self, vector: Vector<D>) -> Vector<D> {
        vector * self
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

// These operate in place. A sum returned by value passes through a whole register in each step of a loop, which takes
// several times longer than the addition.
impl<const D: usize> AddAssign for Vector<D> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        for axis in 0..D {
            self.0[axis] += other.0[axis];
        }
    }
}

impl<const D: usize> SubAssign for Vector<D> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        for axis in 0..D {
            self.0[axis] -= other.0[axis];
        }
    }
}

impl<const D: usize> MulAssign<f32> for Vector<D> {
    #[inline]
    fn mul_assign(&mut self, factor: f32) {
        *self = *self * factor;
    }
}

impl<const D: usize> DivAssign<f32> for Vector<D> {
    #[inline]
    fn div_assign(&mut self, divisor: f32) {
        *self = *self / divisor;
    }
}

/// Added in the order of the iterator, to zero.
impl<const D: usize> Sum for Vector<D> {
    fn sum<I: Iterator<Item = Self>>(vectors: I) -> Self {
        let mut sum = Self::ZERO;
        for vector in vectors {
            sum += vector;
        }
        sum
    }
}

/// Added in the order of the iterator, to zero.
impl<'a, const D: usize> Sum<&'a Self> for Vector<D> {
    fn sum<I: Iterator<Item = &'a Self>>(vectors: I) -> Self {
        vectors.copied().sum()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zero_vector_has_direction_zero() {
        assert_eq!(Vector::<3>::ZERO.direction(), Vector::ZERO);
        assert_eq!(Vector([0.0, -2.0]).direction(), Vector([0.0, -1.0]));
        assert_eq!(Vector([f32::NAN, 1.0]).direction(), Vector::ZERO);
        assert!(!Vector([f32::INFINITY, 1.0]).direction().is_finite());
    }

    #[test]
    fn every_finite_vector_has_a_direction() {
        let smallest = f32::from_bits(1);
        for exponent in -149..=127 {
            // Right triangles of all sizes; the smallest sides are multiples of the smallest number.
            let size = (exponent as f64).exp2();
            for sides in [[3.0, 4.0, 0.0], [0.0, -1.0, 0.0], [1.0, 1.0, 1.0], [1.0, -0.25, 0.5]] {
                let vector = Vector(sides.map(|side: f64| (side * size).clamp(-3e38, 3e38) as f32));
                let length = vector.iter().map(|&side| f64::from(side).powi(2)).sum::<f64>().sqrt();
                for (ours, side) in vector.direction().into_iter().zip(vector) {
                    let truth = f64::from(side) / length;
                    assert!((f64::from(ours) - truth).abs() < 2.0 * f64::from(f32::EPSILON), "{vector:?}: {ours}");
                }
            }
        }
        assert_eq!(Vector([smallest, 0.0]).direction(), Vector([1.0, 0.0]));
        assert_eq!(Vector([0.0, f32::MIN]).direction(), Vector([0.0, -1.0]));
    }

    #[test]
    fn truncate_shortens_only_longer_vectors() {
        assert_eq!(Vector([3.0, 4.0]).truncate(5.0), Vector([3.0, 4.0]));
        assert_eq!(Vector([6.0, 8.0]).truncate(5.0), Vector([3.0, 4.0]));
        assert_eq!(Vector([6.0, 8.0]).truncate(0.0), Vector::ZERO);
        assert_eq!(Vector([0.0, 1e30]).truncate(5.0), Vector([0.0, 5.0]));
    }

    #[test]
    fn arithmetic() {
        let (mut a, b) = (Vector([1.0, 2.0, 3.0]), Vector([4.0, -5.0, 6.0]));
        assert_eq!(2.0 * a, a * 2.0);
        assert_eq!([a, b].iter().sum::<Vector<3>>(), a + b);
        assert_eq!([a, b].into_iter().sum::<Vector<3>>(), a + b);
        assert_eq!((a.lerp(b, 0.0), a.lerp(b, 0.5)), (a, Vector([2.5, -1.5, 4.5])));
        assert_eq!(Vector([1.0, 1.0]).distance(Vector([4.0, 5.0])), 5.0);
        assert_eq!(a.cross(b), Vector([27.0, 6.0, -13.0]));
        assert_eq!((a.cross(b).dot(a), a.cross(b).dot(b)), (0.0, 0.0));
        let (east, north) = (Vector([1.0, 0.0]), Vector([0.0, 1.0]));
        assert_eq!((east.perp(), east.cross(north), north.cross(east)), (north, 1.0, -1.0));
        a *= 4.0;
        a /= 2.0;
        a[0] += 1.0;
        assert_eq!(a.into_iter().collect::<Vec<f32>>(), [3.0, 4.0, 6.0]);
        assert_eq!((a.as_ref(), a.iter().count()), (&[3.0, 4.0, 6.0], 3));
    }

    #[test]
    fn a_vector_is_displayed_as_a_point() {
        assert_eq!(Vector([1.0, -2.5]).to_string(), "(1, -2.5)");
        assert_eq!(format!("{:.2}", Vector([1.0, 2.0, 3.0])), "(1.00, 2.00, 3.00)");
    }
}
