//! A hierarchy of boxes around items in a space order, for searches from a point or a box.
//!
//! Items are the rows of agents or other boxes. The layers are boxes of sixteen items, of sixteen such boxes and so on.
//! A search for the nearest opens the nearest box first and skips boxes farther than its results. The boxes of
//! [`AgentIndex`](crate::index::agent_index::AgentIndex) are wider, and stored as centres and half extents for the pair
//! kernel.

use std::ops::ControlFlow;

use fearless_simd::Level;

use crate::agents::parallel::{ChunkedAxes, for_each_chunk};
use crate::kernels::nearest::{Bound, Items, Layer, Query, enclose_boxes, search};
use crate::kernels::within::{Ball, Visit, within};
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS};

/// The least number of chunks whose boxes one thread measures: fewer take less time than waking another thread.
pub(crate) const GRAIN: usize = 16;

/// Layers of boxes around items, smallest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxHierarchy<const D: usize> {
    /// The instruction set for searches; `None` before the boxes are measured.
    level: Option<Level>,
    layers: Vec<Layer<D>>,
    rows: usize,
}

impl<const D: usize> BoxHierarchy<D> {
    /// Measures boxes on the calling thread only. Other threads may wait for the result, so this one must not take over
    /// their work.
    pub(crate) fn measured(
        level: Level,
        position: &[Vec<f32>; D],
        agents: usize,
        members: &[u16],
        period: &[f32; D],
    ) -> Self {
        let mut bounds = Self::default();
        bounds.measure(level, position, agents, Some(members), period, usize::MAX);
        bounds
    }

    /// Measures the boxes around the first `agents` rows of `position`, or those whose bits are set in `members`, one
    /// word per cluster. A thread takes at least `grain` chunks at a time.
    pub(crate) fn measure(
        &mut self,
        level: Level,
        position: &[Vec<f32>; D],
        agents: usize,
        members: Option<&[u16]>,
        period: &[f32; D],
        grain: usize,
    ) {
        self.rows = agents;
        self.level = (agents > 0).then_some(level);
        let chunks = agents.div_ceil(CHUNK);
        if self.layers.len() < 2 {
            self.layers.resize_with(2, Layer::default);
        }
        let [clusters, of_chunks, ..] = &mut *self.layers else { return };
        clusters.resize(chunks * CLUSTERS);
        of_chunks.resize(chunks);
        let columns = (
            (
                ChunkedAxes::<D, CLUSTERS>::new(&mut clusters.lower),
                ChunkedAxes::<D, CLUSTERS>::new(&mut clusters.upper),
            ),
            (ChunkedAxes::<D, 1>::new(&mut of_chunks.lower), ChunkedAxes::<D, 1>::new(&mut of_chunks.upper)),
        );
        for_each_chunk(
            chunks,
            grain,
            columns,
            &|chunk, ((mut lower, mut upper), (mut around_lower, mut around_upper))| {
                let first = chunk * CHUNK;
                let last = if first + CHUNK < agents { first + CHUNK } else { agents.next_multiple_of(CLUSTER) };
                let rows = kernels::rows(position, first..last);
                let is_member =
                    |row: usize| members.is_none_or(|all| all[(first + row) / CLUSTER] >> (row % CLUSTER) & 1 == 1);
                if (0..last.clamp(0, agents) - first).all(is_member) {
                    enclose_boxes(level, &rows, &rows, period, &mut lower.0, &mut upper.0);
                } else {
                    // Rows that are not members become NaN, which extends no box.
                    let mut copy = [[f32::NAN; CHUNK]; D];
                    for row in (0..last - first).filter(|&row| is_member(row)) {
                        for axis in 0..D {
                            copy[axis][row] = rows[axis][row];
                        }
                    }
                    let copy = copy.each_ref().map(|column| &column[..last - first]);
                    enclose_boxes(level, &copy, &copy, period, &mut lower.0, &mut upper.0);
                }
                for axis in 0..D {
                    lower.0[axis][(last - first) / CLUSTER..].fill(f32::INFINITY);
                    upper.0[axis][(last - first) / CLUSTER..].fill(f32::NEG_INFINITY);
                }
                let (lower, upper) = (lower.0.map(|column| &*column), upper.0.map(|column| &*column));
                enclose_boxes(level, &lower, &upper, period, &mut around_lower.0, &mut around_upper.0);
            },
        );
        self.stack(level, if chunks > 1 { 1 } else { 0 }, period);
    }

    /// Builds a hierarchy around boxes; the ones after the first `count` are padding.
    pub(crate) fn around(level: Level, boxes: &Layer<D>, count: usize, period: &[f32; D]) -> Self {
        let mut layer = Layer::default();
        enclose_layer(level, boxes, &mut layer, period);
        let mut hierarchy = Self { level: (count > 0).then_some(level), layers: vec![layer], rows: count };
        hierarchy.stack(level, 0, period);
        hierarchy
    }

    /// Builds layers above the layer `last`, until one has sixteen boxes at most.
    fn stack(&mut self, level: Level, mut last: usize, period: &[f32; D]) {
        while self.layers[last].lower[0].len() > CLUSTER {
            if self.layers.len() == last + 1 {
                self.layers.push(Layer::default());
            }
            let (below, above) = self.layers.split_at_mut(last + 1);
            enclose_layer(level, &below[last], &mut above[0], period);
            last += 1;
        }
        self.layers.truncate(last + 1);
    }

    /// Calls `visit` with rows within `bound` of a point of the world, each once, with their squared distances; the
    /// nearest boxes first. `visit` returns the next bound. The search skips row `without`. The rows are now at
    /// `position`, at most `moved` metres from where they were when the boxes were measured.
    #[expect(clippy::too_many_arguments, reason = "all that a search depends on")]
    pub(crate) fn nearest(
        &self,
        position: &[Vec<f32>; D],
        period: &[f32; D],
        moved: f32,
        point: [f32; D],
        without: u32,
        bound: Bound,
        mut visit: impl FnMut(u32, f32) -> Bound,
    ) {
        let Some(level) = self.level_at(point) else { return };
        let query = Query { point, period: *period, rows: self.rows as u32, without, bound, moved };
        search(level, &self.layers, &self.rows_of(position), &query, &mut visit);
    }

    /// Calls `visit` with boxes within `bound` of a point of the world, as [`nearest`](Self::nearest) does. The bound is
    /// finite.
    pub(crate) fn nearest_boxes(
        &self,
        boxes: &Layer<D>,
        period: &[f32; D],
        point: [f32; D],
        bound: Bound,
        mut visit: impl FnMut(u32, f32) -> Bound,
    ) {
        let Some(level) = self.level_at(point) else { return };
        let query = Query { point, period: *period, rows: self.rows as u32, without: u32::MAX, bound, moved: 0.0 };
        search(level, &self.layers, &Items::Boxes(boxes), &query, &mut visit);
    }

    /// Calls `visit` with all rows within a squared distance of a point of the world, as [`nearest`](Self::nearest)
    /// does, one cluster at a time.
    pub(crate) fn within(
        &self,
        position: &[Vec<f32>; D],
        period: &[f32; D],
        moved: f32,
        point: [f32; D],
        squared: f32,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let Some(level) = self.level_at(point) else { return ControlFlow::Continue(()) };
        let ball = Ball { point, squared, period: *period, rows: self.rows as u32, reach: [moved; D] };
        within(level, &self.layers, &self.rows_of(position), &ball, visit)
    }

    /// Calls `visit` with all boxes that intersect the box around a point of the world which extends by `half`, sixteen
    /// at a time.
    pub(crate) fn intersecting(
        &self,
        boxes: &Layer<D>,
        period: &[f32; D],
        point: [f32; D],
        half: [f32; D],
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let Some(level) = self.level_at(point) else { return ControlFlow::Continue(()) };
        let ball = Ball { point, squared: 0.0, period: *period, rows: self.rows as u32, reach: half };
        within(level, &self.layers, &Items::Boxes(boxes), &ball, visit)
    }

    /// Returns the layers of boxes, smallest first, and the number of rows; `None` without rows.
    pub(crate) fn layers(&self) -> Option<(&[Layer<D>], u32)> {
        self.level.map(|_| (&self.layers[..], self.rows as u32))
    }

    /// The instruction set for a search from a point; `None` if it has a NaN or infinite coordinate, from which
    /// distances are undefined.
    fn level_at(&self, point: [f32; D]) -> Option<Level> {
        self.level.filter(|_| point.iter().all(|coordinate| coordinate.is_finite()))
    }

    fn rows_of<'a>(&self, position: &'a [Vec<f32>; D]) -> Items<'a, D> {
        Items::Points(kernels::rows(position, 0..self.rows.next_multiple_of(CLUSTER)))
    }
}

/// Makes one box around each sixteen boxes of a layer.
fn enclose_layer<const D: usize>(level: Level, below: &Layer<D>, layer: &mut Layer<D>, period: &[f32; D]) {
    let boxes = below.lower[0].len();
    layer.resize(boxes / CLUSTER);
    enclose_boxes(
        level,
        &kernels::rows(&below.lower, 0..boxes),
        &kernels::rows(&below.upper, 0..boxes),
        period,
        &mut layer.lower.each_mut().map(Vec::as_mut_slice),
        &mut layer.upper.each_mut().map(Vec::as_mut_slice),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::nearest_image;
    use crate::kernels::simd::InstructionSet;
    use crate::maths::ones;
    use crate::{Noise, Vector};

    const SIZE: f32 = 100.0;

    /// Returns rows on a lattice. Every ninth row is at a random point; every eleventh one and those behind the last
    /// are NaN.
    fn rows<const D: usize>(seed: u64, agents: usize) -> [Vec<f32>; D] {
        std::array::from_fn(|axis| {
            let place = |row: usize| {
                let mut noise = Noise::new(seed, row as u64, axis as u64, Noise::USER);
                let anywhere = noise.between(0.0, SIZE);
                match row {
                    row if row % 11 == 0 || row >= agents => f32::NAN,
                    row if row % 9 == 0 => anywhere,
                    row => (row as f32 / 300.0).floor() + (anywhere / 25.0).floor(),
                }
            };
            (0..agents.next_multiple_of(CLUSTER)).map(place).collect()
        })
    }

    /// Returns the rows with finite positions, sorted by distance.
    fn by_distance<const D: usize>(
        position: &[Vec<f32>; D],
        agents: usize,
        point: [f32; D],
        period: f32,
    ) -> Vec<(f32, u32)> {
        let squared = |row: usize| {
            Vector::<D>::from_fn(|axis| nearest_image(position[axis][row] - point[axis], period)).length_squared()
        };
        let mut all: Vec<(f32, u32)> = (0..agents).map(|row| (squared(row), row as u32)).collect();
        all.retain(|(squared, _)| !squared.is_nan());
        all.sort_by(|a, b| a.partial_cmp(b).unwrap());
        all
    }

    fn check<const D: usize>(level: Level, agents: usize, period: f32) {
        let periods = [period; D];
        let mut position = rows::<D>(agents as u64, agents);
        let bounds = BoxHierarchy::measured(
            level,
            &position,
            agents,
            &vec![u16::MAX; agents.div_ceil(CHUNK) * CLUSTERS],
            &periods,
        );
        for moved in [0.0, 3.0] {
            for number in 0..20 {
                let mut noise = Noise::new(1, number, 0, Noise::USER);
                let point: [f32; D] = std::array::from_fn(|_| noise.between(0.0, SIZE));
                let all = by_distance(&position, agents, point, period);
                let start = Bound { squared: f32::INFINITY, row: u32::MAX };
                let mut last = None;
                bounds.nearest(&position, &periods, moved, point, u32::MAX, start, |row, squared| {
                    last = Some((squared, row));
                    Bound { squared, row }
                });
                assert_eq!(last, all.first().copied(), "{agents} {period} {moved} {point:?}");
                let mut within = Vec::new();
                let mut add = |cluster: u32, rows: u16, squared: &[f32; CLUSTER]| {
                    within.extend(ones(rows).map(|lane| (squared[lane], cluster * CLUSTER as u32 + lane as u32)));
                    ControlFlow::Continue(())
                };
                assert!(bounds.within(&position, &periods, moved, point, 900.0, &mut add).is_continue());
                assert!(within.is_sorted_by_key(|(_, row)| *row), "{agents} {period} {moved} {point:?}");
                within.sort_by(|a, b| a.partial_cmp(b).unwrap());
                let expected: Vec<_> = all.into_iter().filter(|(squared, _)| *squared <= 900.0).collect();
                assert_eq!(within, expected, "{agents} {period} {moved} {point:?}");
            }
            // The boxes stay the same while rows move as far as the search allows.
            for (axis, column) in position.iter_mut().enumerate() {
                for (row, coordinate) in column.iter_mut().enumerate() {
                    let step = Noise::new(2, row as u64, axis as u64, Noise::USER).between(-1.7, 1.7);
                    let at = *coordinate + step;
                    *coordinate = match period {
                        SIZE if at < 0.0 => at + SIZE,
                        SIZE if at >= SIZE => at - SIZE,
                        _ => at,
                    };
                }
            }
        }
        let (nowhere, bound) = ([f32::NAN; D], Bound { squared: 9.0, row: 9 });
        bounds.nearest(&position, &periods, 0.0, nowhere, u32::MAX, bound, |row, _| {
            panic!("row {row} was found from an undefined point")
        });
        let mut none = |cluster: u32, _: u16, _: &[f32; CLUSTER]| panic!("cluster {cluster} was found from there");
        assert!(bounds.within(&position, &periods, 0.0, nowhere, 9.0, &mut none).is_continue());
        if let Some((squared, row)) = by_distance(&position, agents, [50.0; D], period).first() {
            let mut end = |_: u32, _: u16, _: &[f32; CLUSTER]| ControlFlow::Break(());
            let ends = bounds.within(&position, &periods, 3.0, [50.0; D], *squared, &mut end).is_break();
            assert!(ends, "{agents} {period}: row {row}");
        }
    }

    #[test]
    fn a_search_finds_what_brute_force_finds() {
        for set in InstructionSet::available() {
            let level = set.level().unwrap();
            for agents in [0, 1, 2, 16, 17, 255, 256, 257, 4096, 4097, 9001] {
                for period in [SIZE, f32::INFINITY] {
                    check::<2>(level, agents, period);
                    check::<3>(level, agents, period);
                }
            }
        }
    }

    /// The distance may be zero or not, and the search may skip the first row.
    #[test]
    fn the_first_row_on_a_point_is_found() {
        let level = InstructionSet::widest().level().unwrap();
        let position = [vec![5.3; 70_000], vec![7.1; 70_000]];
        for period in [SIZE, f32::INFINITY] {
            let bounds = BoxHierarchy::measured(
                level,
                &position,
                70_000,
                &vec![u16::MAX; 70_000_usize.div_ceil(CHUNK) * CLUSTERS],
                &[period; 2],
            );
            for (point, without, first) in [([5.3, 7.1], 0, 1), ([90.7, 3.3], u32::MAX, 0), ([5.3, 7.1], 900, 0)] {
                let start = Bound { squared: f32::INFINITY, row: u32::MAX };
                let mut visited = Vec::new();
                bounds.nearest(&position, &[period; 2], 0.0, point, without, start, |row, squared| {
                    visited.push(row);
                    Bound { squared, row }
                });
                assert_eq!(visited, [first]);
            }
        }
    }
}
