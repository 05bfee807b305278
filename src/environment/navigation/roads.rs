//! Roads: the corners at which the shortest ways to any point turn, and the others that each of them sees. This is the
//! visibility graph of Lozano-Pérez and Wesley (1979) on the nodes of a grid, with the lines that touch corners only.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::environment::navigation::geometry::{Point, squared_distance};
use crate::environment::navigation::raster::{BAND, Raster, Steps};

/// The signs of the axes of the four quadrants around a node.
const QUADRANTS: [[bool; 2]; 4] = [[false, false], [true, false], [false, true], [true, true]];

/// The bits of all quadrants: every line touches such a corner.
const ALL: u8 = 0b1111;

/// A ride of a lift or a link from node to node, and the metres that it counts for.
pub(super) type Ride = (usize, usize, f32);

/// A node at which a shortest way can turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) node: usize,
    /// The quadrants in which the next node is not free, one bit each.
    blocked: u8,
}

/// The corners of a raster, and which see each other.
#[derive(Debug)]
pub(super) struct Roads {
    /// In the order of their nodes.
    pub(super) corners: Vec<Corner>,
    /// For each corner, the others that it sees, and the metres to them.
    pub(super) links: Vec<Vec<(u32, f32)>>,
}

impl Roads {
    /// The ends of `rides` are corners, too.
    pub(super) fn new(raster: &Raster, rides: &[Ride]) -> Self {
        let nodes = 0..raster.cells[0] * raster.cells[1];
        let ends: BTreeSet<usize> = rides.iter().flat_map(|&(from, to, _)| [from, to]).collect();
        let corners: Vec<Corner> = nodes
            .filter(|&node| !raster.is(node, BAND))
            .map(|node| Corner { node, blocked: if ends.contains(&node) { ALL } else { blocked(raster, node) } })
            .filter(|corner| corner.blocked != 0)
            .collect();
        let mut links = vec![Vec::new(); corners.len()];
        for (a, one) in corners.iter().enumerate() {
            for (b, other) in corners.iter().enumerate().skip(a + 1) {
                if one.touches(raster, other.node)
                    && other.touches(raster, one.node)
                    && sees(raster, one.node, other.node)
                {
                    let metres = metres(raster, one.node, other.node);
                    links[a].push((b as u32, metres));
                    links[b].push((a as u32, metres));
                }
            }
        }
        Self { corners, links }
    }

    /// The number of the corner at a node.
    pub(super) fn corner_at(&self, node: usize) -> Option<usize> {
        self.corners.binary_search_by_key(&node, |corner| corner.node).ok()
    }
}

impl Corner {
    /// Whether the line to a node passes this corner without going into what it goes round.
    pub(super) fn touches(&self, raster: &Raster, node: usize) -> bool {
        let [x, y] = steps(raster, self.node, node);
        QUADRANTS.iter().enumerate().any(|(bit, [right, up])| {
            let along = |step: i64, forwards: bool| if forwards { step.signum() } else { -step.signum() };
            self.blocked >> bit & 1 == 1 && along(x, *right) * along(y, *up) <= 0
        })
    }
}

/// The quadrants around a node with a node that is not free between two that are.
fn blocked(raster: &Raster, node: usize) -> u8 {
    let next = |node: usize, axis: usize, forwards: bool| raster.next(node, axis, forwards, Steps::Clear);
    let is_blocked = |[right, up]: [bool; 2]| {
        let beside = [next(node, 0, right), next(node, 1, up)];
        let [Some(x), Some(y)] = beside else { return false };
        let corner = next(x, 1, up);
        corner.is_none() || corner != next(y, 0, right)
    };
    QUADRANTS.iter().enumerate().fold(0, |bits, (bit, quadrant)| bits | u8::from(is_blocked(*quadrant)) << bit)
}

/// The steps from a node to another on each axis, to its nearest periodic image.
pub(super) fn steps(raster: &Raster, from: usize, to: usize) -> [i64; 2] {
    let columns = raster.cells[0];
    let [a, b] = [from, to].map(|node| [(node % columns) as i64, (node / columns) as i64]);
    std::array::from_fn(|axis| {
        let (step, cells) = (b[axis] - a[axis], raster.cells[axis] as i64);
        if raster.wraps[axis] { (step + cells / 2).rem_euclid(cells) - cells / 2 } else { step }
    })
}

/// The distance between two nodes, in metres.
pub(super) fn metres(raster: &Raster, from: usize, to: usize) -> f32 {
    let steps = steps(raster, from, to);
    let offset: Point = std::array::from_fn(|axis| steps[axis] as f64 * raster.spacing[axis]);
    squared_distance([0.0; 2], offset).sqrt() as f32
}

/// Whether all nodes near the line between two are free, and all steps between these.
pub(super) fn sees(raster: &Raster, from: usize, to: usize) -> bool {
    let to_go = steps(raster, from, to);
    let [x, y] = to_go.map(i64::abs);
    let next = |node: usize, axis: usize| raster.next(node, axis, to_go[axis] > 0, Steps::Clear);
    let (mut column, mut row, mut at) = (0, 0, from);
    while column < x || row < y {
        // The line leaves the cell of a node through the side that it comes to first.
        let side = ((1 + 2 * column) * y).cmp(&((1 + 2 * row) * x));
        let reached = match side {
            Ordering::Less => next(at, 0),
            Ordering::Greater => next(at, 1),
            Ordering::Equal => {
                let ways = [(0, 1), (1, 0)].map(|(first, second)| next(next(at, first)?, second));
                ways[0].filter(|_| ways[0] == ways[1])
            }
        };
        let Some(reached) = reached else { return false };
        column += i64::from(side.is_le());
        row += i64::from(side.is_ge());
        at = reached;
    }
    at == to
}
