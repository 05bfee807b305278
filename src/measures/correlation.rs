//! Correlations between agents over their distance.

use rayon::prelude::*;

use crate::measures::sample::{Measured, Sample};
use crate::measures::spacing::{ball, volume};

/// The largest number of agents whose distances to all others enter a correlation of velocities.
const REFERENCES: usize = 1024;

/// The least number of pairs of agents in an interval from which a correlation length is read. The mean of fewer pairs
/// is mostly noise: its standard error is about 1 / √(D n).
const LEAST_PAIRS: u64 = 30;

/// A function of distance: one value for each interval of distances of the same width, from zero on.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceProfile {
    /// The width of an interval, in metres.
    pub width: f64,
    /// The values; NaN where no pair of agents has such a distance, or where it cannot be measured.
    pub values: Vec<f64>,
}

impl DistanceProfile {
    /// The values with the distances in the middle of their intervals, in metres.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        (0..).zip(&self.values).map(|(number, &value)| ((f64::from(number) + 0.5) * self.width, value))
    }

    /// The distance in metres at which the values first fall to zero, interpolated between intervals; NaN if they do
    /// not. It takes each value as exact, even for an interval with a single pair: [`correlation_length`] does not.
    #[must_use]
    pub fn zero(&self) -> f64 {
        first_zero(self.points().filter(|(_, value)| !value.is_nan()))
    }
}

/// The distance at which values first fall to zero, interpolated; NaN if they do not.
fn first_zero(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let mut last: Option<(f64, f64)> = None;
    for (distance, value) in points {
        if value <= 0.0 {
            let Some((before, above)) = last else { return distance };
            return before + (distance - before) * above / (above - value);
        }
        last = Some((distance, value));
    }
    f64::NAN
}

/// The pair correlation g(r): the density of other agents at a distance r from an agent, relative to the mean density.
/// It is 1 at all distances for agents placed at random. `bins` intervals cover the distances up to `range` metres.
///
/// A pair at an offset d counts 1 / Π (1 - |dᵢ| / Lᵢ) over the axes with a boundary, where L is the extent: the
/// translation correction of Ohser and Stoyan, *On the second-order and orientation analysis of planar stationary point
/// processes*, Biom. J. 23, 523 (1981). On periodic axes offsets lead to the nearest image; distances beyond half of
/// the shortest period cannot be measured.
///
/// An interval of n pairs has a relative standard error of about 1 / √n: narrow intervals at short distances are noisy.
#[must_use]
pub fn pair_correlation<const D: usize>(agents: &impl Measured<D>, range: f32, bins: usize) -> DistanceProfile {
    /// Weights are summed as multiples of this, so that the sum does not depend on the order of pairs.
    const UNIT: f64 = 1.0 / (1 << 20) as f64;
    let sample = agents.sample();
    let (extent, period) = (sample.extent(), sample.period());
    let width = f64::from(range) / bins as f64;
    let weight = |from: usize, to: usize| -> u128 {
        let offset = sample.offset(from, to);
        let mut share = 1.0;
        for axis in (0..D).filter(|&axis| period[axis] == f32::INFINITY) {
            share *= 1.0 - f64::from(offset[axis]).abs() / extent[axis];
        }
        // The farthest pairs of all would count without bound.
        if share > 1e-3 { (1.0 / (share * UNIT)) as u128 } else { 0 }
    };
    let pieces = sample.pieces(|rows| {
        let mut sums = vec![0u128; bins];
        for &row in rows {
            sample.within(row as usize, range, |other, squared| {
                let bin = (f64::from(squared).sqrt() / width) as usize;
                if let Some(sum) = sums.get_mut(bin) {
                    *sum += weight(row as usize, other);
                }
            });
        }
        sums
    });
    let pairs = sample.len() as f64 * (sample.len() as f64 - 1.0);
    let shortest = shortest(&period);
    let values = (0..bins).map(|bin| {
        let sum: u128 = pieces.iter().map(|sums| sums[bin]).sum();
        let (low, high) = (bin as f64 * width, (bin + 1) as f64 * width);
        let shell = ball::<D>(high) - ball::<D>(low);
        let measurable = high <= 0.5 * shortest * (1.0 + 1e-6);
        if measurable { sum as f64 * UNIT * volume(&sample) / (pairs * shell) } else { f64::NAN }
    });
    DistanceProfile { width, values: values.collect() }
}

/// The correlation of velocities over distance: the mean of uᵢ · uⱼ over the pairs of agents at this distance, over the
/// mean of |u|², where u is an agent's velocity minus the mean velocity. It is 1 at distance zero and has a zero,
/// because the fluctuations u add up to zero.
///
/// Cavagna et al., *Scale-free correlations in starling flocks*, PNAS 107, 11865 (2010). Their correlation length is
/// [`DistanceProfile::zero`].
///
/// All pairs of at most 1024 agents count. Of more agents, 1024 spread evenly over their order are paired with all.
///
/// An interval of n pairs has a standard error of about 1 / √(D n): narrow intervals at short distances are noisy.
#[must_use]
pub fn velocity_correlation<const D: usize>(agents: &impl Measured<D>, range: f32, bins: usize) -> DistanceProfile {
    let (pairs, variance) = pairs_by_distance(&agents.sample(), range, bins);
    let values = pairs.iter().map(|pairs| pairs.correlation(variance)).collect();
    DistanceProfile { width: f64::from(range) / bins as f64, values }
}

/// The pairs of agents in an interval of distances.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    /// The sum of uᵢ · uⱼ.
    sum: f64,
    /// The number of ordered pairs.
    count: u64,
}

impl Pairs {
    /// The mean of uᵢ · uⱼ over the mean of |u|²; NaN without pairs.
    fn correlation(&self, variance: f64) -> f64 {
        self.sum / self.count as f64 / variance
    }
}

/// The pairs of a correlation of velocities, for intervals of the same width up to `range` metres, and the mean of |u|².
fn pairs_by_distance<const D: usize>(sample: &Sample<D>, range: f32, bins: usize) -> (Vec<Pairs>, f64) {
    let count = sample.len();
    let mean: [f64; D] =
        std::array::from_fn(|axis| sample.sum(|agent| f64::from(sample.velocity(agent)[axis])) / count as f64);
    let fluctuations: Vec<[f64; D]> = (0..count)
        .map(|agent| std::array::from_fn(|axis| f64::from(sample.velocity(agent)[axis]) - mean[axis]))
        .collect();
    let dot = |a: usize, b: usize| -> f64 { (0..D).map(|axis| fluctuations[a][axis] * fluctuations[b][axis]).sum() };
    let variance = sample.sum(|agent| dot(agent, agent)) / count as f64;
    let width = f64::from(range) / bins as f64;
    let references = if count < REFERENCES { count } else { REFERENCES };
    let of_reference = |number: usize| {
        let mut sums = vec![Pairs::default(); bins];
        let agent = number * count / references;
        for other in (0..count).filter(|&other| other != agent) {
            let squared = sample.offset(agent, other).length_squared();
            if squared <= range * range
                && let Some(pairs) = sums.get_mut((f64::from(squared).sqrt() / width) as usize)
            {
                pairs.sum += dot(agent, other);
                pairs.count += 1;
            }
        }
        sums
    };
    let sums: Vec<Vec<Pairs>> = (0..references).into_par_iter().map(of_reference).collect();
    let in_interval = |bin: usize| {
        let mut all = Pairs::default();
        for of_reference in &sums {
            all.sum += of_reference[bin].sum;
            all.count += of_reference[bin].count;
        }
        all
    };
    ((0..bins).map(in_interval).collect(), variance)
}

/// The correlation length of velocities in metres, up to half of the shortest side of the space: see
/// [`velocity_correlation`]. NaN if no correlation falls to zero there.
///
/// Fifty intervals cover these distances. Neighbouring ones with less than thirty pairs of agents are merged, because
/// the mean of a few pairs is noise; an interval with fewer pairs at the end does not count. A group of less than nine
/// agents has no interval with enough pairs, and no correlation length.
#[must_use]
pub fn correlation_length<const D: usize>(agents: &impl Measured<D>) -> f64 {
    /// The number of intervals up to half of the side.
    const BINS: usize = 50;
    let sample: &Sample<D> = &agents.sample();
    let side = sample.extent().into_iter().fold(f64::INFINITY, |low, side| if side < low { side } else { low });
    let range = 0.5 * side as f32;
    let (pairs, variance) = pairs_by_distance(sample, range, BINS);
    first_zero(trusted(&pairs, variance, f64::from(range) / BINS as f64).into_iter())
}

/// The middles of intervals and their correlations. Neighbouring intervals are merged until they have enough pairs.
fn trusted(pairs: &[Pairs], variance: f64, width: f64) -> Vec<(f64, f64)> {
    // Most pairs of agents are two ordered pairs.
    const LEAST: u64 = 2 * LEAST_PAIRS;
    let (mut points, mut merged, mut first) = (Vec::new(), Pairs::default(), 0);
    for (number, pairs) in pairs.iter().enumerate() {
        merged.sum += pairs.sum;
        merged.count += pairs.count;
        if merged.count >= LEAST {
            points.push((0.5 * (first + number + 1) as f64 * width, merged.correlation(variance)));
            (merged, first) = (Pairs::default(), number + 1);
        }
    }
    points
}

fn shortest(period: &[f32]) -> f64 {
    f64::from(period.iter().fold(f32::INFINITY, |low, &period| if period < low { period } else { low }))
}
