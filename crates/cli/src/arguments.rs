//! The command line: commands and their options.

mod help;
mod make;
mod run;
mod shared;
mod study;

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand};
use throng_draw::Fit;
use throng_scenario::Colour;

use crate::bench::BenchOptions;
use crate::values::{
    at_least_one, degrees, fit, frames, ip, metres, pixels, port, seed, slope, threads, trail, whole, zoom,
};
pub(crate) use help::EXIT_CODES;
pub(crate) use make::{
    CheckOptions, CompletionsOptions, ListOptions, ManOptions, NewOptions, PlanOptions, RulesOptions,
};
pub(crate) use run::{ResumeOptions, RunOptions};
pub(crate) use shared::{EngineOptions, OutputOptions, ScenarioOptions, is_trajectory};
pub(crate) use study::{
    ExplainOptions, FitOptions, PlotOptions, ReplayOptions, ReportOptions, SweepOptions, VerifyOptions,
};

/// Simulates crowds, with the same result for any number of threads
#[derive(Debug, Parser)]
#[command(name = "throng", version, max_term_width = MOST_COLUMNS)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The command line with its help.
pub(crate) fn command() -> clap::Command {
    help::complete(Arguments::command())
}

/// The most columns of the help.
pub(crate) const MOST_COLUMNS: usize = 80;

const RENDERED: &str = "\
The scenario, as a file or a name, or a trajectory: .parquet, .sqlite, .txt or .csv. A world with an open edge is run \
twice: first to find its bounds";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario, and draw a picture of it
    Run(RunOptions),
    /// Continue a run from its last checkpoint
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
    /// Show the contents of a floor plan: walls, areas, bounds and units
    Plan(PlanOptions),
    /// Run a scenario for many values and seeds, into a table
    #[command(override_usage = "throng sweep <SCENARIO> --ticks <N> --from <TICK> -o <FILE> [OPTIONS]")]
    Sweep(SweepOptions),
    /// Compare a scenario with recorded tracks, and fit keys to them
    #[command(override_usage = "throng fit <SCENARIO> --to <TRACKS> [--vary <KEY=LOW..HIGH>]... [OPTIONS]")]
    Fit(FitOptions),
    /// Draw a measure in the table of a sweep over a varied key
    Plot(PlotOptions),
    /// Make a page about a run: exit times, flows, densities
    Report(ReportOptions),
    /// Show what each rule asks of one agent at a given tick
    Explain(ExplainOptions),
    /// Replay a recording of a world and its edits, and compare hashes
    Replay(ReplayOptions),
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
    /// Measure how fast a scenario runs, by agents and threads
    Bench(BenchOptions),
}

#[derive(Debug, Args)]
pub(crate) struct RenderOptions {
    #[command(flatten)]
    pub(crate) source: ScenarioOptions,
    /// The output file: .png for a picture of one tick, .gif or .mp4 for a film (.mp4 needs ffmpeg)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The last tick; by default the most telling one for a picture, and the end for a film
    ///
    /// A film ends with the scenario or the trajectory, or when no agent is left. A picture shows the tick at which half
    /// of the agents are out by the sinks, else the last one with nine tenths of the most agents.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: Option<u64>,
    /// The first tick of a film; by default the first with an agent
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) from: Option<u64>,
    /// Ticks per frame of a film; by default those that play in real time, or more for a film of 20 seconds (.gif 8)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    pub(crate) every: Option<u64>,
    /// Frames per second of a film; by default 25 (.gif 12), or fewer for ticks that are longer
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frames)]
    pub(crate) fps: Option<u32>,
    /// Width in pixels; by default the scenario's, or the width that fits 1920 x 1080 (.mp4 1280 x 720, .gif 640 x 480)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = pixels)]
    pub(crate) width: Option<u32>,
    /// Height in pixels; by default the scenario's, or the height that fits the width
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = pixels)]
    pub(crate) height: Option<u32>,
    /// Colour agents by species, heading, speed, neighbours, state or a variable
    #[arg(long, alias = "color", value_name = "WHAT", value_parser = |text: &str| Ok::<_, String>(Colour::named(text)))]
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
    /// Draw the storeys of a building above each other, seen from aside
    #[arg(long)]
    pub(crate) stacked: bool,
    /// The direction of view in 3D, in degrees from the x axis towards the y axis [default: 57]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = degrees)]
    pub(crate) azimuth: Option<f32>,
    /// The downward angle of view in 3D, in degrees; 90 is straight down [default: 17.5]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = slope)]
    pub(crate) elevation: Option<f32>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    /// Leave out the caption, which has the name, the time, the agents, a scale and the meaning of colours
    ///
    /// Pictures narrower than 400 pixels have none.
    #[arg(long)]
    pub(crate) no_caption: bool,
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

#[cfg(test)]
mod tests {
    use super::command;
    use super::help::{EXAMPLES, GROUPS};

    #[test]
    fn every_command_has_two_examples_that_are_valid() {
        let mut command = command();
        let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        for name in names {
            let (_, examples) = EXAMPLES.iter().find(|(other, _)| *other == name).unwrap_or_else(|| panic!("{name}"));
            for example in examples {
                let words = example
                    .split_whitespace()
                    .filter(|word| *word != "\\")
                    .take_while(|word| !["|", ">"].contains(word));
                let parsed = command.try_get_matches_from_mut(words);
                assert_eq!(
                    parsed.unwrap_or_else(|error| panic!("{example}: {error}")).subcommand_name(),
                    Some(&name[..])
                );
            }
            assert!(GROUPS.iter().any(|(_, members)| members.contains(&&name[..])), "{name}");
        }
    }

    #[test]
    fn the_help_is_narrow_and_its_short_form_short() {
        let mut command = command().term_width(80);
        command.build();
        let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let plain = |text: &clap::builder::StyledStr| text.to_string();
        let check = |command: &mut clap::Command| {
            let [short, long] = [plain(&command.render_help()), plain(&command.render_long_help())];
            for line in short.lines().chain(long.lines()) {
                assert!(line.chars().count() <= 80, "{line}");
            }
            // The list of commands grows with them.
            let most = if command.has_subcommands() { 48 } else { 40 };
            assert!(short.lines().count() <= most, "{short}");
            assert!(short.contains("Examples:"), "{short}");
        };
        for name in names.iter().filter(|name| *name != "help") {
            check(command.find_subcommand_mut(name).unwrap());
        }
        check(&mut command);
    }
}
