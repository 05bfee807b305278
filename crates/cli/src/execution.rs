//! How worlds run: the instruction set and the neighbour lists that the environment names.

use std::sync::Arc;

use throng::parameters::Allowed;
use throng::ranks::{Ranks, Transport};
use throng::settings::NeighbourLists;
use throng::{AnyWorld, Error, Execution, InstructionSet, Registry, Settings, World};
use throng_scenario::{BuildError, Scenario};

use crate::checkpoint::SavedWorld;

/// Returns the default execution, with the instruction set that `THRONG_ISA` names and the neighbour lists that
/// `THRONG_LISTS` names, if these variables are set.
pub(crate) fn execution() -> Result<Execution, Error> {
    Ok(Execution {
        neighbour_lists: named("THRONG_LISTS", NeighbourLists::ALL, NeighbourLists::name)?.unwrap_or_default(),
        instruction_set: named("THRONG_ISA", InstructionSet::ALL, InstructionSet::name)?,
    })
}

/// Returns the one of `all` that an environment variable names; `None` if the variable is not set.
fn named<T: Copy, const N: usize>(
    variable: &'static str,
    all: [T; N],
    name: fn(T) -> &'static str,
) -> Result<Option<T>, Error> {
    let Some(value) = std::env::var_os(variable) else { return Ok(None) };
    let value = value.to_string_lossy();
    let unknown = || Error::bad(variable, &value[..], Allowed::one_of(all.map(name)));
    all.into_iter().find(|&one| name(one) == value).map(Some).ok_or_else(unknown)
}

/// Builds the world of a scenario.
pub(crate) fn build(scenario: &Scenario) -> Result<AnyWorld, BuildError> {
    let mut world = scenario.build_any()?;
    prepare(&mut world)?;
    Ok(world)
}

/// Builds the world of a scenario on the ranks of a transport.
pub(crate) fn build_on(scenario: &Scenario, transport: &Arc<dyn Transport>) -> Result<AnyWorld, BuildError> {
    let mut world = scenario.build_any_on(&Ranks::from(Arc::clone(transport)))?;
    prepare(&mut world)?;
    Ok(world)
}

/// Reads the world of a checkpoint.
pub(crate) fn load(saved: SavedWorld, registry: &Registry) -> Result<AnyWorld, String> {
    prepared(saved.read(|from| AnyWorld::load_with(from, registry))?)
}

/// Reads the world of a checkpoint on the ranks of a transport.
pub(crate) fn load_on(
    saved: SavedWorld,
    registry: &Registry,
    transport: &Arc<dyn Transport>,
) -> Result<AnyWorld, String> {
    let ranks = Ranks::from(Arc::clone(transport));
    prepared(saved.read(|from| ranks.load_any(from, registry))?)
}

fn prepared(mut world: AnyWorld) -> Result<AnyWorld, String> {
    prepare(&mut world).map_err(|error| format!("cannot be used: {error}"))?;
    Ok(world)
}

/// Checks the variables of the environment, and that this machine has the instruction set.
pub(crate) fn check() -> Result<(), BuildError> {
    Ok(World::<2>::new(Settings::default())?.set_execution(execution()?)?)
}

/// Selects the execution of a world.
pub(crate) fn prepare(world: &mut AnyWorld) -> Result<(), Error> {
    world.set_execution(execution()?)
}
