//! The execution that the environment asks for.

use throng::parameters::Allowed;
use throng::{Error, Execution, InstructionSet, UnknownInstructionSet};

/// The environment variable that names the instruction set.
const NAME: &str = "THRONG_ISA";

/// Returns the default execution, with the instruction set that `THRONG_ISA` names if the variable is set.
///
/// # Errors
///
/// [`Error::BadValue`] if the variable names no instruction set.
pub fn execution() -> Result<Execution, Error> {
    let Some(name) = std::env::var_os(NAME) else { return Ok(Execution::default()) };
    let names = Allowed::one_of(InstructionSet::ALL.map(InstructionSet::name));
    let unknown = |UnknownInstructionSet(value)| Error::bad(NAME, &value[..], names);
    let instruction_set = name.to_string_lossy().parse().map_err(unknown)?;
    Ok(Execution { instruction_set: Some(instruction_set), ..Execution::default() })
}
