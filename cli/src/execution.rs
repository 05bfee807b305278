//! How worlds run: the instruction set that the environment names.

use std::sync::Arc;

use throng::parameters::Allowed;
use throng::ranks::Transport;
use throng::scenario::BuildError;
use throng::{AnyWorld, Error, Execution, InstructionSet, Registry, Scenario, Settings, UnknownInstructionSet, World};

use crate::checkpoint::SavedWorld;

/// The environment variable that names the instruction set.
const VARIABLE: &str = "THRONG_ISA";

/// Returns the default execution, with the instruction set that `THRONG_ISA` names if the variable is set.
pub(crate) fn execution() -> Result<Execution, Error> {
    let Some(name) = std::env::var_os(VARIABLE) else { return Ok(Execution::default()) };
    let names = Allowed::one_of(InstructionSet::ALL.map(InstructionSet::name));
    let unknown = |UnknownInstructionSet(value)| Error::bad(VARIABLE, &value[..], names);
    let instruction_set = name.to_string_lossy().parse().map_err(unknown)?;
    Ok(Execution { instruction_set: Some(instruction_set), ..Execution::default() })
}

/// Builds the world of a scenario.
pub(crate) fn build(scenario: &Scenario) -> Result<AnyWorld, BuildError> {
    let mut world = scenario.build_any()?;
    prepare(&mut world)?;
    Ok(world)
}

/// Builds the world of a scenario on the ranks of a transport.
pub(crate) fn build_on(scenario: &Scenario, transport: &Arc<dyn Transport>) -> Result<AnyWorld, BuildError> {
    let mut world = scenario.build_any_on(Arc::clone(transport))?;
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
    prepared(saved.read(|from| AnyWorld::load_on(from, registry, Arc::clone(transport)))?)
}

fn prepared(mut world: AnyWorld) -> Result<AnyWorld, String> {
    prepare(&mut world).map_err(|error| format!("cannot be used: {error}"))?;
    Ok(world)
}

/// Checks that this machine has the instruction set.
pub(crate) fn check() -> Result<(), BuildError> {
    Ok(World::<2>::new(Settings::default())?.set_execution(execution()?)?)
}

/// Selects the instruction set for a world.
pub(crate) fn prepare(world: &mut AnyWorld) -> Result<(), Error> {
    world.set_execution(execution()?)
}
