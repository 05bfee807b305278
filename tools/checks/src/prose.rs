//! Prose: turns of phrase that make a text hard to read, each with plain words for it.

use std::fmt;
use std::ops::RangeInclusive;

use regex::Regex;

use crate::git::Added;

/// A turn of phrase.
struct Phrase {
    name: &'static str,
    /// The pattern that finds it; `None` for file headers that ask.
    pattern: Option<&'static str>,
    /// Plain words for it.
    plain: &'static str,
}

/// A space in a pattern also matches a line break within a comment.
const PHRASES: [Phrase; 14] = [
    Phrase { name: "headers that ask", pattern: None, plain: "a statement: the contents of the file, or its task" },
    Phrase {
        name: "who, whoever, nobody, somebody, everybody",
        pattern: Some(r"(?i)\b(who|whoever|nobody|somebody|everybody)\b"),
        plain: "the agent that, no agent, each agent",
    },
    Phrase {
        name: "tell, tells, told",
        pattern: Some(r"(?i)(^|[^.])\b(tell|tells|told)\b"),
        plain: "return, report, record, show",
    },
    Phrase { name: "is no, are no", pattern: Some(r"(?i)\b(is|are) no\b"), plain: "is not a, has no, an invalid" },
    Phrase {
        name: "made anew, sees to it, so many, as many",
        pattern: Some(r"(?i)\b(made anew|sees to it|so many|as many)\b"),
        plain: "rebuilt, ensures, that number of",
    },
    Phrase {
        name: "those of, that of",
        pattern: Some(r"(?i)\b(those|that) of\b"),
        plain: "the noun again: the rows of a chunk",
    },
    Phrase { name: "of which, of whom", pattern: Some(r"(?i)\bof (which|whom)\b"), plain: "a sentence of its own" },
    Phrase {
        name: "what with a verb, as a noun",
        pattern: Some(r"(?i)\bwhat (is|are|was|were|has|have|had|[a-z]{2,}s)\b"),
        plain: "a noun: the rows that are left",
    },
    Phrase {
        name: "goes on, besides",
        pattern: Some(r"(?i)\b((go|goes|going|went) on|besides)\b"),
        plain: "continues, also",
    },
    Phrase {
        name: "is to, are to, with a verb",
        pattern: Some(r"(?i)\b(is|are|was|were) to [a-z]+\b"),
        plain: "must, will, should",
    },
    Phrase { name: "in the place of", pattern: Some(r"(?i)\bin the place of\b"), plain: "instead of" },
    Phrase {
        name: "has no memory, makes something of, what becomes of",
        pattern: Some(
            r"(?i)\b((has|have|had) no memory|(make|makes|made) (something|nothing|anything|the best) of|(what|which) becomes of)\b",
        ),
        plain: "the verb of the field: keeps no state, uses, the result",
    },
    Phrase {
        name: "alone, in place of only",
        pattern: Some(
            r"(?i)\b(state|rules?|threads?|rows?|agents|ranks?|axis|process|chunks|kernel|name|neighbours|dimensions) alone\b",
        ),
        plain: "only",
    },
    Phrase {
        name: "names with another meaning than in the glossary: is_alone, CrowdIndex, KeptPieces",
        pattern: Some(r"\b(is_alone|CrowdIndex|crowd_index|KeptPieces|all_kept|kept_mut|forget_places)\b"),
        plain: "a name from docs/dev/glossary.md",
    },
];

/// A space, or a line break with the start of a comment on the next line.
const GAP: &str = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:(?://[/!]?|#|\*)[ \t]+)?)";

/// Files that are not searched: this one, which contains the patterns, and the texts of the page, in several languages.
const UNSEARCHED: [&str; 2] = ["tools/checks/src/prose.rs", "crates/view/page/words.js"];

/// A turn of phrase, and the places that have it.
pub(crate) struct Found {
    pub(crate) name: &'static str,
    pub(crate) plain: &'static str,
    pub(crate) places: Vec<Place>,
}

/// A part of a file.
pub(crate) struct Place {
    pub(crate) file: String,
    /// The numbers of its lines.
    lines: RangeInclusive<usize>,
    text: String,
}

impl Place {
    /// Returns whether one of its lines was added. A line that was removed elsewhere has moved.
    pub(crate) fn is_in(&self, added: &Added, text: &str) -> bool {
        let lines = added.lines.get(&self.file);
        lines.is_some_and(|lines| {
            lines.range(self.lines.clone()).any(|line| {
                let text = text.lines().nth(line - 1).unwrap_or_default();
                !added.removed.contains(text.trim())
            })
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.lines.start(), self.text)
    }
}

/// Finds the turns of phrase in these files, each a path and a text.
pub(crate) fn find(files: &[(String, String)]) -> Vec<Found> {
    PHRASES
        .iter()
        .map(|phrase| {
            let pattern = phrase.pattern.map(|pattern| pattern.replace(' ', GAP));
            let pattern = pattern.map(|pattern| Regex::new(&pattern).expect("the pattern is valid"));
            let mut places = Vec::new();
            for (file, text) in files.iter().filter(|(file, _)| !UNSEARCHED.iter().any(|other| file.ends_with(other))) {
                match &pattern {
                    Some(pattern) => places.extend(matches(pattern, file, text)),
                    None => places.extend(asking_header(file, text)),
                }
            }
            Found { name: phrase.name, plain: phrase.plain, places }
        })
        .collect()
}

/// Returns one place for each match of a pattern.
fn matches<'a>(pattern: &'a Regex, file: &'a str, text: &'a str) -> impl Iterator<Item = Place> + 'a {
    pattern.find_iter(text).map(move |found| {
        let first = text[..found.start()].matches('\n').count() + 1;
        let lines = first..=first + found.as_str().matches('\n').count();
        let text = text.lines().nth(first - 1).unwrap_or_default().trim().to_owned();
        Place { file: file.to_owned(), lines, text }
    })
}

/// Returns the file's header if its first paragraph asks. Code in it does not count.
fn asking_header(file: &str, text: &str) -> Option<Place> {
    let header: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//! ")).collect();
    let (lines, text) = (1..=header.len(), header.join(" "));
    let asks = text.split('`').step_by(2).any(|prose| prose.contains('?'));
    asks.then(|| Place { file: file.to_owned(), lines, text })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::find;
    use crate::git::Added;

    /// Returns the counts for one file, in the order of the phrases.
    fn counts(text: &str) -> Vec<usize> {
        find(&[("a.rs".to_owned(), text.to_owned())]).iter().map(|found| found.places.len()).collect()
    }

    #[test]
    fn turns_of_phrase_are_counted_as_whole_words() {
        let text = "//! Where does chance\n//! come from?\n\n//! Who told whom?\n// There IS no Whole, and is not a who's-who.\n";
        let other = "//! What `a?` is.\nretold, intelligible, \"as many as made anew\"\n";
        let files = [("a.rs".to_owned(), text.to_owned()), ("b.rs".to_owned(), other.to_owned())];
        let counts: Vec<usize> = find(&files).iter().map(|found| found.places.len()).collect();
        assert_eq!(counts, [1, 3, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(find(&files)[2].places[0].to_string(), "a.rs:4: //! Who told whom?");
    }

    #[test]
    fn pronouns_in_place_of_nouns_are_counted() {
        assert_eq!(counts("// those of ranks, that of one, of that offer")[5], 2);
        assert_eq!(counts("// Chunks of which a rank, each of whom")[6], 2);
        assert_eq!(counts("// What is left, what walls permit, what a rule returns, whatever is, somewhat is")[7], 2);
        assert_eq!(counts("// A run goes on, besides; beside, goes one")[8], 2);
        assert_eq!(counts("// It is to move, and they are two, to be")[9], 1);
        assert_eq!(counts("// Boxes in the place of rows, in place of rows")[10], 1);
        assert_eq!(counts("// What becomes of rows: they have no memory; a motion makes something of them.")[11], 3);
    }

    #[test]
    fn words_with_another_meaning_than_in_the_glossary_are_counted() {
        assert_eq!(counts("// on this thread alone, a function of the state\n// alone; an agent alone")[12], 2);
        assert_eq!(counts("if self.part.is_alone() { CrowdIndex::default() }")[13], 2);
    }

    #[test]
    fn a_phrase_may_continue_on_the_next_line() {
        let texts = ["//! those\n//! of", "    /// those\n    /// of", "those\nof", "# those\n# of", " * those\n * of"];
        for text in texts {
            assert_eq!(counts(text)[5], 1, "{text}");
        }
        assert_eq!(counts("// those\n\n// of, those;\n// of")[5], 0);
        let found = find(&[("a.rs".to_owned(), "//\n// that\n// of\n".to_owned())]);
        assert_eq!(found[5].places[0].to_string(), "a.rs:2: // that");
    }

    #[test]
    fn only_added_lines_that_have_not_moved_count() {
        let text = "//! Why\n//! not?\n// those\n// of\n";
        let found = find(&[("a.rs".to_owned(), text.to_owned())]);
        let is_in = |kind: usize, file: &str, lines: &[usize], removed: &[&str]| {
            let lines = BTreeMap::from([(file.to_owned(), lines.iter().copied().collect())]);
            let removed: BTreeSet<String> = removed.iter().map(|&line| line.to_owned()).collect();
            found[kind].places[0].is_in(&Added { lines, removed }, text)
        };
        assert!(is_in(5, "a.rs", &[4], &[]) && is_in(5, "a.rs", &[3], &["// of"]) && is_in(0, "a.rs", &[2], &[]));
        assert!(!is_in(5, "b.rs", &[4], &[]) && !is_in(5, "a.rs", &[4], &["// of"]) && !is_in(0, "a.rs", &[3], &[]));
    }
}
