//! One index of the agents of several species, for searches that look at many species.
//!
//! A search that looks at each species costs as much for each of them as one search among all their agents together. This
//! index has these agents in an order of their own. It is made once searches of single species have cost as much as making
//! it, and lasts until agents move or the host edits the world. Which of the two is searched changes no result.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

use fearless_simd::Level;

use crate::agents::Agents;
use crate::index::ordered_copy::{Copied, OrderedCopy, Threads};
use crate::index::species_index::SpeciesIndex;

/// The smallest number of species whose agents are indexed together.
const FEWEST: usize = 4;

/// The largest number of different sets of species that are indexed at a time. Searches of further sets look at each
/// species.
const SETS: usize = 4;

/// The agents of some species, by species and row; those in one place are in this order.
#[derive(Debug, Default)]
struct Joint<const D: usize> {
    /// The numbers of the species.
    species: Vec<u32>,
    agents: OrderedCopy<(u32, u32), D>,
}

/// The joint orders that searches look at.
#[derive(Debug)]
pub(crate) struct JointIndex<const D: usize> {
    joints: [OnceLock<Joint<D>>; SETS],
    /// Joint orders of earlier ticks, whose memory is used again.
    spare: Mutex<Vec<Joint<D>>>,
    /// The number of species that searches looked at since agents moved.
    searched: AtomicUsize,
    /// Whether searches before that looked at more species than there are agents.
    is_worth: bool,
}

impl<const D: usize> Default for JointIndex<D> {
    fn default() -> Self {
        let joints = std::array::from_fn(|_| OnceLock::new());
        Self { joints, spare: Mutex::default(), searched: AtomicUsize::new(0), is_worth: false }
    }
}

impl<const D: usize> JointIndex<D> {
    /// Returns the index of these species for a search; `None` if the search should look at each species.
    pub(crate) fn of(
        &self,
        species: &[u32],
        agents: &[Agents<D>],
        indices: &[SpeciesIndex<D>],
        period: &[f32; D],
    ) -> Option<Copied<'_, (u32, u32), D>> {
        if species.len() < FEWEST {
            return None;
        }
        let level = species.iter().find_map(|&number| indices[number as usize].placed.level())?;
        let searched = self.searched.fetch_add(species.len(), Relaxed);
        let is_it = |joint: &&Joint<D>| joint.species == species;
        let made = self.joints.iter().map_while(OnceLock::get).find(is_it);
        let all = || species.iter().map(|&number| agents[number as usize].len()).sum::<usize>();
        let found = if made.is_some() || !(self.is_worth || searched > all()) {
            made
        } else {
            // A joint order that another thread makes meanwhile may be of other species.
            self.joints.iter().map(|joint| joint.get_or_init(|| self.make(level, species, agents, period))).find(is_it)
        };
        found?.agents.read(species.iter().map(|&number| &agents[number as usize].position))
    }

    /// Makes a joint order on the calling thread only. Other threads may wait for it, so this one must not take over
    /// their work.
    fn make(&self, level: Level, species: &[u32], agents: &[Agents<D>], period: &[f32; D]) -> Joint<D> {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        let mut joint: Joint<D> = spare.unwrap_or_default();
        joint.species.clear();
        joint.species.extend(species);
        let parts = species.iter().map(|&number| {
            let agents = &agents[number as usize];
            (&agents.position, 0..agents.len() as u32)
        });
        joint.agents.fill((level, Threads::One), period, parts, |part, row| (species[part], row));
        joint
    }

    /// Returns whether there is a joint order.
    #[cfg(test)]
    pub(crate) fn is_made(&self) -> bool {
        self.joints[0].get().is_some()
    }

    /// Drops all joint orders, after agents moved or changed rows.
    pub(crate) fn moved(&mut self) {
        let searched = std::mem::take(self.searched.get_mut());
        for made in self.joints.iter_mut().filter_map(OnceLock::take) {
            self.is_worth = searched > made.agents.len();
            if let Ok(spare) = self.spare.get_mut() {
                spare.push(made);
            }
        }
    }

    /// Drops all joint orders, after an edit. The next questions of a host may each follow another edit.
    pub(crate) fn edited(&mut self) {
        self.moved();
        self.is_worth = false;
    }
}
