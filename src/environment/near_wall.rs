//! Walls near a point: for hosts, and for rules of motion.

use crate::base::settings::Settings;
use crate::environment::Environment;
use crate::environment::piece::{Piece, pieces};
use crate::environment::wall_index::{WallIndex, WallPiece};
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, scaled, sub, widened};

/// The largest number of images of a piece on one side of a box, on each axis: walls may be longer than a period.
const IMAGES: f64 = 64.0;

/// A part of a wall near a point: one segment of a path, or a whole box, ball or plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NearWall<const D: usize> {
    /// The number of the wall in the environment.
    pub wall: u32,
    /// The distance from the point to the surface, in metres.
    pub distance: f32,
    /// The offset from the point to the nearest point of the surface, in metres.
    pub offset: Vector<D>,
    /// The unit vector from the surface to the point.
    pub normal: Vector<D>,
    /// The velocity of the wall, in metres per second.
    pub velocity: Vector<D>,
}

/// The period per axis; zero where the world is not periodic.
pub(crate) fn periods<const D: usize>(settings: &Settings<D>) -> Wide<D> {
    settings.period().map(|period| if period < f32::INFINITY { f64::from(period) } else { 0.0 })
}

/// The first image of a piece near a box, in periods, and the number of images on each axis. `below` and `above` are
/// the corners of the piece's box.
pub(crate) fn images<const D: usize>(
    piece: &Piece<D>,
    [below, above]: [Wide<D>; 2],
    [low, high]: [Wide<D>; 2],
    size: Wide<D>,
) -> (Wide<D>, [usize; D]) {
    let (mut first, mut count) = ([0.0; D], [1usize; D]);
    for axis in 0..D {
        if is_alone([below[axis], above[axis]], [low[axis], high[axis]], size[axis]) {
            count[axis] = usize::from(above[axis] >= low[axis] && below[axis] <= high[axis]);
        } else if let Piece::Plane { normal, .. } = piece {
            (first[axis], count[axis]) = if normal[axis] == 0.0 { (0.0, 1) } else { (-1.0, 3) };
        } else {
            let nearest = ((low[axis] + high[axis] - below[axis] - above[axis]) * 0.5 / size[axis]).round();
            let least = ((low[axis] - above[axis]) / size[axis]).ceil();
            let most = ((high[axis] - below[axis]) / size[axis]).floor();
            first[axis] = if least < nearest - IMAGES { nearest - IMAGES } else { least };
            let last = if most > nearest + IMAGES { nearest + IMAGES } else { most };
            count[axis] = if last < first[axis] { 0 } else { (last - first[axis]) as usize + 1 };
        }
    }
    (first, count)
}

/// Whether, on one axis, of what reaches from `below` to `above` no image but itself is between `low` and `high`.
pub(crate) fn is_alone([below, above]: [f64; 2], [low, high]: [f64; 2], size: f64) -> bool {
    size == 0.0 || (below + size > high && above - size < low)
}

/// Calls `visit` with each image of a piece near a box, in periods.
pub(crate) fn for_each_image<const D: usize>(
    piece: &Piece<D>,
    bounds: [Wide<D>; 2],
    near: [Wide<D>; 2],
    size: Wide<D>,
    mut visit: impl FnMut(Wide<D>),
) {
    let (first, count) = images(piece, bounds, near, size);
    if count == [1; D] {
        visit(first);
        return;
    }
    for number in 0..count.iter().product() {
        let (mut rest, mut image): (usize, _) = (number, first);
        for axis in 0..D {
            image[axis] += (rest % count[axis]) as f64;
            rest /= count[axis];
        }
        visit(image);
    }
}

impl<const D: usize> Environment<D> {
    /// Whether a body touches one of these pieces at this simulated time, or its centre is inside one. Doors that are
    /// open then do not count.
    pub(crate) fn is_walled(
        &self,
        index: &WallIndex<D>,
        numbers: &[u32],
        settings: &Settings<D>,
        seconds: f64,
        point: Vector<D>,
        radius: f32,
    ) -> bool {
        let (size, reach) = (periods(settings), [f64::from(radius); D]);
        let mut touches = false;
        for &number in numbers {
            let WallPiece { wall, piece } = &index.pieces[number as usize];
            if self.walls()[*wall as usize].is_open(seconds) {
                continue;
            }
            let point = sub(widened(point.0), self.wall_motions()[*wall as usize].offset);
            for_each_image(piece, piece.bounds(), [sub(point, reach), add(point, reach)], size, |image| {
                let at: Wide<D> = std::array::from_fn(|axis| point[axis] - image[axis] * size[axis]);
                touches |= piece.contains(at) || piece.nearest(at).distance <= reach[0];
            });
        }
        touches
    }

    /// Calls `visit` with the numbers of walls, and their pieces with the displacement of each.
    fn each_piece(&self, mut visit: impl FnMut(u32, Piece<D>, Wide<D>)) {
        for (number, (wall, motion)) in self.walls().iter().zip(self.wall_motions()).enumerate() {
            pieces(&wall.shape, |piece| visit(number as u32, piece, motion.offset));
        }
    }

    /// Appends the images of a piece within a distance of a point.
    fn near_images(
        &self,
        (wall, piece, offset): (u32, &Piece<D>, Wide<D>),
        settings: &Settings<D>,
        point: Wide<D>,
        distance: f32,
        found: &mut Vec<NearWall<D>>,
    ) {
        let (size, reach) = (periods(settings), [f64::from(distance); D]);
        let bounds = piece.bounds().map(|corner| add(corner, offset));
        for_each_image(piece, bounds, [sub(point, reach), add(point, reach)], size, |image| {
            let at: Wide<D> = std::array::from_fn(|axis| point[axis] - offset[axis] - image[axis] * size[axis]);
            let nearest = piece.nearest(at);
            if nearest.distance <= f64::from(distance) {
                let narrow = |wide: Wide<D>| Vector(wide.map(|component| component as f32));
                found.push(NearWall {
                    wall,
                    distance: nearest.distance as f32,
                    offset: narrow(scaled(nearest.normal, -nearest.distance)),
                    normal: narrow(nearest.normal),
                    velocity: self.walls()[wall as usize].velocity,
                });
            }
        });
    }

    /// Fills `found` with the walls within a distance of a point at a simulated time, nearest first.
    pub(crate) fn walls_within(
        &self,
        settings: &Settings<D>,
        seconds: f64,
        point: Vector<D>,
        distance: f32,
        found: &mut Vec<NearWall<D>>,
    ) {
        found.clear();
        self.each_piece(|wall, piece, offset| {
            if !self.walls()[wall as usize].is_open(seconds) {
                self.near_images((wall, &piece, offset), settings, widened(point.0), distance, found);
            }
        });
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.wall.cmp(&b.wall)));
    }

    /// The same among these pieces of an index, in their order.
    pub(crate) fn walls_among(
        &self,
        index: &WallIndex<D>,
        numbers: &[u32],
        settings: &Settings<D>,
        seconds: f64,
        (point, distance): (Vector<D>, f32),
        found: &mut Vec<NearWall<D>>,
    ) {
        found.clear();
        for &number in numbers {
            let piece = &index.pieces[number as usize];
            if !self.walls()[piece.wall as usize].is_open(seconds) {
                let offset = self.wall_motions()[piece.wall as usize].offset;
                self.near_images((piece.wall, &piece.piece, offset), settings, widened(point.0), distance, found);
            }
        }
    }

    /// The first of these pieces that a body of this radius touches within `horizon` seconds, at its present velocity:
    /// the time as a share of the horizon, and the normal of the wall there. The share is negative for a wall that the
    /// body overlaps now; of several, the one that it overlaps most deeply counts.
    pub(crate) fn wall_ahead(
        &self,
        (index, numbers): (&WallIndex<D>, &[u32]),
        settings: &Settings<D>,
        seconds: f64,
        (at, velocity): (Vector<D>, Vector<D>),
        (radius, horizon): (f32, f32),
    ) -> Option<(f32, Vector<D>)> {
        let (size, at, reach) = (periods(settings), widened(at.0), f64::from(radius));
        let mut first: Option<(f64, Wide<D>)> = None;
        for &number in numbers {
            let WallPiece { wall, piece } = &index.pieces[number as usize];
            let (wall, offset) = (&self.walls()[*wall as usize], self.wall_motions()[*wall as usize].offset);
            if wall.is_open(seconds) {
                continue;
            }
            let way = scaled(widened((velocity - wall.velocity).0), f64::from(horizon));
            let corner = |towards: f64| -> Wide<D> {
                std::array::from_fn(|axis| {
                    let ahead = if way[axis] * towards > 0.0 { way[axis] } else { 0.0 };
                    // A longer way meets the same walls again.
                    let longer = size[axis] > 0.0 && ahead.abs() > size[axis];
                    let ahead = if longer { towards * size[axis] } else { ahead };
                    at[axis] + ahead + towards * reach
                })
            };
            let bounds = piece.bounds().map(|corner| add(corner, offset));
            for_each_image(piece, bounds, [corner(-1.0), corner(1.0)], size, |image| {
                let from: Wide<D> = std::array::from_fn(|axis| at[axis] - offset[axis] - image[axis] * size[axis]);
                let nearest = piece.nearest(from);
                // An overlap counts before every contact, the deepest one first.
                let met = if nearest.distance < reach {
                    Some((nearest.distance - reach, nearest.normal))
                } else {
                    piece.sweep(from, way, reach, nearest).filter(|(share, _)| *share <= 1.0)
                };
                if let Some((share, normal)) = met
                    && first.is_none_or(|(before, _)| share < before)
                {
                    first = Some((share, normal));
                }
            });
        }
        first.map(|(share, normal)| (share as f32, Vector(normal.map(|component| component as f32))))
    }
}
