//! The description of a value that has a name: of rules' parameters, species' quantities and keys of scenario files.

use crate::values::Kind;

/// A parameter of a rule, a quantity of a species or a key of a scenario file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its key in a scenario file. A parameter's key is also the name of its field.
    pub name: &'static str,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// Its type and range.
    pub kind: Kind,
    /// Its help: one line.
    pub help: &'static str,
    /// Its value where a file lacks the key.
    pub default: Preset,
}

impl Parameter {
    /// The allowed values in words, to follow "must be".
    #[must_use]
    pub fn allowed(&self) -> String {
        self.kind.allowed(self.unit)
    }
}

/// The value of a key that a file lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Preset {
    /// The key is required.
    Required,
    /// No value: the key's function is off.
    Absent,
    /// The value that the rule has in its registry.
    OfRule,
    /// This number.
    Number(f32),
    /// This word, or a description of the default.
    Word(&'static str),
}
