//! Sight: whether a wall or an obstacle stands between two points.

use crate::base::settings::Settings;
use crate::boxes::aabb::Aabb;
use crate::environment::index::EnvironmentIndex;
use crate::environment::near_wall::{corners, for_each_image, periods};
use crate::environment::piece::Piece;
use crate::environment::wall_index::{WallIndex, WallPiece};
use crate::environment::{Environment, Obstacle};
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, dot, scaled, sub, widened};

/// The share of the terms of a cross product below which its sign may be one of rounding.
const ROUNDING: f64 = 1e-14;

impl<const D: usize> Environment<D> {
    /// Whether a wall stands on the straight way from a point by an offset, at this simulated time.
    pub(crate) fn is_walled_off(
        &self,
        index: &WallIndex<D>,
        settings: &Settings<D>,
        seconds: f64,
        (from, offset): (Vector<D>, Vector<D>),
    ) -> bool {
        !index.pieces.is_empty() && {
            let pieces = index.near(&around(from, offset));
            self.is_hidden((index, &pieces), settings, seconds, from, offset)
        }
    }

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
            if self.walls.items()[*wall as usize].is_open(seconds) {
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
            let mut meets = false;
            for_each_image(piece, piece.bounds(), corners(from, to), size, |image| {
                let [from, to] = [from, to].map(|end| std::array::from_fn(|axis| end[axis] - image[axis] * size[axis]));
                meets |= piece.meets(from, to);
            });
            meets
        })
    }
}

impl<const D: usize> EnvironmentIndex<D> {
    /// Whether an obstacle is in the straight way from a point by an offset, at most half a period long on each axis.
    pub(crate) fn is_obstructed(
        &self,
        environment: &Environment<D>,
        settings: &Settings<D>,
        (from, offset): (Vector<D>, Vector<D>),
    ) -> bool {
        let mut is_obstructed = false;
        self.visit_obstacles_near(&around(from, offset), |number| {
            is_obstructed =
                is_obstructed || is_in_way(&environment.obstacles.items()[number as usize], settings, from, offset);
        });
        is_obstructed
    }
}

/// The box around the straight way from a point by an offset.
pub(super) fn around<const D: usize>(from: Vector<D>, offset: Vector<D>) -> Aabb<D> {
    Aabb { centre: from + offset * 0.5, half: Vector::from_fn(|axis| offset[axis].abs() * 0.5) }
}

/// Whether the straight way from a point by an offset passes through an obstacle.
fn is_in_way<const D: usize>(
    obstacle: &Obstacle<D>,
    settings: &Settings<D>,
    from: Vector<D>,
    offset: Vector<D>,
) -> bool {
    let (size, way, radius) = (periods(settings), widened(offset.0), f64::from(obstacle.radius));
    let middle = add(widened(from.0), scaled(way, 0.5));
    let to = sub(widened(obstacle.centre.0), middle);
    let nearest: Wide<D> = std::array::from_fn(|axis| match size[axis] {
        0.0 => to[axis],
        size => to[axis] - (to[axis] / size).round() * size,
    });
    // From the middle of a way that may be half a period long, the image beside the nearest one may be in the way.
    (0..3_usize.pow(D as u32)).any(|number| {
        let image = |axis: usize| (number / 3_usize.pow(axis as u32) % 3) as f64 - 1.0;
        if (0..D).any(|axis| size[axis] == 0.0 && image(axis) != 0.0) {
            return false;
        }
        let centre: Wide<D> = std::array::from_fn(|axis| nearest[axis] + image(axis) * size[axis]);
        let (along, squared) = (dot(centre, way), dot(way, way));
        let share = if squared > 0.0 { (along / squared).clamp(-0.5, 0.5) } else { 0.0 };
        let gap = sub(centre, scaled(way, share));
        dot(gap, gap) < radius * radius
    })
}
