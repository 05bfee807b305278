//! Random draws.

use throng::{Noise, Vector};

/// A sequence of draws, which follows from a seed and two numbers.
pub(crate) struct Draw(Noise);

impl Draw {
    pub(crate) fn new(seed: u64, purpose: u64, tick: u64) -> Self {
        Self(Noise::new(seed, purpose, tick, Noise::USER))
    }

    /// A number below `count`, or zero if that is zero.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let number = (self.0.unit() * count as f32) as usize;
        number.min(count.saturating_sub(1))
    }

    /// True in this share of draws.
    pub(crate) fn chance(&mut self, share: f32) -> bool {
        self.0.unit() < share
    }

    /// One of the items.
    pub(crate) fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// A number between two. It has few digits, so that numbers are sometimes equal.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        let number = low + f64::from(self.0.unit()) * (high - low);
        if self.chance(0.3) { number.round().clamp(low, high) } else { (number * 1000.0).round() / 1000.0 }
    }

    /// A whole seed of something else.
    pub(crate) fn seed(&mut self) -> u64 {
        self.below(1 << 24) as u64
    }

    /// A coordinate of a point that is mostly inside a world of this extent: also exactly on its edges, in its middle
    /// and on a coarse grid.
    pub(crate) fn coordinate(&mut self, size: f64) -> f64 {
        match self.below(16) {
            0 => 0.0,
            1 => size,
            2 => size * 0.5,
            3 => (self.between(0.0, size) / 2.0).floor() * 2.0,
            _ => self.between(0.0, size),
        }
    }

    /// A point of this kind.
    pub(crate) fn point<const D: usize>(&mut self, size: Vector<D>) -> Vector<D> {
        Vector::from_fn(|axis| self.coordinate(f64::from(size[axis])) as f32)
    }

    /// A velocity: mostly slow, sometimes none, along an axis or so fast that an agent leaves the world in a tick.
    pub(crate) fn velocity<const D: usize>(&mut self) -> Vector<D> {
        let speed = self.one(&[0.0, 1e-6, 0.5, 1.5, 1.5, 5.0, 20.0, 300.0]);
        match self.below(4) {
            0 => Vector::from_fn(|axis| if axis == 0 { speed } else { 0.0 }),
            _ => self.0.in_ball() * speed,
        }
    }
}
