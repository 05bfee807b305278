//! Compensated sums (Kahan, "Further remarks on reducing truncation errors", 1965).

use crate::maths::number::Number;

/// Adds a step to a sum and its residual, which is the part that rounding removed from the sum before. Returns the new
/// sum and its residual. Steps far below the resolution of the sum therefore accumulate.
#[inline(always)]
pub(crate) fn compensated<N: Number>(sum: N, residual: N, step: N) -> (N, N) {
    let step = step + residual;
    let next = sum + step;
    (next, step - (next - sum))
}
