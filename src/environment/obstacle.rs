//! Obstacles: moving or resting discs and balls.

use crate::base::error::Error;
use crate::base::settings::{Edge, LIMIT, Settings, within_limit};
use crate::base::values::{Allowed, Range};
use crate::environment::handles::Item;
use crate::maths::Vector;

/// A disc or ball that agents avoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle<const D: usize> {
    /// The centre, in metres.
    pub centre: Vector<D>,
    /// The radius, in metres.
    pub radius: f32,
    /// The velocity, in metres per second. A moving obstacle turns back at the edge of the world; on a periodic axis it
    /// re-enters on the opposite side, and on an open axis it moves on.
    pub velocity: Vector<D>,
}

impl<const D: usize> Item for Obstacle<D> {
    /// The rounding error of the centre.
    type Kept = Vector<D>;

    fn check(&self) -> Result<(), Error> {
        within_limit("centre", self.centre, "m")?;
        within_limit("velocity", self.velocity, "m/s")?;
        if (0.0..=LIMIT).contains(&self.radius) {
            return Ok(());
        }
        Err(Error::bad("radius", self.radius, Allowed::number(Range::LENGTH, "m")))
    }

    fn replaces(&self, old: &Self, residual: &mut Vector<D>) {
        for axis in 0..D {
            if self.centre[axis] != old.centre[axis] {
                residual[axis] = 0.0;
            }
        }
    }
}

impl<const D: usize> Obstacle<D> {
    /// Moves the obstacle by one tick. The sum of centre and residual is compensated like the positions of agents.
    pub(crate) fn advance(&mut self, residual: &mut Vector<D>, settings: &Settings<D>) {
        for axis in 0..D {
            let (size, speed) = (settings.size[axis], self.velocity[axis]);
            let step = speed * settings.tick_seconds + residual[axis];
            let at = self.centre[axis] + step;
            let lost = step - (at - self.centre[axis]);
            (self.centre[axis], residual[axis]) = match settings.edge[axis] {
                Edge::Wrap => wrapped(at, lost, size),
                _ if at.abs() > LIMIT => (at.clamp(-LIMIT, LIMIT), 0.0),
                _ => (at, lost),
            };
            if !matches!(settings.edge[axis], Edge::Wrap | Edge::Open) {
                let turned = if at - self.radius < 0.0 {
                    speed.abs()
                } else if at + self.radius > size {
                    -speed.abs()
                } else {
                    speed
                };
                self.velocity[axis] = turned;
            }
        }
    }
}

/// Returns a coordinate moved into [0, `size`) by whole periods, and its new residual.
fn wrapped(at: f32, residual: f32, size: f32) -> (f32, f32) {
    let periods = (at / size).floor() * size;
    let inside = at - periods;
    let lost = at - (inside + periods);
    let (inside, lost) = match inside {
        // Rounding can leave a coordinate on the far edge, or just outside the near one.
        inside if inside < 0.0 => (0.0, lost + inside),
        inside if inside < size => (inside, lost),
        _ => (0.0, lost),
    };
    let residual = residual + lost;
    (inside, if residual.abs() <= 2.0 * f32::EPSILON * size { residual } else { 0.0 })
}
