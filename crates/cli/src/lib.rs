//! The program `throng` as a library: [`main_with`] runs the program with the rules of a [`Registry`].
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     // `.with(rule)` adds rules to scenario files, `--set`, `rules`, `schema`, `explain` and `view`.
//!     throng_cli::main_with(throng::Registry::new())
//! }
//! ```

mod arguments;
mod atomic_file;
mod audit;
mod bench;
mod check;
mod checkpoint;
mod clock;
mod execution;
mod explain;
mod failure;
mod figure_file;
mod files;
mod find;
mod fit;
mod lead;
mod list;
mod live;
mod means;
mod measured;
mod new;
mod opening;
mod origin;
mod output;
mod paths;
mod persons;
mod plan;
mod plot;
mod population;
mod progress;
mod ranks;
mod recording;
mod render;
mod replay;
mod report;
mod results;
mod resume;
mod rules;
mod run;
mod running;
mod schema;
mod series;
mod shared_save;
mod shell;
mod signals;
mod summary;
mod summed;
mod sweep;
mod telling;
mod templates;
mod tables;
mod terminal;
mod threads;
mod trace;
mod trajectory;
mod unwrapped;
mod values;
mod view;
mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser};
use throng::Registry;
use throng::ranks::Transport;

use arguments::{Arguments, Command, ResumeOptions};
use failure::Failure;
use ranks::{RankArguments, RankCommand};

/// Runs the program on the arguments of this process, with these rules, and returns its exit code.
#[must_use]
pub fn main_with(registry: Registry) -> ExitCode {
    let parsed = arguments::command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = parsed.unwrap_or_else(|error| suggested(error).exit());
    exit_code(|| execute(arguments, registry))
}

/// Runs `throng-mpi`, the commands `run` and `resume` on the ranks of a transport, on the arguments of this process.
/// Every rank of one world calls this. Returns the exit code. `program` identifies the program: ranks with different
/// ones are refused.
///
/// A rank that fails after the start does not inform the others, which wait for it: the caller ends them.
#[must_use]
pub fn main_on_ranks(registry: &Registry, transport: Arc<dyn Transport>, program: &str) -> u8 {
    code_of(|| ranks::run(&RankArguments::parse().command, registry, transport, program))
}

/// The newest checkpoint of the run that the arguments of this process describe, if there is one.
#[must_use]
pub fn last_checkpoint() -> Option<PathBuf> {
    let results = match RankArguments::try_parse().ok()?.command {
        RankCommand::Run(run) => results::folder(run.out.as_deref(), run.scenario.as_deref()?),
        RankCommand::Resume(ResumeOptions { source, .. }) if source.is_dir() => source,
        RankCommand::Resume(ResumeOptions { source, .. }) => checkpoint::results_of(&source)?.to_owned(),
    };
    Some(checkpoint::list(&results).into_iter().next()?.1)
}

/// Adds the most similar command to the error about an unknown one, where the parser finds none.
fn suggested(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let command = Arguments::command();
    let known =
        command.get_subcommands().map(|known| (strsim::osa_distance(wrong, known.get_name()), known.get_name()));
    let nearest = known.min().filter(|(distance, _)| *distance <= 2).map(|(_, name)| name.to_owned());
    if let (Some(name), None) = (nearest, error.get(ContextKind::SuggestedSubcommand)) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![name]));
    }
    error
}

fn exit_code(run: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    ExitCode::from(code_of(run))
}

fn code_of(run: impl FnOnce() -> Result<(), Failure>) -> u8 {
    signals::report_large_files();
    // A panic prints its position in the code. It has an exit code of its own.
    let result = catch_unwind(AssertUnwindSafe(run));
    match result.unwrap_or(Err(Failure::Bug)) {
        Ok(()) => 0,
        Err(failure) => {
            failure.report();
            failure.exit_code()
        }
    }
}

fn execute(arguments: Arguments, registry: Registry) -> Result<(), Failure> {
    match arguments.command {
        Command::Run(run) => run::run(&run, &registry),
        Command::Resume(options) => resume::resume(&options, &registry),
        Command::Render(render) => render::render(&render, &registry),
        Command::View(view) => view::view(&view, registry),
        Command::New(new) => new::new(&new),
        Command::List(list) => list::list(&list, &registry),
        Command::Check(check) => check::check(&check, &registry),
        Command::Plan(plan) => plan::plan(&plan),
        Command::Sweep(sweep) => sweep::sweep(&sweep, &registry),
        Command::Fit(fit) => fit::fit(&fit, &registry),
        Command::Report(report) => report::report(&report, &registry),
        Command::Plot(plot) => plot::plot(&plot),
        Command::Explain(explain) => explain::explain(&explain, &registry),
        Command::Replay(options) => replay::replay(&options, &registry),
        Command::Verify(verify) => trace::verify::verify(&verify),
        Command::Rules(options) => rules::rules(&options, &registry),
        Command::Models(options) => rules::models(&options, &registry),
        Command::Schema => schema::schema(&registry),
        Command::Completions(options) => shell::completions(&options),
        Command::Man(options) => shell::man(&options),
        Command::Bench(options) => bench::bench(&options, &registry),
    }
}

/// The functions that the fuzz targets call.
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing {
    /// Takes the bytes as the head of a request, and their lines as the commands of a page.
    pub fn page(data: &[u8]) {
        crate::view::fuzz(data);
    }
}

/// Tests the examples of the cookbook. One of them needs this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/cookbook.md")]
struct Cookbook;
