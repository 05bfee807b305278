//! The walls of a scenario.

use throng::parameters::{Allowed, Kind, Value, rounded};
use throng::{Edge, Wall};

use crate::document::Node;
use crate::fields::{Fields, Reader, value};
use crate::items::{ItemSpec, Scope};
use crate::keys::FILE;
use crate::path_fault::fault;
use crate::reason::Reason;

/// Reads `wall` and `walls` from the file's outermost table.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> Vec<ItemSpec> {
    let tables = reader.tables(root, "wall");
    for fields in &tables {
        if let (Some(_), None) = (fields.entry("solid"), fields.entry("polygon")) {
            reader.missing_for(fields, "polygon", "solid");
        }
    }
    let mut walls = reader.items::<Wall<2>, Wall<3>>(&tables, "wall", Scope { names: &[], dimensions });
    walls.extend(read_paths(reader, root, dimensions));
    walls
}

fn read_paths<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> Vec<ItemSpec> {
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
        let Some(points) = value(&item.node, kind, dimensions) else {
            reader.refuse(name, item, Reason::MustBe(Allowed::Kind { kind, unit: key.unit }));
            continue;
        };
        match fault(&points, false, dimensions) {
            Some(fault) => reader.refuse(name, item, Reason::WallPath(fault)),
            None => walls.push(ItemSpec::new([("line", Some(points))])),
        }
    }
    walls
}

/// Refuses walls at rest outside of a world of this size, and those that reach out of it by more than its size.
pub(crate) fn check_inside<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    walls: &[ItemSpec],
    size: &[f32],
    edge: &[Edge],
) {
    let is_out = |wall: &ItemSpec| {
        let moves = wall.point("velocity").iter().flatten().any(|&speed| speed != 0.0);
        let beyond = |axis: usize| {
            let (Some((low, high)), extent) = (extent(wall, axis), size[axis]) else { return false };
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

/// The least and the greatest coordinate of a wall on an axis; none for a plane, which has no ends.
fn extent(wall: &ItemSpec, axis: usize) -> Option<(f32, f32)> {
    if let Some(Value::Points(points)) = wall.get("line").or(wall.get("polygon")) {
        let ends = points.iter().map(|point| (rounded(point[axis]), rounded(point[axis])));
        return ends
            .reduce(|(low, high), (at, _)| (if at < low { at } else { low }, if at > high { at } else { high }));
    }
    let centre = wall.point("centre")?[axis];
    let reach = wall.number("radius").or_else(|| Some(0.5 * wall.point("size")?[axis]))?;
    Some((centre - reach, centre + reach))
}
