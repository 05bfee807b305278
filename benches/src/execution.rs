//! The execution that the environment variables select.

use throng::parameters::Allowed;
use throng::{Error, Execution, InstructionSet, UnknownInstructionSet};

/// The environment variable that names the instruction set.
const VARIABLE: &str = "THRONG_ISA";

/// Returns the default execution, with the instruction set that `THRONG_ISA` names if the variable is set.
///
/// # Errors
///
/// [`Error::BadValue`] if the variable does not name an instruction set.
pub fn execution() -> Result<Execution, Error> {
    let Some(name) = std::env::var_os(VARIABLE) else { return Ok(Execution::default()) };
    let names = Allowed::one_of(InstructionSet::ALL.map(InstructionSet::name));
    let unknown = |UnknownInstructionSet(value)| Error::bad(VARIABLE, &value[..], names);
    let instruction_set = name.to_string_lossy().parse().map_err(unknown)?;
    Ok(Execution { instruction_set: Some(instruction_set), ..Execution::default() })
}
