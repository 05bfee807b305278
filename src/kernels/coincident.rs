//! Sums of inverse offsets for groups with coincident agents, which are counted instead of added.

use fearless_simd::{SimdBase, SimdMask};

use crate::kernels::CLUSTER;
use crate::kernels::group::{Group as Lanes, GroupMask as Mask, Grouped, load_group_axes};
use crate::kernels::pairs::{COINCIDENT, CandidateList, LaneSum, Observers, Sum};
use crate::kernels::simd::{Ordered, Truth, add_where, dot, offset_to};
use crate::kernels::vision::{LaneVision, Vision, ahead};

/// Adds the inverse offsets for one group, and counts coincident agents instead of adding them. The caller draws
/// directions for these. The pair kernel leaves this to a second loop because few groups need it.
#[inline(always)]
pub(super) fn add_without_coincident_lanes<S: Grouped, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    candidates: &CandidateList<'_, D>,
    group: usize,
    view: Vision,
    sum: &mut Sum<D>,
) {
    let first = group * Lanes::<S>::LEN;
    let cluster = first / CLUSTER;
    let position = load_group_axes(simd, &observers.position, first);
    let heading = load_group_axes(simd, &observers.heading, first);
    let view = LaneVision::of(simd, observers.views, 0, first, Some(view), dot(&heading, &heading));
    let mut total = LaneSum::load(simd, sum, first);
    let (one, far) = (Lanes::<S>::splat(simd, 1.0), Lanes::<S>::splat(simd, f32::INFINITY));
    let others = candidates.of(group).iter().map(|&row| (candidates.position, row as usize, 0));
    let own_rows = (cluster * CLUSTER..(cluster + 1) * CLUSTER).filter(|_| observers.each_other);
    let own_rows =
        own_rows.map(|own_row| (observers.position, own_row, if own_row < first { 0 } else { 1 << (own_row - first) }));
    for (theirs, row, itself) in others.chain(own_rows) {
        let offset = offset_to(&position, &theirs, row, observers.at_seam(cluster), &observers.period);
        let squared = Mask::<S>::from_bitmask(simd, itself).choose(far, dot(&offset, &offset));
        let seen = view.sees::<true>(squared, ahead(&heading, &offset));
        let here = squared.lt(Lanes::<S>::splat(simd, COINCIDENT));
        let weight = one / squared;
        for axis in 0..D {
            total.vector[axis] = add_where(seen & !here, total.vector[axis], offset[axis] * weight);
        }
        total.count = add_where(seen & here, total.count, one);
    }
    total.store(sum, first);
}
