//! The nearest neighbours of the agents of a cluster: collected one by one, and sorted with the agents in the lanes.

use fearless_simd::{Level, Simd, SimdBase, SimdMask, u32x16};
use smallvec::SmallVec;

use crate::kernels::CLUSTER;
use crate::kernels::bodies::{Bodies, ClusterBodies};
use crate::kernels::simd::{Ordered, Truth, dispatch, dot, load, load_axes, mask, offset_to, store};
use crate::kernels::table::kernels;
use crate::kernels::visibility::{Sights, VisibleAgents};
use crate::maths::ones;

/// The largest number of nearest neighbours of an agent.
pub(crate) const MOST_NEIGHBOURS: usize = 32;

/// The number of neighbours after which an agent's are sorted, and those beyond the limit forgotten.
const ROOM: usize = 2 * MOST_NEIGHBOURS;

/// The nearest neighbours of each agent of a cluster. At the same distance, the earlier sight is nearer.
#[derive(Clone, Debug)]
pub(crate) struct NearestNeighbours {
    /// The largest number per agent.
    limit: usize,
    len: [usize; CLUSTER],
    /// By place, then by agent. Places beyond an agent's number are infinite.
    squared: SmallVec<[[f32; CLUSTER]; ROOM]>,
    /// The numbers of their sights.
    numbers: SmallVec<[[u32; CLUSTER]; ROOM]>,
    /// The squared distance below which a neighbour may be among the nearest.
    within: [f32; CLUSTER],
}

impl NearestNeighbours {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            len: [0; CLUSTER],
            squared: SmallVec::new(),
            numbers: SmallVec::new(),
            within: [f32::INFINITY; CLUSTER],
        }
    }

    /// The numbers of neighbours of the agents.
    pub(crate) fn len(&self) -> [usize; CLUSTER] {
        self.len
    }

    /// The numbers of the sights of one agent's neighbours; once sorted, nearest first.
    pub(crate) fn of(&self, lane: usize) -> impl ExactSizeIterator<Item = u32> + Clone {
        self.numbers[..self.len[lane]].iter().map(move |numbers| numbers[lane])
    }

    /// The same, with the species and the row of each.
    pub(crate) fn seen<'a>(&'a self, lane: usize, sights: &'a Sights) -> impl Iterator<Item = (u32, u32)> + Clone {
        self.of(lane).map(|number| sights.at(number as usize))
    }

    /// Sorts the neighbours of all agents, nearest first, and forgets those beyond the limit.
    pub(crate) fn sort(&mut self, level: Level) {
        dispatch!(level, simd => self.sort_lanes(simd));
    }

    #[inline(always)]
    fn sort_lanes<S: Simd>(&mut self, simd: S) {
        let most = self.len.iter().fold(0, |most, &len| if len > most { len } else { most });
        merge_exchange(
            most,
            #[inline(always)]
            |low, high| self.order(simd, low, high),
        );
        for lane in 0..CLUSTER {
            if self.len[lane] >= self.limit {
                self.len[lane] = self.limit;
                self.within[lane] = self.squared[self.limit - 1][lane];
            }
        }
        let kept = if most < self.limit { most } else { self.limit };
        self.squared.truncate(kept);
        self.numbers.truncate(kept);
    }

    /// Puts the nearer one of two neighbours of each agent first.
    #[inline(always)]
    fn order<S: Simd>(&mut self, simd: S, low: usize, high: usize) {
        let [a, b] = [low, high].map(|place| load(simd, &self.squared[place], 0));
        let [first, second] = [low, high].map(|place| u32x16::from_slice(simd, &self.numbers[place]));
        let swapped = b.lt(a) | (b.equals(a) & second.lt(first));
        store(swapped.choose(b, a), &mut self.squared[low], 0);
        store(swapped.choose(a, b), &mut self.squared[high], 0);
        swapped.choose(second, first).store_slice(&mut self.numbers[low]);
        swapped.choose(first, second).store_slice(&mut self.numbers[high]);
    }
}

/// Calls `order` with the pairs of places, the first one first, that are put in order one after the other to sort the
/// first `count` places: Batcher's merge exchange (Knuth, "The Art of Computer Programming", volume 3, 5.2.2 M).
#[inline(always)]
pub(super) fn merge_exchange(count: usize, mut order: impl FnMut(usize, usize)) {
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

/// Adds the visible agents of one species to the neighbours.
pub(crate) fn find_nearest<const D: usize>(
    level: Level,
    agents: &ClusterBodies<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    nearest: &mut NearestNeighbours,
) {
    kernels::<D>().find_nearest(level, agents, others, seen, nearest);
}

#[inline(always)]
pub(super) fn find_nearest_lanes<S: Simd, const D: usize>(
    simd: S,
    agents: &ClusterBodies<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    nearest: &mut NearestNeighbours,
) {
    let position = load_axes(simd, &agents.position, 0);
    let mut squares = [0.0; CLUSTER];
    for (number, (row, by)) in (seen.first as u32..).zip(seen.each()) {
        let offset = offset_to(&position, &others.position, row, agents.seam, &agents.period);
        let squared = dot(&offset, &offset);
        let nearer = mask(simd, by) & squared.lt(load(simd, &nearest.within, 0));
        let nearer = nearer.to_bitmask() as u16;
        if nearer == 0 {
            continue;
        }
        store(squared, &mut squares, 0);
        let mut full = false;
        for lane in ones(nearer) {
            let place = nearest.len[lane];
            if place == nearest.squared.len() {
                nearest.squared.push([f32::INFINITY; CLUSTER]);
                nearest.numbers.push([0; CLUSTER]);
            }
            (nearest.squared[place][lane], nearest.numbers[place][lane]) = (squares[lane], number);
            nearest.len[lane] = place + 1;
            full |= place + 1 == ROOM;
        }
        if full {
            nearest.sort_lanes(simd);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::combine::QuantitySlice;
    use crate::kernels::simd::InstructionSet;
    use crate::maths::Noise;

    /// Against a sort of all pairs, with many at the same distance and more than there is room for.
    #[test]
    fn the_nearest_are_those_of_a_sort() {
        let mut noise = Noise::new(9, 0, 0, 0);
        let sizes = [(0, 3), (1, 1), (20, 32), (33, 7), (200, 32), (300, 1), (300, 16)];
        for (set, (count, limit)) in InstructionSet::available().flat_map(|set| sizes.map(|size| (set, size))) {
            let level = set.level().unwrap();
            let mut coordinate =
                || (0..count.max(CLUSTER)).map(|_| noise.between(0.0, 9.0).floor()).collect::<Vec<_>>();
            let (x, y) = (coordinate(), coordinate());
            let rows: Vec<u32> = (0..count as u32).collect();
            let by: Vec<u32> = rows.iter().map(|row| 0xfff7 ^ (1 << (row % 16))).collect();
            let position = [&x[..CLUSTER], &y[..CLUSTER]];
            let radius = QuantitySlice::Same(0.1);
            let agents = ClusterBodies { position, velocity: position, radius, seam: false, period: [0.0; 2] };
            let others = Bodies { position: [&x, &y], velocity: [&x, &y], radius };
            let seen = VisibleAgents { species: 0, lanes: u16::MAX, first: 5, rows: &rows, by: &by };
            let mut nearest = NearestNeighbours::new(limit);
            find_nearest(level, &agents, &others, &seen, &mut nearest);
            nearest.sort(level);
            for lane in 0..CLUSTER {
                let squared =
                    |row: usize| (x[row] - x[lane]) * (x[row] - x[lane]) + (y[row] - y[lane]) * (y[row] - y[lane]);
                let mut expected: Vec<usize> = (0..count).filter(|&row| by[row] >> lane & 1 == 1).collect();
                expected.sort_by(|&a, &b| squared(a).total_cmp(&squared(b)));
                expected.truncate(limit);
                let found: Vec<usize> = nearest.of(lane).map(|number| number as usize - 5).collect();
                assert_eq!(found, expected, "{count} {limit} {lane}");
            }
        }
    }
}
