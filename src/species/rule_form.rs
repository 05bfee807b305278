//! Rules and motions in serde formats: tables of their names and their parameters.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::base::error::Error;
use crate::rules::interface::Behaviour;
use crate::rules::motion::Motion;
use crate::rules::parameters::{Allowed, Kind, Reflect, Value};
use crate::species::Rule;
use crate::species::registry::{DURING, Registry};
use crate::species::tables::WEIGHT;

impl<const D: usize> Serialize for Rule<D> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let values = values(self.behaviour.table().map(|table| table as _), self.behaviour.name())?;
        let during = Some(&self.during).filter(|states| !to.is_human_readable() || !states.is_empty());
        let mut keys = to.serialize_map(Some(2 + usize::from(during.is_some()) + values.len()))?;
        keys.serialize_entry(RuleForm::NAME, self.behaviour.name())?;
        keys.serialize_entry(WEIGHT.name, &self.weight)?;
        during.map_or(Ok(()), |states| keys.serialize_entry(DURING, states))?;
        values.iter().try_for_each(|(name, value)| keys.serialize_entry(name, value))?;
        keys.end()
    }
}

/// A motion as it is written.
pub(super) struct MotionTable<'a, const D: usize>(pub(super) &'a dyn Motion<D>);

impl<const D: usize> Serialize for MotionTable<'_, D> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let values = values(self.0.table().map(|table| table as _), self.0.name())?;
        let mut keys = to.serialize_map(Some(1 + values.len()))?;
        keys.serialize_entry(MotionForm::NAME, self.0.name())?;
        values.iter().try_for_each(|(name, value)| keys.serialize_entry(name, value))?;
        keys.end()
    }
}

/// The parameters of a rule or a motion. One without a table is refused by its name.
fn values<E: serde::ser::Error>(table: Option<&dyn Reflect>, name: &str) -> Result<Vec<(&'static str, Value)>, E> {
    let table = table.ok_or_else(|| {
        E::custom(format!("`{name}` has no table of parameters, so that it cannot be written: see `throng::rule!`"))
    })?;
    let names = table.parameters().iter().map(|parameter| parameter.name);
    Ok(names.filter_map(|name| Some((name, table.get(name)?.shortened()))).collect())
}

pub(super) type RuleForm = Table<true>;
pub(super) type MotionForm = Table<false>;

/// A rule or a motion as it is read.
pub(super) struct Table<const IS_RULE: bool> {
    name: String,
    /// Of a rule.
    weight: f32,
    during: Vec<String>,
    parameters: Vec<(String, Value)>,
}

impl RuleForm {
    pub(super) fn rule<const D: usize>(self, registry: &Registry) -> Result<Rule<D>, Error> {
        let found = registry.named::<D>(&self.name);
        let known = || Allowed::one_of(registry.rules::<D>().map(Reflect::rule));
        let mut rule = found.ok_or_else(|| Error::bad(Self::NAME, &self.name[..], known()))?;
        set(&mut *rule, self.parameters)?;
        let behaviour = Arc::from(rule as Box<dyn Behaviour<D>>);
        Ok(Rule { during: self.during, ..Rule::from_arc(self.weight, behaviour) })
    }
}

impl MotionForm {
    pub(super) fn motion<const D: usize>(self, registry: &Registry) -> Result<Arc<dyn Motion<D>>, Error> {
        let found = registry.motion_named::<D>(&self.name);
        let known = || Allowed::one_of(registry.motions::<D>().map(Reflect::rule));
        let mut motion = found.ok_or_else(|| Error::bad(Self::NAME, &self.name[..], known()))?;
        set(&mut *motion, self.parameters)?;
        Ok(Arc::from(motion as Box<dyn Motion<D>>))
    }
}

/// Sets the parameters of a rule or a motion.
fn set(table: &mut dyn Reflect, parameters: Vec<(String, Value)>) -> Result<(), Error> {
    parameters.into_iter().try_for_each(|(name, value)| {
        let is_list = matches!(table.parameter(&name)?.kind, Kind::Points(_) | Kind::Schedule(_) | Kind::Intervals(_));
        match value {
            // A text does not say what an empty list is a list of.
            Value::Words(words) if is_list && words.is_empty() => table.set(&name, &Value::Points(Vec::new())),
            value => table.set(&name, &value),
        }
    })
}

impl<const IS_RULE: bool> Table<IS_RULE> {
    /// The key of the name.
    const NAME: &'static str = if IS_RULE { "rule" } else { "model" };
}

impl<'de, const IS_RULE: bool> Deserialize<'de> for Table<IS_RULE> {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        from.deserialize_map(Keys::<IS_RULE>)
    }
}

struct Keys<const IS_RULE: bool>;

impl<'de, const IS_RULE: bool> Visitor<'de> for Keys<IS_RULE> {
    type Value = Table<IS_RULE>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a table with the key `{}`", Table::<IS_RULE>::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Table<IS_RULE>, A::Error> {
        let mut name = None;
        let (mut weight, mut during, mut parameters) = (1.0, Vec::new(), Vec::new());
        while let Some(key) = from.next_key::<String>()? {
            if key == Table::<IS_RULE>::NAME {
                name = Some(from.next_value()?);
            } else if IS_RULE && key == WEIGHT.name {
                weight = from.next_value()?;
            } else if IS_RULE && key == DURING {
                during = from.next_value()?;
            } else {
                parameters.push((key, from.next_value()?));
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field(Table::<IS_RULE>::NAME))?;
        Ok(Table { name, weight, during, parameters })
    }
}

/// Reads a rule with the built-in ones, and checks its parameters.
impl<'de, const D: usize> Deserialize<'de> for Rule<D> {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        RuleForm::deserialize(from)?.rule(&Registry::new()).map_err(F::Error::custom)
    }
}
