//! The [`SpeciesFilter`]: the species, and the states of their agents, that a rule perceives.

use crate::Error;
use crate::agents::Agents;
use crate::base::ids::SpeciesId;
use crate::index::search::{Among, Outside};
use crate::rules::parameters::{Field, Parameter, Value};
use crate::rules::world_view::WorldView;

/// The species that a behaviour perceives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpeciesFilter {
    /// The agent's own species.
    #[default]
    Own,
    /// Every species.
    All,
    /// The species with these names. `species:state` names the agents of a species that are in one of its states. An
    /// unknown name matches nothing.
    Named(Vec<String>),
}

impl SpeciesFilter {
    /// The species with this name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::Named(vec![name.to_owned()])
    }

    /// Whether an agent of the species `own` perceives the agent of another species, or its own, at a row.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn includes<const D: usize>(&self, own: SpeciesId, other: &Agents<D>, row: usize) -> bool {
        self.states(own, other) >> other.state(row) & 1 == 1
    }

    /// Whether agents of the species `own` perceive some agents of `other`.
    pub(crate) fn perceives<const D: usize>(&self, own: SpeciesId, other: &Agents<D>) -> bool {
        self.states(own, other) != 0
    }

    /// The states in which agents of the species `own` perceive agents of `other`, one bit each.
    pub(crate) fn states<const D: usize>(&self, own: SpeciesId, other: &Agents<D>) -> u32 {
        match self {
            Self::Own if other.species == own => ALL_STATES,
            Self::Own => 0,
            Self::All => ALL_STATES,
            Self::Named(names) => names.iter().fold(0, |states, name| states | states_named(name, other)),
        }
    }

    /// The species that agents of the species `own` perceive.
    pub(crate) fn species<const D: usize>(&self, own: SpeciesId, all: &[Agents<D>]) -> PerceivedSpecies {
        let seen =
            all.iter().map(|other| (other.species.0, self.states(own, other))).filter(|(_, states)| *states != 0);
        let (numbers, mut states): (Vec<u32>, Vec<u32>) = seen.unzip();
        if states.iter().all(|&states| states == ALL_STATES) {
            states.clear();
        }
        PerceivedSpecies { numbers, states }
    }
}

/// The bits of all states.
const ALL_STATES: u32 = u32::MAX;

/// The states of a species that a name of a filter means, one bit each.
fn states_named<const D: usize>(name: &str, other: &Agents<D>) -> u32 {
    if name == other.name {
        return ALL_STATES;
    }
    let state = name.strip_prefix(&other.name[..]).and_then(|rest| rest.strip_prefix(':'));
    let number = state.and_then(|state| other.states.iter().position(|known| known == state));
    number.map_or(0, |number| 1 << number)
}

/// The species that a filter means, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct PerceivedSpecies {
    pub(crate) numbers: Vec<u32>,
    /// For each of them, the states of its perceived agents, one bit each; empty if the filter names no state.
    pub(crate) states: Vec<u32>,
}

impl PerceivedSpecies {
    /// Whether only agents in some states are perceived.
    pub(crate) fn is_limited(&self) -> bool {
        !self.states.is_empty()
    }

    /// Returns whether the agent at a row is one of them.
    pub(crate) fn contains<const D: usize>(&self, agents: &Agents<D>, row: usize) -> bool {
        let place = self.numbers.iter().position(|&number| number == agents.species.0);
        place.is_some_and(|place| self.states.get(place).is_none_or(|states| states >> agents.state(row) & 1 == 1))
    }
}

impl<'a, const D: usize> WorldView<'a, D> {
    /// The agents of these species, and their spatial indices.
    pub(crate) fn among<'b>(self, species: &'b PerceivedSpecies) -> Among<'b, D>
    where
        'a: 'b,
    {
        let Self { agents, indices, joints, .. } = self;
        let PerceivedSpecies { numbers, states } = species;
        Among { agents, indices, outside: Outside::Strays(joints), species: numbers, states, frozen: None }
    }
}

impl Field for SpeciesFilter {
    fn value(&self) -> Value {
        match self {
            Self::Own => Value::Word("own".to_owned()),
            Self::All => Value::Word("all".to_owned()),
            Self::Named(names) => Value::Words(names.clone()),
        }
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Word(word) if word == "own" => Ok(Self::Own),
            Value::Word(word) if word == "all" => Ok(Self::All),
            Value::Word(word) => Ok(Self::named(word)),
            Value::Words(words) => Ok(Self::Named(words.clone())),
            _ => Err(parameter.refuse(value)),
        }
    }
}
