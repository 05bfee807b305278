//! Features of indoor maps of OpenStreetMap and in the Indoor Mapping Data Format.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::plans::error::Fault;

/// The properties with the floor of a feature.
pub(crate) const FLOORS: [&str; 2] = ["level", "level_id"];

/// The width of a door that is a point without a width, in metres.
const DOOR: f64 = 1.0;
/// The largest distance of a door from its wall, in metres.
const BESIDE: f64 = 0.3;
/// The largest number of pairs of a wall and a door.
const MOST_PAIRS: usize = 20_000_000;

type Point = [f64; 2];

/// The properties of a feature. Any of them may be something else in a file.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Properties<'t>(#[serde(borrow)] pub(crate) BTreeMap<Cow<'t, str>, &'t RawValue>);

/// The meaning of a feature.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A walkable area, which ends where no other one begins.
    Floor,
    /// A walkable area with walls around it.
    Room,
    /// Walls along the rings of a polygon.
    Walls,
    Zone,
    /// An opening in the walls of rooms.
    Door,
    /// Neither a wall nor an area.
    Nothing,
}

impl Properties<'_> {
    /// A property that is a text, a number or a flag, as text.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let raw = self.0.get(key)?.get();
        match raw.as_bytes().first()? {
            b'"' => serde_json::from_str(raw).ok(),
            b'{' | b'[' | b'n' => None,
            _ => Some(raw.to_owned()),
        }
    }

    /// The values of a property; OpenStreetMap separates several ones by semicolons.
    pub(crate) fn values(&self, key: &str) -> Vec<String> {
        let text = self.text(key).unwrap_or_default();
        text.split(';').map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
    }

    /// The meaning of a feature with these properties; lines and points mean walls and nothing unless they are doors.
    pub(crate) fn role(&self) -> Role {
        let [kind, feature, indoor, door] = ["kind", "feature_type", "indoor", "door"].map(|key| self.text(key));
        match (kind.as_deref(), feature.as_deref(), indoor.as_deref()) {
            (Some("zone"), ..) => Role::Zone,
            (Some("wall"), ..) => Role::Walls,
            (Some("door"), ..) | (_, Some("opening"), _) | (_, _, Some("door")) => Role::Door,
            (_, Some("unit"), _) => match self.text("category").as_deref() {
                Some("walkway") | None => Role::Floor,
                Some("structure" | "column" | "opentobelow") => Role::Walls,
                Some(_) => Role::Room,
            },
            (_, Some("fixture" | "kiosk"), _) | (_, _, Some("wall" | "column")) => Role::Walls,
            (_, Some("section" | "geofence"), _) => Role::Zone,
            (_, Some("venue" | "building" | "footprint"), _) => Role::Nothing,
            (_, _, Some("room")) => Role::Room,
            _ if door.is_some_and(|door| door != "no") => Role::Door,
            _ => Role::Floor,
        }
    }
}

/// A door, from one jamb to the other. One that is a point has two equal jambs and a width.
#[derive(Clone, Copy)]
pub(crate) struct Door {
    pub(crate) jambs: [Point; 2],
    pub(crate) width: f64,
}

impl Door {
    /// The width that its properties say, or the usual width, in metres.
    pub(crate) fn width(properties: &Properties<'_>) -> f64 {
        let width = properties.text("width").and_then(|width| width.trim_end_matches('m').trim().parse().ok());
        width.filter(|width| (0.1..=20.0).contains(width)).unwrap_or(DOOR)
    }

    /// The part of an edge that the door opens, as distances from its start; `metre` is the length of a metre.
    fn gap(&self, [a, b]: [Point; 2], metre: f64) -> Option<[f64; 2]> {
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        let along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
        let [one, other] = self.jambs.map(|jamb| {
            let [x, y] = [jamb[0] - a[0], jamb[1] - a[1]];
            [x * along[0] + y * along[1], (x * along[1] - y * along[0]).abs()]
        });
        if !(length > 0.0 && one[1] <= BESIDE * metre && other[1] <= BESIDE * metre) {
            return None;
        }
        let [from, to] = if one[0] < other[0] { [one[0], other[0]] } else { [other[0], one[0]] };
        let half = 0.5 * self.width * metre;
        let gap = if self.jambs[0] == self.jambs[1] { [from - half, to + half] } else { [from, to] };
        // A point opens the edge that it is beside.
        let beside = from <= length + BESIDE * metre && to >= -BESIDE * metre;
        let clipped = gap.map(|at| at.clamp(0.0, length));
        (beside && clipped[0] < clipped[1]).then_some(clipped)
    }
}

/// The walls along a ring without the openings of its doors; `None` if there are none. A ring ends at its first point.
pub(crate) fn opened(ring: &[Point], doors: &[Door], metre: f64) -> Result<Option<Vec<Vec<Point>>>, Fault> {
    if ring.len().saturating_mul(doors.len()) > MOST_PAIRS {
        return Err(Fault::TooMany { what: "pairs of a wall and a door", most: MOST_PAIRS });
    }
    let mut walls: Vec<Vec<Point>> = Vec::new();
    let mut wall: Vec<Point> = ring.first().copied().into_iter().collect();
    let mut is_open = false;
    for edge in ring.windows(2).map(|ends| [ends[0], ends[1]]) {
        let [a, b] = edge;
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        let at = |distance: f64| [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * distance / length);
        let mut gaps: Vec<[f64; 2]> = doors.iter().filter_map(|door| door.gap(edge, metre)).collect();
        gaps.sort_by(|one, other| one[0].total_cmp(&other[0]));
        for [from, to] in gaps {
            is_open = true;
            wall.push(at(from));
            walls.push(std::mem::replace(&mut wall, vec![at(to)]));
        }
        wall.push(b);
    }
    // The last wall leads to where the first one begins.
    if let Some(first) = walls.first_mut() {
        wall.extend(first.iter().skip(1));
        *first = wall;
    }
    walls.retain(|wall| wall.iter().any(|point| *point != wall[0]));
    Ok(is_open.then_some(walls))
}
