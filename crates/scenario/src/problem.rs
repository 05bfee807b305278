//! The problems of a scenario and their locations.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::path::Path;

use throng::parameters::nearest_word;

use crate::reason::{Reason, question};

/// All problems of one scenario. The display shows one line per problem, at most twenty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problems {
    file: String,
    list: Vec<Problem>,
    left_out: usize,
}

/// One problem of a scenario.
///
/// ```
/// use throng::parameters::Range;
/// use throng_scenario::{Location, Reason, Scenario};
///
/// let text = "format = 1\n[world]\ndimensions = 2\nsize = [9, 9]\ntick = -0.1\nspead = 1\n[species.bird]\ncount = 1";
/// let problems = Scenario::parse(text, "small.toml").unwrap_err();
/// let [tick, spead] = problems.list() else { panic!("{problems}") };
/// assert_eq!((&tick.place, &tick.key[..]), (&Location::Text { line: 5, column: 8 }, "world.tick"));
/// assert_eq!(tick.value.as_deref(), Some("-0.1"));
/// assert_eq!(tick.reason.allowed().and_then(|allowed| allowed.range()), Some(Range::above(0.0, 1000.0)));
/// assert!(matches!(&spead.reason, Reason::Unknown { what: "key", name, .. } if name == "spead"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The location.
    pub place: Location,
    /// The path of the key, such as `species.starling.max_speed`; empty for the file as a whole.
    pub key: String,
    /// The text of the value, if any.
    pub value: Option<String>,
    /// The reason, with the allowed values.
    pub reason: Reason,
}

/// The location of a problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    /// The file as a whole.
    File,
    /// A line and a column of the file, both from 1; columns count characters.
    Text {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The text of an override.
    Set(String),
}

/// The number of problems displayed.
const SHOWN: usize = 20;
/// The number of problems stored. A malicious file may have a million.
const KEPT: usize = 1000;

impl Problems {
    pub(crate) fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// The problem of a file that cannot be read.
    pub(crate) fn whole(file: &str, reason: Reason) -> Self {
        let mut problems = Self::new(file);
        problems.add(Problem { place: Location::File, key: String::new(), value: None, reason });
        problems
    }

    pub(crate) fn add(&mut self, problem: Problem) {
        if self.list.len() < KEPT {
            self.list.push(problem);
        } else {
            self.left_out += 1;
        }
    }

    /// Leaves out problems, but not all.
    pub(crate) fn leave_out(&mut self, which: impl Fn(&Problem) -> bool) {
        if !self.list.iter().all(&which) {
            self.list.retain(|problem| !which(problem));
        }
    }

    /// Sorts the problems in the order of the file.
    pub(crate) fn sort(&mut self) {
        self.list.sort_by(|a, b| a.place.cmp(&b.place));
    }

    /// The name of the file.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The problems in the order of the file, at most the first thousand.
    #[must_use]
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// The number of problems.
    #[must_use]
    pub fn count(&self) -> usize {
        self.list.len() + self.left_out
    }

    /// Whether the list of problems is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Problem {
    /// The question for the word that was meant, if one of the value is near to one that is allowed.
    fn question(&self) -> String {
        let Reason::MustBe(allowed) = &self.reason else { return String::new() };
        let known = allowed.words();
        let words =
            self.value.iter().flat_map(|value| value.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
        let mut wrong = words.filter(|word| !word.is_empty() && !known.contains(word));
        wrong.find_map(|word| nearest_word(word, known.iter().copied())).map_or(String::new(), question)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason.to_string() + &self.question();
        let (key, reason) = (printable(&self.key), printable(&reason));
        match (&self.key[..], self.value.as_deref().map(printable)) {
            ("", None) => write!(f, "{reason}"),
            ("", Some(value)) => write!(f, "{value}: {reason}"),
            (_, None) => write!(f, "{key}: {reason}"),
            (_, Some(value)) => write!(f, "{key} = {value}: {reason}"),
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = printable(&self.file);
        for (number, problem) in self.list.iter().take(SHOWN).enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            match &problem.place {
                Location::File => write!(f, "{file}: {problem}")?,
                Location::Text { line, column } => write!(f, "{file}:{line}:{column}: {problem}")?,
                Location::Set(set) => write!(f, "--set {}: {problem}", printable(set))?,
            }
        }
        match self.count().saturating_sub(SHOWN) {
            0 => Ok(()),
            1 => write!(f, "\nand 1 more"),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Problems {}

/// Displays an untrusted text on one line of a terminal. Characters that are not [`is_printable`] are escaped.
#[must_use]
pub fn printable(text: &str) -> impl fmt::Display {
    Printable(Cow::Borrowed(text))
}

/// Displays a path on one line of a terminal: a name of a file may have any characters.
#[must_use]
pub fn shown<P: AsRef<Path> + ?Sized>(path: &P) -> impl fmt::Display {
    Printable(path.as_ref().to_string_lossy())
}

/// Returns whether a character may reach a terminal: others move the cursor, change colours or reverse the direction of
/// writing.
#[must_use]
pub fn is_printable(character: char) -> bool {
    let reverses = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    !character.is_control() && !reverses
}

struct Printable<'t>(Cow<'t, str>);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| match is_printable(character) {
            true => f.write_char(character),
            false => write!(f, "{}", character.escape_default()),
        })
    }
}
