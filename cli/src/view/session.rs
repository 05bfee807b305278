//! Sessions: the loop over one world, which executes commands, steps at the requested pace and publishes frames.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use throng::{AgentId, AnyWorld, with_world};
use throng_scenario::Scenario;

use super::changes::Change;
use super::command::ClientCommand;
use super::describe;
use super::edit::{self, Edit};
use super::history::History;
use super::mailbox::ClientId;
use super::samples::Samples;
use super::story::Story;
use super::viewer::{NextWorld, Viewer};
use crate::failure::Failure;

/// The least time between two frames. Most screens do not refresh faster.
pub(super) const FRAME_INTERVAL: Duration = Duration::from_millis(14);
/// The time between two sets of numbers, and between two explanations.
pub(super) const NUMBERS_INTERVAL: Duration = Duration::from_millis(100);
/// The longest wait of the engine, which bounds the response time to a signal.
pub(super) const LONGEST_WAIT: Duration = Duration::from_millis(50);
/// The most commands between two ticks.
pub(super) const MAX_COMMANDS: usize = 256;

/// Runs world after world until a signal ends the program.
pub(super) fn run(viewer: &mut Viewer, mut scenario: Scenario, mut world: AnyWorld) -> Result<(), Failure> {
    loop {
        viewer.number += 1;
        viewer.watched.clear();
        viewer.hub.drop_frames();
        (scenario, world) = Session::new(viewer, &scenario, world).run()?;
    }
}

/// One world, and the times of the next tick, frame and numbers.
pub(super) struct Session<'v> {
    pub(super) viewer: &'v mut Viewer,
    pub(super) name: String,
    pub(super) world: AnyWorld,
    /// The caption of the scenario, and its picture and measures.
    pub(super) caption: String,
    pub(super) outputs: Json,
    pub(super) story: Story,
    pub(super) samples: Samples,
    pub(super) history: History,
    /// The tick to reach before the world is shown again.
    pub(super) target: Option<u64>,
    /// Whether the present state has not been published yet.
    pub(super) unsent: bool,
    pub(super) next_frame: Instant,
    pub(super) next_numbers: Instant,
}

impl<'v> Session<'v> {
    pub(super) fn new(viewer: &'v mut Viewer, scenario: &Scenario, world: AnyWorld) -> Self {
        let now = Instant::now();
        let (name, story) = (scenario.name().to_owned(), Story::new(&world, scenario.recording()));
        let history = History::new(&world, viewer.changes.clone(), &story);
        let caption = viewer.source.caption();
        let mut session = Self {
            viewer,
            name,
            caption,
            outputs: describe::outputs(scenario),
            story,
            samples: Samples::default(),
            history,
            target: None,
            world,
            unsent: true,
            next_frame: now,
            next_numbers: now,
        };
        session.viewer.pace.set_tick_seconds(session.world.settings().tick_seconds.into());
        session.viewer.pace.jump(0);
        session.send_world(None);
        session
    }

    pub(super) fn run(mut self) -> Result<NextWorld, Failure> {
        loop {
            self.viewer.signals.check()?;
            if let Some(next) = self.commands().or_else(|| self.viewer.saved()) {
                return Ok(next);
            }
            let now = Instant::now();
            if self.target.is_some() {
                self.approach();
            } else if self.viewer.pace.is_due(now) {
                self.tick(now);
            }
            if self.unsent && Instant::now() >= self.next_frame {
                self.publish();
            }
        }
    }

    fn tick(&mut self, now: Instant) {
        self.step();
        self.viewer.pace.passed(1, now);
    }

    /// Executes the pending commands, or waits for one until a tick or a frame is due. Returns the next world if a
    /// command requests one.
    fn commands(&mut self) -> Option<NextWorld> {
        let now = Instant::now();
        let longest = if self.target.is_some() { Duration::ZERO } else { LONGEST_WAIT };
        let mut wait = self.viewer.pace.wait(now, longest);
        if self.unsent && !self.viewer.hub.is_empty() {
            wait = wait.min(self.next_frame.saturating_duration_since(now));
        }
        for _ in 0..MAX_COMMANDS {
            let (client, command) = match self.viewer.inbox.try_recv() {
                Ok(one) => one,
                Err(_) if wait.is_zero() => return None,
                Err(_) => match self.viewer.inbox.recv_timeout(wait) {
                    Ok(one) => one,
                    Err(_) => return None,
                },
            };
            wait = Duration::ZERO;
            match self.execute(client, command) {
                Ok(None) => {}
                Ok(next) => return next,
                Err(reason) => self.viewer.hub.send(client, json!({ "error": reason }).to_string()),
            }
        }
        None
    }

    pub(super) fn execute(&mut self, client: ClientId, command: ClientCommand) -> Result<Option<NextWorld>, String> {
        self.unsent = true;
        match command {
            ClientCommand::Hello => {
                if !std::mem::replace(&mut self.viewer.seen, true) {
                    self.viewer.pace.play(true);
                }
                self.send_world(Some(client));
                self.viewer.hub.send(client, self.samples.message());
            }
            ClientCommand::Leave => {
                self.viewer.watched.remove(&client);
                // The falcon is a pointer of this client, or of another that moves it again.
                let away = Edit::Falcon { at: None, radius: 0.0 };
                if with_world!(&self.world, world => edit::has_falcon(world)) {
                    self.edit(away)?;
                }
            }
            ClientCommand::Drawn => {}
            ClientCommand::Play(playing) => {
                self.viewer.pace.play(playing);
                self.send_pace();
            }
            ClientCommand::Step => {
                self.viewer.pace.play(false);
                self.step();
                self.send_pace();
            }
            ClientCommand::Speed(times) => {
                self.viewer.pace.set_times(times);
                self.send_pace();
            }
            ClientCommand::Reset { seed, keep } => {
                let mut source = self.viewer.source.reread().map_err(|problems| problems.to_string())?;
                source.seed = seed.or(source.seed);
                return self.viewer.prepare(source, keep).map(Some);
            }
            ClientCommand::Open(name) => {
                let source = self.viewer.source.sibling(&name)?;
                return self.viewer.prepare(source, false).map(Some);
            }
            ClientCommand::Save => {
                let Viewer { changes, source, hub, .. } = &*self.viewer;
                let file = json!({ "name": source.name(), "text": changes.text(source)? });
                hub.send(client, json!({ "file": file }).to_string());
            }
            ClientCommand::Pick(point) => {
                let nearest = with_world!(&self.world, world => edit::nearest(world, &point))?;
                self.watch(client, nearest);
            }
            ClientCommand::Watch(id) => self.watch(client, id),
            ClientCommand::Edit(edit) => self.edit(edit)?,
            ClientCommand::Done => self.history.end_gesture(),
            ClientCommand::Undo => self.revert(true)?,
            ClientCommand::Redo => self.revert(false)?,
            ClientCommand::Seek(tick) => self.seek(tick)?,
            ClientCommand::Colour(shade) => {
                self.viewer.shade = shade;
                self.send_pace();
            }
            ClientCommand::Forces(forces) => {
                self.viewer.forces = forces;
                self.send_pace();
            }
            ClientCommand::Gallery => {
                let Viewer { gallery, source, .. } = &mut *self.viewer;
                gallery.request(source, client);
            }
        }
        Ok(None)
    }

    /// Applies an edit, and records it.
    fn edit(&mut self, edit: Edit) -> Result<(), String> {
        let applied = self.apply(&edit)?;
        let described = applied.changes.iter().any(|change| matches!(change, Change::Key(..)));
        self.history.record(&self.world, &self.story, edit, applied);
        self.edited(described);
        Ok(())
    }

    fn watch(&mut self, client: ClientId, id: Option<AgentId>) {
        match id {
            Some(id) => self.viewer.watched.insert(client, id),
            None => self.viewer.watched.remove(&client),
        };
        // The next frame carries the answer.
        self.next_numbers = Instant::now();
    }
}
