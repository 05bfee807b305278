//! The names in the rules and states of a species, resolved to numbers.
//!
//! The numbers follow from definitions, columns and the environment, and change only with these.

use crate::agents::Agents;
use crate::environment::Environment;
use crate::rules::interface::{Inputs, PerceivedSpecies, ResolvedNames, ResolvedTarget};
use crate::species::Species;
use crate::species::resolved_states::{ResolvedCondition, ResolvedStates};

/// The resolved names of one species.
#[derive(Debug)]
pub(crate) struct SpeciesNames<const D: usize> {
    /// One for each rule, and one for the motion if the species has one.
    pub(crate) rules: Vec<ResolvedNames<D>>,
    pub(crate) states: ResolvedStates<D>,
    /// The agents whose contacts it reports.
    pub(crate) contacts: Option<PerceivedSpecies>,
}

impl<const D: usize> SpeciesNames<D> {
    /// Resolves the names in the species with the number `own`.
    pub(crate) fn new(
        own: usize,
        (species, inputs): (&Species<D>, &[Inputs]),
        agents: &[Agents<D>],
        environment: &Environment<D>,
    ) -> Self {
        let id = agents[own].species;
        Self {
            rules: inputs.iter().map(|inputs| ResolvedNames::new(inputs, id, agents, environment)).collect(),
            states: ResolvedStates::new(id, species, agents, environment),
            contacts: species.contacts.as_ref().map(|contacts| contacts.filter.species(id, agents)),
        }
    }

    /// The numbers of the species in which agents search for one near them. A number may occur more than once.
    pub(crate) fn searched(&self) -> impl Iterator<Item = u32> {
        let targets = self.rules.iter().flat_map(|rule| &rule.targets).filter_map(|target| match target {
            ResolvedTarget::Nearest(species) | ResolvedTarget::Kept(species, _) => Some(species),
            _ => None,
        });
        let conditions = self.states.transitions.iter().flatten().filter_map(|(when, _)| match when {
            ResolvedCondition::Near(species, ..) => Some(species),
            _ => None,
        });
        let catch = self.states.catch.iter().map(|catch| &catch.filter);
        let all = targets.chain(conditions).chain(catch).chain(&self.contacts);
        all.flat_map(|species| &species.numbers).copied()
    }
}
