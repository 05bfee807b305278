//! Sight: whether a wall stands between two points.

use crate::base::settings::Settings;
use crate::environment::Environment;
use crate::environment::near_wall::{for_each_image, periods};
use crate::environment::piece::Piece;
use crate::environment::wall_index::{WallIndex, WallPiece};
use crate::maths::Vector;
use crate::maths::wide::{add, sub, widened};

/// The share of the terms of a cross product below which its sign may be one of rounding.
const ROUNDING: f64 = 1e-14;

impl<const D: usize> Environment<D> {
    /// Whether one of these pieces of walls stands on the straight way from a point by an offset, at this simulated
    /// time. Doors that are open then do not.
    pub(crate) fn is_hidden(
        &self,
        (index, pieces): (&WallIndex<D>, &[u32]),
        settings: &Settings<D>,
        seconds: f64,
        from: Vector<D>,
        offset: Vector<D>,
    ) -> bool {
        let (size, to) = (periods(settings), add(widened(from.0), widened(offset.0)));
        let from = widened(from.0);
        pieces.iter().any(|&number| {
            let WallPiece { wall, piece } = &index.pieces[number as usize];
            if self.walls()[*wall as usize].is_open(seconds) {
                return false;
            }
            let displaced = self.wall_motions()[*wall as usize].offset;
            // Most neighbours are on one side of most walls.
            if let Piece::Segment(a, b) = piece
                && size == [0.0; D]
            {
                let sides = [&from, &to].map(|end| {
                    let at = |axis: usize| end[axis] - displaced[axis] - a[axis];
                    let [left, right] = [(b[0] - a[0]) * at(1), (b[1] - a[1]) * at(0)];
                    let side = left - right;
                    if side.abs() > ROUNDING * (left.abs() + right.abs()) { side } else { 0.0 }
                });
                if sides[0] * sides[1] > 0.0 {
                    return false;
                }
            }
            let [from, to] = [from, to].map(|end| sub(end, displaced));
            let corner = |towards: f64| {
                std::array::from_fn(|axis| if (from[axis] - to[axis]) * towards > 0.0 { from[axis] } else { to[axis] })
            };
            let mut meets = false;
            for_each_image(piece, piece.bounds(), [corner(-1.0), corner(1.0)], size, |image| {
                let [from, to] = [from, to].map(|end| std::array::from_fn(|axis| end[axis] - image[axis] * size[axis]));
                meets |= piece.meets(from, to);
            });
            meets
        })
    }
}
