//! How worlds are run: as the environment says.

use throng::parameters::Allowed;
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
    let names = Allowed::one_of(InstructionSet::ALL.map(InstructionSet::name));
    let unknown = |UnknownInstructionSet(value)| Error::bad(NAME, &value[..], names);
    let instruction_set = name.to_string_lossy().parse().map_err(unknown)?;
    Ok(Execution { instruction_set: Some(instruction_set), ..Execution::default() })
}
