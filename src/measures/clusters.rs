//! Clusters of agents that are connected at a radius.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::measures::sample::Measured;

/// Clusters: agents are in the same cluster if a chain of agents leads from one to the other, in which each is within
/// the radius of the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// The number of each agent's cluster, in the order of agents.
    pub of: Vec<u32>,
    /// The number of agents of each cluster, largest first. Clusters of the same size have the order of their first
    /// agents.
    pub sizes: Vec<u32>,
}

impl Clusters {
    /// The share of all agents that are in the largest cluster; NaN without agents.
    #[must_use]
    pub fn largest_share(&self) -> f64 {
        f64::from(self.sizes.first().copied().unwrap_or(0)) / self.of.len() as f64
    }

    /// The mean over agents of the size of their cluster, Σ s² / N over the clusters of size s; NaN without agents.
    ///
    /// Stauffer and Aharony, *Introduction to Percolation Theory* (1994), with the largest cluster.
    #[must_use]
    pub fn mean_size(&self) -> f64 {
        let squares: u64 = self.sizes.iter().map(|&size| u64::from(size) * u64::from(size)).sum();
        squares as f64 / self.of.len() as f64
    }

    /// The distribution of sizes: each size in ascending order, with the number of its clusters.
    ///
    /// ```
    /// use throng::measures::Clusters;
    ///
    /// let clusters = Clusters { of: vec![0, 0, 0, 1, 2], sizes: vec![3, 1, 1] };
    /// assert_eq!(clusters.distribution(), [(1, 2), (3, 1)]);
    /// assert_eq!(clusters.mean_size(), 11.0 / 5.0);
    /// ```
    #[must_use]
    pub fn distribution(&self) -> Vec<(u32, u32)> {
        self.sizes.chunk_by(PartialEq::eq).rev().map(|equal| (equal[0], equal.len() as u32)).collect()
    }
}

/// Finds the clusters of agents that are connected at `radius` metres.
#[must_use]
pub fn clusters<const D: usize>(agents: &impl Measured<D>, radius: f32) -> Clusters {
    let sample = agents.sample();
    let forest = Forest((0..sample.len() as u32).map(AtomicU32::new).collect());
    let _: Vec<()> = sample.pieces(|rows| {
        for &row in rows {
            sample.within(row as usize, radius, |other, _| {
                if row < other as u32 {
                    forest.join(row, other as u32);
                }
            });
        }
    });
    let roots: Vec<u32> = (0..sample.len() as u32).map(|row| forest.root(row)).collect();
    let mut counts = vec![0u32; sample.len()];
    roots.iter().for_each(|&root| counts[root as usize] += 1);
    let mut order: Vec<u32> = (0..sample.len() as u32).filter(|&row| counts[row as usize] > 0).collect();
    order.sort_by_key(|&root| (std::cmp::Reverse(counts[root as usize]), root));
    let mut numbers = vec![0; sample.len()];
    for (number, &root) in (0..).zip(&order) {
        numbers[root as usize] = number;
    }
    Clusters {
        of: roots.iter().map(|&root| numbers[root as usize]).collect(),
        sizes: order.iter().map(|&root| counts[root as usize]).collect(),
    }
}

/// Disjoint sets, which several threads join at once. A parent has a smaller number than its children, so the root of a
/// set is its smallest member, in whichever order pairs are joined.
struct Forest(Vec<AtomicU32>);

impl Forest {
    fn root(&self, mut member: u32) -> u32 {
        loop {
            let parent = self.0[member as usize].load(Relaxed);
            if parent == member {
                return member;
            }
            let above = self.0[parent as usize].load(Relaxed);
            // Shortens the path; a failure means that another thread did.
            let _ = self.0[member as usize].compare_exchange(parent, above, Relaxed, Relaxed);
            member = above;
        }
    }

    fn join(&self, one: u32, other: u32) {
        loop {
            let (one, other) = (self.root(one), self.root(other));
            if one == other {
                return;
            }
            let (low, high) = if one < other { (one, other) } else { (other, one) };
            if self.0[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok() {
                return;
            }
        }
    }
}
