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

    /// The middle.
    #[must_use]
    pub fn middle(&self) -> Vector<3> {
        (self.low + self.high) * 0.5
    }

    /// The bounds of the same extent around another middle.
    #[must_use]
    pub fn around(self, middle: Vector<3>) -> Self {
        let half = self.extent() * 0.5;
        Self { low: middle - half, high: middle + half }
    }

    /// The edges as pairs of corners: the edges of the rectangle on the first two axes if `flat`.
    pub(crate) fn edges(self, flat: bool) -> Vec<(Vector<3>, Vector<3>)> {
        if !flat {
            return edges(self.low, self.high).collect();
        }
        let [low, high] = [self.low, self.high].map(|corner| Vector([corner[0], corner[1]]));
        let raised = |point: Vector<2>| Vector([point[0], point[1], self.low[2]]);
        edges(low, high).map(|(from, to)| (raised(from), raised(to))).collect()
    }

    /// The bounds, with the bounds of another box on these axes.
    #[must_use]
    pub fn with_axes(self, axes: [bool; 3], other: Self) -> Self {
        Self {
            low: Vector::from_fn(|axis| if axes[axis] { other.low[axis] } else { self.low[axis] }),
            high: Vector::from_fn(|axis| if axes[axis] { other.high[axis] } else { self.high[axis] }),
        }
    }
}

/// The mean and the variance of points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    count: f64,
    sums: [f64; 3],
    squares: [f64; 3],
}

/// The standard deviations from the middle beyond which a point is a stray.
const STRAY: f64 = 3.0;

impl Moments {
    /// Adds a point.
    pub fn add(&mut self, point: Vector<3>) {
        self.count += 1.0;
        for axis in 0..3 {
            let coordinate = f64::from(point[axis]);
            self.sums[axis] += coordinate;
            self.squares[axis] += coordinate * coordinate;
        }
    }

    /// The part of the bounds of the points that holds all of them but strays, which are three standard deviations from
    /// the middle. Empty bounds stay empty.
    #[must_use]
    pub fn most_of(&self, bounds: Bounds) -> Bounds {
        if bounds.is_empty() {
            return bounds;
        }
        let edge = |axis: usize, side: f64| {
            let mean = self.sums[axis] / self.count;
            let variance = (self.squares[axis] / self.count - mean * mean).clamp(0.0, f64::INFINITY);
            (mean + side * STRAY * variance.sqrt()) as f32
        };
        Bounds {
            low: Vector::from_fn(|axis| edge(axis, -1.0).clamp(bounds.low[axis], bounds.high[axis])),
            high: Vector::from_fn(|axis| edge(axis, 1.0).clamp(bounds.low[axis], bounds.high[axis])),
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
