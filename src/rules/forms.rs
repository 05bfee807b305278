//! Species filters and targets in serde formats: the values of parameters.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::rules::interface::SpeciesFilter;
use crate::rules::parameters::{Field, Kind, Parameter, Preset, Value};
use crate::rules::target::Target;

const FILTER: Parameter = parameter("filter", "", Kind::SpeciesFilter);
const TARGET: Parameter = parameter("target", "m", Kind::Target);

const fn parameter(name: &'static str, unit: &'static str, kind: Kind) -> Parameter {
    Parameter { name, unit, kind, help: "", default: Preset::Required, advanced: false }
}

impl Serialize for SpeciesFilter {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(to)
    }
}

impl<'de> Deserialize<'de> for SpeciesFilter {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        Self::read(&Value::deserialize(from)?, &FILTER).map_err(F::Error::custom)
    }
}

impl<const D: usize> Serialize for Target<D> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.value().shortened().serialize(to)
    }
}

impl<'de, const D: usize> Deserialize<'de> for Target<D> {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        Self::read(&Value::deserialize(from)?, &TARGET).map_err(F::Error::custom)
    }
}
