//! The history of a run: snapshots of earlier ticks, the log of edits, and the edits that can be reverted.
//!
//! An earlier tick is reached from the last snapshot before it: the edits of the log are applied at their ticks again,
//! which gives equal bits.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::Duration;

use throng::{AnyRecording, AnyWorld, Registry};

use super::changes::Changes;
use super::edit::{Applied, Edit};
use super::edit_log::{EditLog, Entry};
use super::host::Host;
use super::story::Story;

/// The number of ticks between the recorded hashes of a world.
pub const HASH_EVERY: u64 = 20;
/// The most bytes of all snapshots. A world whose single snapshot takes more has no history.
const MOST_BYTES: usize = 256 << 20;
/// About the most bytes of the log of edits.
const MOST_LOG_BYTES: usize = 32 << 20;
/// About the most bytes of the edits that revert others. The edits that revert the last step are kept in any case.
const MOST_UNDO_BYTES: usize = 32 << 20;
/// The least number of ticks between two snapshots.
const LEAST_INTERVAL: u64 = 20;
/// Saving takes at most one part in this many of the time.
const SHARE: u32 = 50;

/// The history of one world.
#[derive(Debug)]
pub(super) struct History {
    /// By ascending ticks. The first is the snapshot of the first tick, unless the log became too long.
    snapshots: Vec<Snapshot>,
    interval: u64,
    log: EditLog,
    /// The last tick of the run.
    last: u64,
    undo: Steps,
    redo: Steps,
    /// Whether the next edit may replace the last one.
    gesture: bool,
    host: Host,
    started: Duration,
    spent: Duration,
    /// The reason why the world cannot be saved, if there is one.
    fault: Option<String>,
}

#[derive(Debug)]
struct Snapshot {
    tick: u64,
    position: usize,
    bytes: Vec<u8>,
    /// About the bytes of memory that it takes with its story.
    size: usize,
    story: Story,
    /// The recording of the world up to here, if it is kept.
    recording: Option<AnyRecording>,
}

/// Steps to revert or to repeat, the next one last.
#[derive(Debug, Default)]
struct Steps(VecDeque<Reversal>);

/// The edits that revert an entry of the log.
#[derive(Debug)]
struct Reversal {
    position: usize,
    edits: Vec<Edit>,
}

impl Steps {
    /// Adds a step, and drops the oldest ones beyond the limit.
    fn push(&mut self, position: usize, edits: Vec<Edit>) {
        self.0.push_back(Reversal { position, edits });
        let bytes = |step: &Reversal| step.edits.iter().map(Edit::bytes).sum::<usize>();
        let mut sum = 0;
        let kept = self.0.iter().rev().take_while(|step| {
            sum += bytes(step);
            sum <= MOST_UNDO_BYTES
        });
        let kept = kept.count().max(1);
        self.0.drain(..self.0.len() - kept);
    }
}

/// A snapshot in memory, which ends at its limit.
#[derive(Debug, Default)]
struct Limited {
    bytes: Vec<u8>,
    is_full: bool,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_full |= bytes.len() > MOST_BYTES - self.bytes.len();
        if self.is_full {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl History {
    /// The history of a world at its start.
    pub(super) fn new(world: &AnyWorld, base: Changes, story: &Story, host: Host) -> Self {
        let mut history = Self {
            snapshots: Vec::new(),
            interval: LEAST_INTERVAL,
            log: EditLog::new(base),
            last: world.tick(),
            undo: Steps::default(),
            redo: Steps::default(),
            gesture: false,
            host,
            started: (host.now)(),
            spent: Duration::ZERO,
            fault: None,
        };
        history.save(world, story);
        history
    }

    /// The last tick of the run.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Whether there are edits to revert, and reverted edits to repeat.
    pub(super) fn reversible(&self) -> [bool; 2] {
        [!self.undo.0.is_empty(), !self.redo.0.is_empty()]
    }

    /// The edits of the run.
    pub(super) fn log(&self) -> &EditLog {
        &self.log
    }

    /// Whether the present world contains edits.
    pub(super) fn is_edited(&self) -> bool {
        self.log.position() > 0
    }

    /// The changes to the scenario in the present world.
    pub(super) fn changes(&self) -> &Changes {
        self.log.changes()
    }

    /// The edits of the log at the present tick that the world does not contain yet.
    pub(super) fn due(&mut self, tick: u64) -> Vec<Edit> {
        self.log.due(tick)
    }

    /// Records that the world has reached its present tick, and saves it if it is time to.
    pub(super) fn reached(&mut self, world: &AnyWorld, story: &Story) {
        let tick = world.tick();
        self.last = self.last.max(tick);
        let saved = self.snapshots.last().map_or(0, |snapshot| snapshot.tick);
        if tick >= saved + self.interval && self.spent * SHARE <= (self.host.now)() - self.started {
            self.save(world, story);
        }
    }

    fn save(&mut self, world: &AnyWorld, story: &Story) {
        if self.fault.is_some() {
            return;
        }
        let start = (self.host.now)();
        let mut to = Limited::default();
        if let Err(error) = world.save(&mut to) {
            let too_large = || format!("a snapshot of it takes more than {} MiB", MOST_BYTES >> 20);
            self.fault = Some(if to.is_full { too_large() } else { error.to_string() });
            self.snapshots = Vec::new();
            return;
        }
        let (tick, position) = (world.tick(), self.log.position());
        to.bytes.shrink_to_fit();
        let size = to.bytes.len() + story.bytes(world);
        let (story, recording) = (story.clone(), world.recording());
        self.snapshots.push(Snapshot { tick, position, bytes: to.bytes, size, story, recording });
        self.thin(MOST_BYTES);
        self.spent += (self.host.now)() - start;
    }

    /// Drops every other snapshot but the first, and doubles the interval of later ones, until the others take at most
    /// this number of bytes.
    fn thin(&mut self, most: usize) {
        while self.snapshots.len() > 1 && self.snapshots.iter().map(|one| one.size).sum::<usize>() > most {
            let mut number = 0;
            self.snapshots.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.interval = self.interval.saturating_mul(2);
        }
    }

    /// Returns the world from which a tick is reached, if that is another one than the present: it, its story, and
    /// whether it was loaded.
    ///
    /// # Errors
    ///
    /// Fails if the world cannot be saved, or if the edits before the tick were dropped.
    pub(super) fn rewind(
        &mut self,
        present: u64,
        tick: u64,
        registry: &Registry,
    ) -> Result<Option<(AnyWorld, Story)>, String> {
        if let Some(fault) = &self.fault {
            return Err(format!("this world has no earlier ticks: {fault}"));
        }
        let place = self.snapshots.iter().rposition(|snapshot| snapshot.tick <= tick);
        let Some(snapshot) = self.snapshots.get(place.unwrap_or(0)) else { return Ok(None) };
        if place.is_none() && self.log.dropped() > 0 {
            return Err(format!("the ticks before {} are no longer kept", snapshot.tick));
        }
        if present <= tick && snapshot.tick <= present {
            return Ok(None);
        }
        let mut world = AnyWorld::load_with(&snapshot.bytes[..], registry).map_err(|error| error.to_string())?;
        (self.host.prepare)(&mut world).map_err(|error| error.to_string())?;
        match &snapshot.recording {
            Some(recording) => world.continue_recording(recording).map_err(|error| error.to_string())?,
            None => world.record(HASH_EVERY),
        }
        self.log.rewind(snapshot.position);
        self.gesture = false;
        Ok(Some((world, snapshot.story.clone())))
    }

    /// Records an edit of the present world, which contains it. The ticks after the present one, and their edits, are
    /// dropped.
    pub(super) fn record(&mut self, world: &AnyWorld, story: &Story, edit: Edit, applied: Applied) {
        self.redo.0.clear();
        // Without an inverse there is nothing to revert.
        if let Some(edits) = self.push(world.tick(), edit, applied).filter(|edits| !edits.is_empty()) {
            self.undo.push(self.log.position(), edits);
        }
        self.gesture = true;
        self.shorten(world, story);
    }

    /// Adds an entry to the log; returns the edits that revert it unless it belongs to the gesture of the last one.
    fn push(&mut self, tick: u64, edit: Edit, applied: Applied) -> Option<Vec<Edit>> {
        self.cut(tick);
        let last = self.log.last().filter(|last| self.gesture && last.edit.sets_same(&edit));
        let (same, at_once) = (last.is_some(), last.is_some_and(|last| last.tick == tick));
        let position = self.log.position();
        let replace = at_once && self.snapshots.last().is_none_or(|snapshot| snapshot.position < position);
        self.log.push(Entry { tick, edit, changes: applied.changes }, replace);
        (!same || self.undo.0.is_empty()).then_some(applied.inverse)
    }

    /// Drops the ticks after the present world in an earlier course of the run.
    fn cut(&mut self, tick: u64) {
        let position = self.log.position();
        self.snapshots.retain(|snapshot| snapshot.tick <= tick && snapshot.position <= position);
        self.undo.0.retain(|reversal| reversal.position <= position);
        self.last = tick;
    }

    /// Drops the earliest part of a log that is too long, with the snapshots that need it. Without a later one, the
    /// history starts with the present world.
    fn shorten(&mut self, world: &AnyWorld, story: &Story) {
        while self.log.bytes() > MOST_LOG_BYTES {
            let dropped = self.log.dropped();
            let next = self.snapshots.iter().position(|snapshot| snapshot.position > dropped);
            if next.is_none() {
                self.snapshots.clear();
                self.save(world, story);
            }
            self.snapshots.drain(..next.unwrap_or(0));
            self.log.forget(self.snapshots.first().map_or(self.log.position(), |snapshot| snapshot.position));
        }
    }

    /// Forgets the recordings of earlier worlds, which then start with these.
    pub(super) fn forget_recordings(&mut self) {
        self.snapshots.iter_mut().for_each(|snapshot| snapshot.recording = None);
    }

    /// Ends a gesture.
    pub(super) fn end_gesture(&mut self) {
        self.gesture = false;
    }

    /// The edits to apply for the last reversal (`back`) or repetition, if there is one.
    pub(super) fn take(&mut self, back: bool) -> Option<Vec<Edit>> {
        self.gesture = false;
        let position = self.log.position();
        let steps = if back { &mut self.undo } else { &mut self.redo };
        if back {
            // Edits of a later course of the run are not part of this world.
            steps.0.retain(|reversal| reversal.position <= position);
        }
        steps.0.pop_back().map(|reversal| reversal.edits)
    }

    /// Records the edits of a reversal (`back`) or a repetition, each with its result. The present world contains them.
    pub(super) fn record_taken(&mut self, world: &AnyWorld, story: &Story, back: bool, done: Vec<(Edit, Applied)>) {
        let mut edits = Vec::new();
        for (edit, applied) in done {
            self.gesture = false;
            if let Some(inverse) = self.push(world.tick(), edit, applied) {
                edits.splice(0..0, inverse);
            }
        }
        let position = self.log.position();
        if back { &mut self.redo } else { &mut self.undo }.push(position, edits);
        self.shorten(world, story);
    }
}

#[cfg(test)]
mod tests {
    use throng::with_world;
    use throng_scenario::Scenario;

    use super::*;
    use crate::edit;

    const HOST: Host = Host { now: || Duration::ZERO, prepare: |_| Ok(()) };

    fn world() -> AnyWorld {
        let text = "format = 1\n[world]\ndimensions = 2\nsize = [60.0, 40.0]\n[marks]\nlamp = [9.0, 9.0]\n\
                    [species.moth]\ncount = 20\nbehaviours = [{ rule = \"seek\", target = \"mark:lamp\" }]\n";
        Scenario::parse_with(text, "moths.toml", &[]).unwrap().build_any().unwrap()
    }

    fn moved(at: f64) -> Edit {
        Edit::Mark { name: "lamp".into(), point: vec![at, 20.0] }
    }

    /// Applies an edit and records it.
    fn edit(history: &mut History, world: &mut AnyWorld, edit: Edit) {
        let applied = with_world!(&mut *world, world => edit::apply(world, &edit)).unwrap();
        history.record(world, &Story::default(), edit, applied);
    }

    fn step(history: &mut History, world: &mut AnyWorld) {
        for edit in history.due(world.tick()) {
            with_world!(world, world => edit::apply(world, &edit)).unwrap();
        }
        world.step();
        history.reached(world, &Story::default());
    }

    #[test]
    fn a_run_with_edits_is_repeated_with_equal_bits_and_edits_of_the_past_drop_what_followed() {
        let (mut world, registry) = (world(), Registry::new());
        let mut history = History::new(&world, Changes::default(), &Story::default(), HOST);
        for tick in 0..60 {
            if tick % 25 == 10 {
                edit(&mut history, &mut world, moved(f64::from(tick)));
                history.end_gesture();
            }
            step(&mut history, &mut world);
        }
        let hash = world.state_hash();
        let (mut early, _) = history.rewind(60, 5, &registry).unwrap().unwrap();
        assert!(early.tick() <= 5 && !history.is_edited());
        while early.tick() < 60 {
            step(&mut history, &mut early);
        }
        assert_eq!(early.state_hash(), hash);

        let (mut early, _) = history.rewind(60, 0, &registry).unwrap().unwrap();
        edit(&mut history, &mut early, moved(50.0));
        assert_eq!((history.last(), history.log.position()), (0, 1));
        assert!(history.due(60).is_empty());
    }

    #[test]
    fn a_gesture_is_reverted_as_a_whole_and_can_be_repeated() {
        let mut world = world();
        let mut history = History::new(&world, Changes::default(), &Story::default(), HOST);
        let start = world.state_hash();
        for at in [20.0, 25.0, 30.0] {
            edit(&mut history, &mut world, moved(at));
        }
        let end = world.state_hash();
        assert_eq!(history.log.position(), 1, "the edits of one gesture and tick replace each other");
        for (back, hash) in [(true, start), (false, end), (true, start)] {
            let edits = history.take(back).unwrap();
            let apply = |edit: Edit| {
                let applied = with_world!(&mut world, world => edit::apply(world, &edit)).unwrap();
                (edit, applied)
            };
            let done = edits.into_iter().map(apply).collect();
            history.record_taken(&world, &Story::default(), back, done);
            assert_eq!(world.state_hash(), hash);
        }
        assert_eq!(history.reversible(), [false, true]);
    }

    #[test]
    fn snapshots_are_thinned_but_the_first_stays() {
        let mut world = world();
        let mut history = History::new(&world, Changes::default(), &Story::default(), HOST);
        for _ in 0..6 {
            world.step();
            history.save(&world, &Story::default());
        }
        let ticks = |history: &History| history.snapshots.iter().map(|one| one.tick).collect::<Vec<_>>();
        let bytes = |history: &History| history.snapshots.iter().map(|one| one.bytes.len()).sum::<usize>();
        history.thin(bytes(&history) - 1);
        assert_eq!(ticks(&history), [0, 2, 4, 6]);
        assert_eq!(history.interval, 2 * LEAST_INTERVAL);
        // One snapshot is all that fits.
        history.thin(bytes(&history) / 4 + 100);
        assert_eq!(ticks(&history), [0]);
    }

    #[test]
    fn a_world_whose_snapshot_is_too_large_has_no_history_and_is_edited_all_the_same() {
        let mut world = world();
        let mut history = History::new(&world, Changes::default(), &Story::default(), HOST);
        let mut to = Limited { bytes: vec![0; MOST_BYTES - 100], is_full: false };
        assert!(world.save(&mut to).is_err() && to.is_full && to.bytes.len() <= MOST_BYTES);
        drop(to);
        history.fault = Some("too large".into());
        history.snapshots.clear();
        edit(&mut history, &mut world, moved(20.0));
        assert!(history.rewind(0, 0, &Registry::new()).unwrap_err().contains("too large"));
        assert_eq!((history.reversible(), history.is_edited()), ([true, false], true));
    }

    #[test]
    fn a_long_session_keeps_a_bounded_log_and_repeats_what_it_has_kept() {
        let (mut world, registry) = (world(), Registry::new());
        let mut history = History::new(&world, Changes::default(), &Story::default(), HOST);
        // Each edit is another one, with a name of a megabyte instead of a long drag.
        let named =
            |number: usize| Edit::Mark { name: format!("{number}{}", "a".repeat(1_000_000)), point: vec![1.0, 2.0] };
        for number in 0..3 * MOST_LOG_BYTES / 1_000_000 {
            edit(&mut history, &mut world, moved(number as f64 % 50.0));
            // The mark of that name is not in the world: the edit is recorded, and has no effect.
            let edit = named(number);
            history.push(world.tick(), edit, Applied::default());
            history.shorten(&world, &Story::default());
            history.end_gesture();
            assert!(history.log.bytes() <= MOST_LOG_BYTES);
            step(&mut history, &mut world);
        }
        assert!(history.log.dropped() > 0 && history.snapshots[0].tick > 0);
        assert!(history.rewind(world.tick(), 0, &registry).unwrap_err().contains("no longer kept"));
        let (tick, hash) = (world.tick(), world.state_hash());
        let (mut early, _) = history.rewind(tick, history.snapshots[0].tick, &registry).unwrap().unwrap();
        while early.tick() < tick {
            for edit in history.due(early.tick()) {
                let _ = with_world!(&mut early, world => edit::apply(world, &edit));
            }
            early.step();
        }
        assert_eq!(early.state_hash(), hash);
    }

    #[test]
    fn the_steps_to_revert_are_bounded_but_the_last_one_stays() {
        let mut steps = Steps::default();
        let large = |bytes: usize| vec![Edit::Mark { name: "a".repeat(bytes), point: Vec::new() }];
        for position in 0..100 {
            steps.push(position, large(1 << 20));
        }
        assert!((20..=32).contains(&steps.0.len()), "{}", steps.0.len());
        assert_eq!(steps.0.back().unwrap().position, 99);
        steps.push(100, large(MOST_UNDO_BYTES + 1));
        assert_eq!(steps.0.iter().map(|step| step.position).collect::<Vec<_>>(), [100]);
    }
}
