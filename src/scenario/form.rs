//! The schema types of scenario files: keys, defaults and the forms of their values.

use std::fmt;

use crate::parameters::{Allowed, Kind};

/// One key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The unit of its value; empty where it has none.
    pub unit: &'static str,
    /// The form of its value.
    pub form: Form,
    /// Its help: one line.
    pub help: &'static str,
    /// The value if the file lacks the key.
    pub default: Preset,
}

/// The value of a key that the file lacks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Preset {
    /// The key is required.
    Required,
    /// No value: the key's function is off.
    Absent,
    /// This number.
    Number(f64),
    /// This word, or a description of the default.
    Word(&'static str),
}

/// The form of a key's value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// A value with the type of a rule's parameter.
    Value(Kind),
    /// A table with these keys.
    Table(Vec<Key>),
    /// An array of tables with these keys.
    Tables(Vec<Key>),
    /// A table in which each key is a name and each value has this form; the string describes what is named.
    Named(&'static str, Box<Form>),
    /// A table of tables with these keys, one for each species, keyed by its name.
    Species(Vec<Key>),
    /// An array of tables, one for each rule, with the keys of the rule's parameter table.
    Rules,
}

impl From<Kind> for Form {
    fn from(kind: Kind) -> Self {
        Self::Value(kind)
    }
}

impl Form {
    /// What a key of this form and unit must hold.
    #[must_use]
    pub fn expected(&self, unit: &'static str) -> Expected {
        match self {
            Self::Value(kind) => Expected::kind(*kind, unit),
            Self::Table(_) | Self::Species(_) => Expected::Table,
            Self::Tables(_) => Expected::Tables,
            Self::Named(what, form) => Expected::Named { what, each: Box::new(form.expected(unit)) },
            Self::Rules => Expected::Rules,
        }
    }
}

/// What a key must hold.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Expected {
    /// A value.
    Value(Allowed),
    /// A table.
    Table,
    /// An array of tables.
    Tables,
    /// A table with a name for each key.
    Named {
        /// What is named.
        what: &'static str,
        /// What each name must hold.
        each: Box<Expected>,
    },
    /// A table of species.
    Species,
    /// An array of rules.
    Rules,
    /// A rule.
    Rule,
}

impl Expected {
    /// A value of this kind, with this unit.
    pub(crate) const fn kind(kind: Kind, unit: &'static str) -> Self {
        Self::Value(Allowed::Kind { kind, unit })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(allowed) => write!(f, "must be {allowed}"),
            Self::Table => write!(f, "must be a table"),
            Self::Tables => write!(f, "must be an array of tables"),
            Self::Named { what, each } => {
                write!(f, "must be a table of names, one for each {what}; each value {each}")
            }
            Self::Species => write!(f, "must be a table of species, such as [species.starling]"),
            Self::Rules => write!(f, "must be an array of tables, such as [{{ rule = \"separation\" }}]"),
            Self::Rule => write!(f, "must be a table, such as {{ rule = \"separation\" }}"),
        }
    }
}
