//! What may the value of a key be, and how is that said?

use crate::parameters::Range;

/// One key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The unit of its value; empty where it has none.
    pub unit: &'static str,
    /// What it may be.
    pub form: Form,
    /// One line on what it does.
    pub help: &'static str,
    /// What it is where the file does not say.
    pub default: Preset,
}

/// What a key is where the file does not say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Preset {
    /// The file must say.
    Required,
    /// Nothing: what the key asks for is not done.
    Absent,
    /// This number.
    Number(f64),
    /// This word, or in words what it is.
    Word(&'static str),
}

/// What a key may be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// A whole number, both bounds included.
    Whole(u64, u64),
    /// A whole number from this one on, or `"off"`.
    WholeOrOff(u64),
    /// A number.
    Number(Range),
    /// A number, or `[low, high]`: a number drawn for each agent.
    Spread(Range),
    /// An array of one number per dimension.
    PerAxis(Range),
    /// One of these words.
    Choice(Vec<&'static str>),
    /// A text.
    Text,
    /// `"random"`, a vector, or in two dimensions an angle in degrees.
    Heading,
    /// True or false.
    Flag,
    /// A name that is made here: letters, digits, `_` and `-`.
    Name,
    /// A name that is made elsewhere in the file: of what, in words.
    Reference(&'static str),
    /// Several of them.
    References(&'static str),
    /// Whom: a species, several, `"own"` or `"all"`.
    Whom,
    /// An array of one whole number per dimension.
    WholePerAxis(u64, u64),
    /// An array of vectors.
    Vectors(Range),
    /// A table with these keys.
    Table(Vec<Key>),
    /// An array of tables with these keys.
    Tables(Vec<Key>),
    /// A table in which each key is a name, and each value one of these; in words what is named.
    Named(&'static str, Box<Form>),
    /// A table of tables with these keys, one for each species by its name.
    Species(Vec<Key>),
    /// An array of tables, one for each rule; their keys are those of the rules' own tables.
    Rules,
}

impl Form {
    /// What is allowed, in words; `unit` may be empty.
    #[must_use]
    pub fn allowed(&self, unit: &str) -> String {
        let bare = unit;
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        match self {
            Self::Whole(low, high) if low == high => format!("must be {low}"),
            Self::Whole(low, u64::MAX) => format!("must be a whole number from {low} on"),
            Self::Whole(low, high) => format!("must be a whole number from {low} to {high}"),
            Self::WholeOrOff(low) => format!("must be a whole number from {low} on, or \"off\""),
            Self::Number(range) => format!("must be a number in {range}{unit}"),
            Self::Spread(range) => format!("must be a number in {range}{unit}, or [low, high] for a draw between two"),
            Self::PerAxis(range) => format!("must be an array of one number per dimension, each in {range}{unit}"),
            Self::Choice(words) => format!("must be one of {}", words.join(", ")),
            Self::Text => "must be a text on one line, of at most 100 characters".to_owned(),
            Self::Heading => {
                "must be \"random\", a vector that is not zero, or in two dimensions degrees from the x axis".to_owned()
            }
            Self::Flag => "must be true or false".to_owned(),
            Self::Name => "must be 1 to 64 letters, digits, `_` or `-`".to_owned(),
            Self::Reference(what) => format!("must be the name of a {what}"),
            Self::References(what) => format!("must be an array of names, each of a {what}"),
            Self::Whom => "must be \"own\", \"all\", the name of a species or an array of names".to_owned(),
            Self::WholePerAxis(low, high) => {
                format!("must be an array of one whole number per dimension, each from {low} to {high}")
            }
            Self::Vectors(range) => {
                format!("must be an array of vectors, each of one number per dimension in {range}{unit}")
            }
            Self::Table(_) | Self::Species(_) => "must be a table".to_owned(),
            Self::Tables(_) => "must be an array of tables".to_owned(),
            Self::Named(what, form) => {
                format!("must be a table of names, one for each {what}; each value {}", form.allowed(bare))
            }
            Self::Rules => "must be an array of tables, such as [{ rule = \"separation\" }]".to_owned(),
        }
    }
}
