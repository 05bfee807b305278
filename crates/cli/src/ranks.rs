//! A run on several ranks: the first rank is a run as any other, and the others follow its orders.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use throng::ranks::{Ranks, Transport};
use throng::{AnyWorld, Registry, with_world};
use throng_scenario::Scenario;

use crate::arguments::{EXIT_CODES, MOST_COLUMNS, ResumeOptions, RunOptions};
use crate::checkpoint::{Opened, SavedWorld};
use crate::execution;
use crate::failure::Failure;
use crate::lead::{GATHER, HASH, Lead, READ, SAVE, STEP, agree, load};
use crate::origin::Origin;
use crate::resume;
use crate::run;
use crate::shared_save;
use crate::signals::Signals;
use crate::threads;

/// The arguments of the program `throng-mpi`.
#[derive(Debug, Parser)]
#[command(name = "throng-mpi", version, max_term_width = MOST_COLUMNS, after_long_help = EXIT_CODES)]
pub(crate) struct RankArguments {
    #[command(subcommand)]
    pub(crate) command: RankCommand,
}

/// The command of `throng-mpi`.
#[derive(Debug, Subcommand)]
pub(crate) enum RankCommand {
    /// Run a scenario on all ranks, and draw its last tick
    Run(Box<RunOptions>),
    /// Continue a run from its last checkpoint, on all ranks
    Resume(ResumeOptions),
}

/// Runs `throng-mpi` on one rank.
pub(crate) fn run(
    command: &RankCommand,
    registry: &Registry,
    transport: Arc<dyn Transport>,
    program: &str,
) -> Result<(), Failure> {
    if let RankCommand::Run(options) = command {
        let RunOptions { trace, live, watch, .. } = &**options;
        let alone = [("--trace", trace.is_some()), ("--live", *live), ("--watch", *watch)];
        if let Some((name, _)) = alone.into_iter().find(|(_, is_set)| *is_set) {
            return Err(Failure::Input(format!("{name} is for runs of one process")));
        }
    }
    if transport.rank() == 0 {
        let lead = Lead::of(Arc::clone(&transport), program);
        let mut has_begun = false;
        let result = match command {
            RankCommand::Run(options) => run::run_with(options, registry, lead, &mut has_begun, None),
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
        let (origin, start) = pool.install(|| Start::read(command, registry))?;
        Ok((origin.request(program), pool, start, Signals::listen()?))
    };
    match start() {
        Ok((request, pool, start, _signals)) => {
            agree(&*transport, Ok(&request))?;
            pool.install(|| follow(&Ranks::from(Arc::clone(&transport)), &mut start.world(registry, &transport)?))
        }
        Err(failure) => {
            agree(&*transport, Err(&failure))?;
            Err(failure)
        }
    }
}

/// The data with which a rank starts.
enum Start {
    New(Box<Scenario>),
    Saved(Box<SavedWorld>, PathBuf),
}

impl Start {
    /// Reads the files that the command names.
    fn read(command: &RankCommand, registry: &Registry) -> Result<(Origin, Self), Failure> {
        match command {
            RankCommand::Run(options) => {
                execution::check()?;
                let origin = Origin::read(options)?;
                let scenario = origin.scenario(registry)?;
                Ok((origin, Self::New(Box::new(scenario))))
            }
            RankCommand::Resume(options) => {
                execution::check()?;
                let (path, Opened { header, saved, .. }) = resume::open(&options.source)?;
                Ok((header.origin, Self::Saved(Box::new(saved), path)))
            }
        }
    }

    /// The world, which the ranks divide.
    fn world(self, registry: &Registry, transport: &Arc<dyn Transport>) -> Result<AnyWorld, Failure> {
        match self {
            Self::New(scenario) => Ok(execution::build_on(&scenario, transport)?),
            Self::Saved(saved, path) => load(*saved, registry, transport, |reason| resume::refused(&path, &reason)),
        }
    }
}

/// Follows the orders of the first rank, until the run ends.
fn follow(ranks: &Ranks, world: &mut AnyWorld) -> Result<(), Failure> {
    let Some(transport) = ranks.transport() else { return Ok(()) };
    let mut all = Vec::new();
    loop {
        transport.gather(&[], &mut all);
        match all[0].first() {
            Some(&STEP) => world.try_step().map_err(Failure::Step)?,
            Some(&GATHER) => with_world!(&mut *world, world => ranks.gather_at(world, 0)),
            Some(&SAVE) => shared_save::follow(ranks, world),
            Some(&HASH) => _ = with_world!(&*world, world => ranks.state_hash(world)),
            Some(&READ) => with_world!(&*world, world => ranks.read_at(world, 0, &mut |_| {})),
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use throng::ranks::in_process;

    use super::*;
    use crate::checkpoint;

    const SCENARIO: &str = r#"format = 1
[world]
dimensions = 2
size = [300.0, 200.0]
edge = "wrap"
tick = 0.1
seed = 5
[species.starling]
count = 3000
behaviours = [{ rule = "separation", radius = 3.0 }, { rule = "alignment", radius = 8.0 }]
[output]
trajectory = { every = 10 }
measures = { every = 5, names = ["polarisation"] }
"#;

    /// Runs one command on each rank, which are threads of this process.
    fn try_each(commands: &[&[&str]]) -> Vec<Result<(), Failure>> {
        let work = |transport, arguments: &[&str]| {
            let command = RankArguments::parse_from([&["throng-mpi"], arguments].concat()).command;
            run(&command, &Registry::new(), Arc::new(transport), "this program")
        };
        std::thread::scope(|scope| {
            let ranks = in_process(commands.len()).into_iter().zip(commands);
            let threads: Vec<_> = ranks.map(|(rank, arguments)| scope.spawn(move || work(rank, arguments))).collect();
            threads.into_iter().map(|rank| rank.join().unwrap()).collect()
        })
    }

    /// Runs a command on ranks.
    fn try_on_ranks(ranks: usize, arguments: &[&str]) -> Vec<Result<(), Failure>> {
        try_each(&vec![arguments; ranks])
    }

    /// Runs a command on ranks, and returns the hash of the last state.
    fn on_ranks(ranks: usize, arguments: &[&str], results: &Path) -> String {
        try_on_ranks(ranks, arguments).into_iter().for_each(|result| result.unwrap());
        let summary: serde_json::Value =
            serde_json::from_slice(&fs::read(results.join("summary.json")).unwrap()).unwrap();
        summary["hash"].as_str().unwrap().to_owned()
    }

    /// Two flocks with groups, in the part of a scenario after its number of dimensions.
    const FLOCKS: &str = r#"
size = [90.0, 70.0, 40.0]
edge = "open"
tick = 0.1
[species.walker]
count = 1500
radius = { mean = 0.3, sd = 0.05, low = 0.2, high = 0.4 }
place = { group_size = [1.0, 4.0] }
behaviours = [{ rule = "wander" }, { rule = "separation", radius = 2.0 }]
[species.child]
count = 900
max_speed = [1.0, 2.0]
behaviours = [{ rule = "wander" }, { rule = "alignment", radius = 5.0, from = ["walker"] }]
"#;

    #[test]
    fn ranks_draw_and_describe_the_last_tick_as_one_process() {
        let folder = std::env::temp_dir().join(format!("throng-cli-last-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).into_os_string().into_string().unwrap();
        for (dimensions, colour) in [(2, "heading"), (2, "neighbours"), (3, "speed")] {
            let (file, size) = (path("world.toml"), if dimensions == 2 { ", 40.0]" } else { "" });
            let flocks = if dimensions == 2 { FLOCKS.replace(size, "]") } else { FLOCKS.to_owned() };
            let picture = format!("[output]\npicture = {{ width = 300, colour = {colour:?} }}\n");
            let text = format!("format = 1\n[world]\ndimensions = {dimensions}{flocks}{picture}");
            fs::write(&file, text).unwrap();
            let results = |name: &str| {
                let summary = fs::read(folder.join(name).join("summary.json")).unwrap();
                let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
                let keys = ["hash", "polarisation", "mean_speed", "columns", "species", "agents"];
                (keys.map(|key| summary[key].clone()), fs::read(folder.join(name).join("picture.png")).unwrap())
            };
            let (begin, one) = (["run", &file, "--ticks", "12", "--quiet", "--force", "--out"], path("one"));
            let command = RankArguments::parse_from([&["throng-mpi"], &begin[..], &[&one]].concat()).command;
            let RankCommand::Run(options) = command else { panic!("a run") };
            run::run(&options, &Registry::new()).unwrap();
            let expected = results("one");
            assert!(expected.0[3]["walker"]["group"].is_number(), "{:?}", expected.0);
            for ranks in [1, 2, 3] {
                let on = path(&ranks.to_string());
                on_ranks(ranks, &[&begin[..], &[&on]].concat(), Path::new(&on));
                let found = results(&ranks.to_string());
                assert_eq!(found.0, expected.0, "{ranks} ranks");
                assert!(found.1 == expected.1, "the picture of {ranks} ranks in {dimensions} dimensions");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_run_on_two_ranks_goes_on_with_three_as_one_process() {
        let folder = std::env::temp_dir().join(format!("throng-cli-ranks-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).into_os_string().into_string().unwrap();
        let (file, whole, parts) = (path("world.toml"), path("whole"), path("parts"));
        fs::write(&file, SCENARIO).unwrap();
        let expected = on_ranks(1, &["run", &file, "--ticks", "70", "--quiet", "--out", &whole], Path::new(&whole));
        let begin = ["run", &file, "--ticks", "45", "--quiet", "--out", &parts, "--checkpoint-every", "20"];
        on_ranks(2, &begin, Path::new(&parts));
        // A checkpoint that cannot be used is refused on all ranks, and the results are as before.
        let checkpoint = checkpoint::list(Path::new(&parts))[0].1.clone();
        let whole_checkpoint = fs::read(&checkpoint).unwrap();
        let length = whole_checkpoint.len();
        for at in [30, length / 2, length - 200, length - 1] {
            let mut damaged = whole_checkpoint.clone();
            damaged[at] ^= 4;
            fs::write(&checkpoint, damaged).unwrap();
            let go_on = ["resume", checkpoint.to_str().unwrap(), "--ticks", "70", "--quiet"];
            for refused in try_on_ranks(3, &go_on) {
                assert!(matches!(&refused, Err(Failure::Checkpoint(_))), "byte {at}: {refused:?}");
            }
        }
        fs::write(&checkpoint, &whole_checkpoint).unwrap();
        // One of them may see another file.
        let other = folder.join("other").join(checkpoint.strip_prefix(&parts).unwrap());
        fs::create_dir_all(other.parent().unwrap()).unwrap();
        let mut damaged = whole_checkpoint;
        damaged[length - 1] ^= 4;
        fs::write(&other, damaged).unwrap();
        let [here, there] = [&checkpoint, &other].map(|path| ["resume", path.to_str().unwrap(), "--quiet"]);
        for refused in try_each(&[&here, &there, &here]) {
            assert!(matches!(&refused, Err(Failure::Checkpoint(_))), "{refused:?}");
        }
        let go_on = ["resume", &parts, "--ticks", "70", "--quiet"];
        assert_eq!(on_ranks(3, &go_on, Path::new(&parts)), expected);
        for name in ["trajectory.csv", "measures.csv"] {
            let read = |results: &str| fs::read(Path::new(results).join(name)).unwrap();
            assert!(read(&whole) == read(&parts), "{name}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
