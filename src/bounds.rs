//! Boxes around the agents of one species for searches from a point: of clusters, of chunks, of sixteen chunks and so
//! on. A search opens the nearest box first and passes over those that are farther than what it has found.
//!
//! The boxes of the index are wider, and around their centres, as the pair kernel wants them.

use fearless_simd::Level;

use crate::kernels::nearest::{Bound, Layer, Query, search, surround};
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS};
use crate::parallel::{Columns, for_each_chunk};

/// The boxes of one species, smallest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds<const D: usize> {
    /// The instruction set to search with: none before there is anything to search.
    level: Option<Level>,
    layers: Vec<Layer<D>>,
    rows: usize,
}

impl<const D: usize> Bounds<D> {
    /// Boxes measured by the calling thread alone: where others wait for them, none of their work may be taken up.
    pub(crate) fn measured(level: Level, position: &[Vec<f32>; D], agents: usize, period: &[f32; D]) -> Self {
        let mut bounds = Self::default();
        bounds.measure(level, position, agents, period, usize::MAX);
        bounds
    }

    /// Measures the boxes around the first `agents` rows of `position`; threads take `grain` chunks or more at a time.
    pub(crate) fn measure(
        &mut self,
        level: Level,
        position: &[Vec<f32>; D],
        agents: usize,
        period: &[f32; D],
        grain: usize,
    ) {
        self.rows = agents;
        self.level = (agents > 0).then_some(level);
        let chunks = agents.div_ceil(CHUNK);
        let mut layers = 2;
        let mut boxes = chunks;
        while boxes > CLUSTER {
            boxes = boxes.div_ceil(CLUSTER);
            layers += 1;
        }
        self.layers.resize_with(layers, Layer::default);
        let [clusters, of_chunks, above @ ..] = &mut *self.layers else { return };
        clusters.resize(chunks * CLUSTERS);
        of_chunks.resize(chunks);
        let columns = (
            (Columns::<D, CLUSTERS>::new(&mut clusters.lower), Columns::<D, CLUSTERS>::new(&mut clusters.upper)),
            (Columns::<D, 1>::new(&mut of_chunks.lower), Columns::<D, 1>::new(&mut of_chunks.upper)),
        );
        for_each_chunk(
            chunks,
            grain,
            columns,
            &|chunk, ((mut lower, mut upper), (mut around_lower, mut around_upper))| {
                let first = chunk * CHUNK;
                let last = if first + CHUNK < agents { first + CHUNK } else { agents.next_multiple_of(CLUSTER) };
                let rows = kernels::rows(position, first..last);
                surround(level, &rows, &rows, period, &mut lower.0, &mut upper.0);
                for axis in 0..D {
                    lower.0[axis][(last - first) / CLUSTER..].fill(f32::INFINITY);
                    upper.0[axis][(last - first) / CLUSTER..].fill(f32::NEG_INFINITY);
                }
                let (lower, upper) = (lower.0.map(|column| &*column), upper.0.map(|column| &*column));
                surround(level, &lower, &upper, period, &mut around_lower.0, &mut around_upper.0);
            },
        );
        let mut below = of_chunks;
        for layer in above {
            let boxes = below.lower[0].len();
            layer.resize(boxes / CLUSTER);
            surround(
                level,
                &kernels::rows(&below.lower, 0..boxes),
                &kernels::rows(&below.upper, 0..boxes),
                period,
                &mut layer.lower.each_mut().map(Vec::as_mut_slice),
                &mut layer.upper.each_mut().map(Vec::as_mut_slice),
            );
            below = layer;
        }
        if chunks == 1 {
            self.layers.truncate(1);
        }
    }

    /// Shows rows within `bound` of a point of the world, in any order, each once, with their squared distances.
    /// `show` returns the bound from then on. Row `without` is not sought; rows are at `position` now and may have
    /// moved by `moved` metres since the boxes were measured.
    #[expect(clippy::too_many_arguments, reason = "all that a search depends on")]
    pub(crate) fn search(
        &self,
        position: &[Vec<f32>; D],
        period: &[f32; D],
        moved: f32,
        point: [f32; D],
        without: u32,
        bound: Bound,
        mut show: impl FnMut(u32, f32) -> Bound,
    ) {
        // From a point that is no number nothing has a distance.
        let Some(level) = self.level.filter(|_| point.iter().all(|coordinate| coordinate.is_finite())) else { return };
        let query = Query { point, period: *period, rows: self.rows as u32, without, bound, moved };
        let rows = kernels::rows(position, 0..self.rows.next_multiple_of(CLUSTER));
        search(level, &self.layers, &rows, &query, &mut show);
    }
}
