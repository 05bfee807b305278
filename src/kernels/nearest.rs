//! Best-first searches for the nearest items to a point, in a hierarchy of boxes with sixteen children each.
//!
//! A row is never nearer than its box, bit for bit: both distances result from the same monotonic operations. If
//! several rows are at the same distance, the search therefore finds the first without opening boxes that begin with a
//! later row.

use fearless_simd::{ExtractToken, Level, Simd, SimdBase, SimdMask};

use crate::kernels::boxes::SLACK;
use crate::kernels::simd::{Lanes, Ordered, Truth, dot, load, nearest_image};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, AxesMut, CLUSTER};
use crate::maths::ones;

/// The number of layers above the clusters for 32-bit row numbers: a cluster and each layer take four bits.
pub(super) const DEPTH: usize = 7;

/// The boxes of one layer, each around the same number of consecutive rows: the lowest and highest coordinates.
///
/// In a periodic world a box lies between zero and the period, or between minus and plus half of it. A box without rows
/// extends from infinity to minus infinity. Such boxes pad the layer to whole registers.
#[derive(Clone, Debug)]
pub(crate) struct Layer<const D: usize> {
    pub(crate) lower: [Vec<f32>; D],
    pub(crate) upper: [Vec<f32>; D],
}

impl<const D: usize> Default for Layer<D> {
    fn default() -> Self {
        Self { lower: std::array::from_fn(|_| Vec::new()), upper: std::array::from_fn(|_| Vec::new()) }
    }
}

impl<const D: usize> Layer<D> {
    /// Resizes the layer to `boxes` boxes and clears the padding.
    pub(crate) fn resize(&mut self, boxes: usize) {
        let padded = boxes.next_multiple_of(CLUSTER);
        for (lower, upper) in self.lower.iter_mut().zip(&mut self.upper) {
            lower.resize(padded, f32::INFINITY);
            upper.resize(padded, f32::NEG_INFINITY);
            lower[boxes..].fill(f32::INFINITY);
            upper[boxes..].fill(f32::NEG_INFINITY);
        }
    }
}

/// The contents of the lowest boxes of a hierarchy, sixteen items each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Items<'a, const D: usize> {
    /// The positions of rows.
    Points(Axes<'a, D>),
    /// Boxes, which are numbered like rows.
    Boxes(&'a Layer<D>),
}

/// The bound of a search: it accepts rows nearer than a distance, and rows before `row` at that distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    pub(crate) squared: f32,
    pub(crate) row: u32,
}

impl Bound {
    /// Accepts nothing, which ends the search.
    pub(crate) const NOTHING: Self = Self { squared: -1.0, row: 0 };

    /// Returns whether a row at a distance is accepted.
    #[inline]
    pub(crate) fn takes(self, squared: f32, row: u32) -> bool {
        squared < self.squared || (squared == self.squared && row < self.row)
    }
}

/// The parameters of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<const D: usize> {
    pub(crate) point: [f32; D],
    pub(crate) period: [f32; D],
    /// The number of rows.
    pub(crate) rows: u32,
    /// A row that the search skips.
    pub(crate) without: u32,
    pub(crate) bound: Bound,
    /// The largest distance that a row may have moved since its box was computed, in metres.
    pub(crate) moved: f32,
}

/// Computes one box around each sixteen boxes. A row is a box without extent.
pub(crate) fn enclose_boxes<const D: usize>(
    level: Level,
    lower: &Axes<'_, D>,
    upper: &Axes<'_, D>,
    period: &[f32; D],
    around_lower: &mut AxesMut<'_, D>,
    around_upper: &mut AxesMut<'_, D>,
) {
    kernels::<D>().enclose_boxes(level, lower, upper, period, around_lower, around_upper);
}

#[inline(always)]
pub(super) fn enclose_boxes_lanes<S: Simd, const D: usize>(
    simd: S,
    lower: &Axes<'_, D>,
    upper: &Axes<'_, D>,
    period: &[f32; D],
    around_lower: &mut AxesMut<'_, D>,
    around_upper: &mut AxesMut<'_, D>,
) {
    for axis in 0..D {
        for group in 0..lower[axis].len() / CLUSTER {
            let (low, high) = (load(simd, lower[axis], group * CLUSTER), load(simd, upper[axis], group * CLUSTER));
            // A NaN coordinate extends no box.
            let low = low.equals(low).choose(low, Lanes::splat(simd, f32::INFINITY));
            let high = high.equals(high).choose(high, Lanes::splat(simd, f32::NEG_INFINITY));
            let (lowest, highest) = extent(low, high, period[axis]);
            around_lower[axis][group] = lowest;
            around_upper[axis][group] = highest;
        }
    }
}

/// Returns the interval around the intervals of an axis in the lanes. In a periodic world it may begin before zero.
#[inline(always)]
pub(super) fn extent<S: Simd>(low: Lanes<S>, high: Lanes<S>, period: f32) -> (f32, f32) {
    // bits: a box only decides which rows are tested
    let (lowest, highest) = (low.reduce_min(), high.reduce_max());
    if highest - lowest > 0.5 * period {
        let shift = Lanes::splat(low.token(), period);
        let beyond = (low + high).gt(shift);
        // bits: a box only decides which rows are tested
        let around_low = beyond.choose(low - shift, low).reduce_min() - SLACK * period;
        // bits: a box only decides which rows are tested
        let around_high = beyond.choose(high - shift, high).reduce_max() + SLACK * period;
        if around_high - around_low < highest - lowest {
            return (around_low, around_high);
        }
    }
    (lowest, highest)
}

/// Calls `visit` with the rows that the bound accepts and their squared distances. `visit` returns the next bound, which
/// must not be larger.
pub(crate) fn search<const D: usize>(
    level: Level,
    layers: &[Layer<D>],
    items: &Items<'_, D>,
    query: &Query<D>,
    visit: &mut dyn FnMut(u32, f32) -> Bound,
) {
    kernels::<D>().search(level, layers, items, query, visit);
}

/// The sixteen children of a box.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The number of the box.
    pub(super) number: u64,
    /// The unopened children, one bit each.
    pub(super) left: u16,
    /// Their squared distances.
    pub(super) squared: [f32; CLUSTER],
}

impl Node {
    pub(super) const NONE: Self = Self { number: 0, left: 0, squared: [0.0; CLUSTER] };
}

#[inline(always)]
pub(super) fn search_lanes<S: Simd, const D: usize>(
    simd: S,
    layers: &[Layer<D>],
    items: &Items<'_, D>,
    query: &Query<D>,
    visit: &mut dyn FnMut(u32, f32) -> Bound,
) {
    let mut nodes = [Node::NONE; DEPTH];
    let top = layers.len() - 1;
    let mut depth = top;
    let mut bound = query.bound;
    open(simd, &layers[top], top, 0, query, &mut nodes[top]);
    loop {
        let node = &mut nodes[depth];
        let squared = load(simd, &node.squared, 0);
        let limit = Lanes::splat(simd, bound.squared);
        let mut near = node.left & squared.lt(limit).to_bitmask() as u16;
        let as_near = node.left & squared.equals(limit).to_bitmask() as u16;
        if as_near != 0 {
            near |= as_near & before(bound.row, node.number, depth);
        }
        if near == 0 {
            if depth == top {
                return;
            }
            depth += 1;
            continue;
        }
        let child = nearest_of(&node.squared, near);
        node.left = near & !(1 << child);
        let number = node.number * CLUSTER as u64 + child as u64;
        if depth > 0 {
            depth -= 1;
            open(simd, &layers[depth], depth, number, query, &mut nodes[depth]);
        } else {
            bound = test_rows(simd, number, items, query, bound, visit);
        }
    }
}

/// Returns the nearest of the boxes in `among`, the first of several at the same distance.
#[inline(always)]
pub(super) fn nearest_of(squared: &[f32; CLUSTER], among: u16) -> usize {
    let nearer = |one: usize, other: usize| if squared[other] < squared[one] { other } else { one };
    ones(among).reduce(nearer).unwrap_or(0)
}

/// Returns the children of box `number` that begin before `row`, one bit each.
#[inline(always)]
pub(super) fn before(row: u32, number: u64, depth: usize) -> u16 {
    let shift = 4 * (depth as u32 + 1);
    let boxes = (u64::from(row) + (1 << shift) - 1) >> shift;
    let boxes = boxes.saturating_sub(number * CLUSTER as u64);
    if boxes >= CLUSTER as u64 { u16::MAX } else { (1 << boxes) - 1 }
}

#[inline(always)]
fn open<S: Simd, const D: usize>(
    simd: S,
    layer: &Layer<D>,
    depth: usize,
    number: u64,
    query: &Query<D>,
    node: &mut Node,
) {
    let reach = [query.moved; D];
    squared_gaps(simd, layer, number, &query.point, &query.period, &reach).store_slice(&mut node.squared);
    node.number = number;
    node.left = before(query.rows, number, depth);
}

/// Returns the squared distances to the children of box `number` from a point, or from the box around it that extends by
/// `reach`: rows may have moved by so much since.
#[inline(always)]
pub(super) fn squared_gaps<S: Simd, const D: usize>(
    simd: S,
    layer: &Layer<D>,
    number: u64,
    point: &[f32; D],
    period: &[f32; D],
    reach: &[f32; D],
) -> Lanes<S> {
    let first = number as usize * CLUSTER;
    let mut gaps = [Lanes::splat(simd, 0.0); D];
    for axis in 0..D {
        let at = Lanes::splat(simd, point[axis]);
        let below = load(simd, &layer.lower[axis], first) - at;
        let above = at - load(simd, &layer.upper[axis], first);
        gaps[axis] = gap(below, above, period[axis], reach[axis]);
    }
    dot(&gaps, &gaps)
}

/// Returns the gap between two intervals of an axis, less `reach`: one begins `below` after the other's end, or `above`
/// before its start.
#[inline(always)]
pub(super) fn gap<S: Simd>(below: Lanes<S>, above: Lanes<S>, period: f32, reach: f32) -> Lanes<S> {
    let simd = below.token();
    let around = Lanes::splat(simd, period) + below.min(above);
    let mut gap = below.max(above).min(around);
    if reach > 0.0 {
        let seam = if period < f32::INFINITY { SLACK * period } else { 0.0 };
        let reach = Lanes::splat(simd, reach * (1.0 + 1e-5) + seam);
        gap = (gap - reach) * Lanes::splat(simd, 1.0 - 1e-5);
    }
    gap.max(Lanes::splat(simd, 0.0))
}

/// Returns the squared distances of the sixteen items of box `number` from a point, or from the box around it that
/// extends by `reach`.
#[inline(always)]
pub(super) fn squared_distances<S: Simd, const D: usize>(
    simd: S,
    number: u64,
    items: &Items<'_, D>,
    point: &[f32; D],
    period: &[f32; D],
    reach: &[f32; D],
) -> Lanes<S> {
    let position = match items {
        Items::Points(position) => position,
        Items::Boxes(boxes) => return squared_gaps(simd, boxes, number, point, period, reach),
    };
    let first = number as usize * CLUSTER;
    let mut offset = [Lanes::splat(simd, 0.0); D];
    for axis in 0..D {
        let difference = load(simd, position[axis], first) - Lanes::splat(simd, point[axis]);
        offset[axis] = nearest_image(difference, period[axis]);
    }
    dot(&offset, &offset)
}

/// Calls `visit` with each of the sixteen items of a box that the bound accepts. Returns the new bound.
#[inline(always)]
fn test_rows<S: Simd, const D: usize>(
    simd: S,
    number: u64,
    items: &Items<'_, D>,
    query: &Query<D>,
    mut bound: Bound,
    visit: &mut dyn FnMut(u32, f32) -> Bound,
) -> Bound {
    let squared = squared_distances(simd, number, items, &query.point, &query.period, &[0.0; D]);
    let near = squared.le(Lanes::splat(simd, bound.squared)).to_bitmask() as u16;
    if near == 0 {
        return bound;
    }
    let mut distances = [0.0; CLUSTER];
    squared.store_slice(&mut distances);
    for lane in ones(near) {
        let row = number as u32 * CLUSTER as u32 + lane as u32;
        if row != query.without && bound.takes(distances[lane], row) {
            bound = visit(row, distances[lane]);
        }
    }
    bound
}
