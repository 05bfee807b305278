//! Reading of stairs.

use throng::maths::sin_cos;
use throng::{PathFault, Vector};

use crate::fields::{Fields, Reader};
use crate::keys::FACTORS;
use crate::read_lifts::storeys_of;
use crate::reason::Reason;
use crate::ribbon::{LEAST, Ribbon};
use crate::stair::Stair;
use crate::storeys::{Storey, is_out, overlap};

/// The angle by which a spiral turns at a time, in degrees.
const STEP: f32 = 15.0;

/// Reads a stair in a plan of this size, after the others. Returns `None` after a problem.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    fields: &Fields<'d>,
    (storeys, others): (&[Storey], &[Stair]),
    plan: [f32; 2],
) -> Option<Stair> {
    let foot = reader.vectors(fields, "foot", 2);
    let [up, down, escalator, turn] = ["up", "down", "escalator", "turn"].map(|key| reader.number(fields, key));
    let [run, centre] = ["run", "centre"].map(|key| reader.per_axis(fields, key, 2));
    let path = reader.vectors(fields, "path", 2);
    let ends = read_ends(reader, fields, storeys);
    let mut refuse = |key: &str, reason| {
        match fields.entry(key) {
            Some(entry) => reader.refuse(fields.path_of(key), &entry.item, Reason::Stair(reason)),
            None => reader.note(fields.at, fields.path.clone(), None, Reason::Stair(reason)),
        }
        None
    };
    let [a, b] = &foot?[..] else { return refuse("foot", "must be the two ends of a line: [[x, y], [x, y]]") };
    let foot = [a, b].map(|end| Vector([end[0], end[1]]));
    let along = foot[1] - foot[0];
    let axis = usize::from(along[0] == 0.0);
    if along[1 - axis] != 0.0 || along[axis].abs() < LEAST {
        let reason = "must be a line of 0.1 m or more along an axis: [[x1, y], [x2, y]] or [[x, y1], [x, y2]]";
        return refuse("foot", reason);
    }
    if turn.is_some() && centre.is_none() {
        return refuse("turn", "needs `centre`");
    }
    let is_across = |leg: Vector<2>| leg[axis].abs() < 1e-4 && leg[1 - axis].abs() >= LEAST;
    let middle = (foot[0] + foot[1]) * 0.5;
    let given = ["run", "path", "centre"].map(|key| fields.entry(key).is_some());
    let legs = match (given, run.as_deref(), path.as_deref(), centre.as_deref()) {
        ([true, false, false], Some(&[x, y]), ..) if is_across(Vector([x, y])) && [x, y][axis] == 0.0 => {
            vec![Vector([x, y])]
        }
        ([true, false, false], None, ..) => return None,
        ([true, false, false], ..) if axis == 0 => {
            return refuse("run", "must be [0, y] with y of 0.1 m or more either way, across `foot`");
        }
        ([true, false, false], ..) => {
            return refuse("run", "must be [x, 0] with x of 0.1 m or more either way, across `foot`");
        }
        ([false, true, false], _, Some(points), _) => {
            let (mut at, points) = (middle, points.iter().map(|point| Vector([point[0], point[1]])));
            let legs: Vec<Vector<2>> = points.map(|next| next - std::mem::replace(&mut at, next)).collect();
            if !legs.first().is_some_and(|&leg| is_across(leg)) || legs.iter().any(|leg| leg.length() < LEAST) {
                return refuse("path", "must lead from the middle of `foot` across it, in parts of 0.1 m or more");
            }
            straightened(legs)
        }
        ([false, false, true], .., Some(&[x, y])) => {
            let Some(turn) = turn.filter(|turn| turn.abs() >= STEP) else {
                return refuse("turn", "needs `turn`, of 15 degrees or more either way");
            };
            let out = middle - Vector([x, y]);
            if out[1 - axis].abs() > 1e-4 || out.length() <= along.length() * 0.5 {
                return refuse("centre", "must lie on the line of `foot`, beyond its ends");
            }
            spiral(out, turn)
        }
        ([false, true, false] | [false, false, true], ..) => return None,
        _ => return refuse("foot", "needs exactly one of `run`, `path` and `centre`"),
    };
    let name = fields.entry("name")?.item.node.text()?.to_owned();
    let factors = [up.unwrap_or(FACTORS[0]), down.unwrap_or(FACTORS[1])];
    let escalator = escalator.unwrap_or(0.0);
    let mut foot = foot;
    // A foot has the storey on its left.
    if along[1] * legs[0][0] < along[0] * legs[0][1] {
        foot.reverse();
    }
    let way = Ribbon::new(foot, legs);
    let [near, far] = way.sides();
    let outline: Vec<_> = near.into_iter().chain(far.into_iter().rev()).collect();
    if !way.has_room() || PathFault::of(&outline, true).is_some() || way.flights.is_empty() {
        let key = ["run", "path", "turn"][given.iter().position(|given| *given).unwrap_or(0)];
        let reason = "must be a way that turns by a right angle at most, and whose sides do not meet: longer parts, or a narrower foot";
        return refuse(key, reason);
    }
    let pieces = way.pieces().into_iter().map(|piece| (piece, Vector::ZERO)).collect();
    let stair = Stair { name, storeys: ends?, pieces, factors, escalator };
    check(reader, fields, (&stair, others), plan);
    Some(stair)
}

/// Joins legs in a row that have the same direction.
fn straightened(legs: Vec<Vector<2>>) -> Vec<Vector<2>> {
    let mut joined: Vec<Vector<2>> = Vec::new();
    for leg in legs {
        match joined.last_mut().filter(|last| last.direction().dot(leg.direction()) > 0.999_99) {
            Some(last) => *last += leg,
            None => joined.push(leg),
        }
    }
    joined
}

/// The legs of a spiral that turns about a point by degrees, from the place of its foot as seen from the point: sides of
/// a polygon around the circle.
fn spiral(out: Vector<2>, degrees: f32) -> Vec<Vector<2>> {
    let count = (degrees.abs() / STEP).round();
    let step = degrees / count * (std::f32::consts::PI / 180.0);
    let corner = out / sin_cos(0.5 * step).1;
    let turned = |vector: Vector<2>, steps: f32| {
        let (sine, cosine) = sin_cos(step * steps);
        Vector([vector[0] * cosine - vector[1] * sine, vector[0] * sine + vector[1] * cosine])
    };
    let corners = (0..count as u32).map(|number| turned(corner, number as f32 + 0.5));
    let mut at = out;
    corners.chain([turned(out, count)]).map(|next| next - std::mem::replace(&mut at, next)).collect()
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
fn check<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, (stair, others): (&Stair, &[Stair]), size: [f32; 2]) {
    let [low, high] = stair.inside();
    if is_out([low.0, high.0], size) {
        let at = fields.entry("foot").map_or(fields.at, |entry| entry.item.at);
        reader.note(at, fields.path.clone(), None, Reason::OutOfPlan("flight", size));
    }
    let overlaps = |other: &&Stair| {
        let is_beside = stair.storeys.iter().any(|storey| other.storeys.contains(storey));
        is_beside && overlap(other.inside(), [low, high])
    };
    if let (Some(other), Some(entry)) = (others.iter().find(overlaps), fields.entry("foot")) {
        reader.refuse(fields.path_of("foot"), &entry.item, Reason::Overlaps(other.name.clone()));
    }
}
