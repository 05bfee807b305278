//! Sessions: the engine's loop over one world, which takes commands, steps at the requested pace and publishes frames.

use std::time::{Duration, Instant};

use serde_json::json;
use throng::{AgentId, AnyWorld, Scenario, with_world};

use super::changes::Change;
use super::command::Command;
use super::desk::{Desk, Next};
use super::edit;
use super::mailbox::ClientId;
use crate::failure::Failure;

/// The least time between two frames: most screens refresh no faster.
pub(super) const FRAME: Duration = Duration::from_millis(14);
/// The time between two sets of numbers, and between two explanations.
pub(super) const NUMBERS: Duration = Duration::from_millis(100);
/// The longest sleep of the engine, which bounds the response time to a signal.
const NAP: Duration = Duration::from_millis(50);
/// The most commands between two ticks.
const COMMANDS: usize = 256;

/// Runs world after world until a signal ends the program.
pub(super) fn run(desk: &mut Desk, mut scenario: Scenario, mut world: AnyWorld) -> Result<(), Failure> {
    loop {
        desk.number += 1;
        desk.watched.clear();
        desk.hub.forget_frames();
        (scenario, world) = Session::new(desk, &scenario, world).run()?;
    }
}

/// One world, and the times of the next tick, frame and numbers.
pub(super) struct Session<'d> {
    pub(super) desk: &'d mut Desk,
    pub(super) name: String,
    pub(super) world: AnyWorld,
    /// Whether the pages lack the present state.
    pub(super) news: bool,
    pub(super) due: Instant,
    pub(super) next_frame: Instant,
    pub(super) next_numbers: Instant,
    /// The time and the tick of the last measurement of `ticks_per_second`.
    pub(super) told: (Instant, u64),
    pub(super) ticks_per_second: f64,
}

impl<'d> Session<'d> {
    pub(super) fn new(desk: &'d mut Desk, scenario: &Scenario, world: AnyWorld) -> Self {
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

    pub(super) fn run(mut self) -> Result<Next, Failure> {
        loop {
            self.desk.signals.check()?;
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
        // Ticks missed by more than four periods are not made up for.
        if self.due + period * 4 < now {
            self.due = now;
        }
    }

    /// Obeys the pending commands, or waits for one until something else is due. Returns the next world if a command
    /// asks for it.
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
                let mut source = self.desk.source.again().map_err(|problems| problems.to_string())?;
                source.seed = seed.or(source.seed);
                return self.desk.prepare(source, keep).map(Some);
            }
            Command::Open(name) => {
                let source = self.desk.source.neighbour(&name)?;
                return self.desk.prepare(source, false).map(Some);
            }
            Command::Save => {
                let Desk { changes, source, hub, .. } = &*self.desk;
                let file = json!({ "name": source.name(), "text": changes.text(source)? });
                hub.tell(client, json!({ "file": file }).to_string());
            }
            Command::Pick(point) => {
                let nearest = with_world!(&self.world, world => edit::nearest(world, &point))?;
                self.watch(client, nearest);
            }
            Command::Watch(id) => self.watch(client, id),
            edit => {
                let changes = with_world!(&mut self.world, world => edit::apply(world, edit))?;
                if changes.iter().any(|change| matches!(change, Change::Key(..))) {
                    self.tell_world(None);
                }
                changes.into_iter().for_each(|change| self.desk.changes.note(change));
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
}
