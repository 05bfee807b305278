//! What the rules and states of a species refer to by name, as numbers.
//!
//! They follow from definitions, columns and the environment, and are rebuilt only after one of these changed.

use crate::agents::Agents;
use crate::environment::Environment;
use crate::rules::interface::ResolvedNames;
use crate::species::Species;
use crate::species::resolved_states::ResolvedStates;

/// What one species refers to by name.
#[derive(Debug)]
pub(crate) struct SpeciesNames<const D: usize> {
    /// One for each rule, and one for the motion if the species has one.
    pub(crate) rules: Vec<ResolvedNames<D>>,
    pub(crate) choices: ResolvedStates<D>,
}

impl<const D: usize> SpeciesNames<D> {
    /// Looks up the names that the species number `own` refers to.
    pub(crate) fn new(own: usize, species: &Species<D>, agents: &[Agents<D>], environment: &Environment<D>) -> Self {
        let id = agents[own].species;
        let rules = species.rules.iter().map(|rule| rule.behaviour.inputs());
        let inputs = rules.chain(species.motion.iter().map(|motion| motion.inputs()));
        Self {
            rules: inputs.map(|inputs| ResolvedNames::new(&inputs, id, agents, environment)).collect(),
            choices: ResolvedStates::new(id, species, agents, environment),
        }
    }
}
