//! Values of parameters, independent of the rule's type and the number of dimensions.

use std::fmt;

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
    /// Several words.
    Words(Vec<String>),
    /// The components of a point or a vector.
    Point(Vec<f64>),
    /// The components of several points.
    Points(Vec<Vec<f64>>),
}

impl Value {
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
        }
    }
}
