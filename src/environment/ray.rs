//! Rays: the first wall or obstacle on a straight way.

use crate::base::settings::Settings;
use crate::environment::Environment;
use crate::environment::index::EnvironmentIndex;
use crate::environment::near_wall::{corners, for_each_image, periods};
use crate::environment::piece::Piece;
use crate::environment::sight::around;
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, dot, length, scaled, sub, widened};

/// Where a straight way meets a wall or an obstacle first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit<const D: usize> {
    /// The distance from the start of the way, in metres.
    pub distance: f32,
    /// The point of the surface, in metres; in a periodic world it may be beyond its edge.
    pub point: Vector<D>,
    /// The unit normal of the surface, on the side of the start.
    pub normal: Vector<D>,
}

/// The share of a way at which it meets a surface, and the normal there.
type Met<const D: usize> = (f64, Wide<D>);

impl<const D: usize> Environment<D> {
    /// The first wall or obstacle on the straight way from a point by an offset, at this simulated time.
    pub(crate) fn first_on_way(
        &self,
        index: &EnvironmentIndex<D>,
        (settings, seconds): (&Settings<D>, f64),
        (from, offset): (Vector<D>, Vector<D>),
    ) -> Option<RayHit<D>> {
        let (size, start, way) = (periods(settings), widened(from.0), widened(offset.0));
        let mut first: Option<Met<D>> = None;
        let mut meet = |piece: &Piece<D>, displaced: Wide<D>, is_solid: bool| {
            let (start, end) = (sub(start, displaced), add(sub(start, displaced), way));
            for_each_image(piece, piece.bounds(), corners(start, end), size, |image| {
                let start = std::array::from_fn(|axis| start[axis] - image[axis] * size[axis]);
                let met = met(piece, start, way);
                // The way begins in a solid that it only leaves.
                let met =
                    met.map(|(share, normal)| (if is_solid && dot(normal, way) > 0.0 { 0.0 } else { share }, normal));
                let met = met.filter(|(share, _)| (0.0..=1.0).contains(share));
                first = match (first, met) {
                    (Some(first), Some(met)) if first.0 <= met.0 => Some(first),
                    (first, met) => met.or(first),
                };
            });
        };
        for number in index.walls.near(&around(from, offset)) {
            let of = &index.walls.pieces[number as usize];
            if !self.walls.items()[of.wall as usize].is_open(seconds) {
                meet(&of.piece, self.wall_motions()[of.wall as usize].offset, false);
            }
        }
        index.visit_obstacles_near(&around(from, offset), |number| {
            let obstacle = &self.obstacles.items()[number as usize];
            meet(&Piece::Ball(widened(obstacle.centre.0), obstacle.radius.into()), [0.0; D], true);
        });
        let (share, normal) = first?;
        let normal = if dot(normal, way) > 0.0 { scaled(normal, -1.0) } else { normal };
        let narrowed = |wide: Wide<D>| Vector(wide.map(|at| at as f32));
        Some(RayHit {
            distance: (share * length(way)) as f32,
            point: narrowed(add(start, scaled(way, share))),
            normal: narrowed(scaled(normal, 1.0 / length(normal))),
        })
    }
}

/// The first share of a line at which it meets the surface of a piece, from zero on, and a normal of any length.
fn met<const D: usize>(piece: &Piece<D>, from: Wide<D>, way: Wide<D>) -> Option<Met<D>> {
    match *piece {
        Piece::Segment(a, b) => {
            let (along, to) = (sub(b, a), sub(a, from));
            let cross = |one: Wide<D>, other: Wide<D>| one[0] * other[1] - one[1] * other[0];
            let turn = cross(way, along);
            let normal = std::array::from_fn(|axis| [-along[1], along[0]].get(axis).copied().unwrap_or(0.0));
            let met = (cross(to, along) / turn, cross(to, way) / turn);
            (turn != 0.0 && met.0 >= 0.0 && (0.0..=1.0).contains(&met.1)).then_some((met.0, normal))
        }
        Piece::Box(low, high) => {
            let axis_normal = |of: usize| std::array::from_fn(|axis| if axis == of { 1.0 } else { 0.0 });
            let (mut enters, mut leaves) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
            for axis in 0..D {
                let [one, other] = [low, high].map(|corner| (corner[axis] - from[axis]) / way[axis]);
                if way[axis] == 0.0 {
                    if !(low[axis]..=high[axis]).contains(&from[axis]) {
                        return None;
                    }
                    continue;
                }
                let (near, far) = if one < other { (one, other) } else { (other, one) };
                enters = if near > enters.0 { (near, axis) } else { enters };
                leaves = if far < leaves.0 { (far, axis) } else { leaves };
            }
            let first = if enters.0 >= 0.0 { enters } else { leaves };
            (enters.0 <= leaves.0 && first.0 >= 0.0 && first.0 < f64::INFINITY).then(|| (first.0, axis_normal(first.1)))
        }
        Piece::Ball(centre, radius) => {
            let to = sub(from, centre);
            let (squared, half, rest) = (dot(way, way), dot(to, way), dot(to, to) - radius * radius);
            let apart = half * half - squared * rest;
            if apart <= 0.0 {
                return None;
            }
            let root = apart.sqrt();
            let shares = [(-half - root) / squared, (-half + root) / squared];
            let share = shares.into_iter().find(|share| *share >= 0.0)?;
            Some((share, add(to, scaled(way, share))))
        }
        Piece::Plane { point, normal, .. } => {
            let share = dot(normal, sub(point, from)) / dot(normal, way);
            (share >= 0.0).then_some((share, normal))
        }
    }
}
