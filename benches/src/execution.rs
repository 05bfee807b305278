//! How worlds are run: as the environment says.

use throng::{Error, Execution, InstructionSet, UnknownInstructionSet};

/// The environment variable that names the instruction set.
const NAME: &str = "THRONG_ISA";

/// With the instruction set that `THRONG_ISA` names, if it is set, and as usual in all else.
///
/// # Errors
///
/// [`Error::BadValue`] if it names none.
pub fn execution() -> Result<Execution, Error> {
    let Some(name) = std::env::var_os(NAME) else { return Ok(Execution::default()) };
    let instruction_set = name.to_string_lossy().parse().map_err(|UnknownInstructionSet(value)| Error::BadValue {
        what: NAME.to_owned(),
        value,
        allowed: format!("one of {}", InstructionSet::ALL.map(InstructionSet::name).join(", ")),
    })?;
    Ok(Execution { instruction_set: Some(instruction_set), ..Execution::default() })
}
