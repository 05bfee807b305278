//! Conversions of vectors from and to arrays, iterators, and the types of glam and mint.

use crate::maths::Vector;

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

impl<const D: usize> AsRef<[f32; D]> for Vector<D> {
    #[inline]
    fn as_ref(&self) -> &[f32; D] {
        &self.0
    }
}

impl<const D: usize> AsMut<[f32; D]> for Vector<D> {
    #[inline]
    fn as_mut(&mut self) -> &mut [f32; D] {
        &mut self.0
    }
}

impl<const D: usize> IntoIterator for Vector<D> {
    type Item = f32;
    type IntoIter = std::array::IntoIter<f32, D>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, const D: usize> IntoIterator for &'a Vector<D> {
    type Item = &'a f32;
    type IntoIter = std::slice::Iter<'a, f32>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Implements conversions from and to a type of another crate that converts from and to arrays.
#[cfg(any(feature = "glam", feature = "mint"))]
macro_rules! from_and_into {
    ($($dimensions:literal $type:ty),*) => {$(
        impl From<$type> for Vector<$dimensions> {
            #[inline]
            fn from(vector: $type) -> Self {
                Self(vector.into())
            }
        }

        impl From<Vector<$dimensions>> for $type {
            #[inline]
            fn from(vector: Vector<$dimensions>) -> Self {
                vector.0.into()
            }
        }
    )*};
}
#[cfg(feature = "glam")]
from_and_into!(2 glam::Vec2, 3 glam::Vec3, 3 glam::Vec3A);
#[cfg(feature = "mint")]
from_and_into!(2 mint::Vector2<f32>, 3 mint::Vector3<f32>, 2 mint::Point2<f32>, 3 mint::Point3<f32>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_round_trip() {
        let mut vector = Vector::from([1.0, 2.0]);
        vector.as_mut()[1] = 3.0;
        assert_eq!(<[f32; 2]>::from(vector), *vector.as_ref());
        assert_eq!(vector.into_iter().collect::<Vec<f32>>(), [1.0, 3.0]);
        assert_eq!((&vector).into_iter().sum::<f32>(), 4.0);
    }

    #[cfg(feature = "glam")]
    #[test]
    fn glam_vectors_round_trip() {
        let there: glam::Vec3A = Vector([1.0, 2.0, 3.0]).into();
        assert_eq!(there, glam::vec3a(1.0, 2.0, 3.0));
        assert_eq!(Vector::from(there), Vector([1.0, 2.0, 3.0]));
        assert_eq!(Vector::from(glam::Vec2::from(Vector([1.0, 2.0]))), Vector([1.0, 2.0]));
    }

    #[cfg(feature = "mint")]
    #[test]
    fn mint_vectors_round_trip() {
        let there: mint::Point3<f32> = Vector([1.0, 2.0, 3.0]).into();
        assert_eq!((there.x, there.y, there.z), (1.0, 2.0, 3.0));
        assert_eq!(Vector::from(there), Vector([1.0, 2.0, 3.0]));
        assert_eq!(Vector::from(mint::Vector2::from(Vector([1.0, 2.0]))), Vector([1.0, 2.0]));
    }
}
