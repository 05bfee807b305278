//! Bounds of points: axis-aligned boxes.

use throng::Vector;

/// An axis-aligned box, in metres. In 2D its third axis is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest coordinates.
    pub low: Vector<3>,
    /// The highest coordinates.
    pub high: Vector<3>,
}

impl Bounds {
    /// The bounds of an empty set of points.
    pub const EMPTY: Self = Self { low: Vector([f32::INFINITY; 3]), high: Vector([f32::NEG_INFINITY; 3]) };

    /// Returns whether no point was included.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    /// The extent along each axis.
    #[must_use]
    pub fn extent(&self) -> Vector<3> {
        self.high - self.low
    }

    /// The bounds, widened to hold a point.
    #[must_use]
    pub fn including(self, point: Vector<3>) -> Self {
        let Self { low, high } = self;
        Self {
            low: Vector::from_fn(|axis| if point[axis] < low[axis] { point[axis] } else { low[axis] }),
            high: Vector::from_fn(|axis| if point[axis] > high[axis] { point[axis] } else { high[axis] }),
        }
    }

    /// The bounds with a margin along the first `dimensions` axes: 3 % of the diagonal and one metre.
    #[must_use]
    pub fn with_margin(self, dimensions: usize) -> Self {
        let margin = self.extent().length() * 0.03 + 1.0;
        let margin = Vector::from_fn(|axis| if axis < dimensions { margin } else { 0.0 });
        Self { low: self.low - margin, high: self.high + margin }
    }

    /// The bounds, with those of another box on these axes.
    #[must_use]
    pub fn with_axes(self, axes: [bool; 3], other: Self) -> Self {
        Self {
            low: Vector::from_fn(|axis| if axes[axis] { other.low[axis] } else { self.low[axis] }),
            high: Vector::from_fn(|axis| if axes[axis] { other.high[axis] } else { self.high[axis] }),
        }
    }
}

/// The edges of a box as pairs of corners.
pub(crate) fn edges<const D: usize>(low: Vector<D>, high: Vector<D>) -> impl Iterator<Item = (Vector<D>, Vector<D>)> {
    let corner =
        move |number: usize| Vector::from_fn(|axis| if number >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let pairs = (0..1_usize << D).flat_map(|from| (0..D).map(move |axis| (from, from | 1 << axis)));
    pairs.filter(|(from, to)| from != to).map(move |(from, to)| (corner(from), corner(to)))
}
