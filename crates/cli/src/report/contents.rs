//! The contents of a report.

use throng::AnyWorld;
use throng::measures::{Convergence, Persons, Recorder, confidence};

use super::building::InBuilding;
use super::density::Density;

use crate::origin::Origin;
use crate::telling::Telling;

/// Everything that a page shows.
pub(super) struct Contents {
    pub(super) origin: Origin,
    pub(super) title: String,
    pub(super) seed: u64,
    pub(super) tick_seconds: f64,
    /// The run of the folder.
    pub(super) first: Observed,
    /// The exit times of all runs, ascending, the first included.
    pub(super) exits: Vec<Vec<f64>>,
    pub(super) convergence: Convergence,
    /// Pictures of the first run, with their captions: of the most telling tick, and of the end.
    pub(super) pictures: Vec<(String, Vec<u8>)>,
}

/// The observations of a run.
pub(super) struct Observed {
    pub(super) persons: Persons,
    /// Time and number of agents, before the first tick and after each one.
    pub(super) counts: Vec<[f64; 2]>,
    pub(super) density: Option<Density>,
    /// Where the agents were in the building, if there is one.
    pub(super) building: Option<InBuilding>,
    /// The lines and the areas of the scenario.
    pub(super) recorder: Recorder,
    pub(super) telling: Telling,
    pub(super) world: AnyWorld,
    pub(super) hash: u64,
}

impl Contents {
    /// The 95 % confidence interval of the mean time of the last exit, over the runs that have one.
    pub(super) fn last_exit_confidence(&self) -> [f64; 2] {
        let lasts: Vec<f64> = self.exits.iter().filter_map(|exits| exits.last().copied()).collect();
        mean_confidence(&lasts)
    }
}

/// The 95 % confidence interval of the mean of the results of runs.
pub(super) fn mean_confidence(values: &[f64]) -> [f64; 2] {
    confidence(values, |values| values.iter().sum::<f64>() / values.len() as f64)
}
