//! What happens to an agent that leaves the world on one axis: sixteen at a time. A column comes with its residuals: what
//! rounding has kept out of it.

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use super::CLUSTER;
use super::simd::{Lanes, dispatch, load, store};

/// A column and its residuals.
type Sum<'a> = (&'a mut [f32], &'a mut [f32]);

/// Puts positions back into [0, size) by whole periods. What rounding takes off a position there is kept.
pub(crate) fn wrap(level: Level, (position, residual): Sum<'_>, size: f32) {
    dispatch!(level, simd => wrap_lanes(simd, position, residual, size));
}

#[inline(always)]
fn wrap_lanes<S: Simd>(simd: S, position: &mut [f32], residual: &mut [f32], size: f32) {
    let (zero, period) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, size));
    // Positions come in at the coarsest place of the world. A velocity that is no longer finite leaves no residual.
    let most = Lanes::splat(simd, 2.0 * f32::EPSILON * size);
    for row in (0..position.len()).step_by(CLUSTER) {
        let before = load(simd, position, row);
        // Few clusters have an agent that leaves, and the others need no division. A zero may be negative.
        if !(before.simd_le(zero) | before.simd_ge(period)).any_true() {
            continue;
        }
        let periods = (before / period).floor() * period;
        let inside = before - periods;
        // Rounding can leave a position on the far edge, or just outside the near one.
        let (beyond, short) = (inside.simd_ge(period), inside.simd_lt(zero));
        store((beyond | short).select(zero, inside), position, row);
        let lost = before - (inside + periods) + short.select(inside, zero);
        let lacking = load(simd, residual, row) + lost;
        store(lacking.abs().simd_le(most).select(lacking, zero), residual, row);
    }
}

/// Clamps positions to [0, size] and turns the velocity of those that were outside back inwards.
pub(crate) fn bounce(level: Level, position: Sum<'_>, velocity: Sum<'_>, size: f32) {
    dispatch!(level, simd => bounce_lanes(simd, position, velocity, size));
}

#[inline(always)]
fn bounce_lanes<S: Simd>(simd: S, position: Sum<'_>, velocity: Sum<'_>, size: f32) {
    let (zero, far) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, size));
    for row in (0..position.0.len()).step_by(CLUSTER) {
        let (at, speed) = (load(simd, position.0, row), load(simd, velocity.0, row));
        let (below, above) = (at.simd_lt(zero), at.simd_gt(far));
        if !(below | above).any_true() {
            continue;
        }
        store(below.select(zero, above.select(far, at)), position.0, row);
        store((below | above).select(zero, load(simd, position.1, row)), position.1, row);
        let turned = below.select(speed.abs(), above.select(zero - speed.abs(), speed));
        store(turned, velocity.0, row);
        let lacking = load(simd, velocity.1, row);
        store(turned.simd_eq(speed).select(lacking, zero - lacking), velocity.1, row);
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
