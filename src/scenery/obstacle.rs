//! Obstacles: moving or resting discs and balls.

use crate::error::Error;
use crate::maths::Vector;
use crate::settings::{Edge, LIMIT, Settings};
use crate::values::{Allowed, Range};

/// A disc or ball that agents avoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle<const D: usize> {
    /// The centre, in metres.
    pub centre: Vector<D>,
    /// The radius, in metres.
    pub radius: f32,
    /// The velocity, in metres per second. A moving obstacle turns back at the edge of the world; in a periodic world
    /// it enters on the other side.
    pub velocity: Vector<D>,
}

impl<const D: usize> Obstacle<D> {
    pub(super) fn check(&self) -> Result<(), Error> {
        super::within_limit("centre", self.centre, "m")?;
        super::within_limit("velocity", self.velocity, "m/s")?;
        if (0.0..=LIMIT).contains(&self.radius) {
            return Ok(());
        }
        Err(Error::bad("radius", self.radius, Allowed::number(Range::LENGTH, "m")))
    }

    /// Moves the obstacle by one tick.
    pub(super) fn advance(&mut self, settings: &Settings<D>) {
        for axis in 0..D {
            let (size, speed) = (settings.size[axis], self.velocity[axis]);
            let at = self.centre[axis] + speed * settings.tick_seconds;
            self.centre[axis] = match settings.edge {
                Edge::Wrap => {
                    let inside = at - (at / size).floor() * size;
                    if inside < size { inside } else { 0.0 }
                }
                Edge::Open => at.clamp(-LIMIT, LIMIT),
                _ => at,
            };
            if settings.edge != Edge::Wrap && settings.edge != Edge::Open {
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
