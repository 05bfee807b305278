//! Grids of square cells with barriers between cells that no path may cross: walls keep densities and floors apart.

use rayon::prelude::*;

/// The share of the difference between two cells that moves in one step of [`Grid::spread`]. Above a quarter, the steps
/// diverge.
const FLOW: f32 = 0.2;

/// A grid of cells, row by row.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Whether the way from each cell to the next one, to the right and down, is free: one or zero.
    right: Vec<f32>,
    down: Vec<f32>,
}

impl Grid {
    /// A grid without barriers.
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        let mut grid = Self { columns, rows, right: Vec::new(), down: Vec::new() };
        grid.clear();
        grid
    }

    /// Removes all barriers but the edge.
    pub(super) fn clear(&mut self) {
        let Self { columns, rows, right, down } = self;
        let cells = *columns * *rows;
        right.clear();
        right.resize(cells, 1.0);
        right.iter_mut().skip(*columns - 1).step_by(*columns).for_each(|way| *way = 0.0);
        down.clear();
        down.resize(cells - *columns, 1.0);
        down.resize(cells, 0.0);
    }

    /// Puts a straight barrier between two points, in cells. Every way between the centres of two neighbouring cells
    /// that crosses it is closed.
    pub(super) fn block(&mut self, from: [f32; 2], to: [f32; 2]) {
        let (columns, rows) = (self.columns, self.rows);
        for (row, x) in crossings([from[1], from[0]], [to[1], to[0]], rows) {
            if x >= 0.0 && x < (columns - 1) as f32 {
                self.right[row * columns + x as usize] = 0.0;
            }
        }
        for (column, y) in crossings(from, to, columns) {
            if y >= 0.0 && y < (rows - 1) as f32 {
                self.down[y as usize * columns + column] = 0.0;
            }
        }
    }

    /// Puts a barrier around a disc, in cells.
    pub(super) fn block_disc(&mut self, [x, y]: [f32; 2], radius: f32) {
        let corner = |number: usize| {
            let (up, right) = throng::maths::sin_cos(number as f32 * (std::f32::consts::TAU / 24.0));
            [x + radius * right, y + radius * up]
        };
        (0..24).for_each(|number| self.block(corner(number), corner(number + 1)));
    }

    /// The number of the cell that contains a point, in cells.
    pub(super) fn cell(&self, [x, y]: [f32; 2]) -> Option<usize> {
        let inside = x >= 0.0 && y >= 0.0 && x < self.columns as f32 && y < self.rows as f32;
        inside.then(|| y as usize * self.columns + x as usize)
    }

    /// Whether no barrier is at any side of a cell.
    pub(super) fn is_open(&self, cell: usize) -> bool {
        let (left, above) = (!cell.is_multiple_of(self.columns), cell >= self.columns);
        let before = [(left, &self.right, 1), (above, &self.down, self.columns)];
        self.right[cell] > 0.0
            && self.down[cell] > 0.0
            && before.into_iter().all(|(has, ways, step)| has && ways[cell - step] > 0.0)
    }

    /// Spreads amounts as a Gaussian of standard deviation `sigma`, in cells. Their sum stays, and nothing crosses a
    /// barrier. `next` is space for the work.
    pub(super) fn spread(&self, amounts: &mut Vec<f32>, next: &mut Vec<f32>, sigma: f32) {
        // Heat flows so: each step adds twice the share to the variance.
        let steps = (0.5 * sigma * sigma / FLOW).ceil();
        let flow = 0.5 * sigma * sigma / steps;
        let (columns, rows) = (self.columns, self.rows);
        let none = vec![0.0; columns];
        for _ in 0..steps as usize {
            next.resize(amounts.len(), 0.0);
            next.par_chunks_mut(columns).enumerate().for_each(|(row, next)| {
                let line = |row: usize| &amounts[row * columns..(row + 1) * columns];
                let (here, right) = (line(row), &self.right[row * columns..(row + 1) * columns]);
                let below = if row + 1 < rows { line(row + 1) } else { here };
                let above = if row > 0 { line(row - 1) } else { here };
                let down = &self.down[row * columns..(row + 1) * columns];
                let up = if row > 0 { &self.down[(row - 1) * columns..row * columns] } else { &none };
                for column in 0..columns {
                    let vertical =
                        down[column] * (below[column] - here[column]) + up[column] * (above[column] - here[column]);
                    next[column] = here[column] + flow * vertical;
                }
                for column in 1..columns {
                    let moved = flow * right[column - 1] * (here[column] - here[column - 1]);
                    next[column - 1] += moved;
                    next[column] -= moved;
                }
            });
            std::mem::swap(amounts, next);
        }
    }

    /// The cells that can be reached from some cells, and from those that are reached. `reached` has one flag per cell.
    pub(super) fn flood(&self, seeds: impl Iterator<Item = usize>, reached: &mut [bool]) -> usize {
        let mut count = 0;
        let mut waiting: Vec<usize> = Vec::new();
        let mut reach = |cell: usize, waiting: &mut Vec<usize>| {
            if !std::mem::replace(&mut reached[cell], true) {
                count += 1;
                waiting.push(cell);
            }
        };
        seeds.for_each(|seed| reach(seed, &mut waiting));
        while let Some(cell) = waiting.pop() {
            if self.right[cell] > 0.0 {
                reach(cell + 1, &mut waiting);
            }
            if self.down[cell] > 0.0 {
                reach(cell + self.columns, &mut waiting);
            }
            if !cell.is_multiple_of(self.columns) && self.right[cell - 1] > 0.0 {
                reach(cell - 1, &mut waiting);
            }
            if cell >= self.columns && self.down[cell - self.columns] > 0.0 {
                reach(cell - self.columns, &mut waiting);
            }
        }
        count
    }
}

/// The lines through the centres of cells that a segment crosses, by number along the first axis, and the last cell
/// before the crossing along the second.
fn crossings(from: [f32; 2], to: [f32; 2], lines: usize) -> impl Iterator<Item = (usize, f32)> {
    let [low, high] = if from[0] < to[0] { [from, to] } else { [to, from] };
    // A line at the start of a segment is crossed, one at its end is not: joints of segments count once.
    let number = |along: f32| (along - 0.5).ceil().clamp(0.0, lines as f32) as usize;
    let slope = (high[1] - low[1]) / (high[0] - low[0]);
    (number(low[0])..number(high[0]))
        .map(move |line| (line, (low[1] + slope * (line as f32 + 0.5 - low[0]) - 0.5).floor()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid with a slanted wall from its left to its right edge.
    fn divided() -> Grid {
        let mut grid = Grid::new(40, 30);
        grid.block([-5.0, 7.3], [17.2, 12.9]);
        grid.block([17.2, 12.9], [45.0, 21.4]);
        grid
    }

    #[test]
    fn a_wall_stops_a_flood_and_a_gap_lets_it_pass() {
        let grid = divided();
        let mut reached = vec![false; 40 * 30];
        let above = grid.flood([grid.cell([3.0, 2.0]).unwrap()].into_iter(), &mut reached);
        assert!(above > 400 && above < 800, "{above}");
        assert!(!reached[grid.cell([3.0, 25.0]).unwrap()]);
        let mut open = Grid::new(40, 30);
        open.block([-5.0, 7.3], [17.2, 12.9]);
        let mut reached = vec![false; 40 * 30];
        assert_eq!(open.flood([0].into_iter(), &mut reached), 40 * 30);
    }

    #[test]
    fn amounts_spread_as_a_gaussian_and_not_through_walls() {
        let grid = divided();
        let (mut amounts, mut next) = (vec![0.0; 40 * 30], Vec::new());
        // Next to the wall, which is at 12.85 there.
        amounts[grid.cell([17.0, 12.2]).unwrap()] = 6.0;
        grid.spread(&mut amounts, &mut next, 3.0);
        let sum: f32 = amounts.iter().sum();
        assert!((sum - 6.0).abs() < 1e-3, "{sum}");
        let at = |x: f32, y: f32| amounts[grid.cell([x, y]).unwrap()];
        assert!(at(17.0, 11.5) > 0.05);
        assert_eq!([at(17.0, 13.6), at(17.0, 15.0), at(20.0, 18.0)], [0.0; 3]);
        // In the open, the variance equals the variance of the Gaussian.
        let open = Grid::new(61, 61);
        let mut amounts = vec![0.0; 61 * 61];
        amounts[30 * 61 + 30] = 1.0;
        open.spread(&mut amounts, &mut next, 4.0);
        let variance: f32 =
            (0..61 * 61).map(|at| (at % 61) as f32 - 30.0).zip(&amounts).map(|(x, amount)| x * x * amount).sum();
        assert!((variance - 16.0).abs() < 0.2, "{variance}");
    }
}
