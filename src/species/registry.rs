//! The registry of rules, which finds a rule by its name.

use std::any::Any;
use std::sync::Arc;

use crate::base::error::Error;
use crate::rules::behaviours;
use crate::rules::interface::NamedRule;
use crate::rules::parameters::{Allowed, Kind, Reflect, is_name};
use crate::species::WEIGHT;

/// Rules by name, for worlds of two and of three dimensions: the built-in ones and those of users.
///
/// A world needs no registry. Scenario files ([`Scenario::parse_in`](crate::Scenario::parse_in)), snapshots, the
/// program and its page use one to find rules by name.
///
/// A clone shares its rules with the original. Two registries are equal if their rules have the same names, tables and
/// defaults, in the same order.
#[derive(Clone, Debug)]
pub struct Registry {
    flat: List<2>,
    space: List<3>,
}

type List<const D: usize> = Vec<Arc<dyn NamedRule<D>>>;

impl Registry {
    /// All built-in rules, with default parameters.
    #[must_use]
    pub fn new() -> Self {
        Self { flat: built_in(), space: built_in() }
    }

    /// Adds a rule for worlds of two and of three dimensions. Its parameters become the defaults.
    ///
    /// # Errors
    ///
    /// As for [`with_in`](Self::with_in).
    pub fn with(self, rule: impl NamedRule<2> + NamedRule<3> + Clone + 'static) -> Result<Self, Error> {
        self.with_in::<2>(rule.clone())?.with_in::<3>(rule)
    }

    /// Adds a rule for worlds of `D` dimensions. Its parameters become the defaults.
    ///
    /// # Errors
    ///
    /// [`Error::RuleTaken`] if the registry already has a rule with this name. [`Error::BadValue`] if the name of the
    /// rule or of a parameter has characters other than letters, digits, `_` and `-`, if a parameter has a reserved
    /// name (`rule` or `weight`, which every rule's table in a scenario file has), if a default is out of its range, or
    /// if `D` is not 2 or 3.
    pub fn with_in<const D: usize>(mut self, rule: impl NamedRule<D> + 'static) -> Result<Self, Error> {
        let name = rule.rule();
        check_name("rule", name)?;
        for parameter in rule.parameters() {
            check_name("parameter", parameter.name)?;
            if ["rule", WEIGHT.name].contains(&parameter.name) {
                return Err(Error::bad("parameter", parameter.name, Allowed::NewName).of_rule(name));
            }
        }
        rule.check()?;
        let list: &mut dyn Any = if D == 2 { &mut self.flat } else { &mut self.space };
        let Some(list) = list.downcast_mut::<List<D>>() else {
            return Err(Error::bad("dimensions", D, Allowed::Kind { kind: Kind::Whole(2, 3), unit: "" }));
        };
        if list.iter().any(|other| other.rule() == name) {
            return Err(Error::RuleTaken(name.to_owned()));
        }
        list.push(Arc::new(rule));
        Ok(self)
    }

    /// Finds a rule by its name. The rule has its default parameters.
    #[must_use]
    pub fn find<const D: usize>(&self, name: &str) -> Option<Box<dyn NamedRule<D>>> {
        self.rules::<D>().find(|rule| rule.rule() == name).map(NamedRule::duplicate)
    }

    /// The tables of all rules, one per name. A rule for both numbers of dimensions gives its table for two.
    pub fn tables(&self) -> impl Iterator<Item = &dyn Reflect> {
        let flat = self.rules::<2>().map(|rule| rule as &dyn Reflect);
        let known = |name: &str| self.rules::<2>().any(|rule| rule.rule() == name);
        flat.chain(self.rules::<3>().filter(move |rule| !known(rule.rule())).map(|rule| rule as &dyn Reflect))
    }

    /// The rules for worlds of `D` dimensions, in the order of the documentation. Rules of users come last.
    pub fn rules<const D: usize>(&self) -> impl Iterator<Item = &dyn NamedRule<D>> {
        let list: &dyn Any = if D == 2 { &self.flat } else { &self.space };
        list.downcast_ref::<List<D>>().into_iter().flatten().map(|rule| &**rule)
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Registry {
    fn eq(&self, other: &Self) -> bool {
        self.rules::<2>().map(content).eq(other.rules().map(content))
            && self.rules::<3>().map(content).eq(other.rules().map(content))
    }
}

/// The name, table and parameter values of a rule, by which registries are compared.
fn content<const D: usize>(rule: &dyn NamedRule<D>) -> impl PartialEq {
    let values: Vec<_> = rule.parameters().iter().map(|parameter| rule.get(parameter.name)).collect();
    (rule.rule(), rule.parameters(), values)
}

fn built_in<const D: usize>() -> List<D> {
    behaviours::all().into_iter().map(Arc::from).collect()
}

fn check_name(what: &str, name: &str) -> Result<(), Error> {
    if is_name(name) { Ok(()) } else { Err(Error::bad(what, name, Allowed::Kind { kind: Kind::Name, unit: "" })) }
}
