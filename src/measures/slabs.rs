//! Density and velocity along an axis.

use crate::measures::sample::{Measured, Sample};

/// The agents of one part of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Slab<const D: usize> {
    /// The middle of the part, in metres.
    pub at: f64,
    /// The number of agents.
    pub agents: u64,
    /// Agents per square metre of the slab, or per cubic metre in three dimensions.
    pub density: f64,
    /// Their mean speed in metres per second; NaN without agents.
    pub speed: f64,
    /// Their mean velocity in metres per second; NaN without agents.
    pub velocity: [f64; D],
}

/// Divides the space along an axis into `count` equal slabs, and measures the agents in each: profiles of density and
/// speed, such as across a corridor or a band. On an axis without boundary, the extent of the agents is divided.
///
/// ```
/// use throng::Settings;
/// use throng::measures::{Sample, slabs};
///
/// let sample = Sample::new([&[10.0, 20.0, 70.0], &[5.0; 3]], [&[3.0, 1.0, 0.0], &[4.0, 0.0, 0.0]], &Settings::default())?;
/// let halves = slabs(&sample, 0, 2);
/// assert_eq!(halves.iter().map(|slab| (slab.at, slab.agents)).collect::<Vec<_>>(), [(25.0, 2), (75.0, 1)]);
/// assert_eq!((halves[0].density, halves[0].speed, halves[0].velocity), (2.0 / 5000.0, 3.0, [2.0, 2.0]));
/// # Ok::<(), throng::Error>(())
/// ```
///
/// # Panics
///
/// Panics if `axis` is not below the number of dimensions.
#[must_use]
pub fn slabs<const D: usize>(agents: &impl Measured<D>, axis: usize, count: usize) -> Vec<Slab<D>> {
    let sample: &Sample<D> = &agents.sample();
    let (origin, extent) = (sample.origin(), sample.extent());
    let mut sums = vec![(0_u64, 0.0, [0.0; D]); count];
    for agent in 0..if count == 0 { 0 } else { sample.len() } {
        let velocity = sample.velocity(agent);
        let (number, speed, sum) = &mut sums[sample.part(agent, axis, count, (origin[axis], extent[axis]))];
        *number += 1;
        *speed += f64::from(velocity.length_squared()).sqrt();
        (0..D).for_each(|axis| sum[axis] += f64::from(velocity[axis]));
    }
    let volume = extent.iter().product::<f64>() / count as f64;
    let slab = |(number, (agents, speed, velocity)): (u32, (u64, f64, [f64; D]))| Slab {
        at: origin[axis] + (f64::from(number) + 0.5) / count as f64 * extent[axis],
        agents,
        density: if volume > 0.0 { agents as f64 / volume } else { f64::NAN },
        speed: speed / agents as f64,
        velocity: velocity.map(|sum| sum / agents as f64),
    };
    (0..).zip(sums).map(slab).collect()
}
