//! Drawing many small darts in parallel: each dart is sorted into the bands of rows that it touches, and threads draw
//! the bands.

use rayon::prelude::*;

use super::bands::{BAND, Bands};
use crate::looks;
use crate::picture::Picture;
use crate::raster::blend;

/// The shape of an agent on the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A triangle that points along the heading.
    Dart,
    /// A disc of diameter `length`, with a line from its middle along the heading.
    Disc,
    /// A ball of diameter `length`, lit from above.
    Ball,
}

/// One agent on the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dart {
    pub(crate) shape: Shape,
    /// The middle, in pixels from the upper left corner.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// A unit vector.
    pub(crate) heading: [f32; 2],
    /// In pixels.
    pub(crate) length: f32,
    pub(crate) width: f32,
    pub(crate) colour: [f32; 3],
    pub(crate) opacity: f32,
    /// From the front (0) to the back (1).
    pub(crate) depth: f32,
}

impl Dart {
    /// The lowest and the highest coordinates of its pixels, antialiasing included.
    fn bounds(&self) -> [[f32; 2]; 2] {
        let (half, wide) = (0.5 * self.length, 0.5 * self.width);
        if self.shape != Shape::Dart {
            let reach = half + 0.5;
            return [[self.x - reach, self.y - reach], [self.x + reach, self.y + reach]];
        }
        let long = (self.length * self.length + wide * wide).sqrt();
        // The triangle is widened by half a pixel on each side.
        let nose = half + 0.5 * long / wide;
        let tail = half + 0.5;
        let side = (nose + tail) * wide / self.length;
        let [ux, uy] = self.heading;
        let (front, back) = ([ux * nose, uy * nose], [-ux * tail, -uy * tail]);
        let aside = [(uy * side).abs(), (ux * side).abs()];
        let middle = [self.x, self.y];
        let low =
            |axis: usize| if front[axis] < back[axis] - aside[axis] { front[axis] } else { back[axis] - aside[axis] };
        let high =
            |axis: usize| if front[axis] > back[axis] + aside[axis] { front[axis] } else { back[axis] + aside[axis] };
        [[0, 1].map(|axis| middle[axis] + low(axis)), [0, 1].map(|axis| middle[axis] + high(axis))]
    }
}

/// A picture and its background, with buffers that are reused from frame to frame.
#[derive(Debug)]
pub(crate) struct Canvas {
    picture: Picture,
    background: Vec<u8>,
    bands: Bands,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize, background: Vec<u8>) -> Self {
        let picture = Picture::new(width, height, background.clone());
        Self { picture, background, bands: Bands::default() }
    }

    /// The picture, as drawn last.
    pub(crate) fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Returns the picture and drops the canvas.
    pub(crate) fn into_picture(self) -> Picture {
        self.picture
    }

    /// Replaces the background.
    pub(crate) fn set_background(&mut self, background: &[u8]) {
        self.background.copy_from_slice(background);
    }

    /// The picture, for drawing on it.
    pub(crate) fn pixels_mut(&mut self) -> &mut [u8] {
        self.picture.pixels_mut()
    }

    /// The background, for drawing on it.
    pub(crate) fn background_mut(&mut self) -> &mut [u8] {
        &mut self.background
    }

    /// Draws the background, and calls `over` with the first row and the pixels of each band.
    pub(crate) fn start(&mut self, over: impl Fn(usize, &mut [u8]) + Sync) {
        let bytes = self.picture.width() * 3;
        let rows = self.picture.pixels_mut().par_chunks_mut(BAND * bytes).zip(self.background.par_chunks(BAND * bytes));
        rows.enumerate().for_each(|(band, (pixels, background))| {
            pixels.copy_from_slice(background);
            over(band * BAND, pixels);
        });
    }

    /// Draws darts in their order, over all that was drawn before.
    pub(crate) fn draw(&mut self, darts: &[Dart]) {
        self.bands.sort(self.picture.height(), darts.len(), |number| {
            let [low, high] = darts[number].bounds();
            (low[1], high[1])
        });
        let Self { picture, bands, .. } = self;
        let bytes = picture.width() * 3;
        picture.pixels_mut().par_chunks_mut(BAND * bytes).enumerate().for_each(|(band, pixels)| {
            for &dart in bands.of(band) {
                fill(&darts[dart as usize], band * BAND, bytes, pixels);
            }
        });
    }
}

/// Blends a dart into the rows of a band that starts at row `first`.
fn fill(dart: &Dart, first: usize, bytes: usize, pixels: &mut [u8]) {
    let (rows, columns) = (pixels.len() / bytes, bytes / 3);
    let [low, high] = dart.bounds();
    let start = |at: f32, origin: usize| (at - origin as f32).floor().clamp(0.0, 1e6) as usize;
    let end = |at: f32, origin: usize| (at - origin as f32).ceil().clamp(0.0, 1e6) as usize;
    let (top, bottom) = (start(low[1], first), end(high[1], first).min(rows));
    let (left, right) = (start(low[0], 0), end(high[0], 0).min(columns));
    if left >= right {
        return;
    }
    let edges = edges(dart);
    let [ux, uy] = dart.heading;
    let radius = 0.5 * dart.length;
    // Half the width of the nose of a disc, in pixels.
    let nose = (0.12 * radius).clamp(0.7, 3.0);
    for row in top..bottom {
        let y = (first + row) as f32 + 0.5 - dart.y;
        let line = &mut pixels[row * bytes + left * 3..row * bytes + right * 3];
        for (column, pixel) in line.chunks_exact_mut(3).enumerate() {
            let x = (left + column) as f32 + 0.5 - dart.x;
            if dart.shape != Shape::Dart {
                let from_middle = (x * x + y * y).sqrt();
                let inside = (radius + 0.5 - from_middle).clamp(0.0, 1.0);
                let bright = match dart.shape {
                    Shape::Ball => lit([x / radius, -y / radius]),
                    // Small discs have no room for it.
                    _ if radius < 3.0 => 1.0,
                    _ if x * ux + y * uy > 0.0 && (y * ux - x * uy).abs() < nose => looks::FRONT,
                    // A rim keeps discs apart that touch.
                    _ if radius > 4.0 && from_middle > radius - 1.0 => looks::RIM,
                    _ => 1.0,
                };
                blend(pixel, dart.colour.map(|channel| channel * bright), inside * dart.opacity);
                continue;
            }
            // The distance to the nearest side, in pixels, approximates the share of the pixel that the dart covers.
            let mut inside = 1.0f32;
            for [a, b, c] in edges {
                let distance = a * x + b * y + c + 0.5;
                inside = if distance < inside { distance } else { inside };
            }
            if inside > 0.0 {
                blend(pixel, dart.colour, inside * dart.opacity);
            }
        }
    }
}

/// The brightness of a ball at a point of its disc, from -1 to 1 to the right and up.
fn lit([x, y]: [f32; 2]) -> f32 {
    let depth = 1.0 - x * x - y * y;
    let normal = [x, y, if depth > 0.0 { depth.sqrt() } else { 0.0 }];
    let light = normal.iter().zip(looks::LIGHT).map(|(normal, light)| normal * light).sum::<f32>();
    (looks::SHADE + looks::LIT * if light > 0.0 { light } else { 0.0 }).clamp(0.0, 1.0)
}

/// The three sides as `a * x + b * y + c`: the distance inwards from the side, in pixels; the dart's middle is the
/// origin.
fn edges(dart: &Dart) -> [[f32; 3]; 3] {
    let [ux, uy] = dart.heading;
    let (half, wide) = (0.5 * dart.length, 0.5 * dart.width);
    // A side runs from the nose to the end of the tail; its normal points to the axis of the dart.
    let long = (dart.length * dart.length + wide * wide).sqrt();
    let (along, across) = (wide / long, dart.length / long);
    let offset = along * half;
    [
        [ux, uy, half],
        [-along * ux - across * uy, -along * uy + across * ux, offset],
        [-along * ux + across * uy, -along * uy - across * ux, offset],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dart(x: f32, y: f32) -> Dart {
        let colour = [255.0; 3];
        let (shape, heading) = (Shape::Dart, [1.0, 0.0]);
        Dart { shape, x, y, heading, length: 20.0, width: 10.0, colour, opacity: 1.0, depth: 0.0 }
    }

    fn drawn(darts: &[Dart]) -> Canvas {
        let mut canvas = Canvas::new(64, 40, vec![0; 64 * 40 * 3]);
        canvas.start(|_, _| {});
        darts.iter().for_each(|&dart| canvas.draw(&[dart]));
        canvas
    }

    #[test]
    fn a_dart_covers_its_triangle() {
        let canvas = drawn(&[dart(32.0, 20.0)]);
        let at = |x: usize, y: usize| canvas.picture().pixels()[(y * 64 + x) * 3];
        assert_eq!(at(32, 20), 255, "the middle");
        assert_eq!(at(24, 23), 255, "the tail is wide");
        assert_eq!(at(40, 23), 0, "the nose is not");
        let covered: f32 = canvas.picture().pixels().iter().map(|&value| f32::from(value) / 255.0 / 3.0).sum();
        assert!((90.0..110.0).contains(&covered), "half of 20 times 10, not {covered}");
    }

    #[test]
    fn a_ball_has_its_size_and_is_lit_from_the_upper_left_and_a_disc_shows_its_front() {
        let at = |canvas: &Canvas, x: usize, y: usize| canvas.picture().pixels()[(y * 64 + x) * 3];
        let ball = drawn(&[Dart { shape: Shape::Ball, ..dart(32.0, 20.0) }]);
        assert!(at(&ball, 28, 15) > 240 && at(&ball, 37, 25) < 140 && at(&ball, 37, 25) > 100);
        let lit = ball.picture().pixels().chunks(3).filter(|pixel| pixel[0] > 0).count();
        assert!((300..360).contains(&lit), "a disc of radius 10 has 314 pixels, not {lit}");
        let disc = drawn(&[Dart { shape: Shape::Disc, ..dart(32.0, 20.0) }]);
        assert_eq!([at(&disc, 36, 24), at(&disc, 28, 20)], [255, 255]);
        assert!(at(&disc, 37, 20) < 100, "the front");
    }

    #[test]
    fn darts_across_bands_and_beyond_the_picture() {
        drawn(&[dart(-100.0, -100.0), dart(0.0, 0.0), dart(64.0, 40.0), dart(1e9, 1e9), dart(f32::NAN, 5.0)]);
        let whole: usize = drawn(&[dart(32.0, 16.0)]).picture().pixels().iter().filter(|&&value| value > 0).count();
        let within: usize = drawn(&[dart(32.0, 24.0)]).picture().pixels().iter().filter(|&&value| value > 0).count();
        assert_eq!(whole, within);
    }
}
