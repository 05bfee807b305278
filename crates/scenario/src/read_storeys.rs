//! Reading of storeys, stairs and lifts, and of the storey on which an item lies.

use throng::parameters::Allowed;
use throng::{Edge, Vector};

use crate::fields::{Fields, Reader};
use crate::items::{ItemSpec, extent};
use crate::keys::FACTORS;
use crate::read_lifts::{self, LEAST, storeys_of};
use crate::reason::{Cause, Reason};
use crate::storeys::{Stair, Storey, Storeys, is_out, overlap};

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
        let Some(stair) = read_stair(reader, fields, &storeys) else { continue };
        check_flight(reader, fields, (&stair, &stairs), size);
        stairs.push(stair);
    }
    let mut lifts = Vec::new();
    for fields in &of_lifts {
        lifts.extend(read_lifts::read(reader, fields, (&storeys, &stairs, &lifts), size));
    }
    if storeys.is_empty() {
        // No stair and no lift has its storeys, which is reported.
        return None;
    }
    if storeys.len() > 1 && reader.problems.count() == before {
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

fn read_stair<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, storeys: &[Storey]) -> Option<Stair> {
    let (foot, run) = (reader.vectors(fields, "foot", 2), reader.per_axis(fields, "run", 2));
    let [up, down, escalator] = ["up", "down", "escalator"].map(|key| reader.number(fields, key));
    let ends = read_ends(reader, fields, storeys);
    let mut refuse = |key: &str, reason| {
        let entry = fields.entry(key)?;
        reader.refuse(fields.path_of(key), &entry.item, Reason::Stair(reason));
        None
    };
    let ([a, b], &[run_x, run_y]) = (&foot?[..], &run?[..]) else {
        return refuse("foot", "must be the two ends of a line: [[x, y], [x, y]]");
    };
    let (a, b) = (Vector([a[0], a[1]]), Vector([b[0], b[1]]));
    let is_long = |length: f32| length.abs() >= LEAST;
    match ((b - a).0, run_x, run_y) {
        ([along, 0.0], across, run) if is_long(along) => {
            if across != 0.0 || !is_long(run) {
                return refuse("run", "must be [0, y] with y of 0.1 m or more either way, across `foot`");
            }
        }
        ([0.0, along], run, across) if is_long(along) => {
            if across != 0.0 || !is_long(run) {
                return refuse("run", "must be [x, 0] with x of 0.1 m or more either way, across `foot`");
            }
        }
        _ => {
            return refuse(
                "foot",
                "must be a line of 0.1 m or more along an axis: [[x1, y], [x2, y]] or [[x, y1], [x, y2]]",
            );
        }
    }
    let name = fields.entry("name")?.item.node.text()?.to_owned();
    let factors = [up.unwrap_or(FACTORS[0]), down.unwrap_or(FACTORS[1])];
    let (storeys, run, escalator) = (ends?, Vector([run_x, run_y]), escalator.unwrap_or(0.0));
    Some(Stair { name, storeys, foot: [a, b], run, factors, escalator, offset: Vector::ZERO })
}

/// The numbers of the storeys at the foot and at the head of a stair.
fn read_ends<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, storeys: &[Storey]) -> Option<[usize; 2]> {
    let numbers = storeys_of(reader, fields, storeys)?;
    let entry = fields.entry("storeys")?;
    let reason = match numbers[..] {
        [foot, head] if foot != head && storeys[foot].elevation <= storeys[head].elevation => {
            return Some([foot, head]);
        }
        [foot, head] if foot != head => "must have the lower storey first: it is at the foot",
        _ => "must be two storeys: the one at the foot, and the one at the head",
    };
    reader.refuse(fields.path_of("storeys"), &entry.item, Reason::Stair(reason));
    None
}

/// Refuses a flight that is not in the plan, or that overlaps another one at the same storey.
fn check_flight<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, (stair, others): (&Stair, &[Stair]), size: [f32; 2]) {
    let [low, high] = stair.footprint();
    if is_out([low.0, high.0], size) {
        let at = fields.entry("foot").map_or(fields.at, |entry| entry.item.at);
        reader.note(at, fields.path.clone(), None, Reason::OutOfPlan("flight", size));
    }
    let overlaps = |other: &&Stair| {
        let is_beside = stair.storeys.iter().any(|storey| other.storeys.contains(storey));
        is_beside && overlap(other.footprint(), [low, high])
    };
    if let (Some(other), Some(entry)) = (others.iter().find(overlaps), fields.entry("foot")) {
        reader.refuse(fields.path_of("foot"), &entry.item, Reason::Overlaps(other.name.clone()));
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
