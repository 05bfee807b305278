//! Squares of the plan with the triangles over them.

use crate::mesh::triangle::{Triangle, range};

/// The most squares along an axis.
const MOST: usize = 512;

/// The least side of a square, in metres.
const LEAST: f64 = 2.0;

/// The numbers of the triangles over each square of a grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bins {
    side: f64,
    cells: [usize; 2],
    lists: Vec<Vec<u32>>,
}

impl Bins {
    /// The distance from the middle of a square to its corners, in metres.
    pub(super) fn reach(&self) -> f64 {
        self.side * std::f64::consts::FRAC_1_SQRT_2
    }

    /// The number of squares.
    pub(super) fn count(&self) -> usize {
        self.lists.len()
    }

    /// The middle of a square.
    pub(super) fn middle(&self, square: usize) -> [f64; 2] {
        [square % self.cells[0], square / self.cells[0]].map(|at| (at as f64 + 0.5) * self.side)
    }

    /// The distance between two squares.
    pub(super) fn distance(&self, one: usize, other: usize) -> f64 {
        let (one, other) = (self.middle(one), self.middle(other));
        let gap = |axis: usize| (one[axis] - other[axis]).abs() - self.side;
        let [x, y] = [gap(0), gap(1)].map(|gap| if gap > 0.0 { gap } else { 0.0 });
        (x * x + y * y).sqrt()
    }

    /// Empty squares over a plan of this size.
    pub(super) fn new(size: [f32; 2]) -> Self {
        let [x, y] = size.map(f64::from);
        let longer = if x < y { y } else { x };
        let side = if longer / LEAST > MOST as f64 { longer / MOST as f64 } else { LEAST };
        let cells = [x, y].map(|extent| (extent / side) as usize + 1);
        Self { side, cells, lists: vec![Vec::new(); cells[0] * cells[1]] }
    }

    /// The squares within a distance of a box.
    pub(super) fn squares(&self, ranges: [[f64; 2]; 2], reach: f64) -> impl Iterator<Item = usize> + use<> {
        let [columns, rows] = [0, 1].map(|axis| {
            let [low, high] = ranges[axis];
            let cell = |at: f64| ((at / self.side) as usize).clamp(0, self.cells[axis] - 1);
            cell(low - reach)..=cell(high + reach)
        });
        let width = self.cells[0];
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    pub(super) fn add(&mut self, number: u32, triangle: &Triangle) {
        let ranges = [range(triangle, 0), range(triangle, 1)];
        self.squares(ranges, 0.0).for_each(|square| self.lists[square].push(number));
    }

    /// The triangles that may be within a distance of a box, some of them several times.
    pub(super) fn near(&self, ranges: [[f64; 2]; 2], reach: f64) -> impl Iterator<Item = u32> {
        self.squares(ranges, reach).flat_map(|square| self.lists[square].iter().copied())
    }
}
