//! The closest visible agent of each agent of a cluster.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::kernels::simd::{Lanes, Ordered, Truth, choose, dot, load, load_axes, mask, offset_to, store, store_axes};
use crate::kernels::table::kernels;
use crate::kernels::visibility::VisibleAgents;
use crate::kernels::{Axes, CLUSTER};

/// The closest visible agent of each agent of a cluster: the first of several at the same distance.
#[derive(Clone, Debug)]
pub(crate) struct Closest<const D: usize> {
    /// The offset to it and the squared length, which is infinite if nothing is visible.
    pub(crate) offset: [[f32; CLUSTER]; D],
    pub(crate) squared: [f32; CLUSTER],
    /// Its number among all sights.
    pub(crate) number: [f32; CLUSTER],
}

impl<const D: usize> Closest<D> {
    pub(crate) fn new() -> Self {
        Self { offset: [[0.0; CLUSTER]; D], squared: [f32::INFINITY; CLUSTER], number: [0.0; CLUSTER] }
    }
}

/// Updates `found` with closer agents among the visible ones of one species, which are rows of `theirs`. Offsets lead
/// to the nearest image where `seam` says that a seam may lie between.
pub(crate) fn closest<const D: usize>(
    level: Level,
    position: &Axes<'_, D>,
    theirs: &Axes<'_, D>,
    seen: &VisibleAgents<'_>,
    seam: bool,
    period: &[f32; D],
    found: &mut Closest<D>,
) {
    kernels::<D>().closest(level, position, theirs, seen, seam, period, found);
}

#[inline(always)]
pub(super) fn closest_lanes<S: Simd, const D: usize>(
    simd: S,
    position: &Axes<'_, D>,
    theirs: &Axes<'_, D>,
    seen: &VisibleAgents<'_>,
    seam: bool,
    period: &[f32; D],
    found: &mut Closest<D>,
) {
    let position = load_axes(simd, position, 0);
    let mut nearest = load(simd, &found.squared, 0);
    let mut numbers = load(simd, &found.number, 0);
    let mut offsets = load_axes(simd, &found.offset, 0);
    for (number, (row, by)) in (seen.first..).zip(seen.each()) {
        let offset = offset_to(&position, theirs, row, seam, period);
        let squared = dot(&offset, &offset);
        let closer = mask(simd, by) & squared.lt(nearest);
        if !closer.any_true() {
            continue;
        }
        nearest = closer.choose(squared, nearest);
        numbers = closer.choose(Lanes::splat(simd, number as f32), numbers);
        offsets = choose(closer, offset, offsets);
    }
    store(nearest, &mut found.squared, 0);
    store(numbers, &mut found.number, 0);
    store_axes(offsets, &mut found.offset, 0);
}
