//! A stair in the plan of a building: its flights and the landings between them, or a spiral.

use throng::Vector;

use crate::ribbon::{Ribbon, along, bounds, corners};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stair {
    pub(crate) name: String,
    /// The numbers of the storeys at its foot and at its head.
    pub(crate) storeys: [usize; 2],
    /// Its pieces from the foot to the head, each with its offset from the plan to the world. A stair that turns back has
    /// several: walls beyond the foot of a piece stand beside it too, where another piece may be.
    pub(crate) pieces: Vec<(Ribbon, Vector<2>)>,
    /// The factors of speeds up and down.
    pub(crate) factors: [f32; 2],
    /// The velocity with which it carries people from its foot to its head.
    pub(crate) escalator: f32,
}

impl Stair {
    /// The ends of its foot in the plan, which has the storey on its left.
    pub(crate) fn foot(&self) -> [Vector<2>; 2] {
        self.pieces[0].0.foot
    }

    /// Its two sides in the plan, each from an end of its foot to one of its head.
    pub(crate) fn sides(&self) -> [Vec<Vector<2>>; 2] {
        let mut sides = self.foot().map(|end| vec![end]);
        for (piece, _) in &self.pieces {
            sides.iter_mut().zip(piece.sides()).for_each(|(side, more)| side.extend(&more[1..]));
        }
        sides
    }

    /// The corners of its footprint in the plan: the lowest and the highest.
    pub(crate) fn footprint(&self) -> [Vector<2>; 2] {
        match &self.pieces[..] {
            [(Ribbon { foot, legs, .. }, _)] if legs.len() == 1 => corners(foot[0], foot[1] + legs[0]),
            _ => bounds(self.sides().iter().flatten().copied()),
        }
    }

    /// The footprint without its rim of a millimetre, for comparisons that must not see the rounding of corners.
    pub(crate) fn inside(&self) -> [Vector<2>; 2] {
        let [low, high] = self.footprint();
        [low + Vector([1e-3; 2]), high - Vector([1e-3; 2])]
    }

    /// The part of its rise below a place in the plan on a piece.
    pub(crate) fn share(&self, piece: usize, plan: Vector<2>) -> f32 {
        let length = |[from, to]: &[Vector<2>; 2]| (*to - *from).length();
        let flights = self.pieces.iter().enumerate();
        let flights =
            flights.flat_map(|(number, (ribbon, _))| ribbon.flights.iter().map(move |flight| (number, flight)));
        // A piece of landings alone is level.
        let (mut below, mut all, mut nearest) = (0.0, 0.0, f32::INFINITY);
        for (number, flight) in flights {
            let (along, off) = along(flight, plan);
            if number == piece && off < nearest {
                (below, nearest) = (all + along * length(flight), off);
            }
            all += length(flight);
            if number < piece {
                below = all;
            }
        }
        below / all
    }
}
