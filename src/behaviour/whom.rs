//! The species that a rule perceives.

use crate::Error;
use crate::agents::Agents;
use crate::ids::SpeciesId;
use crate::parameters::{Field, Parameter, Value};
use crate::scene::Scene;
use crate::search::Crowd;

/// The species that a behaviour perceives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Whom {
    /// The agent's own species.
    #[default]
    Own,
    /// Every species.
    All,
    /// The species with these names. A name that no species of the world has stands for nobody.
    Named(Vec<String>),
}

impl Whom {
    /// The species with this name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::Named(vec![name.to_owned()])
    }

    /// Whether agents of the species `own` perceive those of `other`.
    pub(crate) fn perceives<const D: usize>(&self, own: SpeciesId, other: &Agents<D>) -> bool {
        match self {
            Self::Own => other.species == own,
            Self::All => true,
            Self::Named(names) => names.contains(&other.name),
        }
    }
}

impl<'a, const D: usize> Scene<'a, D> {
    /// The agents of the species that one perceives, and where to look for them.
    pub(crate) fn crowds(&self, whom: &Whom, own: SpeciesId) -> impl Iterator<Item = Crowd<'a, D>> {
        let all = self.agents.iter().zip(self.places);
        all.filter(move |(agents, _)| whom.perceives(own, agents)).map(|(agents, places)| Crowd::of(agents, places))
    }
}

impl Field for Whom {
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
