//! Sweeps: a scenario for every combination of values of some keys, with every seed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use throng::{Registry, Warning};

use crate::build::BuildError;
use crate::definition::Scenario;
use crate::keys::MAX_SEED;
use crate::problem::Problems;

/// A key of a scenario and the values that it takes in a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// The key, such as `species.starling.max_speed`.
    pub key: String,
    /// The overrides of each value, such as `species.starling.max_speed=8`: one, or several for the keys of a table.
    pub values: Vec<Vec<String>>,
}

/// The runs of a scenario for every combination of values of some keys, with every seed. The last varied key changes
/// first, seeds before it.
///
/// ```
/// use throng::Registry;
/// use throng_scenario::{Sweep, SweepFault, Varied};
///
/// let text = "format = 1\n[world]\ndimensions = 2\nsize = [9.0, 9.0]\n[species.bird]\ncount = 5\n";
/// let speeds = |values: [f32; 2]| Varied {
///     key: "species.bird.max_speed".to_owned(),
///     values: values.map(|speed| vec![format!("species.bird.max_speed={speed:?}")]).to_vec(),
/// };
/// let sweep = |varied| Sweep::new(&Registry::new(), text, "small.toml", &[], vec![varied], (Some(7), 3), 100);
/// let runs = sweep(speeds([1.0, 2.0]))?;
/// assert_eq!((runs.runs(), runs.run(4).values, runs.run(4).seed), (6, vec![1], 8));
/// assert!(runs.scenario(&runs.run(4)).is_ok());
/// assert!(matches!(sweep(speeds([1.0, 1.0])), Err(SweepFault::SameRuns { .. })));
/// # Ok::<(), SweepFault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep {
    registry: Registry,
    text: String,
    file: String,
    set: Vec<String>,
    varied: Vec<Varied>,
    first_seed: u64,
    seeds: u64,
    runs: u64,
    /// The warnings of its scenarios, and the first run of each.
    warnings: Vec<(Warning, SweepRun)>,
    /// The other files that its scenarios name.
    files: BTreeSet<PathBuf>,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweepRun {
    /// The number of the value of each varied key.
    pub values: Vec<usize>,
    /// The seed.
    pub seed: u64,
}

/// The reason to refuse a sweep.
#[derive(Debug)]
#[non_exhaustive]
pub enum SweepFault {
    /// This key sets the seed, which a sweep varies by itself.
    SeedVaried(String),
    /// This key is varied twice.
    KeyTwice(String),
    /// This key has no values.
    NoValues(String),
    /// Two combinations of values give the same runs, which would pass for independent ones.
    SameRuns {
        /// The overrides of the first one.
        first: String,
        /// The overrides of the second one.
        second: String,
    },
    /// A seed is missing, or the last one exceeds [`MAX_SEED`].
    Seeds {
        /// The first seed.
        first: u64,
        /// The number of seeds.
        seeds: u64,
    },
    /// There are more runs than allowed.
    TooManyRuns {
        /// The number of runs; `None` if it overflows.
        runs: Option<u64>,
        /// The allowed number.
        most: u64,
    },
    /// A scenario is refused.
    Scenario(Problems),
    /// A scenario is too large for this machine.
    TooLarge(BuildError),
}

impl fmt::Display for SweepFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SeedVaried(key) => write!(f, "{key}: seeds are varied by their number"),
            Self::KeyTwice(key) => write!(f, "{key}: the key is varied twice"),
            Self::NoValues(key) => write!(f, "{key} has no values"),
            Self::SameRuns { first, second } => write!(f, "the runs of {first} and of {second} are the same"),
            Self::Seeds { seeds: 0, .. } => write!(f, "there must be a seed"),
            Self::Seeds { first, .. } => write!(f, "the seeds from {first} on must not exceed {MAX_SEED}"),
            Self::TooManyRuns { runs, most } => {
                let runs = runs.map_or("too many".to_owned(), |runs| runs.to_string());
                write!(f, "the sweep has {runs} runs, more than {most}")
            }
            Self::Scenario(problems) => problems.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SweepFault {}

impl Sweep {
    /// A sweep of the scenario with this text, with overrides of all runs. `seeds` are the first seed, by default the
    /// seed of the scenario, and their number. The scenarios of all combinations are checked.
    ///
    /// # Errors
    ///
    /// [`SweepFault`]: a scenario is refused; a combination or the seed is varied in a way that repeats runs; or there
    /// are more than `most` runs.
    pub fn new(
        registry: &Registry,
        text: &str,
        file: &str,
        set: &[String],
        varied: Vec<Varied>,
        (first_seed, seeds): (Option<u64>, u64),
        most: u64,
    ) -> Result<Self, SweepFault> {
        check_keys(&varied)?;
        let first_seed = match first_seed {
            Some(first) => first,
            None => Scenario::parse_in(registry, text, file, set).map_err(SweepFault::Scenario)?.seed(),
        };
        let last_seed = seeds.checked_sub(1).and_then(|more| first_seed.checked_add(more));
        if last_seed.is_none_or(|last| last > MAX_SEED) {
            return Err(SweepFault::Seeds { first: first_seed, seeds });
        }
        let combinations = varied.iter().try_fold(1_u64, |count, varied| count.checked_mul(varied.values.len() as u64));
        let runs = combinations.and_then(|count| count.checked_mul(seeds));
        let (Some(combinations), Some(runs)) = (combinations, runs.filter(|runs| *runs <= most)) else {
            return Err(SweepFault::TooManyRuns { runs, most });
        };
        let (registry, text, file, set) = (registry.clone(), text.to_owned(), file.to_owned(), set.to_vec());
        let (warnings, files) = (Vec::new(), BTreeSet::new());
        let mut sweep = Self { registry, text, file, set, varied, first_seed, seeds, runs, warnings, files };
        sweep.check_combinations(combinations)?;
        Ok(sweep)
    }

    /// The number of runs.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The first seed.
    #[must_use]
    pub fn first_seed(&self) -> u64 {
        self.first_seed
    }

    /// The number of seeds.
    #[must_use]
    pub fn seeds(&self) -> u64 {
        self.seeds
    }

    /// The different warnings of the scenarios, each with the first run that has it.
    pub fn warnings(&self) -> impl Iterator<Item = (Warning, SweepRun)> {
        self.warnings.iter().cloned()
    }

    /// The other files that its scenarios name: see [`Scenario::files`].
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// The run with this number.
    #[must_use]
    pub fn run(&self, number: u64) -> SweepRun {
        let mut rest = number / self.seeds;
        let mut values = Vec::with_capacity(self.varied.len());
        for varied in self.varied.iter().rev() {
            let count = varied.values.len() as u64;
            values.push((rest % count) as usize);
            rest /= count;
        }
        values.reverse();
        SweepRun { values, seed: self.first_seed + number % self.seeds }
    }

    /// The scenario of a run.
    ///
    /// # Errors
    ///
    /// All problems of the scenario.
    pub fn scenario(&self, run: &SweepRun) -> Result<Scenario, Problems> {
        let seed = format!("world.seed={}", run.seed);
        let set: Vec<String> = self.set.iter().cloned().chain(self.overrides(run)).chain([seed]).collect();
        Scenario::parse_in(&self.registry, &self.text, &self.file, &set)
    }

    /// The overrides of the values of a run.
    fn overrides(&self, run: &SweepRun) -> impl Iterator<Item = String> {
        let values = self.varied.iter().zip(&run.values);
        values.filter_map(|(varied, &value)| varied.values.get(value)).flatten().cloned()
    }

    /// Checks the scenario of each combination of values, and that no other one is the same. Takes their different
    /// warnings, each with the first run that has it, and their files.
    fn check_combinations(&mut self, combinations: u64) -> Result<(), SweepFault> {
        let mut seen = BTreeMap::new();
        for combination in 0..combinations {
            let scenario = |combination: u64| self.scenario(&self.run(combination * self.seeds));
            let this = scenario(combination).map_err(SweepFault::Scenario)?;
            this.check_limits().map_err(SweepFault::TooLarge)?;
            let hash = hash(&this);
            if let Some(&other) = seen.get(&hash)
                && scenario(other).is_ok_and(|other| other == this)
            {
                let shown = |number: u64| self.overrides(&self.run(number * self.seeds)).collect::<Vec<_>>().join(", ");
                return Err(SweepFault::SameRuns { first: shown(other), second: shown(combination) });
            }
            seen.insert(hash, combination);
            for warning in this.warnings() {
                if !self.warnings.iter().any(|(known, _)| *known == warning) {
                    self.warnings.push((warning, self.run(combination * self.seeds)));
                }
            }
            self.files.extend(this.files);
        }
        Ok(())
    }
}

fn check_keys(varied: &[Varied]) -> Result<(), SweepFault> {
    for (number, Varied { key, values }) in varied.iter().enumerate() {
        if values.iter().flatten().any(|set| path(set) == "world.seed") || path(key) == "world.seed" {
            return Err(SweepFault::SeedVaried(key.clone()));
        }
        if values.is_empty() {
            return Err(SweepFault::NoValues(key.clone()));
        }
        if varied[..number].iter().any(|other| path(&other.key) == path(key)) {
            return Err(SweepFault::KeyTwice(key.clone()));
        }
    }
    Ok(())
}

/// The key of an override without its spaces.
fn path(set: &str) -> String {
    let key = set.split_once('=').map_or(set, |(key, _)| key);
    key.split('.').map(str::trim).collect::<Vec<_>>().join(".")
}

/// A hash of a scenario: equal scenarios have equal ones.
fn hash(scenario: &Scenario) -> u64 {
    /// FNV-1a of a text.
    struct Hash(u64);

    impl fmt::Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            Ok(())
        }
    }

    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    // Writing to a hash cannot fail.
    _ = fmt::write(&mut hash, format_args!("{scenario:?}"));
    hash.0
}
