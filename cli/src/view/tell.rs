//! The messages of a session to the pages: the world, its frames, its numbers, and the explanations of agents.

use std::time::Instant;

use serde_json::{Value as Json, json};
use throng::with_world;
use tungstenite::Bytes;

use super::mailbox::ClientId;
use super::session::{FRAME, NUMBERS, Session};
use super::{describe, explain, frame};

impl Session<'_> {
    /// Sends the description of the world to one page or all of them.
    pub(super) fn tell_world(&self, client: Option<ClientId>) {
        let registry = &self.desk.source.registry;
        let mut world = with_world!(&self.world, world => describe::world(world, registry));
        world["number"] = self.desk.number.into();
        world["name"] = self.name[..].into();
        world["file"] = self.desk.source.name().into();
        world["files"] = self.desk.source.neighbours().into();
        world["pace"] = self.pace();
        let text = json!({ "world": world }).to_string();
        match client {
            Some(client) => self.desk.hub.tell(client, text),
            None => self.desk.hub.tell_all(&text),
        }
    }

    pub(super) fn tell_pace(&mut self) {
        self.next_numbers = Instant::now();
        self.desk.hub.tell_all(&json!({ "pace": self.pace() }).to_string());
    }

    fn pace(&self) -> Json {
        json!({ "playing": self.desk.playing, "speed": self.desk.speed })
    }

    /// Sends the present frame to every page.
    pub(super) fn publish(&mut self) {
        let now = Instant::now();
        self.news = false;
        self.next_frame = now + FRAME;
        if self.desk.hub.is_empty() {
            return;
        }
        self.desk.serial = self.desk.serial.wrapping_add(1);
        let (serial, number) = (self.desk.serial, self.desk.number);
        let bytes = Bytes::from(with_world!(&self.world, world => frame::encode(world, serial, number)));
        let numbers = (now >= self.next_numbers).then(|| self.numbers(now));
        let watched = self.explanations(numbers.is_some());
        self.desk.hub.publish(&bytes, |client| {
            let own = watched.iter().filter(|(other, _)| *other == client).map(|(_, text)| text.clone());
            numbers.iter().cloned().chain(own).collect()
        });
    }

    fn numbers(&mut self, now: Instant) -> String {
        self.next_numbers = now + NUMBERS;
        let (then, tick) = self.told;
        let seconds = (now - then).as_secs_f64();
        if seconds > 0.5 || !self.desk.playing {
            self.ticks_per_second = (self.world.tick() - tick) as f64 / seconds;
            self.told = (now, self.world.tick());
        }
        let mut numbers = describe::numbers(&self.world);
        numbers["ticks_per_second"] = self.ticks_per_second.into();
        numbers["scenery"] = with_world!(&self.world, world => describe::environment(world));
        // Only while paused, when it can be read: while running, it would cost speed.
        if !self.desk.playing {
            numbers["hash"] = format!("{:016x}", self.world.state_hash()).into();
        }
        json!({ "numbers": numbers }).to_string()
    }

    /// Returns the message to each client about the agent that it watches: its place in the frame, and its explanation
    /// if `in_full`.
    fn explanations(&mut self, in_full: bool) -> Vec<(ClientId, String)> {
        let mut texts = Vec::new();
        let mut gone = Vec::new();
        for (&client, &id) in &self.desk.watched {
            let Ok((species, row)) = self.world.find(id) else {
                gone.push(client);
                texts.push((client, json!({ "watched": null }).to_string()));
                continue;
            };
            let before: usize = self.world.species().take(species.number()).map(|(.., agents)| agents).sum();
            let mut text = json!({ "watched": { "place": before + row } });
            if in_full {
                text["watched"]["why"] =
                    with_world!(&mut self.world, world => explain::explain(world, id)).unwrap_or_default();
            }
            texts.push((client, text.to_string()));
        }
        for client in gone {
            self.desk.watched.remove(&client);
        }
        texts
    }
}
