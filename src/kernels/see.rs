//! The neighbours of the agents of a group one by one, for rules that want them so.
//!
//! The other way round than in the pair kernel: candidates sit in the lanes, and the agents pass by one at a time. What
//! one agent sees is then brought together in one step.

use fearless_simd::{Level, SimdBase, SimdMask};

use super::gather::RowList;
use super::group::{Group, GroupRows, Grouped, load_group};
use super::pairs::Observers;
use super::simd::{dot, nearest_image};
use super::table::kernels;
use super::view::{LaneView, View, ahead};
use super::{Axes, CLUSTER};

/// Agents that may be seen: their rows, and where they are, up to a whole register.
#[derive(Clone, Debug)]
pub(crate) struct Sights<const D: usize> {
    rows: Vec<u32>,
    position: [Vec<f32>; D],
}

impl<const D: usize> Default for Sights<D> {
    fn default() -> Self {
        Self { rows: Vec::new(), position: std::array::from_fn(|_| Vec::new()) }
    }
}

impl<const D: usize> Sights<D> {
    /// Replaces them by others at `position`: `rows`, which ascend, with `mates` among them.
    pub(crate) fn set(&mut self, rows: &[u32], mates: std::ops::Range<u32>, position: &Axes<'_, D>) {
        let (before, after) = rows.split_at(rows.partition_point(|&row| row < mates.start));
        self.rows.clear();
        self.rows.extend_from_slice(before);
        self.rows.extend(mates);
        self.rows.extend_from_slice(after);
        // What is nowhere is not seen.
        let padded = self.rows.len().next_multiple_of(CLUSTER);
        for (column, theirs) in self.position.iter_mut().zip(position) {
            column.resize(padded, f32::NAN);
            for (place, &row) in column.iter_mut().zip(&self.rows) {
                *place = theirs[row as usize];
            }
            column[self.rows.len()..].fill(f32::NAN);
        }
        self.rows.resize(padded, u32::MAX);
    }
}

/// Fills `seen` with the rows that the agents of a cluster see, for each of `lanes` in turn, in the order of `sights`:
/// by the same operations as in [`add_pairs`](super::pairs::add_pairs). What each sees ends at `ends`. `own` is the row
/// of the cluster's first agent among those of the sights; none where these are of another species.
#[expect(clippy::too_many_arguments, reason = "all that a kernel reads and writes")]
pub(crate) fn see<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    cluster: usize,
    lanes: u16,
    own: Option<u32>,
    sights: &Sights<D>,
    view: View,
    seen: &mut RowList,
    ends: &mut [usize; CLUSTER],
) {
    kernels::<D>().see(level, observers, cluster, lanes, own, sights, view, seen, ends);
}

#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "all that a kernel reads and writes")]
pub(super) fn see_lanes<S: Grouped, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    cluster: usize,
    lanes: u16,
    own: Option<u32>,
    sights: &Sights<D>,
    view: View,
    seen: &mut RowList,
    ends: &mut [usize; CLUSTER],
) {
    let (len, seam, narrow) = (Group::<S>::LEN, observers.at_seam(cluster), view.cosine_squared > View::ALL_ROUND);
    let out = seen.room(sights.rows.len() * lanes.count_ones() as usize + len);
    let mut end = 0;
    for lane in 0..CLUSTER {
        if lanes >> lane & 1 == 0 {
            ends[lane] = end;
            continue;
        }
        let row = cluster * CLUSTER + lane;
        let at = |columns: &Axes<'_, D>| std::array::from_fn(|axis| Group::<S>::splat(simd, columns[axis][row]));
        let (position, velocity): ([_; D], [_; D]) = (at(&observers.position), at(&observers.velocity));
        let view = LaneView::new(simd, Some(view), dot(&velocity, &velocity));
        let me = GroupRows::<S>::splat(simd, own.map_or(u32::MAX, |own| own + lane as u32));
        for first in (0..sights.rows.len()).step_by(len) {
            let mut offset = position;
            for axis in 0..D {
                offset[axis] = load_group(simd, &sights.position[axis], first) - position[axis];
                if seam {
                    offset[axis] = nearest_image(simd, offset[axis], observers.period[axis]);
                }
            }
            let rows = GroupRows::<S>::from_slice(simd, &sights.rows[first..first + len]);
            let squared = dot(&offset, &offset);
            let visible = if narrow {
                view.sees::<true>(squared, ahead(&velocity, &offset))
            } else {
                view.sees::<false>(squared, squared)
            };
            let visible = visible & !rows.simd_eq(me);
            rows.compress(visible).store_slice(&mut out[end..end + len]);
            end += visible.to_bitmask().count_ones() as usize;
        }
        ends[lane] = end;
    }
    seen.truncate(end);
}
