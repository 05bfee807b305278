//! The exponential in lanes.

use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdFloat, u32x16};

use crate::kernels::simd::Lanes;
use crate::maths::EXP_SINGLE;

/// Returns `e^x` with the operations of `exp_single` in [`maths`](crate::maths).
#[inline(always)]
pub(crate) fn exp<S: Simd>(simd: S, x: Lanes<S>) -> Lanes<S> {
    let (low, high, log2_e, [ln_2, ln_2_rest], polynomial) = EXP_SINGLE;
    let splat = |value: f32| Lanes::splat(simd, value);
    let vanishes = x.simd_lt(splat(low));
    let x = x.simd_gt(splat(high)).select(splat(high), vanishes.select(splat(low), x));
    let doublings = (x * splat(log2_e) + splat(0.5)).floor();
    let rest = x - doublings * splat(ln_2) - doublings * splat(ln_2_rest);
    let mut series = splat(polynomial[0]);
    for &coefficient in &polynomial[1..] {
        series = series * rest + splat(coefficient);
    }
    let power = ((doublings + splat(127.0)).to_int::<u32x16<S>>() << 23).bitcast::<Lanes<S>>();
    let result = (series * (rest * rest) + rest + splat(1.0)) * power;
    vanishes.select(splat(0.0), result)
}
