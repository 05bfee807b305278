//! Reading of storeys, stairs and lifts, and of the storey on which an item lies.

use throng::parameters::Allowed;
use throng::{Edge, Vector};

use crate::fields::{Fields, Reader};
use crate::items::{ItemSpec, extent};
use crate::reason::{Cause, Reason};
use crate::stair::Stair;
use crate::storeys::{Storey, Storeys, is_out};
use crate::{read_lifts, read_stairs};

/// The largest number of storeys, of stairs and of lifts.
const MOST: usize = 256;

/// Reads the storeys, stairs and lifts of a file, after its world.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    world: &Fields<'d>,
    (dimensions, size, edge): (usize, Option<&[f32]>, &mut Vec<Edge>),
) -> Option<Storeys> {
    let [tables, of_stairs, of_lifts] = ["storey", "stair", "lift"].map(|table| reader.tables(root, table));
    for (key, what, tables) in
        [("storey", "storeys", &tables), ("stair", "stairs", &of_stairs), ("lift", "lifts", &of_lifts)]
    {
        if let Some(entry) = root.entry(key) {
            if dimensions != 2 {
                reader.note(entry.at, key.to_owned(), None, Reason::OnlyFlat);
                return None;
            }
            if tables.len() > MOST {
                reader.note(entry.at, key.to_owned(), None, Reason::TooMany { what, most: MOST });
                return None;
            }
        }
    }
    if tables.is_empty() && of_stairs.is_empty() && of_lifts.is_empty() {
        return None;
    }
    read_edge(reader, world, edge);
    let before = reader.problems.count();
    let mut names = Vec::new();
    for fields in tables.iter().chain(&of_stairs).chain(&of_lifts) {
        let name = reader.name(fields, "name").unwrap_or_default();
        if let Some(entry) = fields.entry("name").filter(|_| names.contains(&name)) {
            reader.refuse(fields.path_of("name"), &entry.item, Reason::NameTaken("storey, stair or lift"));
        }
        names.push(name);
    }
    let storey = |(fields, name): (&Fields<'d>, &&str)| Storey {
        name: (*name).to_owned(),
        elevation: reader.number(fields, "elevation").unwrap_or(0.0),
        offset: Vector::ZERO,
    };
    let storeys: Vec<Storey> = tables.iter().zip(&names).map(storey).collect();
    let size: [f32; 2] = size?.try_into().ok()?;
    let mut stairs: Vec<Stair> = Vec::new();
    for fields in &of_stairs {
        stairs.extend(read_stairs::read(reader, fields, (&storeys, &stairs), size));
    }
    let mut lifts = Vec::new();
    for fields in &of_lifts {
        lifts.extend(read_lifts::read(reader, fields, (&storeys, &stairs, &lifts), size));
    }
    if storeys.is_empty() {
        // No stair and no lift has its storeys, which is reported.
        return None;
    }
    if storeys.len() > 1 && reader.problems.count() == before && root.entry("link").is_none() {
        let joined = |number: usize| {
            let by_lift = lifts.iter().any(|lift| lift.storeys.contains(&number));
            by_lift || stairs.iter().any(|stair| stair.storeys.contains(&number))
        };
        for (fields, _) in tables.iter().zip(0..).filter(|(_, number)| !joined(*number)) {
            reader.note(fields.at, fields.path.clone(), None, Reason::NoStair);
        }
    }
    Some(Storeys::new(size, storeys, stairs, lifts))
}

/// Refuses edges that wrap; without `edge` in the file they bounce.
pub(crate) fn read_edge<'d>(reader: &mut Reader<'d>, world: &Fields<'d>, edges: &mut [Edge]) {
    match world.entry("edge") {
        None => edges.fill(Edge::Bounce),
        Some(entry) if edges.contains(&Edge::Wrap) => {
            let others = Edge::ALL.iter().map(|edge| edge.name()).filter(|name| *name != Edge::Wrap.name());
            reader.refuse(world.path_of("edge"), &entry.item, Reason::MustBe(Allowed::one_of(others)));
        }
        Some(_) => {}
    }
}

/// Reads the storey of an item, or the height at which it lies with its middle at a place of the plan. Returns its offset
/// from the plan to the world.
pub(crate) fn offset<'d>(
    reader: &mut Reader<'d>,
    (fields, what): (&Fields<'d>, &'static str),
    storeys: Option<&Storeys>,
    middle: Vector<2>,
) -> Vector<2> {
    let names: Vec<&str> = storeys.iter().flat_map(|storeys| storeys.names()).collect();
    let (named, height) = (reader.reference(fields, "storey", &names), reader.number(fields, "height"));
    if let Some(entry) = fields.entry("height") {
        let unused = match (fields.entry("storey"), storeys) {
            (Some(_), _) => Some(Reason::Unused(Cause { key: "storey", value: None })),
            (None, None) => Some(Reason::Ground("the world has neither storeys nor `ground`".to_owned())),
            _ => None,
        };
        unused.into_iter().for_each(|reason| reader.note(entry.at, fields.path_of("height"), None, reason));
    }
    let Some(storeys) = storeys else { return Vector::ZERO };
    let found = match named {
        Some(name) => storeys.storeys.iter().find(|storey| storey.name == name),
        None => storeys.storey_at(middle, height),
    };
    if found.is_none() {
        let reason = format!("the mesh has no ground under the middle of the {what}, {:?} m", middle.0);
        reader.note(fields.at, fields.path.clone(), None, Reason::Ground(reason));
    }
    found.map_or(Vector::ZERO, |storey| storey.offset)
}

/// The same for an item between these ends, which a building has in its plan.
pub(crate) fn offset_within<'d>(
    reader: &mut Reader<'d>,
    (fields, what): (&Fields<'d>, &'static str),
    storeys: Option<&Storeys>,
    ends: impl Fn(usize) -> Option<(f32, f32)>,
) -> Vector<2> {
    let mut middle = Vector::ZERO;
    if let (Some(storeys), [Some(x), Some(y)]) = (storeys, [0, 1].map(ends)) {
        let [x, y] = [x, y].map(|(from, to)| if from < to { [from, to] } else { [to, from] });
        if is_out([[x[0], y[0]], [x[1], y[1]]], storeys.size) {
            reader.note(fields.at, fields.path.clone(), None, Reason::OutOfPlan(what, storeys.size));
        }
        middle = Vector([x, y].map(|[low, high]| (low + high) * 0.5));
    }
    offset(reader, (fields, what), storeys, middle)
}

/// Moves items to their storeys.
pub(crate) fn placed<'d>(
    reader: &mut Reader<'d>,
    (tables, what): (&[Fields<'d>], &'static str),
    items: Vec<ItemSpec>,
    storeys: Option<&Storeys>,
) -> Vec<ItemSpec> {
    // Tables without an item have a problem.
    let place = |(item, fields): (ItemSpec, &Fields<'d>)| {
        let by = offset_within(reader, (fields, what), storeys, |axis| extent(&item, axis));
        item.moved(by)
    };
    items.into_iter().zip(tables).map(place).collect()
}

/// Reports the storey or the height of an item whose region has one.
pub(crate) fn refuse_storey<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, key: &'static str) {
    for name in ["storey", "height"] {
        if let Some(entry) = fields.entry(name) {
            reader.note(entry.at, fields.path_of(name), None, Reason::Unused(Cause { key, value: None }));
        }
    }
}
