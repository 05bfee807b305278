//! Why a world refuses what a host hands to it.

use std::fmt;

use crate::ids::{AgentId, SpeciesId};
use crate::values::{Allowed, Value};

/// Why a world refused a value. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A value outside of what is allowed.
    BadValue(Box<BadValue>),
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

/// A value outside of what is allowed.
///
/// ```
/// use throng::behaviours::Separation;
/// use throng::parameters::{Range, Value};
/// use throng::{Error, Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let bird = world.add_species(Species::new("bird").with(1.0, Separation::default()))?;
/// let Err(Error::BadValue(bad)) = world.set(bird, "separation.radius", -3.0) else { panic!("it is refused") };
/// assert_eq!((bad.rule.as_deref(), &bad.what[..], &bad.value), (Some("separation"), "radius", &Value::Number(-3.0)));
/// assert_eq!(bad.allowed.range(), Some(Range::LENGTH));
/// assert_eq!(bad.to_string(), "separation.radius = -3: must be a number in [0, 1e6] m");
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BadValue {
    /// The name of the rule that the value was for, if it was for one.
    pub rule: Option<String>,
    /// Which value: the name of a parameter, quantity, setting or variable.
    pub what: String,
    /// The value that was given.
    pub value: Value,
    /// What is allowed.
    pub allowed: Allowed,
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, what, value, allowed } = self;
        if let Some(rule) = rule {
            write!(f, "{rule}.")?;
        }
        write!(f, "{what} = {value}: must be {allowed}")
    }
}

impl Error {
    /// The error of a value outside of what is allowed.
    #[must_use]
    pub fn bad(what: impl Into<String>, value: impl Into<Value>, allowed: Allowed) -> Self {
        Self::BadValue(Box::new(BadValue { rule: None, what: what.into(), value: value.into(), allowed }))
    }

    /// The same error, of a value that was for a rule.
    #[must_use]
    pub fn of_rule(mut self, rule: &str) -> Self {
        if let Self::BadValue(bad) = &mut self {
            bad.rule = Some(rule.to_owned());
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadValue(bad) => bad.fmt(f),
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
