//! The room that pedestrians claim: their headway, the side with more of it, and bodies that squeeze past others.

use crate::formulas::headway::{Claim, Headway};
use crate::maths::Vector;
use crate::rules::motions::passing::Met;

/// The room that a pedestrian claims, which walks as with `orca` otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct PersonalSpace {
    pub(super) headway: Headway,
    /// How far an agent turns to where it gets on better.
    pub(super) swerve: f32,
    /// The cosines, sines and tangents of the angles at which it looks for room, to both sides.
    pub(super) looks: [[f32; 3]; 3],
    /// The part of the wanted speed below which it stands.
    pub(super) standing: f32,
    /// The gap up to which one in the lane keeps it from squeezing past those beside it, in metres.
    pub(super) squeezing_gap: f32,
    /// The part of the widths of its core and lane that it keeps while it squeezes past others.
    pub(super) squeezing_width: f32,
}

impl PersonalSpace {
    /// The room that a pedestrian claims, and the velocity that it prefers now. One that stands, though no one before it
    /// goes the same way, squeezes past others: it ends arches at doors, and lets people pass that come. `wish` is the
    /// velocity that a neighbour wants.
    pub(super) fn claimed<const D: usize>(
        &self,
        velocity: Vector<D>,
        preferred: Vector<D>,
        turned: Vector<D>,
        (neighbours, margin): (&[Met<D>], f32),
        wish: impl Fn(&Met<D>) -> Vector<D>,
    ) -> (Claim<f32, D>, Vector<D>) {
        let ways = [preferred.direction().0, turned.direction().0];
        let stands = velocity.dot(preferred) < self.standing * preferred.length_squared();
        let squeezes = stands && self.is_clear(preferred, (neighbours, margin), wish);
        let width = if squeezes { self.squeezing_width } else { 1.0 };
        (Claim { ways, width }, self.swerved(turned, neighbours, margin))
    }

    /// Whether no one that goes the same way is close in the lane of a wanted velocity, and rather ahead than at the side.
    fn is_clear<const D: usize>(
        &self,
        wanted: Vector<D>,
        (neighbours, margin): (&[Met<D>], f32),
        wish: impl Fn(&Met<D>) -> Vector<D>,
    ) -> bool {
        let ahead = wanted.direction();
        !neighbours.iter().any(|other| {
            let far = other.offset.dot(ahead);
            let across = (other.offset - ahead * far).length();
            let lane = self.headway.lane * (other.width - margin);
            other.gap < self.squeezing_gap && across < far && across < lane && wish(other).dot(ahead) >= 0.0
        })
    }

    /// The preferred velocity, turned to where a pedestrian that is slowed down gets on better. `margin` belongs to the
    /// neighbours' widths.
    fn swerved<const D: usize>(&self, preferred: Vector<D>, neighbours: &[Met<D>], margin: f32) -> Vector<D> {
        let speed = preferred.length();
        if speed <= 0.0 || self.swerve == 0.0 {
            return preferred;
        }
        let ahead = preferred / speed;
        let mut left = Vector::ZERO;
        (left[0], left[1]) = (-ahead[1], ahead[0]);
        let free = speed * self.headway.time;
        // The gap to the nearest in the lane along this direction, up to the one that does not slow it down.
        let room = |[cosine, sine]: [f32; 2]| {
            let (along, aside) = (ahead * cosine + left * sine, left * cosine - ahead * sine);
            neighbours.iter().fold(free, |nearest, other| {
                let lane = self.headway.lane * (other.width - margin);
                let is_in_it = other.offset.dot(along) > 0.0 && other.offset.dot(aside).abs() < lane;
                let gap = if other.gap > 0.0 { other.gap } else { 0.0 };
                if is_in_it && gap < nearest { gap } else { nearest }
            })
        };
        let gap = room([1.0, 0.0]);
        if gap >= free {
            return preferred;
        }
        let mut tangent = 0.0_f32;
        for [cosine, sine, slope] in self.looks {
            for (sine, slope) in [(sine, slope), (-sine, -slope)] {
                let gain = (cosine * room([cosine, sine]) - gap) / free;
                let turn = self.swerve * gain * slope;
                tangent = if gain > 0.0 && turn.abs() > tangent.abs() { turn } else { tangent };
            }
        }
        (preferred + left * (speed * tangent)).direction() * speed
    }
}
