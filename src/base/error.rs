//! The errors of a world: a refused value, an unknown name or a stale id.

use std::fmt;

use crate::base::handles::Handle;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::panicked::Panicked;
use crate::base::suggest::nearest_word;
use crate::base::values::{Allowed, Kind, Mistake, Value};
use crate::maths::ArithmeticFault;

/// The reason why a world refused a call. The call changed nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A value is not allowed.
    BadValue(Box<BadValue>),
    /// A required key is missing.
    MissingKey {
        /// The key.
        key: &'static str,
        /// The key that needs it, if one does.
        by: Option<&'static str>,
    },
    /// The agent does not exist: it was removed, or it belongs to another world.
    NoSuchAgent(AgentId),
    /// The species does not exist in this world: it was removed, or it belongs to another one.
    NoSuchSpecies(SpeciesId),
    /// The item of the environment does not exist: it was removed, or it belongs to another environment.
    NoSuchItem {
        /// The kind of the item.
        kind: &'static str,
        /// The number of the handle, as its `to_bits` returns it.
        handle: u64,
    },
    /// A species or column with this name already exists.
    NameTaken(String),
    /// The species has no column with this name.
    NoSuchColumn(String),
    /// A column holds values of another type.
    ColumnType {
        /// The name of the column.
        name: String,
        /// The type of its values.
        has: String,
        /// The requested type.
        asked: &'static str,
    },
    /// The species has no rule at this position, or the rule has another type.
    NoSuchRule {
        /// The position of the rule in the species' list.
        number: usize,
        /// The requested type.
        asked: &'static str,
    },
    /// The species has no state with this name.
    NoSuchState(String),
    /// The length of a slice differs from the number of agents.
    Length {
        /// The number of agents.
        agents: usize,
        /// The number of values.
        given: usize,
    },
    /// A rule has no table of parameters, or the registry does not contain it.
    UnknownRule(String),
    /// The registry already contains a rule with this name.
    RuleTaken(String),
    /// This machine lacks the requested instruction set.
    NoSuchInstructionSet(String),
    /// The arithmetic of this thread differs from the default mode of IEEE 754, so that results would have other bits.
    Arithmetic(ArithmeticFault),
    /// A rule panicked.
    Panicked(Panicked),
    /// The world holds its largest number of agents.
    Full,
    /// A rank has another world, or another version of throng, than the first one.
    RankDiffers {
        /// The number of the rank.
        rank: usize,
        /// Its version and the hash of its state.
        has: String,
        /// The version and the hash of rank 0.
        first: String,
    },
}

/// A value that is not allowed.
///
/// ```
/// use throng::behaviours::Separation;
/// use throng::parameters::{Range, Value};
/// use throng::{Error, Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let bird = world.add_species(Species::new("bird").with(1.0, Separation::default()))?;
/// let Err(Error::BadValue(bad)) = world.set_parameter(bird, "separation.radius", -3.0) else { panic!("it is refused") };
/// assert_eq!((bad.rule.as_deref(), &bad.what[..], &bad.value), (Some("separation"), "radius", &Value::Number(-3.0)));
/// assert_eq!(bad.allowed.range(), Some(Range::LENGTH));
/// assert_eq!(bad.to_string(), "separation.radius = -3: must be a number in [0, 1e6] m");
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BadValue {
    /// The name of the rule to which the value belongs, if any.
    pub rule: Option<String>,
    /// The name of the parameter, quantity, setting or variable.
    pub what: String,
    /// The refused value.
    pub value: Value,
    /// The allowed values.
    pub allowed: Allowed,
}

impl From<ArithmeticFault> for Error {
    fn from(fault: ArithmeticFault) -> Self {
        Self::Arithmetic(fault)
    }
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, what, value, allowed } = self;
        if let Some(rule) = rule {
            write!(f, "{rule}.")?;
        }
        write!(f, "{what} = {value}: must be {allowed}")?;
        match (value, allowed) {
            (Value::Word(word), Allowed::OneOf(_) | Allowed::Kind { kind: Kind::Choice(_), .. }) => {
                match nearest_word(word, allowed.words()) {
                    Some(near) => write!(f, "; did you mean `{near}`?"),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

impl Error {
    /// The error for a value that is not allowed.
    #[must_use]
    pub fn bad(what: impl Into<String>, value: impl Into<Value>, allowed: Allowed) -> Self {
        Self::BadValue(Box::new(BadValue { rule: None, what: what.into(), value: value.into(), allowed }))
    }

    /// The error for a handle whose item does not exist.
    pub(crate) fn no_item<T: Handle>(id: T) -> Self {
        Self::NoSuchItem { kind: T::KIND, handle: id.to_bits() }
    }

    /// The error for a statement with a mistake.
    pub(crate) fn mistake(what: &str, text: &str, mistake: Mistake) -> Self {
        Self::bad(what, text, Allowed::Statement(mistake))
    }

    /// Adds the name of the rule to which the value belongs.
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
            Self::MissingKey { key, by: None } => write!(f, "`{key}` is missing"),
            Self::MissingKey { key, by: Some(other) } => write!(f, "`{key}` is missing: `{other}` needs it"),
            Self::NoSuchAgent(id) => write!(f, "agent {id} does not exist"),
            Self::NoSuchSpecies(id) => write!(f, "species number {} does not exist", id.number()),
            Self::NoSuchItem { kind, handle } => write!(f, "{kind} {handle} does not exist"),
            Self::NameTaken(name) => write!(f, "the name `{name}` is taken already"),
            Self::NoSuchColumn(name) => write!(f, "unknown column `{name}`"),
            Self::ColumnType { name, has, asked } => write!(f, "column `{name}` holds {has}, not {asked}"),
            Self::NoSuchRule { number, asked } => {
                write!(f, "rule number {number} does not exist, or is not of the type {asked}")
            }
            Self::NoSuchState(name) => write!(f, "unknown state `{name}`"),
            Self::Length { agents, given } => write!(f, "{given} values for {agents} agents"),
            Self::UnknownRule(name) => write!(f, "the rule `{name}` is not in the registry"),
            Self::RuleTaken(name) => write!(f, "the rule `{name}` exists already"),
            Self::NoSuchInstructionSet(name) => write!(f, "this machine cannot run the instruction set `{name}`"),
            Self::Arithmetic(fault) => {
                write!(f, "the arithmetic of this thread {fault}: its results would have other bits")
            }
            Self::Panicked(panicked) => panicked.fmt(f),
            Self::RankDiffers { rank, has, first } => write!(f, "rank {rank} has {has}, and rank 0 {first}"),
            Self::Full => write!(f, "no more agents fit into one world: at most 2^31"),
        }
    }
}

impl std::error::Error for Error {}
