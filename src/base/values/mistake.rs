//! Mistakes in statements, with their places.

use std::fmt;

use crate::base::suggest::nearest_word;

/// A mistake in a text with statements.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    /// The number of the statement, from zero.
    pub statement: usize,
    /// The first byte of the mistake in the text of the statement.
    pub at: usize,
    /// The number of the same character, from one.
    pub character: usize,
    /// The description.
    pub what: String,
    /// The name that is probably meant.
    pub meant: Option<String>,
}

impl Mistake {
    pub(crate) fn new(at: usize, what: impl Into<String>) -> Self {
        Self { statement: 0, at, character: 0, what: what.into(), meant: None }
    }

    /// An unknown name, where these are known.
    pub(crate) fn unknown<'n>(at: usize, what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        let mut known: Vec<&str> = known.into_iter().collect();
        known.sort_unstable();
        known.dedup();
        let meant = nearest_word(name, known.iter().copied()).map(str::to_owned);
        let listed =
            if known.is_empty() { "there are none".to_owned() } else { format!("known are {}", known.join(", ")) };
        Self { meant, ..Self::new(at, format!("unknown {what} `{name}`: {listed}")) }
    }

    /// The mistake at its place in a longer text that has the statement from a byte on.
    pub(crate) fn after(self, start: usize, text: &str) -> Self {
        let at = self.at + start;
        Self { at, ..self }.placed(0, text)
    }

    /// The mistake with its place in these texts.
    pub(crate) fn placed(mut self, statement: usize, text: &str) -> Self {
        self.statement = statement;
        let before = text.get(..self.at).unwrap_or(text);
        self.character = before.chars().count() + 1;
        self
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}, {}", self.character, self.what)?;
        self.meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean `{meant}`?"))
    }
}
