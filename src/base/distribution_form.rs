//! Distributions in serde formats: in texts as in scenario files.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::base::distribution::Distribution;
use crate::base::population::Population;

/// The form in binary formats, which hold no types.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Distribution")]
enum WithKind {
    Same(f32),
    Uniform(f32, f32),
    Normal { mean: f32, sd: f32, low: f32, high: f32 },
    LogNormal { median: f32, log_sd: f32, low: f32, high: f32 },
    Gamma { shape: f32, scale: f32, low: f32, high: f32 },
    Weibull { shape: f32, scale: f32, low: f32, high: f32 },
    Population(Population),
}

/// The keys of a distribution's table. All but the last are numbers.
const KEYS: [&str; 10] = ["mean", "sd", "median", "log_sd", "gamma", "weibull", "scale", "low", "high", POPULATION];
const POPULATION: &str = "population";

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match *self {
            _ if !to.is_human_readable() => WithKind::serialize(self, to),
            Self::Same(value) => to.serialize_f32(value),
            Self::Uniform(low, high) => to.collect_seq([low, high]),
            Self::Normal { mean, sd, low, high } => {
                to.collect_map([("mean", mean), ("sd", sd), ("low", low), ("high", high)])
            }
            Self::LogNormal { median, log_sd, low, high } => {
                to.collect_map([("median", median), ("log_sd", log_sd), ("low", low), ("high", high)])
            }
            Self::Gamma { shape, scale, low, high } => {
                to.collect_map([("gamma", shape), ("scale", scale), ("low", low), ("high", high)])
            }
            Self::Weibull { shape, scale, low, high } => {
                to.collect_map([("weibull", shape), ("scale", scale), ("low", low), ("high", high)])
            }
            Self::Population(population) => to.collect_map([(POPULATION, population)]),
        }
    }
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        if from.is_human_readable() { from.deserialize_any(InText) } else { WithKind::deserialize(from) }
    }
}

struct InText;

impl<'de> Visitor<'de> for InText {
    type Value = Distribution;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a number, [low, high], or a table with mean, sd, low and high; with median, log_sd, low and high; with gamma \
             or weibull, scale, low and high; or with a population",
        )
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Distribution, E> {
        Ok(Distribution::Same(value as f32))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Distribution, E> {
        Ok(Distribution::Same(value as f32))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Distribution, E> {
        Ok(Distribution::Same(value as f32))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Distribution, A::Error> {
        let mut ends = Vec::new();
        while let Some(end) = from.next_element()? {
            ends.push(end);
        }
        match ends[..] {
            [low, high] => Ok(Distribution::Uniform(low, high)),
            _ => Err(A::Error::invalid_length(ends.len(), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Distribution, A::Error> {
        let mut numbers: [Option<f32>; KEYS.len() - 1] = [None; KEYS.len() - 1];
        let mut population = None;
        while let Some(key) = from.next_key::<String>()? {
            let place = KEYS.iter().position(|known| *known == key);
            let place = place.ok_or_else(|| A::Error::unknown_field(&key, &KEYS))?;
            match numbers.get_mut(place) {
                Some(number) => *number = Some(from.next_value()?),
                None => population = Some(from.next_value()?),
            }
        }
        let given: Vec<&str> = (0..numbers.len()).filter(|&at| numbers[at].is_some()).map(|at| KEYS[at]).collect();
        let [mean, sd, median, log_sd, gamma, weibull, scale, low, high] = numbers.map(Option::unwrap_or_default);
        match (&given[..], population) {
            ([], Some(population)) => Ok(Distribution::Population(population)),
            (["mean", "sd", "low", "high"], None) => Ok(Distribution::Normal { mean, sd, low, high }),
            (["median", "log_sd", "low", "high"], None) => Ok(Distribution::LogNormal { median, log_sd, low, high }),
            (["gamma", "scale", "low", "high"], None) => Ok(Distribution::Gamma { shape: gamma, scale, low, high }),
            (["weibull", "scale", "low", "high"], None) => {
                Ok(Distribution::Weibull { shape: weibull, scale, low, high })
            }
            _ => Err(A::Error::invalid_type(serde::de::Unexpected::Other("a table with other keys"), &self)),
        }
    }
}
