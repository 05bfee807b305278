//! The ways from a point near walls: over the nodes around its square that it sees.
//!
//! The shortest of these ways is a step of a semi-Lagrangian scheme for the distance (Tsitsiklis 1995). Its first
//! straight part crosses no wall, and it ends at a node that is nearer to the goal.

use crate::environment::navigation::geometry::{Capsule, Point, greatest, offset, squared_distance};
use crate::environment::navigation::grid::{At, Grid};
use crate::environment::navigation::raster::BAND;

/// The nodes around the square, in a circle.
const AROUND: [[i64; 2]; 12] =
    [[-1, -1], [0, -1], [1, -1], [2, -1], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [-1, 2], [-1, 1], [-1, 0]];

/// The corners of the square, in a circle.
const CORNERS: [[i64; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

/// The nodes around a point.
pub(super) struct Ring<'a> {
    grid: &'a Grid,
    at: &'a At,
}

/// A node of a ring.
#[derive(Clone, Copy, Debug)]
struct Node {
    point: Point,
    index: usize,
    distance: f64,
    /// Whether it has the clearance from walls, and a way.
    free: bool,
    /// Whether no wall is between the node and the point.
    seen: bool,
}

/// A point to walk to, and the length of the way over it.
type Way = (Point, f64);

/// The shorter of two ways.
fn shorter(a: Option<Way>, b: Option<Way>) -> Option<Way> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.1 < a.1 { b } else { a }),
        (a, b) => a.or(b),
    }
}

impl<'a> Ring<'a> {
    pub(super) fn new(grid: &'a Grid, at: &'a At) -> Self {
        Self { grid, at }
    }

    /// The shortest way; none if no way leads to the goal.
    pub(super) fn way(&self) -> Option<Way> {
        let mut around = AROUND.map(|offset| self.node(offset));
        let mut corners = CORNERS.map(|offset| self.node(offset));
        // A gap that is too narrow for the body is not a way, although points inside it have one.
        if around.iter().chain(&corners).any(|node| node.seen && node.free) {
            around.iter_mut().chain(&mut corners).for_each(|node| node.seen &= node.free);
        }
        let spacing = self.grid.raster.spacing;
        let apart = 0.25 * (spacing[0] * spacing[0] + spacing[1] * spacing[1]);
        let all = || around.iter().chain(&corners);
        let ahead = shorter(self.shortest(&around, apart), self.shortest(&corners, apart));
        // A node nearer than that shows a direction badly. It counts where it is the only way into a gap.
        let beside = self.over_near_node(all(), apart);
        let gap = 0.5 * greatest(spacing[0], spacing[1]);
        match (ahead, beside) {
            (Some(ahead), Some(beside)) if beside.1 + gap < ahead.1 => Some(beside),
            (None, beside) => beside.or_else(|| Self::unseen(all())),
            (ahead, _) => ahead,
        }
    }

    /// The node at an offset from the first corner. Beyond the end of an axis it is the last node.
    fn node(&self, offset: [i64; 2]) -> Node {
        let raster = &self.grid.raster;
        let (mut at, mut cell) = ([0; 2], [0; 2]);
        for axis in 0..2 {
            let cells = raster.cells[axis] as i64;
            at[axis] = self.at.base[axis] as i64 + offset[axis];
            if !raster.wraps[axis] {
                at[axis] = at[axis].clamp(0, cells - 1);
            }
            cell[axis] = at[axis].rem_euclid(cells) as usize;
        }
        let index = cell[1] * raster.cells[0] + cell[0];
        let (point, distance) = (raster.node(at[0], at[1]), f64::from(self.grid.distance[index]));
        let free = distance < f64::INFINITY && !raster.is(index, BAND);
        Node { point, index, distance, free, seen: self.sees(point) }
    }

    fn walls(&self) -> impl Iterator<Item = &Capsule> + Clone {
        self.grid.raster.walls_around(self.at.square)
    }

    fn sees(&self, point: Point) -> bool {
        !self.walls().any(|wall| wall.obstructs(self.at.point, point, 0.0))
    }

    /// The distance that counts for a metre on the way to a point.
    fn pace(&self, to: Point) -> f64 {
        self.grid.paces_at(self.at, offset(self.at.point, to))[0].into()
    }

    /// The shortest way over a circle of nodes or over the points between two of them, at least so far (squared) away.
    fn shortest(&self, nodes: &[Node], apart: f64) -> Option<Way> {
        let mut best: Option<Way> = None;
        for (number, node) in nodes.iter().enumerate() {
            let next = nodes[(number + 1) % nodes.len()];
            if !node.seen || node.distance == f64::INFINITY {
                continue;
            }
            let mut consider = |point: Point, distance: f64, seen: bool| {
                let squared = squared_distance(self.at.point, point);
                let length = distance + squared.sqrt() * self.pace(point);
                if squared >= apart && best.is_none_or(|(_, best)| length < best) && (seen || self.sees(point)) {
                    best = Some((point, length));
                }
            };
            consider(node.point, node.distance, true);
            if next.seen && next.distance < f64::INFINITY && self.is_open(*node, next) {
                let (point, distance) = self.between(*node, next);
                consider(point, distance, false);
            }
        }
        best
    }

    /// The shortest way over one of the nodes within a distance (squared).
    fn over_near_node<'n>(&self, nodes: impl Iterator<Item = &'n Node>, within: f64) -> Option<Way> {
        let mut best: Option<Way> = None;
        for node in nodes.filter(|node| node.seen && node.distance < f64::INFINITY) {
            let squared = squared_distance(self.at.point, node.point);
            let length = node.distance + squared.sqrt() * self.pace(node.point);
            if squared < within && squared > 0.005 * within && best.is_none_or(|(_, best)| length < best) {
                best = Some((node.point, length));
            }
        }
        best
    }

    /// Whether no wall crosses the step between two adjacent nodes.
    fn is_open(&self, a: Node, b: Node) -> bool {
        if a.index == b.index {
            return false;
        }
        let axis = usize::from(a.point[0] == b.point[0]);
        let lower = if a.point[axis] < b.point[axis] { a } else { b };
        self.grid.is_open(lower.index, axis)
    }

    /// The point between two nodes over which the way is shortest, if distances are linear between them.
    fn between(&self, a: Node, b: Node) -> Way {
        let length = squared_distance(a.point, b.point).sqrt();
        let along = [(b.point[0] - a.point[0]) / length, (b.point[1] - a.point[1]) / length];
        let offset = [self.at.point[0] - a.point[0], self.at.point[1] - a.point[1]];
        let (foot, across) =
            (offset[0] * along[0] + offset[1] * along[1], (offset[0] * along[1] - offset[1] * along[0]).abs());
        // The sine of the angle at which the way meets the line.
        let sine = (a.distance - b.distance) / (length * self.pace(a.point));
        let ahead = if sine <= -1.0 {
            0.0
        } else if sine >= 1.0 {
            length
        } else {
            (foot + across * sine / (1.0 - sine * sine).sqrt()).clamp(0.0, length)
        };
        let point = [a.point[0] + along[0] * ahead, a.point[1] + along[1] * ahead];
        (point, a.distance + (b.distance - a.distance) * (ahead / length))
    }

    /// The node nearest to the goal, for a point that sees no node: it is in a wedge of walls finer than the grid.
    fn unseen<'n>(nodes: impl Iterator<Item = &'n Node> + Clone) -> Option<Way> {
        if nodes.clone().any(|node| node.seen) {
            return None;
        }
        let reached = nodes.filter(|node| node.distance.is_finite());
        let nearest = reached.reduce(|best, other| if other.distance < best.distance { other } else { best });
        nearest.map(|node| (node.point, node.distance))
    }
}
