//! The speeds of agents on stairs.

use crate::agents::Agents;
use crate::environment::Factors;
use crate::species::{PersonKind, Species};

/// The factors of the agents of a species on stairs.
pub(crate) struct OnStairs<'a> {
    of_species: Factors,
    kinds: &'a [PersonKind],
    /// The kind of each agent, from 1 on; empty if all agents have the factors of the species.
    of: &'a [u32],
}

impl<'a> OnStairs<'a> {
    pub(crate) fn new<const D: usize>(species: &'a Species<D>, agents: &'a Agents<D>) -> Self {
        let kinds = &species.kinds[..];
        let differ = kinds.iter().any(|kind| kind.stairs_up.is_some() || kind.stairs_down.is_some());
        let of = if differ { agents.columns.host(PersonKind::COLUMN) } else { None };
        Self { of_species: [species.stairs_up, species.stairs_down], kinds, of: of.unwrap_or_default() }
    }

    /// The factors of an agent.
    pub(crate) fn of(&self, row: usize) -> Factors {
        let [up, down] = self.of_species;
        let kind = self.of.get(row).and_then(|kind| self.kinds.get((*kind as usize).checked_sub(1)?));
        kind.map_or([up, down], |kind| [kind.stairs_up.or(up), kind.stairs_down.or(down)])
    }
}
