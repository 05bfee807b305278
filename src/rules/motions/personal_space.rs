//! The room that pedestrians claim: their headway, and the lane beside the one ahead.

use crate::formulas::headway::Headway;
use crate::maths::Vector;
use crate::rules::motions::passing::Met;

/// The room that a pedestrian claims, which walks as with `orca` otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct PersonalSpace {
    pub(super) headway: Headway,
    /// How far an agent turns out of the lane of one that slows it down: the tangent of the angle if it has to stand.
    pub(super) stagger: f32,
}

impl PersonalSpace {
    /// The preferred velocity, turned out of the lane of the nearest in the way, in proportion to how much more room
    /// there is beside it. `margin` belongs to the neighbours' widths.
    pub(super) fn staggered<const D: usize>(
        &self,
        preferred: Vector<D>,
        neighbours: &[Met<D>],
        margin: f32,
    ) -> Vector<D> {
        let speed = preferred.length();
        if speed <= 0.0 || self.stagger == 0.0 {
            return preferred;
        }
        let ahead = preferred / speed;
        let mut left = Vector::ZERO;
        (left[0], left[1]) = (-ahead[1], ahead[0]);
        let free = speed * self.headway.time;
        let nothing = (free, 0.0, 0.0);
        // The gap to the nearest in a lane whose middle is this far to the left, and how far off that one is.
        let nearest = |middle: f32| {
            neighbours.iter().fold(nothing, |nearest, other| {
                let (far, across) = (other.offset.dot(ahead), other.offset.dot(left) - middle);
                let lane = self.headway.lane * (other.width - margin);
                let gap = if other.gap > 0.0 { other.gap } else { 0.0 };
                if far > 0.0 && across.abs() < lane && gap < nearest.0 { (gap, across, lane) } else { nearest }
            })
        };
        let (gap, across, lane) = nearest(0.0);
        if gap >= free {
            return preferred;
        }
        let side = if across > 0.0 { -1.0 } else { 1.0 };
        let (room, ..) = nearest(side * (lane - across.abs()));
        let more = if room > gap { (room - gap) / free } else { 0.0 };
        (preferred + left * (speed * self.stagger * side * more)).direction() * speed
    }
}
