//! A run on several ranks: the first rank is a run as any other, and the others do what it says.

use std::sync::Arc;

use clap::{Parser, Subcommand};
use throng::ranks::Transport;
use throng::{AnyWorld, Registry};

use crate::arguments::{EXIT_CODES, ResumeOptions, RunOptions};
use crate::execution;
use crate::failure::Failure;
use crate::lead::{GATHER, Lead, STEP, agree, divide};
use crate::origin::Origin;
use crate::resume;
use crate::run;
use crate::signals::Signals;
use crate::threads;

/// The arguments of the program `throng-mpi`.
#[derive(Debug, Parser)]
#[command(name = "throng-mpi", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct RankArguments {
    #[command(subcommand)]
    pub(crate) command: RankCommand,
}

/// What `throng-mpi` does.
#[derive(Debug, Subcommand)]
pub(crate) enum RankCommand {
    /// Run a scenario on all ranks, and draw its last tick
    Run(RunOptions),
    /// Go on with a run from its last checkpoint, on all ranks
    Resume(ResumeOptions),
}

/// Runs `throng-mpi` on one rank.
pub(crate) fn run(
    command: &RankCommand,
    registry: &Registry,
    transport: Arc<dyn Transport>,
    program: &str,
) -> Result<(), Failure> {
    if matches!(command, RankCommand::Run(options) if options.trace.is_some()) {
        return Err(Failure::Input("--trace is for runs of one process".to_owned()));
    }
    if transport.rank() == 0 {
        let lead = Lead::of(Arc::clone(&transport), program);
        let mut has_begun = false;
        let result = match command {
            RankCommand::Run(options) => run::run_with(options, registry, lead, &mut has_begun),
            RankCommand::Resume(options) => resume::resume_with(options, registry, lead, &mut has_begun),
        };
        if let (Err(failure), false) = (&result, has_begun) {
            agree(&*transport, Err(failure))?;
        }
        return result;
    }
    let start = || {
        let threads = match command {
            RankCommand::Run(options) => options.engine.threads,
            RankCommand::Resume(options) => options.threads,
        };
        let pool = threads::pool(threads)?;
        let (origin, world) = pool.install(|| match command {
            RankCommand::Run(options) => build(options, registry),
            RankCommand::Resume(options) => resume::read(&options.source, registry),
        })?;
        Ok((origin.request(program), pool, world, Signals::listen()?))
    };
    match start() {
        Ok((request, pool, mut world, _signals)) => {
            agree(&*transport, Ok(&request))?;
            pool.install(|| {
                divide(&transport, &mut world)?;
                follow(&*transport, &mut world)
            })
        }
        Err(failure) => {
            agree(&*transport, Err(&failure))?;
            Err(failure)
        }
    }
}

/// Builds the world of a scenario.
fn build(options: &RunOptions, registry: &Registry) -> Result<(Origin, AnyWorld), Failure> {
    let origin = Origin::read(options)?;
    let scenario = origin.scenario(registry)?;
    scenario.check_limits()?;
    let world = execution::build(&scenario)?;
    Ok((origin, world))
}

/// Does what the first rank says, until the run ends.
fn follow(transport: &dyn Transport, world: &mut AnyWorld) -> Result<(), Failure> {
    let mut all = Vec::new();
    loop {
        transport.gather(&[], &mut all);
        match all[0].first() {
            Some(&STEP) => world.try_step().map_err(Failure::Step)?,
            Some(&GATHER) => world.gather(),
            _ => return Ok(()),
        }
    }
}
