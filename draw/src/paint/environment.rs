//! Drawing the environment below the agents.

use throng::Vector;

use super::camera::{Camera, Projected};
use super::raster;
use super::theme::Theme;
use crate::drawable::EnvironmentShape;

/// The ends of the two strokes of an arrow's head, at 30 degrees to the arrow and a third as long, at most 6 pixels.
fn head(from: [f32; 2], to: [f32; 2]) -> [[f32; 2]; 2] {
    let [x, y] = [from[0] - to[0], from[1] - to[1]];
    let length = (x * x + y * y).sqrt();
    let share = if length > 18.0 { 6.0 / length } else { 1.0 / 3.0 };
    [0.5f32, -0.5].map(|side| {
        let (along, aside) = (0.75f32.sqrt() * share, side * share);
        [to[0] + along * x - aside * y, to[1] + along * y + aside * x]
    })
}

/// Draws shapes on a picture of this width.
pub(super) fn draw(shapes: &[EnvironmentShape], camera: &Camera, theme: Theme, width: usize, pixels: &mut [u8]) {
    let (faint, plain, strong) = (theme.ink(0.0), theme.ink(0.3), theme.ink(1.0));
    let at = |point: Vector<3>| camera.project(point).map(|seen| [seen.x, seen.y]);
    let large = |seen: &Projected, radius: f32| radius * camera.scale() * seen.size;
    let disc =
        |centre: Vector<3>, radius: f32| camera.project(centre).map(|seen| ([seen.x, seen.y], large(&seen, radius)));
    for shape in shapes {
        match shape {
            &EnvironmentShape::Flow { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    raster::line(pixels, width, from, to, faint, 0.4);
                    for end in head(from, to) {
                        raster::line(pixels, width, to, end, faint, 0.6);
                    }
                }
            }
            &EnvironmentShape::Ball { centre, radius } => {
                if let Some((at, radius)) = disc(centre, radius) {
                    raster::ring(pixels, width, at, (0.5 * radius, radius), faint, 0.12);
                    raster::ring(pixels, width, at, (radius, 1.5), faint, 0.6);
                }
            }
            &EnvironmentShape::Edge { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    raster::line(pixels, width, from, to, faint, 0.8);
                }
            }
            EnvironmentShape::Path { points, radius, closed } => {
                let corners: Vec<_> = points.iter().filter_map(|&point| camera.project(point)).collect();
                let next = corners.iter().skip(1).chain(corners.first().filter(|_| *closed && corners.len() > 2));
                for (from, to) in corners.iter().zip(next) {
                    raster::line(pixels, width, [from.x, from.y], [to.x, to.y], plain, 0.7);
                }
                for seen in &corners {
                    raster::ring(pixels, width, [seen.x, seen.y], (large(seen, *radius), 1.5), plain, 0.5);
                }
            }
            &EnvironmentShape::Obstacle { centre, radius } => {
                if let Some((at, radius)) = disc(centre, radius) {
                    raster::ring(pixels, width, at, (0.5 * radius, radius), plain, 0.28);
                    raster::ring(pixels, width, at, (radius, 2.0), plain, 0.8);
                }
            }
            &EnvironmentShape::Wall { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    raster::line(pixels, width, from, to, strong, 0.9);
                }
            }
            &EnvironmentShape::Mark { at: position } => {
                if let Some(at) = at(position) {
                    for (radius, wide, opacity) in [(3.0, 6.0, 0.9), (11.0, 2.0, 0.7), (19.0, 1.5, 0.3)] {
                        raster::ring(pixels, width, at, (radius, wide), strong, opacity);
                    }
                }
            }
        }
    }
}
