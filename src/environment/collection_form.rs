//! Collections of items in serde formats: lists of their items.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::environment::collection::{Collection, Item};

impl<T: Item + Serialize> Serialize for Collection<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.items().serialize(to)
    }
}

/// Adds the items of a list, so that values and names are checked. Their handles count from zero.
impl<'de, T: Item + Deserialize<'de>> Deserialize<'de> for Collection<T> {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        from.deserialize_seq(Items(PhantomData))
    }
}

struct Items<T>(PhantomData<T>);

impl<'de, T: Item + Deserialize<'de>> Visitor<'de> for Items<T> {
    type Value = Collection<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Collection<T>, A::Error> {
        let mut all = Collection::default();
        while let Some(item) = from.next_element()? {
            all.add(item).map_err(A::Error::custom)?;
        }
        Ok(all)
    }
}
