//! Names: what the rules and states of a species refer to by name, as numbers.
//!
//! They follow from definitions, columns and the scenery, and are rebuilt only after one of these changed.

use crate::agents::Agents;
use crate::environment::Scenery;
use crate::rules::interface::Names;
use crate::species::Species;
use crate::tick::decide::Choices;

/// What one species refers to by name.
#[derive(Debug)]
pub(crate) struct SpeciesNames<const D: usize> {
    /// One for each rule, and one for the motion if the species has one.
    pub(crate) rules: Vec<Names<D>>,
    pub(crate) choices: Choices<D>,
}

impl<const D: usize> SpeciesNames<D> {
    /// Looks up the names that the species number `own` refers to.
    pub(crate) fn new(own: usize, species: &Species<D>, agents: &[Agents<D>], scenery: &Scenery<D>) -> Self {
        let id = agents[own].species;
        let rules = species.rules.iter().map(|rule| rule.behaviour.needs());
        let needs = rules.chain(species.motion.iter().map(|motion| motion.needs()));
        Self {
            rules: needs.map(|needs| Names::new(&needs, id, agents, scenery)).collect(),
            choices: Choices::new(id, species, agents, scenery),
        }
    }
}
