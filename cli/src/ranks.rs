//! A run on several ranks: the first rank is a run as any other, and tells the others what to do with their world.

use std::sync::Arc;

use throng::ranks::Transport;
use throng::{AnyWorld, Registry};

use crate::arguments::RunOptions;
use crate::execution;
use crate::failure::Failure;
use crate::origin::Origin;
use crate::run;
use crate::signals::Signals;
use crate::threads;

/// What all ranks do next with their world.
const STEP: u8 = 1;
const GATHER: u8 = 2;
const END: u8 = 3;

/// The first rank of a run, which leads the others. A run of one process leads none.
#[derive(Debug, Default)]
pub(crate) struct Lead(Option<Arc<dyn Transport>>);

impl Lead {
    /// The lead of the ranks of a transport.
    pub(crate) fn of(transport: Arc<dyn Transport>) -> Self {
        Self(Some(transport))
    }

    /// Checks that all ranks have started the same run, and divides the world.
    pub(crate) fn begin(&self, world: &mut AnyWorld, request: &str) -> Result<(), Failure> {
        let Some(transport) = &self.0 else { return Ok(()) };
        agree(&**transport, Ok(request))?;
        divide(transport, world)
    }

    /// Lets the other ranks advance by one tick with this one.
    pub(crate) fn step(&self) {
        self.order(STEP);
    }

    /// Brings all agents of the world to this rank.
    pub(crate) fn gather(&self, world: &mut AnyWorld) {
        if self.0.is_some() {
            self.order(GATHER);
            world.gather();
        }
    }

    /// Ends the other ranks.
    pub(crate) fn end(&self) {
        self.order(END);
    }

    fn order(&self, order: u8) {
        if let Some(transport) = &self.0 {
            transport.gather(&[order], &mut Vec::new());
        }
    }
}

/// Runs `throng-mpi run` on one rank.
pub(crate) fn run(
    options: &RunOptions,
    registry: &Registry,
    transport: Arc<dyn Transport>,
    program: &str,
) -> Result<(), Failure> {
    if options.trace.is_some() {
        return Err(Failure::Input("--trace is for runs of one process".to_owned()));
    }
    let origin = Origin::read(options).and_then(|origin| Ok((origin.scenario(registry)?, origin)));
    // What must be the same on all ranks: the program, the scenario and what the command line changes.
    let request = |origin: &Origin| format!("{program}\n{}", origin.request());
    if transport.rank() == 0 {
        let lead = Lead::of(Arc::clone(&transport));
        let request = origin.as_ref().map(|(_, origin)| request(origin)).unwrap_or_default();
        let mut has_begun = false;
        let result = run::run_with(options, registry, lead, &request, &mut has_begun);
        if let (Err(failure), false) = (&result, has_begun) {
            agree(&*transport, Err(failure))?;
        }
        return result;
    }
    let start = || {
        let (scenario, origin) = origin?;
        scenario.check_limits()?;
        let pool = threads::pool(options.engine.threads)?;
        let world = pool.install(|| execution::build(&scenario))?;
        Ok((request(&origin), pool, world, Signals::listen()?))
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

/// Compares what all ranks are to run, or says that this one cannot start.
fn agree(transport: &dyn Transport, request: Result<&str, &Failure>) -> Result<(), Failure> {
    let mut all = Vec::new();
    transport.gather(request.unwrap_or_default().as_bytes(), &mut all);
    if request.is_err() {
        return Ok(());
    }
    let other = |rank: usize| Failure::Rank(format!("rank {rank} has not started"));
    if let Some(rank) = all.iter().position(Vec::is_empty) {
        return Err(other(rank));
    }
    match all.iter().position(|request| *request != all[0]) {
        None => Ok(()),
        Some(rank) => {
            let program = |rank: usize| all[rank].split(|&byte| byte == b'\n').next();
            let what = if program(rank) == program(0) { "scenario" } else { "program" };
            Err(Failure::Input(format!("rank {rank} has another {what} than rank 0")))
        }
    }
}

fn divide(transport: &Arc<dyn Transport>, world: &mut AnyWorld) -> Result<(), Failure> {
    world.divide(Arc::clone(transport)).map_err(|error| Failure::Input(error.to_string()))
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
