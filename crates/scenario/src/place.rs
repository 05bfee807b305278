//! Reading of the initial positions and velocities of a species.

use throng::maths::sin_cos;
use throng::parameters::Value;
use throng::{Edge, LIMIT, PathFault, Vector};

use crate::definition::Scenario;
use crate::environment::{self, EnvironmentSpec};
use crate::fields::{Fields, Reader, point};
use crate::items::ItemSpec;
use crate::read_storeys::{offset, refuse_storey};
use crate::reason::{Cause, Reason};
use crate::recorded;
use crate::start::{Heading, Recorded, Start, StartRegion};

/// Reads the `place` of a species, if it has one.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    (name, place): (&str, Option<&Fields<'d>>),
    scenario: &Scenario,
) -> Start {
    let mut start = Start {
        region: everywhere(scenario, None),
        heading: Heading::Random,
        speed: None,
        opposite: false,
        group_size: None,
    };
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
        None if place.entry("polygon").is_some() => Some("polygon"),
        None => Some("all"),
    };
    let (Some(region), Some(world)) = (region, scenario.plan()) else { return start };
    // Storeys have walls around them.
    let edge = if scenario.storeys.is_some() { &[Edge::Bounce; 2][..] } else { &scenario.edge };
    let of_list: &[&str] = &["region", "centre", "radius", "size", "polygon", "regions", "group_size", "file"];
    for (key, unused) in [("positions", of_list), ("file", &of_list[..7]), ("regions", &of_list[..5])] {
        let present = unused.iter().filter(|_| place.entry(key).is_some());
        for (name, entry) in present.filter_map(|name| Some((name, place.entry(name)?))) {
            reader.note(entry.at, place.path_of(name), None, Reason::Unused(Cause { key, value: None }));
        }
    }
    if let Some((key, list)) = ["positions", "file"].iter().find_map(|key| Some((*key, place.entry(key)?))) {
        let agents = match key {
            "positions" => listed(reader, place, world.len()),
            _ => recorded::read(reader, place, name, scenario),
        };
        if let Some(agents) = agents {
            let outside = |agent: &Recorded| {
                let region = StartRegion::Box(agent.position[..world.len()].to_vec(), vec![0.0; world.len()]);
                outside(&region, world, edge)
            };
            if let Some(reason) = agents.iter().find_map(outside) {
                reader.note(list.at, place.path_of(key), None, reason);
            }
            start.region = on_storey(reader, place, StartRegion::Recorded(agents.into()), scenario);
        }
        return start;
    }
    if let Some(entry) = place.entry("tick") {
        reader.note(entry.at, place.path_of("file"), None, Reason::MissingFor(Cause { key: "tick", value: None }));
    }
    if place.entry("regions").is_some() {
        start.region = several(reader, place, scenario).unwrap_or(StartRegion::All);
        check_named(reader, (place, "regions"), &start.region, scenario);
        return start;
    }
    let middle: Vec<f32> = world.iter().map(|extent| 0.5 * extent).collect();
    let used: &[&str] = match region {
        "disc" | "circle" => &["centre", "radius"],
        "box" => &["centre", "size"],
        "point" => &["centre"],
        "polygon" => &["polygon"],
        _ => &[],
    };
    let cause = || Cause { key: "region", value: Some(region.to_owned()) };
    for name in ["centre", "radius", "size", "polygon"] {
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
        ("polygon", ..) => read_polygon(reader, place, scenario).unwrap_or(StartRegion::All),
        _ => match region.strip_prefix("region:") {
            Some(name) => {
                let found = named(reader, place, ("region", name), scenario).unwrap_or(StartRegion::All);
                check_named(reader, (place, "region"), &found, scenario);
                return Start { region: found, ..start };
            }
            None => return Start { region: on_storey(reader, place, StartRegion::All, scenario), ..start },
        },
    };
    check_inside(reader, place, &start.region, world, edge);
    start.region = on_storey(reader, place, start.region, scenario);
    start
}

/// Moves a region of the plan to its storey, or to the ground at its height.
fn on_storey<'d>(reader: &mut Reader<'d>, place: &Fields<'d>, region: StartRegion, scenario: &Scenario) -> StartRegion {
    let storeys = scenario.storeys.as_ref();
    let mesh = storeys.filter(|storeys| storeys.is_mesh() && place.entry("storey").is_none());
    match (&region, mesh) {
        (StartRegion::Recorded(agents), Some(_)) => {
            let on_ground = |agent: &Recorded| {
                let [x, y, z] = agent.position;
                let by = offset(reader, (place, "place"), storeys, Vector([x, y]));
                Recorded { position: [x + by[0], y + by[1], z], ..*agent }
            };
            StartRegion::Recorded(agents.iter().map(on_ground).collect())
        }
        (StartRegion::All, Some(_)) if place.entry("height").is_none() => StartRegion::All,
        _ => {
            let [low, high] = region.bounds(Vector(storeys.map_or([0.0; 2], |storeys| storeys.size)));
            let by = offset(reader, (place, "region"), storeys, (low + high) * 0.5);
            match region {
                StartRegion::All => everywhere(scenario, Some(by)),
                region if storeys.is_some() => region.moved(by),
                region => region,
            }
        }
    }
}

/// The positions of a list.
fn listed<'d>(reader: &mut Reader<'d>, place: &Fields<'d>, dimensions: usize) -> Option<Vec<Recorded>> {
    let positions = reader.vectors(place, "positions", dimensions)?;
    let position = |at: &Vec<f32>| [0, 1, 2].map(|axis| at.get(axis).copied().unwrap_or(0.0));
    Some(positions.iter().map(|at| Recorded { position: position(at), velocity: None }).collect())
}

/// Anywhere: in the world, on the storey with this offset, or on all ground of a mesh.
fn everywhere(scenario: &Scenario, by: Option<Vector<2>>) -> StartRegion {
    let storeys = scenario.storeys.as_ref().filter(|storeys| by.is_some() || !storeys.is_mesh());
    let by = by.unwrap_or(Vector::ZERO);
    storeys.map_or(StartRegion::All, |storeys| {
        let size = storeys.size.to_vec();
        StartRegion::Box(size.iter().map(|extent| 0.5 * extent).collect(), size).moved(by)
    })
}

/// Refuses named regions beyond a boundary of the world, and a storey beside theirs.
fn check_named<'d>(
    reader: &mut Reader<'d>,
    (place, key): (&Fields<'d>, &'static str),
    region: &StartRegion,
    scenario: &Scenario,
) {
    refuse_storey(reader, place, key);
    let world = scenario.size.as_deref().unwrap_or_default();
    check_inside(reader, place, region, world, &scenario.edge);
}

/// Reads the corners of a region.
fn read_polygon<'d>(reader: &mut Reader<'d>, place: &Fields<'d>, scenario: &Scenario) -> Option<StartRegion> {
    let entry = place.entry("polygon")?;
    if scenario.dimensions != 2 {
        reader.note(entry.at, place.path_of("polygon"), None, Reason::OnlyFlat);
        return None;
    }
    let corners: Vec<[f32; 2]> =
        reader.vectors(place, "polygon", 2)?.iter().map(|corner| [corner[0], corner[1]]).collect();
    let points: Vec<Vector<2>> = corners.iter().copied().map(Vector).collect();
    if let Some(fault) = PathFault::of(&points, true) {
        reader.refuse(place.path_of("polygon"), &entry.item, Reason::WallPath(fault));
        return None;
    }
    Some(StartRegion::Polygon(vec![corners]))
}

/// The regions and the areas of the floor plan that `regions` names.
fn several<'d>(reader: &mut Reader<'d>, place: &Fields<'d>, scenario: &Scenario) -> Option<StartRegion> {
    let Value::Words(names) = reader.value(place, "regions", 0)? else { return None };
    // An empty list is refused like an unknown name.
    let names = if names.is_empty() { vec![String::new()] } else { names };
    let all = names.iter().map(|name| named(reader, place, ("regions", name), scenario));
    all.collect::<Option<_>>().map(StartRegion::Several)
}

/// The region or the area of the floor plan that a key of the place names.
fn named<'d>(
    reader: &mut Reader<'d>,
    place: &Fields<'d>,
    (key, name): (&str, &str),
    scenario: &Scenario,
) -> Option<StartRegion> {
    let EnvironmentSpec { regions, areas, .. } = &scenario.environment;
    let found = regions.iter().find(|region| region.name() == name).map(environment::start);
    let area = || areas.iter().find(|(area, _)| area == name).map(|(_, rings)| rings.clone());
    let found = found.or_else(|| area().map(StartRegion::Polygon));
    if let (None, Some(entry)) = (&found, place.entry(key)) {
        let regions = regions.iter().map(ItemSpec::name);
        let known: Vec<&str> = regions.chain(areas.iter().map(|(name, _)| &name[..])).collect();
        reader.refuse(place.path_of(key), &entry.item, Reason::unknown("region", name, &known));
    }
    found
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
        StartRegion::Several(all) => return all.iter().find_map(|region| outside(region, world, edge)),
        StartRegion::Polygon(_) => {
            let [low, high] = region.bounds(Vector([0.0; 2]));
            let (centre, half) = ((low + high) * 0.5, (high - low) * 0.5);
            return outside(&StartRegion::Box(centre.0.to_vec(), (half * 2.0).0.to_vec()), world, edge);
        }
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
