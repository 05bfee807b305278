//! The contribution of each rule to the steering of one agent.

use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::tick::{index, steer};
use crate::world::World;
use crate::world::compiled::Compiled;
use crate::world::explanation::{Chosen, Contribution, Explanation};

impl<const D: usize> World<D> {
    /// Computes the contribution of each rule to the steering of an agent, as a tick would now, before agents change
    /// their states. The state of the world does not change; the call may update its index.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn explain(&mut self, id: AgentId) -> Result<Explanation<D>, Error> {
        (Compiled::functions().explain)(self, id)
    }

    /// What [`explain`](Self::explain) returns.
    pub(super) fn explained(&mut self, id: AgentId) -> Result<Explanation<D>, Error> {
        let (species, row) = self.find(id)?;
        self.derived.plan(&self.state);
        self.derived.prepare_buffers();
        index::refresh(&mut self.derived, self.level, &self.state);
        if let Some(place) = self.state.mix_row(species.number(), row) {
            let mut mix_sums = std::mem::take(&mut self.derived.mix_sums);
            let derived = &self.derived;
            let search = derived.mix_search(&self.state, self.level);
            mix_sums.add_around(&derived.mixed, &search, &derived.search_buffers, place);
            self.derived.mix_sums = mix_sums;
        }
        let (forces, steering, velocity) =
            steer::steering(&self.state, &self.derived, self.level, species.number()).explain(row);
        let (definition, agents) = (self.species(species)?, self.agents(species)?);
        let state = definition.states.get(agents.state(row)).map(|state| state.name.clone());
        let contributions = definition.rules.iter().zip(forces).map(|(rule, force)| Contribution {
            rule: rule.behaviour.name().to_owned(),
            weight: rule.weight,
            force: force * rule.weight,
            silent: !rule.during.is_empty() && !rule.during.iter().any(|during| Some(during) == state.as_ref()),
        });
        let contributions = contributions.collect();
        Ok(Explanation {
            agent: id,
            species: definition.name.clone(),
            state,
            position: agents.position(row),
            velocity: agents.velocity(row),
            columns: agents.values(row).map(|(name, numbers)| (name.to_owned(), numbers)).collect(),
            contributions,
            steering,
            chosen: definition.model().map(|model| Chosen { model: model.to_owned(), velocity }),
        })
    }
}
