//! Which candidates are near an agent of the cluster, and not near its box alone? A box has corners in which nobody is:
//! a seventh of all candidates in two dimensions, a third in three. To ask costs a third of what it costs to add up
//! their pairs, so it pays where the answer is kept.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use super::gather::GENEROUS;
use super::pairs::Observers;
use super::simd::{Lanes, dot, load_axes, nearest_image};
use super::table::kernels;
use super::{Axes, CLUSTER};

/// Brings those of `rows` that are within `radius` of an agent of the cluster to the front, in their order. Tells how
/// many they are.
pub(crate) fn prune<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    cluster: usize,
    position: &Axes<'_, D>,
    radius: f32,
    rows: &mut [u32],
) -> usize {
    kernels::<D>().prune(level, observers, cluster, position, radius, rows)
}

#[inline(always)]
pub(super) fn prune_lanes<S: Simd, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    cluster: usize,
    position: &Axes<'_, D>,
    radius: f32,
    rows: &mut [u32],
) -> usize {
    if observers.at_seam(cluster) {
        prune_rows::<S, D, true>(simd, observers, cluster, position, radius, rows)
    } else {
        prune_rows::<S, D, false>(simd, observers, cluster, position, radius, rows)
    }
}

#[inline(always)]
fn prune_rows<S: Simd, const D: usize, const WRAPS: bool>(
    simd: S,
    observers: &Observers<'_, D>,
    cluster: usize,
    theirs: &Axes<'_, D>,
    radius: f32,
    rows: &mut [u32],
) -> usize {
    let position = load_axes(simd, &observers.position, cluster * CLUSTER);
    let near = Lanes::splat(simd, radius * radius * GENEROUS);
    let agents = theirs[0].len();
    let theirs = theirs.map(|column| &column[..agents]);
    let mut end = 0;
    for place in 0..rows.len() {
        let row = rows[place];
        let mut offset = position;
        for axis in 0..D {
            offset[axis] = Lanes::splat(simd, theirs[axis][row as usize]) - position[axis];
            if WRAPS {
                offset[axis] = nearest_image(simd, offset[axis], observers.period[axis]);
            }
        }
        // Written whether it stays or not: a branch could not be guessed.
        rows[end] = row;
        end += usize::from(dot(&offset, &offset).simd_le(near).any_true());
    }
    end
}
