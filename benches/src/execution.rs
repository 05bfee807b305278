//! The execution that the environment selects.

use throng::{Execution, UnknownInstructionSet};

/// Returns the default execution, with the instruction set that `THRONG_ISA` names if the variable is set.
///
/// # Errors
///
/// [`UnknownInstructionSet`] if the variable does not name an instruction set.
pub fn execution() -> Result<Execution, UnknownInstructionSet> {
    let instruction_set = std::env::var("THRONG_ISA").ok().map(|name| name.parse()).transpose()?;
    Ok(Execution { instruction_set, ..Execution::default() })
}
