//! Confines positions to the world on one axis, by wrapping or bouncing.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::formulas::edges::{Bounced, bounced, wrapped_sum};
use crate::kernels::CLUSTER;
use crate::kernels::simd::{Lanes, Ordered, dispatch, load, store};

/// A column and its residuals, the accumulated rounding errors.
type Sum<'a> = (&'a mut [f32], &'a mut [f32]);

/// Moves positions into [0, size) by whole periods. The residuals keep the rounding errors.
pub(crate) fn wrap(level: Level, (position, residual): Sum<'_>, size: f32) {
    dispatch!(level, simd => wrap_lanes(simd, position, residual, size));
}

#[inline(always)]
fn wrap_lanes<S: Simd>(simd: S, position: &mut [f32], residual: &mut [f32], size: f32) {
    let (zero, period) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, size));
    for row in (0..position.len()).step_by(CLUSTER) {
        let before = load(simd, position, row);
        // Most clusters have no agent outside and skip the division. A negative zero must become positive.
        if !(before.le(zero) | before.ge(period)).any_true() {
            continue;
        }
        let (inside, lacking) = wrapped_sum(before, load(simd, residual, row), size);
        store(inside, position, row);
        store(lacking, residual, row);
    }
}

/// Clamps positions to [0, size]. The velocities of agents that were outside point inwards afterwards.
pub(crate) fn bounce(level: Level, position: Sum<'_>, velocity: Sum<'_>, size: f32) {
    dispatch!(level, simd => bounce_lanes(simd, position, velocity, size));
}

#[inline(always)]
fn bounce_lanes<S: Simd>(simd: S, position: Sum<'_>, velocity: Sum<'_>, size: f32) {
    let (zero, far) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, size));
    for row in (0..position.0.len()).step_by(CLUSTER) {
        let at = load(simd, position.0, row);
        if !(at.lt(zero) | at.gt(far)).any_true() {
            continue;
        }
        let at = [at, load(simd, position.1, row)];
        let speed = [load(simd, velocity.0, row), load(simd, velocity.1, row)];
        let after = bounced(Bounced { at, speed }, far);
        store(after.at[0], position.0, row);
        store(after.at[1], position.1, row);
        store(after.speed[0], velocity.0, row);
        store(after.speed[1], velocity.1, row);
    }
}

/// Returns whether any position is outside [low, high].
pub(crate) fn any_outside(level: Level, position: &[f32], low: f32, high: f32) -> bool {
    dispatch!(level, simd => any_outside_lanes(simd, position, low, high))
}

#[inline(always)]
fn any_outside_lanes<S: Simd>(simd: S, position: &[f32], low: f32, high: f32) -> bool {
    let (low, high) = (Lanes::splat(simd, low), Lanes::splat(simd, high));
    let mut any = false;
    for row in (0..position.len()).step_by(CLUSTER) {
        let at = load(simd, position, row);
        any |= (at.lt(low) | at.gt(high)).any_true();
    }
    any
}

/// Returns whether every number is at most `largest` in size; NaN is not.
pub(crate) fn all_within(level: Level, column: &[f32], largest: f32) -> bool {
    dispatch!(level, simd => all_within_lanes(simd, column, largest))
}

#[inline(always)]
fn all_within_lanes<S: Simd>(simd: S, column: &[f32], largest: f32) -> bool {
    let largest = Lanes::splat(simd, largest);
    let mut all = true;
    for row in (0..column.len()).step_by(CLUSTER) {
        all &= load(simd, column, row).abs().le(largest).all_true();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InstructionSet;
    use crate::maths::Noise;

    #[test]
    fn a_wall_reverses_a_velocity_and_its_residual() {
        for set in InstructionSet::available() {
            let lanes = |numbers: [f32; 4]| std::array::from_fn::<f32, 16, _>(|lane| numbers[lane % 4]);
            let (mut position, mut residual) = (lanes([-1.0, 5.0, 11.0, 0.0]), lanes([1e-7; 4]));
            let (mut velocity, mut lacking) = (lanes([-1.0, 1.0, 2.0, -1.0]), lanes([1e-8; 4]));
            bounce(set.level().unwrap(), (&mut position, &mut residual), (&mut velocity, &mut lacking), 10.0);
            assert_eq!((position, residual), (lanes([0.0, 5.0, 10.0, 0.0]), lanes([0.0, 1e-7, 0.0, 1e-7])));
            assert_eq!((velocity, lacking), (lanes([1.0, 1.0, -2.0, -1.0]), lanes([-1e-8, 1e-8, -1e-8, 1e-8])));
        }
    }

    #[test]
    fn wrapping_loses_no_part_of_a_position() {
        let mut noise = Noise::new(3, 0, 0, Noise::USER);
        for set in InstructionSet::available() {
            for _ in 0..20_000 {
                let size = noise.between(0.5, 1e6);
                let step = noise.between(0.0, 1.0);
                let step = step * step * step * step * size;
                let before: [f32; 16] = std::array::from_fn(|lane| [-step, size + step][lane % 2]);
                let lacking = before.map(|at| 0.4 * f32::EPSILON * noise.between(-1.0, 1.0) * at.abs());
                let (mut position, mut residual) = (before, lacking);
                wrap(set.level().unwrap(), (&mut position, &mut residual), size);
                for lane in 0..16 {
                    let [from, to] = [(before, lacking), (position, residual)]
                        .map(|(at, lacking)| f64::from(at[lane]) + f64::from(lacking[lane]));
                    let way = (to - from) / f64::from(size);
                    assert!((way - way.round()).abs() < 1e-13, "{} in {size}: {way} periods", before[lane]);
                    assert!((0.0..size).contains(&position[lane]), "{} in {size}", position[lane]);
                    assert!(residual[lane].abs() <= 2.0 * f32::EPSILON * size);
                }
            }
        }
    }

    #[test]
    fn a_non_finite_velocity_leaves_no_residual() {
        for at in [f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38, f32::NAN] {
            for lacks in [0.0, f32::NAN, f32::INFINITY, 1e30] {
                let (mut position, mut residual) = ([at; 16], [lacks; 16]);
                // A NaN beside a finite position: the cluster is not skipped.
                position[0] = -1.0;
                let level = InstructionSet::widest().level().unwrap();
                wrap(level, (&mut position, &mut residual), 100.0);
                assert!(residual[1].abs() <= 2.0 * f32::EPSILON * 100.0, "{at}: {}", residual[1]);
            }
        }
    }
}
