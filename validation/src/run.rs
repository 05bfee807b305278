//! Worlds of scenario files with overrides, and measures of their agents.

use throng::{Scenario, World};

/// The result of fallible measurements.
pub(crate) type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The world of a scenario of the repository, with overrides.
pub(crate) fn world<const D: usize>(scenario: &str, sets: &[String]) -> Outcome<World<D>> {
    let file = format!("{}/../scenarios/{scenario}.toml", env!("CARGO_MANIFEST_DIR"));
    let scenario = Scenario::load_with(&file, sets).map_err(|problems| problems.to_string())?;
    scenario.build::<D>().map_err(|error| error.to_string().into())
}

/// Measures of all agents of a world at one time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measures {
    /// The length of the mean of the headings.
    pub(crate) polarisation: f64,
    /// The length of the mean of the cross product of the direction from the centre with the heading.
    pub(crate) milling: f64,
    /// The mean speed.
    pub(crate) speed: f64,
    /// The mean distance from the centre.
    pub(crate) radius: f64,
}

/// Measures the agents of the first species, in an unbounded part of space.
pub(crate) fn measure<const D: usize>(world: &World<D>) -> Measures {
    let agents = world.species_ids().next().and_then(|id| world.agents(id).ok());
    let Some(agents) = agents.filter(|agents| !agents.is_empty()) else { return Measures::default() };
    let count = agents.len() as f64;
    let three = |vector: throng::Vector<D>| {
        std::array::from_fn::<f64, 3, _>(|axis| vector.0.get(axis).map_or(0.0, |x| f64::from(*x)))
    };
    let (mut centre, mut heading, mut spin) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let (mut speed, mut radius) = (0.0, 0.0);
    let first = agents.position(0);
    let from_first = |row: usize| three(world.settings().offset(first, agents.position(row)));
    for row in 0..agents.len() {
        let at = from_first(row);
        (0..3).for_each(|axis| centre[axis] += at[axis] / count);
    }
    for row in 0..agents.len() {
        let (at, velocity) = (from_first(row), three(agents.velocity(row)));
        let out: [f64; 3] = std::array::from_fn(|axis| at[axis] - centre[axis]);
        let (away, fast) = (length(out), length(velocity));
        speed += fast / count;
        radius += away / count;
        for axis in 0..3 {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            heading[axis] += if fast > 0.0 { velocity[axis] / fast / count } else { 0.0 };
            let cross = out[next] * velocity[last] - out[last] * velocity[next];
            spin[axis] += if fast * away > 0.0 { cross / (fast * away) / count } else { 0.0 };
        }
    }
    Measures { polarisation: length(heading), milling: length(spin), speed, radius }
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The mean of a measure over `ticks` ticks, after `before` others.
pub(crate) fn average<const D: usize>(
    world: &mut World<D>,
    before: u64,
    ticks: u64,
    measure: impl Fn(&World<D>) -> Measures,
) -> Measures {
    (0..before).for_each(|_| world.step());
    let mut sum = Measures::default();
    for _ in 0..ticks {
        world.step();
        let now = measure(world);
        let share = 1.0 / ticks as f64;
        sum.polarisation += now.polarisation * share;
        sum.milling += now.milling * share;
        sum.speed += now.speed * share;
        sum.radius += now.radius * share;
    }
    sum
}

/// An override of a scenario.
pub(crate) fn set(key: &str, value: impl std::fmt::Display) -> String {
    format!("{key}={value}")
}

/// The mean of numbers and their standard deviation.
pub(crate) fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, variance.sqrt())
}
