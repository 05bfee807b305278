//! What the host's questions are answered from besides the index of the tick: rows outside of its boxes.

use std::sync::OnceLock;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::derived::Places;
use crate::strays::Strays;

/// The loose rows of every species, indexed with the first question after a change.
#[derive(Debug, Default)]
pub(crate) struct Asked<const D: usize>(OnceLock<Vec<Indexed<D>>>);

/// Loose rows of one species.
#[derive(Debug)]
pub(crate) struct Indexed<const D: usize> {
    pub(crate) strays: Strays<D>,
    /// How many of the loose rows are indexed; the others, edited since, are looked at one by one.
    pub(crate) covered: usize,
}

impl<const D: usize> Asked<D> {
    /// Forgets the index: agents have moved.
    pub(crate) fn forget(&mut self) {
        self.0.take();
    }

    /// Forgets the index where so many rows were edited since it was made that another one pays.
    pub(crate) fn refresh(&mut self, places: &[Places<D>]) {
        let Some(asked) = self.0.get() else { return };
        let outgrown = asked.len() != places.len() || asked.iter().zip(places).any(|(asked, places)| {
            // Sorting a row costs about as much as looking at two hundred; a question looks at all that were edited.
            let rest = places.loose.len() - asked.covered;
            rest > 64 && rest * rest > 200 * (asked.covered + 64)
        });
        if outgrown {
            self.forget();
        }
    }

    /// The index of each species' loose rows.
    pub(crate) fn get(&self, level: Level, agents: &[Agents<D>], places: &[Places<D>], period: &[f32; D]) -> &[Indexed<D>] {
        self.0.get_or_init(|| {
            let index = |(agents, places): (&Agents<D>, &Places<D>)| {
                let mut rows = places.loose.clone();
                rows.sort_unstable();
                rows.dedup();
                rows.truncate(rows.partition_point(|&row| (row as usize) < agents.len()));
                let mut strays = Strays::default();
                strays.rebuild(level, &agents.position, &rows, period);
                Indexed { strays, covered: places.loose.len() }
            };
            agents.iter().zip(places).map(index).collect()
        })
    }
}
