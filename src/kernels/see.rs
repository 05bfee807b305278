//! Whom of the candidates do sixteen agents see? For rules that want their neighbours one by one.

use fearless_simd::{Level, Simd, SimdMask};

use super::pairs::Observers;
use super::simd::{dot, load_axes, offset_to};
use super::table::kernels;
use super::view::{LaneView, View, ahead};
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
    let seam = observers.at_seam(cluster);
    seen.clear();
    seen.extend(rows.iter().map(
        #[inline(always)]
        |&row| {
            let offset = offset_to(simd, &position, theirs, row as usize, seam, &observers.period);
            view.sees::<true>(dot(&offset, &offset), ahead(&velocity, &offset)).to_bitmask() as u16
        },
    ));
}
