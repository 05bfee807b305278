//! The program `throng`, with throng's own rules only.

use std::process::ExitCode;

use throng::Registry;

fn main() -> ExitCode {
    throng_cli::main_with(Registry::new())
}
