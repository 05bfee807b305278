//! The cards of the gallery: the scenarios beside one, each with its caption and, if it is shipped, its picture.

use serde_json::{Value as Json, json};
use throng_scenario::Scenario;

use super::built_in;
use super::source::Source;
use super::thumbnails;

/// The card of one scenario.
#[derive(Debug)]
pub struct Card {
    json: Json,
    /// The scenario if the card has no picture, and the checksum of its text.
    pub undrawn: Option<(u32, Scenario)>,
}

impl Card {
    /// The card of the scenario with this name beside a source. `drawn` returns the picture of a text with this checksum,
    /// as an address with its data, if it exists already.
    pub fn of(source: &Source, name: &str, drawn: impl Fn(u32) -> Option<String>) -> Self {
        let read = source.sibling(name).and_then(|source| {
            let scenario = source.load().map_err(|problems| problems.to_string())?;
            Ok((source, scenario))
        });
        match read {
            Ok((source, scenario)) => {
                let (thumbnail, text) = (thumbnails::of(&source.text), thumbnails::checksum(&source.text));
                let picture = thumbnail.map(|one| one.picture.clone()).or_else(|| drawn(text));
                let (group, title) = (built_in::group_of(&source.text), scenario.name());
                let undrawn = picture.is_none();
                let json = json!({
                    "name": name, "title": title, "caption": source.caption(), "picture": picture, "group": group,
                });
                Self { json, undrawn: undrawn.then_some((text, scenario)) }
            }
            Err(error) => {
                // A card has no room for the folder.
                let path = source.file().with_file_name(name).to_string_lossy().into_owned();
                let caption = error.replace(&path, name);
                let json = json!({ "name": name, "title": name, "caption": caption, "picture": null, "group": null });
                Self { json, undrawn: None }
            }
        }
    }

    /// The same card with a picture.
    #[must_use]
    pub fn with(mut self, picture: String) -> Self {
        self.json["picture"] = picture.into();
        self
    }

    /// The message to a page.
    #[must_use]
    pub fn message(&self) -> String {
        json!({ "gallery": self.json }).to_string()
    }
}
