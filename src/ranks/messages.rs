//! The messages of a rank: columns, lists and sums that all ranks exchange. The only process of a world sends none.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use crate::ranks::columns::Shared;
use crate::ranks::shares::Shares;
use crate::transport::Transport;
use crate::transport::numbers::{self, Wire};

/// The number of bytes from which ranks send the next entries in another message: ranks keep the memory of their
/// messages, and one of all entries would be too long for MPI.
pub(super) const FULL_MESSAGE: usize = 1 << 20;

/// The transport, if there are other ranks, and the buffers of messages.
#[derive(Debug, Default)]
pub(super) struct Messages {
    transport: Option<Arc<dyn Transport>>,
    own: Vec<u8>,
    all: Vec<Vec<u8>>,
    to: Vec<Vec<u8>>,
    from: Vec<Vec<u8>>,
}

impl Messages {
    /// The messages among the ranks of a transport.
    pub(super) fn among(transport: Arc<dyn Transport>) -> Self {
        Self { transport: Some(transport), ..Self::default() }
    }

    /// The transport, if there are other ranks.
    pub(super) fn transport(&self) -> Option<&Arc<dyn Transport>> {
        self.transport.as_ref()
    }

    /// The number of this rank.
    pub(super) fn rank(&self) -> usize {
        self.transport.as_ref().map_or(0, |transport| transport.rank())
    }

    /// The number of ranks.
    pub(super) fn ranks(&self) -> usize {
        self.transport.as_ref().map_or(1, |transport| transport.ranks())
    }

    /// Gives back the memory of messages.
    pub(super) fn shrink(&mut self) {
        (self.own, self.all, self.to, self.from) = Default::default();
    }

    /// Fills each column with the data of all ranks for their own chunks, at one rank, or at all.
    pub(super) fn gather(&mut self, shares: &Shares, mut columns: &mut [Shared<'_>], at: Option<usize>) {
        if self.transport.is_none() {
            return;
        }
        while !columns.is_empty() {
            let mut bytes = 0;
            let fits = |column: &&Shared<'_>| {
                bytes += column.numbers.bytes();
                bytes <= FULL_MESSAGE
            };
            let fitting = columns.iter().take_while(fits).count();
            let (some, others) = columns.split_at_mut(fitting.clamp(1, columns.len()));
            let parts = some[0].numbers.bytes().div_ceil(FULL_MESSAGE).max(1);
            (0..parts).for_each(|part| self.gather_part(shares, some, (part, parts), at));
            columns = others;
        }
    }

    /// Fills a part of these columns, of a number of equal parts, by one message of each rank.
    fn gather_part(
        &mut self,
        shares: &Shares,
        columns: &mut [Shared<'_>],
        (part, parts): (usize, usize),
        at: Option<usize>,
    ) {
        let Self { transport: Some(transport), own, all, to, .. } = self else { return };
        let entries = |rank: usize, column: &Shared<'_>| {
            let (length, unit) = (column.numbers.entries(), column.per_chunk);
            let chunks = shares.of(rank, column.species, length.div_ceil(unit));
            let (start, end) = ((chunks.start * unit).clamp(0, length), (chunks.end * unit).clamp(0, length));
            let first = |part: usize| start + (end - start) * part / parts;
            first(part)..first(part + 1)
        };
        own.clear();
        for column in &*columns {
            column.numbers.write(entries(transport.rank(), column), own);
        }
        match at {
            None => transport.gather(own, all),
            Some(at) => {
                to.resize_with(transport.ranks(), Vec::new);
                to.iter_mut().for_each(Vec::clear);
                if at != transport.rank() {
                    to[at].append(own);
                }
                transport.exchange(to, all);
            }
        }
        let gets = at.is_none_or(|at| at == transport.rank());
        for (rank, bytes) in all.iter().enumerate().filter(|(rank, _)| gets && *rank != transport.rank()) {
            let mut bytes = &bytes[..];
            for column in &mut *columns {
                column.numbers.read(entries(rank, column), &mut bytes);
            }
        }
    }

    /// Sends each rank the bytes that `write` appends for it, and returns the bytes that each rank sent to this one, in
    /// the order of ranks.
    pub(super) fn exchange(&mut self, mut write: impl FnMut(usize, &mut Vec<u8>)) -> &[Vec<u8>] {
        let (rank, ranks) = (self.rank(), self.ranks());
        self.to.resize_with(ranks, Vec::new);
        self.from.resize_with(ranks, Vec::new);
        for (rank, to) in self.to.iter_mut().enumerate() {
            to.clear();
            write(rank, to);
        }
        // Bytes that a rank sends to itself are not copied.
        let own = std::mem::take(&mut self.to[rank]);
        if let Some(transport) = &self.transport {
            transport.exchange(&self.to, &mut self.from);
        }
        self.from[rank] = own;
        &self.from
    }

    /// Sends each rank its list, and returns the lists that ranks sent to this one.
    pub(super) fn exchange_lists(&mut self, lists: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let from = self.exchange(|rank, to| numbers::write(&lists[rank], to));
        let list = |bytes: &Vec<u8>| {
            let mut list = Vec::new();
            numbers::read_all(bytes, &mut list);
            list
        };
        from.iter().map(list).collect()
    }

    /// Returns the numbers of all ranks, in the order of ranks.
    pub(super) fn concatenate(&mut self, own: impl Iterator<Item = u32>) -> Vec<u32> {
        let Some(transport) = &self.transport else { return own.collect() };
        self.own.clear();
        own.for_each(|number| number.write(&mut self.own));
        transport.gather(&self.own, &mut self.all);
        let mut numbers = Vec::new();
        self.all.iter().for_each(|bytes| numbers::read_all(bytes, &mut numbers));
        numbers
    }

    /// Adds up each of these numbers over the ranks below this one, and over all. A rank sends and gets about three
    /// times the bytes of the numbers; to gather the numbers would multiply their bytes by the ranks.
    pub(super) fn prefix_sums(&mut self, numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let (rank, ranks) = (self.rank(), self.ranks());
        let part = |rank: usize| numbers.len() * rank / ranks..numbers.len() * (rank + 1) / ranks;
        // Each rank adds up a part of the numbers, for all.
        let from = self.exchange(|rank, to| numbers::write(&numbers[part(rank)], to));
        let mut all = vec![0; part(rank).len()];
        let mut below = Vec::new();
        for mut bytes in from.iter().map(|bytes| &bytes[..]) {
            below.push(all.clone());
            all.iter_mut().for_each(|sum| *sum += u32::read(&mut bytes));
        }
        let sums = self.exchange(|rank, to| {
            numbers::write(&below[rank], to);
            numbers::write(&all, to);
        });
        let (mut below, mut all) = (Vec::new(), Vec::new());
        for (below_here, all_here) in sums.iter().map(|bytes| bytes.split_at(bytes.len() / 2)) {
            numbers::read_all(below_here, &mut below);
            numbers::read_all(all_here, &mut all);
        }
        (below, all)
    }

    /// Returns the largest of the numbers of all ranks, none of which is negative.
    pub(super) fn largest(&mut self, number: f32) -> f32 {
        let Some(transport) = &self.transport else { return number };
        transport.gather(&number.to_le_bytes(), &mut self.all);
        let numbers = self.all.iter().map(|bytes| f32::read(&mut &bytes[..]));
        numbers.fold(0.0, |most, number| if number > most { number } else { most })
    }

    /// Adds up each of these numbers over all ranks.
    pub(super) fn add_up<const N: usize>(&mut self, numbers: [&mut u64; N]) {
        let Some(transport) = &self.transport else { return };
        self.own.clear();
        numbers.iter().for_each(|number| number.write(&mut self.own));
        transport.gather(&self.own, &mut self.all);
        let mut sums = [0; N];
        for mut bytes in self.all.iter().map(|bytes| &bytes[..]) {
            sums.iter_mut().for_each(|sum| *sum += u64::read(&mut bytes));
        }
        numbers.into_iter().zip(sums).for_each(|(number, sum)| *number = sum);
    }

    /// Adds up each of many numbers over all ranks.
    pub(super) fn add_up_cells(&mut self, numbers: &mut [AtomicI64]) {
        let Some(transport) = &self.transport else { return };
        for numbers in numbers.chunks_mut(FULL_MESSAGE / size_of::<u64>()) {
            self.own.clear();
            numbers.iter_mut().for_each(|number| number.get_mut().cast_unsigned().write(&mut self.own));
            transport.gather(&self.own, &mut self.all);
            numbers.iter_mut().for_each(|number| *number.get_mut() = 0);
            for mut bytes in self.all.iter().map(|bytes| &bytes[..]) {
                numbers.iter_mut().for_each(|number| *number.get_mut() += u64::read(&mut bytes).cast_signed());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::CHUNK;
    use crate::transport::in_process;

    #[test]
    fn a_column_of_several_messages_is_gathered_whole() {
        let chunks = 2 * FULL_MESSAGE / CHUNK + 1;
        let gather_on = |rank: usize, transport| {
            let (mut messages, mut shares) = (Messages::among(Arc::new(transport)), Shares::among(3));
            shares.divide(0, chunks);
            let own = shares.of(rank, Some(0), chunks);
            let of_own = |entry: usize| if own.contains(&(entry / CHUNK)) { entry as u64 } else { 0 };
            // The last chunk is not full.
            let mut numbers: Vec<u64> = (0..chunks * CHUNK - 9).map(of_own).collect();
            messages.gather(&shares, &mut [Shared::of(0, CHUNK, &mut numbers)], None);
            assert!((0..).zip(numbers).all(|(entry, number)| entry == number), "rank {rank}");
        };
        std::thread::scope(|scope| {
            for (rank, transport) in in_process(3).into_iter().enumerate() {
                scope.spawn(move || gather_on(rank, transport));
            }
        });
    }
}
