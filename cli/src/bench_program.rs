//! The start of the program `throng-bench`: `throng` contains neither the designs nor the counting allocator.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::Failure;

/// Runs `throng-bench` in place of this program, with the arguments that follow `bench`. The program is
/// beside this one, or in `PATH`.
pub(crate) fn run() -> Result<(), Failure> {
    let arguments: Vec<OsString> = std::env::args_os().skip(2).collect();
    let name = format!("throng-bench{EXE_SUFFIX}");
    let beside = std::env::current_exe().map(|program| program.with_file_name(&name)).ok().filter(|path| path.exists());
    let program = beside.unwrap_or_else(|| PathBuf::from(&name));
    become_program(Command::new(program).args(arguments)).map_err(|error| {
        Failure::Input(format!(
            "{name} cannot be started: {error}. `cargo install throng-cli --features bench` installs it with throng"
        ))
    })
}

/// Replaces this process, so that signals and the exit code are those of the other program.
#[cfg(unix)]
fn become_program(command: &mut Command) -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Ends with the exit code of the other program.
#[cfg(not(unix))]
fn become_program(command: &mut Command) -> io::Result<()> {
    std::process::exit(command.status()?.code().unwrap_or(1))
}
