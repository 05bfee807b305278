//! The operations of expressions on slices whose lengths are multiples of sixteen.
//!
//! No operation hides a NaN that its result depends on, so that a rule without a result is noticed: comparisons with it
//! and choices by it are NaN. Only a choice that is not taken, and the other side of a false `and` or a true `or`, may be
//! anything.

use fearless_simd::{Level, Simd, SimdBase};

use crate::kernels::CLUSTER;
use crate::kernels::simd::{Lanes, Number, Ordered, Truth, dispatch, nearest_image};
use crate::maths::{atan2, exp_single, ln, pow, sin_cos_single, tanh};

/// An operation on one number. Truth is one, falsehood zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Negative,
    Not,
    Size,
    Sign,
    Floor,
    Root,
    Sine,
    Cosine,
    Exponential,
    Logarithm,
    HyperbolicTangent,
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Plus,
    Minus,
    Times,
    Over,
    Less,
    LessOrEqual,
    Equal,
    Unequal,
    And,
    Or,
    Lesser,
    Greater,
    Power,
    /// The angle of a point from its y and its x.
    Angle,
}

/// Fills `out` with the results of an operation.
pub(crate) fn unary(level: Level, operation: Unary, of: &[f32], out: &mut [f32]) {
    dispatch!(level, simd => unary_lanes(simd, operation, of, out));
}

/// Fills `out` with the results of an operation.
pub(crate) fn binary(level: Level, operation: Binary, a: &[f32], b: &[f32], out: &mut [f32]) {
    dispatch!(level, simd => binary_lanes(simd, operation, a, b, out));
}

/// Fills `out` with the numbers of `yes` where `which` is not zero, and of `no` where it is.
pub(crate) fn choose(level: Level, which: &[f32], yes: &[f32], no: &[f32], out: &mut [f32]) {
    dispatch!(level, simd => choose_lanes(simd, which, yes, no, out));
}

/// Replaces differences of coordinates by those to the nearest images.
pub(crate) fn to_nearest_images(level: Level, differences: &mut [f32], period: f32) {
    dispatch!(level, simd => nearest_image_lanes(simd, differences, period));
}

/// Adds the numbers of rows to the sums of agents, in the order of the rows. The first `left` rows of each agent count.
pub(crate) fn add(level: Level, rows: &[f32], left: &[f32; CLUSTER], out: &mut [f32; CLUSTER]) {
    dispatch!(level, simd => reduce_lanes(simd, rows, left, out, |all, one| all + one));
}

/// Replaces the numbers of agents by the least of them and of those in rows, as in [`add`].
pub(crate) fn least(level: Level, rows: &[f32], left: &[f32; CLUSTER], out: &mut [f32; CLUSTER]) {
    dispatch!(level, simd => reduce_lanes(simd, rows, left, out, lesser));
}

/// Replaces the numbers of agents by the greatest of them and of those in rows, as in [`add`].
pub(crate) fn greatest(level: Level, rows: &[f32], left: &[f32; CLUSTER], out: &mut [f32; CLUSTER]) {
    dispatch!(level, simd => reduce_lanes(simd, rows, left, out, greater));
}

/// The lesser of two numbers; NaN if one is.
#[inline(always)]
fn lesser<N: Number>(x: N, y: N) -> N {
    (y.lt(x) | !y.equals(y)).choose(y, x)
}

/// The greater of two numbers; NaN if one is.
#[inline(always)]
fn greater<N: Number>(x: N, y: N) -> N {
    (y.gt(x) | !y.equals(y)).choose(y, x)
}

/// One where a comparison of two numbers holds, else zero; NaN if one of them is.
#[inline(always)]
fn compared<N: Number>(x: N, y: N, holds: N::Truth) -> N {
    let truth = holds.choose(x.same(1.0), x.same(0.0));
    (x.equals(x) & y.equals(y)).choose(truth, x.same(f32::NAN))
}

/// Whether a number is neither zero nor NaN.
#[inline(always)]
fn is_true<N: Number>(x: N) -> N::Truth {
    x.equals(x) & !x.equals(x.same(0.0))
}

#[inline(always)]
fn reduce_lanes<S: Simd>(
    simd: S,
    rows: &[f32],
    left: &[f32; CLUSTER],
    out: &mut [f32; CLUSTER],
    join: impl Fn(Lanes<S>, Lanes<S>) -> Lanes<S>,
) {
    let (mut left, mut all) = (Lanes::from_slice(simd, left), Lanes::from_slice(simd, out));
    let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
    for row in rows.as_chunks::<CLUSTER>().0 {
        all = left.gt(zero).choose(join(all, Lanes::from_slice(simd, row)), all);
        left -= one;
    }
    all.store_slice(out);
}

#[inline(always)]
fn unary_lanes<S: Simd>(simd: S, operation: Unary, of: &[f32], out: &mut [f32]) {
    macro_rules! map {
        ($x:ident => $result:expr) => {
            for (of, out) in of.as_chunks::<CLUSTER>().0.iter().zip(out.as_chunks_mut::<CLUSTER>().0) {
                let $x = Lanes::from_slice(simd, of);
                $result.store_slice(out);
            }
        };
    }
    macro_rules! one_by_one {
        ($function:expr) => {
            of.iter().zip(out).for_each(|(of, out)| *out = $function(*of))
        };
    }
    let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
    match operation {
        Unary::Negative => map!(x => (zero - x)),
        Unary::Not => map!(x => compared(x, x, x.equals(zero))),
        Unary::Size => map!(x => Number::abs(x)),
        Unary::Sign => map!(x => x.lt(zero).choose(zero - one, x.gt(zero).choose(one, x))),
        Unary::Floor => map!(x => Number::floor(x)),
        Unary::Root => map!(x => Number::sqrt(x)),
        Unary::Sine => map!(x => sin_cos_single(x).0),
        Unary::Cosine => map!(x => sin_cos_single(x).1),
        Unary::Exponential => map!(x => exp_single(x)),
        Unary::Logarithm => one_by_one!(ln),
        Unary::HyperbolicTangent => one_by_one!(tanh),
    }
}

#[inline(always)]
fn binary_lanes<S: Simd>(simd: S, operation: Binary, a: &[f32], b: &[f32], out: &mut [f32]) {
    macro_rules! map {
        ($x:ident, $y:ident => $result:expr) => {
            let both = a.as_chunks::<CLUSTER>().0.iter().zip(b.as_chunks::<CLUSTER>().0);
            for ((a, b), out) in both.zip(out.as_chunks_mut::<CLUSTER>().0) {
                let ($x, $y) = (Lanes::from_slice(simd, a), Lanes::from_slice(simd, b));
                $result.store_slice(out);
            }
        };
    }
    let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
    match operation {
        Binary::Plus => {
            map!(x, y => (x + y));
        }
        Binary::Minus => {
            map!(x, y => (x - y));
        }
        Binary::Times => {
            map!(x, y => (x * y));
        }
        Binary::Over => {
            map!(x, y => (x / y));
        }
        Binary::Less => {
            map!(x, y => compared(x, y, x.lt(y)));
        }
        Binary::LessOrEqual => {
            map!(x, y => compared(x, y, x.le(y)));
        }
        Binary::Equal => {
            map!(x, y => compared(x, y, x.equals(y)));
        }
        Binary::Unequal => {
            map!(x, y => compared(x, y, !x.equals(y)));
        }
        Binary::And => {
            map!(x, y => (x.equals(zero) | y.equals(zero)).choose(zero, compared(x, y, is_true(x))));
        }
        Binary::Or => {
            map!(x, y => (is_true(x) | is_true(y)).choose(one, compared(x, y, is_true(x))));
        }
        Binary::Lesser => {
            map!(x, y => lesser(x, y));
        }
        Binary::Greater => {
            map!(x, y => greater(x, y));
        }
        Binary::Power => a.iter().zip(b).zip(out).for_each(|((x, y), out)| *out = pow(*x, *y)),
        Binary::Angle => a.iter().zip(b).zip(out).for_each(|((y, x), out)| *out = atan2(*y, *x)),
    }
}

#[inline(always)]
fn choose_lanes<S: Simd>(simd: S, which: &[f32], yes: &[f32], no: &[f32], out: &mut [f32]) {
    let [zero, nan] = [0.0, f32::NAN].map(|number| Lanes::splat(simd, number));
    let both = yes.as_chunks::<CLUSTER>().0.iter().zip(no.as_chunks::<CLUSTER>().0);
    let all = which.as_chunks::<CLUSTER>().0.iter().zip(both);
    for ((which, (yes, no)), out) in all.zip(out.as_chunks_mut::<CLUSTER>().0) {
        let (yes, no) = (Lanes::from_slice(simd, yes), Lanes::from_slice(simd, no));
        let which = Lanes::from_slice(simd, which);
        which.equals(zero).choose(no, which.equals(which).choose(yes, nan)).store_slice(out);
    }
}

#[inline(always)]
fn nearest_image_lanes<S: Simd>(simd: S, differences: &mut [f32], period: f32) {
    for lanes in differences.as_chunks_mut::<CLUSTER>().0 {
        nearest_image(Lanes::from_slice(simd, lanes), period).store_slice(lanes);
    }
}
