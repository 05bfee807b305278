//! Reading of the initial positions and velocities of a species.

use crate::base::settings::{Edge, LIMIT};
use crate::maths::sin_cos;
use crate::rules::parameters::Value;
use crate::scenario::definition::{Group, Scenario};
use crate::scenario::draw::CHECK_DRAWS;
use crate::scenario::fields::{Fields, Reader, point};
use crate::scenario::reason::{Cause, Reason};
use crate::scenario::recorded;
use crate::scenario::start::{Heading, Recorded, Start, StartRegion};

/// Reads the `place` of a species, if it has one.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    (name, place): (&str, Option<&Fields<'d>>),
    scenario: &Scenario,
) -> Start {
    let mut start =
        Start { region: StartRegion::All, heading: Heading::Random, speed: None, opposite: false, group_size: None };
    let Some(place) = place else { return start };
    start.speed = reader.distribution(place, "speed");
    start.group_size = reader.distribution(place, "group_size");
    start.opposite = reader.choice(place, "goal") == Some("opposite");
    start.heading = read_heading(reader, place, scenario.dimensions).unwrap_or(start.heading);
    let centre = reader.per_axis(place, "centre", scenario.dimensions);
    let radius = reader.number(place, "radius");
    let size = reader.per_axis(place, "size", scenario.dimensions);
    let region = match place.entry("region") {
        Some(_) => reader.choice(place, "region"),
        None => Some("all"),
    };
    let (Some(region), Some(world)) = (region, &scenario.size) else { return start };
    if let Some(file) = place.entry("file") {
        for name in ["region", "centre", "radius", "size", "group_size"] {
            if let Some(entry) = place.entry(name) {
                let cause = Cause { key: "file", value: None };
                reader.note(entry.at, place.path_of(name), None, Reason::Unused(cause));
            }
        }
        if let Some(agents) = recorded::read(reader, place, name, scenario) {
            let outside = |agent: &Recorded| {
                let region = StartRegion::Box(agent.position[..world.len()].to_vec(), vec![0.0; world.len()]);
                outside(&region, world, &scenario.edge)
            };
            if let Some(reason) = agents.iter().find_map(outside) {
                reader.note(file.at, place.path_of("file"), None, reason);
            }
            start.region = StartRegion::Recorded(agents.into());
        }
        return start;
    }
    if let Some(entry) = place.entry("tick") {
        reader.note(entry.at, place.path_of("file"), None, Reason::MissingFor(Cause { key: "tick", value: None }));
    }
    let middle: Vec<f32> = world.iter().map(|extent| 0.5 * extent).collect();
    let used: &[&str] = match region {
        "disc" | "circle" => &["centre", "radius"],
        "box" => &["centre", "size"],
        "point" => &["centre"],
        _ => &[],
    };
    let cause = || Cause { key: "region", value: Some(region.to_owned()) };
    for name in ["centre", "radius", "size"] {
        match place.entry(name) {
            Some(entry) if !used.contains(&name) => {
                reader.note(entry.at, place.path_of(name), None, Reason::Unused(cause()));
            }
            None if used.contains(&name) && name != "centre" => {
                reader.note(place.at, place.path_of(name), None, Reason::MissingFor(cause()));
            }
            _ => {}
        }
    }
    let centre = match place.entry("centre") {
        Some(_) => centre,
        None => Some(middle),
    };
    start.region = match (region, centre, radius, size) {
        ("disc", Some(centre), Some(radius), _) => StartRegion::Disc(centre, radius),
        ("circle", Some(centre), Some(radius), _) => StartRegion::Circle(centre, radius),
        ("box", Some(centre), _, Some(size)) => StartRegion::Box(centre, size),
        ("point", Some(centre), ..) => StartRegion::Box(centre, vec![0.0; scenario.dimensions]),
        _ => StartRegion::All,
    };
    check_inside(reader, place, &start.region, world, &scenario.edge);
    start
}

/// Refuses a region that extends beyond a boundary of the world, or beyond the coordinate limit of any world.
fn check_inside(reader: &mut Reader<'_>, place: &Fields<'_>, region: &StartRegion, world: &[f32], edge: &[Edge]) {
    if let Some(reason) = outside(region, world, edge) {
        let at = place.entry("centre").or(place.entry("region")).map_or(place.at, |entry| entry.at);
        reader.note(at, place.path.clone(), None, reason);
    }
}

/// The reason to refuse a region that extends beyond a boundary of the world, or beyond the coordinate limit of any
/// world.
pub(crate) fn outside(region: &StartRegion, world: &[f32], edge: &[Edge]) -> Option<Reason> {
    let (centre, reach) = match region {
        StartRegion::All | StartRegion::Recorded(_) => return None,
        StartRegion::Disc(centre, radius) | StartRegion::Circle(centre, radius) => (centre, vec![*radius; world.len()]),
        StartRegion::Box(centre, size) => (centre, size.iter().map(|extent| 0.5 * extent).collect()),
    };
    let bounded = |axis: usize| !matches!(edge[axis], Edge::Wrap | Edge::Open);
    let outside = |axis: &usize| {
        let (low, high) = if bounded(*axis) { (0.0, world[*axis]) } else { (-LIMIT, LIMIT) };
        centre[*axis] - reach[*axis] < low || centre[*axis] + reach[*axis] > high
    };
    (0..world.len()).find(outside).map(|axis| Reason::Outside(bounded(axis).then(|| world.to_vec())))
}

pub(crate) fn read_heading<'d>(reader: &mut Reader<'d>, place: &Fields<'d>, dimensions: usize) -> Option<Heading> {
    match reader.value(place, "heading", dimensions)? {
        Value::Number(degrees) => {
            let (sine, cosine) = sin_cos((degrees * (std::f64::consts::PI / 180.0)) as f32);
            Some(Heading::Along(vec![cosine, sine]))
        }
        value => Some(point(value).map_or(Heading::Random, Heading::Along)),
    }
}

/// Refuses a region that obstacles fill completely.
pub(crate) fn check_free(reader: &mut Reader<'_>, fields: &Fields<'_>, group: &Group, scenario: &Scenario) {
    let free = match scenario.dimensions {
        3 => group.finds_place::<3>(scenario),
        _ => group.finds_place::<2>(scenario),
    };
    if !free {
        let at = fields.entry("centre").or(fields.entry("region")).map_or(fields.at, |entry| entry.at);
        reader.note(at, fields.path.clone(), None, Reason::NoFreePlace { draws: CHECK_DRAWS });
    }
}
