//! Regions of the world: events report which agents enter and leave them.

use crate::base::error::Error;
use crate::base::settings::{LIMIT, Settings, within_limit};
use crate::base::values::{Allowed, Range};
use crate::environment::handles::Item;
use crate::maths::Vector;

/// A named part of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Region<const D: usize> {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Shape<D>,
}

/// The shape of a region. In a periodic world it may cross the seam.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape<const D: usize> {
    /// Everything within a distance of a point.
    Ball {
        /// The point, in metres.
        centre: Vector<D>,
        /// The distance, in metres.
        radius: f32,
    },
    /// Everything within a distance of a point on every axis.
    Box {
        /// The point, in metres.
        centre: Vector<D>,
        /// The distance on each axis, in metres.
        half: Vector<D>,
    },
}

impl<const D: usize> Item for Region<D> {
    type Kept = ();

    /// Checks that coordinates are within [`LIMIT`] and lengths are not negative.
    fn check(&self) -> Result<(), Error> {
        let (centre, half) = self.shape.bounds();
        within_limit("centre", centre, "m")?;
        if !half.0.iter().all(|length| (0.0..=LIMIT).contains(length)) {
            return Err(Error::bad("size", half, Allowed::point(Range::LENGTH, "m")));
        }
        Ok(())
    }
}

impl<const D: usize> Shape<D> {
    /// The bounding box: its centre, and half of its extent on each axis.
    pub(crate) fn bounds(&self) -> (Vector<D>, Vector<D>) {
        match *self {
            Self::Ball { centre, radius } => (centre, Vector::splat(radius)),
            Self::Box { centre, half } => (centre, half),
        }
    }

    /// Returns whether a point is inside the shape or on its boundary.
    #[must_use]
    pub fn contains(&self, settings: &Settings<D>, point: Vector<D>) -> bool {
        match self {
            Self::Ball { centre, radius } => settings.offset(*centre, point).length_squared() <= radius * radius,
            Self::Box { centre, half } => {
                let offset = settings.offset(*centre, point);
                (0..D).all(|axis| offset[axis].abs() <= half[axis])
            }
        }
    }

    /// The squared distance from a point to the shape, in square metres; zero inside the shape.
    pub(crate) fn distance_squared(&self, settings: &Settings<D>, point: Vector<D>) -> f32 {
        match self {
            Self::Ball { centre, radius } => {
                let beyond = settings.offset(*centre, point).length() - radius;
                if beyond > 0.0 { beyond * beyond } else { 0.0 }
            }
            Self::Box { centre, half } => {
                let offset = settings.offset(*centre, point);
                let beyond = Vector::from_fn(|axis| {
                    let beyond = offset[axis].abs() - half[axis];
                    if beyond > 0.0 { beyond } else { 0.0 }
                });
                Vector::<D>::length_squared(beyond)
            }
        }
    }
}
