//! A recording: a start, the edits since then, and an end.

use std::fmt;
use std::sync::Arc;

use crate::state::State;
use crate::world::recording::log::{Log, What};

/// A part of a world's course: the state at its start, every edit of the host since then with its tick, and the hash of
/// the state at its end. A bug report that replays.
///
/// ```
/// use throng::behaviours::Wander;
/// use throng::{Recording, Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// world.record(0);
/// let beetle = world.add_species(Species::new("beetle").with(1.0, Wander::default()))?;
/// for number in 0..30 {
///     world.spawn(beetle, [number as f32, 50.0], [1.0, 0.0])?;
///     world.step();
/// }
/// let mut file = Vec::new();
/// world.recording().expect("it is recorded").write(&mut file)?;
///
/// let recording = Recording::<2>::read(&file[..])?;
/// assert_eq!((recording.edits().count(), recording.end_tick()), (31, 30));
/// let mut replay = recording.replay()?;
/// while replay.step()? {
///     println!("tick {}: {} agents", replay.world().tick(), replay.world().population());
/// }
/// assert_eq!(replay.world().state_hash(), world.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The order of edits is a part of it. The way in which a world runs ([`World::set_execution`]) and
/// [local columns](crate::World::add_local_column) are not: neither changes the state. An edit of the environment
/// ([`World::environment_mut`]) is recorded as all items of the kinds that it changed, and one of a species as its whole
/// definition. Clones of a recording share its entries.
///
/// [`World::set_execution`]: crate::World::set_execution
/// [`World::environment_mut`]: crate::World::environment_mut
#[derive(Clone)]
pub struct Recording<const D: usize> {
    pub(super) start: Arc<State<D>>,
    pub(super) log: Log<D>,
    /// The end.
    pub(super) tick: u64,
    pub(super) hash: u64,
    pub(super) hash_every: u64,
}

/// Short: the ticks and the hash.
impl<const D: usize> fmt::Debug for Recording<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut recording = f.debug_struct("Recording");
        recording.field("start_tick", &self.start.tick).field("end_tick", &self.tick).field("hash", &self.hash);
        recording.finish_non_exhaustive()
    }
}

impl<const D: usize> Recording<D> {
    /// The number of ticks that the world had advanced by at the start.
    #[must_use]
    pub fn start_tick(&self) -> u64 {
        self.start.tick
    }

    /// The number of ticks that the world had advanced by at the end.
    #[must_use]
    pub fn end_tick(&self) -> u64 {
        self.tick
    }

    /// The hash of the state at the end: see [`World::state_hash`](crate::World::state_hash).
    #[must_use]
    pub fn end_hash(&self) -> u64 {
        self.hash
    }

    /// The edits in words, in their order, each with the number of ticks before it.
    pub fn edits(&self) -> impl Iterator<Item = (u64, String)> {
        let edits = self.log.entries().into_iter().map(|link| match &link.entry.what {
            What::Edit(edit) => Some((link.entry.tick, edit.to_string())),
            What::Hash(_) => None,
        });
        edits.flatten()
    }
}
