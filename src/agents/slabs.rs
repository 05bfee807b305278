//! Slabs and strips: the number and the bounds of the slabs or strips of a crowd, chosen so that clusters are as long as wide.
//!
//! A crowd need not have the shape of its world: it may be a line, a ring, or two clumps with nothing between. So each
//! stretch of its rows is measured separately, and by the density of its agents, not by the outermost ones. A cluster's
//! share of the extent of a stretch has sides of a certain length, and this length gives the number of parts that the
//! stretch is worth.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::agents::Agents;
use crate::kernels::CLUSTER;

/// The most stretches to measure, and the fewest clusters of each if there is more than one.
const STRETCHES: usize = 128;
const SHORTEST: usize = 32;

/// The most agents to sample in a stretch.
const SAMPLES: usize = 64;

/// Pieces of a stretch with equal numbers of agents; the one of median length gives the density.
const PIECES: usize = 7;

/// The parts of rows that are in the order of one axis: whole clusters.
pub(crate) struct Parts {
    /// How many there are.
    pub(crate) count: usize,
    rows: usize,
    clusters: usize,
    stretches: usize,
    /// The total number of parts that the stretches before each one are worth.
    worth: [f64; STRETCHES + 1],
}

impl Parts {
    /// Divides more rows than a cluster has. They are in the order of `axis`, and will be cut along it and then along
    /// the axes before it.
    pub(crate) fn new<const D: usize>(agents: &Agents<D>, rows: &[AtomicU64], axis: usize) -> Self {
        let clusters = rows.len().div_ceil(CLUSTER);
        let stretches = (clusters / SHORTEST).clamp(1, STRETCHES);
        let mut parts = Self { count: 1, rows: rows.len(), clusters, stretches, worth: [0.0; STRETCHES + 1] };
        for stretch in 0..stretches {
            let (start, end) = (parts.stretch(stretch), parts.stretch(stretch + 1));
            let extents = extents(agents, &rows[parts.row(start)..parts.row(end)]);
            parts.worth[stretch + 1] = parts.worth[stretch] + worth(extents, axis, (end - start) as f64);
        }
        parts.count = (parts.worth[stretches].round() as usize).clamp(1, clusters);
        parts
    }

    /// The rows of one part.
    pub(crate) fn rows(&self, part: usize) -> Range<usize> {
        self.row(self.start(part))..self.row(self.start(part + 1))
    }

    /// The first cluster of a part.
    fn start(&self, part: usize) -> usize {
        if part == 0 || part == self.count {
            return part / self.count * self.clusters;
        }
        let worth = &self.worth[..=self.stretches];
        let before = worth[self.stretches] * part as f64 / self.count as f64;
        let stretch = worth.partition_point(|&worth| worth <= before) - 1;
        let (start, end) = (self.stretch(stretch), self.stretch(stretch + 1));
        let share = (before - worth[stretch]) / (worth[stretch + 1] - worth[stretch]);
        start + (share * (end - start) as f64) as usize
    }

    /// The first cluster of a stretch.
    fn stretch(&self, stretch: usize) -> usize {
        stretch * self.clusters / self.stretches
    }

    /// The first row of a cluster.
    fn row(&self, cluster: usize) -> usize {
        (cluster * CLUSTER).clamp(0, self.rows)
    }
}

/// Returns the number of parts along `axis` that a stretch of `clusters` clusters is worth: its extent on that axis in
/// sides of a cluster that is as long as wide. `extents` are those of the stretch.
fn worth<const D: usize>(mut extents: [f64; D], axis: usize, clusters: f64) -> f64 {
    let extent = extents[axis];
    let others = &mut extents[..axis];
    others.sort_unstable_by(|a, b| b.total_cmp(a));
    // Axes on which the crowd is thinner than that side are not cut: a line has no width.
    for cut in (1..=axis).rev() {
        let place = others[..cut].iter().fold(extent, |place, other| place * other) / clusters;
        let thinnest = others[cut - 1];
        if cut == 1 && thinnest * thinnest > place {
            return (extent * clusters / thinnest).sqrt();
        }
        if cut == 2 && thinnest * thinnest * thinnest > place {
            return cube_root(extent * extent * clusters / (thinnest * others[0]));
        }
    }
    clusters
}

/// The cube root, by arithmetic that gives the same bits on every machine.
fn cube_root(number: f64) -> f64 {
    // Each step leaves a quarter of the error's logarithm.
    (0..16).fold(1.0, |root, _| (number * root).sqrt().sqrt())
}

/// Returns the extent of a crowd on each axis.
fn extents<const D: usize>(agents: &Agents<D>, rows: &[AtomicU64]) -> [f64; D] {
    let count = rows.len().clamp(0, SAMPLES);
    let last = count - 1;
    agents.position.each_ref().map(|position| {
        let mut sample = [0.0; SAMPLES];
        for (number, sample) in sample[..count].iter_mut().enumerate() {
            *sample = position[row(&rows[number * (rows.len() - 1) / last])];
        }
        let sample = &mut sample[..count];
        sample.sort_unstable_by(f32::total_cmp);
        let piece = |piece| f64::from(sample[(piece + 1) * last / PIECES]) - f64::from(sample[piece * last / PIECES]);
        let mut pieces: [f64; PIECES] = std::array::from_fn(piece);
        pieces.sort_unstable_by(f64::total_cmp);
        PIECES as f64 * pieces[PIECES / 2]
    })
}

/// Returns the row below a key.
#[inline]
pub(crate) fn row(entry: &AtomicU64) -> usize {
    entry.load(Relaxed) as u32 as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() <= 1e-6 * expected, "{value}, not {expected}");
    }

    #[test]
    fn parts_are_the_extent_in_sides_of_a_cluster() {
        // 400 clusters: 20 by 20, 5 by 80, and a line of them.
        near(worth([7.0, 7.0], 1, 400.0), 20.0);
        near(worth([16.0, 1.0], 1, 400.0), 5.0);
        near(worth([1.0, 16.0], 1, 400.0), 80.0);
        near(worth([0.0, 16.0], 1, 400.0), 400.0);
        near(worth([0.001, 16.0], 1, 400.0), 400.0);
        assert_eq!(worth([16.0, 0.0], 1, 400.0), 0.0);
        // 1000 clusters: 10 by 10 by 10, 20 by 10 by 5, 40 by 25, and a line of them.
        near(worth([3.0, 3.0, 3.0], 2, 1000.0), 10.0);
        near(worth([2.0, 1.0, 4.0], 2, 1000.0), 20.0);
        near(worth([0.01, 25.0, 40.0], 2, 1000.0), 40.0);
        near(worth([25.0, 0.01, 40.0], 2, 1000.0), 40.0);
        near(worth([0.01, 0.0, 40.0], 2, 1000.0), 1000.0);
        // Within a slab the last axis does not count.
        near(worth([5.0, 20.0, 1e9], 1, 100.0), 20.0);
    }

    #[test]
    fn cube_roots() {
        for root in [1e-9, 0.3, 1.0, 1000.0, 1e8] {
            near(cube_root(root * root * root), root);
        }
        assert_eq!(cube_root(0.0), 0.0);
    }

    #[test]
    fn parts_cover_all_rows_in_order() {
        for (worths, rows) in [(vec![3.5], 100), (vec![1.0, 0.0, 9.3, 0.1], 16 * 129 - 5), (vec![0.0, 0.0], 40)] {
            let (stretches, clusters) = (worths.len(), usize::div_ceil(rows, CLUSTER));
            let mut parts = Parts { count: 1, rows, clusters, stretches, worth: [0.0; STRETCHES + 1] };
            for (stretch, worth) in worths.iter().enumerate() {
                parts.worth[stretch + 1] = parts.worth[stretch] + worth;
            }
            parts.count = (parts.worth[stretches].round() as usize).clamp(1, clusters);
            let mut next = 0;
            for part in 0..parts.count {
                let rows = parts.rows(part);
                assert!(
                    rows.start == next && rows.end >= next && rows.start.is_multiple_of(CLUSTER),
                    "{worths:?}: {rows:?}"
                );
                next = rows.end;
            }
            assert_eq!(next, rows);
        }
    }
}
