//! What the host's questions are answered from besides the index of the tick: rows outside of its boxes.

use std::sync::OnceLock;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::order;
use crate::places::Places;
use crate::strays::Strays;

/// The loose rows of every species, indexed with the first question after a change.
#[derive(Debug, Default)]
pub(crate) struct Asked<const D: usize>(OnceLock<Vec<Indexed<D>>>);

/// Loose rows of one species.
#[derive(Debug)]
pub(crate) struct Indexed<const D: usize> {
    pub(crate) strays: Strays<D>,
    /// Rows that were edited since: they are looked at one by one. Ascending.
    pub(crate) rest: Vec<u32>,
    /// Where each indexed row is among them, by row.
    places: Vec<(u32, u32)>,
}

impl<const D: usize> Asked<D> {
    /// Forgets the index: agents have moved.
    pub(crate) fn forget(&mut self) {
        self.0.take();
    }

    /// Takes an edited row out of the index. Where looking at all rows that were edited since costs more than a new
    /// index, the index is forgotten.
    pub(crate) fn edited(&mut self, species: usize, row: usize) {
        let Some(all) = self.0.get_mut() else { return };
        let Some(asked) = all.get_mut(species) else { return self.forget() };
        if let Ok(found) = asked.places.binary_search_by_key(&(row as u32), |(row, _)| *row) {
            let place = asked.places[found].1 as usize;
            asked.strays.position.iter_mut().for_each(|column| column[place] = f32::NAN);
        }
        if let Err(place) = asked.rest.binary_search(&(row as u32)) {
            asked.rest.insert(place, row as u32);
        }
        // Sorting a row costs about as much as looking at two hundred; a question looks at all that were edited.
        let rest = asked.rest.len();
        if rest > 64 && rest * rest > 200 * (asked.places.len() + 64) {
            self.forget();
        }
    }

    /// The index of each species' loose rows.
    pub(crate) fn get(
        &self,
        level: Level,
        agents: &[Agents<D>],
        places: &[Places<D>],
        period: &[f32; D],
    ) -> &[Indexed<D>] {
        self.0.get_or_init(|| {
            let index = |(agents, places): (&Agents<D>, &Places<D>)| {
                let mut rows = places.loose.clone();
                order::settle(&mut rows, agents.len());
                let mut strays = Strays::default();
                strays.rebuild(level, &agents.position, &rows, period);
                let mut rows: Vec<(u32, u32)> = strays.rows.iter().copied().zip(0..).collect();
                rows.sort_unstable();
                Indexed { strays, rest: Vec::new(), places: rows }
            };
            agents.iter().zip(places).map(index).collect()
        })
    }
}
