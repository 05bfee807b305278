//! The grid of a navigation field: walls, and the distance of every node.

use std::sync::Arc;

use crate::environment::navigation::geometry::Point;
use crate::environment::navigation::pace::Pace;
use crate::environment::navigation::raster::{Raster, Steps};
use crate::maths::Vector;

/// Walls on a grid, and the distances from the goal of its nodes.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) raster: Arc<Raster>,
    /// Infinite where no way leads to the goal.
    pub(super) distance: Vec<f32>,
    pub(super) pace: Pace,
}

impl Grid {
    /// The square of a point. Points beyond the nodes of an axis that is not periodic have the outermost square.
    pub(super) fn locate(&self, point: Vector<2>) -> At {
        let (mut base, mut share, mut at) = ([0; 2], [0.0; 2], [0.0; 2]);
        for axis in 0..2 {
            let (cells, spacing) = (self.raster.cells[axis] as f64, self.raster.spacing[axis]);
            let along = f64::from(point[axis]) / spacing - 0.5;
            // Truncation is faster than `floor`, and the same from zero on.
            let (cell, turns) = match self.raster.wraps[axis] {
                true => {
                    let cell = along.floor().clamp(-1e9, 1e9);
                    (cell, (cell / cells).floor())
                }
                false => (along.clamp(0.0, cells - 2.0) as usize as f64, 0.0),
            };
            base[axis] = (cell - turns * cells) as usize;
            at[axis] = f64::from(point[axis]) - turns * cells * spacing;
            share[axis] = (along - cell).clamp(0.0, 1.0) as f32;
        }
        let [columns, rows] = self.raster.cells;
        let corner = |number: usize| {
            let column = base[0] + number % 2;
            let row = base[1] + number / 2;
            (if row < rows { row } else { row - rows }) * columns
                + if column < columns { column } else { column - columns }
        };
        At { point: at, base, square: corner(0), corners: std::array::from_fn(corner), share }
    }

    /// The least and the greatest distance that count for a metre in this direction at the corners of a point's square.
    pub(super) fn paces_at(&self, at: &At, direction: Vector<2>) -> [f32; 2] {
        if self.pace.is_even() {
            return [1.0; 2];
        }
        let [mut least, mut greatest] = [self.pace.at(at.corners[0], direction); 2];
        for &corner in &at.corners[1..] {
            let pace = self.pace.at(corner, direction);
            least = if pace < least { pace } else { least };
            greatest = if pace > greatest { pace } else { greatest };
        }
        [least, greatest]
    }

    /// Whether the step between two adjacent nodes, the first of which has the lower index on the axis, crosses no
    /// wall.
    pub(super) fn is_open(&self, index: usize, axis: usize) -> bool {
        self.raster.next(index, axis, true, Steps::Uncrossed).is_some()
    }
}

/// A point on the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    /// The point, in the periodic image in which its square begins inside the world.
    pub(super) point: Point,
    /// The column and the row of the square.
    pub(super) base: [usize; 2],
    pub(super) square: usize,
    /// The nodes at the corners of the square, row by row.
    pub(super) corners: [usize; 4],
    /// Where the point is in the square, from 0 to 1 on each axis.
    pub(super) share: [f32; 2],
}
