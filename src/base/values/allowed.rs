//! The allowed values in place of a refused one.

use std::fmt;

use crate::base::values::{Kind, Mistake, Range};

/// The allowed values in place of a refused one. Its text follows "must be".
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Allowed {
    /// A value of this kind, in its range.
    Kind {
        /// The kind.
        kind: Kind,
        /// The unit of its numbers; empty if they have none.
        unit: &'static str,
    },
    /// One of these names, which is the complete list.
    OneOf(Vec<String>),
    /// A name that is not in use.
    NewName,
    /// A point of a world of this size, in metres.
    Inside(Vec<f64>),
    /// Finite numbers that do not descend.
    Ascending,
    /// A vector that is not zero.
    Direction,
    /// The path of a wall: points in two dimensions whose segments neither cross nor have length zero.
    WallPath,
    /// In a plane whose axes do not wrap.
    Plane,
    /// As it was when the world was made.
    Unchanged,
    /// The table of a rule.
    Rule,
    /// A statement without this mistake.
    Statement(Mistake),
}

impl Allowed {
    /// A number in a range.
    #[must_use]
    pub const fn number(range: Range, unit: &'static str) -> Self {
        Self::Kind { kind: Kind::Number(range), unit }
    }

    /// One number per dimension, each in a range.
    #[must_use]
    pub const fn point(range: Range, unit: &'static str) -> Self {
        Self::Kind { kind: Kind::Point(range), unit }
    }

    /// One of these names.
    #[must_use]
    pub fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self::OneOf(names.into_iter().map(str::to_owned).collect())
    }

    /// The words that are allowed; none if other values are.
    #[must_use]
    pub fn words(&self) -> Vec<&str> {
        match self {
            Self::OneOf(words) => words.iter().map(String::as_str).collect(),
            Self::Kind { kind: Kind::Choice(words), .. }
            | Self::Kind { kind: Kind::ChoiceOrRegion(words), .. }
            | Self::Kind { kind: Kind::Choices(words), .. }
            | Self::Kind { kind: Kind::ChoicePerAxis(words), .. } => words.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The range of allowed numbers, if numbers are allowed.
    #[must_use]
    pub const fn range(&self) -> Option<Range> {
        match self {
            Self::Kind {
                kind: Kind::Number(range) | Kind::Distribution(range) | Kind::Point(range) | Kind::Points(range),
                ..
            } => Some(*range),
            _ => None,
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind { kind, unit } => f.write_str(&kind.allowed(unit)),
            Self::OneOf(names) if names.is_empty() => write!(f, "the name of an existing item, but none exists"),
            Self::OneOf(names) => write!(f, "one of {}", names.join(", ")),
            Self::NewName => write!(f, "a name that is not in use"),
            Self::Inside(size) => {
                let size: Vec<String> = size.iter().map(|size| format!("[0, {size}]")).collect();
                write!(f, "in the world: {} m", size.join(" x "))
            }
            Self::Plane => write!(f, "in a world of two dimensions whose axes do not wrap"),
            Self::Unchanged => write!(f, "as it was when the world was made"),
            Self::Rule => write!(f, "a table, such as {{ rule = \"separation\" }}"),
            Self::Statement(mistake) => write!(f, "a statement that has a meaning: {mistake}"),
            Self::Ascending => write!(f, "finite numbers that do not descend"),
            Self::Direction => write!(f, "a vector that is not zero"),
            Self::WallPath => {
                write!(
                    f,
                    "two or more points in two dimensions, each different from the next, on a path that does not cross itself"
                )
            }
        }
    }
}
