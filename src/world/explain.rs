//! The contribution of each rule to the steering of one agent.

use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::maths::Vector;
use crate::tick::{index, steer};
use crate::world::World;
use crate::world::compiled::Compiled;

/// The forces that the rules of its species apply to one agent, if the world were steered now.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<const D: usize> {
    /// The agent.
    pub agent: AgentId,
    /// The name of its species.
    pub species: String,
    /// The name of its state, where the species has states.
    pub state: Option<String>,
    /// Where it is, in metres.
    pub position: Vector<D>,
    /// How it moves, in metres per second.
    pub velocity: Vector<D>,
    /// Its values in the variables of its species' states and in the columns that the host added, by name: one number
    /// for each element of the column's type.
    pub columns: Vec<(String, Vec<f64>)>,
    /// The contribution of each rule, in the order of the rules.
    pub contributions: Vec<Contribution<D>>,
    /// The combined force of the rules, in newtons, before truncation to the largest force.
    pub steering: Vector<D>,
}

/// The contribution of one rule to the steering of one agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution<const D: usize> {
    /// The name of the rule.
    pub rule: String,
    /// The factor of its force.
    pub weight: f32,
    /// Its force in newtons, times the weight. Zero in a state in which the rule is silent.
    pub force: Vector<D>,
    /// Whether the rule is silent: it acts in other states only.
    pub silent: bool,
}

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
        let (forces, steering) = steer::steering(&self.state, &self.derived, self.level, species.number()).explain(row);
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
        })
    }
}
