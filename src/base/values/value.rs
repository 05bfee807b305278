//! Values of parameters, independent of the rule's type and the number of dimensions.

use std::fmt;

use crate::base::distribution::Distribution;
use crate::maths::Vector;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number, exactly.
    Whole(u64),
    /// True or false.
    Flag(bool),
    /// A word or a text.
    Word(String),
    /// A list of words.
    Words(Vec<String>),
    /// The components of a point or a vector.
    Point(Vec<f64>),
    /// The components of several points.
    Points(Vec<Vec<f64>>),
    /// A number that is drawn for each agent.
    Distribution(Distribution),
}

impl Value {
    /// The value with the shortest decimal numbers that round to the same `f32`.
    #[must_use]
    pub fn shortened(self) -> Self {
        let short = |number: f64| match number as f32 {
            single if f64::from(single) == number => shortest(single),
            _ => number,
        };
        let all = |point: Vec<f64>| point.into_iter().map(short).collect();
        match self {
            Self::Number(number) => Self::Number(short(number)),
            Self::Point(point) => Self::Point(all(point)),
            Self::Points(points) => Self::Points(points.into_iter().map(all).collect()),
            other => other,
        }
    }

    /// The value as a number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Whole(whole) => Some(*whole as f64),
            _ => None,
        }
    }

    /// The value as a whole number, if it is one.
    #[must_use]
    pub fn whole(&self) -> Option<u64> {
        match self {
            Self::Whole(whole) => Some(*whole),
            Self::Number(number) if number.fract() == 0.0 && (0.0..u64::MAX as f64).contains(number) => {
                Some(*number as u64)
            }
            _ => None,
        }
    }

    /// The value as a word, if it is one.
    #[must_use]
    pub fn word(&self) -> Option<&str> {
        if let Self::Word(word) = self { Some(word) } else { None }
    }
}

/// Converts to the shortest decimal number that rounds to the same `f32`.
impl From<f32> for Value {
    fn from(number: f32) -> Self {
        Self::Number(shortest(number))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Whole(number)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Whole(number as u64)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

impl<const N: usize> From<[f32; N]> for Value {
    fn from(point: [f32; N]) -> Self {
        Self::from(&point[..])
    }
}

impl From<&[f32]> for Value {
    fn from(point: &[f32]) -> Self {
        Self::Point(point.iter().map(|&number| shortest(number)).collect())
    }
}

impl<const D: usize> From<Vector<D>> for Value {
    fn from(vector: Vector<D>) -> Self {
        vector.0.into()
    }
}

/// Returns the shortest decimal number that rounds to this one.
pub(crate) fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}

/// A number with three digits.
pub(crate) fn three_digits(number: f32) -> String {
    format!("{number:.2e}").parse::<f64>().map_or(number.to_string(), |rounded| rounded.to_string())
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Whole(whole) => whole.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
            Self::Word(word) => write!(f, "{word:?}"),
            Self::Words(words) => write!(f, "{words:?}"),
            Self::Point(point) => write!(f, "{point:?}"),
            Self::Points(points) => write!(f, "{points:?}"),
            Self::Distribution(drawn) => drawn.fmt(f),
        }
    }
}
