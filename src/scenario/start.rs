//! The initial positions and velocities of a species, as read from a scenario.

use std::sync::Arc;

use crate::environment::region::Shape;
use crate::maths::Vector;
use crate::species::Distribution;

/// The initial positions and velocities of a species.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Start {
    pub(crate) region: StartRegion,
    pub(crate) heading: Heading,
    /// `None` for the maximum speed of each agent.
    pub(crate) speed: Option<Distribution>,
    /// Whether the goal of each agent is the point opposite its initial position, beyond the centre of the region.
    pub(crate) opposite: bool,
    /// The sizes of groups; `None` for agents without groups.
    pub(crate) group_size: Option<Distribution>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StartRegion {
    All,
    /// Centre and radius.
    Disc(Vec<f32>, f32),
    /// Centre and radius: places at equal distances on a circle.
    Circle(Vec<f32>, f32),
    /// Centre and extent.
    Box(Vec<f32>, Vec<f32>),
    /// The agents of a file: positions and velocities.
    Recorded(Arc<[Recorded]>),
}

/// The position and the velocity of an agent of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Recorded {
    pub(crate) position: [f32; 3],
    pub(crate) velocity: [f32; 3],
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Heading {
    Random,
    Along(Vec<f32>),
}

impl StartRegion {
    /// The shape; `None` for the whole world.
    pub(crate) fn shape<const D: usize>(&self) -> Option<Shape<D>> {
        match self {
            Self::All | Self::Recorded(_) => None,
            Self::Disc(centre, radius) | Self::Circle(centre, radius) => {
                Some(Shape::Ball { centre: in_dimensions(centre), radius: *radius })
            }
            Self::Box(centre, size) => {
                Some(Shape::Box { centre: in_dimensions(centre), half: in_dimensions(size) * 0.5 })
            }
        }
    }
}

/// A vector of a world, with zeros in place of missing components.
pub(super) fn in_dimensions<const D: usize>(components: &[f32]) -> Vector<D> {
    Vector::from_fn(|axis| components.get(axis).copied().unwrap_or(0.0))
}
