//! The large functions of a world, compiled in this crate for two and for three dimensions.
//!
//! A generic function is compiled again in each program that calls it. The programs that use the library call these
//! functions through a table instead, so that they compile in less time.

use std::io::{Read, Write};
use std::ops::Range;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::base::dimensions::for_dimensions;
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::Settings;
use crate::base::warning::Warning;
use crate::derived::Derived;
use crate::environment::Environment;
use crate::environment::index::EnvironmentIndex;
use crate::maths::Vector;
use crate::ranks::{Part, Transport, read_at};
use crate::species::Species;
use crate::species::registry::Registry;
use crate::state::State;
use crate::state::snapshot::{self, Keep, Own, Rows, SnapshotError, WriteAt};
use crate::world::explanation::Explanation;
use crate::world::recording::edit::Edit;
use crate::world::recording::recorder::Recorder;
use crate::world::recording::{Recording, RecordingError, Replay, ReplayError, file};
use crate::world::{Watch, World};

/// Hashes the state of a world together with other ranks, and writes this one's part of its snapshot.
type SavePart<const D: usize> =
    for<'a> fn(&State<D>, &'a dyn Transport, Vec<Range<usize>>, Option<WriteAt<'a>>) -> Result<u64, SnapshotError>;

/// Reads the state of a world with some of its rows.
type LoadOwn<const D: usize> = fn(&mut dyn Read, &Registry, Keep<'_>) -> Result<Own<D>, SnapshotError>;

/// The functions for one number of dimensions.
pub(super) struct Compiled<const D: usize> {
    pub(super) advance: fn(&mut World<D>, Option<Watch<'_, D>>),
    pub(super) clone: fn(&World<D>) -> World<D>,
    pub(super) explain: fn(&mut World<D>, AgentId) -> Result<Explanation<D>, Error>,
    pub(super) save: fn(&State<D>, &mut dyn Write) -> Result<(), SnapshotError>,
    pub(super) save_part: SavePart<D>,
    pub(super) load: fn(&mut dyn Read, &Registry) -> Result<State<D>, SnapshotError>,
    pub(super) load_own: LoadOwn<D>,
    pub(super) start_apart: fn(&mut World<D>, &[Rows]) -> bool,
    pub(super) state_hash: fn(&State<D>) -> u64,
    pub(super) section_hashes: fn(&State<D>) -> Vec<(&'static str, u64)>,
    pub(super) add_species: fn(&mut World<D>, Species<D>) -> Result<SpeciesId, Error>,
    pub(super) replace_species: fn(&mut World<D>, usize, Species<D>) -> Result<(), Error>,
    pub(super) warnings_for: fn(&World<D>, &[u64]) -> Vec<Warning>,
    pub(super) gather_rows: fn(&mut Part, &mut State<D>, &mut Derived<D>, Option<usize>),
    pub(super) read_at: ReadAt<D>,
    pub(super) index_starts: IndexStarts<D>,
    pub(super) has_room: HasRoom<D>,
    pub(super) touches: fn(&World<D>, Vector<D>, f32, f32) -> bool,
    pub(super) note: fn(&mut Recorder<D>, &State<D>, Edit<D>),
    pub(super) read_recording: fn(&mut dyn Read, &Registry) -> Result<Recording<D>, RecordingError>,
    pub(super) write_recording: fn(&Recording<D>, &mut dyn Write) -> Result<(), SnapshotError>,
    pub(super) replay_tick: fn(&mut Replay<D>) -> Result<bool, ReplayError>,
}

/// Reads all agents at one rank.
type ReadAt<const D: usize> = fn(&Part, &State<D>, usize, &mut dyn FnMut(&Agents<D>));

/// Indexes an environment and the starts in it.
type IndexStarts<const D: usize> = fn(Level, &Environment<D>, &Settings<D>, &[Vec<[f64; 2]>]) -> EnvironmentIndex<D>;

/// Returns whether a body at a point overlaps nothing of an environment.
type HasRoom<const D: usize> = fn(&Environment<D>, &EnvironmentIndex<D>, &Settings<D>, f64, Vector<D>, f32) -> bool;

static FLAT: Compiled<2> = Compiled::new();
static SPACE: Compiled<3> = Compiled::new();

impl<const D: usize> Compiled<D> {
    const fn new() -> Self {
        Self {
            advance: World::advance_or_undo,
            clone: World::copy,
            explain: World::explained,
            save: snapshot::save,
            save_part: snapshot::save_part,
            load: snapshot::load,
            load_own: snapshot::load_own,
            start_apart: World::started_apart,
            state_hash: snapshot::state_hash,
            section_hashes: snapshot::section_hashes,
            add_species: World::added_species,
            replace_species: World::replace_species,
            warnings_for: World::warnings_of,
            gather_rows: Part::gather_rows,
            read_at: read_at::read_at,
            index_starts: EnvironmentIndex::of_starts,
            has_room: Environment::has_room,
            touches: World::touches,
            note: Recorder::note,
            read_recording: file::read,
            write_recording: file::write,
            replay_tick: Replay::advanced,
        }
    }

    /// The functions for `D` dimensions.
    pub(super) fn functions() -> &'static Self {
        for_dimensions(&FLAT, &SPACE)
    }
}
