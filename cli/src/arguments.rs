//! The command line: commands, options and their help.

use std::net::{IpAddr, Ipv4Addr};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use throng::scenario::Colour;
use throng::{Registry, Scenario};
use throng_draw::Fit;
use throng_formats::trajectory::TrajectoryFormat;

use crate::checkpoint::Interval;
use crate::failure::Failure;
use crate::files::existing;
use crate::output::{print, print_folded};
use crate::tables::table_file;
use crate::templates;
use crate::terminal::warn_all;
use crate::trajectory::trajectory_file;
use crate::values::{
    at_least_one, colour, degrees, dimensions, fit, frames, hash, ip, metres, pixels, port, positive, radius, scale,
    seed, slope, some, threads, timed_ticks, trail, whole, zoom,
};

/// Simulates crowds: runs scenario files on all cores, with the same bits for any number of threads.
#[derive(Debug, Parser)]
#[command(name = "throng", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The arguments of the program `throng-bench`.
#[cfg(feature = "bench")]
#[derive(Debug, Parser)]
#[command(name = "throng bench", version, max_term_width = 100)]
pub(crate) struct BenchArguments {
    #[command(flatten)]
    pub(crate) bench: BenchOptions,
}

pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 success, 1 a bug in throng, 2 invalid input or usage, 3 unexpected hash or trace, 4 too large for this \
machine, 5 output not writable, 6 checkpoint unusable, 7 another rank failed (throng-mpi), 130 and 143 ended by a signal.";

const RENDERED: &str = "\
The scenario file, such as scenarios/hunt.toml, or a trajectory: .parquet, .sqlite, .txt or .csv. A world with an \
open edge is run twice: first to find its bounds";

const VIEWED: &str = "The scenario file, such as scenarios/hunt.toml, or the trajectory.csv of a run";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario, and draw its last tick
    Run(RunOptions),
    /// Go on with a run from its last checkpoint
    Resume(ResumeOptions),
    /// Draw a scenario or a trajectory, as a picture or a film
    #[command(mut_arg("scenario", |argument| argument.value_name("SCENARIO|TRAJECTORY").help(RENDERED)))]
    Render(RenderOptions),
    /// Watch and change a running scenario, or play a recorded trajectory, on a page in the browser
    #[command(mut_arg("scenario", |argument| argument.value_name("SCENARIO|TRAJECTORY").help(VIEWED)))]
    View(ViewOptions),
    /// Write a scenario to start from
    New(NewOptions),
    /// List the scenarios of a folder
    List(ListOptions),
    /// Check scenarios for mistakes without running them
    Check(CheckOptions),
    /// Show what is in a floor plan: its walls, areas, bounds and units
    Plan(PlanOptions),
    /// Run a scenario for many values of its keys and many seeds, and write measures to a table
    Sweep(SweepOptions),
    /// Draw the mean and the spread of a measure in the table of a sweep
    Plot(PlotOptions),
    /// Show what each rule asks of one agent at a given tick
    Explain(ExplainOptions),
    /// Compare two traces of runs, and name the first tick, stage, column and agent in which they differ
    Verify(VerifyOptions),
    /// List the rules of motion and their parameters
    Rules(RulesOptions),
    /// List the models of motion and their parameters
    Models(RulesOptions),
    /// Print the JSON schema of scenario files, for editors
    Schema,
    /// Print the completions of the command line for a shell
    Completions(CompletionsOptions),
    /// Write the manual pages
    Man(ManOptions),
    /// Measure how fast a flock runs on this machine, in this engine and in other designs
    Bench(BenchOptions),
}

#[derive(Debug, Args)]
pub(crate) struct ScenarioOptions {
    /// The scenario file, such as scenarios/murmuration.toml
    pub(crate) scenario: PathBuf,
    /// Override a key of the scenario, such as world.tick=0.02, species.starling.max_speed=9 or
    /// species.starling.separation.radius=3; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

impl ScenarioOptions {
    /// Loads the scenario with the rules of `registry`, the overrides, and `seed` if given. Prints its warnings.
    pub(crate) fn load(&self, registry: &Registry, seed: Option<u64>) -> Result<Scenario, Failure> {
        let scenario = Scenario::load_in(registry, existing(&self.scenario)?, &overrides(&self.set, seed))?;
        warn_all(&scenario.warnings());
        Ok(scenario)
    }

    /// Whether the file is a trajectory and not a scenario.
    ///
    /// # Errors
    ///
    /// Fails if the file does not exist, or if it is a trajectory and a key or the seed of a scenario is set.
    pub(crate) fn is_trajectory(&self, seed: Option<u64>) -> Result<bool, Failure> {
        let file = existing(&self.scenario)?;
        let recorded = TrajectoryFormat::of(file).is_some();
        if recorded && (!self.set.is_empty() || seed.is_some()) {
            let reason = "is a trajectory: --set and --seed are for scenarios";
            return Err(Failure::Input(format!("{}: {reason}", file.display())));
        }
        Ok(recorded)
    }
}

/// Returns the overrides, with the seed as the last of them.
pub(crate) fn overrides(set: &[String], seed: Option<u64>) -> Vec<String> {
    set.iter().cloned().chain(seed.map(|seed| format!("world.seed={seed}"))).collect()
}

// Options of the engine. Not a doc comment: clap would show it as the help of the command.
#[derive(Debug, Args)]
pub(crate) struct EngineOptions {
    /// Use this many threads, at most 64 or four per core; by default one per core
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
}

// Options of the summary that a command prints at its end. Not a doc comment, for the same reason.
#[derive(Debug, Args)]
pub(crate) struct OutputOptions {
    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only errors, and the JSON object if --json is given
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl OutputOptions {
    /// Prints the summary as a JSON object, as text, or not at all.
    pub(crate) fn print(&self, json: impl FnOnce() -> String, text: impl FnOnce() -> String) -> Result<(), Failure> {
        if self.json {
            print(&json())
        } else if !self.quiet {
            print_folded(&text())
        } else {
            Ok(())
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// The scenario file, such as scenarios/murmuration.toml
    #[arg(required_unless_present = "again")]
    pub(crate) scenario: Option<PathBuf>,
    /// Override a key of the scenario, such as world.tick=0.02, species.starling.max_speed=9 or
    /// species.starling.separation.radius=3; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Repeat the run whose results are in this folder, and exit with code 3 if its hash differs. Writes results only
    /// with --out
    #[arg(long, value_name = "DIR", conflicts_with_all = ["scenario", "set", "ticks", "seed", "expect_hash"])]
    pub(crate) again: Option<PathBuf>,
    /// Run this many ticks
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: Option<u64>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    /// Write the results to this folder; by default to throng-out/NAME, where each run replaces the results of the last
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite the results of an earlier run
    #[arg(long)]
    pub(crate) force: bool,
    /// Write positions over time to this file, by its ending as Parquet, as JuPedSim's SQLite, as the text that PedPy
    /// reads, for ParaView, or as CSV; may be repeated
    #[arg(long, value_name = "FILE.parquet|sqlite|txt|vtp|csv", value_parser = trajectory_file)]
    pub(crate) trajectory: Vec<PathBuf>,
    /// The number of ticks between positions in files of --trajectory; by default that of the scenario's trajectory, or 1
    #[arg(long, value_name = "K", requires = "trajectory", allow_negative_numbers = true, value_parser = at_least_one)]
    pub(crate) every: Option<u64>,
    /// Write the measures of the scenario to this file too
    #[arg(long, value_name = "FILE.parquet|csv", value_parser = table_file)]
    pub(crate) measures: Option<PathBuf>,
    /// Write a checkpoint before the first tick and then every N ticks, or every N seconds, as in 30s; `throng resume`
    /// goes on from it
    #[arg(long, value_name = "N|Ns", allow_negative_numbers = true, conflicts_with = "again")]
    pub(crate) checkpoint_every: Option<Interval>,
    /// Write every column to this folder after each stage of each tick in which it changed, with its hash, for throng
    /// verify: some kilobytes per tick and hundred agents
    #[arg(long, value_name = "DIR")]
    pub(crate) trace: Option<PathBuf>,
    /// Write a scale and the meaning of colours into the picture too, besides the name, the time and the agents
    #[arg(long)]
    pub(crate) caption: bool,
    /// Open the picture
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
    /// Exit with code 3 if the hash of the last state is not this one (16 hexadecimal digits)
    #[arg(long, value_name = "H", allow_negative_numbers = true, value_parser = hash)]
    pub(crate) expect_hash: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeOptions {
    /// The results of a run with --checkpoint-every, or one of its checkpoints
    #[arg(value_name = "DIR|CHECKPOINT")]
    pub(crate) source: PathBuf,
    /// The last tick; by default that of the run
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: Option<u64>,
    /// Use this many threads, at most 64 or four per core; by default one per core
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Write checkpoints at this interval; by default at that of the run
    #[arg(long, value_name = "N|Ns", allow_negative_numbers = true)]
    pub(crate) checkpoint_every: Option<Interval>,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
    /// Exit with code 3 if the hash of the last state is not this one (16 hexadecimal digits)
    #[arg(long, value_name = "H", allow_negative_numbers = true, value_parser = hash)]
    pub(crate) expect_hash: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct RenderOptions {
    #[command(flatten)]
    pub(crate) source: ScenarioOptions,
    /// The output file: .png for a picture of one tick, .gif or .mp4 for a film (.mp4 needs ffmpeg)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The last tick; by default the busiest one for a picture, and for a film the last one of the scenario or the
    /// trajectory, or the first after which no agent is left
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: Option<u64>,
    /// The first tick of a film; by default the first with an agent
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) from: Option<u64>,
    /// Ticks per frame of a film; by default as many as play in real time, or more for a film of 20 seconds
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    pub(crate) every: Option<u64>,
    /// Frames per second of a film; by default 25, or fewer for ticks that are longer
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frames)]
    pub(crate) fps: Option<u32>,
    /// Width in pixels; by default the scenario's, or the width that fits 1920 x 1080 (a film 1280 x 720)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = pixels)]
    pub(crate) width: Option<u32>,
    /// Height in pixels; by default the scenario's, or the height that fits the width
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = pixels)]
    pub(crate) height: Option<u32>,
    /// Colour agents by species, heading, speed, neighbours or state
    #[arg(long, alias = "color", value_name = "WHAT", value_parser = colour)]
    pub(crate) colour: Option<Colour>,
    /// Draw fading trails of the last N ticks
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = trail)]
    pub(crate) trails: u32,
    /// Draw a density map instead of agents
    #[arg(long, conflicts_with_all = ["trails", "colour"])]
    pub(crate) density: bool,
    /// Draw on a light background
    #[arg(long)]
    pub(crate) light: bool,
    /// Show the whole world, or the crowd, which a film follows; by default the crowd in a world with open edges, and
    /// where it is small in its world
    #[arg(long, value_name = "world|crowd", value_parser = fit)]
    pub(crate) fit: Option<Fit>,
    /// The point in the middle of the picture, in metres; by default the middle of the world, or of the crowd
    #[arg(long, alias = "center", value_name = "X,Y[,Z]", value_delimiter = ',', allow_hyphen_values = true, value_parser = metres)]
    pub(crate) centre: Vec<f32>,
    /// Magnify the picture by this factor
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_negative_numbers = true, value_parser = zoom)]
    pub(crate) zoom: f32,
    /// The direction of view in 3D, in degrees from the x axis towards the y axis [default: 57]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = degrees)]
    pub(crate) azimuth: Option<f32>,
    /// The downward angle of view in 3D, in degrees; 90 is straight down [default: 17.5]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = slope)]
    pub(crate) elevation: Option<f32>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    /// Write the name of the scenario, the time, the agents, a scale and the meaning of colours into the picture
    #[arg(long)]
    pub(crate) caption: bool,
    /// Open the picture or the film
    #[arg(long)]
    pub(crate) open: bool,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ViewOptions {
    #[command(flatten)]
    pub(crate) source: ScenarioOptions,
    /// Serve the page on this port; 0 selects any free port
    #[arg(long, value_name = "P", default_value_t = 0, allow_negative_numbers = true, value_parser = port)]
    pub(crate) port: u16,
    /// Print the address without opening a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Serve the page on this address. Any address but the default admits other machines that know the token, without
    /// encryption
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = ip)]
    pub(crate) listen: IpAddr,
    /// Use this many threads; by default one less than the cores, which leaves one to the browser
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct NewOptions {
    /// The name of the scenario; its file is NAME.toml
    pub(crate) name: String,
    /// The template to start from
    #[arg(long, value_name = "TEMPLATE", default_value = "flock", value_parser = clap::builder::PossibleValuesParser::new(templates::names()))]
    pub(crate) template: String,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListOptions {
    /// The folder; by default scenarios, or else the present one
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsOptions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManOptions {
    /// The folder of the pages
    #[arg(default_value = "man")]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    /// The scenario files; - is the standard input
    #[arg(required = true, value_name = "SCENARIO")]
    pub(crate) scenarios: Vec<PathBuf>,
    /// Override a key of each scenario, such as world.tick=0.02; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct PlanOptions {
    /// The floor plan: .wkt as JuPedSim and PedPy write it, .svg or .toml
    pub(crate) file: PathBuf,
    /// Metres per unit of the file, such as 0.01 for centimetres; by default that of the file's unit
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = scale)]
    pub(crate) scale: Option<f64>,
    /// Draw the plan to this file
    #[arg(long, short, value_name = "FILE.png|svg")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct SweepOptions {
    #[command(flatten)]
    pub(crate) source: ScenarioOptions,
    /// Run each world for this many ticks
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: u64,
    /// Measure in the ticks after this one
    #[arg(long, value_name = "TICK", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) from: u64,
    /// Vary a key of the scenario: over these values, or over STEPS values from START to STOP; may be repeated
    #[arg(long, value_name = "KEY=A,B,C|KEY=START:STOP:STEPS")]
    pub(crate) vary: Vec<String>,
    /// Run each combination of values with this many seeds: that of the scenario, and those after it
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = some)]
    pub(crate) seeds: NonZeroU64,
    /// Measures to write, such as milling or nearest_distance [default: polarisation,mean_speed]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) measure: Vec<String>,
    /// The radius in metres of measures that need one, such as clusters
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = radius)]
    pub(crate) radius: Option<f32>,
    /// The table. The same command goes on with an interrupted sweep
    #[arg(long, short, value_name = "FILE.csv|parquet")]
    pub(crate) output: PathBuf,
    /// Run this many worlds side by side, each on one thread; by default one per core
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Run more than 100 000 worlds, or overwrite another table
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct PlotOptions {
    /// The table of a sweep: .csv or .parquet
    pub(crate) table: PathBuf,
    /// The column on the horizontal axis
    #[arg(long, value_name = "KEY")]
    pub(crate) x: String,
    /// The column on the vertical axis
    #[arg(long, value_name = "MEASURE")]
    pub(crate) y: String,
    /// The figure
    #[arg(long, short, value_name = "FILE.svg|png")]
    pub(crate) output: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainOptions {
    #[command(flatten)]
    pub(crate) source: ScenarioOptions,
    /// The id of the agent, as in trajectories: 17, or 17v2 if earlier agents had the same number
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub(crate) agent: String,
    /// Run this many ticks first
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole)]
    pub(crate) tick: u64,
    /// Print the explanation as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    /// The folder of a run's trace: throng run --trace DIR
    pub(crate) first: PathBuf,
    /// The folder of the other one
    pub(crate) second: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RulesOptions {
    /// List only these, by name
    pub(crate) names: Vec<String>,
    /// Print one JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchOptions {
    /// Numbers of agents to measure
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1000,10000,100000",
        allow_negative_numbers = true, value_parser = positive)]
    pub(crate) agents: Vec<NonZeroUsize>,
    /// Numbers of threads to measure; by default one, and one per core
    #[arg(long, value_name = "N,...", value_delimiter = ',', allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Vec<NonZeroUsize>,
    /// Numbers of dimensions to measure
    #[arg(long, value_name = "D,...", value_delimiter = ',', default_value = "2,3",
        allow_negative_numbers = true, value_parser = dimensions)]
    pub(crate) dimensions: Vec<u8>,
    /// Timed ticks per design
    #[arg(long, value_name = "N", default_value_t = 224, allow_negative_numbers = true, value_parser = timed_ticks)]
    pub(crate) ticks: u64,
    /// Measure other crates too; needs cargo and the repository, and a few minutes the first time
    #[arg(long)]
    pub(crate) peers: bool,
    /// Print the rows as one JSON array
    #[arg(long)]
    pub(crate) json: bool,
    /// Plot the rows to this file
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}
