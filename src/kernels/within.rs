//! Searches for all items within a distance of a point or a box, in a hierarchy of boxes with sixteen children each.

use std::ops::ControlFlow;

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::kernels::CLUSTER;
use crate::kernels::nearest::{DEPTH, Items, Layer, before, squared_distances, squared_gaps};
use crate::kernels::simd::{Lanes, Ordered};
use crate::kernels::table::kernels;

/// The parameters of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball<const D: usize> {
    pub(crate) point: [f32; D],
    /// The radius, squared.
    pub(crate) squared: f32,
    pub(crate) period: [f32; D],
    /// The number of rows.
    pub(crate) rows: u32,
    /// Half of the extent of a box around the point, from which distances count, in metres; for rows, how far they may
    /// have moved since their boxes were computed.
    pub(crate) reach: [f32; D],
}

/// Receives the number of a cluster, its rows in the ball (one bit each), and the squared distances of all its rows.
pub(crate) type Visit<'a> = dyn FnMut(u32, u16, &[f32; CLUSTER]) -> ControlFlow<()> + 'a;

/// Calls `visit` with the rows in a ball, one cluster at a time, in the order of rows.
pub(crate) fn within<const D: usize>(
    level: Level,
    layers: &[Layer<D>],
    items: &Items<'_, D>,
    ball: &Ball<D>,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    kernels::<D>().within(level, layers, items, ball, visit)
}

#[inline(always)]
pub(super) fn within_lanes<S: Simd, const D: usize>(
    simd: S,
    layers: &[Layer<D>],
    items: &Items<'_, D>,
    ball: &Ball<D>,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    // The open box of each layer, and its children that are left to open, one bit each.
    let mut boxes = [(0, 0); DEPTH];
    let top = layers.len() - 1;
    let mut depth = top;
    boxes[top].1 = near_children(simd, layers, top, 0, ball);
    loop {
        let (number, left) = &mut boxes[depth];
        if *left == 0 {
            if depth == top {
                return ControlFlow::Continue(());
            }
            depth += 1;
            continue;
        }
        let child = *number * CLUSTER as u64 + u64::from(left.trailing_zeros());
        *left &= *left - 1;
        if depth > 0 {
            depth -= 1;
            boxes[depth] = (child, near_children(simd, layers, depth, child, ball));
            continue;
        }
        let squared = squared_distances(simd, child, items, &ball.point, &ball.period, &ball.reach);
        let rows = squared.le(Lanes::splat(simd, ball.squared)).to_bitmask() as u16;
        if rows != 0 {
            let mut distances = [0.0; CLUSTER];
            squared.store_slice(&mut distances);
            visit(child as u32, rows, &distances)?;
        }
    }
}

/// Returns the children of box `number` in a layer that are in the ball, one bit each.
#[inline(always)]
fn near_children<S: Simd, const D: usize>(
    simd: S,
    layers: &[Layer<D>],
    depth: usize,
    number: u64,
    ball: &Ball<D>,
) -> u16 {
    let squared = squared_gaps(simd, &layers[depth], number, &ball.point, &ball.period, &ball.reach);
    squared.le(Lanes::splat(simd, ball.squared)).to_bitmask() as u16 & before(ball.rows, number, depth)
}
