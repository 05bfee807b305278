//! Drawing the scenery below the agents: flow fields, regions, obstacles, the marks that targets name, and the paths
//! that rules follow.

use throng::parameters::Value;
use throng::{Edge, NamedRule, Vector, World};

use super::camera::{Camera, Seen, in_space};
use super::colour::Ground;
use super::raster;

/// One shape of the scenery, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Flow { from: [f32; 2], to: [f32; 2] },
    Area { at: [f32; 2], radius: f32 },
    Border { from: [f32; 2], to: [f32; 2] },
    Leg { from: [f32; 2], to: [f32; 2] },
    Waypoint { at: [f32; 2], radius: f32 },
    Rock { at: [f32; 2], radius: f32 },
    Mark { at: [f32; 2] },
}

/// Returns the present scenery of a world in the order of drawing.
pub(crate) fn shapes<const D: usize>(world: &World<D>, camera: &Camera) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let see = |point: Vector<D>| camera.see(in_space(point));
    let at = |point: Vector<D>| see(point).map(|seen| [seen.x, seen.y]);
    let large = |seen: &Seen, radius: f32| radius * camera.scale() * seen.size;
    for (from, to) in flows(world) {
        if let (Some(from), Some(to)) = (at(from), at(to)) {
            shapes.push(Shape::Flow { from, to });
        }
    }
    for region in world.scenery().regions() {
        match region.shape {
            throng::Shape::Ball { centre, radius } => {
                let seen = images(world, centre, Vector::splat(radius)).into_iter().filter_map(see);
                shapes.extend(seen.map(|seen| Shape::Area { at: [seen.x, seen.y], radius: large(&seen, radius) }));
            }
            throng::Shape::Box { centre, half } => {
                for centre in images(world, centre, half) {
                    let edges = edges(centre - half, centre + half).filter_map(|(from, to)| Some((at(from)?, at(to)?)));
                    shapes.extend(edges.map(|(from, to)| Shape::Border { from, to }));
                }
            }
            _ => {}
        }
    }
    for (points, radius, closed) in paths(world) {
        let corners: Vec<_> = points.iter().filter_map(|&point| see(point)).collect();
        let next = corners.iter().skip(1).chain(corners.first().filter(|_| closed && corners.len() > 2));
        for (from, to) in corners.iter().zip(next) {
            shapes.push(Shape::Leg { from: [from.x, from.y], to: [to.x, to.y] });
        }
        let waypoint = |seen: &Seen| Shape::Waypoint { at: [seen.x, seen.y], radius: large(seen, radius) };
        shapes.extend(corners.iter().map(waypoint));
    }
    for obstacle in world.scenery().obstacles() {
        let seen = images(world, obstacle.centre, Vector::splat(obstacle.radius)).into_iter().filter_map(see);
        shapes.extend(seen.map(|seen| Shape::Rock { at: [seen.x, seen.y], radius: large(&seen, obstacle.radius) }));
    }
    shapes.extend(world.scenery().marks().iter().filter_map(|mark| Some(Shape::Mark { at: at(mark.position)? })));
    shapes
}

/// The edges of a box as pairs of corners.
pub(super) fn edges<const D: usize>(low: Vector<D>, high: Vector<D>) -> impl Iterator<Item = (Vector<D>, Vector<D>)> {
    let corner =
        move |number: usize| Vector::from_fn(|axis| if number >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let pairs = (0..1_usize << D).flat_map(|from| (0..D).map(move |axis| (from, from | 1 << axis)));
    pairs.filter(|(from, to)| from != to).map(move |(from, to)| (corner(from), corner(to)))
}

/// Short strokes along the flow fields, all over the world. The longest are half as long as their spacing.
fn flows<const D: usize>(world: &World<D>) -> Vec<(Vector<D>, Vector<D>)> {
    let settings = world.settings();
    // Dense enough to show the flow, sparse enough not to hide agents.
    let volume: f32 = settings.size.0.iter().product();
    let (count, root) = if D == 2 { (1000.0, 0.5) } else { (700.0, 1.0 / 3.0) };
    let apart = f64::from(volume / count).powf(root) as f32;
    let counts: [usize; D] =
        std::array::from_fn(|axis| ((settings.size[axis] / apart).round() as usize).clamp(1, 1 << 10));
    let mut flows = Vec::new();
    for (_, field) in world.scenery().fields() {
        let speeds = field.vectors().iter().map(|vector| vector.length());
        let fastest = speeds.fold(0.0, |fastest: f32, speed| if speed > fastest { speed } else { fastest });
        for number in 0..counts.iter().product() {
            let mut rest: usize = number;
            let cells: [usize; D] = std::array::from_fn(|axis| {
                let cell = rest % counts[axis];
                rest /= counts[axis];
                cell
            });
            // Every other row is shifted: aligned strokes would look like lines.
            let shift = if cells[1..].iter().sum::<usize>().is_multiple_of(2) { 0.25 } else { 0.75 };
            let point = Vector::from_fn(|axis| {
                let within = if axis == 0 { shift } else { 0.5 };
                (cells[axis] as f32 + within) / counts[axis] as f32 * settings.size[axis]
            });
            let half = field.at(point, settings) * (0.25 * apart / fastest);
            if half.length() > 0.02 * apart {
                flows.push((point - half, point + half));
            }
        }
    }
    flows
}

/// Returns `centre` and, in a periodic world in 2D, the images of it that reach into the world; `reach` is the extent
/// from the centre along each axis.
fn images<const D: usize>(world: &World<D>, centre: Vector<D>, reach: Vector<D>) -> Vec<Vector<D>> {
    let settings = world.settings();
    let mut images = vec![centre];
    if settings.edge != Edge::Wrap || D == 3 {
        return images;
    }
    for axis in 0..D {
        for number in 0..images.len() {
            let (mut image, size) = (images[number], settings.size[axis]);
            if image[axis] < reach[axis] {
                image[axis] += size;
            } else if image[axis] + reach[axis] > size {
                image[axis] -= size;
            } else {
                continue;
            }
            images.push(image);
        }
    }
    images
}

/// The paths in the parameters of rules: their points, the radius around them, and whether they are closed.
fn paths<const D: usize>(world: &World<D>) -> Vec<(Vec<Vector<D>>, f32, bool)> {
    let species = world.species_ids().filter_map(|id| world.species(id).ok());
    let rules = species.flat_map(|species| &species.rules).filter_map(|rule| rule.behaviour.table());
    let path = |rule: &dyn NamedRule<D>| {
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
pub(super) fn draw(shapes: &[Shape], ground: Ground, width: usize, pixels: &mut [u8]) {
    let (faint, plain, strong) = (ground.ink(0.0), ground.ink(0.3), ground.ink(1.0));
    for shape in shapes {
        match *shape {
            Shape::Flow { from, to } => {
                raster::line(pixels, width, from, to, faint, 0.4);
                raster::ring(pixels, width, to, (0.7, 1.4), faint, 0.6);
            }
            Shape::Area { at, radius } => {
                raster::ring(pixels, width, at, (0.5 * radius, radius), faint, 0.12);
                raster::ring(pixels, width, at, (radius, 1.5), faint, 0.6);
            }
            Shape::Border { from, to } => raster::line(pixels, width, from, to, faint, 0.8),
            Shape::Leg { from, to } => raster::line(pixels, width, from, to, plain, 0.7),
            Shape::Waypoint { at, radius } => raster::ring(pixels, width, at, (radius, 1.5), plain, 0.5),
            Shape::Rock { at, radius } => {
                raster::ring(pixels, width, at, (0.5 * radius, radius), plain, 0.28);
                raster::ring(pixels, width, at, (radius, 2.0), plain, 0.8);
            }
            Shape::Mark { at } => {
                for (radius, wide, opacity) in [(3.0, 6.0, 0.9), (11.0, 2.0, 0.7), (19.0, 1.5, 0.3)] {
                    raster::ring(pixels, width, at, (radius, wide), strong, opacity);
                }
            }
        }
    }
}
