//! The division of rows among the ranks of a world.
//!
//! Rows, chunks and their order are global: a rank has columns for all agents, and advances a contiguous range of
//! chunks of each species. The ranges follow from the numbers of chunks alone. They change only when no neighbour lists
//! are kept, because a rank has the lists of its own chunks.

use std::ops::Range;
use std::sync::Arc;

use crate::agents::columns::Column;
use crate::kernels::CHUNK;
use crate::ranks::Transport;
use crate::ranks::numbers::{Numbers, Wire};

/// The division of rows among ranks, and the buffers of their messages. By default there is one rank.
#[derive(Debug, Default)]
pub(crate) struct Division {
    transport: Option<Arc<dyn Transport>>,
    /// The number of chunks of each species when its rows were divided.
    species: Vec<usize>,
    /// The same for the mix.
    mix: usize,
    /// Whether the rows of other ranks are out of date, except those near this rank's own.
    pub(crate) is_partial: bool,
    own: Vec<u8>,
    all: Vec<Vec<u8>>,
}

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

    /// A typed column of the agents of a species.
    pub(crate) fn typed(species: usize, column: &'a mut Column) -> Self {
        Self { species: Some(species), per_chunk: CHUNK * column.width, numbers: column.data.numbers() }
    }
}

impl Division {
    /// The division among the ranks of a transport.
    pub(crate) fn among(transport: Arc<dyn Transport>) -> Self {
        Self { transport: Some(transport), ..Self::default() }
    }

    /// Returns whether there are other ranks.
    pub(crate) fn is_divided(&self) -> bool {
        self.transport.is_some()
    }

    /// Divides the chunks of a species anew.
    pub(crate) fn divide(&mut self, species: usize, chunks: usize) {
        if self.species.len() <= species {
            self.species.resize(species + 1, 0);
        }
        self.species[species] = chunks;
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
        let ranks = self.transport.as_ref().map_or(1, |transport| transport.ranks());
        let divided = species.map_or(self.mix, |species| self.species.get(species).copied().unwrap_or(0));
        let start = |rank: usize| if rank == ranks { chunks } else { (divided * rank / ranks).clamp(0, chunks) };
        start(rank)..start(rank + 1)
    }

    /// Fills each column with what all ranks have in their own chunks.
    pub(crate) fn gather(&mut self, columns: &mut [Shared<'_>]) {
        let Some(transport) = self.transport.clone() else { return };
        let entries = |division: &Self, rank: usize, column: &Shared<'_>| {
            let (length, unit) = (column.numbers.entries(), column.per_chunk);
            let chunks = division.of(rank, column.species, length.div_ceil(unit));
            (chunks.start * unit).clamp(0, length)..(chunks.end * unit).clamp(0, length)
        };
        let mut own = std::mem::take(&mut self.own);
        own.clear();
        for column in &*columns {
            column.numbers.write(entries(self, transport.rank(), column), &mut own);
        }
        transport.gather(&own, &mut self.all);
        for (rank, bytes) in self.all.iter().enumerate().filter(|(rank, _)| *rank != transport.rank()) {
            let mut bytes = &bytes[..];
            for column in &mut *columns {
                column.numbers.read(entries(self, rank, column), &mut bytes);
            }
        }
        self.own = own;
    }

    /// The transport, if there are other ranks.
    pub(crate) fn transport(&self) -> Option<Arc<dyn Transport>> {
        self.transport.clone()
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
