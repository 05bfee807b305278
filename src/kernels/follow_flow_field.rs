//! Flow field following for the agents of a chunk.
//!
//! The operations are the same as in [`FlowField::at`](crate::FlowField::at) and
//! [`follow_flow_field`](crate::steering::follow_flow_field).

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdMask, u32x16};

use crate::kernels::combine::{Force, SteeredRows};
use crate::kernels::simd::{Lanes, Ordered, Truth, direction, is_zero, load, mask, store};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CLUSTER, CLUSTERS};
use crate::maths::Vector;

/// A flow field, and the parameters of the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a, const D: usize> {
    /// The number of cells per axis: fewer than 2^24 each, and fewer than 2^32 in all.
    pub(crate) cells: [usize; D],
    pub(crate) vectors: &'a [Vector<D>],
    /// The extent of the world that the field covers, in metres.
    pub(crate) size: [f32; D],
    /// Whether the world is periodic, per axis.
    pub(crate) wraps: [bool; D],
    /// The prediction time of the position where the field is read, in seconds.
    pub(crate) horizon: f32,
    /// Whether agents follow the field at full speed. Otherwise the vectors are the desired velocities.
    pub(crate) full_speed: bool,
}

/// Sets the forces of the agents whose bits are set in `active`, and zero for the others of their clusters.
pub(crate) fn flow<const D: usize>(
    level: Level,
    flow: &Flow<'_, D>,
    position: &Axes<'_, D>,
    steered: &SteeredRows<'_, D>,
    active: &[u16; CLUSTERS],
    force: &mut Force<D>,
) {
    kernels::<D>().flow(level, flow, position, steered, active, force);
}

#[inline(always)]
pub(super) fn flow_lanes<S: Simd, const D: usize>(
    simd: S,
    flow: &Flow<'_, D>,
    position: &Axes<'_, D>,
    steered: &SteeredRows<'_, D>,
    active: &[u16; CLUSTERS],
    force: &mut Force<D>,
) {
    let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
    for row in (0..position[0].len()).step_by(CLUSTER) {
        if active[row / CLUSTER] == 0 {
            continue;
        }
        // The cells on both sides of the point on each axis, as offsets into the field's vectors.
        let (mut places, mut share, mut stride) = ([[u32x16::splat(simd, 0); 2]; D], [zero; D], 1);
        for axis in 0..D {
            let cells = flow.cells[axis] as f32;
            let count = Lanes::splat(simd, cells);
            let ahead = load(simd, steered.velocity[axis], row) * Lanes::splat(simd, flow.horizon);
            let at = load(simd, position[axis], row) + ahead;
            let along = at / Lanes::splat(simd, flow.size[axis]) * count - Lanes::splat(simd, 0.5);
            // Far beyond the seam a coordinate has lost its fraction. It only has to stay finite.
            let (low, high) = if flow.wraps[axis] { (-1e9, 1e9) } else { (0.0, cells - 1.0) };
            let (low, high) = (Lanes::splat(simd, low), Lanes::splat(simd, high));
            let along = along.ge(low).choose(along, low);
            let along = along.gt(high).choose(high, along);
            let floor = along.floor();
            share[axis] = along - floor;
            let cell = inside(simd, floor, flow.cells[axis]);
            let next = cell + Lanes::splat(simd, 1.0);
            let after_last = if flow.wraps[axis] { zero } else { cell };
            let next = next.ge(count).choose(after_last, next);
            let distance = u32x16::splat(simd, stride);
            places[axis] = [cell.to_int::<u32x16<S>>() * distance, next.to_int::<u32x16<S>>() * distance];
            stride *= flow.cells[axis] as u32;
        }
        let mut sum = [zero; D];
        for corner in 0..1_usize << D {
            let (mut weight, mut number) = (one, u32x16::splat(simd, 0));
            for axis in (0..D).rev() {
                let beyond = corner >> axis & 1;
                weight *= if beyond == 1 { share[axis] } else { one - share[axis] };
                number += places[axis][beyond];
            }
            let (mut numbers, mut vectors) = ([0; CLUSTER], [[0.0; CLUSTER]; D]);
            number.store_slice(&mut numbers);
            for lane in 0..CLUSTER {
                let vector = flow.vectors[numbers[lane] as usize];
                for axis in 0..D {
                    vectors[axis][lane] = vector.0[axis];
                }
            }
            for axis in 0..D {
                sum[axis] += load(simd, &vectors[axis], 0) * weight;
            }
        }
        let (mut steers, mut desired) = (mask(simd, active[row / CLUSTER]), sum);
        if flow.full_speed {
            steers &= !is_zero(&sum);
            let (towards, max_speed) = (direction(sum), steered.max_speed.lanes(simd, row));
            for axis in 0..D {
                desired[axis] = towards[axis] * max_speed;
            }
        }
        for axis in 0..D {
            let requested =
                (desired[axis] - load(simd, steered.velocity[axis], row)) / Lanes::splat(simd, steered.response);
            store(steers.choose(requested, zero), &mut force[axis], row);
        }
    }
}

/// Wraps cell coordinates into a field that repeats beyond its ends.
#[inline(always)]
fn inside<S: Simd>(simd: S, far: Lanes<S>, cells: usize) -> Lanes<S> {
    let (zero, count) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, cells as f32));
    let cell = far.lt(zero).choose(far + count, far);
    let cell = cell.ge(count).choose(cell - count, cell);
    if (cell.ge(zero) & cell.lt(count)).all_true() {
        return cell;
    }
    // A single step covers one period only.
    let mut numbers = [0.0; CLUSTER];
    store(far, &mut numbers, 0);
    for number in &mut numbers {
        *number = (*number as i64).rem_euclid(cells as i64) as f32;
    }
    load(simd, &numbers, 0)
}
