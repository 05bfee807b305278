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

/// Fills `found` with the `count` nearest of the clusters of `chunks` to the one in `reach`, whose number is `own`
/// where it is one of them. There are more than `count` within reach.
#[allow(clippy::too_many_arguments, reason = "the buffers of the thread are among them")]
pub(crate) fn nearest_clusters<const D: usize>(
    level: Level,
    reach: Reach<D>,
    boxes: &Boxes<D>,
    chunks: &[u32],
    own: Option<u32>,
    count: usize,
    found: &mut ClusterList,
    order: &mut Vec<(u32, u32, u32)>,
) {
    // A smaller reach that still holds enough: sorting thousands of clusters for each of thousands would be the cost
    // that the cap is there to avoid.
    let mut enough = reach.squared;
    let mut shorter = Reach { squared: 0.0, ..reach };
    clusters_within(level, &shorter, boxes, chunks, found);
    if found.as_slice().len() >= count {
        enough = 0.0;
    } else {
        shorter.squared = reach.squared;
        for _ in 0..HALVINGS {
            shorter.squared *= 0.5;
            clusters_within(level, &shorter, boxes, chunks, found);
            if found.as_slice().len() < count {
                break;
            }
            enough = shorter.squared;
        }
        shorter.squared = enough;
        clusters_within(level, &shorter, boxes, chunks, found);
    }
    let middle = own.unwrap_or_else(|| found.as_slice()[found.as_slice().len() / 2]);
    if enough == 0.0 {
        nearest_by_row(found, middle, count);
        return;
    }
    order.clear();
    box_distances(&reach, boxes, found.as_slice(), |cluster, squared| {
        order.push((squared.to_bits(), cluster.abs_diff(middle), cluster));
    });
    order.select_nth_unstable(count - 1);
    found.set(order[..count].iter().map(|&(_, _, cluster)| cluster));
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
