//! Settings in serde formats: in texts as in scenario files.

/// The edges of all axes: in a text one word where they are equal.
pub(crate) mod edges {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::value::StrDeserializer;
    use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
    use serde::ser::Serializer;

    use crate::base::settings::Edge;
    use crate::maths::arrays::{self, Array};

    pub(crate) fn serialize<S: Serializer, const D: usize>(edge: &[Edge; D], to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() && edge.iter().all(|other| other == &edge[0]) {
            return to.serialize_str(edge[0].name());
        }
        arrays::serialize(edge, to)
    }

    pub(crate) fn deserialize<'de, F: Deserializer<'de>, const D: usize>(from: F) -> Result<[Edge; D], F::Error> {
        if from.is_human_readable() { from.deserialize_any(Edges) } else { arrays::deserialize(from) }
    }

    struct Edges<const D: usize>;

    impl<'de, const D: usize> Visitor<'de> for Edges<D> {
        type Value = [Edge; D];

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "the name of an edge, or an array of {D}")
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<[Edge; D], E> {
            Edge::deserialize(StrDeserializer::new(name)).map(|edge| [edge; D])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, from: A) -> Result<[Edge; D], A::Error> {
            Array(PhantomData).visit_seq(from)
        }
    }
}

/// The budget of pairs: in a text a number or `"off"`.
pub(crate) mod pair_budget {
    use std::fmt;

    use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
    use serde::ser::{Serialize, Serializer};

    const OFF: &str = "off";

    pub(crate) fn serialize<S: Serializer>(budget: &Option<usize>, to: S) -> Result<S::Ok, S::Error> {
        match budget {
            _ if !to.is_human_readable() => budget.serialize(to),
            Some(pairs) => pairs.serialize(to),
            None => to.serialize_str(OFF),
        }
    }

    pub(crate) fn deserialize<'de, F: Deserializer<'de>>(from: F) -> Result<Option<usize>, F::Error> {
        if from.is_human_readable() { from.deserialize_any(Budget) } else { Option::deserialize(from) }
    }

    struct Budget;

    impl Visitor<'_> for Budget {
        type Value = Option<usize>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a whole number or \"{OFF}\"")
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<Option<usize>, E> {
            if word == OFF { Ok(None) } else { Err(E::invalid_value(Unexpected::Str(word), &self)) }
        }

        fn visit_u64<E: Error>(self, pairs: u64) -> Result<Option<usize>, E> {
            usize::try_from(pairs).map(Some).map_err(|_| E::invalid_value(Unexpected::Unsigned(pairs), &self))
        }

        fn visit_i64<E: Error>(self, pairs: i64) -> Result<Option<usize>, E> {
            usize::try_from(pairs).map(Some).map_err(|_| E::invalid_value(Unexpected::Signed(pairs), &self))
        }
    }
}
