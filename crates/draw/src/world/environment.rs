//! The environment of a world as shapes: flow fields, regions, links, walls, obstacles, the marks that targets name, and the
//! paths that rules follow.

use throng::parameters::Value;
use throng::{Environment, NamedRule, Vector, World};

use super::images::{images, in_space};
use crate::bounds::Bounds;
use crate::drawable::{EnvironmentShape, Role};

/// Returns the present environment of a world in the order of drawing.
pub(super) fn shapes<const D: usize>(world: &World<D>) -> Vec<EnvironmentShape> {
    let mut shapes: Vec<EnvironmentShape> = Vec::new();
    shapes.extend(substances(world));
    shapes.extend(
        flows(world).into_iter().map(|(from, to)| EnvironmentShape::Flow { from: in_space(from), to: in_space(to) }),
    );
    for region in world.environment().regions.items() {
        let (role, name) = role(world, &region.name);
        match region.shape {
            throng::Shape::Ball { centre, radius } => {
                let centres = images(world, centre, Vector::splat(radius)).into_iter().map(in_space);
                shapes.extend(centres.map(|centre| EnvironmentShape::Ball {
                    centre,
                    radius,
                    role,
                    name: name.clone(),
                }));
            }
            throng::Shape::Box { centre, half } => {
                let bounds = |centre| Bounds { low: in_space(centre - half), high: in_space(centre + half) };
                let all = images(world, centre, half).into_iter().map(bounds);
                shapes.extend(all.map(|bounds| EnvironmentShape::Box { bounds, role, name: name.clone() }));
            }
            _ => {}
        }
    }
    shapes.extend(paths(world));
    shapes.extend(links(world).map(|ends| ends.map(in_space)).map(|[from, to]| EnvironmentShape::Link { from, to }));
    shapes.extend(super::walls::shapes(world));
    for obstacle in world.environment().obstacles.items() {
        let radius = obstacle.radius;
        let centres = images(world, obstacle.centre, Vector::splat(radius)).into_iter().map(in_space);
        shapes.extend(centres.map(|centre| EnvironmentShape::Obstacle { centre, radius }));
    }
    shapes.extend(
        world.environment().marks.items().iter().map(|mark| EnvironmentShape::Mark { at: in_space(mark.position) }),
    );
    shapes
}

/// The action in a region, and the name to write into it: sinks have theirs.
fn role<const D: usize>(world: &World<D>, region: &str) -> (Role, String) {
    let environment = world.environment();
    let mut sinks = environment.sinks.items().iter().filter(|sink| sink.region == region);
    if let Some(sink) = sinks.next() {
        return (Role::Sink, sink.name.clone());
    }
    let role = if environment.sources.items().iter().any(|source| source.region == region) {
        Role::Source
    } else if environment.zones.items().iter().any(|zone| zone.region == region)
        || has_car(environment, region)
        || has_link(environment, region)
    {
        Role::Zone
    } else {
        Role::Plain
    };
    (role, String::new())
}

/// The ends of links, from the middle of one region to the middle of the other; twice if a link leads both ways.
pub fn links<const D: usize>(world: &World<D>) -> impl Iterator<Item = [Vector<D>; 2]> {
    let environment = world.environment();
    environment.links.items().iter().flat_map(|link| {
        let [start, end] = [&link.start, &link.end].map(|end| environment.regions.named(end));
        let ends = start.zip(end).map(|(start, end)| [start.shape.bounds().0, end.shape.bounds().0]);
        let back = ends.filter(|_| link.both_ways).map(|[start, end]| [end, start]);
        ends.into_iter().chain(back)
    })
}

/// Whether the car of a lift is in this region.
fn has_car<const D: usize>(environment: &Environment<D>, region: &str) -> bool {
    environment.lifts.iter().any(|(id, lift)| {
        environment.lift_car(id).and_then(|(landing, _)| lift.landings.get(landing)).is_some_and(|at| at == region)
    })
}

/// Whether a link begins or ends in this region.
fn has_link<const D: usize>(environment: &Environment<D>, region: &str) -> bool {
    environment.links.items().iter().any(|link| link.start == region || link.end == region)
}

/// The part of the cells that are darker than the brightest colour of a substance, among those that have some of it.
const DARKER: f32 = 0.98;

/// The amounts of substances in a world of two dimensions: shapes of this kind only.
#[must_use]
pub fn substances<const D: usize>(world: &World<D>) -> Vec<EnvironmentShape> {
    let (environment, settings) = (world.environment(), world.settings());
    let mut shapes = Vec::new();
    for (number, (id, substance)) in environment.substances.iter().enumerate().filter(|_| D == 2) {
        let Some(amounts) = environment.substance_amounts(id) else { continue };
        let mut positive: Vec<f32> = amounts.iter().copied().filter(|amount| *amount > 0.0).collect();
        let place = (positive.len() as f32 * DARKER) as usize;
        if place == positive.len() {
            continue;
        }
        let most = *positive.select_nth_unstable_by(place, f32::total_cmp).1;
        let shares = amounts.iter().map(|amount| (amount / most * 255.0) as u8).collect();
        let cells = substance.cells(settings);
        let bounds = Bounds { low: Vector::ZERO, high: in_space(settings.size) };
        shapes.push(EnvironmentShape::Substance { bounds, cells: [cells[0], cells[1]], shares, number });
    }
    shapes
}

/// Short strokes along the flow fields, all over the world. The longest are half as long as their spacing.
fn flows<const D: usize>(world: &World<D>) -> Vec<(Vector<D>, Vector<D>)> {
    let settings = world.settings();
    // A sparse grid: dense enough to show the flow, and agents stand out.
    let volume: f32 = settings.size.0.iter().product();
    let (count, root) = if D == 2 { (300.0, 0.5) } else { (216.0, 1.0 / 3.0) };
    let apart = f64::from(volume / count).powf(root) as f32;
    let counts: [usize; D] =
        std::array::from_fn(|axis| ((settings.size[axis] / apart).round() as usize).clamp(1, 1 << 10));
    let mut flows = Vec::new();
    for field in world.environment().fields.items() {
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

/// The paths in the parameters of rules.
fn paths<const D: usize>(world: &World<D>) -> Vec<EnvironmentShape> {
    let species = world.species_ids().filter_map(|id| world.species(id).ok());
    let rules = species.flat_map(|species| &species.rules).filter_map(|rule| rule.behaviour.table());
    let path = |rule: &dyn NamedRule<D>| {
        let Some(Value::Points(points)) = rule.get("points") else { return None };
        let number = |name| if let Some(Value::Number(number)) = rule.get(name) { Some(number as f32) } else { None };
        let radius = number("threshold").or(number("radius")).unwrap_or(0.0);
        let closed = rule.get("closed") == Some(Value::Flag(true));
        let vector = |point: &Vec<f64>| Vector::from_fn(|axis| point.get(axis).map_or(0.0, |&value| value as f32));
        Some(EnvironmentShape::Path { points: points.iter().map(vector).collect(), radius, closed })
    };
    let mut paths: Vec<_> = rules.filter_map(path).collect();
    // Several rules may follow one path.
    paths.dedup();
    paths
}
