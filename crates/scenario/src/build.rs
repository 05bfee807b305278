//! Construction of the world of a scenario, and the limits of its size.

use std::fmt;

use throng::{AnyWorld, Error, Quantity, Registry, Settings, Species, Vector, World};

use crate::definition::{Group, Scenario};
use crate::draw::OccupiedSpace;
use crate::memory;
use crate::start_columns::StartValue;
use crate::states::StatesSpec;

/// The largest number of agents of a world.
const MOST_AGENTS: u64 = 1 << 31;

/// The largest number of species of a scenario. The cost of a tick grows with the pairs of species that perceive each
/// other.
pub const MOST_SPECIES: usize = 1000;

/// The largest number of rules of a scenario, over all species and states.
pub const MOST_RULES: usize = 10_000;

/// The reason why a valid scenario could not be built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// The scenario has this number of dimensions, which differs from the requested number.
    Dimensions(usize),
    /// This number of agents exceeds the capacity of a world.
    Agents(u64),
    /// This number of species exceeds [`MOST_SPECIES`].
    Species(usize),
    /// This number of rules exceeds [`MOST_RULES`].
    Rules(usize),
    /// The agents do not fit into memory.
    Memory {
        /// The number of agents.
        agents: u64,
        /// The memory that they need, in bytes.
        needed: u64,
        /// The available memory, in bytes.
        available: u64,
    },
    /// The agents do not fit into the region of their initial positions.
    TooFull {
        /// The species.
        species: String,
        /// The number of agents that fit.
        fit: u64,
        /// The number of agents.
        agents: u64,
    },
    /// An error of the world, such as an instruction set that this machine lacks.
    World(Error),
}

impl From<Error> for BuildError {
    fn from(error: Error) -> Self {
        Self::World(error)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = |bytes: u64| bytes >> 20;
        match self {
            Self::Dimensions(dimensions) => write!(f, "the scenario has {dimensions} dimensions"),
            Self::Agents(agents) => write!(f, "{agents} agents are more than one world can have: {MOST_AGENTS}"),
            Self::Species(species) => {
                write!(f, "{species} species are more than one scenario can have: {MOST_SPECIES}")
            }
            Self::Rules(rules) => write!(f, "{rules} rules are more than one scenario can have: {MOST_RULES}"),
            Self::Memory { agents, needed, available } => write!(
                f,
                "{agents} agents need about {} MiB of memory, and {} MiB are available",
                mebibytes(*needed),
                mebibytes(*available)
            ),
            Self::TooFull { species, fit, agents } => {
                write!(f, "{fit} of {agents} agents of `{species}` fit into their region without overlaps")
            }
            Self::World(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}

impl Scenario {
    /// Checks that the scenario is small enough to be built on this machine, without allocating its memory.
    ///
    /// # Errors
    ///
    /// [`BuildError::Species`], [`BuildError::Rules`], [`BuildError::Agents`] or [`BuildError::Memory`].
    pub fn check_limits(&self) -> Result<(), BuildError> {
        self.check_limits_on(1)
    }

    /// Checks the same on one of several ranks, if each has only its own agents.
    ///
    /// # Errors
    ///
    /// As for [`check_limits`](Self::check_limits).
    pub fn check_limits_on(&self, ranks: usize) -> Result<(), BuildError> {
        if self.groups.len() > MOST_SPECIES {
            return Err(BuildError::Species(self.groups.len()));
        }
        let rules = self.groups.iter().map(|group| group.rules.len()).sum();
        if rules > MOST_RULES {
            return Err(BuildError::Rules(rules));
        }
        let agents = self.agents().saturating_add(self.people.agents());
        check_limits(agents, ranks, self.dimensions, memory::available())
    }

    /// Builds the world, at tick zero.
    ///
    /// # Errors
    ///
    /// [`BuildError`].
    pub fn build<const D: usize>(&self) -> Result<World<D>, BuildError> {
        self.check_limits()?;
        let mut world = self.build_without_agents()?;
        let (settings, environment) = (world.settings().clone(), world.environment().clone());
        let mut space = OccupiedSpace::new(&environment, &settings, self).with_bodies(&self.groups);
        let mut first = 0;
        for (species, group) in world.species_ids().zip(&self.groups) {
            for start in space.starts(group, first, 0..group.count)? {
                let spawned = world.spawn_from(species, &start.agent)?;
                debug_assert_eq!(spawned, start.id);
                for (column, value) in group.start_values((&environment, settings.seed), &start) {
                    match value {
                        StartValue::Number(number) => world.set_column_value(spawned, column, number)?,
                        StartValue::Whole(number) => world.set_column_value(spawned, column, number)?,
                    }
                }
            }
            first += group.count;
        }
        Ok(world)
    }

    /// Builds the world with its species, before their agents.
    pub(super) fn build_without_agents<const D: usize>(&self) -> Result<World<D>, BuildError> {
        let Some(settings) = self.settings::<D>() else {
            return Err(BuildError::Dimensions(self.dimensions));
        };
        let mut world = World::new(settings)?;
        self.environment.build(world.environment_mut())?;
        for places in &self.environment.places {
            let settings = world.settings().clone();
            places.build(&settings, world.environment_mut())?;
        }
        self.people.build(world.environment_mut())?;
        self.tracks.iter().try_for_each(|tracks| tracks.build(world.environment_mut()))?;
        for group in &self.groups {
            let species = world.add_species(group.species(&self.registry)?)?;
            group.add_columns(&mut world, species)?;
        }
        Ok(world)
    }

    /// Builds the world in the number of dimensions of the scenario, at tick zero.
    ///
    /// # Errors
    ///
    /// [`BuildError`].
    pub fn build_any(&self) -> Result<AnyWorld, BuildError> {
        match self.dimensions {
            3 => self.build().map(AnyWorld::Space),
            _ => self.build().map(AnyWorld::Flat),
        }
    }

    /// The settings of the world; `None` if it has another number of dimensions.
    pub(crate) fn settings<const D: usize>(&self) -> Option<Settings<D>> {
        let size = self.size.as_ref().filter(|size| size.len() == D && self.edge.len() == D)?;
        Some(Settings {
            size: Vector::from_fn(|axis| size[axis]),
            edge: std::array::from_fn(|axis| self.edge[axis]),
            tick_seconds: self.tick_seconds,
            seed: self.seed,
            pair_budget: self.pair_budget,
            seams: self.storeys.iter().flat_map(|storeys| storeys.seams()).collect(),
        })
    }
}

impl Group {
    fn species<const D: usize>(&self, registry: &Registry) -> Result<Species<D>, Error> {
        let mut species = Species { name: self.name.clone(), ..self.own.build()? };
        for (quantity, value) in Quantity::ALL.into_iter().zip(self.quantities) {
            species.set_quantity(quantity, value)?;
        }
        species.combine = self.combine;
        if let Some(motion) = &self.motion {
            species.motion = Some(motion.build(registry)?);
        }
        for rule in &self.rules {
            species.rules.push(rule.build(registry)?);
        }
        let StatesSpec { variables, states, catch } = self.states.clone();
        (species.variables, species.states, species.catch) = (variables, states, catch);
        [species.pre_movement, species.lifetime] = self.times;
        (species.kinds, species.familiar) = (self.kinds.kinds.clone(), self.familiar.clone());
        Ok(species)
    }
}

fn check_limits(agents: u64, ranks: usize, dimensions: usize, available: Option<u64>) -> Result<(), BuildError> {
    if agents > MOST_AGENTS {
        return Err(BuildError::Agents(agents));
    }
    let needed = memory::needed(agents.div_ceil(ranks as u64), dimensions);
    match available {
        Some(available) if needed > available => Err(BuildError::Memory { agents, needed, available }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_beyond_the_limits_are_refused() {
        assert_eq!(check_limits(1000, 1, 2, Some(1 << 30)), Ok(()));
        assert_eq!(check_limits(1000, 1, 2, None), Ok(()));
        assert_eq!(check_limits(u64::MAX, 7, 3, None), Err(BuildError::Agents(u64::MAX)));
        let refused = check_limits(100_000_000, 1, 2, Some(1 << 30)).unwrap_err();
        assert_eq!(check_limits(100_000_000, 20, 2, Some(2 << 30)), Ok(()), "a twentieth");
        let needed = memory::needed(100_000_000, 2) >> 20;
        let said = format!("100000000 agents need about {needed} MiB of memory, and 1024 MiB are available");
        assert_eq!(refused.to_string(), said);
    }
}
