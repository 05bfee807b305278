//! Fluctuations of the number of agents in boxes of several sizes.

use crate::maths::ln;
use crate::measures::sample::{Measured, Sample};

/// The least number of boxes from whose numbers a variance is estimated.
const FEWEST_BOXES: usize = 16;

/// The numbers of agents in equal boxes that fill the space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fluctuation {
    /// The number of boxes.
    pub boxes: usize,
    /// The mean number of agents in a box.
    pub mean: f64,
    /// The variance of the numbers, estimated from the boxes as a sample: for agents placed at random it equals the mean,
    /// in boxes of any size.
    pub variance: f64,
}

/// Counts the agents in boxes of several sizes: each axis is divided into 2, 4, 8, ... equal parts, while a box holds an
/// agent on average and there are at least sixteen boxes. Large boxes come first. On an axis without boundary, the
/// extent of the agents is divided.
///
/// ```
/// use throng::Settings;
/// use throng::measures::{Sample, number_fluctuations};
///
/// // On a lattice, all boxes hold the same number.
/// let at = |row: usize| (row as f32 + 0.5) * 12.5;
/// let (x, y): (Vec<f32>, Vec<f32>) = (0..64).map(|number| (at(number % 8), at(number / 8))).unzip();
/// let sample = Sample::new([&x, &y], [&[0.0; 64], &[0.0; 64]], &Settings::default())?;
/// let fluctuations = number_fluctuations(&sample);
/// assert_eq!(fluctuations.iter().map(|of| (of.boxes, of.mean)).collect::<Vec<_>>(), [(16, 4.0), (64, 1.0)]);
/// assert!(fluctuations.iter().all(|of| of.variance == 0.0));
/// # Ok::<(), throng::Error>(())
/// ```
#[must_use]
pub fn number_fluctuations<const D: usize>(agents: &impl Measured<D>) -> Vec<Fluctuation> {
    let sample: &Sample<D> = &agents.sample();
    let (origin, extent) = (sample.origin(), sample.extent());
    if extent.contains(&0.0) {
        return Vec::new();
    }
    let sizes = (1..).map(|level| 1_usize << level).map(|parts| (parts, parts.pow(D as u32)));
    let sizes = sizes.skip_while(|(_, boxes)| *boxes < FEWEST_BOXES).take_while(|(_, boxes)| *boxes <= sample.len());
    let of_size = |(parts, boxes): (usize, usize)| {
        let mut counts = vec![0_u32; boxes];
        for agent in 0..sample.len() {
            let number = (0..D)
                .fold(0, |number, axis| number * parts + sample.part(agent, axis, parts, (origin[axis], extent[axis])));
            counts[number] += 1;
        }
        let mean = sample.len() as f64 / boxes as f64;
        let squares: f64 = counts.iter().map(|&count| (f64::from(count) - mean) * (f64::from(count) - mean)).sum();
        Fluctuation { boxes, mean, variance: squares / (boxes - 1) as f64 }
    };
    sizes.map(of_size).collect()
}

/// The exponent α of the standard deviations of numbers of agents over their means, Δn ~ n^α, in boxes of several sizes:
/// see [`number_fluctuations`]. It is 0.5 for agents placed at random and 0.8 in ordered flocks of two dimensions: giant
/// number fluctuations (Toner and Tu, *Flocks, herds, and schools*, Phys. Rev. E 58, 4828 (1998)).
///
/// A line is fitted to logarithms, in which each size counts as its number of boxes, less one: the inverse of the variance
/// that its point has by chance. NaN with fewer than two sizes of different numbers.
#[must_use]
pub fn fluctuation_exponent<const D: usize>(agents: &impl Measured<D>) -> f64 {
    let logarithm = |value: f64| f64::from(ln(value as f32));
    let points: Vec<[f64; 3]> = number_fluctuations(agents)
        .iter()
        .filter(|of| of.variance > 0.0)
        .map(|of| [(of.boxes - 1) as f64, logarithm(of.mean), 0.5 * logarithm(of.variance)])
        .collect();
    if points.len() < 2 {
        return f64::NAN;
    }
    let sum = |value: &dyn Fn(&[f64; 3]) -> f64| points.iter().map(|point| point[0] * value(point)).sum::<f64>();
    let count = sum(&|_| 1.0);
    let [x, y] = [1, 2].map(|place| sum(&|point| point[place]) / count);
    sum(&|point| (point[1] - x) * (point[2] - y)) / sum(&|point| (point[1] - x) * (point[1] - x))
}
