//! The messages of a session to the pages: the world, its frames, its numbers, and the explanations of agents.

use std::time::Duration;

use serde_json::{Value as Json, json};
use throng::{AgentId, AnyWorld, with_world};

use super::contents::Contents;
use super::pages::PageId;
use super::session::{FRAME_INTERVAL, NUMBERS_INTERVAL, Session};
use super::viewer::Viewer;
use super::{describe, explain, frame};

impl Session {
    /// Sends the description of the world to one page or all of them.
    pub(super) fn send_world(&mut self, page: Option<PageId>) {
        if self.viewer.original.is_null() {
            let registry = &self.viewer.source.registry;
            self.viewer.original = with_world!(&self.world, world => describe::species(world, registry));
        }
        let registry = &self.viewer.source.registry;
        let mut world = with_world!(&self.world, world => describe::world(world, registry));
        world["number"] = self.viewer.number.into();
        world["name"] = self.name[..].into();
        world["caption"] = self.caption[..].into();
        world["outputs"] = self.outputs.clone();
        world["original"] = self.viewer.original.clone();
        world["run"] = self.viewer.source.command().into();
        world["file"] = self.viewer.source.name().into();
        world["shipped"] = self.viewer.source.shipped().into();
        world["files"] = self.viewer.source.siblings().into();
        world["pace"] = self.pace();
        let text = json!({ "world": world }).to_string();
        match page {
            Some(page) => self.viewer.pages.send(page, text),
            None => self.viewer.pages.send_all(&text),
        }
    }

    pub(super) fn send_pace(&mut self) {
        self.next_numbers = self.viewer.now();
        self.viewer.pages.send_all(&json!({ "pace": self.pace() }).to_string());
    }

    fn pace(&self) -> Json {
        let Viewer { pace, shade, forces, .. } = &self.viewer;
        json!({ "playing": pace.playing, "times": pace.times, "colour": shade.name(), "forces": forces })
    }

    /// Sends the present frame to every page.
    pub(super) fn publish(&mut self) {
        let now = self.viewer.now();
        self.unsent = false;
        self.next_frame = now + FRAME_INTERVAL;
        if self.viewer.pages.is_empty() {
            if now >= self.next_numbers {
                self.numbers(now, Duration::ZERO);
            }
            return;
        }
        self.viewer.serial = self.viewer.serial.wrapping_add(1);
        let Viewer { serial, number, ref shade, forces, .. } = self.viewer;
        let bytes = with_world!(&self.world, world => {
            frame::encode(&Contents::of(world, shade.values(world), forces), serial, number)
        });
        let encoded = self.viewer.now() - now;
        let numbers = (now >= self.next_numbers).then(|| self.numbers(now, encoded));
        let watched = self.explanations(numbers.is_some());
        self.viewer.pages.publish(bytes, &mut |page| {
            let own = watched.iter().filter(|(other, _)| *other == page).map(|(_, text)| text.clone());
            numbers.iter().cloned().chain(own).collect()
        });
    }

    fn numbers(&mut self, now: Duration, encoded: Duration) -> String {
        self.next_numbers = now + NUMBERS_INTERVAL;
        let mut numbers = describe::numbers(&self.world);
        numbers["ticks_per_second"] = self.viewer.pace.rate(self.world.tick(), now).into();
        numbers["encode_ms"] = (encoded.as_secs_f64() * 1e3).into();
        numbers["last"] = self.history.last().into();
        numbers["reversible"] = self.history.reversible().to_vec().into();
        numbers["edited"] = self.is_edited().into();
        numbers["milestone"] = self.milestone.map(|hash| format!("{hash:016x}")).into();
        numbers["story"] = self.story.describe(&self.world);
        self.samples.add(self.world.tick(), &numbers);
        numbers["substances"] = with_world!(&self.world, world => describe::substances(world)).into();
        numbers["scenery"] = with_world!(&self.world, world => describe::environment(world));
        // Only while paused: the hash costs time, and while running it changes too fast to be read.
        if !self.viewer.pace.playing {
            numbers["hash"] = format!("{:016x}", self.world.state_hash()).into();
        }
        json!({ "numbers": numbers }).to_string()
    }

    /// Returns the message to each page about the agent that it watches: the agent's place in the frame and, if
    /// `in_full`, its explanation.
    fn explanations(&mut self, in_full: bool) -> Vec<(PageId, String)> {
        let mut texts = Vec::new();
        let mut gone = Vec::new();
        for (&page, &id) in &self.viewer.watched {
            let Some(place) = place(&self.world, id) else {
                gone.push(page);
                texts.push((page, json!({ "watched": null }).to_string()));
                continue;
            };
            let mut text = json!({ "watched": { "place": place } });
            if in_full {
                text["watched"]["why"] =
                    with_world!(&mut self.world, world => explain::explain(world, id)).unwrap_or_default();
            }
            texts.push((page, text.to_string()));
        }
        for page in gone {
            self.viewer.watched.remove(&page);
        }
        texts
    }
}

/// The number of an agent in a frame; `None` if it no longer exists.
pub(super) fn place(world: &AnyWorld, id: AgentId) -> Option<usize> {
    let (species, row) = world.find(id).ok()?;
    let before: usize = world.all_species().take_while(|(id, ..)| *id < species).map(|(.., agents)| agents).sum();
    Some(before + row)
}
