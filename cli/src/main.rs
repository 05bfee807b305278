//! What does the program `throng` do with its command line? Runs, draws, checks and describes scenarios.

mod arguments;
mod bench;
mod check;
mod explain;
mod failure;
mod output;
mod picture;
mod progress;
mod render;
mod results;
mod rules;
mod run;
mod schema;
mod signals;
mod summary;
mod threads;
mod trajectory;
mod view;

use std::panic::catch_unwind;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    // A bug says its place in the code, and ends the program with a code of its own.
    let result = catch_unwind(|| execute(Arguments::parse())).unwrap_or(Err(Failure::Bug));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.exit_code())
        }
    }
}

fn execute(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        Command::Run(run) => run::run(&run),
        Command::Render(render) => render::render(&render),
        Command::View(view) => view::view(&view),
        Command::Check(check) => check::check(&check),
        Command::Explain(explain) => explain::explain(&explain),
        Command::Rules(rules) => rules::rules(&rules),
        Command::Schema => schema::schema(),
        Command::Bench(bench) => bench::bench(&bench),
    }
}
