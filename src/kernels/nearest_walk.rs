//! The distances of the nearest agents to each agent of a cluster: a walk through a hierarchy of boxes, nearest box
//! first, with the agents of the cluster in the lanes.
//!
//! The walk opens a box only if it is near one of the agents: nearer than the farthest of the nearest that were found for
//! that agent, and in its field of view. How far the agents may look therefore does not matter.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::kernels::nearest::{DEPTH, Layer, Node, before, extent, gap, nearest_of};
use crate::kernels::simd::{
    Lanes, Mask, Ordered, Truth, dispatch, dot, load, load_axes, mask, nearest_image, offset_to, store,
};
use crate::kernels::table::kernels;
use crate::kernels::vision::{Vision, ahead};
use crate::kernels::{Axes, CLUSTER};
use crate::maths::ones;

/// The number of distances, of all agents together and for each of the wanted ones, after which they are sorted.
const MANY: usize = 2;

/// The margin of coordinates that a box in the field of view may lack by rounding.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// The distances of the nearest agents to each agent of a cluster, among those that a search has come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearestDistances {
    /// The number of nearest agents.
    count: usize,
    len: [usize; CLUSTER],
    /// Squared, by place and then by agent. Places beyond an agent's number are infinite.
    squared: Vec<[f32; CLUSTER]>,
    /// The squared distance within which an agent may be among the nearest: at first the squared radius, negative for
    /// agents that do not search.
    pub(crate) within: [f32; CLUSTER],
    /// The number of distances since they were sorted.
    unsorted: usize,
    /// The number of agents whose distances were computed.
    pub(crate) tested: usize,
}

/// The agents of a cluster that search, and the agents among which they do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) heading: Axes<'a, D>,
    /// Their field of view. Their radius is in [`NearestDistances`].
    pub(crate) view: Vision,
    /// The number of their cluster among the clusters of the others, if they are of the same species.
    pub(crate) own: Option<u32>,
    pub(crate) period: [f32; D],
    /// The boxes around the others, and their positions.
    pub(crate) layers: &'a [Layer<D>],
    pub(crate) theirs: Axes<'a, D>,
    /// The number of their rows.
    pub(crate) rows: u32,
    /// The largest distance that they may have moved since their boxes were computed, in metres.
    pub(crate) moved: f32,
    /// The number of tested agents after which the walk ends.
    pub(crate) most: usize,
    /// Whether nothing hides others, so that [`Visited::seen`] is not asked.
    pub(crate) through: bool,
}

/// The answers that a walk needs about the agents that it comes to.
pub(crate) trait Visited {
    /// Returns the rows of a cluster that may be seen, one bit each.
    fn rows(&mut self, cluster: u32) -> u16;

    /// Returns the agents of the searching cluster, among these, that see the one at a row: one bit each.
    fn seen(&mut self, row: u32, by: u16) -> u16;

    /// Takes rows of a cluster which may be among the nearest.
    fn found(&mut self, cluster: u32, rows: u16);
}

/// What a walk keeps of the agents that it comes to.
pub(super) trait Keeper<S: Simd, const D: usize> {
    /// The squared distance from each searching agent within which others may be kept; negative for agents that do not
    /// search.
    fn within(&self) -> &[f32; CLUSTER];

    /// The number of agents whose distances were computed.
    fn tested(&self) -> usize;

    /// Tests the rows of a cluster.
    fn test(
        &mut self,
        simd: S,
        searching: &Searching<S, D>,
        walk: &Walk<'_, D>,
        cluster: u32,
        visited: &mut dyn Visited,
    );

    /// Ends the walk.
    fn finish(&mut self, simd: S);
}

impl<S: Simd, const D: usize> Keeper<S, D> for NearestDistances {
    #[inline(always)]
    fn within(&self) -> &[f32; CLUSTER] {
        &self.within
    }

    #[inline(always)]
    fn tested(&self) -> usize {
        self.tested
    }

    #[inline(always)]
    fn test(
        &mut self,
        simd: S,
        searching: &Searching<S, D>,
        walk: &Walk<'_, D>,
        cluster: u32,
        visited: &mut dyn Visited,
    ) {
        test_rows(simd, searching, walk, cluster, self, visited);
    }

    #[inline(always)]
    fn finish(&mut self, simd: S) {
        self.sort_lanes(simd);
    }
}

impl NearestDistances {
    /// Starts a search for the `count` nearest within a squared radius, for the agents in `lanes`.
    pub(crate) fn start(&mut self, count: usize, radius_squared: f32, lanes: u16) {
        (self.count, self.unsorted, self.tested, self.len) = (count, 0, 0, [0; CLUSTER]);
        self.squared.clear();
        self.within = std::array::from_fn(|lane| if lanes >> lane & 1 == 1 { radius_squared } else { -1.0 });
    }

    /// Adds a squared distance from one agent, which is below its bound.
    #[inline]
    pub(crate) fn add(&mut self, lane: usize, squared: f32) {
        let place = self.len[lane];
        if place == self.squared.len() {
            self.squared.push([f32::INFINITY; CLUSTER]);
        }
        self.squared[place][lane] = squared;
        self.len[lane] = place + 1;
        self.unsorted += 1;
    }

    /// Sorts the distances of all agents, lowers their bounds, and forgets the distances beyond.
    pub(crate) fn sort(&mut self, level: Level) {
        dispatch!(level, simd => self.sort_lanes(simd));
    }

    #[inline(always)]
    fn sort_lanes<S: Simd>(&mut self, simd: S) {
        let Self { count, len, squared, within, unsorted, .. } = self;
        merge_exchange(
            squared.len(),
            #[inline(always)]
            |low, high| {
                let (a, b) = (load(simd, &squared[low], 0), load(simd, &squared[high], 0));
                store(a.min(b), &mut squared[low], 0);
                store(a.max(b), &mut squared[high], 0);
            },
        );
        squared.truncate(*count);
        for lane in 0..CLUSTER {
            if len[lane] >= *count {
                (len[lane], within[lane]) = (*count, squared[*count - 1][lane]);
            }
        }
        *unsorted = 0;
    }

    /// The largest of the distances within which agents may be among the nearest, squared.
    pub(crate) fn farthest(&self) -> f32 {
        farthest(&self.within)
    }
}

#[inline(always)]
fn farthest(within: &[f32; CLUSTER]) -> f32 {
    let mut most = -1.0;
    for &within in within {
        most = if within > most { within } else { most };
    }
    most
}

/// Calls `order` with the pairs of places, the first one first, that are put in order one after the other to sort the
/// first `count` places: Batcher's merge exchange (Knuth, "The Art of Computer Programming", volume 3, 5.2.2 M).
#[inline(always)]
fn merge_exchange(count: usize, mut order: impl FnMut(usize, usize)) {
    let top = count.next_power_of_two() / 2;
    let mut bit = top;
    while bit > 0 {
        let (mut other, mut rest, mut apart) = (top, 0, bit);
        loop {
            for low in 0..count.saturating_sub(apart) {
                if low & bit == rest {
                    order(low, low + apart);
                }
            }
            if other == bit {
                break;
            }
            (apart, other, rest) = (other - bit, other / 2, bit);
        }
        bit /= 2;
    }
}

/// Calls `visited` with the agents within the distances, and lowers these.
pub(crate) fn walk_nearest<const D: usize>(
    level: Level,
    walk: &Walk<'_, D>,
    nearest: &mut NearestDistances,
    visited: &mut dyn Visited,
) {
    kernels::<D>().walk_nearest(level, walk, nearest, visited);
}

/// The searching agents in the lanes.
pub(super) struct Searching<S: Simd, const D: usize> {
    pub(super) position: [Lanes<S>; D],
    heading: [Lanes<S>; D],
    /// The threshold of the field of view, as in [`LaneVision`](super::vision::LaneVision).
    threshold: Lanes<S>,
    pub(super) narrow: bool,
    /// Whether an axis repeats.
    pub(super) wraps: bool,
    /// The box around them.
    lower: [f32; D],
    upper: [f32; D],
}

#[inline(always)]
pub(super) fn walk_nearest_lanes<S: Simd, const D: usize>(
    simd: S,
    walk: &Walk<'_, D>,
    nearest: &mut NearestDistances,
    visited: &mut dyn Visited,
) {
    walk_lanes(simd, walk, nearest, visited);
}

#[inline(always)]
pub(super) fn walk_lanes<S: Simd, const D: usize>(
    simd: S,
    walk: &Walk<'_, D>,
    nearest: &mut impl Keeper<S, D>,
    visited: &mut dyn Visited,
) {
    let searching = Searching::new(simd, walk, nearest.within());
    if let Some(own) = walk.own {
        nearest.test(simd, &searching, walk, own, visited);
    }
    let mut nodes = [Node::NONE; DEPTH];
    let top = walk.layers.len() - 1;
    let mut depth = top;
    let mut limit = farthest(nearest.within());
    open(simd, &searching, walk, top, 0, &mut nodes[top]);
    loop {
        let node = &mut nodes[depth];
        let near = load(simd, &node.squared, 0).le(Lanes::splat(simd, limit));
        let near = node.left & near.to_bitmask() as u16;
        if near == 0 {
            if depth == top {
                break;
            }
            depth += 1;
            continue;
        }
        let child = nearest_of(&node.squared, near);
        node.left = near & !(1 << child);
        let number = node.number * CLUSTER as u64 + child as u64;
        if !is_wanted(simd, &searching, walk, depth, number, nearest.within()) {
            continue;
        }
        if depth > 0 {
            depth -= 1;
            open(simd, &searching, walk, depth, number, &mut nodes[depth]);
        } else if walk.own != Some(number as u32) {
            nearest.test(simd, &searching, walk, number as u32, visited);
            limit = farthest(nearest.within());
            if nearest.tested() > walk.most {
                break;
            }
        }
    }
    nearest.finish(simd);
}

impl<S: Simd, const D: usize> Searching<S, D> {
    #[inline(always)]
    fn new(simd: S, walk: &Walk<'_, D>, within: &[f32; CLUSTER]) -> Self {
        let position = load_axes(simd, &walk.position, 0);
        let heading = load_axes(simd, &walk.heading, 0);
        let searches = load(simd, within, 0).ge(Lanes::splat(simd, 0.0));
        let (mut lower, mut upper) = ([0.0; D], [0.0; D]);
        for axis in 0..D {
            let low = searches.choose(position[axis], Lanes::splat(simd, f32::INFINITY));
            let high = searches.choose(position[axis], Lanes::splat(simd, f32::NEG_INFINITY));
            (lower[axis], upper[axis]) = extent(low, high, walk.period[axis]);
        }
        Self {
            position,
            heading,
            threshold: Lanes::splat(simd, walk.view.cosine_squared) * dot(&heading, &heading),
            narrow: walk.view.cosine_squared > Vision::ALL_ROUND,
            wraps: walk.period.iter().any(|&period| period < f32::INFINITY),
            lower,
            upper,
        }
    }

    /// Returns which offsets are in the fields of view.
    #[inline(always)]
    pub(super) fn sees(&self, offset: &[Lanes<S>; D], squared: Lanes<S>) -> Mask<S> {
        ahead(&self.heading, offset).ge(self.threshold * squared)
    }
}

/// Opens a box: computes the squared distances of its children from the box around the agents.
#[inline(always)]
fn open<S: Simd, const D: usize>(
    simd: S,
    searching: &Searching<S, D>,
    walk: &Walk<'_, D>,
    depth: usize,
    number: u64,
    node: &mut Node,
) {
    let (layer, first) = (&walk.layers[depth], number as usize * CLUSTER);
    let mut gaps = [Lanes::splat(simd, 0.0); D];
    for axis in 0..D {
        let below = load(simd, &layer.lower[axis], first) - Lanes::splat(simd, searching.upper[axis]);
        let above = Lanes::splat(simd, searching.lower[axis]) - load(simd, &layer.upper[axis], first);
        gaps[axis] = gap(below, above, walk.period[axis], walk.moved);
    }
    dot(&gaps, &gaps).store_slice(&mut node.squared);
    node.number = number;
    node.left = before(walk.rows, number, depth);
}

/// Returns whether one of the agents may have one of its nearest in a box.
#[inline(always)]
fn is_wanted<S: Simd, const D: usize>(
    simd: S,
    searching: &Searching<S, D>,
    walk: &Walk<'_, D>,
    depth: usize,
    number: u64,
    within: &[f32; CLUSTER],
) -> bool {
    let (layer, number) = (&walk.layers[depth], number as usize);
    let zero = Lanes::splat(simd, 0.0);
    let mut gaps = [zero; D];
    for axis in 0..D {
        let below = Lanes::splat(simd, layer.lower[axis][number]) - searching.position[axis];
        let above = searching.position[axis] - Lanes::splat(simd, layer.upper[axis][number]);
        gaps[axis] = gap(below, above, walk.period[axis], walk.moved);
    }
    let squared = dot(&gaps, &gaps);
    let near = squared.le(load(simd, within, 0));
    if !searching.narrow || !near.any_true() {
        return near.any_true();
    }
    // Of all points of the box, how far ahead the farthest one is, and how far away.
    let (mut along, mut far, mut unsure) = (zero, zero, zero.lt(zero));
    for axis in 0..D {
        let (lower, upper) = (layer.lower[axis][number], layer.upper[axis][number]);
        let size = lower.abs() + upper.abs();
        let margin =
            Lanes::splat(simd, ROUNDING * size) + Lanes::splat(simd, ROUNDING) * searching.position[axis].abs();
        let half = Lanes::splat(simd, 0.5 * (upper - lower) + walk.moved) + margin;
        let to_middle = Lanes::splat(simd, 0.5 * (lower + upper)) - searching.position[axis];
        let offset = nearest_image(to_middle, walk.period[axis]);
        let reach = offset.abs() + half;
        // Some of its points may be nearer around the world.
        unsure |= (reach + reach).ge(Lanes::splat(simd, walk.period[axis]));
        let heading = searching.heading[axis];
        along += heading * offset + heading.abs() * (half + reach * Lanes::splat(simd, 1e-5));
        far += reach * reach;
    }
    let threshold = searching.threshold;
    let distance =
        threshold.gt(zero).choose(squared * Lanes::splat(simd, 1.0 - 1e-5), far * Lanes::splat(simd, 1.0 + 1e-5));
    let in_view = (along * along.abs()).ge(threshold * distance);
    (near & (in_view | unsure)).any_true()
}

/// Returns the rows of a cluster that are near one of the agents: within a distance of the box around them, as bits.
#[inline(always)]
pub(super) fn near_rows<S: Simd, const D: usize>(
    simd: S,
    searching: &Searching<S, D>,
    walk: &Walk<'_, D>,
    cluster: u32,
    within: &[f32; CLUSTER],
) -> u16 {
    let first = cluster as usize * CLUSTER;
    let mut gaps = [Lanes::splat(simd, 0.0); D];
    for axis in 0..D {
        let at = load(simd, walk.theirs[axis], first);
        let below = at - Lanes::splat(simd, searching.upper[axis]);
        let above = Lanes::splat(simd, searching.lower[axis]) - at;
        gaps[axis] = gap(below, above, walk.period[axis], 0.0);
    }
    dot(&gaps, &gaps).le(Lanes::splat(simd, farthest(within))).to_bitmask() as u16
}

/// Tests the rows of a cluster.
#[inline(always)]
fn test_rows<S: Simd, const D: usize>(
    simd: S,
    searching: &Searching<S, D>,
    walk: &Walk<'_, D>,
    cluster: u32,
    nearest: &mut NearestDistances,
    visited: &mut dyn Visited,
) {
    let first = cluster as usize * CLUSTER;
    let rows = near_rows(simd, searching, walk, cluster, &nearest.within) & visited.rows(cluster);
    let mut found = 0;
    let mut distances = [0.0; CLUSTER];
    for place in ones(rows) {
        let row = first + place;
        let offset = offset_to(&searching.position, &walk.theirs, row, searching.wraps, &walk.period);
        let squared = dot(&offset, &offset);
        let within = load(simd, &nearest.within, 0);
        let mut near = squared.le(within);
        if searching.narrow {
            near &= searching.sees(&offset, squared);
        }
        if walk.own == Some(cluster) {
            near &= !mask(simd, 1 << place);
        }
        let by = near.to_bitmask() as u16;
        if by == 0 {
            continue;
        }
        let by = if walk.through { by } else { visited.seen(row as u32, by) };
        found |= u16::from(by != 0) << place;
        store(squared, &mut distances, 0);
        for lane in ones(by & squared.lt(within).to_bitmask() as u16) {
            nearest.add(lane, distances[lane]);
        }
    }
    nearest.tested += rows.count_ones() as usize;
    if found != 0 {
        visited.found(cluster, found);
    }
    // The next box may then be too far.
    if nearest.unsorted >= MANY * nearest.count.max(CLUSTER / MANY)
        && nearest.len.iter().any(|&len| len >= nearest.count)
    {
        nearest.sort_lanes(simd);
    }
}
