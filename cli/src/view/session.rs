//! What does the engine do while it is watched? Takes commands, makes ticks at the pace asked for, publishes frames.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use throng::scenario::{BuildError, Problems};
use throng::{AgentId, Scenario, World};
use tungstenite::Bytes;

use super::command::Command;
use super::edit::{self, Change};
use super::mailbox::{ClientId, Hub};
use super::{describe, explain, frame};
use crate::failure::Failure;
use crate::signals::Signals;

/// From one frame to the next: more of them no screen shows.
const FRAME: Duration = Duration::from_millis(14);
/// From one set of numbers to the next, and from one explanation to the next.
const NUMBERS: Duration = Duration::from_millis(100);
/// How long the engine sleeps at most: a signal is heard so soon.
const NAP: Duration = Duration::from_millis(50);
/// Commands that are taken between two ticks.
const COMMANDS: usize = 256;

/// Where worlds come from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    file: PathBuf,
    /// What the command line sets.
    sets: Vec<String>,
    seed: Option<u64>,
}

impl Source {
    pub(crate) fn new(file: &Path, sets: &[String], seed: Option<u64>) -> Self {
        Self { file: file.to_owned(), sets: sets.to_vec(), seed }
    }

    /// Reads the file again, with what was changed since.
    pub(crate) fn load(&self, changes: &[String]) -> Result<Scenario, Problems> {
        let mut sets = self.sets.clone();
        sets.extend_from_slice(changes);
        sets.extend(self.seed.map(|seed| format!("world.seed={seed}")));
        Scenario::load_with(&self.file, &sets)
    }

    /// The scenario files in the same folder.
    fn neighbours(&self) -> Vec<String> {
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml") && !name.starts_with('.')).collect();
        names.sort_unstable();
        names.truncate(200);
        names
    }

    fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// A world of either kind.
pub(crate) enum Built {
    Flat(World<2>),
    Space(World<3>),
}

/// Makes the world of a scenario.
pub(crate) fn build(scenario: &Scenario) -> Result<Built, BuildError> {
    match scenario.dimensions() {
        3 => scenario.build().map(Built::Space),
        _ => scenario.build().map(Built::Flat),
    }
}

/// What lasts from world to world.
pub(crate) struct Desk {
    source: Source,
    hub: Arc<Hub>,
    inbox: Receiver<(ClientId, Command)>,
    signals: Signals,
    /// Whether anybody has ever looked: the first one is to see the start.
    seen: bool,
    playing: bool,
    /// Ticks per second; as many as there can be if zero.
    speed: f64,
    /// The number of the world, and of the last frame.
    number: u32,
    serial: u32,
    /// What was changed on the rules, as keys and values of the scenario.
    changes: BTreeMap<String, String>,
    watched: HashMap<ClientId, AgentId>,
}

/// A world to go on with.
type Next = (Scenario, Built);

impl Desk {
    pub(crate) fn new(source: Source, hub: Arc<Hub>, inbox: Receiver<(ClientId, Command)>, signals: Signals) -> Self {
        Self {
            source,
            hub,
            inbox,
            signals,
            seen: false,
            playing: false,
            speed: 60.0,
            number: 0,
            serial: 0,
            changes: BTreeMap::new(),
            watched: HashMap::new(),
        }
    }

    /// Goes from world to world until a signal ends it.
    pub(crate) fn run(&mut self, mut scenario: Scenario, mut built: Built) -> Result<(), Failure> {
        loop {
            self.number += 1;
            self.watched.clear();
            self.hub.forget_frames();
            let next = match built {
                Built::Flat(world) => Session::new(self, &scenario, world).run(),
                Built::Space(world) => Session::new(self, &scenario, world).run(),
            };
            (scenario, built) = next?;
        }
    }

    /// The world of a source, made in full before the present one is given up.
    fn prepare(&mut self, source: Source, keep: bool) -> Result<Next, String> {
        let changes = self.changes.iter().filter(|_| keep).map(|(key, value)| format!("{key}={value}"));
        let changes: Vec<String> = changes.collect();
        let scenario = source.load(&changes).map_err(|problems| problems.to_string())?;
        let built = build(&scenario).map_err(|error| error.to_string())?;
        self.source = source;
        if !keep {
            self.changes.clear();
        }
        Ok((scenario, built))
    }
}

/// One world, and when what is due.
struct Session<'d, const D: usize> {
    desk: &'d mut Desk,
    name: String,
    world: World<D>,
    /// Whether there is something that the pages have not been told.
    news: bool,
    due: Instant,
    next_frame: Instant,
    next_numbers: Instant,
    /// When the numbers were last told, and at which tick.
    told: (Instant, u64),
    ticks_per_second: f64,
}

impl<'d, const D: usize> Session<'d, D> {
    fn new(desk: &'d mut Desk, scenario: &Scenario, world: World<D>) -> Self {
        let now = Instant::now();
        let name = scenario.name().to_owned();
        let session = Self {
            desk,
            name,
            world,
            news: true,
            due: now,
            next_frame: now,
            next_numbers: now,
            told: (now, 0),
            ticks_per_second: 0.0,
        };
        session.tell_world(None);
        session
    }

    fn run(mut self) -> Result<Next, Failure> {
        loop {
            if let Some(signal) = self.desk.signals.received() {
                return Err(Failure::Signal(signal));
            }
            if let Some(next) = self.commands() {
                return Ok(next);
            }
            let now = Instant::now();
            if self.desk.playing && now >= self.due {
                self.tick(now);
            }
            if self.news && Instant::now() >= self.next_frame {
                self.publish();
            }
        }
    }

    fn tick(&mut self, now: Instant) {
        self.world.step();
        self.news = true;
        let speed = self.desk.speed;
        let period = if speed > 0.0 { Duration::from_secs_f64(1.0 / speed) } else { Duration::ZERO };
        self.due += period;
        // What could not be done in time is not made up for.
        if self.due + period * 4 < now {
            self.due = now;
        }
    }

    /// Takes the commands that are there, or waits for one while there is nothing else to do.
    fn commands(&mut self) -> Option<Next> {
        let now = Instant::now();
        let mut wait = NAP;
        if self.desk.playing {
            wait = wait.min(self.due.saturating_duration_since(now));
        }
        if self.news && !self.desk.hub.is_empty() {
            wait = wait.min(self.next_frame.saturating_duration_since(now));
        }
        for _ in 0..COMMANDS {
            let (client, command) = match self.desk.inbox.try_recv() {
                Ok(one) => one,
                Err(_) if wait.is_zero() => return None,
                Err(_) => match self.desk.inbox.recv_timeout(wait) {
                    Ok(one) => one,
                    Err(_) => return None,
                },
            };
            wait = Duration::ZERO;
            match self.obey(client, command) {
                Ok(None) => {}
                Ok(next) => return next,
                Err(reason) => self.desk.hub.tell(client, json!({ "error": reason }).to_string()),
            }
        }
        None
    }

    fn obey(&mut self, client: ClientId, command: Command) -> Result<Option<Next>, String> {
        self.news = true;
        match command {
            Command::Hello => {
                if !std::mem::replace(&mut self.desk.seen, true) {
                    self.desk.playing = true;
                    self.due = Instant::now();
                }
                self.tell_world(Some(client));
            }
            Command::Leave => {
                self.desk.watched.remove(&client);
            }
            Command::Drawn => {}
            Command::Play(playing) => {
                self.desk.playing = playing;
                self.due = Instant::now();
                self.tell_pace();
            }
            Command::Step => {
                self.desk.playing = false;
                self.world.step();
                self.tell_pace();
            }
            Command::Speed(speed) => {
                self.desk.speed = speed;
                self.due = Instant::now();
                self.tell_pace();
            }
            Command::Reset { seed, keep } => {
                let mut source = self.desk.source.clone();
                source.seed = seed.or(source.seed);
                return self.desk.prepare(source, keep).map(Some);
            }
            Command::Open(name) => {
                // Only what the list shows: a name is no way out of the folder.
                if !self.desk.source.neighbours().contains(&name) {
                    return Err(format!("there is no scenario {name:?} in the folder"));
                }
                let source = Source::new(&self.desk.source.file.with_file_name(name), &[], None);
                return self.desk.prepare(source, false).map(Some);
            }
            Command::Pick(point) => {
                let mut found = Vec::new();
                let point = edit::vector::<D>(&point)?;
                self.world.nearest(point, 1, &mut found).map_err(|error| error.to_string())?;
                self.watch(client, found.first().copied());
            }
            Command::Watch(id) => self.watch(client, id),
            edit => {
                let change = edit::apply(&mut self.world, edit)?;
                if let Change::Key(key, value) = change {
                    self.desk.changes.insert(key, value);
                    self.tell_world(None);
                }
                self.next_numbers = Instant::now();
            }
        }
        Ok(None)
    }

    fn watch(&mut self, client: ClientId, id: Option<AgentId>) {
        match id {
            Some(id) => self.desk.watched.insert(client, id),
            None => self.desk.watched.remove(&client),
        };
        // The answer comes with the next frame.
        self.next_numbers = Instant::now();
    }

    /// Tells one page, or all of them, which world this is.
    fn tell_world(&self, client: Option<ClientId>) {
        let mut world = describe::world(&self.world);
        world["number"] = self.desk.number.into();
        world["name"] = self.name[..].into();
        world["file"] = self.desk.source.name().into();
        world["files"] = self.desk.source.neighbours().into();
        world["sets"] = self.desk.source.sets[..].into();
        world["changes"] = json!(self.desk.changes);
        world["pace"] = self.pace();
        let text = json!({ "world": world }).to_string();
        match client {
            Some(client) => self.desk.hub.tell(client, text),
            None => self.desk.hub.tell_all(&text),
        }
    }

    fn tell_pace(&mut self) {
        self.next_numbers = Instant::now();
        self.desk.hub.tell_all(&json!({ "pace": self.pace() }).to_string());
    }

    fn pace(&self) -> Json {
        json!({ "playing": self.desk.playing, "speed": self.desk.speed })
    }

    /// Gives every page the present frame.
    fn publish(&mut self) {
        let now = Instant::now();
        self.news = false;
        self.next_frame = now + FRAME;
        if self.desk.hub.is_empty() {
            return;
        }
        self.desk.serial = self.desk.serial.wrapping_add(1);
        let bytes = Bytes::from(frame::encode(&self.world, self.desk.serial, self.desk.number));
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
        numbers["scenery"] = describe::scenery(&self.world);
        // Of use only where it can be read; while all runs it would cost some of the speed.
        if !self.desk.playing {
            numbers["hash"] = format!("{:016x}", self.world.state_hash()).into();
        }
        json!({ "numbers": numbers }).to_string()
    }

    /// What to say to each client of the agent that it watches: where it is, and now and then why.
    fn explanations(&mut self, in_full: bool) -> Vec<(ClientId, String)> {
        let mut texts = Vec::new();
        let mut gone = Vec::new();
        for (&client, &id) in &self.desk.watched {
            let Ok((species, row)) = self.world.find(id) else {
                gone.push(client);
                texts.push((client, json!({ "watched": null }).to_string()));
                continue;
            };
            let before = self.world.species_ids().take(species.number());
            let before: usize = before.filter_map(|id| self.world.agents(id).ok()).map(throng::Agents::len).sum();
            let mut text = json!({ "watched": { "place": before + row } });
            if in_full {
                text["watched"]["why"] = explain::explain(&mut self.world, id).unwrap_or_default();
            }
            texts.push((client, text.to_string()));
        }
        for client in gone {
            self.desk.watched.remove(&client);
        }
        texts
    }
}
