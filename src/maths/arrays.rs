//! Arrays and vectors in serde formats: tuples of their values. serde itself has arrays of fixed lengths only.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};

use crate::maths::Vector;

pub(crate) fn serialize<T: Serialize, S: Serializer, const N: usize>(array: &[T; N], to: S) -> Result<S::Ok, S::Error> {
    let mut tuple = to.serialize_tuple(N)?;
    array.iter().try_for_each(|value| tuple.serialize_element(value))?;
    tuple.end()
}

pub(crate) fn deserialize<'de, T: Deserialize<'de>, F: Deserializer<'de>, const N: usize>(
    from: F,
) -> Result<[T; N], F::Error> {
    from.deserialize_tuple(N, Array(PhantomData))
}

/// Reads an array of exactly `N` values.
pub(crate) struct Array<T, const N: usize>(pub(crate) PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Array<T, N> {
    type Value = [T; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {N} values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<[T; N], A::Error> {
        let mut values = Vec::with_capacity(N);
        while let Some(value) = from.next_element()? {
            values.push(value);
        }
        values.try_into().map_err(|values: Vec<T>| A::Error::invalid_length(values.len(), &self))
    }
}

impl<const D: usize> Serialize for Vector<D> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, to)
    }
}

impl<'de, const D: usize> Deserialize<'de> for Vector<D> {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        deserialize(from).map(Self)
    }
}
