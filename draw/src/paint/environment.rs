//! Drawing the environment below the agents.

use throng::Vector;

use super::camera::{Camera, Seen};
use super::ground::Ground;
use super::raster;
use crate::drawable::Shape;

/// Draws shapes on a picture of this width.
pub(super) fn draw(shapes: &[Shape], camera: &Camera, ground: Ground, width: usize, pixels: &mut [u8]) {
    let (faint, plain, strong) = (ground.ink(0.0), ground.ink(0.3), ground.ink(1.0));
    let at = |point: Vector<3>| camera.see(point).map(|seen| [seen.x, seen.y]);
    let large = |seen: &Seen, radius: f32| radius * camera.scale() * seen.size;
    let disc = |centre: Vector<3>, radius: f32| camera.see(centre).map(|seen| ([seen.x, seen.y], large(&seen, radius)));
    for shape in shapes {
        match shape {
            &Shape::Flow { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    raster::line(pixels, width, from, to, faint, 0.4);
                    raster::ring(pixels, width, to, (0.7, 1.4), faint, 0.6);
                }
            }
            &Shape::Ball { centre, radius } => {
                if let Some((at, radius)) = disc(centre, radius) {
                    raster::ring(pixels, width, at, (0.5 * radius, radius), faint, 0.12);
                    raster::ring(pixels, width, at, (radius, 1.5), faint, 0.6);
                }
            }
            &Shape::Edge { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    raster::line(pixels, width, from, to, faint, 0.8);
                }
            }
            Shape::Path { points, radius, closed } => {
                let corners: Vec<_> = points.iter().filter_map(|&point| camera.see(point)).collect();
                let next = corners.iter().skip(1).chain(corners.first().filter(|_| *closed && corners.len() > 2));
                for (from, to) in corners.iter().zip(next) {
                    raster::line(pixels, width, [from.x, from.y], [to.x, to.y], plain, 0.7);
                }
                for seen in &corners {
                    raster::ring(pixels, width, [seen.x, seen.y], (large(seen, *radius), 1.5), plain, 0.5);
                }
            }
            &Shape::Obstacle { centre, radius } => {
                if let Some((at, radius)) = disc(centre, radius) {
                    raster::ring(pixels, width, at, (0.5 * radius, radius), plain, 0.28);
                    raster::ring(pixels, width, at, (radius, 2.0), plain, 0.8);
                }
            }
            &Shape::Mark { at: position } => {
                if let Some(at) = at(position) {
                    for (radius, wide, opacity) in [(3.0, 6.0, 0.9), (11.0, 2.0, 0.7), (19.0, 1.5, 0.3)] {
                        raster::ring(pixels, width, at, (radius, wide), strong, opacity);
                    }
                }
            }
        }
    }
}
