//! Fits: values of keys with which a scenario moves like recorded tracks.

mod fitted;
mod interval;
mod persons;
mod search;
mod surface;
mod tracks;

pub use fitted::{FitFault, Fitted, Watch};
pub use persons::{PersonFit, means};
pub use tracks::TrackPatterns;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use throng::measures::{Pattern, Patterns};
use throng::{AnyWorld, Registry, with_world};

use crate::definition::Scenario;
use crate::fit::persons::Replay;
use crate::problem::Problems;

/// The distance of a point whose world is refused or loses its agents: larger than any other.
const REFUSED: f64 = 1e9;

/// The most ticks of a run, and the most runs of a fit.
const MOST_TICKS: u64 = 10_000_000;
const MOST_RUNS: u64 = 1_000_000;

/// A key of a scenario and the range in which its value is sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The key, such as `species.starling.max_speed`.
    pub key: String,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether its values are whole numbers.
    pub whole: bool,
}

impl Sought {
    /// Reads `KEY=LOW..HIGH`. If both ends are whole numbers without a point, values are whole.
    ///
    /// ```
    /// use throng_scenario::fit::Sought;
    ///
    /// let sought = Sought::parse("species.bird.max_speed = 0.5..2")?;
    /// assert_eq!((&sought.key[..], sought.low, sought.high, sought.whole), ("species.bird.max_speed", 0.5, 2.0, false));
    /// assert!(Sought::parse("species.bird.alignment.nearest=3..12")?.whole);
    /// assert!(Sought::parse("species.bird.max_speed=2..1").is_err());
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The reason in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(key, range)| Some((key, range.split_once("..")?)));
        let (key, (low, high)) = parts.ok_or("must be KEY=LOW..HIGH")?;
        let key = key.split('.').map(str::trim).collect::<Vec<_>>().join(".");
        let ends = [low, high].map(|end| end.trim().parse::<f64>().ok().filter(|end| end.is_finite()));
        let whole = [low, high].iter().all(|end| end.trim().parse::<i64>().is_ok());
        match ends {
            _ if key.split('.').any(str::is_empty) => Err("must start with a key".to_owned()),
            [Some(low), Some(high)] if low < high => Ok(Self { key, low, high, whole }),
            _ => Err("the range must have finite ends, the lower first".to_owned()),
        }
    }

    /// The value at a share of the range, from 0 to 1: with six digits, or a whole number.
    fn at(&self, share: f64) -> f64 {
        let value = self.low + share.clamp(0.0, 1.0) * (self.high - self.low);
        let value = if self.whole { value.round() } else { format!("{value:.5e}").parse().unwrap_or(value) };
        value.clamp(self.low, self.high)
    }

    /// The override that sets the key to this value.
    #[must_use]
    pub fn set(&self, value: f64) -> String {
        // A number without a point would be a whole one.
        if self.whole { format!("{}={value}", self.key) } else { format!("{}={value:?}", self.key) }
    }
}

/// A fit: a scenario, the tracks that it should reproduce, and the keys whose values are sought.
#[derive(Clone, Debug)]
pub struct FitDesign {
    /// The rules.
    pub registry: Registry,
    /// The text of the scenario.
    pub text: String,
    /// The name of the scenario's file.
    pub file: String,
    /// Overrides of all runs.
    pub set: Vec<String>,
    /// The trajectories, one for each recording.
    pub tracks: Vec<PathBuf>,
    /// The species that is compared, in both; `None` for all agents.
    pub species: Option<String>,
    /// The keys; without any, the scenario is compared as it is.
    pub sought: Vec<Sought>,
    /// The patterns that are compared; empty for all that the tracks have.
    pub patterns: Vec<Pattern>,
    /// The tick of a run with which the first frame of the tracks is compared.
    pub from: u64,
    /// The ticks between frames; `None` for the time in the file.
    pub every: Option<u64>,
    /// The frames of a run; `None` for the number in the tracks.
    pub frames: Option<u64>,
    /// Compares this number of persons of the tracks, at most, instead of patterns: each is simulated by itself among the
    /// others, which follow their tracks, and the distance is the mean of [`PersonFit::place`].
    pub persons: Option<u64>,
    /// The number of seeds of each point, from the scenario's seed on. All points have the same seeds.
    pub seeds: u64,
    /// The largest number of points.
    pub points: u64,
    /// Whether further points around the best one give the interval of each key.
    pub interval: bool,
}

/// A pattern, in the tracks and in the runs of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Compared {
    /// The pattern.
    pub pattern: Pattern,
    /// Its mean in the tracks.
    pub recorded: f64,
    /// Its mean in the runs.
    pub run: f64,
    /// The Wasserstein distance, in the unit of the pattern.
    pub wasserstein: f64,
    /// The Wasserstein distance over the root mean square of the tracks.
    pub relative: f64,
    /// The distance of Kolmogorov and Smirnov.
    pub kolmogorov_smirnov: f64,
}

/// A checked fit.
#[derive(Clone, Debug)]
pub struct Fit {
    design: FitDesign,
    tracks: TrackPatterns,
    /// The ticks between frames, and the number of frames.
    every: u64,
    frames: u64,
    first_seed: u64,
    /// The persons, if they are compared.
    replay: Option<Replay>,
}

impl Fit {
    /// Reads the tracks and checks the scenario, with the ends and the middle of all ranges.
    ///
    /// # Errors
    ///
    /// [`FitFault`].
    pub fn new(mut design: FitDesign) -> Result<Self, FitFault> {
        let refuse = |reason: String| Err(FitFault::Design(reason));
        let keys: Vec<&String> = design.sought.iter().map(|sought| &sought.key).collect();
        if let Some(twice) = (1..keys.len()).find(|&number| keys[..number].contains(&keys[number])) {
            return refuse(format!("{}: the key is sought twice", keys[twice]));
        }
        if let Some(key) = keys.iter().find(|key| ["world.seed", "world.tick"].contains(&&key[..])) {
            return refuse(format!("{key}: is not fitted: the design has the seeds and the times of all runs"));
        }
        if design.seeds == 0 || design.points == 0 {
            return refuse("there must be a seed and a point".to_owned());
        }
        if design.seeds.saturating_mul(design.points) > MOST_RUNS {
            return refuse(format!(
                "{} points with {} seeds are more than {MOST_RUNS} runs",
                design.points, design.seeds
            ));
        }
        let middle = vec![0.5; design.sought.len()];
        let scenario = |shares: &[f64], seed| design.scenario(&design.values(shares), seed).map_err(FitFault::Scenario);
        let first = scenario(&middle, None)?;
        for (key, end) in (0..middle.len()).flat_map(|key| [(key, 0.0), (key, 1.0)]) {
            let mut shares = middle.clone();
            shares[key] = end;
            scenario(&shares, None)?.check_limits().map_err(FitFault::Build)?;
        }
        let world = first.build_any().map_err(FitFault::Build)?;
        if let Some(name) = design.species.as_deref().filter(|name| world.find_species(name).is_none()) {
            let known: Vec<&str> = first.species().map(|(name, _)| name).collect();
            return refuse(format!("{name}: the scenario has no such species; it has {}", known.join(", ")));
        }
        let tracks =
            TrackPatterns::read_all(&design.tracks, &world, design.species.as_deref()).map_err(FitFault::Design)?;
        let replay = design
            .persons
            .map(|most| match &design.tracks[..] {
                [tracks] => Replay::new(tracks, design.species.as_deref(), &first, most),
                _ => Err("persons are compared with one recording".to_owned()),
            })
            .transpose()
            .map_err(FitFault::Design)?;
        let every = match design.every {
            Some(every) => every,
            None if replay.is_some() => 1,
            None => {
                ticks_between(&tracks, f64::from(world.settings().tick_seconds), &design).map_err(FitFault::Design)?
            }
        };
        let has = |pattern: &Pattern| !tracks.patterns.values(*pattern).is_empty();
        if let Some(pattern) = design.patterns.iter().find(|pattern| !has(pattern)) {
            return refuse(format!("{}: has no values of {}", names(&design.tracks), pattern.name()));
        }
        if replay.is_some() && !design.patterns.is_empty() {
            return refuse("persons and patterns exclude each other".to_owned());
        }
        if design.patterns.is_empty() {
            design.patterns = Pattern::ALL.into_iter().filter(has).collect();
        }
        let frames = design.frames.unwrap_or(tracks.longest);
        let fit = Self { first_seed: first.seed(), design, tracks, every, frames, replay };
        let ticks = fit.replay.as_ref().map_or(fit.ticks_of_run(), |replay| replay.longest);
        match ticks > MOST_TICKS {
            true => refuse(format!(
                "a run has {ticks} ticks, more than {MOST_TICKS}: from {}, with {frames} frames every {every} ticks",
                fit.design.from
            )),
            false => Ok(fit),
        }
    }

    /// The tracks.
    #[must_use]
    pub fn tracks(&self) -> &TrackPatterns {
        &self.tracks
    }

    /// The ticks between frames.
    #[must_use]
    pub fn every(&self) -> u64 {
        self.every
    }

    /// The ticks of all runs, at most.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        let keys = self.design.sought.len();
        let further = if self.design.interval { surface::points(keys) } else { 0 };
        let points = if keys == 0 { 1 } else { self.design.points + further };
        let ticks = self.replay.as_ref().map_or(self.ticks_of_run(), |replay| replay.ticks);
        ticks.saturating_mul(self.design.seeds).saturating_mul(points)
    }

    fn ticks_of_run(&self) -> u64 {
        self.design.from.saturating_add(self.every.saturating_mul(self.frames.saturating_sub(1)))
    }

    /// Seeks the point with the least distance: points that fill the ranges evenly, then descents of the simplex of Nelder
    /// and Mead (1965) from the best of them. Returns all points, the best first. The same design gives the same points on any
    /// number of threads, because all have the same seeds.
    ///
    /// # Errors
    ///
    /// [`FitFault::Stopped`] if `watch` returns false, and failures of steps.
    pub fn run(&self, watch: &Watch<'_>) -> Result<Vec<Fitted>, FitFault> {
        let mut points = search::search(self.design.sought.len(), self.design.points, |shares, known| {
            let values = self.design.values(shares);
            if let Some(same) = known.iter().find(|known| known.values == values) {
                return Ok((same.clone(), false));
            }
            let distance = match self.distance(&values, watch) {
                Ok(distance) => distance,
                // Inside the ranges, other keys may refuse a point.
                Err(FitFault::Scenario(_) | FitFault::Build(_)) => REFUSED,
                Err(fault) => return Err(fault),
            };
            Ok((Fitted { values, distance: if distance.is_nan() { REFUSED } else { distance } }, true))
        })?;
        points.sort_by(|one, other| one.distance.total_cmp(&other.distance));
        Ok(points)
    }

    /// The distance of the runs of a point from the tracks.
    fn distance(&self, values: &[f64], watch: &Watch<'_>) -> Result<f64, FitFault> {
        if self.replay.is_some() {
            return self.persons(values, watch).map(|persons| means(&persons)[0]);
        }
        Ok(self.tracks.patterns.distance(&self.patterns(values, watch)?, &self.design.patterns))
    }

    /// The persons that are compared at a point, seed by seed in the order of their tracks; none if patterns are compared.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    pub fn persons(&self, values: &[f64], watch: &Watch<'_>) -> Result<Vec<PersonFit>, FitFault> {
        let Some(replay) = &self.replay else { return Ok(Vec::new()) };
        let scenario = |seed: u64| self.design.scenario(values, Some(self.first_seed + seed));
        let scenarios = (0..self.design.seeds).map(scenario).collect::<Result<Vec<_>, _>>();
        replay.run(&scenarios.map_err(FitFault::Scenario)?, watch)
    }

    /// The patterns, in the tracks and in the runs of a point; none if persons are compared.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    pub fn compare(&self, values: &[f64], watch: &Watch<'_>) -> Result<Vec<Compared>, FitFault> {
        if self.replay.is_some() {
            return Ok(Vec::new());
        }
        let (recorded, run) = (&self.tracks.patterns, self.patterns(values, watch)?);
        let compared = |&pattern: &Pattern| Compared {
            pattern,
            recorded: recorded.mean(pattern),
            run: run.mean(pattern),
            wasserstein: recorded.wasserstein(&run, pattern),
            relative: recorded.relative(&run, pattern),
            kolmogorov_smirnov: recorded.kolmogorov_smirnov(&run, pattern),
        };
        Ok(self.design.patterns.iter().map(compared).collect())
    }

    /// The patterns of the runs of a point, with all seeds.
    fn patterns(&self, values: &[f64], watch: &Watch<'_>) -> Result<Patterns, FitFault> {
        let fault = Mutex::new(None);
        let of_seed = |seed: u64| self.of_run(values, self.first_seed + seed, watch);
        let all: Vec<Option<Patterns>> = (0..self.design.seeds)
            .into_par_iter()
            .map(|seed| {
                of_seed(seed).map_err(|found| fault.lock().unwrap_or_else(PoisonError::into_inner).replace(found)).ok()
            })
            .collect();
        if let Some(fault) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(fault);
        }
        let mut sum = Patterns::default();
        all.iter().flatten().for_each(|patterns| sum.append(patterns));
        Ok(sum)
    }

    fn of_run(&self, values: &[f64], seed: u64, watch: &Watch<'_>) -> Result<Patterns, FitFault> {
        let scenario = self.design.scenario(values, Some(seed)).map_err(FitFault::Scenario)?;
        let mut world = scenario.build_any().map_err(FitFault::Build)?;
        let species = self.design.species.as_deref().and_then(|name| world.find_species(name));
        let (mut patterns, ticks) = (Patterns::default(), self.ticks_of_run());
        let mut observe = |world: &AnyWorld| match world.tick().checked_sub(self.design.from) {
            Some(since) if since.is_multiple_of(self.every) => {
                with_world!(world, world => patterns.observe(world, species)).map_err(FitFault::Step)
            }
            _ => Ok(()),
        };
        observe(&world)?;
        while world.tick() < ticks {
            world.try_step().map_err(FitFault::Step)?;
            observe(&world)?;
            if !watch(1) {
                return Err(FitFault::Stopped);
            }
        }
        Ok(patterns)
    }
}

impl FitDesign {
    /// The values of the keys at these shares of their ranges.
    fn values(&self, shares: &[f64]) -> Vec<f64> {
        self.sought.iter().zip(shares).map(|(sought, &share)| sought.at(share)).collect()
    }

    /// The scenario with these values of the keys.
    fn scenario(&self, values: &[f64], seed: Option<u64>) -> Result<Scenario, Problems> {
        let values = self.sought.iter().zip(values).map(|(sought, &value)| sought.set(value));
        let seed = seed.map(|seed| format!("world.seed={seed}"));
        let set: Vec<String> = self.set.iter().cloned().chain(values).chain(seed).collect();
        Scenario::parse_in(&self.registry, &self.text, &self.file, &set)
    }
}

/// The names of files.
fn names(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.to_string_lossy()).collect::<Vec<_>>().join(", ")
}

/// The ticks of a world between frames of tracks.
fn ticks_between(tracks: &TrackPatterns, tick: f64, design: &FitDesign) -> Result<u64, String> {
    let file = names(&design.tracks);
    let Some(seconds) = tracks.seconds else {
        return Err(format!("{file}: has no time: give the ticks between its frames"));
    };
    let every = (seconds / tick).round();
    if every < 1.0 || (every * tick / seconds - 1.0).abs() > 0.01 {
        let reason = "set world.tick to the time between frames, or to a whole part of it";
        return Err(format!("{file}: frames are {seconds} s apart, and ticks {tick} s: {reason}"));
    }
    Ok(every as u64)
}
