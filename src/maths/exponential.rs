//! Exponential, logarithm, power and hyperbolic tangent.

use std::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E};

use crate::maths::number::{Number, Truth};

/// The exponential `e^x`, within 0.501 units in the last place; NaN for NaN.
#[must_use]
pub fn exp(x: f32) -> f32 {
    number(exponential(f64::from(x)))
}

/// The polynomial of degree five for `(e^r - 1 - r) / r²`, highest coefficient first (Moshier's Cephes library).
const SERIES: [f32; 6] = [1.987_569_1e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5];

/// The exponential in single precision, within two units in the last place, as fast in lanes as for one number.
/// Arguments below -87 give zero, those above 88 as much as 88.
#[inline(always)]
pub(crate) fn exp_single<N: Number>(x: N) -> N {
    let (low, high) = (x.same(-87.0), x.same(88.0));
    let vanishes = x.lt(low);
    let x = x.gt(high).choose(high, vanishes.choose(low, x));
    let doublings = (x * x.same(std::f32::consts::LOG2_E) + x.same(0.5)).floor();
    // The two parts of ln 2.
    let rest = x - doublings * x.same(0.693_359_4) - doublings * x.same(-2.121_944_4e-4);
    let mut series = x.same(SERIES[0]);
    for &coefficient in &SERIES[1..] {
        series = series * rest + x.same(coefficient);
    }
    let result = (series * (rest * rest) + rest + x.same(1.0)) * doublings.power_of_two();
    vanishes.choose(x.same(0.0), result)
}

/// The polynomial of degree eight for `(ln(1 + z) - z + z² / 2) / z³`, highest coefficient first (Moshier's Cephes
/// library).
const LOGARITHM: [f32; 9] = [
    7.037_683_6e-2,
    -0.115_146_1,
    0.116_769_98,
    -0.124_201_41,
    0.142_493_23,
    -0.166_680_58,
    0.200_007_15,
    -0.249_999_94,
    0.333_333_3,
];

/// The natural logarithm of a positive normal number in single precision, within two units in the last place, as fast
/// in lanes as for one number.
#[inline(always)]
pub(crate) fn ln_single<N: Number>(x: N) -> N {
    let (mantissa, doublings) = x.doublings();
    let (one, is_large) = (x.same(1.0), mantissa.gt(x.same(std::f32::consts::SQRT_2)));
    let z = is_large.choose(mantissa * x.same(0.5), mantissa) - one;
    let doublings = is_large.choose(doublings + one, doublings);
    let square = z * z;
    let mut series = x.same(LOGARITHM[0]);
    for &coefficient in &LOGARITHM[1..] {
        series = series * z + x.same(coefficient);
    }
    // The two parts of ln 2.
    let small = series * (z * square) + doublings * x.same(-2.121_944_4e-4) - square * x.same(0.5);
    z + small + doublings * x.same(0.693_359_4)
}

/// The natural logarithm, within 0.501 units in the last place; minus infinity at zero, NaN below.
#[must_use]
pub fn ln(x: f32) -> f32 {
    if x < 0.0 { f32::NAN } else { number(logarithm(f64::from(x))) }
}

/// The power `base^exponent`, within 0.501 units in the last place, with the special cases of IEEE 754: a negative base
/// gives NaN unless the exponent is whole, and `pow(x, 0)` and `pow(1, y)` are 1 for every `x` and `y`.
#[must_use]
pub fn pow(base: f32, exponent: f32) -> f32 {
    if exponent == 0.0 || base == 1.0 {
        return 1.0;
    }
    if base.is_nan() || exponent.is_nan() {
        return f32::NAN;
    }
    let size = base.abs();
    // The product of the logarithm and an infinite exponent would be zero times infinity.
    let power = if size == 1.0 { 1.0 } else { exponential(f64::from(exponent) * logarithm(f64::from(size))) };
    let whole = exponent.floor() == exponent;
    if base.is_sign_positive() {
        power as f32
    } else if !whole && base != 0.0 && base.is_finite() {
        f32::NAN
    } else if whole && exponent.is_finite() && f64::from(exponent) % 2.0 != 0.0 {
        -power as f32
    } else {
        power as f32
    }
}

/// The hyperbolic tangent, within 0.501 units in the last place.
#[must_use]
pub fn tanh(x: f32) -> f32 {
    let x = f64::from(x);
    if x.abs() < 0.01 {
        // The difference below would lose the digits of a small x.
        let s = x * x;
        return (x * (1.0 - s * (1.0 / 3.0 - s * (2.0 / 15.0)))) as f32;
    }
    if x.abs() > 10.0 {
        return if x > 0.0 { 1.0 } else { -1.0 };
    }
    let twice = exponential(2.0 * x);
    number((twice - 1.0) / (twice + 1.0))
}

/// Rounds to `f32`. NaN gets the same bits everywhere, because those from arithmetic differ by machine.
fn number(value: f64) -> f32 {
    if value.is_nan() { f32::NAN } else { value as f32 }
}

/// `e^x` with a relative error below 1e-13, over the range of `f32`: larger results are infinite, smaller ones zero.
pub(crate) fn exponential(x: f64) -> f64 {
    if x > 100.0 {
        return f64::INFINITY;
    }
    if x < -110.0 {
        return 0.0;
    }
    // A power of two times the exponential of at most half of ln 2, whose Taylor series converges fast.
    let doublings = (x * LOG2_E).round();
    let rest = x - doublings * LN_2;
    let mut series = 1.0;
    for degree in (1..=12).rev() {
        series = 1.0 + series * rest / f64::from(degree);
    }
    let power = f64::from_bits(((1023 + doublings as i64) as u64) << 52);
    series * power
}

/// The cube root of a number, with a relative error below 1e-12; zero if it is not positive.
///
/// ```
/// assert!((throng::maths::cube_root(27.0) - 3.0).abs() < 1e-11);
/// ```
#[must_use]
pub fn cube_root(number: f64) -> f64 {
    if number > 0.0 { exponential(logarithm(number) / 3.0) } else { 0.0 }
}

/// The natural logarithm of a positive normal `f64`, with a relative error below 1e-13; minus infinity for zero.
pub(crate) fn logarithm(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if !x.is_finite() {
        return x;
    }
    // A power of two times a number around one, from the bits: ln m = 2 artanh((m - 1) / (m + 1)).
    let bits = x.to_bits();
    let mut doublings = (bits >> 52) as i32 - 1022;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | (1022 << 52));
    if mantissa < FRAC_1_SQRT_2 {
        mantissa *= 2.0;
        doublings -= 1;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let s = ratio * ratio;
    let mut series = 0.0;
    for odd in (1..=17).rev().step_by(2) {
        series = series * s + 1.0 / f64::from(odd);
    }
    f64::from(doublings) * LN_2 + 2.0 * ratio * series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{error, worst_error};

    #[test]
    fn results_are_within_half_a_unit_over_all_numbers() {
        for (name, worst) in [
            ("exp", worst_error(exp, f64::exp)),
            ("ln", worst_error(ln, f64::ln)),
            ("tanh", worst_error(tanh, f64::tanh)),
        ] {
            assert!(worst < 0.501, "{name}: {worst}");
        }
    }

    #[test]
    fn small_and_extreme_results_are_within_half_a_unit() {
        // A sample of the whole range has few values around one, with subnormal results and at the ends.
        for step in -150_000..=150_000 {
            let x = step as f32 * 7e-4;
            assert!(error(exp(x), f64::from(x).exp()) < 0.501, "{x}");
            let near_one = 1.0 + step as f32 * 1e-6;
            assert!(error(ln(near_one), f64::from(near_one).ln()) < 0.501, "{near_one}");
            let small = step as f32 * 2e-6;
            assert!(error(tanh(small), f64::from(small).tanh()) < 0.501, "{small}");
        }
        assert_eq!((exp(88.72284), exp(f32::INFINITY)), (f32::INFINITY, f32::INFINITY));
        assert_eq!((exp(-104.0), exp(f32::NEG_INFINITY), exp(-0.0)), (0.0, 0.0, 1.0));
        assert_eq!((ln(0.0), ln(-0.0), ln(1.0)), (f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0));
        assert_eq!(ln(f32::INFINITY), f32::INFINITY);
    }

    #[test]
    fn the_single_exponential_is_within_two_units() {
        for step in -86_999..88_000 {
            let x = step as f32 * 1e-3;
            assert!(error(exp_single(x), f64::from(x).exp()) < 2.0, "{x}: {}", exp_single(x));
        }
        assert_eq!((exp_single(0.0), exp_single(-88.0), exp_single(f32::NEG_INFINITY)), (1.0, 0.0, 0.0));
        assert_eq!(exp_single(1e9), exp_single(88.0));
    }

    #[test]
    fn the_single_logarithm_is_within_two_units() {
        for step in 0..398_000u32 {
            let x = f32::from_bits(0x0080_0000 + step * 5347);
            assert!(error(ln_single(x), f64::from(x).ln()) < 2.0, "{x}: {}", ln_single(x));
        }
        assert_eq!(ln_single(1.0), 0.0);
    }

    #[test]
    fn powers_are_within_half_a_unit() {
        // All mantissas and exponents, and products half of which fit into an `f32`.
        let mut worst = 0.0f64;
        for number in 0..400_000u64 {
            let base = f32::from_bits((crate::maths::mix64(number) >> 33) as u32);
            if base.is_nan() {
                continue;
            }
            let wide = f32::from_bits((crate::maths::mix64(number ^ (1 << 40)) >> 32) as u32);
            let near = (number % 4001) as f32 * 0.01 - 20.0;
            for exponent in [wide, near] {
                worst = worst.max(error(pow(base, exponent), f64::from(base).powf(f64::from(exponent))));
            }
            let base = 0.5 + (number % 3989) as f32 * 0.01;
            worst = worst.max(error(pow(base, near), f64::from(base).powf(f64::from(near))));
        }
        assert!(worst < 0.501, "{worst}");
    }

    #[test]
    fn special_powers_are_those_of_ieee() {
        let special = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 16_777_215.0, 16_777_216.0, 1e30, f32::INFINITY, f32::NAN];
        let both = || special.into_iter().flat_map(|x| [x, -x]);
        for base in both() {
            for exponent in both() {
                let truth = f64::from(base).powf(f64::from(exponent));
                assert!(error(pow(base, exponent), truth) < 0.501, "{base}^{exponent} = {}", pow(base, exponent));
            }
        }
        assert_eq!((pow(3.0, 4.0), pow(2.0, -149.0), pow(-2.0, 3.0)), (81.0, f32::from_bits(1), -8.0));
    }

    #[test]
    fn nan_always_has_the_same_bits() {
        let odd = f32::from_bits(0xffc1_2345);
        for result in [exp(odd), ln(odd), ln(-1.0), pow(odd, 2.0), pow(2.0, odd), pow(-2.0, 0.5), tanh(odd)] {
            assert_eq!(result.to_bits(), f32::NAN.to_bits());
        }
    }
}
