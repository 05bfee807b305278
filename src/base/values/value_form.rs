//! Values of parameters in serde formats: in texts numbers, words and arrays, in binary formats with their kind.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::base::distribution::Distribution;
use crate::base::values::Value;

/// The form in binary formats, which hold no types.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Value")]
enum WithKind {
    Number(f64),
    Whole(u64),
    Flag(bool),
    Word(String),
    Words(Vec<String>),
    Point(Vec<f64>),
    Points(Vec<Vec<f64>>),
    Distribution(Distribution),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            _ if !to.is_human_readable() => WithKind::serialize(self, to),
            Self::Number(number) => to.serialize_f64(*number),
            Self::Whole(whole) => to.serialize_u64(*whole),
            Self::Flag(flag) => to.serialize_bool(*flag),
            Self::Word(word) => to.serialize_str(word),
            Self::Words(words) => words.serialize(to),
            Self::Point(point) => point.serialize(to),
            Self::Points(points) => points.serialize(to),
            Self::Distribution(drawn) => drawn.serialize(to),
        }
    }
}

/// In a text, an empty list is one of words.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        if from.is_human_readable() { from.deserialize_any(InText) } else { WithKind::deserialize(from) }
    }
}

struct InText;

impl<'de> Visitor<'de> for InText {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, true or false, a word, an array of words, of numbers or of points, or the table of a distribution")
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(u64::try_from(number).map_or(Value::Number(number as f64), Value::Whole))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Whole(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Value, E> {
        Ok(Value::Word(word.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, from: A) -> Result<Value, A::Error> {
        Distribution::deserialize(MapAccessDeserializer::new(from)).map(Value::Distribution)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut items: Vec<Value> = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        let word = |item: &Value| item.word().map(str::to_owned);
        let point = |item: Value| if let Value::Point(point) = item { Some(point) } else { None };
        if let Some(words) = items.iter().map(word).collect() {
            return Ok(Value::Words(words));
        }
        if let Some(numbers) = items.iter().map(Value::number).collect() {
            return Ok(Value::Point(numbers));
        }
        let points: Option<_> = items.into_iter().map(point).collect();
        points.map(Value::Points).ok_or_else(|| A::Error::custom(format!("an array of mixed items: must be {InText}")))
    }
}

impl fmt::Display for InText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expecting(f)
    }
}
