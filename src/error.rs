//! What can be wrong with what a host hands to a world?

use std::fmt;

use crate::ids::{AgentId, SpeciesId};

/// Why a world refused a value. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A value outside of what is allowed.
    BadValue {
        /// Which value: the name of a setting or parameter.
        what: String,
        /// The value that was given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// There is no such agent: it was removed, or it belongs to another world.
    NoSuchAgent(AgentId),
    /// There is no such species in this world.
    NoSuchSpecies(SpeciesId),
    /// A species with this name is in the world already.
    NameTaken(String),
    /// A rule with this name is in the registry already.
    RuleTaken(String),
    /// This machine lacks the instruction set that was asked for.
    NoSuchInstructionSet(String),
    /// No more agents fit into one world.
    Full,
}

impl Error {
    pub(crate) fn bad(what: impl Into<String>, value: impl fmt::Debug, allowed: impl Into<String>) -> Self {
        Self::BadValue { what: what.into(), value: format!("{value:?}"), allowed: allowed.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadValue { what, value, allowed } => write!(f, "{what} = {value}: must be {allowed}"),
            Self::NoSuchAgent(id) => write!(f, "there is no agent {id}"),
            Self::NoSuchSpecies(id) => write!(f, "there is no species number {}", id.number()),
            Self::NameTaken(name) => write!(f, "there is a species called `{name}` already"),
            Self::RuleTaken(name) => write!(f, "there is a rule called `{name}` already"),
            Self::NoSuchInstructionSet(name) => write!(f, "this machine cannot run the instruction set `{name}`"),
            Self::Full => write!(f, "no more agents fit into one world: at most 2^31"),
        }
    }
}

impl std::error::Error for Error {}
