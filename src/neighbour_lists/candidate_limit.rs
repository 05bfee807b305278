//! The limit on candidates: the choice of clusters to look at where there are too many, so that a tick's cost stays
//! bounded when all agents stand on one point.
//!
//! The choice takes the nearest clusters by the distance of boxes; ties go to the nearer one by row, so that the
//! cluster itself comes first. Among clusters of another species, rows count from the nearest chunk. The choice is a
//! function of the state only, like everything that decides which agents are perceived.

use std::ops::Range;

use fearless_simd::Level;

use crate::kernels::CLUSTERS;
use crate::kernels::boxes::Boxes;
use crate::kernels::cull::{Chunks, ClusterList, Reach, box_distances, clusters_within};

/// The smallest part of the squared reach that is tried.
const LEAST: f32 = 1e-6;

/// The candidates of a crowded cluster where a tick would exceed the budget of pairs.
pub(crate) const CROWDED: usize = 512;

/// The squared distances of clusters, as bits, and the same in another order. The bits of non-negative floats compare
/// as the floats do.
pub(crate) type Distances = Vec<u32>;

/// A cluster in a crowd.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CrowdedCluster<'a, const D: usize> {
    pub(crate) level: Level,
    pub(crate) reach: Reach<D>,
    /// The boxes of the perceived species, and the chunks of it that are near.
    pub(crate) boxes: &'a Boxes<D>,
    pub(crate) chunks: Chunks<'a, D>,
}

impl<const D: usize> CrowdedCluster<'_, D> {
    /// Fills `found` with the `count` nearest clusters. More than `count` must be within reach.
    pub(crate) fn nearest(&self, count: usize, found: &mut ClusterList, distances: &mut Distances) {
        let middle = self.reach.own.unwrap_or_else(|| self.middle(distances));
        if self.touching_around(middle, count, found) {
            return;
        }
        self.find_enough(count, found);
        if found.as_slice().len() <= count {
            return;
        }
        let farthest = self.farthest(count, found, distances);
        let clusters = found.as_slice().len();
        distances.truncate(clusters);
        let nearer = distances.iter().filter(|&&bits| bits < farthest).count();
        // Of the clusters as far as the farthest, the nearest by row stay; of two on either side, the lower one.
        for place in 0..clusters {
            if distances[place] == farthest {
                distances.push(found.as_slice()[place].abs_diff(middle));
            }
        }
        let (before, last, _) = distances[clusters..].select_nth_unstable(count - nearer - 1);
        let last = *last;
        let mut left = count - nearer - before.iter().filter(|&&rows| rows < last).count();
        found.retain(|place, cluster| {
            let rows = cluster.abs_diff(middle);
            let is_last = distances[place] == farthest && rows == last && left > 0;
            left -= usize::from(is_last);
            distances[place] < farthest || distances[place] == farthest && rows < last || is_last
        });
    }

    /// The number of a cluster in the nearest chunk, the first of several.
    fn middle(&self, distances: &mut Distances) -> u32 {
        distances.clear();
        box_distances(&self.reach, self.chunks.boxes, 0..self.chunks.numbers.len() as u32, |squared| {
            distances.push(squared.to_bits());
        });
        let nearest = distances.iter().zip(self.chunks.numbers).min().map_or(0, |(_, &chunk)| chunk);
        nearest * CLUSTERS as u32 + CLUSTERS as u32 / 2
    }

    /// Fills `found` with the `count` clusters nearest by row that touch the box, if the chunks around `middle` have
    /// enough of them. Where all clusters touch each other, looking at all of them for each would be quadratic.
    fn touching_around(&self, middle: u32, count: usize, found: &mut ClusterList) -> bool {
        let (chunks, around) = (self.chunks.numbers, self.around(middle, count));
        let (start, end) = (around.start, around.end);
        self.within(0.0, self.chunks.part(around), found);
        if found.as_slice().len() < count {
            return false;
        }
        nearest_by_row(found, middle, count);
        let furthest = found.as_slice().iter().map(|cluster| cluster.abs_diff(middle)).max().unwrap_or(0);
        let next = [
            chunks[..start].last().map(|chunk| middle.abs_diff((chunk + 1) * CLUSTERS as u32 - 1)),
            chunks[end..].first().map(|chunk| middle.abs_diff(chunk * CLUSTERS as u32)),
        ];
        next.into_iter().flatten().all(|next| furthest < next)
    }

    /// Returns the chunks around a cluster, by row, that together have several times `count` clusters.
    fn around(&self, middle: u32, count: usize) -> Range<usize> {
        let chunks = self.chunks.numbers;
        let place = chunks.partition_point(|&chunk| chunk < middle / CLUSTERS as u32);
        let span = 2 * count.div_ceil(CLUSTERS);
        let start = place.saturating_sub(span);
        start..(start + 2 * span).clamp(0, chunks.len())
    }

    /// Returns the squared distance of the farthest of the `count` nearest clusters in `found`, as bits. Fills
    /// `distances` with the distances of all clusters in their order, followed by the same in another order.
    fn farthest(&self, count: usize, found: &ClusterList, distances: &mut Distances) -> u32 {
        distances.clear();
        box_distances(&self.reach, self.boxes, found.as_slice().iter().copied(), |squared| {
            distances.push(squared.to_bits());
        });
        distances.extend_from_within(..);
        let (_, farthest, _) = distances[found.as_slice().len()..].select_nth_unstable(count - 1);
        *farthest
    }

    /// Fills `found` with at least `count` of the nearest clusters, and not many more where that can be: sorting
    /// thousands of clusters for each of thousands is the cost that the cap avoids.
    fn find_enough(&self, count: usize, found: &mut ClusterList) {
        let width: f32 = self.reach.half.iter().map(|half| 4.0 * half * half).sum();
        let least = LEAST * self.reach.squared;
        let (mut enough, mut squared) = (self.reach.squared, if width > least { width } else { least });
        while squared >= least && squared < enough {
            self.within(squared, self.chunks, found);
            let clusters = found.as_slice().len();
            if clusters >= count && clusters <= 4 * count {
                return;
            }
            if clusters < count {
                squared *= 2.0;
            } else {
                // Of clusters spread evenly over an area, this leaves twice the wanted number.
                enough = squared;
                squared *= 2.0 * count as f32 / clusters as f32;
            }
        }
        self.within(enough, self.chunks, found);
    }

    fn within(&self, squared: f32, chunks: Chunks<'_, D>, found: &mut ClusterList) {
        clusters_within(self.level, &Reach { squared, counted: squared, ..self.reach }, self.boxes, chunks, found);
    }
}

/// Keeps the `count` numbers nearest to `middle`, the lower one of a tie.
fn nearest_by_row(found: &mut ClusterList, middle: u32, count: usize) {
    let all = found.as_slice();
    let mut low = all.partition_point(|&cluster| cluster < middle);
    let mut high = low;
    while high - low < count {
        let below = low.checked_sub(1).map(|next| middle - all[next]);
        let above = all.get(high).map(|next| next - middle);
        match (below, above) {
            (Some(below), Some(above)) if below <= above => low -= 1,
            (_, Some(_)) => high += 1,
            (Some(_), None) => low -= 1,
            (None, None) => break,
        }
    }
    found.keep(low..high);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::LIMIT;
    use crate::kernels::cull::ChunkList;
    use crate::maths::Noise;
    use crate::{InstructionSet, Vector};

    /// Returns chunks that may have clusters anywhere.
    fn everywhere(numbers: Vec<u32>) -> ChunkList<2> {
        let mut boxes = Boxes::<2>::default();
        boxes.resize(numbers.len().div_ceil(CLUSTERS) + 1);
        for axis in 0..2 {
            boxes.centre[axis][..numbers.len()].fill(0.0);
            boxes.half[axis][..numbers.len()].fill(1e3);
        }
        ChunkList { numbers, boxes }
    }

    /// Returns the reach of a cluster in the middle, far from any seam.
    fn reach(own: u32, radius: f32) -> Reach<2> {
        Reach {
            centre: [0.0; 2],
            half: [1.0; 2],
            squared: radius * radius,
            counted: radius * radius,
            own: Some(own),
            period: Vector::splat(LIMIT).0,
            wraps: false,
        }
    }

    #[test]
    fn touching_clusters_are_chosen_by_row_distance() {
        const CHUNKS: usize = 90;
        let level = InstructionSet::Baseline.level().unwrap();
        let mut noise = Noise::new(3, 0, 0, 0);
        // From nearly all clusters to a few in a chunk.
        for touching in [1.0, 0.7, 0.3, 0.27, 0.1] {
            let mut boxes = Boxes::<2>::default();
            boxes.resize(CHUNKS);
            for cluster in 0..CHUNKS * CLUSTERS {
                let near = noise.between(0.0, 1.0) < touching;
                boxes.centre[0][cluster] = if near { 0.0 } else { 50.0 };
                (boxes.centre[1][cluster], boxes.half[0][cluster], boxes.half[1][cluster]) = (0.0, 1.0, 1.0);
            }
            let chunks = everywhere((0..CHUNKS as u32).filter(|chunk| chunk % 7 != 3).collect());
            for own in (0..(CHUNKS * CLUSTERS) as u32).step_by(53) {
                let crowd = CrowdedCluster { level, reach: reach(own, 10.0), boxes: &boxes, chunks: chunks.all() };
                let mut found = ClusterList::default();
                crowd.nearest(32, &mut found, &mut Distances::new());
                let mut expected: Vec<u32> = chunks
                    .numbers
                    .iter()
                    .flat_map(|chunk| chunk * CLUSTERS as u32..(chunk + 1) * CLUSTERS as u32)
                    .filter(|&cluster| boxes.centre[0][cluster as usize] == 0.0)
                    .collect();
                expected.sort_by_key(|cluster| (cluster.abs_diff(own), *cluster));
                expected.truncate(32);
                expected.sort_unstable();
                assert_eq!(found.as_slice(), expected, "{touching} of them touch number {own}");
            }
        }
    }

    #[test]
    fn distant_clusters_are_chosen_by_box_distance() {
        const CHUNKS: usize = 40;
        let level = InstructionSet::Baseline.level().unwrap();
        let mut noise = Noise::new(4, 0, 0, 0);
        let mut boxes = Boxes::<2>::default();
        boxes.resize(CHUNKS);
        for cluster in 0..CHUNKS * CLUSTERS {
            // Whole numbers, so that many distances are equal.
            (boxes.centre[0][cluster], boxes.centre[1][cluster]) = (noise.between(4.0, 20.0).floor(), 0.0);
            (boxes.half[0][cluster], boxes.half[1][cluster]) = (1.0, 1.0);
        }
        let chunks = everywhere((0..CHUNKS as u32).collect());
        // Among clusters of another species, the middle of the nearest chunk takes the place of the cluster itself.
        for (own, middle) in [(Some(0), 0), (Some(333), 333), (Some(639), 639), (None, 8)] {
            let reach = Reach { own, ..reach(middle, 20.0) };
            let crowd = CrowdedCluster { level, reach, boxes: &boxes, chunks: chunks.all() };
            let mut found = ClusterList::default();
            crowd.nearest(60, &mut found, &mut Distances::new());
            let mut expected: Vec<u32> = (0..(CHUNKS * CLUSTERS) as u32).collect();
            let far = |cluster: u32| boxes.centre[0][cluster as usize] as u32;
            expected.sort_by_key(|&cluster| (far(cluster), cluster.abs_diff(middle), cluster));
            expected.truncate(60);
            expected.sort_unstable();
            assert_eq!(found.as_slice(), expected, "{own:?}");
        }
    }
}
