//! The front of the marching method: nodes by distance, for distances that never fall below the last one taken.

/// A monotone priority queue of nodes: a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990).
///
/// Entries are in the bucket of the highest bit in which they differ from the last entry taken. Equal distances are
/// taken in the order of nodes.
#[derive(Debug)]
pub(super) struct Front {
    buckets: Vec<Vec<u64>>,
    last: u64,
    len: usize,
}

impl Default for Front {
    fn default() -> Self {
        Self { buckets: vec![Vec::new(); 65], last: 0, len: 0 }
    }
}

impl Front {
    /// Adds a node at a distance, which must not be negative.
    pub(super) fn push(&mut self, place: usize, distance: f32) {
        // The bits of floats that are not negative have the order of the floats. A distance below the last one, which
        // only rounding and the second order can give, is taken next.
        let entry = u64::from(distance.to_bits()) << 32 | place as u64;
        let bucket = self.bucket(if entry < self.last { self.last } else { entry });
        self.buckets[bucket].push(entry);
        self.len += 1;
    }

    fn bucket(&self, entry: u64) -> usize {
        64 - (entry ^ self.last).leading_zeros() as usize
    }

    /// Takes the node at the smallest distance.
    pub(super) fn pop(&mut self) -> Option<(usize, f32)> {
        if self.len == 0 {
            return None;
        }
        if self.buckets[0].is_empty() {
            let first = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
            let mut entries = std::mem::take(&mut self.buckets[first]);
            self.last = entries.iter().copied().min()?;
            for entry in entries.drain(..) {
                let bucket = self.bucket(entry);
                self.buckets[bucket].push(entry);
            }
            self.buckets[first] = entries;
        }
        self.len -= 1;
        let entry = self.buckets[0].pop()?;
        Some(((entry & u64::from(u32::MAX)) as usize, f32::from_bits((entry >> 32) as u32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::mix64;

    #[test]
    fn nodes_leave_in_the_order_of_distance() {
        let (mut front, mut expected) = (Front::default(), std::collections::BinaryHeap::new());
        let mut least = 0.0;
        for round in 0..10_000_u64 {
            let drawn = mix64(round);
            if drawn & 3 != 0 {
                let distance = least + (drawn >> 40) as f32 * 1e-6;
                front.push(round as usize, distance);
                expected.push(std::cmp::Reverse((distance.to_bits(), round as usize)));
            } else if let Some(std::cmp::Reverse((bits, place))) = expected.pop() {
                assert_eq!(front.pop(), Some((place, f32::from_bits(bits))));
                least = f32::from_bits(bits);
            }
        }
        assert!(least > 1.0);
    }
}
