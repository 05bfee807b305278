//! The [`SpeciesFilter`]: the species that a rule perceives.

use crate::Error;
use crate::agents::Agents;
use crate::base::ids::SpeciesId;
use crate::index::search::Among;
use crate::rules::parameters::{Field, Parameter, Value};
use crate::rules::world_view::WorldView;

/// The species that a behaviour perceives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SpeciesFilter {
    /// The agent's own species.
    #[default]
    Own,
    /// Every species.
    All,
    /// The species with these names. An unknown name matches no species.
    Named(Vec<String>),
}

impl SpeciesFilter {
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

    /// The numbers of the species that agents of the species `own` perceive.
    pub(crate) fn species<const D: usize>(&self, own: SpeciesId, all: &[Agents<D>]) -> Vec<u32> {
        all.iter().filter(|other| self.perceives(own, other)).map(|other| other.species.0).collect()
    }
}

impl<'a, const D: usize> WorldView<'a, D> {
    /// The agents of the species with these numbers, and their spatial indices.
    pub(crate) fn among<'b>(self, species: &'b [u32]) -> Among<'b, D>
    where
        'a: 'b,
    {
        let Self { agents, indices, crowds, .. } = self;
        Among { agents, indices, loose: None, crowds, species }
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
