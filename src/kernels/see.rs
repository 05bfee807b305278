//! Whom of the candidates do sixteen agents see? For rules that want their neighbours one by one.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use super::pairs::Observers;
use super::simd::{Lanes, dot, load_axes, nearest_image};
use super::table::kernels;
use super::view::{LaneView, View};
use super::{Axes, CLUSTER};

/// Fills `seen` with sixteen bits for each of `rows`, one for each agent of a cluster: whether it sees who is there.
/// By the same operations as in [`add_pairs`](super::pairs::add_pairs); agents see themselves.
pub(crate) fn see<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    cluster: usize,
    position: &Axes<'_, D>,
    rows: &[u32],
    view: View,
    seen: &mut Vec<u16>,
) {
    kernels::<D>().see(level, observers, cluster, position, rows, view, seen);
}

#[inline(always)]
pub(super) fn see_lanes<S: Simd, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    cluster: usize,
    position: &Axes<'_, D>,
    rows: &[u32],
    view: View,
    seen: &mut Vec<u16>,
) {
    if observers.at_seam(cluster) {
        see_rows::<S, D, true>(simd, observers, cluster, position, rows, view, seen);
    } else {
        see_rows::<S, D, false>(simd, observers, cluster, position, rows, view, seen);
    }
}

#[inline(always)]
fn see_rows<S: Simd, const D: usize, const WRAPS: bool>(
    simd: S,
    observers: &Observers<'_, D>,
    cluster: usize,
    theirs: &Axes<'_, D>,
    rows: &[u32],
    view: View,
    seen: &mut Vec<u16>,
) {
    let position = load_axes(simd, &observers.position, cluster * CLUSTER);
    let velocity = load_axes(simd, &observers.velocity, cluster * CLUSTER);
    let view = LaneView::new(simd, Some(view), dot(&velocity, &velocity));
    seen.clear();
    seen.extend(rows.iter().map(
        #[inline(always)]
        |&row| {
            let mut offset = position;
            for axis in 0..D {
                offset[axis] = Lanes::splat(simd, theirs[axis][row as usize]) - position[axis];
                if WRAPS {
                    offset[axis] = nearest_image(simd, offset[axis], observers.period[axis]);
                }
            }
            let squared = dot(&offset, &offset);
            let along = dot(&velocity, &offset);
            view.sees::<true>(squared, along * along.abs()).to_bitmask() as u16
        },
    ));
}
