//! The index of loose rows, for queries of the host between ticks.
//!
//! Loose rows may be outside the boxes of the tick's index.

use std::sync::OnceLock;

use fearless_simd::Level;

use crate::agents::positions::Stamp;
use crate::agents::{Agents, row_order};
use crate::index::ordered_copy::{Copied, OrderedCopy, Threads};
use crate::index::species_index::SpeciesIndex;

/// The loose rows of every species, indexed at the first query after a change.
#[derive(Debug, Default)]
pub(crate) struct QueryIndex<const D: usize>(OnceLock<Vec<LooseRows<D>>>);

/// Loose rows of one species.
#[derive(Debug)]
pub(crate) struct LooseRows<const D: usize> {
    pub(crate) copy: OrderedCopy<u32, D>,
    /// Rows edited after the index was built, in ascending order. A query tests them one by one.
    pub(crate) rest: Vec<u32>,
    /// Pairs of a row and its place in the copy, sorted by row.
    places: Vec<(u32, u32)>,
}

impl<const D: usize> QueryIndex<D> {
    /// Discards the index, after agents moved.
    pub(crate) fn forget(&mut self) {
        self.0.take();
    }

    /// Removes an edited row from the index; `stamp` is the stamp of the species' positions since. Discards the index
    /// once testing all edited rows costs more than rebuilding it.
    pub(crate) fn edited(&mut self, species: usize, row: usize, stamp: Stamp) {
        let Some(all) = self.0.get_mut() else { return };
        let Some(rows) = all.get_mut(species) else { return self.forget() };
        match rows.places.binary_search_by_key(&(row as u32), |(row, _)| *row) {
            Ok(found) => rows.copy.take_out(rows.places[found].1 as usize, 0, stamp),
            Err(_) => rows.copy.accept(0, stamp),
        }
        if let Err(place) = rows.rest.binary_search(&(row as u32)) {
            rows.rest.insert(place, row as u32);
        }
        // Sorting one row costs about as much as testing 200, and each query tests all edited rows.
        let rest = rows.rest.len();
        if rest > 64 && rest * rest > 200 * (rows.places.len() + 64) {
            self.forget();
        }
    }

    /// The index of each species' loose rows.
    pub(crate) fn get(
        &self,
        level: Level,
        agents: &[Agents<D>],
        indices: &[SpeciesIndex<D>],
        period: &[f32; D],
    ) -> &[LooseRows<D>] {
        self.0.get_or_init(|| {
            let of_species = |(agents, index): (&Agents<D>, &SpeciesIndex<D>)| {
                let mut rows = index.loose.clone();
                row_order::sort_and_trim(&mut rows, agents.len());
                let (mut copy, part) = (OrderedCopy::default(), (&agents.position, rows.iter().copied()));
                copy.fill((level, Threads::One), period, std::iter::once(part), |_, row| row);
                let mut places: Vec<(u32, u32)> = copy
                    .read([&agents.position])
                    .into_iter()
                    .flat_map(|copied: Copied<'_, u32, D>| copied.names())
                    .copied()
                    .zip(0..)
                    .collect();
                places.sort_unstable();
                LooseRows { copy, rest: Vec::new(), places }
            };
            agents.iter().zip(indices).map(of_species).collect()
        })
    }
}
