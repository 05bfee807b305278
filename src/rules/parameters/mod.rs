//! Parameter tables: the name, unit, range, default and help of each parameter of a rule, declared once.
//!
//! [`rule!`](crate::rule) declares a rule with its table. The table drives the scenario reader, `--set`,
//! `throng rules`, the JSON schema, sliders and the tests of invalid values.

pub(crate) mod field;
mod macros;

pub use field::{Field, rounded};

pub(crate) use macros::{choice, reflect, rule};

use crate::base::error::Error;
pub use crate::base::suggest::nearest_word;
pub use crate::base::values::Allowed;
pub use crate::base::values::Kind;
pub use crate::base::values::Mistake;
pub use crate::base::values::Parameter;
pub use crate::base::values::Preset;
pub use crate::base::values::Range;
pub use crate::base::values::Value;
pub use crate::base::values::is_name;

impl Parameter {
    /// The allowed values.
    #[must_use]
    pub const fn expected(&self) -> Allowed {
        Allowed::Kind { kind: self.kind, unit: self.unit }
    }

    /// The error for a value that is not allowed.
    #[must_use]
    pub fn refuse(&self, value: &Value) -> Error {
        Error::bad(self.name, value.clone(), self.expected())
    }
}

/// The parameter table of a struct that [`rule!`](crate::rule) declares.
#[doc(hidden)]
pub trait Table {
    /// The parameters. Shared structs come last.
    const TABLE: &'static [Parameter];
}

/// The number of parameters in these tables.
#[doc(hidden)]
#[must_use]
pub const fn len(tables: &[&[Parameter]]) -> usize {
    let (mut len, mut table) = (0, 0);
    while table < tables.len() {
        len += tables[table].len();
        table += 1;
    }
    len
}

/// The parameters of these tables, in one table.
#[doc(hidden)]
#[must_use]
pub const fn joined<const N: usize>(tables: &[&[Parameter]]) -> [Parameter; N] {
    const NONE: Parameter =
        Parameter { name: "", unit: "", kind: Kind::Flag, help: "", default: Preset::OfRule, advanced: false };
    let (mut all, mut len, mut table) = ([NONE; N], 0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            all[len] = tables[table][row];
            (len, row) = (len + 1, row + 1);
        }
        table += 1;
    }
    all
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
