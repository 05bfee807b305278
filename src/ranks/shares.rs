//! The division of chunks among the ranks of a world.
//!
//! Rows, chunks and their order are global: a rank has columns for all agents, and advances a contiguous range of
//! chunks of each species. Ranges have equal shares of the candidates of the last tick, which are most of the work. They
//! change when rows are sorted, and when chunks come or go and no neighbour lists are kept, because a rank has the lists
//! of its own chunks.

use std::ops::Range;

use crate::kernels::CHUNK;

/// The work for each chunk whatever its candidates, in candidates: a few for each agent.
const LEAST_WORK: u64 = 16 * CHUNK as u64;

/// The chunks of each rank.
#[derive(Debug)]
pub(super) struct Shares {
    ranks: usize,
    /// For each species, the first chunk of each rank, and the number of chunks.
    species: Vec<Vec<usize>>,
    /// The number of chunks of the mix.
    mix: usize,
}

impl Default for Shares {
    fn default() -> Self {
        Self::among(1)
    }
}

impl Shares {
    /// The shares of this number of ranks.
    pub(super) fn among(ranks: usize) -> Self {
        Self { ranks, species: Vec::new(), mix: 0 }
    }

    /// Divides the chunks of a species equally if their number is new.
    pub(super) fn divide(&mut self, species: usize, chunks: usize) {
        if self.species.len() <= species {
            self.species.resize_with(species + 1, Vec::new);
        }
        let (ranks, starts) = (self.ranks, &mut self.species[species]);
        if starts.last() != Some(&chunks) {
            starts.clear();
            starts.extend((0..=ranks).map(|rank| chunks * rank / ranks));
        }
    }

    /// Divides the chunks of the mix anew.
    pub(super) fn divide_mix(&mut self, chunks: usize) {
        self.mix = chunks;
    }

    /// Returns the number of chunks of a species when they were divided.
    pub(super) fn chunks(&self, species: usize) -> Option<usize> {
        self.species.get(species)?.last().copied()
    }

    /// Divides the chunks of a species by their work, which has one entry for each.
    pub(super) fn balance(&mut self, species: usize, work: &[u64]) {
        share(work, &mut self.species[species]);
    }

    /// Returns the chunks of a rank: of a species, or of the mix. Chunks after a division belong to the last rank.
    pub(super) fn of(&self, rank: usize, species: Option<usize>, chunks: usize) -> Range<usize> {
        if self.ranks == 1 {
            return 0..chunks;
        }
        let first = |rank: usize| match species {
            None => self.mix * rank / self.ranks,
            Some(species) => self.species.get(species).and_then(|starts| starts.get(rank)).map_or(0, |&first| first),
        };
        let start = |rank: usize| if rank == self.ranks { chunks } else { first(rank).clamp(0, chunks) };
        start(rank)..start(rank + 1)
    }

    /// Returns the rows of a rank, of a species with this number of rows.
    pub(super) fn rows_of(&self, rank: usize, species: usize, rows: usize) -> Range<usize> {
        let chunks = self.of(rank, Some(species), rows.div_ceil(CHUNK));
        (chunks.start * CHUNK).clamp(0, rows)..(chunks.end * CHUNK).clamp(0, rows)
    }

    /// Returns the rows of each rank.
    pub(super) fn rows(&self, species: usize, rows: usize) -> Vec<Range<usize>> {
        (0..self.ranks).map(|rank| self.rows_of(rank, species, rows)).collect()
    }
}

/// Moves the starts of ranges so that each has about the same part of the work of all chunks.
fn share(work: &[u64], starts: &mut [usize]) {
    let ranks = starts.len() as u64 - 1;
    let all: u64 = work.iter().map(|work| work + LEAST_WORK).sum();
    let (mut chunk, mut before) = (0, 0);
    for (rank, start) in starts.iter_mut().enumerate() {
        // A chunk whose middle is beyond the start of a range belongs to it.
        while chunk < work.len() && (2 * before + work[chunk] + LEAST_WORK) * ranks < 2 * all * rank as u64 {
            before += work[chunk] + LEAST_WORK;
            chunk += 1;
        }
        *start = chunk;
    }
    if let Some(last) = starts.last_mut() {
        *last = work.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_equal_shares_of_the_work() {
        let work: Vec<u64> =
            (0..1000).map(|chunk| if chunk < 100 { 1_000_000 } else { 10_000 * (chunk % 7) }).collect();
        let mut starts = [0; 8];
        share(&work, &mut starts);
        assert_eq!((starts[0], starts[7]), (0, 1000));
        let shares: Vec<u64> = starts
            .windows(2)
            .map(|range| work[range[0]..range[1]].iter().map(|work| work + LEAST_WORK).sum())
            .collect();
        let mean = shares.iter().sum::<u64>() / 7;
        assert!(shares.iter().all(|share| share.abs_diff(mean) <= 1_000_000 + LEAST_WORK), "{shares:?}");
    }

    #[test]
    fn chunks_without_work_are_divided_equally() {
        let mut starts = [9; 4];
        share(&[0; 12], &mut starts);
        assert_eq!(starts, [0, 4, 8, 12]);
        share(&[5], &mut starts);
        assert_eq!((starts[0], starts[3]), (0, 1));
    }
}
