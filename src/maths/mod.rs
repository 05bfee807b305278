//! Vectors, elementary functions and random numbers with the same bits on every machine.
//!
//! The standard library's `sin`, `exp` and similar functions differ by platform. The functions here are polynomials in
//! `f64`. They use only `+ - * /`, square roots and integer operations, which IEEE 754 rounds the same way everywhere.
//! Rules of motion use these functions.
//!
//! ```
//! use throng::maths::{atan2, exp};
//!
//! assert_eq!(exp(1.0), std::f32::consts::E);
//! assert_eq!(atan2(1.0, -1.0), 0.75 * std::f32::consts::PI);
//! ```

mod arithmetic;
#[cfg(feature = "serde")]
pub(crate) mod arrays;
mod bits;
pub(crate) mod components;
mod conversions;
mod exponential;
pub(crate) mod number;
mod random;
mod trigonometry;
mod vector;
pub(crate) mod wide;

pub use arithmetic::{ArithmeticFault, check_arithmetic};
pub(crate) use bits::{ones, ones_of};
pub use exponential::{cube_root, exp, ln, pow, tanh};
pub(crate) use exponential::{exp_single, ln_single};
pub(crate) use exponential::{exponential, logarithm};
pub(crate) use random::log_gamma_ends;
pub use random::{Noise, mix64};
pub use trigonometry::{atan2, sin_cos};
pub(crate) use trigonometry::{
    cosine_of_half, cosine_of_half_turns, sin_cos_near_zero, sin_cos_of_half_turn, sin_cos_single,
};
pub use vector::Vector;

/// The largest distance to the true values, in units in the last place of `f32`, over a sample of all bit patterns.
#[cfg(test)]
fn worst_error(ours: impl Fn(f32) -> f32, truth: impl Fn(f64) -> f64) -> f64 {
    let samples = (0..=u32::MAX).step_by(997).map(f32::from_bits);
    samples.map(|x| error(ours(x), truth(f64::from(x)))).fold(0.0, f64::max)
}

/// The distance to the true value in units in the last place of `f32`; infinite if only one of them is NaN.
#[cfg(test)]
fn error(ours: f32, truth: f64) -> f64 {
    let rounded = truth as f32;
    if !rounded.is_finite() || !ours.is_finite() {
        let same = ours.is_nan() == rounded.is_nan() && (ours.is_nan() || ours == rounded);
        return if same { 0.0 } else { f64::INFINITY };
    }
    if ours == 0.0 && rounded == 0.0 {
        return if ours.is_sign_negative() == rounded.is_sign_negative() { 0.0 } else { f64::INFINITY };
    }
    let power_of_two = f32::from_bits(rounded.to_bits() & 0x7f80_0000);
    let unit = f64::from(if power_of_two == 0.0 { f32::MIN_POSITIVE } else { power_of_two }) * f64::from(f32::EPSILON);
    (f64::from(ours) - truth).abs() / unit
}
