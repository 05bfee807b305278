//! The ground of a navigation field: everything that the field follows from.

use std::fmt;

use crate::base::error::Error;
use crate::base::settings::LIMIT;
use crate::base::values::{Allowed, Kind, Range};
use crate::environment::handles::Item as _;
use crate::environment::navigation::geometry::{Capsule, Point};
use crate::environment::region::{Region, Shape};

/// The largest number of cells of a navigation field.
pub const MOST_CELLS: usize = 1 << 24;

/// Everything that a navigation field follows from.
#[derive(PartialEq)]
pub(crate) struct Ground {
    pub(super) size: [f32; 2],
    pub(super) wraps: [bool; 2],
    pub(super) cells: [usize; 2],
    pub(super) clearance: f32,
    pub(super) goals: Vec<Shape<2>>,
    pub(super) walls: Vec<Capsule>,
    /// Boxes: their least and greatest coordinates.
    pub(super) solids: Vec<[Point; 2]>,
}

/// The numbers of a ground: size, periodic axes, cells, clearance and goals.
pub(crate) type Numbers<'a> = ([f32; 2], [bool; 2], [usize; 2], f32, &'a [Shape<2>]);

impl Ground {
    pub(super) fn new((size, wraps, cells, clearance, goals): Numbers<'_>) -> Self {
        Self { size, wraps, cells, clearance, goals: goals.to_vec(), walls: Vec::new(), solids: Vec::new() }
    }

    /// The numbers of the ground; the ends and the radius of each wall; the corners of each solid.
    pub(crate) fn parts(
        &self,
    ) -> (Numbers<'_>, impl ExactSizeIterator<Item = [f64; 5]>, impl ExactSizeIterator<Item = [f64; 4]>) {
        let walls = self.walls.iter().map(|Capsule { ends: [[a, b], [c, d]], radius }| [*a, *b, *c, *d, *radius]);
        let solids = self.solids.iter().map(|[[a, b], [c, d]]| [*a, *b, *c, *d]);
        ((self.size, self.wraps, self.cells, self.clearance, &self.goals), walls, solids)
    }

    /// Rebuilds a ground from its parts.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is not one that a world can have.
    pub(crate) fn from_parts(numbers: Numbers<'_>, walls: &[[f64; 5]], solids: &[[f64; 4]]) -> Result<Self, Error> {
        let within = |what: &'static str, number: f64, range: Range| match range.contains(number) {
            true => Ok(number),
            false => Err(Error::bad(what, number, Allowed::number(range, "m"))),
        };
        // Walls without ends are cut off far beyond the world.
        let place = Range::from(-16.0 * f64::from(LIMIT), 16.0 * f64::from(LIMIT));
        let (size, _, cells, clearance, goals) = numbers;
        for size in size {
            within("size", size.into(), Range::from(1e-6, LIMIT.into()))?;
        }
        within("clearance", clearance.into(), Range::LENGTH)?;
        let count = cells[0].checked_mul(cells[1]).filter(|&count| count <= MOST_CELLS);
        if count.is_none() || cells.iter().any(|&cells| cells < 2) {
            let allowed = Allowed::Kind { kind: Kind::WholePoint(2, MOST_CELLS as u64 / 2), unit: "" };
            return Err(Error::bad("cells", cells.map(|cells| cells as f32), allowed));
        }
        for goal in goals {
            Region { name: String::new(), shape: *goal }.check()?;
        }
        let mut ground = Self::new(numbers);
        for &[a, b, c, d, radius] in walls {
            for at in [a, b, c, d] {
                within("wall", at, place)?;
            }
            within("radius", radius, Range::LENGTH)?;
            ground.walls.push(Capsule { ends: [[a, b], [c, d]], radius });
        }
        for &[a, b, c, d] in solids {
            for at in [a, b, c, d] {
                within("wall", at, place)?;
            }
            ground.solids.push([[a, b], [c, d]]);
        }
        Ok(ground)
    }
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cells, clearance, walls, solids, goals, .. } = self;
        write!(f, "Ground of {cells:?} cells, {clearance} m from {} walls and {} solids", walls.len(), solids.len())?;
        write!(f, ", to {goals:?}")
    }
}
