//! The nearest agents of each agent of a cluster: the walk of [`nearest_walk`](super::nearest_walk) with a short list for
//! each agent, kept in order with the agents in the lanes.

use fearless_simd::{Level, Simd, SimdBase, SimdMask, u32x16};

use crate::kernels::CLUSTER;
use crate::kernels::nearest_walk::{Keeper, Searching, Visited, Walk, near_rows, walk_lanes};
use crate::kernels::simd::{Lanes, Ordered, Truth, dot, load, mask, offset_to, store};
use crate::kernels::table::kernels;
use crate::kernels::visibility::Sights;
use crate::maths::ones;

/// The largest number of agents on such a list.
pub(crate) const MOST_NEIGHBOURS: usize = 32;

/// The nearest agents of each agent of a cluster, nearest first; those at the same distance by species and row.
#[derive(Clone, Debug)]
pub(crate) struct NearestAgents {
    /// The number of nearest agents.
    count: usize,
    /// The number of agents on each list.
    len: [usize; CLUSTER],
    /// Squared distances, by place and then by agent: one more than wanted, by which ties at the end are seen. Places
    /// beyond an agent's number are infinite.
    squared: [[f32; CLUSTER]; MOST_NEIGHBOURS + 1],
    /// The number of a visit, and the place in the visited cluster.
    numbers: [[u32; CLUSTER]; MOST_NEIGHBOURS + 1],
    /// The squared radius, negative for agents that do not search; and the squared distance within which an agent may be
    /// on the list.
    radius: [f32; CLUSTER],
    within: [f32; CLUSTER],
    /// The species among which a walk searches, and the clusters that walks came to, with their species.
    pub(crate) species: u32,
    visits: Vec<(u32, u32)>,
    /// The number of agents whose distances were computed.
    pub(crate) tested: usize,
}

impl Default for NearestAgents {
    fn default() -> Self {
        Self {
            count: 0,
            len: [0; CLUSTER],
            squared: [[f32::INFINITY; CLUSTER]; MOST_NEIGHBOURS + 1],
            numbers: [[0; CLUSTER]; MOST_NEIGHBOURS + 1],
            radius: [-1.0; CLUSTER],
            within: [-1.0; CLUSTER],
            species: 0,
            visits: Vec::new(),
            tested: 0,
        }
    }
}

impl NearestAgents {
    /// Starts a search for the `count` nearest within a squared radius, for the agents in `lanes`.
    pub(crate) fn start(&mut self, count: usize, radius_squared: f32, lanes: u16) {
        (self.count, self.tested, self.len) = (count, 0, [0; CLUSTER]);
        self.visits.clear();
        self.squared[..=count].fill([f32::INFINITY; CLUSTER]);
        self.radius = std::array::from_fn(|lane| if lanes >> lane & 1 == 1 { radius_squared } else { -1.0 });
        self.within = self.radius;
    }

    /// The squared distance within which an agent may be on the list of the one in a lane.
    pub(crate) fn within(&self, lane: usize) -> f32 {
        self.within[lane]
    }

    /// Puts the agent at a row of a species on the list of one agent, if it is near enough.
    pub(crate) fn add(&mut self, lane: usize, (species, row): (u32, u32), squared: f32) {
        let (mut place, last) = (self.count, self.squared[self.count][lane]);
        if squared > self.radius[lane] || squared >= last {
            return;
        }
        let number = self.visits.len() as u32 * CLUSTER as u32 + row % CLUSTER as u32;
        self.visits.push((species, row / CLUSTER as u32));
        while place > 0 && self.squared[place - 1][lane] > squared {
            self.squared[place][lane] = self.squared[place - 1][lane];
            self.numbers[place][lane] = self.numbers[place - 1][lane];
            place -= 1;
        }
        (self.squared[place][lane], self.numbers[place][lane]) = (squared, number);
        let last = self.squared[self.count][lane];
        self.within[lane] = if last < self.radius[lane] { last } else { self.radius[lane] };
    }

    /// Ends a search: puts agents at the same distance in order. Returns whether all lists are certain; not if the last
    /// on one is as far away as the next that is not on it.
    pub(crate) fn end(&mut self) -> bool {
        let (mut ties, mut at_the_end) = (0u16, false);
        for place in 0..self.count {
            let (these, next) = (self.squared[place], self.squared[place + 1]);
            let mut tied = 0;
            for lane in 0..CLUSTER {
                self.len[lane] += usize::from(these[lane] < f32::INFINITY);
                tied |= u16::from(these[lane] == next[lane] && next[lane] < f32::INFINITY) << lane;
            }
            ties |= tied;
            at_the_end |= place + 1 == self.count && tied != 0;
        }
        for lane in ones(ties) {
            for place in 1..self.len[lane] {
                self.sink(lane, place);
            }
        }
        !at_the_end
    }

    /// Moves the agent at a place of a list before those at the same distance that come after it by species and row.
    fn sink(&mut self, lane: usize, mut place: usize) {
        while place > 0 && self.squared[place - 1][lane] == self.squared[place][lane] {
            let [before, this] = [self.numbers[place - 1][lane], self.numbers[place][lane]];
            if self.visited(before) <= self.visited(this) {
                break;
            }
            (self.numbers[place - 1][lane], self.numbers[place][lane]) = (this, before);
            place -= 1;
        }
    }

    /// The species and the row of a number on a list.
    fn visited(&self, number: u32) -> (u32, u32) {
        let (species, cluster) = self.visits[number as usize / CLUSTER];
        (species, cluster * CLUSTER as u32 + number % CLUSTER as u32)
    }

    /// The number of agents on each list.
    pub(crate) fn len(&self) -> &[usize; CLUSTER] {
        &self.len
    }

    /// The species and rows of the agents on the list of one agent.
    pub(crate) fn of(&self, lane: usize) -> impl Iterator<Item = (u32, u32)> + Clone {
        self.numbers[..self.len[lane]].iter().map(move |numbers| self.visited(numbers[lane]))
    }

    /// Fills `sights` with the agents on the lists, in the order of species and rows.
    pub(crate) fn see(&self, sights: &mut Sights) {
        sights.clear();
        let mut by = smallvec::SmallVec::<[[u16; CLUSTER]; 64]>::from_elem([0; CLUSTER], self.visits.len());
        for lane in 0..CLUSTER {
            for numbers in &self.numbers[..self.len[lane]] {
                let number = numbers[lane] as usize;
                by[number / CLUSTER][number % CLUSTER] |= 1 << lane;
            }
        }
        let mut order: smallvec::SmallVec<[usize; 64]> = (0..self.visits.len()).collect();
        order.sort_unstable_by_key(|&visit| self.visits[visit]);
        let mut rows = smallvec::SmallVec::<[(u32, u16); 256]>::new();
        for same in order.chunk_by(|&one, &other| self.visits[one].0 == self.visits[other].0) {
            rows.clear();
            for cluster in same.chunk_by(|&one, &other| self.visits[one] == self.visits[other]) {
                let all = |place: usize| cluster.iter().fold(0, |all, &visit| all | by[visit][place]);
                let first = self.visits[cluster[0]].1 * CLUSTER as u32;
                rows.extend((0..CLUSTER).map(|place| (first + place as u32, all(place))).filter(|(_, by)| *by != 0));
            }
            sights.extend(self.visits[same[0]].0, rows.iter().copied());
        }
    }
}

impl<S: Simd, const D: usize> Keeper<S, D> for NearestAgents {
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
        let rows = near_rows(simd, searching, walk, cluster, &self.within) & visited.rows(cluster);
        if rows == 0 {
            return;
        }
        let (first, visit) = (cluster as usize * CLUSTER, self.visits.len() * CLUSTER);
        self.visits.push((self.species, cluster));
        self.tested += rows.count_ones() as usize;
        let radius = load(simd, &self.radius, 0);
        for place in ones(rows) {
            let offset = offset_to(&searching.position, &walk.theirs, first + place, searching.wraps, &walk.period);
            let squared = dot(&offset, &offset);
            let mut near = squared.le(radius) & squared.lt(load(simd, &self.squared[self.count], 0));
            if searching.narrow {
                near &= searching.sees(&offset, squared);
            }
            if walk.own == Some(cluster) {
                near &= !mask(simd, 1 << place);
            }
            if !near.any_true() {
                continue;
            }
            if !walk.through {
                near = mask(simd, visited.seen((first + place) as u32, near.to_bitmask() as u16));
            }
            let mut distance = near.choose(squared, Lanes::splat(simd, f32::INFINITY));
            let mut number = u32x16::splat(simd, (visit + place) as u32);
            // Most agents that come late are far down on all lists.
            let middle = self.count / 2;
            let is_early = distance.lt(load(simd, &self.squared[middle], 0)).any_true();
            for place in if is_early { 0 } else { middle + 1 }..=self.count {
                let (theirs, other) =
                    (load(simd, &self.squared[place], 0), u32x16::from_slice(simd, &self.numbers[place]));
                let is_nearer = distance.lt(theirs);
                store(distance.min(theirs), &mut self.squared[place], 0);
                is_nearer.choose(number, other).store_slice(&mut self.numbers[place]);
                number = is_nearer.choose(other, number);
                distance = distance.max(theirs);
            }
        }
        let last = load(simd, &self.squared[self.count], 0);
        store(last.min(radius), &mut self.within, 0);
    }

    #[inline(always)]
    fn finish(&mut self, _simd: S) {}
}

/// Puts the agents that are near enough on the lists.
pub(crate) fn walk_agents<const D: usize>(
    level: Level,
    walk: &Walk<'_, D>,
    nearest: &mut NearestAgents,
    visited: &mut dyn Visited,
) {
    kernels::<D>().walk_agents(level, walk, nearest, visited);
}

#[inline(always)]
pub(super) fn walk_agents_lanes<S: Simd, const D: usize>(
    simd: S,
    walk: &Walk<'_, D>,
    nearest: &mut NearestAgents,
    visited: &mut dyn Visited,
) {
    walk_lanes(simd, walk, nearest, visited);
}
