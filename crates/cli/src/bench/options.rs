//! The options of `throng bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use throng_bench::design::{ROUND, WARM};

use crate::values::{dimensions, threads, timed_ticks, whole};

/// The most repetitions of a row.
const MOST_REPETITIONS: u64 = 1000;

#[derive(Debug, Args)]
pub(crate) struct BenchOptions {
    /// The scenario: a file or a name as in throng list; without one, the flock of throng's own figures
    pub(crate) scenario: Option<PathBuf>,
    /// Override a key of the scenario, as for throng run; may be repeated
    #[arg(long, value_name = "KEY=VALUE", requires = "scenario")]
    pub(crate) set: Vec<String>,
    /// Numbers of threads; by default 1, 2, 4 and so on, the cores, and all that the processor runs at a time
    #[arg(long, value_name = "N,...", value_delimiter = ',', allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Vec<NonZeroUsize>,
    /// Numbers of agents, such as 1e4,1e5, in worlds of the same density; for the flock by default 1e3,1e4,1e5
    #[arg(long, value_name = "N,...", value_delimiter = ',', allow_negative_numbers = true, value_parser = agents)]
    pub(crate) agents: Vec<u64>,
    /// Multiples of the scenario's number of agents, such as .25,1,4, at the same density
    #[arg(long, value_name = "S,...", value_delimiter = ',', requires = "scenario", conflicts_with = "agents",
        allow_negative_numbers = true, value_parser = factor)]
    pub(crate) scale: Vec<f64>,
    /// Weak scaling: worlds with these numbers of agents for each thread
    #[arg(long)]
    pub(crate) weak: bool,
    /// Numbers of dimensions of the flock
    #[arg(long, value_name = "D,...", value_delimiter = ',', default_value = "2,3", conflicts_with = "scenario",
        allow_negative_numbers = true, value_parser = dimensions)]
    pub(crate) dimensions: Vec<u8>,
    /// Start the clock after this tick
    #[arg(long, value_name = "TICK", default_value_t = WARM, allow_negative_numbers = true, value_parser = whole)]
    pub(crate) from: u64,
    /// Time this many ticks in each repetition
    #[arg(long, value_name = "N", default_value_t = ROUND, allow_negative_numbers = true, value_parser = timed_ticks)]
    pub(crate) ticks: u64,
    /// Repeat each row this many times, always from the same state
    #[arg(long, value_name = "N", default_value_t = 7, allow_negative_numbers = true, value_parser = repetitions)]
    pub(crate) repetitions: u64,
    /// Print work, span and the speed-up that they allow instead of times: needs one core
    #[arg(long, conflicts_with_all = ["threads", "weak", "csv", "plot", "against"])]
    pub(crate) span: bool,
    /// Print the time of each stage too, or with --span the parts of its span
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Print one JSON object: the machine and the rows
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the rows as a table in CSV, after the machine in comments
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Plot the time over threads and over agents to this file
    #[arg(long, value_name = "FILE.svg|png")]
    pub(crate) plot: Option<PathBuf>,
    /// Compare with the JSON object of an earlier measurement; exit code 3 if a row is slower
    #[arg(long, value_name = "OLD.json")]
    pub(crate) against: Option<PathBuf>,
    /// Measure the flock in rival designs too: a tree of agents, a grid of cells
    #[cfg(feature = "designs")]
    #[arg(long, conflicts_with_all = ["scenario", "weak", "span"])]
    pub(crate) designs: bool,
    /// Measure the flock in other crates too; needs cargo and the repository, and a few minutes the first time
    #[cfg(feature = "designs")]
    #[arg(long, conflicts_with_all = ["scenario", "weak", "span"])]
    pub(crate) peers: bool,
}

/// A number of agents, which may be written as 1e6.
fn agents(text: &str) -> Result<u64, String> {
    let digits: String = text.trim().chars().filter(|letter| *letter != '_').collect();
    let number: Option<f64> = digits.parse().ok();
    let whole = number.filter(|number| number.fract() == 0.0 && (1.0..=1e15).contains(number));
    whole.map(|number| number as u64).ok_or_else(|| "must be a whole number from 1 to 1e15, such as 1e5".to_owned())
}

/// A multiple of the scenario's size.
fn factor(text: &str) -> Result<f64, String> {
    let factor = text.trim().parse().ok().filter(|factor| (1e-6..=1e6).contains(factor));
    factor.ok_or_else(|| "must be a number from 1e-6 to 1e6".to_owned())
}

fn repetitions(text: &str) -> Result<u64, String> {
    match whole(text) {
        Ok(number) if (1..=MOST_REPETITIONS).contains(&number) => Ok(number),
        _ => Err(format!("must be a whole number from 1 to {MOST_REPETITIONS}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_agents_may_have_an_exponent() {
        assert_eq!([agents("1e5"), agents("20_000"), agents(" 7")], [Ok(100_000), Ok(20_000), Ok(7)]);
        for refused in ["0", "-5", "1.5", "1e99", "many", "nan"] {
            assert!(agents(refused).unwrap_err().contains("whole number"), "{refused}");
        }
        assert_eq!((factor(".25"), factor("0").is_err(), factor("inf").is_err()), (Ok(0.25), true, true));
    }
}
