//! The walls of a scenario.

use throng::parameters::{Allowed, Kind};
use throng::{Edge, Wall};

use crate::document::Node;
use crate::fields::{Fields, Reader, value};
use crate::items::{ItemSpec, Scope, extent};
use crate::keys::FILE;
use crate::path_fault::fault;
use crate::read_storeys::placed;
use crate::reason::Reason;
use crate::storeys::Storeys;

/// Reads `wall` and `walls` from the file's outermost table.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    dimensions: usize,
    storeys: Option<&Storeys>,
) -> Vec<ItemSpec> {
    let tables = reader.tables(root, "wall");
    for fields in &tables {
        if let (Some(_), None) = (fields.entry("solid"), fields.entry("polygon")) {
            reader.missing_for(fields, "polygon", "solid");
        }
    }
    let walls = reader.items::<Wall<2>, Wall<3>>(&tables, "wall", Scope { names: &[], dimensions });
    let mut walls = placed(reader, (&tables, "wall"), walls, storeys);
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

/// The multiple of the size of a world, on an axis without an edge, beyond which walls may be in another unit.
const FAR: f32 = 10.0;

/// Refuses walls at rest outside of a world of this size, and those that reach out of it by more than its size. A world
/// without edges only has a warning, if all of them reach far out.
pub(crate) fn check_inside<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    (walls, are_tables_in): (&[ItemSpec], bool),
    (size, edge): (&[f32], &[Edge]),
) {
    let is_at_rest = |wall: &ItemSpec| wall.point("velocity").iter().flatten().all(|&speed| speed == 0.0);
    let is_out = |wall: &ItemSpec| is_at_rest(wall) && is_out_of_world(|axis| extent(wall, axis), size, edge);
    let reason = || Reason::OutOfWorld("wall", size.to_vec());
    let tables = reader.tables(root, "wall");
    for (fields, _) in tables.iter().zip(walls).filter(|(_, wall)| !are_tables_in && is_out(wall)) {
        reader.note(fields.at, fields.path.clone(), None, reason());
    }
    if let Some(Node::Array(paths)) = root.entry("walls").map(|entry| &entry.item.node) {
        for (number, (item, wall)) in paths.iter().zip(&walls[tables.len()..]).enumerate() {
            if is_out(wall) {
                reader.note(item.at, format!("walls.{number}"), None, reason());
            }
        }
    }
    let reaches_far = |wall: &ItemSpec, axis: usize| {
        let ends = extent(wall, axis).filter(|_| edge[axis] == Edge::Open && is_at_rest(wall));
        ends.is_some_and(|(low, high)| [low, high].iter().any(|&end| is_beyond(end, size[axis], FAR)))
    };
    if !walls.is_empty() && walls.iter().all(|wall| (0..size.len()).any(|axis| reaches_far(wall, axis))) {
        let message = format!("reach out of {size:?} m by more than {FAR} times it: they may be in another unit");
        reader.doubt("walls".to_owned(), message);
    }
}

/// Whether an item between two ends is not in a world of this size, or reaches out of it by more than its size. On an axis
/// without an edge it may be anywhere, and in a periodic world beyond the seam.
pub(crate) fn is_out_of_world(ends: impl Fn(usize) -> Option<(f32, f32)>, size: &[f32], edge: &[Edge]) -> bool {
    let beyond = |axis: usize| {
        let Some((one, other)) = ends(axis) else { return false };
        let is_absent = (one < 0.0 && other < 0.0) || (one > size[axis] && other > size[axis]);
        let is_absent = is_absent && edge[axis] != Edge::Wrap;
        edge[axis] != Edge::Open && (is_absent || [one, other].iter().any(|&end| is_beyond(end, size[axis], 1.0)))
    };
    (0..size.len()).any(beyond)
}

/// Whether a coordinate is beyond a size by more than a multiple of it.
fn is_beyond(at: f32, size: f32, times: f32) -> bool {
    at < -times * size || at > (1.0 + times) * size
}
