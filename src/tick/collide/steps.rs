//! The motion of each wall in a tick, and the position of an agent relative to it.

use crate::base::settings::{Edge, Settings};
use crate::environment::piece::pieces;
use crate::environment::wall::{FARTHEST, Wall, WallMotion};
use crate::maths::Vector;
use crate::maths::wide::{Wide, sub};

/// The largest share of a period that an agent near walls, or a wall, moves in a tick: less than half, so that the path
/// leads to the nearest image.
pub(crate) const LARGEST_SHARE: f64 = 0.45;

/// The motion of a wall in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WallStep<const D: usize> {
    /// Whether it exists in this tick, and whether it did in the last one.
    pub(crate) stands: bool,
    pub(crate) stood: bool,
    /// Its displacement at the start, its motion, and its displacement at the end less `turns` periods.
    pub(crate) offset: Wide<D>,
    pub(crate) step: Wide<D>,
    next: Wide<D>,
    turns: Wide<D>,
    /// Its velocity afterwards.
    velocity: Vector<D>,
}

impl<const D: usize> WallStep<D> {
    pub(crate) fn new(wall: &Wall<D>, motion: &WallMotion<D>, settings: &Settings<D>, seconds: f64) -> Self {
        let &WallMotion { offset, stood, .. } = motion;
        let stands = wall.open.is_empty() || !wall.is_open(seconds);
        let mut this =
            Self { stands, stood, offset, step: [0.0; D], next: offset, turns: [0.0; D], velocity: wall.velocity };
        if wall.velocity != Vector::ZERO {
            this.advance(wall, settings);
        }
        this
    }

    /// The motion of a still wall.
    pub(crate) fn still() -> Self {
        let nowhere = [0.0; D];
        Self {
            stands: true,
            stood: true,
            offset: nowhere,
            step: nowhere,
            next: nowhere,
            turns: nowhere,
            velocity: Vector::ZERO,
        }
    }

    fn advance(&mut self, wall: &Wall<D>, settings: &Settings<D>) {
        let period = settings.period();
        let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        pieces(&wall.shape, |piece| {
            let [below, above] = piece.bounds();
            for axis in 0..D {
                low[axis] = if below[axis] < low[axis] { below[axis] } else { low[axis] };
                high[axis] = if above[axis] > high[axis] { above[axis] } else { high[axis] };
            }
        });
        for axis in 0..D {
            let (size, speed) = (f64::from(period[axis]), self.velocity[axis]);
            let (step, most) = (f64::from(speed) * f64::from(settings.tick_seconds), LARGEST_SHARE * size);
            self.step[axis] = if step > most {
                most
            } else if step < -most {
                -most
            } else {
                step
            };
            let next = self.offset[axis] + self.step[axis];
            if size < f64::INFINITY {
                self.turns[axis] = (next / size).round();
                self.next[axis] = next - self.turns[axis] * size;
                continue;
            }
            self.next[axis] = next.clamp(-FARTHEST, FARTHEST);
            self.step[axis] = self.next[axis] - self.offset[axis];
            // Where a plane is, its point turns back.
            if !low[axis].is_finite()
                && let crate::environment::WallShape::Plane { point, .. } = &wall.shape
            {
                (low[axis], high[axis]) = (f64::from(point[axis]), f64::from(point[axis]));
            }
            if settings.edge[axis] != Edge::Open {
                if low[axis] + self.next[axis] < 0.0 {
                    self.velocity[axis] = speed.abs();
                } else if high[axis] + self.next[axis] > f64::from(settings.size[axis]) {
                    self.velocity[axis] = -speed.abs();
                }
            }
        }
    }

    /// Lets the wall stay where it is in this tick.
    pub(crate) fn block(&mut self) {
        (self.step, self.next, self.turns) = ([0.0; D], self.offset, [0.0; D]);
    }

    /// Whether the wall moves in this tick.
    pub(crate) fn moves(&self) -> bool {
        self.step.iter().any(|&step| step != 0.0)
    }

    /// The position of an agent at the start of the tick, in the coordinates of an image of the wall's shape: `image`
    /// periods away. The position at the end of a tick equals the position at the start of the next, bit for bit.
    pub(crate) fn before(&self, at: Vector<D>, image: Wide<D>, size: Wide<D>) -> Wide<D> {
        let from = sub(at.0.map(f64::from), self.offset);
        std::array::from_fn(|axis| from[axis] - image[axis] * size[axis])
    }

    /// The same at the end of the tick, for an agent that has crossed the seam `crossed` times.
    pub(crate) fn after(&self, at: Vector<D>, crossed: Wide<D>, image: Wide<D>, size: Wide<D>) -> Wide<D> {
        let from = sub(at.0.map(f64::from), self.next);
        std::array::from_fn(|axis| from[axis] - (image[axis] - crossed[axis] + self.turns[axis]) * size[axis])
    }

    /// The same wall in the next tick, if it neither moves nor opens.
    pub(crate) fn rest(&mut self) {
        self.stood = self.stands;
    }

    /// Writes the motion to the wall.
    pub(crate) fn finish(&self, wall: &mut Wall<D>, motion: &mut WallMotion<D>) {
        wall.velocity = self.velocity;
        (motion.offset, motion.stood) = (self.next, self.stands);
    }
}
