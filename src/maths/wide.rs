//! Vectors of `f64`, for geometry that must be exact for values of `f32`.

/// A point or a vector in double precision.
pub(crate) type Wide<const D: usize> = [f64; D];

pub(crate) fn add<const D: usize>(a: Wide<D>, b: Wide<D>) -> Wide<D> {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

pub(crate) fn sub<const D: usize>(a: Wide<D>, b: Wide<D>) -> Wide<D> {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

pub(crate) fn scaled<const D: usize>(a: Wide<D>, by: f64) -> Wide<D> {
    std::array::from_fn(|axis| a[axis] * by)
}

pub(crate) fn dot<const D: usize>(a: Wide<D>, b: Wide<D>) -> f64 {
    let mut sum = a[0] * b[0];
    for axis in 1..D {
        sum += a[axis] * b[axis];
    }
    sum
}

pub(crate) fn length<const D: usize>(a: Wide<D>) -> f64 {
    dot(a, a).sqrt()
}

/// The exact values of a vector of `f32`.
pub(crate) fn widened<const D: usize>(a: [f32; D]) -> Wide<D> {
    a.map(f64::from)
}
