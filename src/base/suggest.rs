//! Spelling suggestions: the known word nearest to an unknown one.

/// Returns `; did you mean X? (one of ...)`, or only the list if no word is near. Empty without known words.
#[cfg(feature = "scenario")]
pub(crate) fn nearest(word: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return String::new();
    }
    format!("{} (one of {})", question(word, known), known.join(", "))
}

/// Returns `; did you mean X?` if a known word is near.
pub(crate) fn question(word: &str, known: &[&str]) -> String {
    match known.iter().map(|other| (distance(word, other), other)).min() {
        Some((far, other)) if far <= 1 + other.len() / 4 => format!("; did you mean `{other}`?"),
        _ => String::new(),
    }
}

/// The Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    // Longer words are truncated, because the cost is quadratic.
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replace = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("sise", "size"), 1);
        assert_eq!(distance("seperation", "separation"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[cfg(feature = "scenario")]
    #[test]
    fn suggests_only_near_words() {
        assert_eq!(nearest("sise", &["edge", "size"]), "; did you mean `size`? (one of edge, size)");
        assert_eq!(nearest("colour", &["edge", "size"]), " (one of edge, size)");
    }
}
