//! Parameter tables: the name, unit, range, default and help of each parameter of a rule, declared once.
//!
//! [`rule!`](crate::rule) declares a rule with its table. The table drives the scenario reader, `--set`,
//! `throng rules`, the JSON schema, sliders and the tests of invalid values.

mod macros;

pub(crate) use macros::{choice, reflect, rule};

pub use crate::base::definition::{Alternative, Definition, Key, Misfit, count, joined, misfits};
use crate::base::error::Error;
pub use crate::base::suggest::nearest_word;
pub use crate::base::values::Allowed;
pub use crate::base::values::Field;
pub use crate::base::values::Kind;
pub use crate::base::values::Mistake;
pub use crate::base::values::Parameter;
pub use crate::base::values::Preset;
pub use crate::base::values::Range;
pub use crate::base::values::Scaled;
pub use crate::base::values::Value;
pub use crate::base::values::is_name;
pub use crate::base::values::rounded;

/// The parameter table of a struct that [`rule!`](crate::rule) declares.
#[doc(hidden)]
pub trait Table {
    /// The parameters. Shared structs come last.
    const TABLE: &'static [Parameter];
}

/// A rule whose parameters can be read and set by name. [`rule!`](crate::rule) implements it.
pub trait Reflect {
    /// The rule's name in a scenario file.
    fn rule(&self) -> &'static str;

    /// A one-line summary of the rule.
    fn summary(&self) -> &'static str;

    /// The rule's parameters.
    fn parameters(&self) -> &'static [Parameter];

    /// The value of a parameter; `None` if the rule has no parameter of this name.
    fn get(&self, name: &str) -> Option<Value>;

    /// Sets a parameter.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the rule has no parameter of this name, or the table does not allow the value.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), Error>;

    /// The default of a parameter that the rule got after snapshots of it were written; `None` for others. A snapshot
    /// leaves such a parameter out while it has this value, so worlds that do not use it keep their hashes. Advanced
    /// parameters are such parameters.
    fn usual(&self, name: &str) -> Option<Value> {
        let _ = name;
        None
    }

    /// Checks that every parameter has a value that the table allows. Code can give a struct other values.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] for the first parameter with another value.
    fn check(&self) -> Result<(), Error>;

    /// The table's entry of this name.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the rule has no parameter of this name.
    fn parameter(&self, name: &str) -> Result<&'static Parameter, Error> {
        let table = self.parameters();
        table.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let names = table.iter().map(|parameter| parameter.name);
            Error::bad("parameter", name, Allowed::one_of(names)).of_rule(self.rule())
        })
    }
}
