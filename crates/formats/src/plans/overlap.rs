//! Areas that overlap each other or share a part of an edge: their walls would stand where people walk.

use crate::plans::limits::NEAR;
use crate::plans::plan::Area;

pub(crate) type Point = [f64; 2];

/// The largest number of pairs of edges, or of areas, that are compared.
const MOST_PAIRS: usize = 20_000_000;

/// The number of an area that overlaps one before it or has a part of an edge in common with it. `Err` if the areas are
/// too many to be compared.
pub(crate) fn first_overlap(areas: &[Area]) -> Result<Option<usize>, usize> {
    let mut first = first_meeting(areas)?;
    if areas.len().saturating_mul(areas.len()) > MOST_PAIRS {
        return Err(MOST_PAIRS);
    }
    for (one, a) in areas.iter().enumerate() {
        for (other, _) in areas.iter().enumerate().filter(|(other, b)| *other != one && is_inside(a.outline[0], b)) {
            first = earlier(first, one, other);
        }
    }
    Ok(first)
}

/// The first one of two numbers of later areas.
fn earlier(first: Option<usize>, one: usize, other: usize) -> Option<usize> {
    let later = one.max(other);
    Some(first.map_or(later, |first| first.min(later)))
}

/// The number of an area that has an edge which crosses one of an area before it, or has a part in common with it. `Err` if
/// the edges are too many to be compared.
pub(crate) fn first_meeting(areas: &[Area]) -> Result<Option<usize>, usize> {
    let mut edges = Vec::new();
    for (number, area) in areas.iter().enumerate() {
        for ring in rings(area) {
            edges.extend(ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| (number, [a, b])));
        }
    }
    edges.sort_by(|(_, a), (_, b)| low(a, 0).total_cmp(&low(b, 0)));
    let (mut first, mut pairs) = (None, 0);
    for (place, (one, a)) in edges.iter().enumerate() {
        let reached = edges[place + 1..].iter().take_while(|(_, b)| low(b, 0) <= high(a, 0) + NEAR);
        for (other, b) in reached {
            pairs += 1;
            if pairs > MOST_PAIRS {
                return Err(MOST_PAIRS);
            }
            let near = low(b, 1) <= high(a, 1) + NEAR && low(a, 1) <= high(b, 1) + NEAR;
            if one != other && near && (cross_or_share(a, b) || nearly_share(a, b)) {
                first = earlier(first, *one, *other);
            }
        }
    }
    Ok(first)
}

pub(crate) fn rings(area: &Area) -> impl Iterator<Item = &Vec<Point>> {
    std::iter::once(&area.outline).chain(&area.holes)
}

pub(crate) fn low([a, b]: &[Point; 2], axis: usize) -> f64 {
    a[axis].min(b[axis])
}

pub(crate) fn high([a, b]: &[Point; 2], axis: usize) -> f64 {
    a[axis].max(b[axis])
}

/// Twice the area of the triangle; its sign is the side of the line from `a` to `b` on which `c` is.
pub(crate) fn side(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether two edges cross, or lie on one line with a part in common. Edges that only touch do neither.
pub(crate) fn cross_or_share(&[a, b]: &[Point; 2], &[p, q]: &[Point; 2]) -> bool {
    let (of_p, of_q, of_a, of_b) = (side(a, b, p), side(a, b, q), side(p, q, a), side(p, q, b));
    if of_p == 0.0 && of_q == 0.0 {
        let common =
            |axis: usize| high(&[a, b], axis).min(high(&[p, q], axis)) - low(&[a, b], axis).max(low(&[p, q], axis));
        return common(0) > 0.0 || common(1) > 0.0;
    }
    of_p * of_q < 0.0 && of_a * of_b < 0.0
}

/// Whether edges nearer than [`NEAR`] to one line have a part in common.
fn nearly_share(one: &[Point; 2], other: &[Point; 2]) -> bool {
    let on_line = |[a, b]: &[Point; 2], ends: &[Point; 2]| {
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        let reach = NEAR * (x * x + y * y).sqrt();
        ends.iter().all(|&end| side(*a, *b, end).abs() <= reach)
    };
    let common = |axis: usize| high(one, axis).min(high(other, axis)) - low(one, axis).max(low(other, axis));
    (on_line(one, other) || on_line(other, one)) && (common(0) > NEAR || common(1) > NEAR)
}

/// Whether a point is inside an area and not on its edge.
pub(crate) fn is_inside(at: Point, area: &Area) -> bool {
    let mut inside = false;
    for ring in rings(area) {
        for (&a, &b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let edge = [a, b];
            let is_on = side(a, b, at) == 0.0
                && (0..2).all(|axis| low(&edge, axis) <= at[axis] && at[axis] <= high(&edge, axis));
            if is_on {
                return false;
            }
            if (a[1] > at[1]) != (b[1] > at[1]) {
                inside ^= at[0] < a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
            }
        }
    }
    inside
}
