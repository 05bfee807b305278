//! The history of a run: snapshots of earlier ticks, the log of edits, and the edits that can be reverted.
//!
//! An earlier tick is reached from the last snapshot before it: the edits of the log are applied at their ticks again,
//! which gives equal bits.

use std::time::{Duration, Instant};

use throng::{AnyWorld, Registry};

use super::changes::{Change, Changes};
use super::edit::{Applied, Edit};
use super::story::Story;
use crate::execution;

/// The most bytes of all snapshots.
const MAX_BYTES: usize = 256 << 20;
/// The least number of ticks between two snapshots.
const LEAST_INTERVAL: u64 = 20;
/// Saving takes at most one part in this many of the time.
const SHARE: u32 = 50;

/// The history of one world.
#[derive(Debug)]
pub(super) struct History {
    /// By ascending ticks. The first is that of the first tick.
    snapshots: Vec<Snapshot>,
    interval: u64,
    log: Vec<Entry>,
    /// The number of entries of the log that the present world contains.
    position: usize,
    /// The last tick of the run.
    last: u64,
    /// The changes before the first entry.
    base: Changes,
    undo: Vec<Reversal>,
    redo: Vec<Vec<Edit>>,
    /// Whether the next edit may replace the last one.
    gesture: bool,
    started: Instant,
    spent: Duration,
    /// The reason why the world cannot be saved, if there is one.
    fault: Option<String>,
}

#[derive(Debug)]
struct Snapshot {
    tick: u64,
    position: usize,
    bytes: Vec<u8>,
    story: Story,
}

#[derive(Debug)]
struct Entry {
    tick: u64,
    edit: Edit,
    changes: Vec<Change>,
}

/// The edits that revert an entry of the log.
#[derive(Debug)]
struct Reversal {
    position: usize,
    edits: Vec<Edit>,
}

impl History {
    /// The history of a world at its start.
    pub(super) fn new(world: &AnyWorld, base: Changes, story: &Story) -> Self {
        let mut history = Self {
            snapshots: Vec::new(),
            interval: LEAST_INTERVAL,
            log: Vec::new(),
            position: 0,
            last: world.tick(),
            base,
            undo: Vec::new(),
            redo: Vec::new(),
            gesture: false,
            started: Instant::now(),
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
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// Whether the present world contains edits.
    pub(super) fn is_edited(&self) -> bool {
        self.position > 0
    }

    /// The changes to the scenario in the present world.
    pub(super) fn changes(&self) -> Changes {
        let mut changes = self.base.clone();
        self.log[..self.position].iter().flat_map(|entry| &entry.changes).for_each(|one| changes.record(one.clone()));
        changes
    }

    /// The edits of the log at the present tick that the world does not contain yet.
    pub(super) fn due(&mut self, tick: u64) -> Vec<Edit> {
        let rest = &self.log[self.position..];
        let edits: Vec<Edit> =
            rest.iter().take_while(|entry| entry.tick <= tick).map(|entry| entry.edit.clone()).collect();
        self.position += edits.len();
        edits
    }

    /// Records that the world has reached its present tick, and saves it if it is time to.
    pub(super) fn reached(&mut self, world: &AnyWorld, story: &Story) {
        let tick = world.tick();
        self.last = self.last.max(tick);
        let saved = self.snapshots.last().map_or(0, |snapshot| snapshot.tick);
        if tick >= saved + self.interval && self.spent * SHARE <= self.started.elapsed() {
            self.save(world, story);
        }
    }

    fn save(&mut self, world: &AnyWorld, story: &Story) {
        if self.fault.is_some() {
            return;
        }
        let start = Instant::now();
        let mut bytes = Vec::new();
        if let Err(error) = world.save(&mut bytes) {
            self.fault = Some(error.to_string());
            return;
        }
        let (tick, position) = (world.tick(), self.position);
        self.snapshots.push(Snapshot { tick, position, bytes, story: story.clone() });
        while self.snapshots.iter().map(|one| one.bytes.len()).sum::<usize>() > MAX_BYTES && self.snapshots.len() > 2 {
            self.thin();
        }
        self.spent += start.elapsed();
    }

    /// Drops every other snapshot but the first, and doubles the interval of later ones.
    fn thin(&mut self) {
        let mut number = 0;
        self.snapshots.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        self.interval *= 2;
    }

    /// Returns the world from which a tick is reached, if that is another one than the present: it, its story, and
    /// whether it was loaded.
    ///
    /// # Errors
    ///
    /// Fails if the world cannot be saved.
    pub(super) fn rewind(
        &mut self,
        present: u64,
        tick: u64,
        registry: &Registry,
    ) -> Result<Option<(AnyWorld, Story)>, String> {
        if let Some(fault) = &self.fault {
            return Err(format!("this world has no earlier ticks: {fault}"));
        }
        let place = self.snapshots.iter().rposition(|snapshot| snapshot.tick <= tick).unwrap_or(0);
        let Some(snapshot) = self.snapshots.get(place) else { return Ok(None) };
        if present <= tick && snapshot.tick <= present {
            return Ok(None);
        }
        let mut world = AnyWorld::load_with(&snapshot.bytes[..], registry).map_err(|error| error.to_string())?;
        execution::prepare(&mut world).map_err(|error| error.to_string())?;
        self.position = snapshot.position;
        self.gesture = false;
        Ok(Some((world, snapshot.story.clone())))
    }

    /// Records an edit of the present world. The ticks after the present one, and their edits, are dropped.
    pub(super) fn record(&mut self, tick: u64, edit: Edit, applied: Applied) {
        self.redo.clear();
        if let Some(edits) = self.push(tick, edit, applied) {
            self.undo.push(Reversal { position: self.position, edits });
        }
        self.gesture = true;
    }

    /// Adds an entry to the log; returns the edits that revert it unless it belongs to the gesture of the last one.
    fn push(&mut self, tick: u64, edit: Edit, applied: Applied) -> Option<Vec<Edit>> {
        self.cut(tick);
        let last = self.log.last().filter(|last| self.gesture && last.edit.sets_same(&edit));
        let (same, at_once) = (last.is_some(), last.is_some_and(|last| last.tick == tick));
        if at_once && self.snapshots.last().is_none_or(|snapshot| snapshot.position < self.position) {
            self.log.pop();
        }
        self.log.push(Entry { tick, edit, changes: applied.changes });
        self.position = self.log.len();
        (!same || self.undo.is_empty()).then_some(applied.inverse)
    }

    /// Drops what followed the present world in an earlier course of the run.
    fn cut(&mut self, tick: u64) {
        let position = self.position;
        self.log.truncate(position);
        self.snapshots.retain(|snapshot| snapshot.tick <= tick && snapshot.position <= position);
        self.undo.retain(|reversal| reversal.position <= position);
        self.last = tick;
    }

    /// Ends a gesture.
    pub(super) fn end_gesture(&mut self) {
        self.gesture = false;
    }

    /// The edits to apply for the last reversal (`back`) or repetition, if there is one.
    pub(super) fn take(&mut self, back: bool) -> Option<Vec<Edit>> {
        self.gesture = false;
        let position = self.position;
        if back {
            // Edits of a later course of the run are not part of this world.
            self.undo.retain(|reversal| reversal.position <= position);
            self.undo.pop().map(|reversal| reversal.edits)
        } else {
            self.redo.pop()
        }
    }

    /// Records the edits of a reversal (`back`) or a repetition, each with its result.
    pub(super) fn record_taken(&mut self, tick: u64, back: bool, done: Vec<(Edit, Applied)>) {
        let mut edits = Vec::new();
        for (edit, applied) in done {
            self.gesture = false;
            if let Some(inverse) = self.push(tick, edit, applied) {
                edits.splice(0..0, inverse);
            }
        }
        if back {
            self.redo.push(edits);
        } else {
            self.undo.push(Reversal { position: self.position, edits });
        }
    }
}

#[cfg(test)]
mod tests {
    use throng::{Scenario, with_world};

    use super::*;
    use crate::view::edit;

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
        let tick = world.tick();
        let applied = with_world!(world, world => edit::apply(world, &edit)).unwrap();
        history.record(tick, edit, applied);
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
        let mut history = History::new(&world, Changes::default(), &Story::default());
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
        assert_eq!((history.last(), history.log.len()), (0, 1));
        assert!(history.due(60).is_empty());
    }

    #[test]
    fn a_gesture_is_reverted_as_a_whole_and_can_be_repeated() {
        let mut world = world();
        let mut history = History::new(&world, Changes::default(), &Story::default());
        let start = world.state_hash();
        for at in [20.0, 25.0, 30.0] {
            edit(&mut history, &mut world, moved(at));
        }
        let end = world.state_hash();
        assert_eq!(history.log.len(), 1, "the edits of one gesture and tick replace each other");
        for (back, hash) in [(true, start), (false, end), (true, start)] {
            let edits = history.take(back).unwrap();
            let apply = |edit: Edit| {
                let applied = with_world!(&mut world, world => edit::apply(world, &edit)).unwrap();
                (edit, applied)
            };
            let done = edits.into_iter().map(apply).collect();
            history.record_taken(0, back, done);
            assert_eq!(world.state_hash(), hash);
        }
        assert_eq!(history.reversible(), [false, true]);
    }

    #[test]
    fn snapshots_are_thinned_but_the_first_stays() {
        let mut world = world();
        let mut history = History::new(&world, Changes::default(), &Story::default());
        for _ in 0..6 {
            world.step();
            history.save(&world, &Story::default());
        }
        history.thin();
        assert_eq!(history.snapshots.iter().map(|one| one.tick).collect::<Vec<_>>(), [0, 2, 4, 6]);
        assert_eq!(history.interval, 2 * LEAST_INTERVAL);
    }
}
