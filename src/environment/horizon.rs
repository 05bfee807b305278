//! How far walls let an agent see in each direction of the plane.

use crate::base::settings::Settings;
use crate::environment::Environment;
use crate::environment::near_wall::{for_each_image, periods};
use crate::environment::piece::Piece;
use crate::environment::wall_index::{WallIndex, WallPiece};
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, dot, scaled, sub, widened};

/// The number of directions on each side of a square around the observer: 1.4 degrees or less apart.
const DIRECTIONS: usize = 64;

/// The number of pieces of walls after which the distance is measured beyond which all is hidden.
const PIECES: usize = 8;

/// Room for rounding in this distance, so that the order of the pieces decides no bit.
const ROUNDING: f32 = 1.01;

/// Half of the length of a line without ends, in metres.
const ENDLESS: f64 = 1e6;

/// The nearest wall in each direction, on the four sides of a square around the observer.
pub(crate) struct Horizon([Quarter; 4]);

/// The nearest walls in the directions on a side.
#[derive(Clone, Copy)]
struct Quarter {
    /// Whether no wall is near.
    is_open: bool,
    /// One over the distance of each on the axis of the side.
    inverse: [f32; DIRECTIONS],
    /// This inverse at the middle of the side, and its slope: a wall may be oblique.
    middle: [f32; DIRECTIONS],
    slope: [f32; DIRECTIONS],
}

/// How far a direction leads across a side, while it leads one along its axis.
fn across(direction: usize) -> f32 {
    (direction as f32 + 0.5) * (2.0 / DIRECTIONS as f32) - 1.0
}

impl Horizon {
    /// What an observer at a point sees within `view` metres, at this simulated time.
    pub(crate) fn new<const D: usize>(
        (environment, index): (&Environment<D>, &WallIndex<D>),
        settings: &Settings<D>,
        seconds: f64,
        (at, view): (Vector<D>, f32),
    ) -> Self {
        // Walls that are farther than the view hide nothing.
        let lengths: [f32; DIRECTIONS] = std::array::from_fn(|direction| 1.0 + across(direction) * across(direction));
        let inverse = lengths.map(|squared| squared.sqrt() / view);
        let mut horizon =
            Self([Quarter { is_open: true, inverse, middle: [0.0; DIRECTIONS], slope: [0.0; DIRECTIONS] }; 4]);
        let (size, at_wide) = (periods(settings), widened(at.0));
        let (mut within, mut left) = (horizon.reach_squared(&lengths), PIECES);
        index.visit_nearest(at, within, |number| {
            let WallPiece { wall, piece } = &index.pieces[number as usize];
            if environment.walls.items()[*wall as usize].is_open(seconds) {
                return within;
            }
            let at = sub(at_wide, environment.wall_motions()[*wall as usize].offset);
            let reach = [f64::from(within.sqrt()); D];
            for_each_image(piece, piece.bounds(), [sub(at, reach), add(at, reach)], size, |image| {
                let at = std::array::from_fn(|axis| at[axis] - image[axis] * size[axis]);
                for_each_side(piece, at, |ends| horizon.add(ends));
            });
            left -= 1;
            if left == 0 {
                (within, left) = (horizon.reach_squared(&lengths), PIECES);
            }
            within
        });
        horizon
    }

    /// The squared distance beyond which no wall is the nearest in any direction, for directions of these squared lengths.
    fn reach_squared(&self, lengths: &[f32; DIRECTIONS]) -> f32 {
        let mut most = [0.0; DIRECTIONS];
        for side in &self.0 {
            for ((most, inverse), squared) in most.iter_mut().zip(side.inverse).zip(lengths) {
                let reach = squared / (inverse * inverse);
                *most = if reach > *most { reach } else { *most };
            }
        }
        ROUNDING * most.into_iter().fold(0.0, |most, reach| if reach > most { reach } else { most })
    }

    /// Adds a segment between two offsets from the observer.
    fn add(&mut self, ends: [[f32; 2]; 2]) {
        for (side, nearest) in self.0.iter_mut().enumerate() {
            let [a, b] = ends.map(|end| turned(end, side));
            let area = a[0] * b[1] - a[1] * b[0];
            let (a, b, area) = if area < 0.0 { (b, a, -area) } else { (a, b, area) };
            let is_inside = |end: [f32; 2]| end[0] > 0.0 && end[1].abs() <= end[0];
            // A segment that starts beside this quarter may reach into it.
            let start = match is_inside(a) {
                true => a[1] / a[0],
                false if -a[0] - a[1] >= 0.0 && b[1] + b[0] >= 0.0 => -1.0,
                false => continue,
            };
            let end = if is_inside(b) { b[1] / b[0] } else { 1.0 };
            let [first, end] = [start, end].map(|at| ((at + 1.0) * 0.5 * DIRECTIONS as f32 - 0.5).ceil() as usize);
            let line = [(b[1] - a[1]) / area, (a[0] - b[0]) / area];
            if !(line[0].is_finite() && line[1].is_finite()) {
                continue;
            }
            let covered = |column| <[f32]>::get_mut(column, first..end).unwrap_or_default();
            let Quarter { is_open, inverse, middle, slope } = nearest;
            *is_open = false;
            let old = covered(inverse).iter_mut().zip(covered(middle)).zip(covered(slope));
            for (((inverse, middle), slope), direction) in old.zip(first..) {
                let new = line[0] + line[1] * across(direction);
                // Of walls that are equally near, their slopes decide.
                let is_nearer = new > *inverse || (new == *inverse && line[1] > *slope);
                *inverse = if is_nearer { new } else { *inverse };
                *middle = if is_nearer { line[0] } else { *middle };
                *slope = if is_nearer { line[1] } else { *slope };
            }
        }
    }

    /// Whether no wall hides an agent at an offset from the observer.
    pub(crate) fn shows(&self, offset: [f32; 2]) -> bool {
        let [x, y] = offset;
        let is_steep = y.abs() > x.abs();
        let [along, across] = if is_steep { [y, -x] } else { [x, y] };
        let side = usize::from(is_steep) + 2 * usize::from(along < 0.0);
        let Quarter { is_open, middle, slope, .. } = &self.0[side];
        if *is_open {
            return true;
        }
        let (along, across) = (along.abs(), if along < 0.0 { -across } else { across });
        // Zero for an offset of zero.
        let direction = ((across / along + 1.0) * (0.5 * DIRECTIONS as f32)) as u32;
        let direction = (direction as usize).min(DIRECTIONS - 1);
        along * middle[direction] + across * slope[direction] <= 1.0
    }
}

/// The components of a vector along the axis of a side and across it.
fn turned([x, y]: [f32; 2], side: usize) -> [f32; 2] {
    match side {
        0 => [x, y],
        1 => [y, -x],
        2 => [-x, -y],
        _ => [-y, x],
    }
}

/// Calls `visit` with the ends of segments that hide the same as a piece, as offsets from an observer.
fn for_each_side<const D: usize>(piece: &Piece<D>, at: Wide<D>, mut visit: impl FnMut([[f32; 2]; 2])) {
    let mut side = |a: Wide<D>, b: Wide<D>| visit([a, b].map(|end| [0, 1].map(|axis| (end[axis] - at[axis]) as f32)));
    let turned = |vector: Wide<D>| {
        let mut turned = [0.0; D];
        (turned[0], turned[1]) = (-vector[1], vector[0]);
        turned
    };
    match *piece {
        Piece::Segment(a, b) => side(a, b),
        Piece::Box(low, high) => {
            let corner = |number: usize| {
                let mut corner = low;
                corner[0] = if matches!(number, 1 | 2) { high[0] } else { low[0] };
                corner[1] = if number < 2 { low[1] } else { high[1] };
                corner
            };
            (0..4).for_each(|number| side(corner(number), corner((number + 1) % 4)));
        }
        Piece::Ball(centre, radius) => {
            // Between the points at which lines from outside touch it.
            let towards = sub(centre, at);
            let (squared, outside) = (dot(towards, towards), dot(towards, towards) - radius * radius);
            if outside > 0.0 {
                let (middle, half) = (outside / squared, radius * outside.sqrt() / squared);
                let end = |share: f64| add(add(at, scaled(towards, middle)), scaled(turned(towards), share));
                side(end(-half), end(half));
            }
        }
        Piece::Plane { point, normal, .. } => {
            let foot = sub(at, scaled(normal, dot(sub(at, point), normal)));
            let end = |share: f64| add(foot, scaled(turned(normal), share));
            side(end(-ENDLESS), end(ENDLESS));
        }
    }
}
