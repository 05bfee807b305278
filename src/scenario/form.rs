//! The schema types of scenario files: keys, defaults and the forms of their values.

use crate::parameters::Kind;

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
    /// The allowed values in words; `unit` may be empty.
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
