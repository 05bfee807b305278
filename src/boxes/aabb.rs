//! A box along the axes.

use crate::base::settings::Settings;
use crate::maths::Vector;

/// A box, given by its centre and half of its extent on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb<const D: usize> {
    pub(crate) centre: Vector<D>,
    pub(crate) half: Vector<D>,
}

impl<const D: usize> Aabb<D> {
    /// Returns the bounding box of boxes, with the image of each that is nearest to the first. Without boxes its extent
    /// is zero.
    pub(crate) fn around(mut boxes: impl Iterator<Item = Self>, settings: &Settings<D>) -> Self {
        let first = boxes.next().unwrap_or(Self { centre: Vector::ZERO, half: Vector::ZERO });
        let (mut low, mut high) = (-first.half, first.half);
        for Self { centre, half } in boxes {
            let offset = settings.offset(first.centre, centre);
            for axis in 0..D {
                let (lower, upper) = (offset[axis] - half[axis], offset[axis] + half[axis]);
                low[axis] = if lower < low[axis] { lower } else { low[axis] };
                high[axis] = if upper > high[axis] { upper } else { high[axis] };
            }
        }
        Self { centre: first.centre + (low + high) * 0.5, half: (high - low) * 0.5 }
    }
}
