//! Species in serde formats: tables of the parts that are not usual.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::base::definition::Definition;
use crate::base::distribution::Distribution;
use crate::rules::parameters::Value;
use crate::species::registry::Registry;
use crate::species::rule_form::{MotionForm, MotionTable, RuleForm};
use crate::species::{Quantity, Species};

/// Reads a [`Species`] with the rules and motions of a registry: see [`Registry::species_seed`].
#[derive(Clone, Copy, Debug)]
pub struct SpeciesSeed<'a, const D: usize>(&'a Registry);

impl Registry {
    /// Reads a species with the rules and motions of this registry, from any format of serde. `Species` by itself is
    /// read with the built-in ones.
    ///
    /// ```
    /// use serde::de::DeserializeSeed;
    /// use throng::{AgentRef, Behaviour, Registry, Vector};
    ///
    /// throng::rule! {
    ///     /// The agent stands.
    ///     "halt": "Stands."
    ///     struct Halt {}
    /// }
    ///
    /// impl<const D: usize> Behaviour<D> for Halt {
    ///     fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
    ///         me.towards(Vector::ZERO)
    ///     }
    ///
    ///     throng::reflect!();
    /// }
    ///
    /// let text = r#"{ "name": "guard", "behaviours": [{ "rule": "halt" }] }"#;
    /// let registry = Registry::new().with(Halt {})?;
    /// let guard = registry.species_seed::<2>().deserialize(&mut serde_json::Deserializer::from_str(text))?;
    /// assert!(guard.rules[0].get::<Halt>().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn species_seed<const D: usize>(&self) -> SpeciesSeed<'_, D> {
        SpeciesSeed(self)
    }
}

impl<'de, const D: usize> DeserializeSeed<'de> for SpeciesSeed<'_, D> {
    type Value = Species<D>;

    fn deserialize<F: Deserializer<'de>>(self, from: F) -> Result<Species<D>, F::Error> {
        let species: Species<D> = from.deserialize_map(self)?;
        species.check().map_err(F::Error::custom)?;
        Ok(species)
    }
}

/// Reads a species with the built-in rules and motions, and checks its values.
impl<'de, const D: usize> Deserialize<'de> for Species<D> {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        Registry::new().species_seed().deserialize(from)
    }
}

const NAME: &str = "name";
const MOTION: &str = "motion";
const RULES: &str = "behaviours";

/// The parts of a species that have no table of keys, by the names of their fields.
macro_rules! parts {
    ($($part:ident)*) => {
        const PARTS: &[&str] = &[$(stringify!($part)),*];

        /// The number of parts that are not usual.
        fn count<const D: usize>(species: &Species<D>) -> usize {
            let usual = Species::<D>::blank();
            [$(species.$part != usual.$part),*].into_iter().filter(|differs| *differs).count()
        }

        fn write<const D: usize, M: SerializeMap>(species: &Species<D>, keys: &mut M) -> Result<(), M::Error> {
            let usual = Species::<D>::blank();
            $(if species.$part != usual.$part {
                keys.serialize_entry(stringify!($part), &species.$part)?;
            })*
            Ok(())
        }

        /// Reads a part of this name. Returns whether there is one.
        fn read<'de, const D: usize, A: MapAccess<'de>>(
            species: &mut Species<D>,
            part: &str,
            from: &mut A,
        ) -> Result<bool, A::Error> {
            match part {
                $(stringify!($part) => species.$part = from.next_value()?,)*
                _ => return Ok(false),
            }
            Ok(true)
        }
    };
}

parts!(moved_by_host pre_movement lifetime combine variables catch contacts states kinds familiar);

impl<const D: usize> Serialize for Species<D> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let usual = Self::blank();
        let quantities = Quantity::ALL.into_iter().zip(self.quantities());
        let quantities: Vec<_> = quantities.filter(|(quantity, drawn)| usual.quantity(*quantity) != *drawn).collect();
        let own = Self::KEYS.iter().filter_map(|key| Some((key.name, self.get(key.name)?)));
        let own: Vec<_> = own.filter(|(name, value)| Some(value) != usual.get(name).as_ref()).collect();
        let others = 1 + usize::from(self.motion.is_some()) + usize::from(!self.rules.is_empty());
        let mut keys = to.serialize_map(Some(others + quantities.len() + own.len() + count(self)))?;
        keys.serialize_entry(NAME, &self.name)?;
        quantities.iter().try_for_each(|(quantity, drawn)| keys.serialize_entry(quantity.name(), drawn))?;
        own.iter().try_for_each(|(name, value)| keys.serialize_entry(name, value))?;
        write(self, &mut keys)?;
        if let Some(motion) = &self.motion {
            keys.serialize_entry(MOTION, &MotionTable(&**motion))?;
        }
        if !self.rules.is_empty() {
            keys.serialize_entry(RULES, &self.rules)?;
        }
        keys.end()
    }
}

impl<'de, const D: usize> Visitor<'de> for SpeciesSeed<'_, D> {
    type Value = Species<D>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table with the keys of a species")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Species<D>, A::Error> {
        let (mut species, mut name) = (Species::<D>::blank(), None);
        while let Some(key) = from.next_key::<String>()? {
            if key == NAME {
                name = Some(from.next_value()?);
            } else if key == MOTION {
                let motion = from.next_value::<MotionForm>()?.motion(self.0);
                species.motion = Some(motion.map_err(A::Error::custom)?);
            } else if key == RULES {
                let rules = from.next_value::<Vec<RuleForm>>()?.into_iter().map(|rule| rule.rule(self.0));
                species.rules = rules.collect::<Result<_, _>>().map_err(A::Error::custom)?;
            } else if let Some(quantity) = Quantity::named(&key) {
                let drawn = from.next_value::<Distribution>()?;
                species.set_quantity(quantity, drawn).map_err(A::Error::custom)?;
            } else if Species::<D>::KEYS.iter().any(|own| own.name == key) {
                species.set(&key, &from.next_value::<Value>()?).map_err(A::Error::custom)?;
            } else if !read(&mut species, &key, &mut from)? {
                let quantities = Quantity::ALL.map(Quantity::name);
                let own = Species::<D>::KEYS.iter().map(|own| own.name);
                let known = [NAME, MOTION, RULES].into_iter().chain(quantities).chain(own).chain(PARTS.iter().copied());
                let known = known.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                return Err(A::Error::custom(format!("unknown field `{key}`, expected one of {known}")));
            }
        }
        species.name = name.ok_or_else(|| A::Error::missing_field(NAME))?;
        Ok(species)
    }
}
