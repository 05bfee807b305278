//! The walls of a scenario.

use throng::parameters::{Allowed, Kind, Value};
use throng::{Edge, PathFault, Vector, Wall, WallShape};

use crate::document::{Item, Node};
use crate::fields::{Fields, Reader, value};
use crate::keys::FILE;
use crate::reason::{Cause, Reason};
use crate::start::in_dimensions;

/// A validated wall.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WallSpec {
    pub(crate) name: Option<String>,
    shape: ShapeSpec,
    velocity: Option<Vec<f32>>,
    open: Vec<[f32; 2]>,
    solid: Option<bool>,
}

#[derive(Clone, Debug, PartialEq)]
enum ShapeSpec {
    Path(Vec<Vec<f32>>, bool),
    Box(Vec<f32>, Vec<f32>),
    Ball(Vec<f32>, f32),
    Plane(Vec<f32>, Vec<f32>),
}

/// The keys that select the shape of a wall, each with the key of its place, if it has one.
const SHAPES: [(&str, Option<&str>); 5] = [
    ("line", None),
    ("polygon", None),
    ("radius", Some("centre")),
    ("size", Some("centre")),
    ("normal", Some("point")),
];

/// Reads `wall` and `walls` from the file's outermost table.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> Vec<WallSpec> {
    let mut walls: Vec<WallSpec> = Vec::new();
    for fields in &reader.tables(root, "wall") {
        let name = reader.name(fields, "name").map(str::to_owned);
        if name.is_some()
            && walls.iter().any(|other| other.name == name)
            && let Some(entry) = fields.entry("name")
        {
            reader.refuse(fields.path_of("name"), &entry.item, Reason::WallTaken);
        }
        let velocity = reader.per_axis(fields, "velocity", dimensions);
        let open = match reader.value(fields, "open", dimensions) {
            Some(Value::Points(ends)) => ends.iter().map(|ends| [ends[0] as f32, ends[1] as f32]).collect(),
            _ => Vec::new(),
        };
        let solid = reader.flag(fields, "solid");
        if let (Some(entry), None) = (fields.entry("solid"), fields.entry("polygon")) {
            let reason = Reason::MissingFor(Cause { key: "solid", value: None });
            reader.note(entry.at, fields.path_of("polygon"), None, reason);
        }
        if let Some(shape) = read_shape(reader, fields, dimensions) {
            walls.push(WallSpec { name, shape, velocity, open, solid });
        }
    }
    walls.extend(read_paths(reader, root, dimensions));
    walls
}

fn read_shape<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, dimensions: usize) -> Option<ShapeSpec> {
    let found: Vec<_> = SHAPES.iter().filter(|(key, _)| fields.entry(key).is_some()).collect();
    let &[&(key, place)] = &found[..] else {
        let keys = SHAPES.map(|(key, _)| key).to_vec();
        reader.note(fields.at, fields.path.clone(), None, Reason::OneOf { keys, found: found.len() });
        return None;
    };
    let cause = || Cause { key, value: None };
    for other in ["centre", "point"] {
        match fields.entry(other) {
            Some(entry) if place != Some(other) => {
                reader.note(entry.at, fields.path_of(other), None, Reason::Unused(cause()));
            }
            None if place == Some(other) => {
                reader.note(fields.at, fields.path_of(other), None, Reason::MissingFor(cause()));
            }
            _ => {}
        }
    }
    let place = place.and_then(|place| reader.per_axis(fields, place, dimensions));
    match key {
        "line" | "polygon" => {
            let (points, entry) = (reader.vectors(fields, key, dimensions)?, fields.entry(key)?);
            path(reader, fields.path_of(key), &entry.item, points, key == "polygon", dimensions)
        }
        "radius" => reader.number(fields, key).and_then(|radius| Some(ShapeSpec::Ball(place?, radius))),
        "size" => reader.per_axis(fields, key, dimensions).and_then(|size| Some(ShapeSpec::Box(place?, size))),
        _ => {
            let (normal, entry) = (reader.per_axis(fields, key, dimensions)?, fields.entry(key)?);
            if normal.iter().all(|&component| component == 0.0) {
                reader.refuse(fields.path_of(key), &entry.item, Reason::MustBe(Allowed::Direction));
            }
            Some(ShapeSpec::Plane(place?, normal))
        }
    }
}

/// Checks the path of a wall. Reports its first fault at its place in the file.
fn path(
    reader: &mut Reader<'_>,
    key: String,
    item: &Item,
    points: Vec<Vec<f32>>,
    closed: bool,
    dimensions: usize,
) -> Option<ShapeSpec> {
    let found = match dimensions {
        3 => PathFault::of(&vectors::<3>(&points), closed),
        _ => PathFault::of(&vectors::<2>(&points), closed),
    };
    match found {
        Some(fault) => {
            reader.refuse(key, item, Reason::WallPath(fault));
            None
        }
        None => Some(ShapeSpec::Path(points, closed)),
    }
}

fn read_paths<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> Vec<WallSpec> {
    let (Some(entry), Some(key)) = (root.entry("walls"), FILE.iter().find(|key| key.name == "walls")) else {
        return Vec::new();
    };
    let (Node::Array(items), Kind::Paths(range)) = (&entry.item.node, key.kind) else {
        reader.refuse("walls".to_owned(), &entry.item, Reason::must_be(key));
        return Vec::new();
    };
    let mut walls = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let name = format!("walls.{number}");
        let kind = Kind::Points(range);
        let Some(Value::Points(points)) = value(&item.node, kind, dimensions) else {
            reader.refuse(name, item, Reason::MustBe(Allowed::Kind { kind, unit: key.unit }));
            continue;
        };
        let points = points.iter().map(|point| point.iter().map(|&at| at as f32).collect()).collect();
        let shape = path(reader, name, item, points, false, dimensions);
        walls.extend(shape.map(|shape| WallSpec { name: None, shape, velocity: None, open: Vec::new(), solid: None }));
    }
    walls
}

/// Refuses walls at rest outside of a world of this size, and those that reach out of it by more than its size.
pub(crate) fn check_inside<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    walls: &[WallSpec],
    size: &[f32],
    edge: &[Edge],
) {
    let is_out = |wall: &WallSpec| {
        let moves = wall.velocity.iter().flatten().any(|&speed| speed != 0.0);
        let beyond = |axis: usize| {
            let (Some((low, high)), extent) = (wall.extent(axis), size[axis]) else { return false };
            let is_absent = edge[axis] != Edge::Wrap && (high < 0.0 || low > extent);
            edge[axis] != Edge::Open && (is_absent || low < -extent || high > 2.0 * extent)
        };
        !moves && (0..size.len()).any(beyond)
    };
    let reason = || Reason::OutOfWorld(size.to_vec());
    let tables = reader.tables(root, "wall");
    for (fields, _) in tables.iter().zip(walls).filter(|(_, wall)| is_out(wall)) {
        reader.note(fields.at, fields.path.clone(), None, reason());
    }
    let Some(Node::Array(paths)) = root.entry("walls").map(|entry| &entry.item.node) else { return };
    for (number, (item, wall)) in paths.iter().zip(&walls[tables.len()..]).enumerate() {
        if is_out(wall) {
            reader.note(item.at, format!("walls.{number}"), None, reason());
        }
    }
}

fn vectors<const D: usize>(points: &[Vec<f32>]) -> Vec<Vector<D>> {
    points.iter().map(|point| in_dimensions(point)).collect()
}

impl WallSpec {
    /// A path at rest.
    #[cfg(feature = "floor_plans")]
    pub(crate) fn path(name: Option<String>, points: Vec<Vec<f32>>, closed: bool, solid: Option<bool>) -> Self {
        Self { name, shape: ShapeSpec::Path(points, closed), velocity: None, open: Vec::new(), solid }
    }

    /// The name, if it has one.
    #[cfg(feature = "floor_plans")]
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The least and the greatest coordinate on an axis; none for a plane, which has no ends.
    fn extent(&self, axis: usize) -> Option<(f32, f32)> {
        let around = |centre: f32, reach: f32| Some((centre - reach, centre + reach));
        match &self.shape {
            ShapeSpec::Path(points, _) => {
                let ends = points.iter().map(|point| (point[axis], point[axis]));
                ends.reduce(|(low, high), (at, _)| (if at < low { at } else { low }, if at > high { at } else { high }))
            }
            ShapeSpec::Box(centre, size) => around(centre[axis], 0.5 * size[axis]),
            ShapeSpec::Ball(centre, radius) => around(centre[axis], *radius),
            ShapeSpec::Plane(..) => None,
        }
    }

    pub(crate) fn build<const D: usize>(&self) -> Wall<D> {
        let shape = match &self.shape {
            ShapeSpec::Path(points, closed) => WallShape::Path { points: vectors(points), closed: *closed },
            ShapeSpec::Box(centre, size) => {
                WallShape::Box { centre: in_dimensions(centre), half: in_dimensions(size) * 0.5 }
            }
            ShapeSpec::Ball(centre, radius) => WallShape::Ball { centre: in_dimensions(centre), radius: *radius },
            ShapeSpec::Plane(point, normal) => {
                WallShape::Plane { point: in_dimensions(point), normal: in_dimensions(normal) }
            }
        };
        let velocity = self.velocity.as_ref().map_or(Vector::ZERO, |velocity| in_dimensions(velocity));
        Wall { name: self.name.clone(), shape, velocity, open: self.open.clone(), solid: self.solid }
    }
}
