//! The execution that the environment asks for.

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
    let instruction_set = name.to_string_lossy().parse().map_err(|UnknownInstructionSet(value)| Error::BadValue {
        what: NAME.to_owned(),
        value,
        allowed: format!("one of {}", InstructionSet::ALL.map(InstructionSet::name).join(", ")),
    })?;
    Ok(Execution { instruction_set: Some(instruction_set), ..Execution::default() })
}
