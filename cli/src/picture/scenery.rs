//! What is drawn below the agents? Obstacles, the marks that targets name, and the paths that rules follow.

use throng::parameters::Value;
use throng::{Edge, Vector, World};

use super::camera::{Camera, in_space};
use super::raster;

const ROCK: [f32; 3] = [120.0, 134.0, 160.0];
const MARK: [f32; 3] = [248.0, 240.0, 228.0];
const PATH: [f32; 3] = [130.0, 150.0, 185.0];

/// A part of the scenery, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Rock { at: [f32; 2], radius: f32 },
    Mark { at: [f32; 2] },
    Leg { from: [f32; 2], to: [f32; 2] },
    Waypoint { at: [f32; 2], radius: f32 },
}

/// The scenery of a world as it is now.
pub(super) fn shapes<const D: usize>(world: &World<D>, camera: &Camera) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let see = |point: Vector<D>| camera.see(in_space(point));
    let at = |point: Vector<D>| see(point).map(|seen| [seen.x, seen.y]);
    for (points, radius, closed) in paths(world) {
        let corners: Vec<_> = points.iter().filter_map(|&point| see(point)).collect();
        let next = corners.iter().skip(1).chain(corners.first().filter(|_| closed && corners.len() > 2));
        for (from, to) in corners.iter().zip(next) {
            shapes.push(Shape::Leg { from: [from.x, from.y], to: [to.x, to.y] });
        }
        let waypoint = |seen: &super::camera::Seen| Shape::Waypoint {
            at: [seen.x, seen.y],
            radius: radius * camera.scale() * seen.size,
        };
        shapes.extend(corners.iter().map(waypoint));
    }
    for obstacle in world.scenery().obstacles() {
        for centre in images(world, obstacle.centre, obstacle.radius) {
            if let Some(seen) = see(centre) {
                let radius = obstacle.radius * camera.scale() * seen.size;
                shapes.push(Shape::Rock { at: [seen.x, seen.y], radius });
            }
        }
    }
    shapes.extend(world.scenery().marks().iter().filter_map(|mark| Some(Shape::Mark { at: at(mark.position)? })));
    shapes
}

/// A ball and its images that reach into a periodic world, where it is flat.
fn images<const D: usize>(world: &World<D>, centre: Vector<D>, radius: f32) -> Vec<Vector<D>> {
    let settings = world.settings();
    let mut images = vec![centre];
    if settings.edge != Edge::Wrap || D == 3 {
        return images;
    }
    for axis in 0..D {
        for number in 0..images.len() {
            let (mut image, size) = (images[number], settings.size[axis]);
            if image[axis] < radius {
                image[axis] += size;
            } else if image[axis] + radius > size {
                image[axis] -= size;
            } else {
                continue;
            }
            images.push(image);
        }
    }
    images
}

/// The paths that rules have as parameters: points, the distance that is near them, and whether they are closed.
fn paths<const D: usize>(world: &World<D>) -> Vec<(Vec<Vector<D>>, f32, bool)> {
    let species = world.species_ids().filter_map(|id| world.species(id).ok());
    let rules = species.flat_map(|species| &species.rules).filter_map(|rule| rule.behaviour.tunable());
    let path = |rule: &dyn throng::parameters::Tunable| {
        let Some(Value::Points(points)) = rule.get("points") else { return None };
        let number = |name| if let Some(Value::Number(number)) = rule.get(name) { Some(number as f32) } else { None };
        let near = number("threshold").or(number("radius")).unwrap_or(0.0);
        let closed = rule.get("closed") == Some(Value::Flag(true));
        let vector = |point: &Vec<f64>| Vector::from_fn(|axis| point.get(axis).map_or(0.0, |&value| value as f32));
        Some((points.iter().map(vector).collect(), near, closed))
    };
    let mut paths: Vec<_> = rules.filter_map(path).collect();
    // Several rules may follow one path.
    paths.dedup();
    paths
}

/// Draws shapes on a picture of this width.
pub(super) fn draw(shapes: &[Shape], width: usize, pixels: &mut [u8]) {
    for shape in shapes {
        match *shape {
            Shape::Rock { at, radius } => {
                raster::ring(pixels, width, at, (0.5 * radius, radius), ROCK, 0.28);
                raster::ring(pixels, width, at, (radius, 2.0), ROCK, 0.8);
            }
            Shape::Mark { at } => {
                for (radius, wide, opacity) in [(3.0, 6.0, 0.9), (11.0, 2.0, 0.7), (19.0, 1.5, 0.3)] {
                    raster::ring(pixels, width, at, (radius, wide), MARK, opacity);
                }
            }
            Shape::Leg { from, to } => raster::line(pixels, width, from, to, PATH, 0.7),
            Shape::Waypoint { at, radius } => raster::ring(pixels, width, at, (radius, 1.5), PATH, 0.5),
        }
    }
}
