//! Bounding boxes of clusters, in columns: one register tests sixteen boxes at once.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::kernels::simd::{Lanes, Mask, Truth, load, nearest_image};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, AxesMut, CLUSTER, CLUSTERS};

/// The margin of boxes, relative to the coordinates. It covers rounding, so that no neighbour is missed.
pub(crate) const SLACK: f32 = 1.0 / (1 << 20) as f32;

/// The least margin of boxes, in metres. It covers coordinates near zero, and speeds whose squares are zero.
const LEAST_SLACK: f32 = 1e-12;

/// Boxes of consecutive clusters, one column per axis for the centre and for half of the extent.
///
/// A cluster across the seam of a periodic world has one small box, whose centre is inside the world. A cluster without
/// members has a NaN centre, which fails every test.
#[derive(Clone, Debug)]
pub(crate) struct Boxes<const D: usize> {
    pub(crate) centre: [Vec<f32>; D],
    pub(crate) half: [Vec<f32>; D],
}

impl<const D: usize> Default for Boxes<D> {
    fn default() -> Self {
        Self { centre: std::array::from_fn(|_| Vec::new()), half: std::array::from_fn(|_| Vec::new()) }
    }
}

impl<const D: usize> Boxes<D> {
    pub(crate) fn clear(&mut self) {
        self.centre.iter_mut().chain(&mut self.half).for_each(Vec::clear);
    }

    /// Resizes the columns to the boxes of this number of chunks.
    pub(crate) fn resize(&mut self, chunks: usize) {
        for column in self.centre.iter_mut().chain(&mut self.half) {
            column.resize(chunks * CLUSTERS, f32::NAN);
        }
    }
}

/// Computes the boxes of one chunk's clusters from the positions of its rows. `members` has one bit for each row that a
/// box includes.
pub(crate) fn enclose<const D: usize>(
    level: Level,
    position: &Axes<'_, D>,
    members: &[u16; CLUSTERS],
    period: &[f32; D],
    centre: &mut AxesMut<'_, D>,
    half: &mut AxesMut<'_, D>,
) {
    kernels::<D>().enclose(level, position, members, period, centre, half);
}

#[inline(always)]
pub(super) fn enclose_lanes<S: Simd, const D: usize>(
    simd: S,
    position: &Axes<'_, D>,
    members: &[u16; CLUSTERS],
    period: &[f32; D],
    centre: &mut AxesMut<'_, D>,
    half: &mut AxesMut<'_, D>,
) {
    for cluster in 0..CLUSTERS {
        let first = cluster * CLUSTER;
        let member = Mask::<S>::from_bitmask(simd, u64::from(members[cluster]));
        for axis in 0..D {
            if members[cluster] == 0 {
                centre[axis][cluster] = f32::NAN;
                half[axis][cluster] = 0.0;
                continue;
            }
            let anchor = position[axis][first + members[cluster].trailing_zeros() as usize];
            let offset = load(simd, position[axis], first) - Lanes::splat(simd, anchor);
            let offset = nearest_image(offset, period[axis]);
            // The anchor replaces rows that are not members.
            let offset = member.choose(offset, Lanes::splat(simd, 0.0));
            // bits: a box only decides which agents are tested
            let (low, high) = (offset.reduce_min(), offset.reduce_max());
            let middle = anchor + 0.5 * (low + high);
            let reach = if period[axis] < f32::INFINITY { period[axis] } else { middle.abs() + (high - low) };
            centre[axis][cluster] = if middle < 0.0 && period[axis] < f32::INFINITY {
                middle + period[axis]
            } else if middle >= period[axis] {
                middle - period[axis]
            } else {
                middle
            };
            half[axis][cluster] = 0.5 * (high - low) + SLACK * reach + LEAST_SLACK;
        }
    }
}
