//! Vectors of numbers, for formulas that are written once.
//!
//! Loops are written out: closures in lanes would be compiled without the instructions of the register.

use crate::maths::number::{Number, Truth};

/// 2^-70 scales the largest numbers down until their squares are finite.
const SHRINK: f32 = 1.0 / (1u128 << 70) as f32;

/// 2^100 scales the smallest numbers up until their squares are not subnormal.
const GROW: f32 = (1u128 << 100) as f32;

/// Returns the dot product, added in the order of the axes.
#[inline(always)]
pub(crate) fn dot<N: Number, const D: usize>(a: &[N; D], b: &[N; D]) -> N {
    let mut sum = a[0] * b[0];
    for axis in 1..D {
        sum += a[axis] * b[axis];
    }
    sum
}

#[inline(always)]
pub(crate) fn length<N: Number, const D: usize>(vector: &[N; D]) -> N {
    dot(vector, vector).sqrt()
}

#[inline(always)]
pub(crate) fn plus<N: Number, const D: usize>(mut a: [N; D], b: [N; D]) -> [N; D] {
    for axis in 0..D {
        a[axis] += b[axis];
    }
    a
}

#[inline(always)]
pub(crate) fn minus<N: Number, const D: usize>(mut a: [N; D], b: [N; D]) -> [N; D] {
    for axis in 0..D {
        a[axis] = a[axis] - b[axis];
    }
    a
}

#[inline(always)]
pub(crate) fn negative<N: Number, const D: usize>(mut vector: [N; D]) -> [N; D] {
    for axis in 0..D {
        vector[axis] = -vector[axis];
    }
    vector
}

#[inline(always)]
pub(crate) fn times<N: Number, const D: usize>(mut vector: [N; D], factor: N) -> [N; D] {
    for axis in 0..D {
        vector[axis] = vector[axis] * factor;
    }
    vector
}

#[inline(always)]
pub(crate) fn over<N: Number, const D: usize>(mut vector: [N; D], divisor: N) -> [N; D] {
    for axis in 0..D {
        vector[axis] = vector[axis] / divisor;
    }
    vector
}

/// Returns `yes` where `truth` is true, `no` elsewhere.
#[inline(always)]
pub(crate) fn choose<N: Number, const D: usize>(truth: N::Truth, mut yes: [N; D], no: [N; D]) -> [N; D] {
    for axis in 0..D {
        yes[axis] = truth.choose(yes[axis], no[axis]);
    }
    yes
}

/// Returns whether a vector is zero.
#[inline(always)]
pub(crate) fn is_zero<N: Number, const D: usize>(vector: &[N; D]) -> N::Truth {
    let zero = vector[0].same(0.0);
    let mut all = vector[0].equals(zero);
    for component in &vector[1..] {
        all = all & component.equals(zero);
    }
    all
}

/// Returns the vector of length one in the same direction; zero for the zero vector and for NaN.
#[inline(always)]
pub(crate) fn direction<N: Number, const D: usize>(vector: [N; D]) -> [N; D] {
    let squared = dot(&vector, &vector);
    let (one, largest) = (squared.same(1.0), squared.same(f32::MAX));
    let usual = squared.ge(squared.same(f32::MIN_POSITIVE)) & squared.le(largest);
    if usual.all() {
        return times(vector, one / squared.sqrt());
    }
    // The square of a vector may overflow or underflow although the vector does not.
    let factor = squared.gt(largest).choose(squared.same(SHRINK), squared.same(GROW));
    let scaled = choose(usual, vector, times(vector, factor));
    let (squared, zero) = (dot(&scaled, &scaled), squared.same(0.0));
    choose(squared.gt(zero), times(scaled, one / squared.sqrt()), [zero; D])
}

/// Returns the vector, shortened to `longest` where it is longer.
#[inline(always)]
pub(crate) fn truncate<N: Number, const D: usize>(vector: [N; D], longest: N) -> [N; D] {
    let squared = dot(&vector, &vector);
    let too_long = squared.gt(longest * longest);
    if too_long.skips() {
        return vector;
    }
    // The square may overflow although the vector does not.
    let huge = squared.gt(squared.same(f32::MAX));
    let scaled = times(vector, huge.choose(squared.same(SHRINK), squared.same(1.0)));
    let factor = longest / length(&scaled);
    choose(too_long, times(scaled, factor), vector)
}
