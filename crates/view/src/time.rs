//! The time of a session: single ticks, earlier ticks of the run, and reverted edits.

use std::time::Duration;

use serde_json::json;
use throng::with_world;

use super::edit::{self, Applied, Edit};
use super::history::HASH_EVERY;
use super::session::{FRAME_INTERVAL, MILESTONE, Session};

/// The farthest tick that can be reached at once, after the last one of the run.
const MAX_AHEAD: u64 = 100_000;
/// About the most bytes of recorded edits.
const MOST_RECORDED: usize = 64 << 20;

impl Session {
    /// Advances the world by one tick, with the edits that the log has at this one.
    pub(super) fn step(&mut self) {
        self.follow_link();
        self.repeat_edits();
        self.world.step();
        if self.world.tick() == MILESTONE {
            self.milestone = (!self.is_edited()).then(|| self.world.state_hash());
        }
        self.story.count(&self.world);
        self.history.reached(&self.world, &self.story);
        self.unsent = true;
    }

    /// Whether the world differs from the one of its source.
    pub(super) fn is_edited(&self) -> bool {
        self.history.is_edited() || !self.viewer.changes.is_empty()
    }

    /// Applies the edits of a link at the present tick. The first that fails ends them.
    fn follow_link(&mut self) {
        while self.script.front().is_some_and(|(tick, _)| *tick <= self.world.tick()) {
            let Some((_, edit)) = self.script.pop_front() else { return };
            match self.apply(&edit) {
                Ok(applied) => self.history.record(&self.world, &self.story, edit, applied),
                Err(reason) => {
                    self.script.clear();
                    let error = format!("the link has an edit that fails, and ends there: {reason}");
                    self.viewer.pages.send_all(&json!({ "error": error }).to_string());
                }
            }
            self.limit_recording();
        }
    }

    /// Applies the edits of the log at the present tick that the world does not contain yet.
    fn repeat_edits(&mut self) {
        for edit in self.history.due(self.world.tick()) {
            // The same edit of the same world succeeded before.
            let _ = self.apply(&edit);
            self.next_numbers = self.viewer.now();
        }
    }

    /// Applies an edit to the world.
    pub(super) fn apply(&mut self, edit: &Edit) -> Result<Applied, String> {
        with_world!(&mut self.world, world => edit::apply(world, edit))
    }

    /// Takes the world to a tick of its run: to a snapshot before it at once, and then tick by tick.
    pub(super) fn seek(&mut self, tick: u64) -> Result<(), String> {
        let tick = tick.min(self.history.last() + MAX_AHEAD);
        let registry = edit::with_falcon(&self.viewer.source.registry)?;
        if let Some((world, story)) = self.history.rewind(self.world.tick(), tick, &registry)? {
            (self.world, self.story) = (world, story);
            self.viewer.pace.jump(self.world.tick(), self.viewer.now());
        }
        self.viewer.pace.play(false, self.viewer.now());
        self.target = Some(tick);
        self.approach();
        Ok(())
    }

    /// Advances towards the target for about one frame.
    pub(super) fn approach(&mut self) {
        let Some(target) = self.target else { return };
        let start = self.viewer.now();
        while self.world.tick() < target && self.viewer.now() - start < FRAME_INTERVAL + Duration::from_millis(20) {
            self.step();
        }
        if self.world.tick() >= target {
            self.follow_link();
            self.repeat_edits();
            self.target = None;
            self.edited(true);
            self.send_pace();
        }
    }

    /// Reverts the last edit (`back`), or repeats the last reverted one.
    pub(super) fn revert(&mut self, back: bool) -> Result<(), String> {
        let Some(edits) = self.history.take(back) else { return Ok(()) };
        let mut done = Vec::new();
        let mut fault = None;
        for edit in edits {
            match self.apply(&edit) {
                Ok(applied) => done.push((edit, applied)),
                Err(reason) => fault = Some(reason),
            }
        }
        self.history.record_taken(&self.world, &self.story, back, done);
        self.limit_recording();
        self.edited(true);
        fault.map_or(Ok(()), Err)
    }

    /// Starts a new recording if the edits of the present one take too much memory.
    pub(super) fn limit_recording(&mut self) {
        if self.world.recording_bytes() > MOST_RECORDED {
            self.world.record(HASH_EVERY);
            self.history.forget_recordings();
        }
    }

    /// Publishes a world that edits have changed: also its description, if they changed that.
    pub(super) fn edited(&mut self, described: bool) {
        self.viewer.changes.clone_from(self.history.changes());
        if described {
            self.send_world(None);
        }
        self.unsent = true;
        self.next_numbers = self.viewer.now();
    }
}
