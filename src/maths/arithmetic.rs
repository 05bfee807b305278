//! The arithmetic of a thread: whether it rounds and keeps small numbers as IEEE 754 has it by default.
//!
//! Processors have modes that change the results of `+ - * /`: the direction of rounding, and treating numbers below
//! the smallest normal one as zero. A library that is compiled for fast mathematics may set them for a whole process.

use std::fmt;
use std::hint::black_box;

/// A mode of this thread's arithmetic in which results would have other bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArithmeticFault {
    /// Results are rounded up, down or towards zero instead of to nearest.
    Rounding,
    /// Results below the smallest normal number become zero.
    FlushToZero,
    /// Operands below the smallest normal number count as zero.
    DenormalsAreZero,
}

impl fmt::Display for ArithmeticFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rounding => "does not round to nearest",
            Self::FlushToZero => "flushes small results to zero",
            Self::DenormalsAreZero => "takes small operands as zero",
        })
    }
}

/// Returns the mode of this thread's arithmetic if it is not the default of IEEE 754. Costs a few nanoseconds.
///
/// # Errors
///
/// [`ArithmeticFault`] with the first mode that differs.
pub fn check_arithmetic() -> Result<(), ArithmeticFault> {
    // The compiler computes with the default modes. It must not know these operands.
    let (one, quarter, denormal) = (black_box(1.0_f32), black_box(0.25 * f32::EPSILON), black_box(f32::from_bits(1)));
    // Three quarters of the distance to the next number round up, one quarter rounds down, and towards zero as well.
    let sums = [one + quarter, one + 3.0 * quarter, -one - quarter];
    if black_box(sums).map(f32::to_bits) != [1.0, 1.0 + f32::EPSILON, -1.0].map(f32::to_bits) {
        return Err(ArithmeticFault::Rounding);
    }
    // Comparisons would take denormal numbers as zero too: only their bits differ.
    if black_box(black_box(f32::MIN_POSITIVE) * 0.5).to_bits() != f32::MIN_POSITIVE.to_bits() / 2 {
        return Err(ArithmeticFault::FlushToZero);
    }
    if black_box(denormal * (1.0 / f32::EPSILON)).to_bits() == 0 {
        return Err(ArithmeticFault::DenormalsAreZero);
    }
    Ok(())
}
