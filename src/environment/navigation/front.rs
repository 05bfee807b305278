//! The front of the marching method: nodes by distance, in ascending order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of buckets.
const BUCKETS: u64 = 64;

/// A priority queue of nodes for distances that seldom fall below the last one taken: a calendar queue (Brown 1988).
///
/// An entry is the bits of a distance, which have the order of the distance, and the node. A bucket is sorted when its
/// turn comes. Equal distances are taken in the order of nodes.
#[derive(Debug)]
pub(super) struct Front {
    /// One over the width of a bucket, in 1/m.
    rate: f32,
    /// Bucket numbers modulo [`BUCKETS`].
    buckets: Vec<Vec<u64>>,
    /// The number of entries in the buckets.
    waiting: usize,
    /// The number of the present bucket.
    present: u64,
    /// The entries of the present bucket, descending.
    sorted: Vec<u64>,
    /// Entries that joined the present bucket, or one before it.
    late: BinaryHeap<Reverse<u64>>,
    /// Entries beyond the last bucket.
    far: BinaryHeap<Reverse<u64>>,
}

impl Front {
    /// An empty front with buckets of this width, in metres.
    pub(super) fn new(width: f32) -> Self {
        Self {
            rate: 1.0 / width,
            buckets: vec![Vec::new(); BUCKETS as usize],
            waiting: 0,
            present: 0,
            sorted: Vec::new(),
            late: BinaryHeap::new(),
            far: BinaryHeap::new(),
        }
    }

    /// Adds a node at a distance, which must not be negative.
    pub(super) fn push(&mut self, index: usize, distance: f32) {
        let entry = u64::from(distance.to_bits()) << 32 | index as u64;
        let bucket = self.bucket(entry);
        if bucket <= self.present {
            self.late.push(Reverse(entry));
        } else if bucket < self.present + BUCKETS {
            self.buckets[(bucket % BUCKETS) as usize].push(entry);
            self.waiting += 1;
        } else {
            self.far.push(Reverse(entry));
        }
    }

    fn bucket(&self, entry: u64) -> u64 {
        (f32::from_bits((entry >> 32) as u32) * self.rate) as u64
    }

    /// Takes the node at the smallest distance.
    pub(super) fn pop(&mut self) -> Option<(usize, f32)> {
        loop {
            let entry = match (self.sorted.last(), self.late.peek()) {
                (Some(&first), Some(&Reverse(late))) if late < first => self.late.pop().map(|Reverse(late)| late),
                (Some(_), _) => self.sorted.pop(),
                (None, Some(_)) => self.late.pop().map(|Reverse(late)| late),
                (None, None) => None,
            };
            if let Some(entry) = entry {
                return Some(((entry & u64::from(u32::MAX)) as usize, f32::from_bits((entry >> 32) as u32)));
            }
            if !self.turn() {
                return None;
            }
        }
    }

    /// Moves on to the next bucket. Returns whether an entry is left.
    fn turn(&mut self) -> bool {
        match self.far.peek() {
            None if self.waiting == 0 => return false,
            Some(&Reverse(first)) if self.waiting == 0 => self.present = self.bucket(first),
            _ => self.present += 1,
        }
        while let Some(&Reverse(entry)) = self.far.peek()
            && self.bucket(entry) < self.present + BUCKETS
        {
            self.far.pop();
            let bucket = (self.bucket(entry) % BUCKETS) as usize;
            self.buckets[bucket].push(entry);
            self.waiting += 1;
        }
        std::mem::swap(&mut self.sorted, &mut self.buckets[(self.present % BUCKETS) as usize]);
        self.waiting -= self.sorted.len();
        self.sorted.sort_unstable_by_key(|&entry| Reverse(entry));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::mix64;

    #[test]
    fn nodes_leave_in_the_order_of_distance() {
        let (mut front, mut expected) = (Front::new(0.01), BinaryHeap::new());
        let mut least = 0.0;
        for round in 0..30_000_u64 {
            let drawn = mix64(round);
            if drawn & 3 != 0 && round < 20_000 {
                // Some are far, some next to the last one taken.
                let reach = if drawn & 4 == 0 { 1e-8 } else { 1e-6 };
                let distance = least + (drawn >> 40) as f32 * reach;
                front.push(round as usize, distance);
                expected.push(Reverse((distance.to_bits(), round as usize)));
            } else if let Some(Reverse((bits, index))) = expected.pop() {
                assert_eq!(front.pop(), Some((index, f32::from_bits(bits))));
                least = f32::from_bits(bits);
            }
        }
        assert!(least > 1.0 && front.pop().is_none() == expected.is_empty());
    }
}
