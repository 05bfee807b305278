//! Patterns of motion, by whose distributions runs and recorded tracks are compared.

use std::collections::HashMap;

use crate::base::error::Error;
use crate::base::ids::SpeciesId;
use crate::maths::atan2;
use crate::measures::sample::Sample;
use crate::measures::{kolmogorov_smirnov, nearest_distances, polarisation, wasserstein};
use crate::world::World;

/// A pattern of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pattern {
    /// The polarisation in each frame.
    Order,
    /// The distance of each agent to its nearest neighbour.
    Spacing,
    /// The speed of each agent.
    Speed,
    /// The angle between the velocities of an agent in two frames.
    Turning,
    /// The correlation of the velocity fluctuations of an agent and its nearest neighbour: uᵢ · uⱼ / ⟨u²⟩, with u = v -
    /// ⟨v⟩.
    Correlation,
}

impl Pattern {
    /// All variants.
    pub const ALL: [Self; 5] = [Self::Order, Self::Spacing, Self::Speed, Self::Turning, Self::Correlation];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Spacing => "spacing",
            Self::Speed => "speed",
            Self::Turning => "turning",
            Self::Correlation => "correlation",
        }
    }

    /// The unit; empty where it has none.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Spacing => "m",
            Self::Speed => "m/s",
            Self::Turning => "rad",
            Self::Order | Self::Correlation => "",
        }
    }
}

/// The values of patterns over frames that are the same time apart: in a run, or in recorded tracks.
///
/// Patterns as the measure of a model: Grimm et al., *Pattern-oriented modeling of agent-based complex systems*, Science
/// 310, 987 (2005).
///
/// ```
/// use throng::measures::{Pattern, Patterns};
/// use throng::{Settings, Species, World};
///
/// let run = |speed: f32| -> Result<Patterns, throng::Error> {
///     let mut world = World::<2>::new(Settings::default())?;
///     let bird = world.add_species(Species::new("bird"))?;
///     for number in 0..10_u8 {
///         world.spawn(bird, [f32::from(number), 5.0], [0.0, speed])?;
///     }
///     let mut patterns = Patterns::default();
///     for _ in 0..3 {
///         patterns.observe(&world, None)?;
///         world.step();
///     }
///     Ok(patterns)
/// };
/// let (recorded, run) = (run(2.0)?, run(3.0)?);
/// assert_eq!(recorded.wasserstein(&run, Pattern::Speed), 1.0);
/// // Speeds are half of the recorded ones away; order, spacing and turning are the same.
/// assert_eq!(recorded.distance(&run, &[Pattern::Order, Pattern::Spacing, Pattern::Speed, Pattern::Turning]), 0.125);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    values: [Vec<f64>; Pattern::ALL.len()],
    /// The velocities in the last frame, by id.
    last: HashMap<u64, [f64; 3]>,
}

impl Patterns {
    /// Adds the agents of a world as the next frame, or the agents of one species.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn observe<const D: usize>(&mut self, world: &World<D>, species: Option<SpeciesId>) -> Result<(), Error> {
        let sample = species.map_or(Ok(Sample::of(world)), |species| Sample::of_species(world, species))?;
        let of_species = world.all_agents().iter().filter(|agents| species.is_none_or(|own| own == agents.species()));
        let ids: Vec<u64> = of_species.flat_map(|agents| agents.ids()).map(|id| id.to_bits()).collect();
        self.add(&sample, &ids);
        Ok(())
    }

    /// Adds agents as the next frame; `ids` has the ids by which they are the same agents as in the last one.
    pub fn add<const D: usize>(&mut self, sample: &Sample<D>, ids: &[u64]) {
        if sample.is_empty() {
            self.last.clear();
            return;
        }
        let velocity = |agent: usize| -> [f64; 3] {
            let own = sample.velocity(agent);
            std::array::from_fn(|axis| if axis < D { f64::from(own[axis]) } else { 0.0 })
        };
        let velocities: Vec<[f64; 3]> = (0..sample.len()).map(velocity).collect();
        let now: HashMap<u64, [f64; 3]> = ids.iter().copied().zip(velocities.iter().copied()).collect();
        let turns = ids.iter().filter_map(|id| angle(*self.last.get(id)?, *now.get(id)?));
        self.values[Pattern::Turning as usize].extend(turns);
        let moves = velocities.iter().any(|velocity| dot(*velocity, *velocity) > 0.0);
        self.values[Pattern::Order as usize].extend(moves.then(|| polarisation(sample)));
        let distances = nearest_distances(sample).into_iter().filter(|distance| distance.is_finite());
        self.values[Pattern::Spacing as usize].extend(distances.map(f64::from));
        self.values[Pattern::Speed as usize].extend(velocities.iter().map(|velocity| dot(*velocity, *velocity).sqrt()));
        self.values[Pattern::Correlation as usize].extend(correlations(sample, &velocities));
        self.last = now;
    }

    /// Forgets the last frame: the next one follows after another time than the others.
    pub fn interrupt(&mut self) {
        self.last.clear();
    }

    /// Adds the values of another run, such as one with another seed.
    pub fn append(&mut self, other: &Self) {
        self.values.iter_mut().zip(&other.values).for_each(|(own, others)| own.extend(others));
    }

    /// The values of a pattern, of all frames.
    #[must_use]
    pub fn values(&self, pattern: Pattern) -> &[f64] {
        &self.values[pattern as usize]
    }

    /// The mean of a pattern; NaN without values.
    #[must_use]
    pub fn mean(&self, pattern: Pattern) -> f64 {
        let values = self.values(pattern);
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// The Wasserstein distance of a pattern, in its unit: see [`wasserstein`].
    #[must_use]
    pub fn wasserstein(&self, other: &Self, pattern: Pattern) -> f64 {
        wasserstein(self.values(pattern), other.values(pattern))
    }

    /// The distance of Kolmogorov and Smirnov of a pattern: see [`kolmogorov_smirnov`].
    #[must_use]
    pub fn kolmogorov_smirnov(&self, other: &Self, pattern: Pattern) -> f64 {
        kolmogorov_smirnov(self.values(pattern), other.values(pattern))
    }

    /// The distance of another one from this one in a pattern, without a unit: the Wasserstein distance over the root mean
    /// square of these values. NaN if one has no values.
    #[must_use]
    pub fn relative(&self, other: &Self, pattern: Pattern) -> f64 {
        let values = self.values(pattern);
        let square = values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64;
        match self.wasserstein(other, pattern) {
            // Values that are all zero have no scale.
            distance if square == 0.0 => distance,
            distance => distance / square.sqrt(),
        }
    }

    /// The mean of the [relative](Self::relative) distances of another one in these patterns.
    #[must_use]
    pub fn distance(&self, other: &Self, patterns: &[Pattern]) -> f64 {
        patterns.iter().map(|&pattern| self.relative(other, pattern)).sum::<f64>() / patterns.len() as f64
    }
}

fn dot(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The angle between two velocities in radians, from 0 to π; `None` if one is zero.
fn angle(before: [f64; 3], now: [f64; 3]) -> Option<f64> {
    let (along, squares) = (dot(before, now), dot(before, before) * dot(now, now));
    let across = squares - along * along;
    let across = if across > 0.0 { across.sqrt() } else { 0.0 };
    (squares > 0.0).then(|| f64::from(atan2(across as f32, along as f32)))
}

/// The correlation of each agent's fluctuation with its nearest neighbour's; none if all move alike.
fn correlations<const D: usize>(sample: &Sample<D>, velocities: &[[f64; 3]]) -> Vec<f64> {
    let count = velocities.len() as f64;
    let mean: [f64; 3] = std::array::from_fn(|axis| velocities.iter().map(|own| own[axis]).sum::<f64>() / count);
    let fluctuations: Vec<[f64; 3]> =
        velocities.iter().map(|own| std::array::from_fn(|axis| own[axis] - mean[axis])).collect();
    let variance = fluctuations.iter().map(|own| dot(*own, *own)).sum::<f64>() / count;
    if variance == 0.0 {
        return Vec::new();
    }
    let nearest = sample.each(|agent| sample.nearest(agent).map(|(other, _)| other));
    let pairs = nearest.into_iter().enumerate().filter_map(|(agent, other)| Some((agent, other?)));
    pairs.map(|(agent, other)| dot(fluctuations[agent], fluctuations[other]) / variance).collect()
}
