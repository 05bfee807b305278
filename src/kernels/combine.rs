//! Forces from sums over neighbours, and the combination of the forces of several rules.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat};

use crate::kernels::pairs::Sum;
use crate::kernels::simd::{
    Lanes, Mask, Ordered, Truth, add_where, choose, dot, load, load_axes, store, store_axes, truncate,
};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CHUNK, CLUSTER};

/// The steering force of one rule for each row of a chunk, in newtons.
pub(crate) type Force<const D: usize> = [[f32; CHUNK]; D];

/// A quantity of each agent: one value for all, or a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuantitySlice<'a> {
    Same(f32),
    Each(&'a [f32]),
}

impl QuantitySlice<'_> {
    #[inline(always)]
    pub(crate) fn lanes<S: Simd>(&self, simd: S, row: usize) -> Lanes<S> {
        match self {
            Self::Same(value) => Lanes::splat(simd, *value),
            Self::Each(column) => load(simd, column, row),
        }
    }

    /// The quantity of one row.
    #[inline(always)]
    pub(crate) fn at(&self, row: usize) -> f32 {
        match self {
            Self::Same(value) => *value,
            Self::Each(column) => column[row],
        }
    }
}

/// Columns of the agents of one chunk that a rule steers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteeredRows<'a, const D: usize> {
    pub(crate) velocity: Axes<'a, D>,
    pub(crate) max_speed: QuantitySlice<'a>,
    /// The time in which an agent reaches its desired velocity, in seconds.
    pub(crate) response: f32,
}

/// Computes the force towards full speed along `sum` (times `sign`); zero where the sum is zero.
pub(crate) fn along_sum<const D: usize>(
    level: Level,
    steered: &SteeredRows<'_, D>,
    sum: &Sum<D>,
    sign: f32,
    force: &mut Force<D>,
) {
    kernels::<D>().along_sum(level, steered, sum, sign, force);
}

#[inline(always)]
pub(super) fn along_sum_lanes<S: Simd, const D: usize>(
    simd: S,
    steered: &SteeredRows<'_, D>,
    sum: &Sum<D>,
    sign: f32,
    force: &mut Force<D>,
) {
    for row in (0..steered.velocity[0].len()).step_by(CLUSTER) {
        let vector = load_axes(simd, &sum.vector, row);
        let squared = dot(&vector, &vector);
        let active = squared.gt(Lanes::splat(simd, 0.0));
        let scale = steered.max_speed.lanes(simd, row) * Lanes::splat(simd, sign) / squared.sqrt();
        for axis in 0..D {
            store_force(simd, steered, row, axis, vector[axis] * scale, active, force);
        }
    }
}

/// Computes the force towards the mean of the offsets in `sum`, at full speed, or within `slowing_radius` at a speed in
/// proportion to the distance; zero where the count is zero.
pub(crate) fn arrive_at_mean<const D: usize>(
    level: Level,
    steered: &SteeredRows<'_, D>,
    sum: &Sum<D>,
    slowing_radius: f32,
    force: &mut Force<D>,
) {
    kernels::<D>().arrive_at_mean(level, steered, sum, slowing_radius, force);
}

#[inline(always)]
pub(super) fn arrive_at_mean_lanes<S: Simd, const D: usize>(
    simd: S,
    steered: &SteeredRows<'_, D>,
    sum: &Sum<D>,
    slowing_radius: f32,
    force: &mut Force<D>,
) {
    for row in (0..steered.velocity[0].len()).step_by(CLUSTER) {
        let (vector, count) = (load_axes(simd, &sum.vector, row), load(simd, &sum.count, row));
        let active = count.gt(Lanes::splat(simd, 0.0));
        let distance = dot(&vector, &vector).sqrt() / count;
        let max_speed = steered.max_speed.lanes(simd, row);
        let slows = distance.lt(Lanes::splat(simd, slowing_radius));
        let scale = max_speed / slows.choose(Lanes::splat(simd, slowing_radius), distance) / count;
        for axis in 0..D {
            store_force(simd, steered, row, axis, vector[axis] * scale, active, force);
        }
    }
}

/// Computes the force towards the mean of the velocities in `sum`; zero where the count is zero.
pub(crate) fn to_mean<const D: usize>(level: Level, steered: &SteeredRows<'_, D>, sum: &Sum<D>, force: &mut Force<D>) {
    kernels::<D>().to_mean(level, steered, sum, force);
}

#[inline(always)]
pub(super) fn to_mean_lanes<S: Simd, const D: usize>(
    simd: S,
    steered: &SteeredRows<'_, D>,
    sum: &Sum<D>,
    force: &mut Force<D>,
) {
    for row in (0..steered.velocity[0].len()).step_by(CLUSTER) {
        let count = load(simd, &sum.count, row);
        let active = count.gt(Lanes::splat(simd, 0.0));
        let share = Lanes::splat(simd, 1.0) / count;
        for axis in 0..D {
            store_force(simd, steered, row, axis, load(simd, &sum.vector[axis], row) * share, active, force);
        }
    }
}

/// Stores `(desired - velocity) / response` on one axis where `active` is set, zero elsewhere. All lanes and axes share
/// one division, so the result may differ from [`force`](crate::steering::force) by half a unit in the last place.
#[inline(always)]
fn store_force<S: Simd, const D: usize>(
    simd: S,
    steered: &SteeredRows<'_, D>,
    row: usize,
    axis: usize,
    desired: Lanes<S>,
    active: Mask<S>,
    force: &mut Force<D>,
) {
    let requested = (desired - load(simd, steered.velocity[axis], row)) * Lanes::splat(simd, 1.0 / steered.response);
    store(active.choose(requested, Lanes::splat(simd, 0.0)), &mut force[axis], row);
}

/// Adds `weight` times each force to `total`, truncated to the rest of `max_force`.
pub(crate) fn add_truncated<const D: usize>(
    level: Level,
    total: &mut Force<D>,
    force: &Force<D>,
    weight: f32,
    max_force: QuantitySlice<'_>,
    rows: usize,
) {
    kernels::<D>().add_truncated(level, total, force, weight, max_force, rows);
}

#[inline(always)]
pub(super) fn add_truncated_lanes<S: Simd, const D: usize>(
    simd: S,
    total: &mut Force<D>,
    force: &Force<D>,
    weight: f32,
    max_force: QuantitySlice<'_>,
    rows: usize,
) {
    for row in (0..rows).step_by(CLUSTER) {
        let (sum, requested) = (load_axes(simd, total, row), weighted(simd, force, weight, row));
        let left = max_force.lanes(simd, row) - dot(&sum, &sum).sqrt();
        let active = left.gt(Lanes::splat(simd, 0.0));
        let granted = truncate(requested, left);
        for axis in 0..D {
            store(add_where(active, sum[axis], granted[axis]), &mut total[axis], row);
        }
    }
}

/// Sets `total` to `weight` times each force where that exceeds `threshold` and `total` was not set before.
pub(crate) fn take_first<const D: usize>(
    level: Level,
    total: &mut Force<D>,
    force: &Force<D>,
    weight: f32,
    threshold: f32,
) {
    kernels::<D>().take_first(level, total, force, weight, threshold);
}

#[inline(always)]
pub(super) fn take_first_lanes<S: Simd, const D: usize>(
    simd: S,
    total: &mut Force<D>,
    force: &Force<D>,
    weight: f32,
    threshold: f32,
) {
    let (zero, least) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, threshold * threshold));
    for row in (0..CHUNK).step_by(CLUSTER) {
        let (taken, requested) = (load_axes(simd, total, row), weighted(simd, force, weight, row));
        let free = dot(&taken, &taken).le(zero) & dot(&requested, &requested).gt(least);
        store_axes(choose(free, requested, taken), total, row);
    }
}

#[inline(always)]
fn weighted<S: Simd, const D: usize>(simd: S, force: &Force<D>, weight: f32, row: usize) -> [Lanes<S>; D] {
    let mut result = load_axes(simd, force, row);
    for axis in 0..D {
        result[axis] *= Lanes::splat(simd, weight);
    }
    result
}

/// Adds `weight` times each force to `total`.
pub(crate) fn add_weighted<const D: usize>(level: Level, total: &mut Force<D>, force: &Force<D>, weight: f32) {
    kernels::<D>().add_weighted(level, total, force, weight);
}

#[inline(always)]
pub(super) fn add_weighted_lanes<S: Simd, const D: usize>(
    simd: S,
    total: &mut Force<D>,
    force: &Force<D>,
    weight: f32,
) {
    let weight = Lanes::splat(simd, weight);
    for axis in 0..D {
        for row in (0..CHUNK).step_by(CLUSTER) {
            let sum = load(simd, &total[axis], row) + load(simd, &force[axis], row) * weight;
            store(sum, &mut total[axis], row);
        }
    }
}
