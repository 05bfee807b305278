//! Measures of spacing: nearest neighbours, density, overlaps of bodies.

use std::f64::consts::PI;

use crate::measures::sample::{Measured, Sample};

/// The mean distance from an agent to its nearest neighbour, in metres; NaN with less than two agents.
///
/// For agents placed at random with the density ρ it is 1 / (2 √ρ) in two dimensions: Clark and Evans, *Distance to
/// nearest neighbor as a measure of spatial relationships in populations*, Ecology 35, 445 (1954).
#[must_use]
pub fn nearest_distance<const D: usize>(agents: &impl Measured<D>) -> f64 {
    let distances = nearest_distances(agents);
    if distances.len() < 2 {
        return f64::NAN;
    }
    distances.iter().map(|&distance| f64::from(distance)).sum::<f64>() / distances.len() as f64
}

/// The distance from each agent to its nearest neighbour, in metres; infinite for an agent without others.
#[must_use]
pub fn nearest_distances<const D: usize>(agents: &impl Measured<D>) -> Vec<f32> {
    let sample = agents.sample();
    sample.each(|agent| sample.nearest(agent).map_or(f32::INFINITY, |(_, squared)| squared.sqrt()))
}

/// The mean density: agents per square metre of the world, or per cubic metre in three dimensions. On an axis without
/// boundary, the extent of the agents counts. NaN if the extent is zero.
#[must_use]
pub fn density<const D: usize>(agents: &impl Measured<D>) -> f64 {
    let sample = agents.sample();
    sample.len() as f64 / volume(&sample)
}

/// The mean local density: the number of other agents within `radius` metres of an agent, over the area of the disc, in
/// 1/m² (or the volume of the ball, in 1/m³), averaged over agents. Discs that reach beyond a boundary count as a
/// whole. NaN without agents or with a radius of zero.
#[must_use]
pub fn local_density<const D: usize>(agents: &impl Measured<D>, radius: f32) -> f64 {
    let sample = agents.sample();
    let counts = sample.pieces(|rows| {
        let mut count = 0u64;
        rows.iter().for_each(|&row| sample.within(row as usize, radius, |_, _| count += 1));
        count
    });
    let neighbours: u64 = counts.iter().sum();
    neighbours as f64 / sample.len() as f64 / ball::<D>(f64::from(radius))
}

/// The overlaps of bodies at one moment. Two bodies overlap if their distance is below the sum of their radii; of people
/// with shoulders that yield, if it is below the sum of the radii of their [cores](crate::Motion::cores).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlapping {
    /// The number of agents whose bodies overlap another.
    pub agents: u64,
    /// The number of overlapping pairs.
    pub pairs: u64,
    /// The largest depth of an overlap, in metres: the sum of the radii minus the distance. 0 without an overlap.
    pub worst: f64,
    /// The number of agents whose shoulders yield to another: their bodies overlap, and their cores do not.
    pub yielding: u64,
}

/// Counts the bodies that overlap.
#[must_use]
pub fn overlapping<const D: usize>(agents: &impl Measured<D>) -> Overlapping {
    let sample = agents.sample();
    let largest = sample.largest_radius();
    if largest == 0.0 {
        return Overlapping::default();
    }
    let pieces = sample.pieces(|rows| {
        let mut sum = Overlapping::default();
        for &row in rows {
            let (agent, mut overlaps, mut yields) = (row as usize, false, false);
            let (own, core) = (sample.radius(agent), sample.core(agent));
            // Rounded up, so that the search misses no pair.
            sample.within(agent, (own + largest) * 1.000_001, |other, squared| {
                let distance = f64::from(squared).sqrt();
                let depth = f64::from(core) + f64::from(sample.core(other)) - distance;
                if depth > 0.0 {
                    overlaps = true;
                    sum.pairs += u64::from(agent < other);
                    sum.worst = if depth > sum.worst { depth } else { sum.worst };
                }
                yields |= f64::from(own) + f64::from(sample.radius(other)) > distance;
            });
            sum.agents += u64::from(overlaps);
            sum.yielding += u64::from(yields && !overlaps);
        }
        sum
    });
    pieces.iter().fold(Overlapping::default(), |all, piece| Overlapping {
        agents: all.agents + piece.agents,
        pairs: all.pairs + piece.pairs,
        worst: if piece.worst > all.worst { piece.worst } else { all.worst },
        yielding: all.yielding + piece.yielding,
    })
}

/// The area or volume of the space, in m² or m³.
pub(super) fn volume<const D: usize>(sample: &Sample<D>) -> f64 {
    let volume: f64 = sample.extent().iter().product();
    if volume > 0.0 { volume } else { f64::NAN }
}

/// The area of a disc or the volume of a ball.
pub(super) fn ball<const D: usize>(radius: f64) -> f64 {
    if D == 2 { PI * radius * radius } else { 4.0 / 3.0 * PI * radius * radius * radius }
}
