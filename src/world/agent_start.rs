//! How agents start: all that a host says of one when it spawns it.

use crate::maths::Vector;

/// How an agent starts: its position and velocity, where it looks while it is at rest, and its goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct AgentStart<const D: usize> {
    /// The position, in metres.
    pub position: Vector<D>,
    /// The velocity, in metres per second.
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: Vector<D>,
    /// The direction in which it looks if it is at rest, a vector of any length; zero for a random one. It has an effect
    /// if the species has a field of view, or keeps headings for another reason: see [`World::set_heading`].
    ///
    /// [`World::set_heading`]: crate::World::set_heading
    #[cfg_attr(feature = "serde", serde(default))]
    pub heading: Vector<D>,
    /// Its own goal in metres, which its rules use instead of their targets: see [`World::set_goal`].
    ///
    /// [`World::set_goal`]: crate::World::set_goal
    #[cfg_attr(feature = "serde", serde(default))]
    pub goal: Option<Vector<D>>,
}

impl<const D: usize> AgentStart<D> {
    /// An agent at a position, in metres, with a velocity in metres per second.
    #[must_use]
    pub fn new(position: impl Into<Vector<D>>, velocity: impl Into<Vector<D>>) -> Self {
        Self { position: position.into(), velocity: velocity.into(), heading: Vector::ZERO, goal: None }
    }

    /// Sets the direction in which the agent looks if it is at rest.
    #[must_use]
    pub fn with_heading(mut self, heading: impl Into<Vector<D>>) -> Self {
        self.heading = heading.into();
        self
    }

    /// Sets the goal, in metres.
    #[must_use]
    pub fn with_goal(mut self, goal: impl Into<Vector<D>>) -> Self {
        self.goal = Some(goal.into());
        self
    }
}
