//! The agents on their way to each navigation's goals, counted together in squares.

use std::ops::{Range, RangeInclusive};

use rayon::slice::ParallelSliceMut as _;
use smallvec::SmallVec;

use crate::agents::parallel::{ChunkedColumn, FEW_CHUNKS, for_each_chunk};
use crate::base::settings::nearest_image;
use crate::environment::navigation::passages::Passage;
use crate::kernels::CHUNK;
use crate::maths::Vector;

/// The side of the squares in which agents that are seen count together, in metres.
pub(super) const SIDE: f32 = 10.0;

/// A number of goals above which a choice allocates memory.
pub(crate) const GOALS: usize = 64;

/// The agents that head for goals.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    /// Sorted.
    agents: Vec<Queued>,
    /// The bits of their distances, which have the order of the distances.
    distances: Vec<u32>,
    /// The agents in one square that head for one navigation and have one passage before them.
    groups: Vec<Group>,
    /// The rows of squares, each with its first group.
    rows: Vec<(i32, usize)>,
}

/// An agent on its way, in the order of its square, its navigation, its passage and its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Queued {
    key: u128,
    /// The bits of its position.
    at: [u32; 2],
}

/// Agents that count together: to the first one of the next group. One of them stands for all where sight matters.
#[derive(Debug)]
struct Group {
    column: i32,
    navigation: u32,
    passage: u32,
    /// The least and the largest distance.
    extent: [u32; 2],
    first: u32,
    at: Vector<2>,
}

/// A question about the agents that head for a navigation's goals, and its answer.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The index of the navigation, if there is one.
    navigation: Option<usize>,
    /// The bits of the distance of the agent that asks.
    distance: u32,
    /// The passages whose agents wait where it does.
    passages: Range<u32>,
    /// Which of the numbers is wanted.
    wanted: [bool; 3],
    /// The number of all agents, of those nearer than the one that asks, and of these before the passages.
    pub(crate) counts: [u32; 3],
}

impl Question {
    /// A question about a navigation, of an agent at a distance with the narrowest passage on its way, if it has a way.
    /// Numbers that are not `wanted` may be too low.
    pub(crate) fn new(navigation: Option<usize>, way: Option<(f32, &Passage)>, wanted: [bool; 3]) -> Self {
        let (distance, passages) =
            way.map_or((0, 0..0), |(distance, passage)| (distance.to_bits(), passage.before.clone()));
        Self { navigation, distance, passages, wanted, counts: [0; 3] }
    }

    /// Counts the agents of a group, which have these distances, `most` at most.
    fn count(&mut self, distances: &[u32], most: u32, [is_nearer, is_before]: [bool; 2]) {
        let nearer = match most < self.distance {
            true => distances.len(),
            false if !is_nearer => 0,
            false => distances.partition_point(|&distance| distance < self.distance),
        };
        let counts = [distances.len(), nearer, if is_before { nearer } else { 0 }];
        self.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count as u32);
    }
}

/// The number of bits of the row and the column of a square, of a navigation, and of a passage and a distance each.
const BITS: [u32; 3] = [20, 20, 32];

impl Queued {
    /// No agent: the last in order.
    pub(crate) const NONE: Self = Self { key: u128::MAX, at: [u32::MAX; 2] };

    /// An agent at a distance from the goals of a navigation, with the narrowest passage on its way. Without places, all
    /// agents are in one square.
    pub(crate) fn new(
        (navigation, has_place): (usize, bool),
        at: Vector<2>,
        (distance, passage): (f32, &Passage),
    ) -> Self {
        // Squares of the largest world have 19 bits.
        let half = 1 << (BITS[0] - 1);
        let [column, row] = at.0.map(|at| if has_place { (square(at) + half) as u128 } else { half as u128 });
        let square = row << BITS[0] | column;
        let way = (square << BITS[1] | navigation as u128) << BITS[2] | u128::from(passage.before.start);
        Self { key: way << BITS[2] | u128::from(distance.to_bits()), at: at.0.map(f32::to_bits) }
    }

    fn distance(&self) -> u32 {
        self.key as u32
    }

    /// Its row, column, navigation and passage.
    fn group(&self) -> (i32, i32, u32, u32) {
        let (way, half) = (self.key >> BITS[2], 1 << (BITS[0] - 1));
        let (of, square) = (way >> BITS[2], way >> (BITS[2] + BITS[1]));
        let part = |number: u128, bits: u32| (number & ((1 << bits) - 1)) as i32;
        let [row, column] = [square >> BITS[0], square].map(|number| part(number, BITS[0]) - half);
        (row, column, part(of, BITS[1]) as u32, way as u32)
    }
}

/// The number of a square on an axis. Coordinates far outside of the world are in the last one.
fn square(at: f32) -> i32 {
    let most = ((1 << (BITS[0] - 1)) - 1) as f32;
    (at / SIDE).floor().clamp(-most, most) as i32
}

impl Queues {
    /// Empties the queues.
    pub(crate) fn clear(&mut self) {
        self.agents.clear();
    }

    /// Adds the agents of some rows.
    pub(crate) fn add(&mut self, rows: usize, agent: &(impl Fn(usize) -> Option<Queued> + Sync)) {
        let start = self.agents.len();
        self.agents.resize(start + rows, Queued::NONE);
        let data = ChunkedColumn(&mut self.agents[start..], CHUNK);
        for_each_chunk(rows.div_ceil(CHUNK), FEW_CHUNKS, data, &|chunk, agents: ChunkedColumn<'_, Queued>| {
            for (row, queued) in agents.0.iter_mut().enumerate() {
                *queued = agent(chunk * CHUNK + row).unwrap_or(Queued::NONE);
            }
        });
    }

    /// Sorts the queues after all agents were added.
    pub(crate) fn sort(&mut self) {
        let Self { agents, distances, groups, rows } = self;
        // Both sorts have the same result.
        match rayon::current_num_threads() {
            1 => agents.sort_unstable(),
            _ => agents.par_sort_unstable(),
        }
        agents.truncate(agents.partition_point(|agent| *agent != Queued::NONE));
        distances.clear();
        distances.extend(agents.iter().map(Queued::distance));
        groups.clear();
        rows.clear();
        let mut first = 0;
        for same in agents.chunk_by(|one, other| one.key >> BITS[2] == other.key >> BITS[2]) {
            let [least, middle, most] = [0, same.len() / 2, same.len() - 1].map(|place| &same[place]);
            let (row, column, navigation, passage) = least.group();
            if rows.last().is_none_or(|&(last, _)| last != row) {
                rows.push((row, groups.len()));
            }
            let (extent, at) = ([least.distance(), most.distance()], Vector(middle.at.map(f32::from_bits)));
            groups.push(Group { column, navigation, passage, extent, first, at });
            first += same.len() as u32;
        }
    }

    /// Answers questions about the agents within `view` metres of a point. The agents of a group count if `sees` is true
    /// for the offset to one of them.
    pub(crate) fn ask(
        &self,
        questions: &mut [Question],
        (at, view, period): (Vector<2>, f32, [f32; 2]),
        sees: impl Fn([f32; 2]) -> bool,
    ) {
        // The first question about each navigation.
        let mut first = SmallVec::<[u16; GOALS]>::new();
        for (number, navigation) in questions.iter().enumerate().filter_map(|(n, of)| Some((n, of.navigation?))).rev() {
            let length = if navigation < first.len() { first.len() } else { navigation + 1 };
            first.resize(length, u16::MAX);
            first[navigation] = number as u16;
        }
        self.visit((at, view, period), |number| {
            let group = &self.groups[number];
            let question = first.get(group.navigation as usize).map_or(u16::MAX, |question| *question);
            let Some(question) = questions.get_mut(usize::from(question)) else { return };
            let is_nearer = group.extent[0] < question.distance;
            let is_before = is_nearer && question.passages.contains(&group.passage);
            let [all, nearer, before] = question.wanted;
            if !(all || nearer && is_nearer || before && is_before) {
                return;
            }
            let offset = [0, 1].map(|axis| nearest_image(group.at[axis] - at[axis], period[axis]));
            if offset[0] * offset[0] + offset[1] * offset[1] <= view * view && sees(offset) {
                question.count(self.distances_of(number), group.extent[1], [is_nearer, is_before]);
            }
        });
        for number in 0..questions.len() {
            let Some(navigation) = questions[number].navigation else { continue };
            questions[number].counts = questions[usize::from(first[navigation])].counts;
        }
    }

    /// Calls `visit` with the numbers of the groups in the squares within `view` metres of a point, each once.
    fn visit(&self, (at, view, period): (Vector<2>, f32, [f32; 2]), mut visit: impl FnMut(usize)) {
        let [columns, rows] = [0, 1].map(|axis| spans(at[axis], view, period[axis]));
        let row_starts = |place: usize| self.rows.get(place).map_or(self.groups.len(), |(_, start)| *start);
        for span in &rows {
            let start = self.rows.partition_point(|(row, _)| row < span.start());
            let end = self.rows.partition_point(|(row, _)| row <= span.end());
            for place in start..end {
                let (start, end) = (row_starts(place), row_starts(place + 1));
                for span in &columns {
                    let before = self.groups[start..end].partition_point(|group| group.column < *span.start());
                    let inside = (start + before..end).take_while(|&number| self.groups[number].column <= *span.end());
                    inside.for_each(&mut visit);
                }
            }
        }
    }

    /// The distances of the agents of the group with this number.
    fn distances_of(&self, number: usize) -> &[u32] {
        let end = self.groups.get(number + 1).map_or(self.distances.len(), |next| next.first as usize);
        &self.distances[self.groups[number].first as usize..end]
    }
}

/// The squares within `view` metres of a coordinate, in one range or, around the seam of a periodic world, in two.
fn spans(at: f32, view: f32, period: f32) -> SmallVec<[RangeInclusive<i32>; 2]> {
    let (low, high) = (at - view, at + view);
    let range = |low: f32, high: f32| square(low)..=square(high);
    let mut spans = SmallVec::new();
    if period == f32::INFINITY {
        spans.push(range(low, high));
    } else if 2.0 * (view + SIDE) >= period {
        spans.push(range(0.0, period));
    } else if low < 0.0 {
        spans.extend([range(0.0, high), range(low + period, period)]);
    } else if high > period {
        spans.extend([range(0.0, high - period), range(low, period)]);
    } else {
        spans.push(range(low, high));
    }
    spans
}
