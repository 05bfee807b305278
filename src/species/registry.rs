//! The registry of rules and motions, which finds them by their names.

use std::any::Any;
use std::sync::Arc;

use crate::base::error::Error;
use crate::rules::behaviours;
use crate::rules::interface::NamedRule;
use crate::rules::motion::NamedMotion;
use crate::rules::motions;
use crate::rules::parameters::{Allowed, Kind, Reflect, is_name};
use crate::species::tables::WEIGHT;

/// Rules and motions by name, for worlds of two and of three dimensions: the built-in ones and the ones of users.
///
/// A world needs no registry. Scenario files (`Scenario::parse_in` of the crate `throng-scenario`), snapshots, the
/// program and its page use one to find rules and motions by name. A rule and a motion may have the same name.
///
/// A clone shares its rules with the original. Two registries are equal if their rules and motions have the same names,
/// tables and defaults, in the same order.
#[derive(Clone, Debug)]
pub struct Registry {
    flat: List<2>,
    space: List<3>,
    flat_motions: Motions<2>,
    space_motions: Motions<3>,
}

/// The key of the states in which a rule applies.
pub(super) const DURING: &str = "during";

type List<const D: usize> = Vec<Arc<dyn NamedRule<D>>>;
type Motions<const D: usize> = Vec<Arc<dyn NamedMotion<D>>>;

impl Registry {
    /// All built-in rules and motions, with default parameters.
    #[must_use]
    pub fn new() -> Self {
        Self { flat: built_in(), space: built_in(), flat_motions: models(), space_motions: models() }
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
    /// name (`rule`, `weight` or `during`, which the tables of all rules in files have), if a default is out of its
    /// range, or if `D` is not 2 or 3.
    pub fn with_in<const D: usize>(mut self, rule: impl NamedRule<D> + 'static) -> Result<Self, Error> {
        check_table(&rule, "rule", &["rule", WEIGHT.name, DURING])?;
        let name = rule.rule();
        let list: &mut dyn Any = if D == 2 { &mut self.flat } else { &mut self.space };
        let Some(list) = list.downcast_mut::<List<D>>() else {
            return Err(bad_dimensions(D));
        };
        if list.iter().any(|other| other.rule() == name) {
            return Err(Error::RuleTaken(name.to_owned()));
        }
        list.push(Arc::new(rule));
        Ok(self)
    }

    /// Adds a motion for worlds of two and of three dimensions. Its parameters become the defaults.
    ///
    /// # Errors
    ///
    /// As for [`with_motion_in`](Self::with_motion_in).
    pub fn with_motion(self, motion: impl NamedMotion<2> + NamedMotion<3> + Clone + 'static) -> Result<Self, Error> {
        self.with_motion_in::<2>(motion.clone())?.with_motion_in::<3>(motion)
    }

    /// Adds a motion for worlds of `D` dimensions. Its parameters become the defaults.
    ///
    /// # Errors
    ///
    /// [`Error::RuleTaken`] if the registry already has a motion with this name. [`Error::BadValue`] as for
    /// [`with_in`](Self::with_in), with `model` as the reserved name.
    pub fn with_motion_in<const D: usize>(mut self, motion: impl NamedMotion<D> + 'static) -> Result<Self, Error> {
        check_table(&motion, "model", &["model"])?;
        let name = motion.rule();
        let list: &mut dyn Any = if D == 2 { &mut self.flat_motions } else { &mut self.space_motions };
        let Some(list) = list.downcast_mut::<Motions<D>>() else {
            return Err(bad_dimensions(D));
        };
        if list.iter().any(|other| other.rule() == name) {
            return Err(Error::RuleTaken(name.to_owned()));
        }
        list.push(Arc::new(motion));
        Ok(self)
    }

    /// Finds a rule by its name. The rule has its default parameters.
    #[must_use]
    pub fn named<const D: usize>(&self, name: &str) -> Option<Box<dyn NamedRule<D>>> {
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

    /// Finds a motion by the name of its model. The motion has its default parameters.
    #[must_use]
    pub fn motion_named<const D: usize>(&self, name: &str) -> Option<Box<dyn NamedMotion<D>>> {
        self.motions::<D>().find(|motion| motion.rule() == name).map(NamedMotion::duplicate)
    }

    /// The tables of all motions, one per name. A motion for both numbers of dimensions gives its table for two.
    pub fn motion_tables(&self) -> impl Iterator<Item = &dyn Reflect> {
        let flat = self.motions::<2>().map(|motion| motion as &dyn Reflect);
        let known = |name: &str| self.motions::<2>().any(|motion| motion.rule() == name);
        flat.chain(self.motions::<3>().filter(move |motion| !known(motion.rule())).map(|motion| motion as &dyn Reflect))
    }

    /// The motions for worlds of `D` dimensions, in the order of the documentation. Motions of users come last.
    pub fn motions<const D: usize>(&self) -> impl Iterator<Item = &dyn NamedMotion<D>> {
        let list: &dyn Any = if D == 2 { &self.flat_motions } else { &self.space_motions };
        list.downcast_ref::<Motions<D>>().into_iter().flatten().map(|motion| &**motion)
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Registry {
    fn eq(&self, other: &Self) -> bool {
        fn same<'a>(a: impl Iterator<Item = &'a dyn Reflect>, b: impl Iterator<Item = &'a dyn Reflect>) -> bool {
            a.map(content).eq(b.map(content))
        }
        same(self.rules::<2>().map(|rule| rule as _), other.rules::<2>().map(|rule| rule as _))
            && same(self.rules::<3>().map(|rule| rule as _), other.rules::<3>().map(|rule| rule as _))
            && same(self.motions::<2>().map(|motion| motion as _), other.motions::<2>().map(|motion| motion as _))
            && same(self.motions::<3>().map(|motion| motion as _), other.motions::<3>().map(|motion| motion as _))
    }
}

/// The name, table and parameter values of a rule or a motion, by which registries are compared.
fn content(rule: &dyn Reflect) -> impl PartialEq {
    let values: Vec<_> = rule.parameters().iter().map(|parameter| rule.get(parameter.name)).collect();
    (rule.rule(), rule.parameters(), values)
}

fn built_in<const D: usize>() -> List<D> {
    behaviours::all().into_iter().map(Arc::from).collect()
}

fn models<const D: usize>() -> Motions<D> {
    motions::all().into_iter().map(Arc::from).collect()
}

/// Checks the names in the table of a rule or a motion, and its defaults.
fn check_table(table: &impl Reflect, what: &str, reserved: &[&str]) -> Result<(), Error> {
    let name = table.rule();
    check_name(what, name)?;
    for parameter in table.parameters() {
        check_name("parameter", parameter.name)?;
        if reserved.contains(&parameter.name) {
            return Err(Error::bad("parameter", parameter.name, Allowed::NewName).of_rule(name));
        }
    }
    table.check()
}

fn bad_dimensions(dimensions: usize) -> Error {
    Error::bad("dimensions", dimensions, Allowed::Kind { kind: Kind::Whole(2, 3), unit: "" })
}

fn check_name(what: &str, name: &str) -> Result<(), Error> {
    if is_name(name) { Ok(()) } else { Err(Error::bad(what, name, Allowed::Kind { kind: Kind::Name, unit: "" })) }
}
