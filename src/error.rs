//! Why a world refuses what a host hands to it.

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
    /// A species or column with this name is in the world already.
    NameTaken(String),
    /// The species has no column of this name.
    NoSuchColumn(String),
    /// A column holds values of another type.
    ColumnType {
        /// The name of the column.
        name: String,
        /// The type of its values.
        has: String,
        /// The type that was asked for.
        asked: &'static str,
    },
    /// The species has no rule with this number, or it is of another type.
    NoSuchRule {
        /// The place of the rule in the species' list.
        number: usize,
        /// What was asked for.
        asked: &'static str,
    },
    /// There is no state of this name.
    NoSuchState(String),
    /// A slice has another length than the species has agents.
    Length {
        /// How many agents there are.
        agents: usize,
        /// How many values were given.
        given: usize,
    },
    /// A rule that has no parameter table, or that the registry lacks, cannot travel in a snapshot.
    UnknownRule(String),
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
            Self::NameTaken(name) => write!(f, "the name `{name}` is taken already"),
            Self::NoSuchColumn(name) => write!(f, "there is no column called `{name}`"),
            Self::ColumnType { name, has, asked } => write!(f, "column `{name}` holds {has}, not {asked}"),
            Self::NoSuchRule { number, asked } => write!(f, "there is no rule number {number} of the type {asked}"),
            Self::NoSuchState(name) => write!(f, "there is no state called `{name}`"),
            Self::Length { agents, given } => write!(f, "{given} values for {agents} agents"),
            Self::UnknownRule(name) => write!(f, "the rule `{name}` is not in the registry"),
            Self::RuleTaken(name) => write!(f, "there is a rule called `{name}` already"),
            Self::NoSuchInstructionSet(name) => write!(f, "this machine cannot run the instruction set `{name}`"),
            Self::Full => write!(f, "no more agents fit into one world: at most 2^31"),
        }
    }
}

impl std::error::Error for Error {}
