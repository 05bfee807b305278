//! The numbers of formulas that are written once: an `f32` for one agent, or a register with one number per lane.
//!
//! Each operation is one of IEEE 754. A formula thus gives one agent the bits that it gives each lane.

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Numbers that are compared: an `f32`, or one per lane of a register.
pub(crate) trait Ordered: Copy {
    /// The result of a comparison.
    type Truth: Truth<Self>;

    fn lt(self, other: Self) -> Self::Truth;
    fn le(self, other: Self) -> Self::Truth;
    fn gt(self, other: Self) -> Self::Truth;
    fn ge(self, other: Self) -> Self::Truth;
    fn equals(self, other: Self) -> Self::Truth;
}

/// A number of a formula: an `f32`, or one per lane of a register.
pub(crate) trait Number:
    Ordered
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Returns `value` as a number of this kind: in every lane.
    fn same(self, value: f32) -> Self;

    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn floor(self) -> Self;

    /// Returns two to the power of a whole number from -126 to 127.
    fn power_of_two(self) -> Self;

    /// Returns a number from 1 to 2, and the whole number of doublings from it to this one, which is positive and not
    /// subnormal.
    fn doublings(self) -> (Self, Self);
}

/// The result of a comparison of numbers `N`: a `bool`, or one per lane.
pub(crate) trait Truth<N>: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Returns `yes` where this is true, `no` elsewhere.
    fn choose(self, yes: N, no: N) -> N;

    /// Returns whether this is true in all lanes.
    fn all(self) -> bool;

    /// Returns whether to skip a value that is chosen only where this is true: for one number, if it is false. Lanes
    /// never skip, since they would pay for the branch and seldom take it.
    fn skips(self) -> bool;
}

/// The bits of a number's mantissa, and of the exponent zero.
pub(crate) const MANTISSA: u32 = (1 << 23) - 1;
pub(crate) const ONE: u32 = 127 << 23;

impl Number for f32 {
    #[inline(always)]
    fn same(self, value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn floor(self) -> Self {
        self.floor()
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self::from_bits(((self as i32 + 127) << 23) as u32)
    }

    #[inline(always)]
    fn doublings(self) -> (Self, Self) {
        let bits = self.to_bits();
        (Self::from_bits(bits & MANTISSA | ONE), (bits >> 23) as f32 - 127.0)
    }
}

impl Ordered for f32 {
    type Truth = bool;

    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn gt(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn ge(self, other: Self) -> bool {
        self >= other
    }

    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self == other
    }
}

impl Truth<f32> for bool {
    #[inline(always)]
    fn choose(self, yes: f32, no: f32) -> f32 {
        if self { yes } else { no }
    }

    #[inline(always)]
    fn all(self) -> bool {
        self
    }

    #[inline(always)]
    fn skips(self) -> bool {
        !self
    }
}
