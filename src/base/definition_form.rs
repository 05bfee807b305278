//! Definitions in serde formats: tables of their keys, as in scenario files. Absent keys are left out.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::Serializer;

use crate::base::definition::Definition;
use crate::base::values::Value;

pub(crate) fn serialize<T: Definition, S: Serializer>(definition: &T, to: S) -> Result<S::Ok, S::Error> {
    let present: Vec<_> = T::KEYS.iter().filter_map(|key| Some((key.name, definition.get(key.name)?))).collect();
    to.collect_map(present)
}

pub(crate) fn deserialize<'de, T: Definition, F: Deserializer<'de>>(from: F) -> Result<T, F::Error> {
    let is_text = from.is_human_readable();
    from.deserialize_map(Keys { is_text, of: PhantomData })
}

struct Keys<T> {
    is_text: bool,
    of: PhantomData<T>,
}

impl<'de, T: Definition> Visitor<'de> for Keys<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = T::KEYS.iter().map(|key| key.name).collect();
        write!(f, "a table with keys of {}", names.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<T, A::Error> {
        let mut given: Vec<(String, Value)> = Vec::new();
        while let Some(key) = from.next_key::<String>()? {
            // A text may say that a key is absent.
            let value = if self.is_text { from.next_value::<Option<Value>>()? } else { Some(from.next_value()?) };
            given.extend(value.map(|value| (key, value)));
        }
        let given: Vec<(&str, Value)> = given.iter().map(|(key, value)| (&key[..], value.clone())).collect();
        T::from_keys(&given).map_err(A::Error::custom)
    }
}
