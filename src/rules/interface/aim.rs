//! The aim of an agent in a tick, which its rules set for its motion, and a memory of its motion for its rules.

use crate::maths::Vector;
use crate::maths::mix64;

/// The memory of a motion: the seconds for which an agent has stood before others that come.
pub(crate) const HEAD_ON: &str = "head_on";

/// The aim of an agent in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aim<const D: usize> {
    /// The key of the goal at which it may rest beside others; zero if there is none.
    pub(crate) goal: u32,
    /// The distance that is left to its target, in metres; infinite without one.
    pub(crate) left: f32,
    /// The offset to the point where the way ends, in metres: the target, or the middle of the goal.
    pub(crate) end: Vector<D>,
    /// Whether it stops at the target.
    pub(crate) stops: bool,
    /// Whether no rule leads it anywhere: none is active, or only rules that keep it off others and off walls.
    pub(crate) idle: bool,
    /// The part of its speed that it gives up for others of its group, on its way to a target.
    pub(crate) held: f32,
}

impl<const D: usize> Aim<D> {
    /// No goal and no target, although rules may lead the agent.
    pub(crate) const NONE: Self =
        Self { goal: 0, left: f32::INFINITY, end: Vector::ZERO, stops: false, idle: false, held: 0.0 };
}

/// The key of a goal that is a point. Equal points have equal keys, and others hardly ever.
pub(crate) fn key_of_point<const D: usize>(point: Vector<D>) -> u32 {
    // Adding zero makes -0 and 0 equal.
    let key = point.0.iter().fold(0, |key, number| mix64(key ^ u64::from((number + 0.0).to_bits())));
    (key as u32) | 1
}

/// The key of a navigation with this number as a goal.
pub(crate) fn key_of_navigation(number: u32) -> u32 {
    (mix64(u64::from(number) + 1) as u32 & !1).max(2)
}
