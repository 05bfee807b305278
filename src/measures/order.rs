//! Measures of order: polarisation, milling, mean speed.

use std::f32::consts::TAU;

use crate::base::settings::nearest_image;
use crate::maths::{Vector, atan2, sin_cos};
use crate::measures::sample::{Measured, Sample};

/// Sums over agents that are added one after another, for their polarisation and their mean speed.
///
/// ```
/// use throng::Vector;
/// use throng::measures::Order;
///
/// let mut order = Order::<2>::default();
/// order.add(Vector([0.0, 5.0]));
/// order.add(Vector([0.0, 0.0]));
/// assert_eq!((order.polarisation(), order.mean_speed()), (1.0, 2.5));
/// ```
#[derive(Clone, Debug)]
pub struct Order<const D: usize> {
    headings: [f64; D],
    moving: u64,
    speeds: f64,
    agents: u64,
}

impl<const D: usize> Default for Order<D> {
    fn default() -> Self {
        Self { headings: [0.0; D], moving: 0, speeds: 0.0, agents: 0 }
    }
}

impl<const D: usize> Order<D> {
    /// Adds an agent with this velocity, in metres per second.
    pub fn add(&mut self, velocity: Vector<D>) {
        let heading = velocity.direction();
        if heading != Vector::ZERO {
            self.moving += 1;
            for axis in 0..D {
                self.headings[axis] += f64::from(heading[axis]);
            }
        }
        self.speeds += f64::from(velocity.length());
        self.agents += 1;
    }

    /// The polarisation of these agents: see [`polarisation`].
    #[must_use]
    pub fn polarisation(&self) -> f64 {
        if self.moving == 0 { 0.0 } else { length(self.headings) / self.moving as f64 }
    }

    /// The mean speed of these agents, in metres per second; 0 without agents.
    #[must_use]
    pub fn mean_speed(&self) -> f64 {
        if self.agents == 0 { 0.0 } else { self.speeds / self.agents as f64 }
    }

    fn of(agents: &impl Measured<D>) -> Self {
        let sample = agents.sample();
        let mut order = Self::default();
        (0..sample.len()).for_each(|agent| order.add(sample.velocity(agent)));
        order
    }
}

/// The polarisation: the length of the mean heading. It is 1 if all agents have the same heading and near 0 for random
/// headings. Agents at rest have no heading and are left out; the result is 0 if no agent moves.
///
/// The order parameter of Vicsek et al., *Novel type of phase transition in a system of self-driven particles*,
/// Phys. Rev. Lett. 75, 1226 (1995).
#[must_use]
pub fn polarisation<const D: usize>(agents: &impl Measured<D>) -> f64 {
    Order::of(agents).polarisation()
}

/// The mean speed of all agents, in metres per second; 0 without agents.
#[must_use]
pub fn mean_speed<const D: usize>(agents: &impl Measured<D>) -> f64 {
    Order::of(agents).mean_speed()
}

/// The milling: the length of the mean of r̂ × v̂, where r̂ is the direction from the [`centre`] of the agents to an
/// agent and v̂ its heading. It is 1 if all agents circle the centre in the same sense, and near 0 in a parallel group
/// or a swarm. Agents at rest or at the centre are left out; the result is 0 if none is left.
///
/// The group's angular momentum of Couzin et al., *Collective memory and spatial sorting in animal groups*, J. theor.
/// Biol. 218, 1 (2002).
#[must_use]
pub fn milling<const D: usize>(agents: &impl Measured<D>) -> f64 {
    let sample = agents.sample();
    let (Some(centre), period) = (centre(&*sample), sample.period()) else { return 0.0 };
    let mut sum = [0.0; 3];
    let mut counted = 0u64;
    for agent in 0..sample.len() {
        let heading = sample.velocity(agent).direction();
        let at = sample.position(agent);
        let from_centre = Vector::<D>::from_fn(|axis| nearest_image(at[axis] - centre[axis], period[axis])).direction();
        if heading != Vector::ZERO && from_centre != Vector::ZERO {
            counted += 1;
            let (r, v) = (in_space(from_centre), in_space(heading));
            for axis in 0..3 {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                sum[axis] += r[next] * v[last] - r[last] * v[next];
            }
        }
    }
    if counted == 0 { 0.0 } else { length(sum) / counted as f64 }
}

/// The centre of the agents: the mean of their positions. On a periodic axis, the mean of the coordinates as angles on
/// a circle (Bai and Breen, *Calculating center of mass in an unbounded 2D environment*, J. Graphics Tools 13, 53
/// (2008)), which is the mean of positions for a group that is small against the world. `None` without agents.
#[must_use]
pub fn centre<const D: usize>(agents: &impl Measured<D>) -> Option<Vector<D>> {
    let sample = agents.sample();
    let count = sample.len() as f64;
    let period = sample.period();
    (!sample.is_empty()).then(|| {
        Vector::from_fn(|axis| {
            let at = |agent: usize| sample.position(agent)[axis];
            if period[axis] == f32::INFINITY {
                return (sample.sum(|agent| f64::from(at(agent))) / count) as f32;
            }
            let turn = |agent: usize| sin_cos(at(agent) / period[axis] * TAU);
            let sine = sample.sum(|agent| f64::from(turn(agent).0)) / count;
            let cosine = sample.sum(|agent| f64::from(turn(agent).1)) / count;
            circle_to_axis(&sample, axis, atan2(sine as f32, cosine as f32) / TAU * period[axis])
        })
    })
}

/// The centre on a periodic axis from a first estimate: the mean of the nearest images of the agents, which removes the
/// bias of the circle for a group that is not symmetric.
fn circle_to_axis<const D: usize>(sample: &Sample<D>, axis: usize, estimate: f32) -> f32 {
    let period = sample.period()[axis];
    let estimate = if estimate < 0.0 { estimate + period } else { estimate };
    let offset = |agent: usize| f64::from(nearest_image(sample.position(agent)[axis] - estimate, period));
    let centre = estimate + (sample.sum(offset) / sample.len() as f64) as f32;
    if centre < 0.0 {
        centre + period
    } else if centre >= period {
        centre - period
    } else {
        centre
    }
}

fn in_space<const D: usize>(vector: Vector<D>) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { f64::from(vector[axis]) } else { 0.0 })
}

fn length<const D: usize>(vector: [f64; D]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}
