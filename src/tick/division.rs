//! The division of rows among the ranks of a world.
//!
//! Rows, chunks and their order are global: a rank has columns for all agents, and advances a contiguous range of
//! chunks of each species. Ranges have equal shares of the candidates of the last tick, which are most of the work. They
//! change when rows are sorted, and when chunks come or go and no neighbour lists are kept, because a rank has the lists
//! of its own chunks.

use std::ops::Range;
use std::sync::Arc;

use crate::agents::columns::Column;
use crate::kernels::CHUNK;
use crate::ranks::Transport;
use crate::ranks::numbers::{self, Numbers, Wire};

/// The division of rows among ranks, and the buffers of their messages. By default there is one rank.
#[derive(Debug, Default)]
pub(crate) struct Division {
    transport: Option<Arc<dyn Transport>>,
    /// The division of each species.
    species: Vec<Shares>,
    /// The same for the mix.
    mix: usize,
    /// Whether each rank moves its own rows alone.
    pub(crate) is_partial: bool,
    /// The rank that has all rows even so.
    pub(crate) whole: Option<usize>,
    own: Vec<u8>,
    all: Vec<Vec<u8>>,
    to: Vec<Vec<u8>>,
    from: Vec<Vec<u8>>,
}

/// The division of the chunks of one species.
#[derive(Clone, Debug, Default)]
struct Shares {
    /// The first chunk of each rank, and the number of chunks.
    starts: Vec<usize>,
    /// The number of candidates of each chunk in the last tick, on its rank.
    work: Vec<u64>,
    /// The chunks that may have been of this rank since it gave back the memory of the others; `None` if it never did.
    kept: Option<Range<usize>>,
}

/// The work for each chunk whatever its candidates, in candidates: a few for each agent.
const LEAST_WORK: u64 = 16 * CHUNK as u64;

/// The number of bytes from which ranks send the next entries in another message: ranks keep the memory of their
/// messages, and one of all entries would be too long for MPI.
const FULL_MESSAGE: usize = 1 << 20;

/// A column that ranks exchange.
pub(crate) struct Shared<'a> {
    /// The number of the species; `None` for the mix.
    pub(crate) species: Option<usize>,
    /// The number of entries per chunk.
    pub(crate) per_chunk: usize,
    pub(crate) numbers: Box<dyn Numbers + 'a>,
}

impl<'a> Shared<'a> {
    /// A column of a species.
    pub(crate) fn of<T: Wire>(species: usize, per_chunk: usize, numbers: &'a mut [T]) -> Self {
        Self { species: Some(species), per_chunk, numbers: Box::new(numbers) }
    }

    /// A column of a species, with several entries per row.
    pub(crate) fn wide(species: usize, numbers: Box<dyn Numbers + 'a>, width: usize) -> Self {
        Self { species: Some(species), per_chunk: CHUNK * width, numbers }
    }

    /// A typed column of the agents of a species.
    pub(crate) fn typed(species: usize, column: &'a mut Column) -> Self {
        Self::wide(species, column.data.numbers(), column.width)
    }
}

impl Division {
    /// The division among the ranks of a transport.
    pub(crate) fn among(transport: Arc<dyn Transport>) -> Self {
        Self { transport: Some(transport), ..Self::default() }
    }

    /// The transport, if the world is divided.
    pub(crate) fn transport(&self) -> Option<&dyn Transport> {
        self.transport.as_deref()
    }

    /// Returns whether there are other ranks.
    pub(crate) fn is_divided(&self) -> bool {
        self.transport.is_some()
    }

    /// Divides the chunks of a species equally if their number is new.
    pub(crate) fn divide(&mut self, species: usize, chunks: usize) {
        if self.species.len() <= species {
            self.species.resize_with(species + 1, Shares::default);
        }
        let ranks = self.ranks();
        let starts = &mut self.species[species].starts;
        if starts.last() != Some(&chunks) {
            starts.clear();
            starts.extend((0..=ranks).map(|rank| chunks * rank / ranks));
        }
    }

    /// Records the numbers of candidates of this rank's chunks of a species.
    pub(crate) fn worked(&mut self, species: usize, candidates: impl Iterator<Item = u64>) {
        if let Some(Shares { work, .. }) = self.species.get_mut(species).filter(|_| self.transport.is_some()) {
            work.clear();
            work.extend(candidates);
        }
    }

    /// Divides the chunks of a species by their work in the last tick. All rows are about to be sorted: a chunk then
    /// has other agents, but mostly from the same region.
    pub(crate) fn balance(&mut self, species: usize) {
        let Some(Shares { starts, work, .. }) = self.species.get_mut(species) else { return };
        let (mut starts, mut work) = (std::mem::take(starts), std::mem::take(work));
        if self.transport.is_some() && starts.last() == Some(&work.len()) {
            self.species[species].starts.clone_from(&starts);
            self.gather(&mut [Shared::of(species, 1, &mut work)]);
            share(&work, &mut starts);
        }
        let shares = &mut self.species[species];
        (shares.starts, shares.work) = (starts, work);
    }

    /// Returns whether this rank, which has these chunks of a species now, has the memory of many others. It gives that
    /// back then.
    pub(crate) fn gives_back(&mut self, species: usize, own: Range<usize>) -> bool {
        let kept = &mut self.species[species].kept;
        let wider = kept.as_ref().map(|kept| kept.start.min(own.start)..kept.end.max(own.end));
        *kept = wider.filter(|wider| wider.len() <= own.len() + own.len() / 8);
        let many = kept.is_none();
        kept.get_or_insert(own);
        many
    }

    /// Records that this rank has got the rows of all others.
    pub(crate) fn filled(&mut self) {
        self.species.iter_mut().for_each(|shares| shares.kept = None);
    }

    /// Returns whether the rows of other ranks are out of date here, except those near this rank's own.
    pub(crate) fn lacks_rows(&self) -> bool {
        self.is_partial && self.whole != Some(self.rank())
    }

    /// Gives back the memory of messages.
    pub(crate) fn drop_messages(&mut self) {
        (self.own, self.all, self.to, self.from) = Default::default();
    }

    /// Divides the chunks of the mix anew.
    pub(crate) fn divide_mix(&mut self, chunks: usize) {
        self.mix = chunks;
    }

    /// Returns the chunks of a species that this rank advances. Chunks after a division are those of the last rank.
    pub(crate) fn own(&self, species: usize, chunks: usize) -> Range<usize> {
        self.transport.as_ref().map_or(0..chunks, |transport| self.of(transport.rank(), Some(species), chunks))
    }

    /// Returns the chunks of a species whose agents this rank moves: all of them, while it has all rows.
    pub(crate) fn moved(&self, species: usize, chunks: usize) -> Range<usize> {
        if self.is_partial { self.own(species, chunks) } else { 0..chunks }
    }

    /// Returns the chunks of the mix whose sums this rank forms.
    pub(crate) fn own_in_mix(&self, chunks: usize) -> Range<usize> {
        self.transport.as_ref().map_or(0..chunks, |transport| self.of(transport.rank(), None, chunks))
    }

    /// Returns the chunks of a rank.
    pub(crate) fn of(&self, rank: usize, species: Option<usize>, chunks: usize) -> Range<usize> {
        let ranks = self.ranks();
        let first = |rank: usize| match species {
            None => self.mix * rank / ranks,
            Some(species) => {
                self.species.get(species).and_then(|shares| shares.starts.get(rank)).map_or(0, |&first| first)
            }
        };
        let start = |rank: usize| if rank == ranks { chunks } else { first(rank).clamp(0, chunks) };
        start(rank)..start(rank + 1)
    }

    /// Returns the rows of a rank, of a species with this number of rows.
    pub(crate) fn rows_of(&self, rank: usize, species: usize, rows: usize) -> Range<usize> {
        let chunks = self.of(rank, Some(species), rows.div_ceil(CHUNK));
        (chunks.start * CHUNK).clamp(0, rows)..(chunks.end * CHUNK).clamp(0, rows)
    }

    /// Fills each column with what all ranks have in their own chunks.
    pub(crate) fn gather(&mut self, columns: &mut [Shared<'_>]) {
        self.gather_at(columns, None);
    }

    /// The same at one rank, or at all.
    pub(crate) fn gather_at(&mut self, mut columns: &mut [Shared<'_>], at: Option<usize>) {
        let Some(transport) = self.transport.clone() else { return };
        while !columns.is_empty() {
            let mut bytes = 0;
            let fits = |column: &&Shared<'_>| {
                bytes += column.numbers.bytes();
                bytes <= FULL_MESSAGE
            };
            let fitting = columns.iter().take_while(fits).count();
            let (some, others) = columns.split_at_mut(fitting.clamp(1, columns.len()));
            let parts = some[0].numbers.bytes().div_ceil(FULL_MESSAGE).max(1);
            (0..parts).for_each(|part| self.gather_part(&*transport, some, (part, parts), at));
            columns = others;
        }
    }

    /// Fills a part of these columns, of a number of equal parts, by one message of each rank.
    fn gather_part(
        &mut self,
        transport: &dyn Transport,
        columns: &mut [Shared<'_>],
        (part, parts): (usize, usize),
        at: Option<usize>,
    ) {
        let entries = |division: &Self, rank: usize, column: &Shared<'_>| {
            let (length, unit) = (column.numbers.entries(), column.per_chunk);
            let chunks = division.of(rank, column.species, length.div_ceil(unit));
            let (start, end) = ((chunks.start * unit).clamp(0, length), (chunks.end * unit).clamp(0, length));
            let first = |part: usize| start + (end - start) * part / parts;
            first(part)..first(part + 1)
        };
        let mut own = std::mem::take(&mut self.own);
        own.clear();
        for column in &*columns {
            column.numbers.write(entries(self, transport.rank(), column), &mut own);
        }
        match at {
            None => transport.gather(&own, &mut self.all),
            Some(at) => {
                let mut to = std::mem::take(&mut self.to);
                to.resize_with(transport.ranks(), Vec::new);
                to.iter_mut().for_each(Vec::clear);
                if at != transport.rank() {
                    to[at].append(&mut own);
                }
                transport.exchange(&to, &mut self.all);
                self.to = to;
            }
        }
        let gets = at.is_none_or(|at| at == transport.rank());
        for (rank, bytes) in self.all.iter().enumerate().filter(|(rank, _)| gets && *rank != transport.rank()) {
            let mut bytes = &bytes[..];
            for column in &mut *columns {
                column.numbers.read(entries(self, rank, column), &mut bytes);
            }
        }
        self.own = own;
    }

    /// The number of this rank.
    pub(crate) fn rank(&self) -> usize {
        self.transport.as_ref().map_or(0, |transport| transport.rank())
    }

    /// The number of ranks.
    pub(crate) fn ranks(&self) -> usize {
        self.transport.as_ref().map_or(1, |transport| transport.ranks())
    }

    /// Sends each rank the bytes that `write` appends for it, and returns what each rank sent to this one, in the order
    /// of ranks.
    pub(crate) fn exchange(&mut self, mut write: impl FnMut(usize, &mut Vec<u8>)) -> &[Vec<u8>] {
        let (rank, ranks) = (self.rank(), self.ranks());
        self.to.resize_with(ranks, Vec::new);
        self.from.resize_with(ranks, Vec::new);
        for (rank, to) in self.to.iter_mut().enumerate() {
            to.clear();
            write(rank, to);
        }
        // What a rank sends to itself is not copied.
        let own = std::mem::take(&mut self.to[rank]);
        if let Some(transport) = &self.transport {
            transport.exchange(&self.to, &mut self.from);
        }
        self.from[rank] = own;
        &self.from
    }

    /// Sends each rank its list, and returns the lists that ranks sent to this one.
    pub(crate) fn exchange_lists(&mut self, lists: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let from = self.exchange(|rank, to| numbers::write(&lists[rank], to));
        let list = |bytes: &Vec<u8>| {
            let mut list = Vec::new();
            numbers::read_all(bytes, &mut list);
            list
        };
        from.iter().map(list).collect()
    }

    /// Returns the numbers of all ranks, in the order of ranks.
    pub(crate) fn concatenate(&mut self, own: impl Iterator<Item = u32>) -> Vec<u32> {
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
    pub(crate) fn prefix_sums(&mut self, numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
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
    pub(crate) fn largest(&mut self, number: f32) -> f32 {
        let Some(transport) = self.transport.as_ref().filter(|_| self.is_partial) else { return number };
        transport.gather(&number.to_le_bytes(), &mut self.all);
        let numbers = self.all.iter().map(|bytes| f32::read(&mut &bytes[..]));
        numbers.fold(0.0, |most, number| if number > most { number } else { most })
    }

    /// Adds up each of these numbers over all ranks.
    pub(crate) fn add_up<const N: usize>(&mut self, numbers: [&mut u64; N]) {
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
    use crate::ranks::in_process;

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

    #[test]
    fn a_column_of_several_messages_is_gathered_whole() {
        let chunks = 2 * FULL_MESSAGE / CHUNK + 1;
        let gather_on = |rank: usize, transport| {
            let mut division = Division::among(Arc::new(transport));
            division.divide(0, chunks);
            let own = division.own(0, chunks);
            let of_own = |entry: usize| if own.contains(&(entry / CHUNK)) { entry as u64 } else { 0 };
            // The last chunk is not full.
            let mut numbers: Vec<u64> = (0..chunks * CHUNK - 9).map(of_own).collect();
            division.gather(&mut [Shared::of(0, CHUNK, &mut numbers)]);
            assert!((0..).zip(numbers).all(|(entry, number)| entry == number), "rank {rank}");
        };
        std::thread::scope(|scope| {
            for (rank, transport) in in_process(3).into_iter().enumerate() {
                scope.spawn(move || gather_on(rank, transport));
            }
        });
    }

    #[test]
    fn memory_is_given_back_when_other_chunks_are_many() {
        let mut division = Division::default();
        division.divide(0, 1000);
        assert!(division.gives_back(0, 100..200), "all of them");
        assert!(!division.gives_back(0, 100..200));
        assert!(!division.gives_back(0, 104..204));
        assert!(!division.gives_back(0, 96..196), "the first and the last four");
        assert!(division.gives_back(0, 90..190), "16 of 116");
        assert!(!division.gives_back(0, 90..190));
        division.filled();
        assert!(division.gives_back(0, 90..190));
    }
}
