//! Trails: each pixel stores the colour and the tick of the last trail that crossed it. Trails fade with age, and a new
//! one covers an older one.
//!
//! A tick costs one short line per agent, however long the trails are; fading needs no pass over the pixels.

use std::ops::Range;

use rayon::prelude::*;

use super::bands::{BAND, Bands};
use crate::raster::blend;

/// The line from an agent's last position to its present one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) from: [f32; 2],
    pub(super) to: [f32; 2],
    /// In pixels.
    pub(super) width: f32,
    pub(super) colour: [f32; 3],
}

/// The last trail that crossed a pixel.
#[derive(Clone, Copy, Debug, Default)]
struct TrailPixel {
    /// The tick of the crossing; zero before the first.
    when: u32,
    colour: [u8; 3],
    /// The share of the pixel that it covered, in 1/255.
    cover: u8,
}

/// The trails of all agents.
#[derive(Debug)]
pub(super) struct Trails {
    width: usize,
    height: usize,
    trail_pixels: Vec<TrailPixel>,
    bands: Bands,
    /// The number of ticks so far, and the number of ticks after which a trail has faded.
    now: u32,
    length: u32,
}

impl Trails {
    /// Trails of `length` ticks on a picture of this size.
    pub(super) fn new(width: usize, height: usize, length: u32) -> Self {
        let trail_pixels = vec![TrailPixel::default(); width * height];
        Self { width, height, trail_pixels, bands: Bands::default(), now: 0, length }
    }

    /// Ages all trails by this number of ticks.
    pub(super) fn age(&mut self, ticks: u32) {
        self.now = self.now.saturating_add(ticks);
    }

    /// Moves all trails by this number of pixels.
    pub(super) fn shift(&mut self, right: i32, down: i32) {
        if (right, down) == (0, 0) {
            return;
        }
        let (width, before) = (self.width as i32, std::mem::take(&mut self.trail_pixels));
        let pixels = (0..self.height as i32 * width).into_par_iter().map(|at| {
            let (column, row) = (at % width - right, at / width - down);
            let inside = (0..width).contains(&column) && (0..self.height as i32).contains(&row);
            if inside { before[(row * width + column) as usize] } else { TrailPixel::default() }
        });
        self.trail_pixels = pixels.collect();
    }

    /// Adds one step to some trails.
    pub(super) fn grow(&mut self, steps: &[Segment]) {
        self.bands.sort(self.height, steps.len(), |number| {
            let Segment { from, to, width, .. } = &steps[number];
            let (top, bottom) = if from[1] < to[1] { (from[1], to[1]) } else { (to[1], from[1]) };
            (top - width, bottom + width)
        });
        let Self { width, trail_pixels, bands, now, length, .. } = self;
        trail_pixels.par_chunks_mut(BAND * *width).enumerate().for_each(|(band, trail_pixels)| {
            for &step in bands.of(band) {
                pass(&steps[step as usize], band * BAND, *width, trail_pixels, *now, *length);
            }
        });
    }

    /// Blends the trails into a band of pixels that starts at row `first`.
    pub(super) fn lay(&self, first: usize, pixels: &mut [u8]) {
        let trail_pixels = &self.trail_pixels[first * self.width..];
        for (pixel, trail_pixel) in pixels.chunks_exact_mut(3).zip(trail_pixels) {
            let opacity = trail_pixel.opacity(self.now, self.length);
            if opacity > 0.0 {
                blend(pixel, trail_pixel.colour.map(f32::from), OPACITY * opacity);
            }
        }
    }
}

/// The opacity of a fresh trail.
const OPACITY: f32 = 0.75;

impl TrailPixel {
    fn opacity(self, now: u32, length: u32) -> f32 {
        let age = now - self.when;
        if self.when == 0 || age >= length {
            return 0.0;
        }
        let left = 1.0 - age as f32 / length as f32;
        left * left.sqrt() * f32::from(self.cover) / 255.0
    }
}

/// Marks the pixels of a band within half the width of a step.
fn pass(step: &Segment, first: usize, columns: usize, trail_pixels: &mut [TrailPixel], now: u32, length: u32) {
    let Segment { from, to, width, colour } = *step;
    let (reach, rows) = (0.5 * width + 1.0, trail_pixels.len() / columns);
    let colour = colour.map(|channel| (channel + 0.5) as u8);
    let all = pixels([from[0], to[0]], reach, 0..columns);
    for row in pixels([from[1], to[1]], reach, first..first + rows) {
        for column in near(step, row, all.clone()) {
            let cover = cover(step, column, row);
            let trail_pixel = &mut trail_pixels[(row - first) * columns + column];
            // Steps overlap at the joints of a trail: the larger cover counts.
            if cover > 0.0 && cover >= trail_pixel.opacity(now, length) {
                *trail_pixel = TrailPixel { when: now, colour, cover: (255.0 * cover) as u8 };
            }
        }
    }
}

/// The share of a pixel that a step covers.
fn cover(&Segment { from, to, width, .. }: &Segment, column: usize, row: usize) -> f32 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let offset = [column as f32 + 0.5 - from[0], row as f32 + 0.5 - from[1]];
    let dot = offset[0] * along[0] + offset[1] * along[1];
    let share = if squared > 0.0 { (dot / squared).clamp(0.0, 1.0) } else { 0.0 };
    let (x, y) = (offset[0] - share * along[0], offset[1] - share * along[1]);
    (0.5 * width + 0.5 - (x * x + y * y).sqrt()).clamp(0.0, 1.0)
}

/// The part of the range `of` within `reach` of the interval between two coordinates.
fn pixels([a, b]: [f32; 2], reach: f32, of: Range<usize>) -> Range<usize> {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let (start, end) = ((low - reach).floor() as usize, (high + reach).ceil() as usize);
    start.clamp(of.start, of.end)..end.clamp(of.start, of.end)
}

/// The part of the columns `of` that a step may cover in a row: few even for a long step.
fn near(&Segment { from, to, width, .. }: &Segment, row: usize, of: Range<usize>) -> Range<usize> {
    let along = [to[0] - from[0], to[1] - from[1]];
    // The rounding error of points on the line grows with the coordinates of its ends.
    let rough = 1e-6 * (from[0].abs() + from[1].abs() + to[0].abs() + to[1].abs());
    let (reach, height) = (0.5 * width + 1.0 + rough, row as f32 + 0.5);
    // The part of the line within `reach` of the row, from 0 at its start to 1 at its end.
    let part = if along[1] == 0.0 {
        [0.0, 1.0]
    } else {
        [height - reach, height + reach].map(|edge| ((edge - from[1]) / along[1]).clamp(0.0, 1.0))
    };
    pixels(part.map(|share| from[0] + share * along[0]), reach, of)
}

#[cfg(test)]
mod tests {
    use throng::Noise;

    use super::*;

    fn step(x: f32) -> Segment {
        Segment { from: [x, 20.0], to: [x + 10.0, 20.0], width: 3.0, colour: [255.0; 3] }
    }

    fn brightness(trails: &Trails, x: usize) -> u8 {
        let mut pixels = vec![0; 64 * 40 * 3];
        pixels.chunks_mut(BAND * 64 * 3).enumerate().for_each(|(band, rows)| trails.lay(band * BAND, rows));
        pixels[(20 * 64 + x) * 3]
    }

    #[test]
    fn a_trail_fades_step_by_step_and_is_gone_after_its_length() {
        let mut trails = Trails::new(64, 40, 4);
        trails.age(3);
        trails.grow(&[step(5.0)]);
        let mut last = brightness(&trails, 10);
        assert!(last > 150, "{last}");
        for _ in 0..3 {
            trails.age(1);
            trails.grow(&[step(40.0)]);
            let faded = brightness(&trails, 10);
            assert!(0 < faded && faded < last, "{faded} after {last}");
            last = faded;
        }
        trails.age(1);
        assert_eq!(brightness(&trails, 10), 0);
        assert!(brightness(&trails, 45) > 0);
    }

    #[test]
    fn trails_move_with_the_picture() {
        let mut trails = Trails::new(64, 40, 4);
        trails.age(1);
        trails.grow(&[step(5.0)]);
        let before = brightness(&trails, 10);
        trails.shift(20, 0);
        assert_eq!([brightness(&trails, 10), brightness(&trails, 30)], [0, before]);
        trails.shift(0, -30);
        assert_eq!(brightness(&trails, 30), 0);
    }

    #[test]
    fn a_joint_is_as_bright_as_the_rest() {
        let mut trails = Trails::new(64, 40, 100);
        trails.age(1);
        trails.grow(&[step(10.0)]);
        trails.grow(&[step(20.0)]);
        for x in 12..28 {
            assert_eq!(brightness(&trails, x), brightness(&trails, 15), "{x}");
        }
    }

    #[test]
    fn the_columns_of_a_row_hold_all_that_a_step_covers_and_few_more() {
        let mut noise = Noise::new(7, 0, 0, Noise::USER);
        for number in 0..4000 {
            // Every step crosses the picture, however far away it starts and ends.
            let (x, y, way) = (noise.between(-4.0, 68.0), noise.between(-4.0, 44.0), noise.direction::<2>());
            let far = [4.0, 60.0, 1e4, 1e7][number % 4];
            let mut at = |side: f32| {
                let share = side * far * noise.unit();
                [x + share * way[0], y + share * way[1]]
            };
            let (from, mut to) = (at(-1.0), at(1.0));
            // Vertical steps, nearly horizontal ones and points as well.
            match number % 16 {
                0..4 => to[0] = from[0],
                4..8 => to[1] = from[1] + 1e-6,
                8 => to = from,
                _ => {}
            }
            let step = Segment { from, to, width: noise.between(0.5, 6.0), colour: [0.0; 3] };
            for row in 0..40 {
                let columns = near(&step, row, 0..64);
                let missed = (0..64).find(|column| !columns.contains(column) && cover(&step, *column, row) > 0.0);
                assert_eq!(missed, None, "row {row} of {step:?}");
            }
        }
        let long = Segment { from: [5.0, 3.0], to: [1005.0, 1003.0], width: 2.0, colour: [0.0; 3] };
        let looked: usize = (0..1000).map(|row| near(&long, row, 0..1000).len()).sum();
        assert!(looked < 10_000, "{looked}");
    }

    #[test]
    fn steps_beyond_the_picture_do_no_harm() {
        let mut trails = Trails::new(64, 40, 2);
        let far = Segment { from: [-1e9, f32::NAN], to: [1e9, 1e9], width: 2.0, colour: [1e9; 3] };
        trails.age(u32::MAX);
        trails.grow(&[far, Segment { from: [-50.0, -50.0], to: [-40.0, -40.0], ..far }]);
        assert_eq!(brightness(&trails, 30), 0);
    }
}
