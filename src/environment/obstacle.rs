//! Obstacles: moving or resting discs and balls.

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::base::handles::ObstacleId;
use crate::base::settings::{Edge, LIMIT, Settings};
use crate::base::values::{Kind, Range};
use crate::environment::collection::{Data, Item};
use crate::formulas::edges::wrapped_sum;
use crate::formulas::sums::compensated;
use crate::maths::Vector;

definition! {
    /// A disc or ball that agents avoid. A moving obstacle turns back at the edge of the world; on a periodic axis it
    /// re-enters on the opposite side, and on an open axis it moves on.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Obstacle<D> {
        /// Centre of the disc or the ball.
        pub centre: Vector<D>, "m", Kind::Point(Range::COORDINATE);
        /// Radius.
        pub radius: f32, "m", Kind::Number(Range::LENGTH), [Length];
        /// Velocity; the obstacle turns back at the world's boundary.
        pub velocity: Vector<D> = (Vector::ZERO) or "zero", "m/s", Kind::Point(Range::COORDINATE);
        /// Whether routes of navigations lead round it while it moves.
        pub carve: bool = false, "", Kind::Flag, [added];
    }
}

impl<const D: usize> Obstacle<D> {
    /// An obstacle that does not move, with its centre and its radius in metres.
    #[must_use]
    pub fn new(centre: impl Into<Vector<D>>, radius: f32) -> Self {
        Self { centre: centre.into(), radius, velocity: Vector::ZERO, carve: false }
    }
}

impl<const D: usize> Item for Obstacle<D> {
    type Id = ObstacleId;
}

impl<const D: usize> Data for Obstacle<D> {
    /// The rounding error of the centre.
    type Record = Vector<D>;

    fn check(&self) -> Result<(), Error> {
        self.check_keys()
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
            let (at, lost) = compensated(self.centre[axis], residual[axis], speed * settings.tick_seconds);
            (self.centre[axis], residual[axis]) = match settings.edge[axis] {
                Edge::Wrap => wrapped_sum(at, lost, size),
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
