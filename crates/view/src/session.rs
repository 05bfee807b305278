//! Sessions: the loop over one world, which executes commands, steps at the requested pace and publishes frames.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value as Json, json};
use throng::{AgentId, AnyWorld, with_world};
use throng_scenario::Scenario;

use super::changes::Change;
use super::command::ClientCommand;
use super::describe;
use super::edit::{self, Edit};
use super::history::{HASH_EVERY, History};
use super::link::Link;
use super::pages::PageId;
use super::samples::Samples;
use super::source::Source;
use super::story::Story;
use super::viewer::{NextWorld, Viewer};

/// The least time between two frames. Most screens do not refresh faster.
pub const FRAME_INTERVAL: Duration = Duration::from_millis(14);
/// The time between two sets of numbers, and between two explanations.
pub const NUMBERS_INTERVAL: Duration = Duration::from_millis(100);
/// The tick whose state is compared with other machines.
pub(super) const MILESTONE: u64 = 1000;
/// The wait of a session that has nothing to do.
const LONG: Duration = Duration::from_secs(3600);

/// One world, and the times of the next tick, frame and numbers.
#[derive(Debug)]
pub struct Session {
    pub(super) viewer: Viewer,
    pub(super) name: String,
    pub(super) world: AnyWorld,
    /// The caption of the scenario, and its picture and measures.
    pub(super) caption: String,
    pub(super) outputs: Json,
    pub(super) story: Story,
    pub(super) samples: Samples,
    pub(super) history: History,
    /// The hash of the state at [`MILESTONE`], if the world was not edited before.
    pub(super) milestone: Option<u64>,
    /// The edits of a link that are still to come, with their ticks.
    pub(super) script: VecDeque<(u64, Edit)>,
    /// The tick to reach before the world is shown again.
    pub(super) target: Option<u64>,
    /// Whether the present state has not been published yet.
    pub(super) unsent: bool,
    pub(super) next_frame: Duration,
    pub(super) next_numbers: Duration,
}

impl Session {
    /// Plays a world, which was built from the viewer's source.
    #[must_use]
    pub fn new(mut viewer: Viewer, scenario: &Scenario, mut world: AnyWorld) -> Self {
        world.record(HASH_EVERY);
        let now = viewer.now();
        viewer.number += 1;
        viewer.pace.set_tick_seconds(world.settings().tick_seconds.into());
        viewer.pace.jump(0, now);
        let (name, story) = (scenario.name().to_owned(), Story::new(&world, scenario.recording()));
        let history = History::new(&world, viewer.changes.clone(), &story, viewer.host);
        let caption = viewer.source.caption();
        let mut session = Self {
            viewer,
            name,
            caption,
            outputs: describe::outputs(scenario),
            story,
            samples: Samples::default(),
            history,
            milestone: None,
            script: VecDeque::new(),
            target: None,
            world,
            unsent: true,
            next_frame: now,
            next_numbers: now,
        };
        session.send_world(None);
        session
    }

    /// Builds the world of a source, and the session that plays it.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the source is not a valid scenario, or if its world cannot be built.
    pub fn open(mut viewer: Viewer) -> Result<Self, String> {
        let (scenario, world) = viewer.prepare(viewer.source.clone(), false)?;
        Ok(Self::new(viewer, &scenario, world))
    }

    /// Opens a link in the world of its source: its edits are applied at their ticks until its tick is reached.
    pub fn follow(&mut self, link: &Link) {
        self.script = link.edits().collect();
        self.target = Some(link.tick);
        // It stays paused at its tick.
        self.viewer.seen = true;
    }

    /// Plays the world of another source, if it can be built. Otherwise every page learns the reason.
    #[must_use]
    pub fn replace(mut self, source: Result<Source, String>) -> Self {
        match source.and_then(|source| self.viewer.prepare(source, false)) {
            Ok(next) => self.next(next),
            Err(reason) => {
                self.viewer.pages.send_all(&json!({ "error": reason }).to_string());
                self
            }
        }
    }

    fn next(self, (scenario, world): NextWorld) -> Self {
        let mut viewer = self.viewer;
        viewer.watched.clear();
        viewer.pages.drop_frames();
        Self::new(viewer, &scenario, world)
    }

    /// The world that is played.
    #[must_use]
    pub fn world(&self) -> &AnyWorld {
        &self.world
    }

    /// The source of the world that is played.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.viewer.source
    }

    /// The time until the session has something to do, unless a command comes before.
    #[must_use]
    pub fn wait(&self) -> Duration {
        if self.target.is_some() {
            return Duration::ZERO;
        }
        let now = self.viewer.now();
        let wait = self.viewer.pace.wait(now, LONG);
        if self.unsent && !self.viewer.pages.is_empty() {
            return wait.min(self.next_frame.saturating_sub(now));
        }
        wait
    }

    /// Executes a command of a page, which learns why it fails.
    #[must_use]
    pub fn receive(mut self, page: PageId, command: ClientCommand) -> Self {
        match self.execute(page, command) {
            Ok(None) => self,
            Ok(Some(next)) => self.next(next),
            Err(reason) => {
                self.viewer.pages.send(page, json!({ "error": reason }).to_string());
                self
            }
        }
    }

    /// Advances by a tick and publishes a frame, if these are due.
    pub fn advance(&mut self) {
        let now = self.viewer.now();
        if self.target.is_some() {
            self.approach();
        } else if self.viewer.pace.is_due(now) {
            self.step();
            self.viewer.pace.passed(1, now);
        }
        if self.unsent && self.viewer.now() >= self.next_frame {
            self.publish();
        }
    }

    fn execute(&mut self, page: PageId, command: ClientCommand) -> Result<Option<NextWorld>, String> {
        self.unsent = true;
        match command {
            ClientCommand::Hello => {
                if !std::mem::replace(&mut self.viewer.seen, true) {
                    self.viewer.pace.play(true, self.viewer.now());
                }
                self.send_world(Some(page));
                self.viewer.pages.send(page, self.samples.message());
            }
            ClientCommand::Leave => {
                self.viewer.watched.remove(&page);
                // The falcon is a pointer of this page, or of another that moves it again.
                let away = Edit::Falcon { at: None, radius: 0.0 };
                if with_world!(&self.world, world => edit::has_falcon(world)) {
                    self.edit(away)?;
                }
            }
            ClientCommand::Drawn => {}
            ClientCommand::Play(playing) => {
                self.viewer.pace.play(playing, self.viewer.now());
                self.send_pace();
            }
            ClientCommand::Step => {
                self.viewer.pace.play(false, self.viewer.now());
                self.step();
                self.send_pace();
            }
            ClientCommand::Speed(times) => {
                self.viewer.pace.set_times(times, self.viewer.now());
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
                let Viewer { changes, source, pages, .. } = &self.viewer;
                let file = json!({ "name": source.name(), "text": changes.text(source)? });
                pages.send(page, json!({ "file": file }).to_string());
            }
            ClientCommand::Recording => {
                let Viewer { source, pages, .. } = &self.viewer;
                let name = Path::new(&source.name()).with_extension("recording").to_string_lossy().into_owned();
                let mut bytes = Vec::new();
                let recording = self.world.recording().ok_or("this world is not recorded")?;
                recording.write(&mut bytes).map_err(|error| error.to_string())?;
                pages.send_file(page, json!({ "recording": { "name": name } }).to_string(), bytes);
            }
            ClientCommand::Link => {
                let Viewer { source, pages, .. } = &self.viewer;
                let log = self.history.log();
                let (text, hash) = (log.base().text(source)?, self.world.state_hash());
                let link = Link::of(source.name(), text, log, self.world.tick(), hash)?;
                pages.send(page, json!({ "link": link }).to_string());
            }
            ClientCommand::Pick(point) => {
                let nearest = with_world!(&self.world, world => edit::nearest(world, &point))?;
                self.watch(page, nearest);
            }
            ClientCommand::Watch(id) => self.watch(page, id),
            ClientCommand::Edit(edit) => {
                self.script.clear();
                self.edit(edit)?;
            }
            ClientCommand::Done => self.history.end_gesture(),
            ClientCommand::Undo => self.revert(true)?,
            ClientCommand::Redo => self.revert(false)?,
            ClientCommand::Seek(tick) => {
                self.script.clear();
                self.seek(tick)?;
            }
            ClientCommand::Colour(shade) => {
                self.viewer.shade = shade;
                self.send_pace();
            }
            ClientCommand::Forces(forces) => {
                self.viewer.forces = forces;
                self.send_pace();
            }
            ClientCommand::Gallery => {
                let Viewer { pages, source, .. } = &mut self.viewer;
                pages.show_gallery(page, source);
            }
        }
        Ok(None)
    }

    /// Applies an edit, and records it.
    fn edit(&mut self, edit: Edit) -> Result<(), String> {
        let applied = self.apply(&edit)?;
        if self.world.tick() < MILESTONE {
            self.milestone = None;
        }
        let described = applied.changes.iter().any(|change| matches!(change, Change::Key(..)));
        self.history.record(&self.world, &self.story, edit, applied);
        self.limit_recording();
        self.edited(described);
        Ok(())
    }

    fn watch(&mut self, page: PageId, id: Option<AgentId>) {
        match id {
            Some(id) => self.viewer.watched.insert(page, id),
            None => self.viewer.watched.remove(&page),
        };
        // The next frame carries the answer.
        self.next_numbers = self.viewer.now();
    }
}
