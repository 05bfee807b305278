//! How worlds are run in measurements: as the environment says.

use throng::{Execution, InstructionSet, UnknownInstructionSet};

/// With the instruction set that the environment variable `THRONG_ISA` names, and as usual in all else.
///
/// # Errors
///
/// [`UnknownInstructionSet`] if none is called so.
pub fn execution() -> Result<Execution, UnknownInstructionSet> {
    let name = std::env::var("THRONG_ISA").ok();
    let instruction_set = name.as_deref().map(str::parse::<InstructionSet>).transpose()?;
    Ok(Execution { instruction_set, ..Execution::default() })
}
