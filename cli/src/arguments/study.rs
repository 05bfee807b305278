//! The options of the commands that study runs.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use super::shared::{OutputOptions, ScenarioOptions};
use crate::values::{radius, some, threads, whole};

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
    /// Vary a key of the scenario; may be repeated
    ///
    /// It takes these values, or STEPS values from START to STOP.
    #[arg(long, value_name = "KEY=A,B,C|KEY=START:STOP:STEPS")]
    pub(crate) vary: Vec<String>,
    /// Run each combination of values with this many seeds
    ///
    /// They are the scenario's seed and the seeds after it.
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = some)]
    pub(crate) seeds: NonZeroU64,
    /// Measures to write [default: polarisation,mean_speed]
    ///
    /// Others are milling and nearest_distance; a wrong name lists all.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) measure: Vec<String>,
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
pub(crate) struct PlotOptions {
    /// The table of a sweep: .csv or .parquet
    pub(crate) table: PathBuf,
    /// The column on the horizontal axis
    #[arg(long, value_name = "KEY")]
    pub(crate) x: Option<String>,
    /// The column on the vertical axis
    #[arg(long, value_name = "MEASURE")]
    pub(crate) y: Option<String>,
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
pub(crate) struct VerifyOptions {
    /// The folder of a run's trace: throng run --trace DIR
    pub(crate) first: PathBuf,
    /// The folder of the other one
    pub(crate) second: PathBuf,
}
