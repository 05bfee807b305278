//! Playback: the loop over one recorded run, which executes the commands of pages and publishes frames.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};
use throng::{AgentId, Vector};
use throng_draw::{DrawnAgent, NeighbourCounts, Subject};
use throng_view::command::ClientCommand;
use throng_view::shade::{Shade, Values, scaled};
use throng_view::{FRAME_INTERVAL, NUMBERS_INTERVAL, Pace, PageId, Samples, frame};
use tungstenite::Bytes;

use super::mailbox::{Hub, Inbox};
use super::playing::{LONGEST_WAIT, MAX_COMMANDS, clock};
use super::recording::{Column, Recording};
use crate::failure::Failure;
use crate::signals::Signals;

/// Why a page cannot change anything.
const REASON: &str = "This is a recorded run: it is read-only.";

/// The seconds for which a tick is shown if its length is unknown.
const UNKNOWN_TICK: f64 = 1.0 / 60.0;

/// A recorded run, and the pages that watch it.
pub(super) struct Playback {
    name: String,
    recording: Recording,
    hub: Arc<Hub>,
    inbox: Inbox,
    signals: Signals,
    pace: Pace,
    /// The number of the present moment.
    at: usize,
    /// Whether a page has been here before. The first one starts to play.
    seen: bool,
    /// Whether the present moment has not been published yet.
    unsent: bool,
    serial: u32,
    shade: Shade,
    watched: HashMap<PageId, AgentId>,
    samples: Samples,
    next_frame: Duration,
    next_numbers: Duration,
}

/// The name of a file and of its folder.
fn short_name(file: &Path) -> String {
    let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

impl Playback {
    pub(super) fn new(file: &Path, recording: Recording, hub: Arc<Hub>, inbox: Inbox, signals: Signals) -> Self {
        let now = clock();
        let pace = Pace::new(recording.setting.world["tick_seconds"].as_f64().unwrap_or(UNKNOWN_TICK), now);
        Self {
            name: short_name(file),
            recording,
            hub,
            inbox,
            signals,
            pace,
            at: 0,
            seen: false,
            unsent: true,
            serial: 0,
            shade: Shade::Plain,
            watched: HashMap::new(),
            samples: Samples::default(),
            next_frame: now,
            next_numbers: now,
        }
    }

    /// Plays until a signal ends the program.
    pub(super) fn run(mut self) -> Result<(), Failure> {
        loop {
            self.signals.check()?;
            self.commands();
            let now = clock();
            if self.pace.is_due(now) {
                let before = self.tick();
                self.advance();
                self.pace.passed(self.tick() - before, now);
            }
            if self.unsent && clock() >= self.next_frame {
                self.publish();
            }
        }
    }

    fn tick(&self) -> u64 {
        self.recording.moments[self.at].tick
    }

    fn last(&self) -> u64 {
        self.recording.moments.last().map_or(0, |moment| moment.tick)
    }

    /// Goes to the next moment; pauses at the last.
    fn advance(&mut self) {
        self.unsent = true;
        match self.at + 1 < self.recording.moments.len() {
            true => self.at += 1,
            false => self.play(false),
        }
    }

    fn play(&mut self, playing: bool) {
        self.pace.play(playing, clock());
        self.next_numbers = clock();
        self.hub.send_all(&json!({ "pace": self.describe_pace() }).to_string());
    }

    /// Goes to the last moment that is not after this tick.
    fn seek(&mut self, tick: u64) {
        self.at = self.recording.moments.partition_point(|moment| moment.tick <= tick).saturating_sub(1);
        self.pace.jump(self.tick(), clock());
        self.next_numbers = clock();
    }

    /// Executes the pending commands, or waits for one until a moment or a frame is due.
    fn commands(&mut self) {
        let now = clock();
        let mut wait = self.pace.wait(now, LONGEST_WAIT);
        if self.unsent && !self.hub.is_empty() {
            wait = wait.min(self.next_frame.saturating_sub(now));
        }
        for _ in 0..MAX_COMMANDS {
            let Ok((client, command)) = self.inbox.recv_timeout(wait) else { return };
            wait = Duration::ZERO;
            if let Err(reason) = self.execute(client, command) {
                self.hub.send(client, json!({ "error": reason }).to_string());
            }
        }
    }

    fn execute(&mut self, client: PageId, command: ClientCommand) -> Result<(), String> {
        self.unsent = true;
        match command {
            ClientCommand::Hello => {
                if !std::mem::replace(&mut self.seen, true) {
                    self.pace.play(true, clock());
                }
                let world = json!({ "world": self.describe() });
                self.hub.send(client, world.to_string());
                self.hub.send(client, self.samples.message());
            }
            ClientCommand::Leave => {
                self.watched.remove(&client);
            }
            ClientCommand::Drawn | ClientCommand::Done => {}
            ClientCommand::Play(playing) => {
                if playing && self.tick() == self.last() {
                    self.seek(0);
                }
                self.play(playing);
            }
            ClientCommand::Step => {
                self.play(false);
                self.advance();
            }
            ClientCommand::Speed(times) => {
                self.pace.set_times(times, clock());
                self.play(self.pace.playing);
            }
            ClientCommand::Seek(tick) => {
                self.play(false);
                self.seek(tick);
            }
            ClientCommand::Reset { .. } => self.seek(0),
            ClientCommand::Colour(shade) => {
                self.shade = shade;
                self.play(self.pace.playing);
            }
            ClientCommand::Pick(point) => {
                let id = self.nearest(&point);
                self.watch(client, id);
            }
            ClientCommand::Watch(id) => self.watch(client, id),
            ClientCommand::Open(_)
            | ClientCommand::Save
            | ClientCommand::Recording
            | ClientCommand::Link
            | ClientCommand::Edit(_)
            | ClientCommand::Undo
            | ClientCommand::Redo
            | ClientCommand::Forces(_)
            | ClientCommand::Gallery => return Err(REASON.to_owned()),
        }
        Ok(())
    }

    fn watch(&mut self, client: PageId, id: Option<AgentId>) {
        match id {
            Some(id) => self.watched.insert(client, id),
            None => self.watched.remove(&client),
        };
        self.next_numbers = clock();
    }

    fn species(&self) -> &[Column] {
        &self.recording.moments[self.at].species
    }

    /// The agent nearest to a point.
    fn nearest(&self, point: &[f64]) -> Option<AgentId> {
        let (mut best, mut least) = (None, f64::INFINITY);
        for column in self.species() {
            for (row, &id) in column.ids.iter().enumerate() {
                let offsets = column.positions.iter().zip(point).map(|(axis, at)| f64::from(axis[row]) - at);
                let distance: f64 = offsets.map(|offset| offset * offset).sum();
                if distance < least {
                    (best, least) = (Some(id), distance);
                }
            }
        }
        best
    }

    fn describe_pace(&self) -> Json {
        let Pace { playing, times, .. } = self.pace;
        json!({ "playing": playing, "times": times, "colour": self.shade.name(), "forces": false })
    }

    /// The description of the world: without rules, for nothing can be changed.
    fn describe(&self) -> Json {
        let setting = &self.recording.setting;
        let mut world = setting.world.clone();
        let species = setting.species.iter().map(
            |name| json!({ "name": name, "quantities": [], "rules": [], "states": [], "columns": [], "variables": [] }),
        );
        world["species"] = species.collect();
        world["number"] = 1.into();
        world["name"] = self.name[..].into();
        world["file"] = self.name[..].into();
        world["files"] = json!([]);
        world["run"] = "".into();
        world["pace"] = self.describe_pace();
        world["recorded"] = match self.recording.thinned {
            1 => REASON.into(),
            thinned => format!("{REASON} It is long: one of {thinned} recorded ticks is shown.").into(),
        };
        world
    }

    /// Sends the present moment to every page.
    fn publish(&mut self) {
        let now = clock();
        self.unsent = false;
        self.next_frame = now + FRAME_INTERVAL;
        if self.hub.is_empty() {
            if now >= self.next_numbers {
                self.numbers(now, Duration::ZERO);
            }
            return;
        }
        self.serial = self.serial.wrapping_add(1);
        let mut contents = self.recording.contents(self.at);
        contents.values = self.values();
        let bytes = Bytes::from(frame::encode(&contents, self.serial, 1));
        let encoded = clock() - now;
        let numbers = (now >= self.next_numbers).then(|| self.numbers(now, encoded));
        let watched = self.explanations();
        self.hub.publish(&bytes, &mut |client| {
            let own = watched.get(&client).cloned();
            numbers.iter().cloned().chain(own).collect()
        });
    }

    /// The values of the colour, if a recording has them: states and columns it has not.
    fn values(&self) -> Option<Values> {
        match self.shade {
            Shade::Speed => {
                let speeds = self.crowd().into_iter().map(|agent| agent.velocity.length());
                Some(scaled(0.0, self.recording.fastest, speeds))
            }
            Shade::Neighbours => {
                let crowd = self.crowd();
                let subject =
                    Subject { agents: crowd.len(), ..Subject::new(self.recording.dimensions, self.recording.bounds) };
                let mut counts = NeighbourCounts::new(&subject);
                let most = counts.most() as f32;
                Some(scaled(0.0, most, counts.count(&crowd).into_iter().map(|share| share * most)))
            }
            Shade::Plain | Shade::State | Shade::Column(_) => None,
        }
    }

    fn crowd(&self) -> Vec<DrawnAgent> {
        let vector = |columns: &[Vec<f32>], row: usize| {
            Vector::from_fn(|axis| columns.get(axis).map_or(0.0, |column| column[row]))
        };
        let agents = self.species().iter().flat_map(|column| {
            (0..column.ids.len()).map(move |row| DrawnAgent {
                velocity: vector(&column.velocities, row),
                ..DrawnAgent::at(vector(&column.positions, row))
            })
        });
        agents.collect()
    }

    fn numbers(&mut self, now: Duration, encoded: Duration) -> String {
        self.next_numbers = now + NUMBERS_INTERVAL;
        let crowd = self.crowd();
        let (mut heading, mut speed) = ([0.0; 3], 0.0);
        for DrawnAgent { velocity, .. } in &crowd {
            speed += f64::from(velocity.length());
            let direction = velocity.direction();
            heading.iter_mut().zip(direction.0).for_each(|(sum, at)| *sum += f64::from(at));
        }
        let agents = crowd.len().max(1) as f64;
        let polarisation = heading.iter().map(|sum| sum * sum).sum::<f64>().sqrt() / agents;
        let populations: Vec<Json> =
            self.species().iter().map(|column| json!({ "agents": column.ids.len(), "states": [] })).collect();
        let tick = self.tick();
        let numbers = json!({
            "tick": tick,
            "agents": crowd.len(),
            "polarisation": polarisation,
            "mean_speed": speed / agents,
            "stages": [],
            "ticks_per_second": self.pace.rate(tick, now),
            "encode_ms": encoded.as_secs_f64() * 1e3,
            "first": self.recording.moments[0].tick,
            "last": self.last(),
            "reversible": [false, false],
            "edited": true,
            "story": { "events": {}, "populations": populations },
            "scenery": self.recording.setting.scenery,
        });
        self.samples.add(tick, &numbers);
        json!({ "numbers": numbers }).to_string()
    }

    /// The message to each page about the agent that it watches.
    fn explanations(&mut self) -> HashMap<PageId, String> {
        let (mut texts, mut gone) = (HashMap::new(), Vec::new());
        for (&client, &id) in &self.watched {
            let mut before = 0;
            let found = self.species().iter().enumerate().find_map(|(species, column)| {
                let row = column.ids.iter().position(|&other| other == id);
                before += if row.is_none() { column.ids.len() } else { 0 };
                Some((species, column, row?))
            });
            let text = match found {
                None => {
                    gone.push(client);
                    json!({ "watched": null })
                }
                Some((species, column, row)) => {
                    let at = |columns: &[Vec<f32>]| columns.iter().map(|column| column[row]).collect::<Vec<f32>>();
                    json!({ "watched": { "place": before + row, "why": {
                        "id": id.to_bits().to_string(),
                        "name": id.to_string(),
                        "species": species,
                        "position": at(&column.positions),
                        "velocity": at(&column.velocities),
                        "max_speed": self.recording.fastest,
                        "columns": [],
                    } } })
                }
            };
            texts.insert(client, text.to_string());
        }
        self.watched.retain(|client, _| !gone.contains(client));
        texts
    }
}
