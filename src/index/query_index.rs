//! The index of loose rows, for queries of the host between ticks.
//!
//! Loose rows may be outside the boxes of the tick's index.

use std::sync::OnceLock;

use fearless_simd::Level;

use crate::agents::{Agents, row_order};
use crate::index::species_index::SpeciesIndex;
use crate::index::strays::Strays;

/// The loose rows of every species, indexed at the first query after a change.
#[derive(Debug, Default)]
pub(crate) struct QueryIndex<const D: usize>(OnceLock<Vec<LooseRows<D>>>);

/// Loose rows of one species.
#[derive(Debug)]
pub(crate) struct LooseRows<const D: usize> {
    pub(crate) strays: Strays<D>,
    /// Rows edited after the index was built, in ascending order. A query tests them one by one.
    pub(crate) rest: Vec<u32>,
    /// Pairs of a row and its position in `strays`, sorted by row.
    places: Vec<(u32, u32)>,
}

impl<const D: usize> LooseRows<D> {
    /// The first `rows` rows, without an index.
    pub(crate) fn one_by_one(rows: usize) -> Self {
        Self { strays: Strays::default(), rest: (0..rows as u32).collect(), places: Vec::new() }
    }
}

impl<const D: usize> QueryIndex<D> {
    /// Discards the index, after agents moved.
    pub(crate) fn forget(&mut self) {
        self.0.take();
    }

    /// Removes an edited row from the index. Discards the index once testing all edited rows costs more than rebuilding
    /// it.
    pub(crate) fn edited(&mut self, species: usize, row: usize) {
        let Some(all) = self.0.get_mut() else { return };
        let Some(rows) = all.get_mut(species) else { return self.forget() };
        if let Ok(found) = rows.places.binary_search_by_key(&(row as u32), |(row, _)| *row) {
            let place = rows.places[found].1 as usize;
            rows.strays.position.iter_mut().for_each(|column| column[place] = f32::NAN);
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
                let mut strays = Strays::default();
                strays.rebuild(level, &agents.position, &rows, period);
                let mut rows: Vec<(u32, u32)> = strays.rows.iter().copied().zip(0..).collect();
                rows.sort_unstable();
                LooseRows { strays, rest: Vec::new(), places: rows }
            };
            agents.iter().zip(indices).map(of_species).collect()
        })
    }
}
