//! Worlds of scenario files with overrides, and means of measures over time.

use throng::World;
use throng::measures::{Moments, Sample, centre};
use throng_scenario::Scenario;

/// The result of fallible measurements.
pub(crate) type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A measure of all agents at one time.
pub(crate) type Measure<const D: usize> = fn(&Sample<D>) -> f64;

/// The world of a scenario of the repository, with overrides.
pub(crate) fn world<const D: usize>(scenario: &str, sets: &[String]) -> Outcome<World<D>> {
    let file = format!("{}/../../scenarios/{scenario}.toml", env!("CARGO_MANIFEST_DIR"));
    let scenario = Scenario::load_with(&file, sets).map_err(|problems| problems.to_string())?;
    scenario.build::<D>().map_err(|error| error.to_string().into())
}

/// The mean distance of the agents from their centre.
pub(crate) fn radius<const D: usize>(sample: &Sample<D>) -> f64 {
    let Some(centre) = centre(sample) else { return 0.0 };
    let distance = |agent| f64::from(sample.settings().offset(centre, sample.position(agent)).length());
    (0..sample.len()).map(distance).sum::<f64>() / sample.len() as f64
}

/// The means of measures over `ticks` ticks, after `before` others.
pub(crate) fn average<const D: usize, const N: usize>(
    world: &mut World<D>,
    before: u64,
    ticks: u64,
    measures: [Measure<D>; N],
) -> [f64; N] {
    (0..before).for_each(|_| world.step());
    let mut moments = [Moments::default(); N];
    for _ in 0..ticks {
        world.step();
        let sample = Sample::of(world);
        for (moments, measure) in moments.iter_mut().zip(measures) {
            moments.add(measure(&sample));
        }
    }
    moments.map(|moments| moments.mean())
}

/// An override of a scenario.
pub(crate) fn set(key: &str, value: impl std::fmt::Display) -> String {
    format!("{key}={value}")
}
