//! What happens to an agent that leaves the world on one axis: sixteen at a time.

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use super::CLUSTER;
use super::simd::{Lanes, dispatch, load, store};

/// Puts positions back into [0, size) by whole periods.
pub(crate) fn wrap(level: Level, position: &mut [f32], size: f32) {
    dispatch!(level, simd => wrap_lanes(simd, position, size));
}

#[inline(always)]
fn wrap_lanes<S: Simd>(simd: S, position: &mut [f32], size: f32) {
    let (zero, period) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, size));
    for row in (0..position.len()).step_by(CLUSTER) {
        let before = load(simd, position, row);
        // Few clusters have an agent that leaves, and the others need no division. A zero may be negative.
        if !(before.simd_le(zero) | before.simd_ge(period)).any_true() {
            continue;
        }
        let inside = before - (before / period).floor() * period;
        // Rounding can leave a position on the far edge, or just outside the near one.
        let outside = inside.simd_ge(period) | inside.simd_lt(zero);
        store(outside.select(zero, inside), position, row);
    }
}

/// Clamps positions to [0, size] and turns the velocity of those that were outside back inwards.
pub(crate) fn bounce(level: Level, position: &mut [f32], velocity: &mut [f32], size: f32) {
    dispatch!(level, simd => bounce_lanes(simd, position, velocity, size));
}

#[inline(always)]
fn bounce_lanes<S: Simd>(simd: S, position: &mut [f32], velocity: &mut [f32], size: f32) {
    let (zero, far) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, size));
    for row in (0..position.len()).step_by(CLUSTER) {
        let (at, speed) = (load(simd, position, row), load(simd, velocity, row));
        let (below, above) = (at.simd_lt(zero), at.simd_gt(far));
        store(below.select(zero, above.select(far, at)), position, row);
        let (forth, back) = (speed.abs(), zero - speed.abs());
        store(below.select(forth, above.select(back, speed)), velocity, row);
    }
}

/// Whether any position is outside [low, high].
pub(crate) fn any_outside(level: Level, position: &[f32], low: f32, high: f32) -> bool {
    dispatch!(level, simd => any_outside_lanes(simd, position, low, high))
}

#[inline(always)]
fn any_outside_lanes<S: Simd>(simd: S, position: &[f32], low: f32, high: f32) -> bool {
    let (low, high) = (Lanes::splat(simd, low), Lanes::splat(simd, high));
    let mut any = false;
    for row in (0..position.len()).step_by(CLUSTER) {
        let at = load(simd, position, row);
        any |= (at.simd_lt(low) | at.simd_gt(high)).any_true();
    }
    any
}

/// Whether every number is finite.
pub(crate) fn all_finite(level: Level, column: &[f32]) -> bool {
    dispatch!(level, simd => all_finite_lanes(simd, column))
}

#[inline(always)]
fn all_finite_lanes<S: Simd>(simd: S, column: &[f32]) -> bool {
    let largest = Lanes::splat(simd, f32::MAX);
    let mut all = true;
    for row in (0..column.len()).step_by(CLUSTER) {
        all &= load(simd, column, row).abs().simd_le(largest).all_true();
    }
    all
}
