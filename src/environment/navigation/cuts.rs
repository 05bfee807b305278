//! The ways from strips of a navigation field to the goals, which divide and meet.
//!
//! All ways from a strip pass through its dominators (Cooper, Harvey and Kennedy 2001). Between two successive ones, ways
//! may divide and meet again: there the narrowest parts of the branches add up. Strips in series have the width of the
//! narrowest, so this is the least cut of a series-parallel network.

use std::ops::Range;

/// The ways from strips to the goals.
pub(super) struct Ways<'a> {
    widths: &'a [f32],
    /// The next strip through which all ways of each strip lead.
    pub(super) next: Vec<usize>,
    /// The number of such strips before the goal.
    depth: Vec<u32>,
    /// The least width of the branches between a strip and its next one; infinite if ways do not divide.
    least: Vec<f32>,
}

impl<'a> Ways<'a> {
    /// The ways from strips of these widths, which are added in the order of their numbers. The first is the goal.
    pub(super) fn new(widths: &'a [f32]) -> Self {
        let count = widths.len();
        Self { widths, next: vec![0; count], depth: vec![0; count], least: vec![f32::INFINITY; count] }
    }

    /// Adds a strip with links to these. Returns the least width of the branches between it and its next strip.
    pub(super) fn join(&mut self, strip: usize, links: &[[u32; 2]]) -> f32 {
        let below = || links.iter().map(|link| link[1] as usize);
        let next = below().reduce(|a, b| self.meet(a, b)).unwrap_or(0);
        let mut least = 0.0;
        for branch in below() {
            let (mut at, mut width) = (branch, f32::INFINITY);
            while at != next {
                for other in [self.widths[at], self.least[at]] {
                    width = if other < width { other } else { width };
                }
                at = self.next[at];
            }
            least += width;
        }
        let least = if links.is_empty() { f32::INFINITY } else { least };
        (self.next[strip], self.depth[strip], self.least[strip]) = (next, self.depth[next] + 1, least);
        least
    }

    /// The first strip through which the ways of both lead.
    fn meet(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.depth[a] >= self.depth[b] {
                a = self.next[a];
            } else {
                b = self.next[b];
            }
        }
        a
    }

    /// The numbers of the strips in the order in which a walk through the tree of next strips first comes to them: for
    /// each strip its own number, and the end of the numbers of strips whose ways lead through it.
    pub(super) fn numbers(&self) -> Vec<Range<u32>> {
        let mut sizes = vec![1_u32; self.next.len()];
        for strip in (1..sizes.len()).rev() {
            sizes[self.next[strip]] += sizes[strip];
        }
        let (mut numbers, mut free) = (Vec::with_capacity(sizes.len()), vec![1_u32]);
        numbers.push(0..sizes[0]);
        for strip in 1..sizes.len() {
            let start = free[self.next[strip]];
            free[self.next[strip]] += sizes[strip];
            numbers.push(start..start + sizes[strip]);
            free.push(start + 1);
        }
        numbers
    }
}
