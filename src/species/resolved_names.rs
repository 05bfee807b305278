//! The names in the rules and states of a species, resolved to numbers.
//!
//! The numbers follow from definitions, columns and the environment, and change only with these.

use crate::agents::Agents;
use crate::environment::Environment;
use crate::rules::interface::ResolvedNames;
use crate::species::Species;
use crate::species::resolved_states::ResolvedStates;

/// The resolved names of one species.
#[derive(Debug)]
pub(crate) struct SpeciesNames<const D: usize> {
    /// One for each rule, and one for the motion if the species has one.
    pub(crate) rules: Vec<ResolvedNames<D>>,
    pub(crate) states: ResolvedStates<D>,
}

impl<const D: usize> SpeciesNames<D> {
    /// Resolves the names in the species with the number `own`.
    pub(crate) fn new(own: usize, species: &Species<D>, agents: &[Agents<D>], environment: &Environment<D>) -> Self {
        let id = agents[own].species;
        let rules = species.rules.iter().map(|rule| rule.behaviour.inputs());
        let inputs = rules.chain(species.motion.iter().map(|motion| motion.inputs()));
        Self {
            rules: inputs.map(|inputs| ResolvedNames::new(&inputs, id, agents, environment)).collect(),
            states: ResolvedStates::new(id, species, agents, environment),
        }
    }
}
