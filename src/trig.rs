//! How are sines and cosines computed with the same bits on every machine?
//!
//! The standard library's differ by platform. These are polynomials (Taylor series about zero in `f64`, on an eighth
//! of a turn at most), made of additions and multiplications alone, so the bits are those of IEEE 754 anywhere.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Sine and cosine of an angle in radians, within one unit in the last place of `f32` for angles of up to a million
/// turns. An angle that is not finite counts as zero.
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    if !angle.is_finite() {
        return (0.0, 1.0);
    }
    let quarters = (f64::from(angle) * FRAC_2_PI).round();
    let rest = f64::from(angle) - quarters * FRAC_PI_2;
    let (sine, cosine) = (sine_near_zero(rest) as f32, cosine_near_zero(rest) as f32);
    match quarters.rem_euclid(4.0) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// The cosine of half of a full angle in degrees: the threshold of a field of view.
#[must_use]
pub(crate) fn cosine_of_half(degrees: f32) -> f32 {
    // These angles are in every scenario, and people expect them to be exact.
    if degrees >= 360.0 {
        -1.0
    } else if degrees == 180.0 {
        0.0
    } else {
        sin_cos((f64::from(degrees) * (std::f64::consts::PI / 360.0)) as f32).1
    }
}

fn sine_near_zero(x: f64) -> f64 {
    let s = x * x;
    let series = 1.0 / 362_880.0 - s / 39_916_800.0;
    x * (1.0 - s * (1.0 / 6.0 - s * (1.0 / 120.0 - s * (1.0 / 5_040.0 - s * series))))
}

fn cosine_near_zero(x: f64) -> f64 {
    let s = x * x;
    let series = 1.0 / 40_320.0 - s * (1.0 / 3_628_800.0 - s / 479_001_600.0);
    1.0 - s * (1.0 / 2.0 - s * (1.0 / 24.0 - s * (1.0 / 720.0 - s * series)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_an_ulp_of_the_true_value() {
        for step in -200_000..200_000 {
            let angle = step as f32 * 0.001;
            let (sine, cosine) = sin_cos(angle);
            assert!((f64::from(sine) - f64::from(angle).sin()).abs() < 6.1e-8, "{angle}");
            assert!((f64::from(cosine) - f64::from(angle).cos()).abs() < 6.1e-8, "{angle}");
        }
    }

    #[test]
    fn the_angles_of_scenarios() {
        assert_eq!(cosine_of_half(180.0), 0.0);
        assert_eq!(cosine_of_half(360.0), -1.0);
        assert_eq!(cosine_of_half(0.0), 1.0);
        assert!((cosine_of_half(270.0) + std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-7);
    }

    #[test]
    fn an_angle_that_is_no_number_is_zero() {
        assert_eq!(sin_cos(f32::NAN), (0.0, 1.0));
        assert_eq!(sin_cos(f32::INFINITY), (0.0, 1.0));
    }
}
