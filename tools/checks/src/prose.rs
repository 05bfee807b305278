//! Prose: counts of turns of phrase that make a text hard to read, with a limit for each.

use regex::Regex;

/// A turn of phrase.
struct Phrase {
    name: &'static str,
    /// The pattern that finds it; `None` for file headers that ask.
    pattern: Option<&'static str>,
    /// The largest count that passes.
    limit: usize,
}

/// A space in a pattern also matches a line break within a comment.
const PHRASES: [Phrase; 14] = [
    Phrase { name: "headers that ask", pattern: None, limit: 0 },
    Phrase {
        name: "who, whom, whoever, nobody, somebody, everybody",
        pattern: Some(r"(?i)\b(who|whom|whoever|nobody|somebody|everybody)\b"),
        limit: 62,
    },
    Phrase { name: "tell, tells, told", pattern: Some(r"(?i)\b(tell|tells|told)\b"), limit: 6 },
    Phrase { name: "is no, are no", pattern: Some(r"(?i)\b(is|are) no\b"), limit: 14 },
    Phrase {
        name: "made anew, sees to it, so many, as many",
        pattern: Some(r"(?i)\b(made anew|sees to it|so many|as many)\b"),
        limit: 9,
    },
    Phrase { name: "those of, that of", pattern: Some(r"(?i)\b(those|that) of\b"), limit: 49 },
    Phrase { name: "of which, of whom", pattern: Some(r"(?i)\bof (which|whom)\b"), limit: 37 },
    Phrase {
        name: "what with a verb, as a noun",
        pattern: Some(r"(?i)\bwhat (is|are|was|were|has|have|had|[a-z]{2,}s)\b"),
        limit: 70,
    },
    Phrase { name: "goes on, besides", pattern: Some(r"(?i)\b((go|goes|going|went) on|besides)\b"), limit: 30 },
    Phrase { name: "is to, are to, with a verb", pattern: Some(r"(?i)\b(is|are|was|were) to [a-z]+\b"), limit: 14 },
    Phrase { name: "in the place of", pattern: Some(r"(?i)\bin the place of\b"), limit: 1 },
    Phrase {
        name: "has no memory, makes something of, what becomes of",
        pattern: Some(
            r"(?i)\b((has|have|had) no memory|(make|makes|made) (something|nothing|anything|the best) of|(what|which) becomes of)\b",
        ),
        limit: 0,
    },
    Phrase {
        name: "alone, in place of only",
        pattern: Some(
            r"(?i)\b(state|rules?|threads?|rows?|agents|ranks?|axis|process|chunks|kernel|name|neighbours|dimensions) alone\b",
        ),
        limit: 16,
    },
    Phrase {
        name: "names with another meaning than in the glossary: is_alone, CrowdIndex, KeptPieces",
        pattern: Some(r"\b(is_alone|CrowdIndex|crowd_index|KeptPieces|all_kept|kept_mut|forget_places)\b"),
        limit: 0,
    },
];

/// A space, or a line break with the start of a comment on the next line.
const GAP: &str = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:(?://[/!]?|#|\*)[ \t]+)?)";

/// This file, which is not searched: it contains the patterns.
const SELF: &str = "tools/checks/src/prose.rs";

/// A turn of phrase, counted.
pub(crate) struct Count {
    pub(crate) name: &'static str,
    pub(crate) limit: usize,
    /// The matches: `FILE:LINE: text`.
    pub(crate) places: Vec<String>,
}

/// Counts the turns of phrase in these files, each a path and a text.
pub(crate) fn count(files: &[(String, String)]) -> Vec<Count> {
    PHRASES
        .iter()
        .map(|phrase| {
            let pattern = phrase.pattern.map(|pattern| pattern.replace(' ', GAP));
            let pattern = pattern.map(|pattern| Regex::new(&pattern).expect("the pattern is valid"));
            let mut places = Vec::new();
            for (file, text) in files.iter().filter(|(file, _)| file != SELF) {
                match &pattern {
                    Some(pattern) => places.extend(matches(pattern, file, text)),
                    None => places.extend(asking_header(file, text)),
                }
            }
            Count { name: phrase.name, limit: phrase.limit, places }
        })
        .collect()
}

/// Returns one place for each match of a pattern.
fn matches<'a>(pattern: &'a Regex, file: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
    pattern.find_iter(text).map(move |found| {
        let line = text[..found.start()].matches('\n').count();
        format!("{file}:{}: {}", line + 1, text.lines().nth(line).unwrap_or_default().trim())
    })
}

/// Returns the place of the file's header if its first paragraph asks. Code in it does not count.
fn asking_header(file: &str, text: &str) -> Option<String> {
    let header = text.lines().take_while(|line| line.starts_with("//! "));
    let header = header.map(|line| &line[4..]).collect::<Vec<_>>().join(" ");
    let asks = header.split('`').step_by(2).any(|prose| prose.contains('?'));
    asks.then(|| format!("{file}:1: {header}"))
}

#[cfg(test)]
mod tests {
    use super::count;

    /// Returns the counts for one file, in the order of the phrases.
    fn counts(text: &str) -> Vec<usize> {
        count(&[("a.rs".to_owned(), text.to_owned())]).iter().map(|count| count.places.len()).collect()
    }

    #[test]
    fn turns_of_phrase_are_counted_as_whole_words() {
        let text = "//! Where does chance\n//! come from?\n\n//! Who told whom?\n// There IS no Whole, and is not a who's-who.\n";
        let other = "//! What `a?` is.\nretold, intelligible, \"as many as made anew\"\n";
        let files = [("a.rs".to_owned(), text.to_owned()), ("b.rs".to_owned(), other.to_owned())];
        let counts: Vec<usize> = count(&files).iter().map(|count| count.places.len()).collect();
        assert_eq!(counts, [1, 4, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(count(&files)[2].places, ["a.rs:4: //! Who told whom?"]);
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
        assert_eq!(count(&[("a.rs".to_owned(), "//\n// that\n// of\n".to_owned())])[5].places, ["a.rs:2: // that"]);
    }
}
