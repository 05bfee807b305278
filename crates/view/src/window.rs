//! A window into a world of another program: its page plays, inspects and changes the world, and shows how the program
//! steps and edits it.

use std::time::Duration;

use serde_json::{Value as Json, json};
use throng::measures::RecorderSettings;
use throng::{AgentId, AnyWorld, Registry, with_world};

use super::command::ClientCommand;
use super::contents::Contents;
use super::edit::{self, Edit};
use super::messages::place;
use super::pace::Pace;
use super::pages::Pages;
use super::post::{Message, Post};
use super::samples::Samples;
use super::session::NUMBERS_INTERVAL;
use super::shade::Shade;
use super::story::Story;
use super::{describe, explain, frame};

/// Why the page does not open other worlds, save or undo.
const REASON: &str = "This world belongs to a program, which opens, saves and restarts it.";
/// The least time between two frames, which leaves the program most of its time.
const FRAME_INTERVAL: Duration = Duration::from_millis(33);
/// The longest time between two looks at the world.
const LONGEST_WAIT: Duration = Duration::from_millis(50);
/// A page that draws nothing for this long has gone.
const GONE: Duration = Duration::from_secs(20);

/// A window into a world of another program. The program passes the commands of the page on, advances the world by a tick
/// whenever one [is due](Self::is_due), and calls [`Self::look`] about twenty times a second.
#[derive(Debug)]
pub struct Window {
    now: fn() -> Duration,
    post: Post,
    pace: Pace,
    /// Whether the page has requested a single tick.
    step: bool,
    shade: Shade,
    forces: bool,
    watched: Option<AgentId>,
    /// The explanation of the watched agent.
    why: Option<Json>,
    samples: Samples,
    /// The description of the world that the page has; null if it has none.
    described: Json,
    /// The species as the first description had them.
    original: Json,
    /// Whether the page lacks the present state.
    unsent: bool,
    serial: u32,
    next_frame: Duration,
    next_numbers: Duration,
    /// The last look, and the last one at which the page could take a frame.
    looked: Duration,
    heard: Duration,
}

impl Window {
    /// A window with this clock: the time since some moment before. It is paused.
    #[must_use]
    pub fn new(now: fn() -> Duration) -> Self {
        let start = now();
        Self {
            now,
            post: Post::default(),
            pace: Pace::new(1.0, start),
            step: false,
            shade: Shade::default(),
            forces: false,
            watched: None,
            why: None,
            samples: Samples::default(),
            described: Json::Null,
            original: Json::Null,
            unsent: true,
            serial: 0,
            next_frame: start,
            next_numbers: start,
            looked: start,
            heard: start,
        }
    }

    /// Takes the next message to the page.
    #[must_use]
    pub fn take(&self) -> Option<Message> {
        self.post.take()
    }

    /// Executes a command of the page, except those that need the world: [`Self::edit`] and [`Self::pick`].
    pub fn receive(&mut self, command: ClientCommand) {
        let now = (self.now)();
        match command {
            ClientCommand::Drawn => return self.post.drawn(),
            ClientCommand::Hello => {
                self.post.renew();
                self.described = Json::Null;
            }
            ClientCommand::Leave => self.watch(None),
            ClientCommand::Play(playing) => self.pace.play(playing, now),
            ClientCommand::Step => {
                self.pace.play(false, now);
                self.step = true;
            }
            ClientCommand::Speed(times) => self.pace.set_times(times, now),
            ClientCommand::Colour(shade) => self.shade = shade,
            ClientCommand::Forces(forces) => self.forces = forces,
            ClientCommand::Watch(id) => self.watch(id),
            ClientCommand::Done | ClientCommand::Edit(_) | ClientCommand::Pick(_) => {}
            ClientCommand::Reset { .. }
            | ClientCommand::Open(_)
            | ClientCommand::Save
            | ClientCommand::Recording
            | ClientCommand::Link
            | ClientCommand::Undo
            | ClientCommand::Redo
            | ClientCommand::Seek(_)
            | ClientCommand::Gallery => self.report(REASON),
        }
        self.changed();
        self.send_pace();
    }

    /// Applies an edit of the page to the world.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the edit is invalid; the world is unchanged then.
    pub fn edit(&mut self, world: &mut AnyWorld, edit: &Edit) -> Result<(), String> {
        if matches!(edit, Edit::Falcon { .. }) {
            // Snapshots of the program would have its rule.
            return Err("the falcon does not fly in the world of a program".to_owned());
        }
        with_world!(world, world => edit::apply(world, edit))?;
        self.changed();
        Ok(())
    }

    /// Watches the agent of the world that is nearest to a point.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the point is invalid.
    pub fn pick(&mut self, world: &AnyWorld, point: &[f64]) -> Result<(), String> {
        let nearest = with_world!(world, world => edit::nearest(world, point))?;
        self.watch(nearest);
        Ok(())
    }

    /// Whether the world should advance by a tick.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.step || self.pace.is_due((self.now)())
    }

    /// Records that the world has advanced by a tick that was due.
    pub fn passed(&mut self) {
        if !std::mem::take(&mut self.step) {
            self.pace.passed(1, (self.now)());
        }
        self.unsent = true;
    }

    /// Records that the world has advanced.
    pub fn moved(&mut self) {
        if self.pace.playing {
            self.unsent = true;
        } else {
            self.changed();
        }
    }

    /// Records that the program has changed the world.
    pub fn changed(&mut self) {
        self.unsent = true;
        self.next_numbers = (self.now)();
    }

    /// Pauses.
    pub fn pause(&mut self) {
        self.step = false;
        self.pace.play(false, (self.now)());
        self.changed();
        self.send_pace();
    }

    /// Reports a failure to the page.
    pub fn report(&self, reason: &str) {
        self.post.send(Post::PAGE, json!({ "error": reason }).to_string());
    }

    /// Whether the page waits for an explanation of its agent ([`Self::explain`]).
    #[must_use]
    pub fn asks(&self) -> bool {
        self.watched.is_some() && self.unsent && (self.now)() >= self.next_numbers
    }

    /// Explains the agent that the page watches.
    pub fn explain(&mut self, world: &mut AnyWorld) {
        self.why = self.watched.and_then(|id| with_world!(world, world => explain::explain(world, id)));
    }

    /// Sends the present state to the page if it lacks it, and can take it.
    pub fn look(&mut self, world: &AnyWorld) {
        let now = (self.now)();
        // A program that was busy has heard nothing.
        let busy = now > self.looked + Duration::from_secs(1);
        self.looked = now;
        if busy || !self.post.is_full() {
            self.heard = now;
        }
        if self.unsent && now >= self.next_frame && !self.post.is_full() {
            self.describe(world);
            self.publish(world, now);
        }
    }

    /// The time until the next look, or until the next tick is due.
    #[must_use]
    pub fn wait(&self) -> Duration {
        let now = (self.now)();
        let tick = self.pace.wait(now, LONGEST_WAIT);
        let frame =
            if self.unsent && !self.post.is_full() { self.next_frame.saturating_sub(now) } else { LONGEST_WAIT };
        tick.min(frame)
    }

    /// Whether the page has gone without a message: it has drawn nothing for twenty seconds.
    #[must_use]
    pub fn is_left(&self) -> bool {
        self.looked > self.heard + GONE
    }

    fn watch(&mut self, id: Option<AgentId>) {
        (self.watched, self.why) = (id, None);
        self.changed();
    }

    fn send_pace(&self) {
        self.post.send_all(&json!({ "pace": self.pace() }).to_string());
    }

    fn pace(&self) -> Json {
        let Pace { playing, times, .. } = self.pace;
        json!({ "playing": playing, "times": times, "colour": self.shade.name(), "forces": self.forces })
    }

    /// Sends the description of the world if the page has another one.
    fn describe(&mut self, world: &AnyWorld) {
        let mut described = with_world!(world, world => describe::world(world, &Registry::new()));
        if described == self.described {
            return;
        }
        if self.original.is_null() {
            self.original = described["species"].clone();
        }
        let fresh = self.described.is_null();
        self.described = described.clone();
        self.pace.set_tick_seconds(world.settings().tick_seconds.into());
        described["number"] = 1.into();
        described["name"] = "world".into();
        described["caption"] = "".into();
        described["outputs"] = json!({ "lines": [], "areas": [] });
        // Species that the program adds later have no sliders that lead back.
        described["original"] = self.original.clone();
        described["run"] = "".into();
        described["file"] = "world".into();
        described["files"] = json!([]);
        described["hosted"] = REASON.into();
        described["pace"] = self.pace();
        self.post.send(Post::PAGE, json!({ "world": described }).to_string());
        if fresh {
            self.post.send(Post::PAGE, self.samples.message());
        }
    }

    fn publish(&mut self, world: &AnyWorld, now: Duration) {
        self.unsent = false;
        self.serial = self.serial.wrapping_add(1);
        let (shade, forces) = (&self.shade, self.forces);
        let bytes = with_world!(world, world => {
            frame::encode(&Contents::of(world, shade.values(world), forces), self.serial, 1)
        });
        let encoded = (self.now)() - now;
        self.next_frame = now + FRAME_INTERVAL;
        let mut texts = Vec::new();
        if now >= self.next_numbers {
            texts.push(self.numbers(world, now, encoded));
        }
        if let Some(id) = self.watched {
            texts.push(self.watched(world, id));
        }
        self.post.publish(bytes, &mut |_| std::mem::take(&mut texts));
    }

    fn numbers(&mut self, world: &AnyWorld, now: Duration, encoded: Duration) -> String {
        self.next_numbers = now + NUMBERS_INTERVAL;
        let tick = world.tick();
        let mut numbers = describe::numbers(world);
        numbers["ticks_per_second"] = self.pace.rate(tick, now).into();
        numbers["encode_ms"] = (encoded.as_secs_f64() * 1e3).into();
        numbers["first"] = tick.into();
        numbers["last"] = tick.into();
        numbers["reversible"] = json!([false, false]);
        numbers["edited"] = true.into();
        numbers["story"] = Story::new(world, &RecorderSettings::default()).describe(world);
        self.samples.add(tick, &numbers);
        numbers["scenery"] = with_world!(world, world => describe::environment(world));
        // As in a session: only while paused.
        if !self.pace.playing {
            numbers["hash"] = format!("{:016x}", world.state_hash()).into();
        }
        json!({ "numbers": numbers }).to_string()
    }

    /// The message about the watched agent: its number in the frame and, if there is a new one, its explanation.
    fn watched(&mut self, world: &AnyWorld, id: AgentId) -> String {
        let Some(place) = place(world, id) else {
            self.watched = None;
            return json!({ "watched": null }).to_string();
        };
        let mut watched = json!({ "place": place });
        if let Some(why) = self.why.take() {
            watched["why"] = why;
        }
        json!({ "watched": watched }).to_string()
    }
}
