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
                let direct = Lanes::splat(simd, theirs[axis][row as usize]) - position[axis];
                offset[axis] = nearest_image(simd, direct, observers.period[axis]);
            }
            let squared = dot(&offset, &offset);
            let along = dot(&velocity, &offset);
            view.sees::<true>(squared, along * along.abs()).to_bitmask() as u16
        },
    ));
}
