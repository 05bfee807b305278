//! The keys of scenario files: their values, which have the types of rules' parameters, and the tables around them.

use crate::parameters::Kind;

/// One key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The unit of its value; empty where it has none.
    pub unit: &'static str,
    /// What it may be.
    pub form: Form,
    /// One line on what it does.
    pub help: &'static str,
    /// What it is where the file does not say.
    pub default: Preset,
}

/// What a key is where the file does not say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Preset {
    /// The file must say.
    Required,
    /// Nothing: what the key asks for is not done.
    Absent,
    /// This number.
    Number(f64),
    /// This word, or in words what it is.
    Word(&'static str),
}

/// What a key may be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// A value, as a rule's parameter has one.
    Value(Kind),
    /// A table with these keys.
    Table(Vec<Key>),
    /// An array of tables with these keys.
    Tables(Vec<Key>),
    /// A table in which each key is a name, and each value one of these; in words what is named.
    Named(&'static str, Box<Form>),
    /// A table of tables with these keys, one for each species by its name.
    Species(Vec<Key>),
    /// An array of tables, one for each rule; their keys are those of the rules' own tables.
    Rules,
}

impl From<Kind> for Form {
    fn from(kind: Kind) -> Self {
        Self::Value(kind)
    }
}

impl Form {
    /// What is allowed, in words; `unit` may be empty.
    #[must_use]
    pub fn allowed(&self, unit: &str) -> String {
        match self {
            Self::Value(kind) => format!("must be {}", kind.allowed(unit)),
            Self::Table(_) | Self::Species(_) => "must be a table".to_owned(),
            Self::Tables(_) => "must be an array of tables".to_owned(),
            Self::Named(what, form) => {
                format!("must be a table of names, one for each {what}; each value {}", form.allowed(unit))
            }
            Self::Rules => "must be an array of tables, such as [{ rule = \"separation\" }]".to_owned(),
        }
    }
}
