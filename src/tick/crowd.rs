//! Crowd: which clusters to look at where there are too many, so that a tick's cost stays bounded when everybody
//! stands on one point.
//!
//! The nearest clusters by the distance of the boxes, those as near by the distance in rows, a cluster itself first of
//! all. That is a function of the state alone, like everything that decides who is perceived.

use fearless_simd::Level;

use crate::kernels::boxes::Boxes;
use crate::kernels::gather::{ClusterList, Reach, box_distances, clusters_within};

/// Halvings of the reach before the clusters that are left are sorted.
const HALVINGS: u32 = 12;

/// Clusters to be sorted: the square of the distance, the distance in rows, the number.
pub(crate) type Order = Vec<(u32, u32, u32)>;

/// A cluster in a crowd.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near<'a, const D: usize> {
    pub(crate) level: Level,
    pub(crate) reach: Reach<D>,
    /// The boxes of the perceived species, and the chunks of it that are near.
    pub(crate) boxes: &'a Boxes<D>,
    pub(crate) chunks: &'a [u32],
    /// The number of the cluster itself, where it is one of them.
    pub(crate) own: Option<u32>,
}

impl<const D: usize> Near<'_, D> {
    /// Fills `found` with the `count` nearest clusters. There are more than that within reach.
    pub(crate) fn nearest(&self, count: usize, found: &mut ClusterList, order: &mut Order) {
        self.within(0.0, found);
        let touching = found.as_slice().len() >= count;
        if !touching {
            self.within(self.shortest_reach(count, found), found);
        }
        let middle = self.own.unwrap_or_else(|| found.as_slice()[found.as_slice().len() / 2]);
        if touching {
            nearest_by_row(found, middle, count);
            return;
        }
        order.clear();
        box_distances(&self.reach, self.boxes, found.as_slice(), |cluster, squared| {
            order.push((squared.to_bits(), cluster.abs_diff(middle), cluster));
        });
        order.select_nth_unstable(count - 1);
        found.set(order[..count].iter().map(|&(_, _, cluster)| cluster));
    }

    /// A squared reach that still holds enough clusters, but not many more: sorting thousands of them for each of
    /// thousands would be the cost that the cap is there to avoid.
    fn shortest_reach(&self, count: usize, found: &mut ClusterList) -> f32 {
        let mut enough = self.reach.squared;
        for _ in 0..HALVINGS {
            self.within(0.5 * enough, found);
            if found.as_slice().len() < count {
                break;
            }
            enough *= 0.5;
        }
        enough
    }

    fn within(&self, squared: f32, found: &mut ClusterList) {
        clusters_within(self.level, &Reach { squared, counted: squared, ..self.reach }, self.boxes, self.chunks, found);
    }
}

/// Keeps the `count` numbers that are nearest to `middle`, the lower of two that are as near.
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
