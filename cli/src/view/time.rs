//! The time of a session: single ticks, earlier ticks of the run, and reverted edits.

use std::time::{Duration, Instant};

use throng::with_world;

use super::edit::{self, Applied, Edit};
use super::session::{FRAME_INTERVAL, Session};

/// The farthest tick that can be reached at once, after the last one of the run.
const MAX_AHEAD: u64 = 100_000;

impl Session<'_> {
    /// Advances the world by one tick, with the edits that the log has at this one.
    pub(super) fn step(&mut self) {
        self.repeat_edits();
        self.world.step();
        self.story.count(&self.world);
        self.history.reached(&self.world, &self.story);
        self.unsent = true;
    }

    /// Applies the edits of the log at the present tick that the world does not contain yet.
    fn repeat_edits(&mut self) {
        for edit in self.history.due(self.world.tick()) {
            // The same edit of the same world succeeded before.
            let _ = self.apply(&edit);
            self.next_numbers = Instant::now();
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
            self.viewer.pace.jump(self.world.tick());
        }
        self.viewer.pace.play(false);
        self.target = Some(tick);
        self.approach();
        Ok(())
    }

    /// Advances towards the target for about one frame.
    pub(super) fn approach(&mut self) {
        let Some(target) = self.target else { return };
        let start = Instant::now();
        while self.world.tick() < target && start.elapsed() < FRAME_INTERVAL + Duration::from_millis(20) {
            self.step();
        }
        if self.world.tick() >= target {
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
        self.edited(true);
        fault.map_or(Ok(()), Err)
    }

    /// Publishes a world that edits have changed: also its description, if they changed that.
    pub(super) fn edited(&mut self, described: bool) {
        self.viewer.changes.clone_from(self.history.changes());
        if described {
            self.send_world(None);
        }
        self.unsent = true;
        self.next_numbers = Instant::now();
    }
}
