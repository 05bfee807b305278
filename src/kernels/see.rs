//! Whom of the candidates do sixteen agents see? For rules that want their neighbours one by one.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use super::pairs::{Candidates, LaneView, Observers, View};
use super::simd::{Lanes, dot, load_axes, nearest_image};
use super::table::kernels;

/// Fills `seen` with sixteen bits for each candidate, one for each agent in the lanes: whether it sees the candidate.
/// By the same operations as in [`add_pairs`](super::pairs::add_pairs); agents see themselves.
pub(crate) fn see<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    candidates: Candidates<'_, D>,
    view: View,
    seen: &mut Vec<u16>,
) {
    kernels::<D>().see(level, observers, candidates, view, seen);
}

#[inline(always)]
pub(super) fn see_lanes<S: Simd, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    candidates: Candidates<'_, D>,
    view: View,
    seen: &mut Vec<u16>,
) {
    let position = load_axes(simd, &observers.position, observers.first);
    let velocity = load_axes(simd, &observers.velocity, observers.first);
    let view = LaneView::new(simd, Some(view), dot(&velocity, &velocity));
    seen.clear();
    seen.extend(candidates.rows.iter().map(
        #[inline(always)]
        |&row| {
            let mut offset = position;
            for axis in 0..D {
                offset[axis] = Lanes::splat(simd, candidates.position[axis][row as usize]) - position[axis];
                if let Some(period) = observers.period {
                    offset[axis] = nearest_image(simd, offset[axis], period[axis]);
                }
            }
            let squared = dot(&offset, &offset);
            let along = dot(&velocity, &offset);
            view.sees::<true>(squared, along * along.abs()).to_bitmask() as u16
        },
    ));
}
