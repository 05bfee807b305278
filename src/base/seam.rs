//! Seams: segments at which two parts of a world join that are apart in its coordinates.

use robust::{Coord, orient2d};

use crate::base::error::Error;
use crate::base::values::{Allowed, Range};
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, length, scaled, sub, widened};

/// A segment that leads to another part of the world: a storey to a stair, a road to a bridge over it.
///
/// A world has one plane. Parts of it that lie above each other, such as the storeys of a building and the flights of
/// its stairs, are side by side in its coordinates, and seams join them. An agent that crosses the segment from its left
/// to its right, seen from the first end to the second, continues at the same point of the other segment, which is
/// [shifted](Self::shift); one that crosses the other segment from its right to its left comes back. Its velocity, its
/// heading and its memory stay as they are.
///
/// Steering perceives agents across a seam exactly where the line to them crosses it: see
/// [`Perception`](crate::Perception). Walls stand on both sides of it, and ways of a
/// [`Navigation`](crate::Navigation) lead across.
///
/// ```
/// use throng::{Edge, Seam, Settings, World};
///
/// // Two rooms of 10 m, the second one 100 m to the right. They join at a door of 2 m.
/// let door = Seam { ends: [[10.0, 6.0].into(), [10.0, 4.0].into()], shift: [100.0, 0.0].into() };
/// let settings =
///     Settings { size: [130.0, 10.0].into(), edge: [Edge::Bounce; 2], seams: vec![door], ..Settings::default() };
/// let mut world = World::<2>::new(settings)?;
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Seam<const D: usize> {
    /// The ends of the segment, in metres.
    pub ends: [Vector<D>; 2],
    /// The offset from the segment to the other one, in metres.
    pub shift: Vector<D>,
}

/// A point with the exact sum of a position and a residual or a shift.
type Point = [f64; 2];

impl<const D: usize> Seam<D> {
    /// Checks the seam's values.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is out of its range, or if the seam has no length or no shift.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for at in self.sides().into_iter().flat_map(|side| side.ends) {
            if !at.0.iter().all(|&along| Range::COORDINATE.contains(along.into())) {
                return Err(Error::bad("seam", at, Allowed::point(Range::COORDINATE, "m")));
            }
        }
        for (what, vector) in [("ends", self.ends[1] - self.ends[0]), ("shift", self.shift)] {
            if vector == Vector::ZERO {
                return Err(Error::bad(what, vector, Allowed::Direction));
            }
        }
        Ok(())
    }

    /// The seam as it is seen from each of the parts that it joins.
    pub(crate) fn sides(&self) -> [Side<D>; 2] {
        let Self { ends, shift } = *self;
        [Side { ends, shift, is_left: true }, Side { ends: ends.map(|end| end + shift), shift: -shift, is_left: false }]
    }
}

/// A seam as it is seen from one of the parts that it joins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side<const D: usize> {
    pub(crate) ends: [Vector<D>; 2],
    /// The offset to the other part.
    pub(crate) shift: Vector<D>,
    /// Whether this part is left of the segment. Points of the line belong to the part on the left.
    is_left: bool,
}

impl<const D: usize> Side<D> {
    /// The unit vector across the segment, away from this part.
    pub(crate) fn beyond(&self) -> Wide<D> {
        let [a, b] = self.ends.map(|end| widened(end.0));
        let along = sub(b, a);
        let across = std::array::from_fn(|axis| [along[1], -along[0]].get(axis).copied().unwrap_or(0.0));
        scaled(across, if self.is_left { 1.0 } else { -1.0 } / length(along))
    }

    /// Whether a point is on the side of the line on which this part is.
    pub(crate) fn is_before(&self, at: Point) -> bool {
        let [a, b] = self.ends.map(flat);
        (turn(a, b, at) >= 0.0) == self.is_left
    }

    /// Whether the line from a point of this part to one beyond crosses the segment. From both parts the answer is the
    /// same.
    pub(crate) fn is_crossed(&self, from: Point, to: Point) -> bool {
        if !self.is_before(from) || self.is_before(to) {
            return false;
        }
        let [a, b] = self.ends.map(flat);
        let [left, right] = if self.is_left { [from, to] } else { [to, from] };
        turn(left, right, a) <= 0.0 && turn(left, right, b) >= 0.0
    }

    /// The squared distance of a point from the segment.
    pub(crate) fn squared_distance(&self, at: Vector<D>) -> f32 {
        let (along, offset) = (self.ends[1] - self.ends[0], at - self.ends[0]);
        let share = (offset.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        (offset - along * share).length_squared()
    }
}

/// The straight ways of an agent that came from one point to another in a tick: across a seam there is one on each side.
pub(crate) fn ways<const D: usize>(
    seams: &[Seam<D>],
    from: Wide<D>,
    to: Wide<D>,
) -> impl Iterator<Item = [Wide<D>; 2]> {
    let straight = length(sub(to, from));
    let shifts = seams.iter().flat_map(Seam::sides).map(|side| widened(side.shift.0));
    let across = shifts.map(|shift| (length(sub(sub(to, from), shift)), shift));
    let shortest = across.filter(|(way, _)| *way < straight).min_by(|(a, _), (b, _)| a.total_cmp(b));
    let (shift, is_across) = shortest.map_or(([0.0; D], false), |(_, shift)| (shift, true));
    std::iter::once([from, sub(to, shift)]).chain(is_across.then(|| [add(from, shift), to]))
}

/// Twice the area of a triangle, with an exact sign: positive if the third point is left of the line through the
/// others.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    let [a, b, c] = [a, b, c].map(|[x, y]| Coord { x, y });
    orient2d(a, b, c)
}

/// A vector of the plane.
pub(crate) fn flat<const D: usize>(vector: Vector<D>) -> Point {
    std::array::from_fn(|axis| vector.0.get(axis).copied().unwrap_or(0.0).into())
}
