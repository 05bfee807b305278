//! Sine, cosine and the angle of a point.
//!
//! Sine and cosine are Taylor series about zero in `f64`, for at most an eighth of a turn.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_6, PI};

use crate::maths::number::{Number, Truth};

/// Sine and cosine of an angle in radians, with an absolute error below 6.1e-8 (half a unit in the last place of one)
/// for angles of up to a million turns. An angle that is not finite counts as zero.
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    if !angle.is_finite() {
        return (0.0, 1.0);
    }
    let quarters = (f64::from(angle) * FRAC_2_PI).round();
    let rest = f64::from(angle) - quarters * FRAC_PI_2;
    let (sine, cosine) = sin_cos_near_zero(rest);
    match quarters.rem_euclid(4.0) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// The angle from the first axis to the point (x, y), in [-π, π], within 0.501 units in the last place, with the
/// special cases of IEEE 754: signs of zeros count, and two infinities give the angle of a diagonal.
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let (width, height) = (f64::from(x.abs()), f64::from(y.abs()));
    let (low, high) = if height > width { (width, height) } else { (height, width) };
    let slope = if low == high { if low == 0.0 { 0.0 } else { 1.0 } } else { low / high };
    let mut angle = arctangent(slope);
    if height > width {
        angle = FRAC_PI_2 - angle;
    }
    if x.is_sign_negative() {
        angle = PI - angle;
    }
    (if y.is_sign_negative() { -angle } else { angle }) as f32
}

/// The cosine of half of a full angle in degrees: the threshold of a field of view.
#[must_use]
pub(crate) fn cosine_of_half(degrees: f32) -> f32 {
    // These angles are common in scenarios and must be exact.
    if degrees >= 360.0 {
        -1.0
    } else if degrees == 180.0 {
        0.0
    } else {
        sin_cos((f64::from(degrees) * (PI / 360.0)) as f32).1
    }
}

/// Sine and cosine of an angle of at most half a turn, within 0.51 units in the last place of one. It has no branch, so
/// that loops over lanes stay in registers.
#[inline(always)]
pub(crate) fn sin_cos_of_half_turn(angle: f64) -> (f32, f32) {
    let quarter = 0.25 * angle;
    let (mut sine, mut cosine) = (sine_near_zero(quarter), cosine_near_zero(quarter));
    for _ in 0..2 {
        (sine, cosine) = (2.0 * sine * cosine, 1.0 - 2.0 * sine * sine);
    }
    (sine as f32, cosine as f32)
}

/// The three parts of a quarter of a turn. The products of the first two with whole numbers below 2^12 are exact
/// (Cody and Waite 1980; parts and polynomials as in Moshier's Cephes library).
const QUARTER: [f32; 3] = [1.570_312_5, 4.837_513e-4, 7.549_79e-8];

/// Sine and cosine in single precision, as fast in lanes as for one number: with an absolute error below 1.3e-7 for
/// angles of up to 1000 turns, NaN for an angle that is not finite.
#[inline(always)]
pub(crate) fn sin_cos_single<N: Number>(x: N) -> (N, N) {
    let quarters = (x * x.same(FRAC_2_PI as f32) + x.same(0.5)).floor();
    let [high, middle, low] = QUARTER.map(|part| x.same(part));
    let rest = x - quarters * high - quarters * middle - quarters * low;
    let s = rest * rest;
    let series = (s * x.same(-1.951_529_6e-4) + x.same(8.332_161e-3)) * s - x.same(0.166_666_55);
    let sine = series * s * rest + rest;
    let series = (s * x.same(2.443_315_7e-5) - x.same(1.388_731_6e-3)) * s + x.same(4.166_664_6e-2);
    let cosine = series * (s * s) - x.same(0.5) * s + x.same(1.0);
    let turn = quarters - (quarters * x.same(0.25)).floor() * x.same(4.0);
    let (one, two, three) = (turn.equals(x.same(1.0)), turn.equals(x.same(2.0)), turn.equals(x.same(3.0)));
    let odd = one | three;
    let (along, across) = (odd.choose(cosine, sine), odd.choose(sine, cosine));
    ((two | three).choose(-along, along), (one | two).choose(-across, across))
}

/// Sine and cosine of an angle of at most an eighth of a turn.
#[inline(always)]
pub(crate) fn sin_cos_near_zero(angle: f64) -> (f32, f32) {
    (sine_near_zero(angle) as f32, cosine_near_zero(angle) as f32)
}

#[inline(always)]
fn sine_near_zero(x: f64) -> f64 {
    let s = x * x;
    let series = 1.0 / 362_880.0 - s / 39_916_800.0;
    x * (1.0 - s * (1.0 / 6.0 - s * (1.0 / 120.0 - s * (1.0 / 5_040.0 - s * series))))
}

#[inline(always)]
fn cosine_near_zero(x: f64) -> f64 {
    let s = x * x;
    let series = 1.0 / 40_320.0 - s * (1.0 / 3_628_800.0 - s / 479_001_600.0);
    1.0 - s * (1.0 / 2.0 - s * (1.0 / 24.0 - s * (1.0 / 720.0 - s * series)))
}

/// The arctangent of a slope in [0, 1], with a relative error below 1e-13.
fn arctangent(slope: f64) -> f64 {
    // A rotation by π/6 makes large slopes small, so that the series converges fast.
    let root = 3.0f64.sqrt();
    let (base, t) =
        if slope > 0.267_949_192 { (FRAC_PI_6, (root * slope - 1.0) / (root + slope)) } else { (0.0, slope) };
    let s = t * t;
    let mut series = 0.0;
    for odd in (1..=21).rev().step_by(2) {
        series = 1.0 / f64::from(odd) - series * s;
    }
    base + t * series
}

/// The polynomial for `sin(pi u) / u` in the square of u, highest coefficient first: the least squares of its error.
const SINE: [f32; 5] = [0.077_220_07, -0.598_045_2, 2.550_031_4, -5.167_707, 3.141_592_5];

/// The cosine of a number of half turns from 0 to 1, within 2e-7.
#[inline(always)]
pub(crate) fn cosine_of_half_turns<N: Number>(turns: N) -> N {
    let from_middle = turns.same(0.5) - turns;
    let square = from_middle * from_middle;
    let mut series = turns.same(SINE[0]);
    for &coefficient in &SINE[1..] {
        series = series * square + turns.same(coefficient);
    }
    series * from_middle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{error, mix64, worst_error};

    #[test]
    fn angles_are_within_half_a_unit() {
        let mut worst = worst_error(|y| atan2(y, 1.0), |y| y.atan2(1.0));
        for number in 0..400_000u64 {
            let [y, x] = [number, number ^ (1 << 40)].map(|key| f32::from_bits((mix64(key) >> 32) as u32));
            worst = worst.max(error(atan2(y, x), f64::from(y).atan2(f64::from(x))));
            let (sine, cosine) = sin_cos(number as f32 * 1e-4);
            worst = worst.max(error(atan2(sine, cosine), f64::from(sine).atan2(f64::from(cosine))));
        }
        assert!(worst < 0.501, "{worst}");
        let special = [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::from_bits(1)];
        for y in special {
            for x in special {
                assert!(error(atan2(y, x), f64::from(y).atan2(f64::from(x))) < 0.501, "{y}, {x}: {}", atan2(y, x));
            }
        }
    }

    #[test]
    fn sines_are_near_the_true_value() {
        for step in -200_000..200_000 {
            let angle = step as f32 * 0.001;
            let (sine, cosine) = sin_cos(angle);
            assert!((f64::from(sine) - f64::from(angle).sin()).abs() < 6.1e-8, "{angle}");
            assert!((f64::from(cosine) - f64::from(angle).cos()).abs() < 6.1e-8, "{angle}");
        }
    }

    #[test]
    fn sines_without_branches_are_near_the_true_value() {
        for step in -100_000..=100_000 {
            let angle = f64::from(step) * (PI / 100_000.0);
            let (sine, cosine) = sin_cos_of_half_turn(angle);
            assert!((f64::from(sine) - angle.sin()).abs() < 6.1e-8, "{angle}");
            assert!((f64::from(cosine) - angle.cos()).abs() < 6.1e-8, "{angle}");
        }
    }

    #[test]
    fn sines_in_single_precision_are_near_the_true_value() {
        let mut worst = 0.0f64;
        for step in -600_000..600_000 {
            let angle = step as f32 * 0.01;
            let (sine, cosine) = sin_cos_single(angle);
            let errors = [f64::from(sine) - f64::from(angle).sin(), f64::from(cosine) - f64::from(angle).cos()];
            worst = errors.into_iter().fold(worst, |worst, error| worst.max(error.abs()));
        }
        assert!(worst < 1.3e-7, "{worst}");
        assert!(sin_cos_single(f32::INFINITY).0.is_nan() && sin_cos_single(f32::NAN).1.is_nan());
    }

    #[test]
    fn common_fields_of_view_are_exact() {
        assert_eq!(cosine_of_half(180.0), 0.0);
        assert_eq!(cosine_of_half(360.0), -1.0);
        assert_eq!(cosine_of_half(0.0), 1.0);
        assert!((cosine_of_half(270.0) + std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-7);
    }

    #[test]
    fn an_angle_that_is_not_finite_counts_as_zero() {
        assert_eq!(sin_cos(f32::NAN), (0.0, 1.0));
        assert_eq!(sin_cos(f32::INFINITY), (0.0, 1.0));
    }
}
