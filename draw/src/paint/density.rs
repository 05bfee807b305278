//! Density maps: agents counted in small cells, smoothed, and shown in colours.

use rayon::prelude::*;

use super::theme::Theme;

/// Pixels on each side of a cell.
const CELL: usize = 2;

/// The smoothed counts of agents in the cells of a picture.
#[derive(Debug)]
pub(super) struct Density {
    columns: usize,
    rows: usize,
    counts: Vec<f32>,
    turned: Vec<f32>,
    /// The distance over which a count is spread, in cells.
    reach: usize,
    /// The count at the end of the colour map.
    most: f32,
}

impl Density {
    /// A density map for a picture of this size in pixels and about this number of agents.
    pub(super) fn new(width: usize, height: usize, agents: usize) -> Self {
        let (columns, rows) = (width.div_ceil(CELL), height.div_ceil(CELL));
        let cells = columns * rows;
        let counts = vec![0.0; cells];
        let mean = agents.max(1) as f32 / cells as f32;
        // Wide enough for an even crowd to look even, narrow enough to keep shapes.
        let reach = (0.8 / mean.sqrt()).clamp(1.0, 0.02 * (columns + rows) as f32 + 1.0) as usize;
        Self { columns, rows, turned: counts.clone(), counts, reach, most: 6.0 * mean }
    }

    /// The agents per square metre at the end of the colour map, at this number of pixels per metre.
    pub(super) fn most_per_area(&self, scale: f32) -> f32 {
        let side = CELL as f32 / scale;
        self.most / (side * side)
    }

    /// Forgets all agents.
    pub(super) fn clear(&mut self) {
        self.counts.fill(0.0);
    }

    /// Counts the agents at these points of the picture.
    pub(super) fn count(&mut self, points: impl Iterator<Item = [f32; 2]>) {
        let Self { columns, rows, counts, .. } = self;
        for [x, y] in points {
            let (column, row) = ((x / CELL as f32).floor(), (y / CELL as f32).floor());
            if column >= 0.0 && row >= 0.0 && column < *columns as f32 && row < *rows as f32 {
                counts[row as usize * *columns + column as usize] += 1.0;
            }
        }
    }

    /// Smooths the counts, once all agents are counted.
    pub(super) fn spread(&mut self) {
        let Self { columns, rows, counts, turned, reach, .. } = self;
        // Three box filters approximate a Gaussian.
        for _ in 0..3 {
            smooth(counts, *columns, *reach);
        }
        turn(counts, *columns, turned);
        for _ in 0..3 {
            smooth(turned, *rows, *reach);
        }
        turn(turned, *rows, counts);
    }

    /// Blends the map into a band of pixels that starts at row `first`, of a picture of this width.
    pub(super) fn lay(&self, theme: Theme, width: usize, first: usize, pixels: &mut [u8]) {
        for (row, line) in pixels.chunks_exact_mut(width * 3).enumerate() {
            let (above, down) = between(first + row, self.rows);
            for (column, pixel) in line.chunks_exact_mut(3).enumerate() {
                let (left, right) = between(column, self.columns);
                let at = |row: usize| {
                    let cells = &self.counts[row * self.columns..];
                    let next = if left + 1 < self.columns { left + 1 } else { left };
                    cells[left] + (cells[next] - cells[left]) * right
                };
                let below = if above + 1 < self.rows { above + 1 } else { above };
                let count = at(above) + (at(below) - at(above)) * down;
                if count > 0.0 {
                    // The square root leaves more of the map for low densities.
                    let colour = theme.density([0, 1, 2].map(|at| f32::from(pixel[at])), (count / self.most).sqrt());
                    pixel.iter_mut().zip(colour).for_each(|(channel, value)| *channel = (value + 0.5) as u8);
                }
            }
        }
    }
}

/// The last cell with its centre before that of a pixel, and the pixel's distance from it as a share of a cell.
fn between(pixel: usize, cells: usize) -> (usize, f32) {
    let along = ((pixel as f32 + 0.5) / CELL as f32 - 0.5).clamp(0.0, (cells - 1) as f32);
    (along as usize, along.fract())
}

/// Replaces every number by the mean of the numbers within `reach` columns of it in its row.
fn smooth(numbers: &mut [f32], columns: usize, reach: usize) {
    numbers.par_chunks_mut(columns).for_each_init(Vec::new, |before, row| {
        before.clear();
        before.extend_from_slice(row);
        let (mut sum, mut count): (f32, usize) = (before.iter().take(reach).sum(), reach.clamp(0, columns));
        for (column, number) in row.iter_mut().enumerate() {
            if let Some(next) = before.get(column + reach) {
                sum += next;
                count += 1;
            }
            *number = sum / count as f32;
            if column >= reach {
                sum -= before[column - reach];
                count -= 1;
            }
        }
    });
}

/// Transposes rows and columns.
fn turn(numbers: &[f32], columns: usize, turned: &mut [f32]) {
    let rows = numbers.len() / columns;
    turned.par_chunks_mut(rows).enumerate().for_each(|(column, turned)| {
        for (row, number) in turned.iter_mut().enumerate() {
            *number = numbers[row * columns + column];
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_spread_and_kept() {
        let mut density = Density::new(200, 120, 60);
        density.count(std::iter::repeat_n([101.0, 61.0], 30));
        density.count(std::iter::repeat_n([101.0, 61.0], 20));
        density.spread();
        let sum: f32 = density.counts.iter().sum();
        assert!((sum - 50.0).abs() < 0.01, "{sum}");
        let at = |column: usize, row: usize| density.counts[row * 100 + column];
        assert!(at(50, 30) > at(45, 30) && at(45, 30) > at(25, 30));
        assert!((at(45, 30) - at(55, 30)).abs() < 1e-5 && (at(50, 25) - at(50, 35)).abs() < 1e-5);
    }

    #[test]
    fn points_beyond_the_picture_are_not_counted() {
        let mut density = Density::new(33, 17, 10);
        density.count([[-1.0, 5.0], [40.0, 5.0], [f32::NAN, 5.0], [5.0, 1e9]].into_iter());
        assert!(density.counts.iter().all(|&count| count == 0.0));
        density.count([[32.9, 16.9]].into_iter());
        density.spread();
        let mut pixels = vec![9; 33 * 17 * 3];
        density.lay(Theme::Dark, 33, 0, &mut pixels);
        assert_ne!(pixels, vec![9; 33 * 17 * 3]);
    }
}
