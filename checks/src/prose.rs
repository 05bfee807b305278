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

const PHRASES: [Phrase; 5] = [
    Phrase { name: "headers that ask", pattern: None, limit: 2 },
    Phrase {
        name: "who, whom, whoever, nobody, somebody, everybody",
        pattern: Some(r"(?i)\b(who|whom|whoever|nobody|somebody|everybody)\b"),
        limit: 80,
    },
    Phrase { name: "tell, tells, told", pattern: Some(r"(?i)\b(tell|tells|told)\b"), limit: 10 },
    Phrase { name: "is no, are no", pattern: Some(r"(?i)\b(is|are) no\b"), limit: 15 },
    Phrase {
        name: "made anew, sees to it, so many, as many",
        pattern: Some(r"(?i)\b(made anew|sees to it|so many|as many)\b"),
        limit: 10,
    },
];

/// This file, which is not searched: it contains the patterns.
const SELF: &str = "checks/src/prose.rs";

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
            let pattern = phrase.pattern.map(|pattern| Regex::new(pattern).expect("the pattern is valid"));
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
    text.lines().enumerate().flat_map(move |(number, line)| {
        let place = move |_| format!("{file}:{}: {}", number + 1, line.trim());
        pattern.find_iter(line).map(place)
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

    #[test]
    fn turns_of_phrase_are_counted_as_whole_words() {
        let text = "//! Where does chance\n//! come from?\n\n//! Who told whom?\n// There IS no Whole, and is not a who's-who.\n";
        let other = "//! What `a?` is.\nretold, intelligible, \"as many as made anew\"\n";
        let files = [("a.rs".to_owned(), text.to_owned()), ("b.rs".to_owned(), other.to_owned())];
        let counts: Vec<usize> = count(&files).iter().map(|count| count.places.len()).collect();
        assert_eq!(counts, [1, 4, 1, 1, 2]);
        assert_eq!(count(&files)[2].places, ["a.rs:4: //! Who told whom?"]);
    }
}
