//! Walls near a point: for hosts, and for rules of motion.

use crate::base::settings::Settings;
use crate::boxes::aabb::Aabb;
use crate::environment::piece::Piece;
use crate::environment::wall_index::{WallIndex, WallPiece};
use crate::environment::{Environment, WallId};
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, scaled, sub, widened};

/// The largest number of images of a segment on one side of a box, on each axis: walls may be longer than a period.
const IMAGES: f64 = 64.0;

/// The same of a solid: on an axis on which it is longer than a period, its images leave no gap between them.
const SOLID_IMAGES: f64 = 2.0;

/// The number of images on each axis above which the images of a segment are found along it, not in the box around it.
const FEW: usize = 3;

/// A part of a wall near a point: one segment of a path, or a whole box, ball or plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NearWall<const D: usize> {
    /// The wall.
    pub wall: WallId,
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
        if has_one_image([below[axis], above[axis]], [low[axis], high[axis]], size[axis]) {
            count[axis] = usize::from(above[axis] >= low[axis] && below[axis] <= high[axis]);
        } else if let Piece::Plane { normal, .. } = piece {
            (first[axis], count[axis]) = if normal[axis] == 0.0 { (0.0, 1) } else { (-1.0, 3) };
        } else {
            let nearest = ((low[axis] + high[axis] - below[axis] - above[axis]) * 0.5 / size[axis]).round();
            let least = ((low[axis] - above[axis]) / size[axis]).ceil();
            let most = ((high[axis] - below[axis]) / size[axis]).floor();
            let reach = if piece.is_solid() { SOLID_IMAGES } else { IMAGES };
            first[axis] = if least < nearest - reach { nearest - reach } else { least };
            let last = if most > nearest + reach { nearest + reach } else { most };
            count[axis] = if last < first[axis] { 0 } else { (last - first[axis]) as usize + 1 };
        }
    }
    (first, count)
}

/// Whether only the interval from `below` to `above`, and none of its periodic images, overlaps `low` to `high` on this
/// axis.
pub(crate) fn has_one_image([below, above]: [f64; 2], [low, high]: [f64; 2], size: f64) -> bool {
    size == 0.0 || (below + size > high && above - size < low)
}

/// The lowest and the highest corner of the box around two points.
pub(crate) fn corners<const D: usize>(one: Wide<D>, other: Wide<D>) -> [Wide<D>; 2] {
    [-1.0, 1.0].map(|towards| {
        std::array::from_fn(|axis| if (one[axis] - other[axis]) * towards > 0.0 { one[axis] } else { other[axis] })
    })
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
    if let Piece::Segment(a, b) = piece
        && count.iter().all(|&count| count > FEW)
    {
        let [below, above] = piece.bounds();
        // How far from its place the segment is, at least and at most.
        let displaced = [sub(bounds[0], below), sub(bounds[1], above)];
        images_along([*a, *b], displaced, near, size, (first, count), visit);
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

/// Calls `visit` with each image of a long segment, of a range of images, that is near a box: for each image on the
/// first axis, the part of the segment within the box on that axis has few images on the other one.
fn images_along<const D: usize>(
    [a, b]: [Wide<D>; 2],
    [least, most]: [Wide<D>; 2],
    [low, high]: [Wide<D>; 2],
    size: Wide<D>,
    (first, count): (Wide<D>, [usize; D]),
    mut visit: impl FnMut(Wide<D>),
) {
    let (x, y) = (0, 1);
    let way = sub(b, a);
    for number in 0..count[x] {
        let mut image = first;
        image[x] += number as f64;
        let shares = [low[x] - most[x], high[x] - least[x]].map(|at| (at - image[x] * size[x] - a[x]) / way[x]);
        let from = if shares[0] < shares[1] { shares[0] } else { shares[1] };
        let to = if shares[0] < shares[1] { shares[1] } else { shares[0] };
        // Not numbers where the segment is upright.
        let (from, to) = (if from > 0.0 { from } else { 0.0 }, if to < 1.0 { to } else { 1.0 });
        let (start, end) = (a[y] + from * way[y], a[y] + to * way[y]);
        let slack = 1e-9 * (a[y].abs() + b[y].abs());
        let (below, above) = if start < end { (start, end) } else { (end, start) };
        let nearest = ((low[y] - above - most[y] - slack) / size[y]).ceil();
        let farthest = ((high[y] - below - least[y] + slack) / size[y]).floor();
        let last = first[y] + count[y] as f64 - 1.0;
        image[y] = if nearest > first[y] { nearest } else { first[y] };
        while image[y] <= farthest && image[y] <= last {
            visit(image);
            image[y] += 1.0;
        }
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
            if self.walls.items()[*wall as usize].is_open(seconds) {
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
                    wall: self.walls.ids()[wall as usize],
                    distance: nearest.distance as f32,
                    offset: narrow(scaled(nearest.normal, -nearest.distance)),
                    normal: narrow(nearest.normal),
                    velocity: self.walls.items()[wall as usize].velocity,
                });
            }
        });
    }

    /// Fills `found` with the walls within a distance of a point at a simulated time, nearest first.
    pub(crate) fn walls_within(
        &self,
        index: &WallIndex<D>,
        settings: &Settings<D>,
        seconds: f64,
        point: Vector<D>,
        distance: f32,
        found: &mut Vec<NearWall<D>>,
    ) {
        let near = index.near(&Aabb { centre: point, half: Vector::splat(distance) });
        self.walls_among(index, &near, settings, seconds, (point, distance), found);
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.wall.cmp(&b.wall)));
    }

    /// The same among these pieces of an index only, in their order.
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
            if !self.walls.items()[piece.wall as usize].is_open(seconds) {
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
            let (wall, offset) = (&self.walls.items()[*wall as usize], self.wall_motions()[*wall as usize].offset);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Noise;

    /// Whether a segment meets a box: no axis and not the line of the segment separates them.
    fn meets([a, b]: [Wide<2>; 2], [low, high]: [Wide<2>; 2]) -> bool {
        let outside = |axis: usize| {
            (a[axis] < low[axis] && b[axis] < low[axis]) || (a[axis] > high[axis] && b[axis] > high[axis])
        };
        let side = |x: f64, y: f64| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        let sides = [side(low[0], low[1]), side(low[0], high[1]), side(high[0], low[1]), side(high[0], high[1])];
        let is_beside = sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0);
        !outside(0) && !outside(1) && !is_beside
    }

    #[test]
    fn the_images_of_a_long_segment_are_those_that_meet_the_box_and_few_more() {
        let mut noise = Noise::new(6, 0, 0, Noise::USER);
        let mut found = 0;
        for _ in 0..500 {
            let mut any = |most: f32| std::array::from_fn::<f64, 2, _>(|_| f64::from(noise.between(-most, most)));
            let (a, b, at, half, step) = (any(40.0), any(40.0), any(2.0), any(0.2), any(0.1));
            let (size, piece) = ([1.5, 1.0], Piece::Segment(a, b));
            let half = half.map(f64::abs);
            let near = [sub(at, half), add(at, half)];
            let [low, high] = piece.bounds();
            let lower: Wide<2> = std::array::from_fn(|axis| low[axis] + step[axis].min(0.0));
            let upper: Wide<2> = std::array::from_fn(|axis| high[axis] + step[axis].max(0.0));
            let mut visited = Vec::new();
            for_each_image(&piece, [lower, upper], near, size, |image| visited.push(image));
            for x in -70..70 {
                for y in -70..70 {
                    let image = [f64::from(x), f64::from(y)];
                    let moved = |end: Wide<2>, by: Wide<2>| -> Wide<2> {
                        std::array::from_fn(|axis| end[axis] + by[axis] + image[axis] * size[axis])
                    };
                    for by in [[0.0; 2], step] {
                        let is_near = meets([moved(a, by), moved(b, by)], near);
                        assert!(!is_near || visited.contains(&image), "{a:?} to {b:?}, {image:?}");
                        found += usize::from(is_near);
                    }
                }
            }
            assert!(visited.len() < 500, "{} images", visited.len());
        }
        assert!(found > 5000, "{found}");
    }
}
