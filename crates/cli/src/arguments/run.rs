//! The options of `throng run` and `throng resume`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::shared::{EngineOptions, OutputOptions};
use crate::checkpoint::Interval;
use crate::tables::table_file;
use crate::trajectory::trajectory_file;
use crate::values::{at_least_one, hash, threads, whole};

#[derive(Clone, Debug, Args)]
pub(crate) struct RunOptions {
    /// The scenario: a file, a name as in throng list, or - for the standard input
    #[arg(required_unless_present = "again")]
    pub(crate) scenario: Option<PathBuf>,
    /// Override a key, such as world.tick=0.02; may be repeated
    ///
    /// A rule of a species is named as in species.starling.separation.radius=3.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Run this many ticks
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: Option<u64>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    /// Write the results to this folder [default: throng-out/NAME]
    ///
    /// In throng-out each run replaces the results of the last one.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite the results of an earlier run
    #[arg(long)]
    pub(crate) force: bool,
    /// Show the world in the terminal while it runs
    ///
    /// The keys are the space bar for a pause, + and - for the speed, and q for the end.
    #[arg(long, conflicts_with = "again")]
    pub(crate) live: bool,
    /// Run again whenever the file is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["again", "checkpoint_every", "trace"])]
    pub(crate) watch: bool,
    /// Open the picture
    #[arg(long)]
    pub(crate) open: bool,
    /// Colour the picture by species, heading, speed, neighbours, state or a variable
    #[arg(long, alias = "color", value_name = "WHAT", conflicts_with = "again")]
    pub(crate) colour: Option<String>,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
    /// Print what the stages of a tick cost, and all figures
    #[arg(long, short, conflicts_with_all = ["json", "quiet"])]
    pub(crate) verbose: bool,
    /// Leave out the caption of the picture: the name, the time, the agents, a scale and the meaning of colours
    #[arg(long, hide_short_help = true)]
    pub(crate) no_caption: bool,
    /// Repeat the run whose results are in this folder
    ///
    /// The exit code is 3 if its hash differs. Results are written only with --out.
    #[arg(long, value_name = "DIR", hide_short_help = true,
        conflicts_with_all = ["scenario", "set", "ticks", "seed", "expect_hash"])]
    pub(crate) again: Option<PathBuf>,
    /// Exit with code 3 if the last state has another hash than this
    ///
    /// A hash has 16 hexadecimal digits.
    #[arg(long, value_name = "H", hide_short_help = true, allow_negative_numbers = true, value_parser = hash)]
    pub(crate) expect_hash: Option<u64>,
    /// Write a recording to this file, which throng replay repeats
    ///
    /// It has the world at the start and the hash of its state at the end: a report of a fault that needs no scenario.
    #[arg(long, value_name = "FILE", hide_short_help = true, conflicts_with = "watch")]
    pub(crate) record: Option<PathBuf>,
    /// Write positions over time to this file; may be repeated
    ///
    /// By its ending as Parquet, as JuPedSim's SQLite, as the text that PedPy reads, for ParaView, as PLY or USD, or as CSV.
    #[arg(long, value_name = "FILE.parquet|sqlite|txt|vtp|ply|usda|csv", hide_short_help = true,
        value_parser = trajectory_file)]
    pub(crate) trajectory: Vec<PathBuf>,
    /// The number of ticks between positions in files of --trajectory
    ///
    /// By default the interval of the scenario's trajectory, or 1.
    #[arg(long, value_name = "K", requires = "trajectory", hide_short_help = true,
        allow_negative_numbers = true, value_parser = at_least_one)]
    pub(crate) every: Option<u64>,
    /// Write the measures of the scenario to this file too
    #[arg(long, value_name = "FILE.parquet|csv", hide_short_help = true, value_parser = table_file)]
    pub(crate) measures: Option<PathBuf>,
    /// Write checkpoints, from which throng resume continues
    ///
    /// One is written before the first tick, and then one every N ticks, or every N seconds, as in 30s.
    #[arg(long, value_name = "N|Ns", hide_short_help = true, allow_negative_numbers = true, conflicts_with = "again")]
    pub(crate) checkpoint_every: Option<Interval>,
    /// Write every column after each stage to this folder, for throng verify
    ///
    /// A column is written in each tick in which it changed, with its hash: some kilobytes per tick and hundred agents.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub(crate) trace: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeOptions {
    /// The results of a run with --checkpoint-every, or one of its checkpoints
    #[arg(value_name = "DIR|CHECKPOINT")]
    pub(crate) source: PathBuf,
    /// The last tick [default: as in the run]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: Option<u64>,
    /// Use this many threads [default: one per core]
    ///
    /// 64 of them are allowed, or four per core if these are more.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Write checkpoints at this interval [default: as in the run]
    #[arg(long, value_name = "N|Ns", allow_negative_numbers = true)]
    pub(crate) checkpoint_every: Option<Interval>,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
    /// Print what the stages of a tick cost, and all figures
    #[arg(long, short, conflicts_with_all = ["json", "quiet"])]
    pub(crate) verbose: bool,
    /// Exit with code 3 if the last state has another hash than this
    ///
    /// A hash has 16 hexadecimal digits.
    #[arg(long, value_name = "H", allow_negative_numbers = true, value_parser = hash)]
    pub(crate) expect_hash: Option<u64>,
}
