//! How worlds run: the instruction set that the environment names.

use throng::parameters::Allowed;
use throng::scenario::BuildError;
use throng::{AnyWorld, Error, Execution, InstructionSet, Scenario, UnknownInstructionSet};

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

/// Selects the instruction set for a world.
pub(crate) fn prepare(world: &mut AnyWorld) -> Result<(), Error> {
    world.set_execution(execution()?)
}
