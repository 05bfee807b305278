//! The options of the commands that study runs.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use super::shared::{OutputOptions, ScenarioOptions};
use crate::sweep::{From, from};
use crate::values::{persons, radius, some, threads, tolerance, whole};

#[derive(Debug, Args)]
pub(crate) struct SweepOptions {
    #[command(flatten)]
    pub(crate) source: ScenarioOptions,
    /// Run each world for this many ticks
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) ticks: u64,
    /// Measure in the ticks after this one, or after the run has relaxed
    ///
    /// With auto, the ticks are left out without which the error of the mean is the least (White 1997).
    #[arg(
        long,
        value_name = "TICK|auto",
        allow_negative_numbers = true,
        value_parser = from,
        required_unless_present = "until"
    )]
    pub(crate) from: Option<From>,
    /// Vary a key of the scenario; may be repeated
    ///
    /// It takes these values, or STEPS values from START to STOP. Keys joined by & move together: \"A=1,2 & B=3,4\".
    #[arg(long, value_name = "KEY=A,B,C|KEY=START:STOP:STEPS")]
    pub(crate) vary: Vec<String>,
    /// Run the points of this table, with a column for each key
    #[arg(long, value_name = "FILE.csv", hide_short_help = true)]
    pub(crate) points: Option<PathBuf>,
    /// Run this many points that fill the ranges of --vary KEY=LOW:HIGH (a latin hypercube)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = some, hide_short_help = true)]
    pub(crate) latin: Option<NonZeroU64>,
    /// Run each combination of values with this many seeds
    ///
    /// They are the scenario's seed and the seeds after it.
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = some)]
    pub(crate) seeds: NonZeroU64,
    /// Run seeds until further ones change the mean egress curve by less than this share, at most 100
    ///
    /// In ten runs one after another, as throng report --until, and likewise no bound of the error of the mean. 0.01 is
    /// usual. The table then has exit times by default.
    #[arg(long, value_name = "TOLERANCE", conflicts_with = "seeds", value_parser = tolerance, hide_short_help = true)]
    pub(crate) until: Option<f64>,
    /// Measures to write [default: polarisation,mean_speed]
    ///
    /// Others are milling and nearest_distance; a wrong name lists all. polarisation.NAME measures one species. Numbers
    /// that a run of a crowd ends with are exit_last, flow.LINE, peak_density.AREA and others. "NAME = EXPRESSION" is a
    /// measure of your own, such as "ill = mean(health == 1)"; a name of output.measures.own in the file is one too.
    #[arg(long, value_name = "NAME,...")]
    pub(crate) measure: Vec<String>,
    /// What to write of each measure [default: mean,sd]
    ///
    /// mean, sd, se (the error of the mean of one run; NaN if that is not long enough), inefficiency (ticks per independent
    /// value), binder, susceptibility.
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        default_value = "mean,sd",
        hide_default_value = true,
        hide_short_help = true
    )]
    pub(crate) statistic: Vec<String>,
    /// End a run when the error of this mean is at most this; may be repeated
    ///
    /// It must be so at three looks, after 2048, 4096 and 8192 ticks and each doubling. --ticks is then the most. The table
    /// has the ticks that each run took.
    #[arg(long, value_name = "NAME=ERROR", hide_short_help = true)]
    pub(crate) precision: Vec<String>,
    /// The radius in metres of measures that need one
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = radius)]
    pub(crate) radius: Option<f32>,
    /// The table
    ///
    /// The same command continues an interrupted sweep.
    #[arg(long, short, value_name = "FILE.csv|parquet")]
    pub(crate) output: PathBuf,
    /// Run this many worlds side by side [default: one per core]
    ///
    /// Each runs on one thread.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Run more than 100 000 worlds, or overwrite another table
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct FitOptions {
    #[command(flatten)]
    pub(crate) source: ScenarioOptions,
    /// The recorded tracks; may be repeated
    ///
    /// .csv, .txt, .sqlite or .parquet, as for throng render. Several files are recordings of one experiment.
    #[arg(long, value_name = "TRACKS", required = true)]
    pub(crate) to: Vec<PathBuf>,
    /// Seek the value of a key in this range; may be repeated
    ///
    /// Two whole ends are a range of whole numbers. Without it the scenario is compared as it is.
    #[arg(long, value_name = "KEY=LOW..HIGH")]
    pub(crate) vary: Vec<String>,
    /// Write the scenario with the fitted values
    #[arg(long, short, value_name = "FILE.toml")]
    pub(crate) output: Option<PathBuf>,
    /// Compare only these patterns: order, spacing, speed, turning, correlation
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) pattern: Vec<String>,
    /// Compare N persons, each simulated alone among the recorded others
    ///
    /// Not patterns, but the places, speeds and delays of each person. The scenario has the walls and the rules.
    #[arg(
        long,
        value_name = "N|all",
        value_parser = persons,
        conflicts_with_all = ["pattern", "from", "every", "frames"]
    )]
    pub(crate) persons: Option<u64>,
    /// Compare the agents of this species
    ///
    /// Tracks without such a species count as a whole.
    #[arg(long, value_name = "NAME")]
    pub(crate) species: Option<String>,
    /// Compare the first frame with this tick
    #[arg(long, value_name = "TICK", default_value_t = 0, allow_negative_numbers = true, value_parser = whole)]
    pub(crate) from: u64,
    /// Ticks between frames [default: by the times in the file]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = some)]
    pub(crate) every: Option<NonZeroU64>,
    /// Frames of a run [default: as in the tracks]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = some)]
    pub(crate) frames: Option<NonZeroU64>,
    /// Run each point with this many seeds: the scenario's and the next ones
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = some)]
    pub(crate) seeds: NonZeroU64,
    /// Run this many points at most
    #[arg(long, value_name = "N", default_value = "100", allow_negative_numbers = true, value_parser = some)]
    pub(crate) points: NonZeroU64,
    /// Give each key an interval of 95 % confidence
    ///
    /// It takes further points around the best one: 12 for one key, 24 for two, 40 for three.
    #[arg(long)]
    pub(crate) interval: bool,
    /// The number of threads [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    /// The folder of a run's results
    pub(crate) folder: PathBuf,
    /// The page [default: report.html in the folder]
    #[arg(long, short, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,
    /// Run this many seeds: the run's and the next ones
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = some)]
    pub(crate) seeds: NonZeroU64,
    /// Run seeds until further ones change the mean egress curve by less than this share, at most 100
    ///
    /// In ten runs one after another, the mean time of the last exit, its standard deviation and the curve change by less
    /// (Ronchi, Reneke and Peacock 2014). 0.01 is usual. It bounds the change by one more run, not the error of the mean: of
    /// last exits that vary by 23 %, the mean was 2.7 % off. The page has its interval of confidence.
    #[arg(long, value_name = "TOLERANCE", conflicts_with = "seeds", value_parser = tolerance)]
    pub(crate) until: Option<f64>,
    /// The number of threads [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Overwrite an existing page
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
    pub(crate) x: Option<String>,
    /// The column on the vertical axis
    #[arg(long, value_name = "MEASURE")]
    pub(crate) y: Option<String>,
    /// Draw a band from 5 to 95 % of the seeds, by nearest rank, instead of bars
    #[arg(long)]
    pub(crate) band: bool,
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
    /// The id of the agent, as in trajectories: 17
    ///
    /// It is 17v2 if an earlier agent had the same number.
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
pub(crate) struct ReplayOptions {
    /// The recording: of throng run --record, or saved from the page of throng view
    pub(crate) file: PathBuf,
    /// Stop at this tick, before the edits that were made there
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) to_tick: Option<u64>,
    /// List the edits with their ticks, without replaying them
    #[arg(long, conflicts_with = "to_tick")]
    pub(crate) list: bool,
    /// Use this many threads [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Print only errors
    #[arg(long, short, conflicts_with = "list")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    /// The folder of a run's trace: throng run --trace DIR
    pub(crate) first: PathBuf,
    /// The folder of the other one
    pub(crate) second: PathBuf,
}
