//! Flow field following for many agents, by the operations of [`FlowField::at`](crate::FlowField::at) and
//! [`follow_flow_field`](crate::steering::follow_flow_field).

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat};

use super::combine::{Force, Steered};
use super::simd::{Lanes, direction, is_zero, load, mask, store};
use super::table::kernels;
use super::{Axes, CLUSTER, CLUSTERS};
use crate::maths::Vector;

/// A field, and how agents fly with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a, const D: usize> {
    pub(crate) cells: [usize; D],
    pub(crate) vectors: &'a [Vector<D>],
    /// The extent of the world that the field covers, and whether it goes on across the seam.
    pub(crate) size: [f32; D],
    pub(crate) wraps: bool,
    /// How far ahead agents look, in seconds.
    pub(crate) horizon: f32,
    /// Whether they fly at full speed, or as fast as the field says.
    pub(crate) full_speed: bool,
}

/// Sets the forces of the agents that have a bit in `some`.
pub(crate) fn flow<const D: usize>(
    level: Level,
    flow: &Flow<'_, D>,
    position: &Axes<'_, D>,
    steered: &Steered<'_, D>,
    some: &[u16; CLUSTERS],
    force: &mut Force<D>,
) {
    kernels::<D>().flow(level, flow, position, steered, some, force);
}

#[inline(always)]
pub(super) fn flow_lanes<S: Simd, const D: usize>(
    simd: S,
    flow: &Flow<'_, D>,
    position: &Axes<'_, D>,
    steered: &Steered<'_, D>,
    some: &[u16; CLUSTERS],
    force: &mut Force<D>,
) {
    let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
    for row in (0..position[0].len()).step_by(CLUSTER) {
        if some[row / CLUSTER] == 0 {
            continue;
        }
        // The numbers of the cells on both sides, times the distance between them in the field.
        let mut places = [[[0; CLUSTER]; 2]; D];
        let (mut share, mut stride) = ([zero; D], 1);
        for axis in 0..D {
            let cells = flow.cells[axis];
            let count = Lanes::splat(simd, cells as f32);
            let ahead = load(simd, steered.velocity[axis], row) * Lanes::splat(simd, flow.horizon);
            let at = load(simd, position[axis], row) + ahead;
            let along = at / Lanes::splat(simd, flow.size[axis]) * count - Lanes::splat(simd, 0.5);
            // Far beyond the seam a coordinate has no fraction left; it must only stay a number.
            let (low, high) = if flow.wraps { (-1e9, 1e9) } else { (0.0, (cells - 1) as f32) };
            let (low, high) = (Lanes::splat(simd, low), Lanes::splat(simd, high));
            let along = along.simd_lt(low).select(low, along);
            let along = along.simd_gt(high).select(high, along);
            let floor = along.floor();
            share[axis] = along - floor;
            let mut floors = [0.0; CLUSTER];
            store(floor, &mut floors, 0);
            for (lane, floor) in floors.into_iter().enumerate() {
                let (cell, next) = neighbours(floor as i64, cells, flow.wraps);
                places[axis][0][lane] = cell * stride;
                places[axis][1][lane] = next * stride;
            }
            stride *= cells;
        }
        let mut sum = [zero; D];
        for corner in 0..1_usize << D {
            let mut weight = one;
            for axis in (0..D).rev() {
                weight *= if corner >> axis & 1 == 1 { share[axis] } else { one - share[axis] };
            }
            let mut vectors = [[0.0; CLUSTER]; D];
            for lane in 0..CLUSTER {
                let number: usize = (0..D).map(|axis| places[axis][corner >> axis & 1][lane]).sum();
                let vector = flow.vectors[number];
                for axis in 0..D {
                    vectors[axis][lane] = vector[axis];
                }
            }
            for axis in 0..D {
                sum[axis] += load(simd, &vectors[axis], 0) * weight;
            }
        }
        let (mut wants, mut desired) = (mask(simd, some[row / CLUSTER]), sum);
        if flow.full_speed {
            wants &= !is_zero(simd, &sum);
            let (towards, max_speed) = (direction(simd, &sum), steered.max_speed.lanes(simd, row));
            for axis in 0..D {
                desired[axis] = towards[axis] * max_speed;
            }
        }
        for axis in 0..D {
            let asked =
                (desired[axis] - load(simd, steered.velocity[axis], row)) / Lanes::splat(simd, steered.response);
            store(wants.select(asked, zero), &mut force[axis], row);
        }
    }
}

/// The cell of this number and the next one, in a field that goes on or ends.
#[inline(always)]
fn neighbours(cell: i64, cells: usize, wraps: bool) -> (usize, usize) {
    let inside = (0..cells as i64).contains(&cell);
    let cell = if inside { cell as usize } else { cell.rem_euclid(cells as i64) as usize };
    let last = cell + 1 == cells;
    (
        cell,
        if !last {
            cell + 1
        } else if wraps {
            0
        } else {
            cell
        },
    )
}
