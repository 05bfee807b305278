//! Density maps: agents counted in small cells, smoothed, and shown in colours. The kernel and the scale of people
//! follow their literature, in metres. The kernel and the scale of others follow from the picture.

use super::camera::Camera;
use super::grid::Grid;
use super::theme::{Theme, mix};
use crate::drawable::EnvironmentShape;

/// The radius of the kernel of people, in metres: each counts with exp(-r²/R²) / (πR²) (Helbing, Johansson and
/// Al-Abideen 2007).
const RADIUS: f32 = 0.7;

/// The highest density of people on the scale, per square metre. The scale has steps of half a person.
const MOST_PEOPLE: f32 = 6.0;
const LEVELS: f32 = 12.0;

/// The standard deviation of the kernel in cells, unless cells would be smaller than pixels.
const SIGMA: f32 = 6.0;

/// The colours of a density map: from zero to the highest density on its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// The agents per square metre at its end.
    pub(super) most: f32,
    /// Whether it is the scale of people, which has steps.
    pub(super) people: bool,
}

impl Scale {
    /// The colour of a share of the scale over the colour `below`.
    pub(super) fn colour(self, theme: Theme, below: [f32; 3], share: f32) -> [f32; 3] {
        if !self.people {
            // The square root leaves more of the map for low densities.
            return theme.density_over(below, share.sqrt());
        }
        let level = (share * LEVELS).floor().clamp(0.0, LEVELS - 1.0);
        let colour = theme.density((level + 0.5) / LEVELS);
        // Fewer than a quarter of a person per square metre fade into the ground.
        mix(below, colour, ((share * LEVELS - 0.1) * 2.5).clamp(0.0, 0.92))
    }
}

/// The smoothed counts of agents in the cells of a picture.
#[derive(Debug)]
pub(super) struct Density {
    grid: Grid,
    counts: Vec<f32>,
    next: Vec<f32>,
    /// The length of a cell's side, in pixels.
    cell: f32,
    /// The standard deviation of the kernel, in cells.
    sigma: f32,
    /// The agents per square metre of a count of one.
    per_area: f32,
    scale: Scale,
}

impl Density {
    /// A density map for a picture of this size in pixels, with this number of pixels per metre.
    pub(super) fn new(width: usize, height: usize, scale: f32, people: bool) -> Self {
        // In the open, a kernel that makes an even crowd look even and keeps shapes.
        let sigma =
            if people { RADIUS * std::f32::consts::FRAC_1_SQRT_2 * scale } else { (width + height) as f32 / 160.0 };
        let cell = (sigma / SIGMA).clamp(1.0, 1e3);
        let cells = |pixels: usize| (pixels as f32 / cell).ceil() as usize;
        let grid = Grid::new(cells(width), cells(height));
        let counts = vec![0.0; grid.columns * grid.rows];
        let scale_of_colours = Scale { most: if people { MOST_PEOPLE } else { 0.0 }, people };
        let per_area = (scale / cell) * (scale / cell);
        Self { grid, counts, next: Vec::new(), cell, sigma: sigma / cell, per_area, scale: scale_of_colours }
    }

    /// The meaning of the colours. Unless it is the scale of people, it grows with the densities so far.
    pub(super) fn scale(&self) -> Scale {
        self.scale
    }

    /// Takes the walls of people, through which they do not count.
    pub(super) fn divide(&mut self, shapes: &[EnvironmentShape], camera: &Camera) {
        self.grid.clear();
        if self.scale.people {
            block(&mut self.grid, shapes, camera, 1.0 / self.cell, false);
        }
    }

    /// Forgets all agents.
    pub(super) fn clear(&mut self) {
        self.counts.fill(0.0);
    }

    /// Counts the agents at these points of the picture.
    pub(super) fn count(&mut self, points: impl Iterator<Item = [f32; 2]>) {
        for [x, y] in points {
            if let Some(cell) = self.grid.cell([x / self.cell, y / self.cell]) {
                self.counts[cell] += 1.0;
            }
        }
    }

    /// Smooths the counts, once all agents are counted.
    pub(super) fn spread(&mut self) {
        let Self { grid, counts, next, sigma, per_area, scale, .. } = self;
        grid.spread(counts, next, *sigma);
        if !scale.people {
            let highest = counts.iter().fold(0.0f32, |most, &count| if count > most { count } else { most });
            let highest = highest * *per_area;
            if highest > scale.most {
                scale.most = round_up(highest);
            }
        }
    }

    /// Blends the map into a band of pixels that starts at row `first`, of a picture of this width.
    pub(super) fn lay(&self, theme: Theme, width: usize, first: usize, pixels: &mut [u8]) {
        let Self { grid: Grid { columns, rows, .. }, counts, scale, .. } = self;
        let factor = self.per_area / scale.most;
        for (row, line) in pixels.chunks_exact_mut(width * 3).enumerate() {
            let (above, down) = self.between(first + row, *rows);
            for (column, pixel) in line.chunks_exact_mut(3).enumerate() {
                let (left, right) = self.between(column, *columns);
                let at = |row: usize| {
                    let cells = &counts[row * columns..];
                    let next = if left + 1 < *columns { left + 1 } else { left };
                    cells[left] + (cells[next] - cells[left]) * right
                };
                let below = if above + 1 < *rows { above + 1 } else { above };
                let count = at(above) + (at(below) - at(above)) * down;
                if count > 0.0 {
                    let colour = scale.colour(theme, [0, 1, 2].map(|at| f32::from(pixel[at])), count * factor);
                    pixel.iter_mut().zip(colour).for_each(|(channel, value)| *channel = (value + 0.5) as u8);
                }
            }
        }
    }

    /// The last cell with its centre before the centre of a pixel, and the pixel's distance from it as a share of a
    /// cell.
    fn between(&self, pixel: usize, cells: usize) -> (usize, f32) {
        let along = ((pixel as f32 + 0.5) / self.cell - 0.5).clamp(0.0, (cells - 1) as f32);
        (along as usize, along.fract())
    }
}

/// Puts walls and obstacles between the cells of a grid of the picture, and doors too if `doors`.
pub(super) fn block(grid: &mut Grid, shapes: &[EnvironmentShape], camera: &Camera, per_pixel: f32, doors: bool) {
    let at = |point| camera.project(point).map(|seen| [seen.x * per_pixel, seen.y * per_pixel]);
    for shape in shapes {
        match *shape {
            EnvironmentShape::Wall { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    grid.block(from, to);
                }
            }
            EnvironmentShape::Door { from, to } if doors => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    grid.block(from, to);
                }
            }
            EnvironmentShape::Obstacle { centre, radius } => {
                if let Some(centre) = at(centre) {
                    grid.block_disc(centre, radius * camera.scale() * per_pixel);
                }
            }
            _ => {}
        }
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_up(number: f32) -> f32 {
    let mut power = 1e-9;
    while power * 10.0 < number && power < 1e9 {
        power *= 10.0;
    }
    power * [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= number).unwrap_or(10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_per_square_metre_at_any_scale() {
        for scale in [4.0, 10.0, 40.0] {
            let mut density = Density::new(400, 400, scale, true);
            // One person.
            density.count([[201.0, 201.0]].into_iter());
            density.spread();
            let highest = density.counts.iter().fold(0.0, |most, &count| if count > most { count } else { most });
            let expected = 1.0 / (std::f32::consts::PI * RADIUS * RADIUS);
            assert!((highest * density.per_area / expected - 1.0).abs() < 0.1, "{highest} at {scale}");
            // Four in each square metre.
            density.clear();
            let step = 0.5 * scale;
            let count = (400.0 / step) as usize;
            let place = |number: usize| (number as f32 + 0.5) * step;
            density.count((0..count * count).map(|number| [place(number % count), place(number / count)]));
            density.spread();
            let cell = density.grid.cell([200.0 / density.cell, 200.0 / density.cell]).unwrap();
            let found = density.counts[cell] * density.per_area;
            assert!((found - 4.0).abs() < 0.3, "{found} at {scale}");
        }
        assert_eq!(Density::new(400, 400, 4.0, true).scale(), Scale { most: 6.0, people: true });
    }

    #[test]
    fn the_scale_of_others_ends_above_their_highest_density() {
        let mut density = Density::new(200, 120, 2.0, false);
        for number in [1, 30] {
            density.clear();
            density.count(std::iter::repeat_n([101.0, 61.0], number));
            density.spread();
            let highest = density.counts.iter().fold(0.0, |most, &count| if count > most { count } else { most });
            let highest = highest * density.per_area;
            assert!((highest..=2.6 * highest).contains(&density.scale().most), "{highest}");
        }
        let most = density.scale().most;
        density.clear();
        density.spread();
        assert_eq!(density.scale().most, most, "it never shrinks");
    }

    #[test]
    fn points_beyond_the_picture_are_not_counted() {
        let mut density = Density::new(33, 17, 1.0, true);
        density.count([[-1.0, 5.0], [40.0, 5.0], [f32::NAN, 5.0], [5.0, 1e9]].into_iter());
        assert!(density.counts.iter().all(|&count| count == 0.0));
        density.count([[32.9, 16.9]].into_iter());
        density.spread();
        let mut pixels = vec![9; 33 * 17 * 3];
        density.lay(Theme::Dark, 33, 0, &mut pixels);
        assert_ne!(pixels, vec![9; 33 * 17 * 3]);
    }
}
