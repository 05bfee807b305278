//! Visibility masks: which candidates each agent of a group sees, for rules that look at neighbours one by one.

use fearless_simd::{Level, SimdBase, SimdMask};

use super::group::{Group, Grouped, load_group_axes};
use super::pairs::Observers;
use super::simd::{dot, offset_to};
use super::table::kernels;
use super::view::{LaneView, View, ahead};
use super::{Axes, CLUSTER};

/// Fills `seen` with bits for each of `rows`, one for each agent of a group: whether it sees that row.
/// By the same operations as in [`add_pairs`](super::pairs::add_pairs); agents see themselves.
pub(crate) fn see<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    group: usize,
    position: &Axes<'_, D>,
    rows: &[u32],
    view: View,
    seen: &mut Vec<u16>,
) {
    kernels::<D>().see(level, observers, group, position, rows, view, seen);
}

#[inline(always)]
pub(super) fn see_lanes<S: Grouped, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    group: usize,
    theirs: &Axes<'_, D>,
    rows: &[u32],
    view: View,
    seen: &mut Vec<u16>,
) {
    let first = group * Group::<S>::LEN;
    let position = load_group_axes(simd, &observers.position, first);
    let velocity = load_group_axes(simd, &observers.velocity, first);
    let view = LaneView::new(simd, Some(view), dot(&velocity, &velocity));
    let seam = observers.at_seam(first / CLUSTER);
    seen.clear();
    seen.extend(rows.iter().map(
        #[inline(always)]
        |&row| {
            let offset = offset_to(simd, &position, theirs, row as usize, seam, &observers.period);
            view.sees::<true>(dot(&offset, &offset), ahead(&velocity, &offset)).to_bitmask() as u16
        },
    ));
}
