//! The measures of a sweep, over the ticks of a run.

use throng::measures::{Measure, Moments, Recorder, Recording, measure, unknown_measure};
use throng::{AnyWorld, with_world};

use crate::failure::Failure;

/// The measures that a sweep writes if the command line names none.
const DEFAULT: [&str; 2] = ["polarisation", "mean_speed"];

/// The measures with these names, in a sweep with this radius.
pub(super) fn named(names: &[String], radius: Option<f32>) -> Result<Vec<&'static Measure>, Failure> {
    if names.is_empty() {
        return Ok(DEFAULT.into_iter().filter_map(measure).collect());
    }
    let mut found: Vec<&'static Measure> = Vec::new();
    for name in names {
        let refuse = |reason: String| Err(Failure::Input(format!("--measure {name}: {reason}")));
        match measure(name.trim()) {
            Some(measure) if found.contains(&measure) => return refuse("is there twice".to_owned()),
            Some(measure) if measure.needs_radius && radius.is_none() => {
                return refuse("needs a radius: --radius R".to_owned());
            }
            Some(measure) => found.push(measure),
            None => return Err(Failure::Input(format!("--{}", unknown_measure(name.trim())))),
        }
    }
    Ok(found)
}

/// The measures of a run in progress.
pub(super) struct Series<'m> {
    measures: &'m [&'static Measure],
    radius: Option<f32>,
    /// The measures that follow agents from the first tick on.
    followers: Recorder,
    moments: Vec<Moments>,
}

impl<'m> Series<'m> {
    pub(super) fn new(measures: &'m [&'static Measure], radius: Option<f32>) -> Self {
        let following = measures.iter().copied().filter(|measure| measure.follows_agents()).collect();
        let followers = Recorder::new(Recording { every: 1, measures: following, radius, ..Recording::default() });
        Self { measures, radius, followers, moments: vec![Moments::default(); measures.len()] }
    }

    /// Observes the world, before the first tick and after each one.
    pub(super) fn observe(&mut self, world: &AnyWorld) {
        if self.measures.iter().any(|measure| measure.follows_agents()) {
            with_world!(world, world => self.followers.observe(world));
        }
    }

    /// Adds the values of the observed tick.
    pub(super) fn measure(&mut self, world: &AnyWorld) {
        for (measure, moments) in self.measures.iter().zip(&mut self.moments) {
            let followed = self.followers.columns().find(|column| column.name == measure.name);
            moments.add(match followed {
                Some(column) => column.value(),
                None => with_world!(world, world => measure.compute(world, self.radius)),
            });
        }
    }

    /// The mean and the standard deviation of each measure.
    pub(super) fn results(&self) -> impl Iterator<Item = [f64; 2]> {
        self.moments.iter().map(|moments| [moments.mean(), moments.deviation()])
    }
}
