//! A world of two or three dimensions, for programs that choose the number at run time.
//!
//! [`AnyWorld`] has the methods of [`World`] that do not depend on the number of dimensions, in one list, and a
//! few that accept and return vectors of three components; a flat world ignores the third and returns it as zero. [`with_world!`](crate::with_world) gives access
//! to everything else: it compiles an expression for both worlds.

use std::io::{self, Read, Write};

use crate::agents::columns::ColumnView;
use crate::agents::events::Event;
use crate::agents::strand::Strand;
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::{Execution, Seam, Settings};
use crate::base::values::{Allowed, Kind};
use crate::base::warning::Warning;
use crate::kernels::simd::InstructionSet;
use crate::maths::Vector;
use crate::rules::parameters::Value;
use crate::species::Quantity;
use crate::species::registry::Registry;
use crate::state::snapshot::{HEADER, SnapshotError};
use crate::world::profile::Profile;
use crate::world::{Chosen, Contribution, Explanation, Faults, TraceEntry, World};

/// A world in two or in three dimensions.
///
/// ```
/// use throng::{AnyWorld, Settings, Species, Vector, with_world};
///
/// let mut world = AnyWorld::new(2, Settings { size: Vector([50.0, 40.0, 0.0]), ..Settings::default() })?;
/// let bird = with_world!(&mut world, world => world.add_species(Species::new("bird")))?;
/// let id = world.spawn(bird, Vector([1.0, 2.0, 0.0]), Vector::ZERO)?;
/// world.step();
/// assert_eq!(world.positions(bird)?, [[1.0], [2.0]]);
/// assert_eq!(world.explain(id)?.position, Vector([1.0, 2.0, 0.0]));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a program has one of these, and both variants are large")]
pub enum AnyWorld {
    /// A world in two dimensions.
    Flat(World<2>),
    /// A world in three.
    Space(World<3>),
}

/// Evaluates an expression with the world in an [`AnyWorld`], for either number of dimensions: `with_world!(&mut any,
/// world => world.step())`. The value has the same type in both cases.
#[macro_export]
macro_rules! with_world {
    ($any:expr, $world:pat => $value:expr) => {
        match $any {
            $crate::AnyWorld::Flat($world) => $value,
            $crate::AnyWorld::Space($world) => $value,
        }
    };
}

impl From<World<2>> for AnyWorld {
    fn from(world: World<2>) -> Self {
        Self::Flat(world)
    }
}

impl From<World<3>> for AnyWorld {
    fn from(world: World<3>) -> Self {
        Self::Space(world)
    }
}

/// Creation, snapshots and execution.
impl AnyWorld {
    /// An empty world in two or three dimensions.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if `dimensions` is another number, or if a setting is out of its range.
    pub fn new(dimensions: usize, settings: Settings<3>) -> Result<Self, Error> {
        match dimensions {
            2 => World::new(resized(&settings)).map(Self::Flat),
            3 => World::new(settings).map(Self::Space),
            _ => Err(Error::bad("dimensions", dimensions, Allowed::Kind { kind: Kind::Whole(2, 3), unit: "" })),
        }
    }

    /// Reads a world of the number of dimensions in the snapshot: see [`World::load`].
    ///
    /// # Errors
    ///
    /// [`SnapshotError`].
    pub fn load(from: impl Read) -> Result<Self, SnapshotError> {
        Self::load_with(from, &Registry::new())
    }

    /// Reads a world whose rules are in this registry: see [`World::load_with`].
    ///
    /// # Errors
    ///
    /// [`SnapshotError`].
    pub fn load_with(from: impl Read, registry: &Registry) -> Result<Self, SnapshotError> {
        let (is_in_space, whole) = has_space(from);
        if is_in_space {
            World::load_with(whole, registry).map(Self::Space)
        } else {
            World::load_with(whole, registry).map(Self::Flat)
        }
    }

    /// Writes the state of the world: see [`World::save`].
    ///
    /// # Errors
    ///
    /// [`SnapshotError`].
    pub fn save(&self, to: &mut impl Write) -> Result<(), SnapshotError> {
        with_world!(self, world => world.save(to))
    }
    /// Advances the world by one tick, and calls `watch` at the end of each stage, with its name, for each entry of
    /// [`World::trace`].
    pub fn step_traced(&mut self, mut watch: impl FnMut(&'static str, TraceEntry<'_>)) {
        with_world!(self, world => world.step_watched(|stage, world| world.trace(|entry| watch(stage, entry))));
    }
}

/// Declares methods that call the method of this name of [`World`], with the same arguments and the same result.
macro_rules! forwarded {
    ($self:ident; $($kind:ident $name:ident($($argument:ident: $Type:ty),*) $(-> $Result:ty)?;)*) => {
        /// The methods of [`World`] that do not depend on the number of dimensions.
        #[expect(clippy::missing_errors_doc, reason = "the documentation is at the methods of `World`")]
        impl AnyWorld {
            $(forwarded! { @$kind $self, $name, ($($argument: $Type),*) ($(-> $Result)?) })*
        }
    };
    (@read $self:ident, $name:ident, ($($argument:ident: $Type:ty),*) ($($result:tt)*)) => {
        #[doc = concat!("See [`World::", stringify!($name), "`].")]
        #[must_use]
        pub fn $name(&$self, $($argument: $Type),*) $($result)* {
            with_world!($self, world => world.$name($($argument),*))
        }
    };
    (@ask $self:ident, $name:ident, ($($argument:ident: $Type:ty),*) ($($result:tt)*)) => {
        #[doc = concat!("See [`World::", stringify!($name), "`].")]
        pub fn $name(&$self, $($argument: $Type),*) $($result)* {
            with_world!($self, world => world.$name($($argument),*))
        }
    };
    (@edit $self:ident, $name:ident, ($($argument:ident: $Type:ty),*) ($($result:tt)*)) => {
        #[doc = concat!("See [`World::", stringify!($name), "`].")]
        pub fn $name(&mut $self, $($argument: $Type),*) $($result)* {
            with_world!($self, world => world.$name($($argument),*))
        }
    };
}

forwarded! {
    self;
    // How it runs.
    read execution() -> Execution;
    read instruction_set() -> InstructionSet;
    edit set_execution(execution: Execution) -> Result<(), Error>;
    edit step();
    edit try_step() -> Result<(), Error>;
    edit step_recorded() -> Vec<(&'static str, Strand)>;
    read share_on_one_thread() -> f64;
    // The tick.
    read tick() -> u64;
    read seconds() -> f64;
    read state_hash() -> u64;
    read events() -> &[Event];
    read profile() -> &Profile;
    read faults() -> Faults;
    read warnings() -> Vec<Warning>;
    read warnings_for(agents: &[u64]) -> Vec<Warning>;
    ask trace(each: impl FnMut(TraceEntry<'_>));
    // Species and agents.
    read population() -> usize;
    read has_ended() -> bool;
    read spawned() -> u64;
    read backlog() -> u64;
    read find_species(name: &str) -> Option<SpeciesId>;
    read contains(id: AgentId) -> bool;
    ask find(id: AgentId) -> Result<(SpeciesId, usize), Error>;
    // Edits.
    edit remove_species(species: SpeciesId) -> Result<(), Error>;
    edit set_tick_seconds(seconds: f32) -> Result<(), Error>;
    edit set_parameter(species: SpeciesId, path: &str, value: impl Into<Value>) -> Result<(), Error>;
    edit set_quantity(id: AgentId, quantity: Quantity, value: f32) -> Result<(), Error>;
    edit set_state(id: AgentId, state: &str) -> Result<(), Error>;
    edit change_species(id: AgentId, species: SpeciesId) -> Result<(), Error>;
    edit remove_column(species: SpeciesId, name: &str) -> Result<(), Error>;
    edit despawn(id: AgentId) -> Result<(), Error>;
    edit clear();
    edit keep_previous(keep: bool);
    edit release_memory();
}

/// Read access and queries.
impl AnyWorld {
    /// The number of dimensions: 2 or 3.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        match self {
            Self::Flat(_) => 2,
            Self::Space(_) => 3,
        }
    }

    /// The settings. The third size of a flat world is zero, and its third edge is the edge of the second axis.
    #[must_use]
    pub fn settings(&self) -> Settings<3> {
        with_world!(self, world => resized(world.settings()))
    }
    /// The number of agents removed for each reason: see [`World::removed`].
    #[must_use]
    pub fn removed(&self) -> Vec<(&str, u64)> {
        with_world!(self, world => world.removed().collect())
    }
    /// The id, name and number of agents of each species, in the order in which they were added.
    pub fn all_species(&self) -> impl Iterator<Item = (SpeciesId, &str, usize)> {
        let described =
            |id| with_world!(self, world => world.agents(id).map(|agents| (id, agents.name(), agents.len())));
        with_world!(self, world => world.species_ids().collect::<Vec<_>>()).into_iter().flat_map(described)
    }
    /// The ids of a species' agents, row by row.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn ids(&self, species: SpeciesId) -> Result<&[AgentId], Error> {
        with_world!(self, world => world.agents(species).map(|agents| agents.ids()))
    }

    /// The positions of a species' agents in metres: one slice per axis, in the order of rows.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn positions(&self, species: SpeciesId) -> Result<Vec<&[f32]>, Error> {
        with_world!(self, world => world.agents(species).map(|agents| agents.positions().to_vec()))
    }

    /// The velocities of a species' agents in metres per second: one slice per axis, in the order of rows.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn velocities(&self, species: SpeciesId) -> Result<Vec<&[f32]>, Error> {
        with_world!(self, world => world.agents(species).map(|agents| agents.velocities().to_vec()))
    }

    /// The variables of a species' states, and the columns that the host added.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn columns(&self, species: SpeciesId) -> Result<Vec<ColumnView<'_>>, Error> {
        with_world!(self, world => Ok(world.agents(species)?.columns().collect()))
    }

    /// The names of a species' states.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn states(&self, species: SpeciesId) -> Result<Vec<&str>, Error> {
        with_world!(self, world => Ok(world.species(species)?.states.iter().map(|state| &state.name[..]).collect()))
    }

    /// The state of the agent at `row`, as its position in [`states`](Self::states); zero if the species has no states.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    pub fn state(&self, species: SpeciesId, row: usize) -> Result<usize, Error> {
        with_world!(self, world => Ok(world.agents(species)?.state(row)))
    }
    /// Computes the contribution of each rule to the steering of an agent: see [`World::explain`].
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn explain(&mut self, id: AgentId) -> Result<Explanation<3>, Error> {
        with_world!(self, world => world.explain(id).map(in_space))
    }
}

/// Edits.
impl AnyWorld {
    /// Changes the settings: see [`World::set_settings`].
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a setting is out of its range. Nothing has changed then.
    pub fn set_settings(&mut self, settings: Settings<3>) -> Result<(), Error> {
        with_world!(self, world => world.set_settings(resized(&settings)))
    }
    /// Adds an agent: see [`World::spawn`].
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], [`Error::BadValue`] or [`Error::Full`].
    pub fn spawn(&mut self, species: SpeciesId, position: Vector<3>, velocity: Vector<3>) -> Result<AgentId, Error> {
        with_world!(self, world => world.spawn(species, vector(position), vector(velocity)))
    }
}

/// Returns whether the world of a snapshot has three dimensions, and the whole snapshot. Where reading it failed, it fails
/// again.
pub(super) fn has_space(mut from: impl Read) -> (bool, impl Read) {
    /// Fails once, if there is an error.
    struct Failed(Option<io::Error>);
    impl Read for Failed {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.take().map_or(Ok(0), Err)
        }
    }
    let mut header = Vec::new();
    let failed = Failed(from.by_ref().take(HEADER as u64).read_to_end(&mut header).err());
    (header.get(HEADER - 4..) == Some(&3_u32.to_le_bytes()), io::Cursor::new(header).chain(failed).chain(from))
}

/// Converts a vector to another number of dimensions, by dropping components or adding zeros.
fn vector<const FROM: usize, const TO: usize>(from: Vector<FROM>) -> Vector<TO> {
    Vector::from_fn(|axis| if axis < FROM { from[axis] } else { 0.0 })
}

fn resized<const FROM: usize, const TO: usize>(settings: &Settings<FROM>) -> Settings<TO> {
    let Settings { size, edge, tick_seconds, seed, pair_budget, ref seams } = *settings;
    let edge = std::array::from_fn(|axis| edge[if axis < FROM { axis } else { FROM - 1 }]);
    let seam = |seam: &Seam<FROM>| Seam { ends: seam.ends.map(vector), shift: vector(seam.shift) };
    Settings { size: vector(size), edge, tick_seconds, seed, pair_budget, seams: seams.iter().map(seam).collect() }
}

fn in_space<const D: usize>(explanation: Explanation<D>) -> Explanation<3> {
    let Explanation { agent, species, state, position, velocity, columns, contributions, steering, chosen } =
        explanation;
    let contribution = |part: Contribution<D>| {
        let Contribution { rule, weight, force, silent } = part;
        Contribution { rule, weight, force: vector(force), silent }
    };
    Explanation {
        agent,
        species,
        state,
        position: vector(position),
        columns,
        velocity: vector(velocity),
        contributions: contributions.into_iter().map(contribution).collect(),
        steering: vector(steering),
        chosen: chosen.map(|Chosen { model, velocity }| Chosen { model, velocity: vector(velocity) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Species;
    use crate::rules::behaviours::Seek;

    fn world(dimensions: usize) -> (AnyWorld, SpeciesId) {
        let mut world = AnyWorld::new(dimensions, Settings::default()).unwrap();
        let bird = with_world!(&mut world, world => world.add_species(Species::new("bird").with(1.0, Seek::default())));
        (world, bird.unwrap())
    }

    #[test]
    fn load_restores_the_number_of_dimensions() {
        for dimensions in [2, 3] {
            let (mut world, bird) = world(dimensions);
            world.spawn(bird, Vector([1.0, 2.0, 3.0]), Vector([1.0, 0.0, 0.0])).unwrap();
            let mut file = Vec::new();
            world.save(&mut file).unwrap();
            let mut again = AnyWorld::load(&file[..]).unwrap();
            assert_eq!(again.dimensions(), dimensions);
            world.step();
            again.step();
            assert_eq!(again.state_hash(), world.state_hash());
            for length in 0..HEADER {
                assert!(matches!(AnyWorld::load(&file[..length]), Err(SnapshotError::Damaged("header"))));
            }
        }
        assert!(matches!(AnyWorld::load(&[7; 99][..]), Err(SnapshotError::NotASnapshot)));
        assert!(AnyWorld::new(4, Settings::default()).is_err());
    }

    #[test]
    fn a_flat_world_ignores_the_third_component_and_returns_zero() {
        for (dimensions, third) in [(2, 0.0), (3, 3.0)] {
            let (mut world, bird) = world(dimensions);
            let id = world.spawn(bird, Vector([1.0, 2.0, 3.0]), Vector([0.0, 1.0, third])).unwrap();
            let explained = world.explain(id).unwrap();
            assert_eq!(explained.position, Vector([1.0, 2.0, third]));
            assert_eq!(explained.velocity, Vector([0.0, 1.0, third]));
            assert_eq!(explained.contributions.len(), 1);
            assert_eq!(world.positions(bird).unwrap(), vec![vec![1.0], vec![2.0], vec![3.0]][..dimensions]);
            assert_eq!(world.velocities(bird).unwrap().len(), dimensions);
            let settings = Settings { size: Vector([7.0, 8.0, 9.0]), ..world.settings() };
            world.set_settings(settings).unwrap();
            assert_eq!(world.settings().size, Vector([7.0, 8.0, if dimensions == 2 { 0.0 } else { 9.0 }]));
            assert_eq!(world.all_species().collect::<Vec<_>>(), [(bird, "bird", 1)]);
            world.set_parameter(bird, "seek.weight", 2.0).unwrap();
            assert_eq!(world.explain(id).unwrap().contributions[0].weight, 2.0);
            assert!(world.set_parameter(bird, "seek.wait", 2.0).is_err());
        }
    }
}
