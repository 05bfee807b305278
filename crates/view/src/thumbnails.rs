//! Thumbnails: small pictures of the shipped scenarios, for a gallery that is there at once.
//!
//! `scripts/view-thumbnails.py` takes them from the page itself. A picture belongs to the text of its scenario, so one
//! that was changed is drawn anew by the program.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// A line for each scenario.
const FILE: &str = include_str!("thumbnails.json");

/// The picture of a scenario.
#[derive(Debug, Deserialize)]
pub struct Thumbnail {
    /// The checksum of the text of the scenario.
    text: u32,
    /// The picture as an address with its data.
    pub picture: String,
}

static ALL: LazyLock<HashMap<u32, Thumbnail>> = LazyLock::new(|| {
    // A file of the repository, which a test reads.
    let all: HashMap<String, Thumbnail> = serde_json::from_str(FILE).unwrap_or_default();
    all.into_values().map(|one| (one.text, one)).collect()
});

/// The thumbnail of the scenario with this text.
#[must_use]
pub fn of(text: &str) -> Option<&'static Thumbnail> {
    ALL.get(&checksum(text))
}

/// The checksum of a text, however its lines end.
#[must_use]
pub fn checksum(text: &str) -> u32 {
    crc32fast::hash(text.replace("\r\n", "\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thumbnails_are_found_by_the_text_of_their_scenario() {
        let hall = include_str!("../../../scenarios/hall.toml");
        let found = of(hall).expect("scripts/view-thumbnails.py makes it");
        assert!(found.picture.starts_with("data:image/webp;base64,") && found.picture.len() < 20_000);
        assert!(of(&hall.replace('\n', "\r\n")).is_some());
        assert!(of(&hall.replace("500 people", "600 people")).is_none());
    }
}
