//! The program `throng`: throng's own rules, and no others.

use std::process::ExitCode;

use throng::Registry;

fn main() -> ExitCode {
    throng_cli::main_with(Registry::new())
}
