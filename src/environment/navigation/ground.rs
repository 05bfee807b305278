//! The ground of a navigation field: everything that the field follows from.

use std::fmt;

use crate::base::error::Error;
use crate::base::settings::{LIMIT, Seam};
use crate::base::values::{Allowed, Kind, Range};
use crate::environment::collection::Data as _;
use crate::environment::navigation::geometry::{Capsule, Point};
use crate::environment::region::{Region, Shape};
use crate::maths::Vector;

/// The largest number of cells of a navigation field.
pub const MOST_CELLS: usize = 1 << 24;

/// Everything that a navigation field follows from.
#[derive(PartialEq)]
pub(crate) struct Ground {
    pub(crate) size: [f32; 2],
    pub(crate) wraps: [bool; 2],
    pub(crate) cells: [usize; 2],
    pub(crate) clearance: f32,
    pub(crate) goals: Vec<Shape<2>>,
    pub(crate) walls: Vec<Capsule>,
    /// Boxes: their least and greatest coordinates.
    pub(crate) solids: Vec<[Point; 2]>,
    /// Where ways lead to another part of the world.
    pub(crate) seams: Vec<Seam<2>>,
    pub(crate) shafts: Vec<Shaft>,
}

/// The shaft of a lift, or a link, on the plane of ways.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shaft {
    /// The middle of the car at each landing, or of each region of a link.
    pub(crate) landings: Vec<Vector<2>>,
    /// Half of the extent of the car.
    pub(crate) half: Vector<2>,
    /// The metres that count for a ride from each landing to each; infinite where none leads.
    pub(crate) metres: Vec<f32>,
}

/// The numbers of a ground: size, periodic axes, cells, clearance and goals.
pub(super) type Numbers<'a> = ([f32; 2], [bool; 2], [usize; 2], f32, &'a [Shape<2>]);

impl Ground {
    pub(super) fn new((size, wraps, cells, clearance, goals): Numbers<'_>) -> Self {
        Self {
            size,
            wraps,
            cells,
            clearance,
            goals: goals.to_vec(),
            walls: Vec::new(),
            solids: Vec::new(),
            seams: Vec::new(),
            shafts: Vec::new(),
        }
    }

    /// Checks the numbers of a ground from a snapshot.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is not one that a world can have.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let within = |what: &'static str, number: f64, range: Range| match range.contains(number) {
            true => Ok(()),
            false => Err(Error::bad(what, number, Allowed::number(range, "m"))),
        };
        let Self { size, wraps: _, cells, clearance, goals, walls, solids, seams: _, shafts: _ } = self;
        for &size in size {
            within("size", size.into(), Range::from(1e-6, LIMIT.into()))?;
        }
        within("clearance", f64::from(*clearance), Range::LENGTH)?;
        let count = cells[0].checked_mul(cells[1]).filter(|&count| count <= MOST_CELLS);
        if count.is_none() || cells.iter().any(|&cells| cells < 2) {
            let allowed = Allowed::Kind { kind: Kind::WholePoint(2, MOST_CELLS as u64 / 2), unit: "" };
            return Err(Error::bad("cells", cells.map(|cells| cells as f32), allowed));
        }
        for &shape in goals {
            Region { name: String::new(), shape }.check()?;
        }
        // Walls without ends are cut off far beyond the world.
        let place = Range::from(-16.0 * f64::from(LIMIT), 16.0 * f64::from(LIMIT));
        for Capsule { ends, radius } in walls {
            ends.as_flattened().iter().try_for_each(|&at| within("wall", at, place))?;
            within("radius", *radius, Range::LENGTH)?;
        }
        solids.as_flattened().as_flattened().iter().try_for_each(|&at| within("wall", at, place))
    }
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cells, clearance, walls, solids, goals, .. } = self;
        write!(f, "Ground of {cells:?} cells, {clearance} m from {} walls and {} solids", walls.len(), solids.len())?;
        write!(f, ", to {goals:?}")
    }
}
