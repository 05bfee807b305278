//! The names in the rules and states of a species, resolved to numbers.
//!
//! The numbers follow from definitions, columns and the environment, and change only with these.

use std::sync::Arc;

use crate::agents::Agents;
use crate::environment::{Environment, Sink};
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
        let regions = |sink: &Sink| {
            let (region, states) = (sink.region.clone(), species.removed_by(sink));
            let named = environment.regions.items().iter().filter(move |of| states != 0 && of.name == region);
            named.map(move |region| (region.shape, states))
        };
        let sinks: Arc<[_]> = environment.sinks.items().iter().flat_map(regions).collect();
        let names =
            |inputs| ResolvedNames { sinks: sinks.clone(), ..ResolvedNames::new(inputs, id, agents, environment) };
        Self {
            rules: inputs.iter().map(names).collect(),
            states: ResolvedStates::new(id, species, agents, environment),
            contacts: species.contacts.as_ref().map(|contacts| contacts.whom.species(id, agents)),
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
