//! Spelling suggestions: the known word nearest to an unknown one.

/// The known word that an unknown one probably means; `None` if none is near.
///
/// ```
/// use throng::parameters::nearest_word;
///
/// assert_eq!(nearest_word("seperation", ["alignment", "separation"]), Some("separation"));
/// assert_eq!(nearest_word("colour", ["alignment", "separation"]), None);
/// ```
#[must_use]
pub fn nearest_word<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let (far, nearest) = known.into_iter().map(|other| (distance(word, other), other)).min()?;
    (far <= 1 + nearest.len() / 4).then_some(nearest)
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
}
