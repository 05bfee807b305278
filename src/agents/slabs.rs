//! The number and bounds of slabs and strips, chosen for clusters that are as long as wide.
//!
//! The agents may form a line, a ring, or two clumps far apart. The density of each stretch of rows is therefore
//! measured separately, without its outermost agents. The volume of a stretch per cluster gives the side of a cluster,
//! and the side gives the number of parts in the stretch.

use std::ops::Range;

use crate::kernels::CLUSTER;

/// The largest number of stretches, and the smallest number of clusters in each if there are several.
const STRETCHES: usize = 128;
const SHORTEST: usize = 32;

/// The largest number of agents sampled in a stretch.
const SAMPLES: usize = 64;

/// The number of pieces of a stretch, with equal numbers of agents. The piece of median length gives the density.
const PIECES: usize = 7;

/// The parts of rows that are sorted along one axis, in whole clusters.
pub(crate) struct Parts {
    /// The number of parts.
    pub(crate) count: usize,
    rows: usize,
    clusters: usize,
    stretches: usize,
    /// For each stretch, the sum of the ideal numbers of parts of all stretches before it.
    ideal_parts: [f64; STRETCHES + 1],
}

impl Parts {
    /// Divides rows that are sorted along `axis`: more than a cluster has. They will be divided along it and then along
    /// the axes before it. `position` returns the position of the agent at a place in their order; it is called for the
    /// places that [`sampled`](Self::sampled) returns.
    pub(crate) fn new<const D: usize>(rows: usize, axis: usize, position: impl Fn(usize) -> [f32; D]) -> Self {
        let mut parts = Self::one(rows);
        for stretch in 0..parts.stretches {
            let (start, end) = (parts.stretch(stretch), parts.stretch(stretch + 1));
            let extents = extents(parts.row(start)..parts.row(end), &position);
            parts.ideal_parts[stretch + 1] =
                parts.ideal_parts[stretch] + ideal_parts(extents, axis, (end - start) as f64);
        }
        parts.count = (parts.ideal_parts[parts.stretches].round() as usize).clamp(1, parts.clusters);
        parts
    }

    /// Returns the places of the agents whose positions give the parts, ascending.
    pub(crate) fn sampled(rows: usize) -> Vec<usize> {
        let parts = Self::one(rows);
        let stretches = (0..parts.stretches).map(|stretch| [stretch, stretch + 1].map(|end| parts.stretch(end)));
        stretches.flat_map(|[start, end]| sample(parts.row(start)..parts.row(end))).collect()
    }

    /// One part of all rows.
    fn one(rows: usize) -> Self {
        let clusters = rows.div_ceil(CLUSTER);
        let stretches = (clusters / SHORTEST).clamp(1, STRETCHES);
        Self { count: 1, rows, clusters, stretches, ideal_parts: [0.0; STRETCHES + 1] }
    }

    /// Returns the rows of one part.
    pub(crate) fn rows(&self, part: usize) -> Range<usize> {
        self.rows_of(part..part + 1)
    }

    /// Returns the rows of consecutive parts.
    pub(crate) fn rows_of(&self, parts: Range<usize>) -> Range<usize> {
        self.row(self.start(parts.start))..self.row(self.start(parts.end))
    }

    /// Returns the first cluster of a part.
    fn start(&self, part: usize) -> usize {
        if part == 0 || part == self.count {
            return part / self.count * self.clusters;
        }
        let ideal_parts = &self.ideal_parts[..=self.stretches];
        let before = ideal_parts[self.stretches] * part as f64 / self.count as f64;
        let stretch = ideal_parts.partition_point(|&ideal_parts| ideal_parts <= before) - 1;
        let (start, end) = (self.stretch(stretch), self.stretch(stretch + 1));
        let share = (before - ideal_parts[stretch]) / (ideal_parts[stretch + 1] - ideal_parts[stretch]);
        start + (share * (end - start) as f64) as usize
    }

    /// Returns the first cluster of a stretch.
    fn stretch(&self, stretch: usize) -> usize {
        stretch * self.clusters / self.stretches
    }

    /// Returns the first row of a cluster.
    fn row(&self, cluster: usize) -> usize {
        (cluster * CLUSTER).clamp(0, self.rows)
    }
}

/// Returns the ideal number of parts along `axis` for a stretch of `clusters` clusters: its extent on that axis,
/// divided by the side of a cluster that is as long as wide. `extents` are the extents of the stretch.
fn ideal_parts<const D: usize>(mut extents: [f64; D], axis: usize, clusters: f64) -> f64 {
    let extent = extents[axis];
    let others = &mut extents[..axis];
    others.sort_unstable_by(|a, b| b.total_cmp(a));
    // Axes with an extent below that side are not divided: a line has no width.
    for cut in (1..=axis).rev() {
        let volume = others[..cut].iter().fold(extent, |volume, other| volume * other) / clusters;
        let thinnest = others[cut - 1];
        if cut == 1 && thinnest * thinnest > volume {
            return (extent * clusters / thinnest).sqrt();
        }
        if cut == 2 && thinnest * thinnest * thinnest > volume {
            return cube_root(extent * extent * clusters / (thinnest * others[0]));
        }
    }
    clusters
}

/// Returns the cube root, by arithmetic that gives the same bits on every machine.
fn cube_root(number: f64) -> f64 {
    // Each step divides the logarithm of the error by four.
    (0..16).fold(1.0, |root, _| (number * root).sqrt().sqrt())
}

/// Returns the places in a sample of these: more than one.
fn sample(places: Range<usize>) -> impl Iterator<Item = usize> {
    let (count, last) = (places.len(), places.len().clamp(0, SAMPLES) - 1);
    (0..=last).map(move |number| places.start + number * (count - 1) / last)
}

/// Returns the extent of the agents at these places on each axis, from a sample.
fn extents<const D: usize>(places: Range<usize>, position: impl Fn(usize) -> [f32; D]) -> [f64; D] {
    let mut samples = [[0.0; SAMPLES]; D];
    let mut count = 0;
    for place in sample(places) {
        for (sample, position) in samples.iter_mut().zip(position(place)) {
            sample[count] = position;
        }
        count += 1;
    }
    samples.map(|mut sample| {
        let sample = &mut sample[..count];
        sample.sort_unstable_by(f32::total_cmp);
        let last = count - 1;
        let piece = |piece| f64::from(sample[(piece + 1) * last / PIECES]) - f64::from(sample[piece * last / PIECES]);
        let mut pieces: [f64; PIECES] = std::array::from_fn(piece);
        pieces.sort_unstable_by(f64::total_cmp);
        match pieces[PIECES / 2] {
            // Most agents are in layers without height, such as storeys and rows of seats.
            0.0 => f64::from(sample[last]) - f64::from(sample[0]),
            median => PIECES as f64 * median,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(value: f64, expected: f64) {
        assert!((value - expected).abs() <= 1e-6 * expected, "{value}, not {expected}");
    }

    #[test]
    fn parts_are_the_extent_in_sides_of_a_cluster() {
        // 400 clusters: 20 by 20, 5 by 80, and a line of them.
        assert_near(ideal_parts([7.0, 7.0], 1, 400.0), 20.0);
        assert_near(ideal_parts([16.0, 1.0], 1, 400.0), 5.0);
        assert_near(ideal_parts([1.0, 16.0], 1, 400.0), 80.0);
        assert_near(ideal_parts([0.0, 16.0], 1, 400.0), 400.0);
        assert_near(ideal_parts([0.001, 16.0], 1, 400.0), 400.0);
        assert_eq!(ideal_parts([16.0, 0.0], 1, 400.0), 0.0);
        // 1000 clusters: 10 by 10 by 10, 20 by 10 by 5, 40 by 25, and a line of them.
        assert_near(ideal_parts([3.0, 3.0, 3.0], 2, 1000.0), 10.0);
        assert_near(ideal_parts([2.0, 1.0, 4.0], 2, 1000.0), 20.0);
        assert_near(ideal_parts([0.01, 25.0, 40.0], 2, 1000.0), 40.0);
        assert_near(ideal_parts([25.0, 0.01, 40.0], 2, 1000.0), 40.0);
        assert_near(ideal_parts([0.01, 0.0, 40.0], 2, 1000.0), 1000.0);
        // Within a slab the last axis has no effect.
        assert_near(ideal_parts([5.0, 20.0, 1e9], 1, 100.0), 20.0);
    }

    #[test]
    fn cube_roots() {
        for root in [1e-9, 0.3, 1.0, 1000.0, 1e8] {
            assert_near(cube_root(root * root * root), root);
        }
        assert_eq!(cube_root(0.0), 0.0);
    }

    #[test]
    fn parts_cover_all_rows_in_order() {
        for (ideal_counts, rows) in [(vec![3.5], 100), (vec![1.0, 0.0, 9.3, 0.1], 16 * 129 - 5), (vec![0.0, 0.0], 40)] {
            let (stretches, clusters) = (ideal_counts.len(), usize::div_ceil(rows, CLUSTER));
            let mut parts = Parts { count: 1, rows, clusters, stretches, ideal_parts: [0.0; STRETCHES + 1] };
            for (stretch, ideal_parts) in ideal_counts.iter().enumerate() {
                parts.ideal_parts[stretch + 1] = parts.ideal_parts[stretch] + ideal_parts;
            }
            parts.count = (parts.ideal_parts[stretches].round() as usize).clamp(1, clusters);
            let mut next = 0;
            for part in 0..parts.count {
                let rows = parts.rows(part);
                assert!(
                    rows.start == next && rows.end >= next && rows.start.is_multiple_of(CLUSTER),
                    "{ideal_counts:?}: {rows:?}"
                );
                next = rows.end;
            }
            assert_eq!(next, rows);
        }
    }
}
