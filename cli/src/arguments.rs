//! The command line: commands and their options.

mod help;
mod make;
mod run;
mod study;

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use throng::scenario::Colour;
use throng::{Registry, Scenario};
use throng_formats::trajectory::TrajectoryFormat;

use crate::bench::BenchOptions;
use crate::failure::Failure;
use crate::files::existing;
use crate::find::find;
use crate::output::{print, print_folded};
use crate::terminal::warn_all;
use crate::values::{
    at_least_one, colour, degrees, frames, ip, metres, pixels, port, seed, slope, threads, trail, whole, zoom,
};
pub(crate) use help::{EXIT_CODES, command};
pub(crate) use make::{
    CheckOptions, CompletionsOptions, ListOptions, ManOptions, NewOptions, PlanOptions, RulesOptions,
};
pub(crate) use run::{ResumeOptions, RunOptions};
pub(crate) use study::{ExplainOptions, PlotOptions, SweepOptions, VerifyOptions};

/// Simulates crowds, with the same result for any number of threads
#[derive(Debug, Parser)]
#[command(name = "throng", version, max_term_width = MOST_COLUMNS)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The most columns of the help.
pub(crate) const MOST_COLUMNS: usize = 80;

const RENDERED: &str = "\
The scenario, as a file or a name, or a trajectory: .parquet, .sqlite, .txt or .csv. A world with an open edge is run \
twice: first to find its bounds";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario, and draw its busiest tick
    Run(RunOptions),
    /// Go on with a run from its last checkpoint
    Resume(ResumeOptions),
    /// Draw a scenario or a trajectory, as a picture or a film
    #[command(mut_arg("scenario", |argument| argument.value_name("SCENARIO|TRAJECTORY").help(RENDERED)))]
    Render(RenderOptions),
    /// Watch and change a scenario on a page in the browser
    View(ViewOptions),
    /// Write a scenario to start from
    New(NewOptions),
    /// List the scenarios in the program and here
    List(ListOptions),
    /// Check scenarios for mistakes without running them
    Check(CheckOptions),
    /// Show what is in a floor plan: walls, areas, bounds and units
    Plan(PlanOptions),
    /// Run a scenario for many values and seeds, into a table
    Sweep(SweepOptions),
    /// Draw a measure in the table of a sweep over a varied key
    Plot(PlotOptions),
    /// Show what each rule asks of one agent at a given tick
    Explain(ExplainOptions),
    /// Find the first difference between the traces of two runs
    Verify(VerifyOptions),
    /// List the rules of motion, or the parameters of some
    Rules(RulesOptions),
    /// List the models of motion, or the parameters of some
    Models(RulesOptions),
    /// Print the JSON schema of scenario files, for editors
    Schema,
    /// Print the completions of the command line for a shell
    Completions(CompletionsOptions),
    /// Write the manual pages
    Man(ManOptions),
    /// Measure how fast a scenario runs on this machine, by agents and threads
    Bench(BenchOptions),
}

#[derive(Debug, Args)]
pub(crate) struct ScenarioOptions {
    /// The scenario: a file, a name as in throng list, or - for the standard input
    pub(crate) scenario: PathBuf,
    /// Override a key, such as world.tick=0.02; may be repeated
    ///
    /// A rule of a species is named as in species.starling.separation.radius=3.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

impl ScenarioOptions {
    /// Loads the scenario with the rules of `registry`, the overrides, and `seed` if given. Prints its warnings.
    pub(crate) fn load(&self, registry: &Registry, seed: Option<u64>) -> Result<Scenario, Failure> {
        let scenario = find(&self.scenario)?.parse(registry, &overrides(&self.set, seed))?;
        warn_all(&scenario.warnings());
        Ok(scenario)
    }
}

/// Whether a file is a trajectory and not a scenario.
///
/// # Errors
///
/// Fails if the file is a trajectory that does not exist, or for which a key or the seed of a scenario is set.
pub(crate) fn is_trajectory(file: &Path, set: &[String], seed: Option<u64>) -> Result<bool, Failure> {
    if TrajectoryFormat::of(file).is_none() {
        return Ok(false);
    }
    existing(&file)?;
    if !set.is_empty() || seed.is_some() {
        let reason = "is a trajectory: --set and --seed are for scenarios";
        return Err(Failure::Input(format!("{}: {reason}", file.display())));
    }
    Ok(true)
}

/// Returns the overrides, with the seed as the last of them.
pub(crate) fn overrides(set: &[String], seed: Option<u64>) -> Vec<String> {
    set.iter().cloned().chain(seed.map(|seed| format!("world.seed={seed}"))).collect()
}

// Options of the engine. Not a doc comment: clap would show it as the help of the command.
#[derive(Clone, Debug, Args)]
pub(crate) struct EngineOptions {
    /// Use this many threads [default: one per core]
    ///
    /// 64 of them are allowed, or four per core if these are more.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
}

// Options of the summary that a command prints at its end. Not a doc comment, for the same reason.
#[derive(Clone, Debug, Args)]
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
pub(crate) struct RenderOptions {
    #[command(flatten)]
    pub(crate) source: ScenarioOptions,
    /// The output file: .png for a picture of the last tick, .gif or .mp4 for a film (.mp4 needs ffmpeg)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The last tick; by default the last one of the scenario or the trajectory
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: Option<u64>,
    /// The first tick of a film
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole)]
    pub(crate) from: u64,
    /// Ticks per frame of a film
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = at_least_one)]
    pub(crate) every: u64,
    /// Frames per second of a film
    #[arg(long, value_name = "N", default_value_t = 25, allow_negative_numbers = true, value_parser = frames)]
    pub(crate) fps: u32,
    /// Width in pixels; by default the scenario's, or the width that fits 1920 x 1080
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
    /// The point in the middle of the picture, in metres; by default the picture shows the whole world
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
    /// Write the name of the scenario, the time, a scale and the meaning of colours into the picture
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
    /// The scenario or trajectory [default: the gallery]
    ///
    /// A scenario is a file, a name as in throng list, or - for the standard input. The gallery has the scenarios here,
    /// or else those in the program.
    #[arg(value_name = "SCENARIO|TRAJECTORY")]
    pub(crate) scenario: Option<PathBuf>,
    /// Override a key of the scenario, such as world.tick=0.02; may be repeated
    #[arg(long, value_name = "KEY=VALUE", requires = "scenario")]
    pub(crate) set: Vec<String>,
    /// Serve the page on this port; 0 selects any free port
    #[arg(long, value_name = "P", default_value_t = 0, allow_negative_numbers = true, value_parser = port)]
    pub(crate) port: u16,
    /// Print the address without opening a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Start again whenever the file is saved
    #[arg(long, requires = "scenario")]
    pub(crate) watch: bool,
    /// Serve the page on this address
    ///
    /// Any address but the default admits other machines that know the token, without encryption.
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = ip)]
    pub(crate) listen: IpAddr,
    /// Use this many threads [default: one less than the cores]
    ///
    /// So one core is left to the browser.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
}
