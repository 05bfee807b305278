//! The area without walls as a polygon with holes, for formats that have a place for it.

use std::fmt::Write;

type Ring = Vec<[f64; 2]>;

/// Half the thickness of a wall without one, in metres.
#[cfg(feature = "plans")]
const HALF: f64 = 0.005;

/// The most sides of walls that are cut out of an area.
#[cfg(feature = "plans")]
const MOST_SIDES: usize = 4000;

/// The walls of a world. Paths have no thickness.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walls {
    /// Paths that end where they begin.
    pub closed: Vec<Vec<[f64; 2]>>,
    /// Paths with two ends.
    pub open: Vec<Vec<[f64; 2]>>,
    /// The outlines of pillars and blocks.
    pub solids: Vec<Vec<[f64; 2]>>,
}

/// The polygon of a world with these lower and upper corners as well-known text. Of the closed walls, the smallest one
/// around all `agents` is its outline; those within it without agents inside are its holes, as are solids. With the
/// feature `plans`, walls with ends are cut out of it with a thickness of a centimetre, and so are holes that overlap
/// others or the outline; if that divides it, the largest part with an agent is the result. Without it they are left out.
#[must_use]
pub fn walkable_area(bounds: [[f64; 2]; 2], walls: &Walls, agents: &[[f64; 2]]) -> String {
    let Walls { closed, open, solids } = walls;
    let [low, high] = bounds;
    let world = vec![low, [high[0], low[1]], high, [low[0], high[1]]];
    let around = |ring: &&Ring| !agents.is_empty() && agents.iter().all(|agent| contains(ring, *agent));
    let outline = closed.iter().filter(around).min_by(|a, b| area(a).total_cmp(&area(b))).unwrap_or(&world);
    let empty = |ring: &&Ring| !agents.iter().any(|agent| contains(ring, *agent));
    let mut holes: Vec<&Ring> = Vec::new();
    let mut apart = open.is_empty();
    for hole in closed.iter().filter(empty).chain(solids).filter(|hole| *hole != outline) {
        let inside = hole.len() > 2 && hole.iter().all(|corner| contains(outline, *corner));
        if inside && !crosses(outline, hole) && !holes.iter().any(|other| touches(other, hole)) {
            holes.push(hole);
        } else {
            apart = false;
        }
    }
    #[cfg(feature = "plans")]
    if !apart && let Some(text) = cut(outline, walls, agents) {
        return text;
    }
    #[cfg(not(feature = "plans"))]
    let _ = apart;
    text(std::iter::once(outline).chain(holes))
}

/// A polygon as well-known text, its outline first.
fn text<'r>(rings: impl Iterator<Item = &'r Ring>) -> String {
    let mut text = "GEOMETRYCOLLECTION (POLYGON (".to_owned();
    for (number, ring) in rings.enumerate() {
        text.push_str(if number == 0 { "(" } else { ", (" });
        for corner in ring {
            let _ = write!(text, "{} {}, ", corner[0], corner[1]);
        }
        let _ = write!(text, "{} {})", ring[0][0], ring[0][1]);
    }
    text.push_str("))");
    text
}

/// The outline without all walls inside of it: of its parts the largest with an agent. `None` if it cannot be found.
#[cfg(feature = "plans")]
fn cut(outline: &Ring, walls: &Walls, agents: &[[f64; 2]]) -> Option<String> {
    use crate::plans::plan::{Area, AreaKind};
    use crate::plans::union::without;

    let of = |outline: Ring| Area { name: None, kind: AreaKind::Walkable, outline, holes: Vec::new() };
    let thin = |path: &Ring| path.windows(2).filter_map(|ends| thin(ends[0], ends[1])).collect::<Vec<_>>();
    let closed = walls.closed.iter().filter(|ring| *ring != outline);
    let closed = closed.map(|ring| ring.iter().chain(ring.first()).copied().collect::<Ring>());
    let paths: Vec<Ring> = walls.open.iter().cloned().chain(closed).collect();
    let solids = paths.iter().flat_map(thin).chain(walls.solids.iter().filter(|solid| solid.len() > 2).cloned());
    let mut areas = vec![of(outline.clone())];
    areas.extend(solids.map(of));
    if areas.len() > MOST_SIDES {
        return None;
    }
    let inside =
        |area: &Area, point| contains(&area.outline, point) && !area.holes.iter().any(|hole| contains(hole, point));
    let mut parts = without(&areas)?;
    parts.retain(|part| agents.is_empty() || agents.iter().any(|agent| inside(part, *agent)));
    let largest = parts.iter().max_by(|a, b| area(&a.outline).total_cmp(&area(&b.outline)))?;
    Some(text(std::iter::once(&largest.outline).chain(&largest.holes)))
}

/// A wall between two points with a thickness and ends.
#[cfg(feature = "plans")]
fn thin(from: [f64; 2], to: [f64; 2]) -> Option<Ring> {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let length = (x * x + y * y).sqrt();
    let [x, y] = [x / length * HALF, y / length * HALF];
    let corner =
        |end: [f64; 2], along: f64, across: f64| [end[0] + along * x - across * y, end[1] + along * y + across * x];
    (length > HALF)
        .then(|| vec![corner(from, -1.0, -1.0), corner(to, 1.0, -1.0), corner(to, 1.0, 1.0), corner(from, -1.0, 1.0)])
}

fn sides(ring: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

fn area(ring: &[[f64; 2]]) -> f64 {
    // bits: only a description of the world has this number
    sides(ring).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>().abs()
}

/// Whether a point is inside a polygon: a ray from it crosses an odd number of sides.
fn contains(ring: &[[f64; 2]], point: [f64; 2]) -> bool {
    let crossed = |(a, b): &([f64; 2], [f64; 2])| {
        (a[1] > point[1]) != (b[1] > point[1]) && point[0] < a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    };
    sides(ring).filter(crossed).count() % 2 == 1
}

/// Whether two polygons have sides that meet.
fn crosses(one: &[[f64; 2]], other: &[[f64; 2]]) -> bool {
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let apart = |a: f64, b: f64| a > 0.0 && b > 0.0 || a < 0.0 && b < 0.0;
    let meet = |(a, b), (c, d)| {
        let beside = |axis: usize| {
            let limits = |one: [f64; 2], other: [f64; 2]| {
                if one[axis] < other[axis] { [one[axis], other[axis]] } else { [other[axis], one[axis]] }
            };
            let ([low, high], [from, to]) = (limits(a, b), limits(c, d));
            high < from || to < low
        };
        !beside(0) && !beside(1) && !apart(turn(a, b, c), turn(a, b, d)) && !apart(turn(c, d, a), turn(c, d, b))
    };
    sides(one).any(|side| sides(other).any(|another| meet(side, another)))
}

/// Whether two polygons have a point in common.
fn touches(one: &[[f64; 2]], other: &[[f64; 2]]) -> bool {
    crosses(one, other) || contains(one, other[0]) || contains(other, one[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(left: f64, size: f64) -> Ring {
        vec![[left, left], [left + size, left], [left + size, left + size], [left, left + size]]
    }

    #[test]
    fn the_smallest_wall_around_all_agents_is_the_outline() {
        let world = [[0.0, 0.0], [20.0, 20.0]];
        let closed = vec![square(1.0, 18.0), square(2.0, 10.0), square(3.0, 1.0), square(14.0, 2.0)];
        let walls = Walls { closed, solids: vec![square(5.0, 1.0), square(5.5, 2.0)], ..Walls::default() };
        let text = walkable_area(world, &walls, &[[8.0, 8.0], [9.0, 3.0]]);
        // Both solids overlap and are one hole; where some do, all are wider by 5 mm. The last wall is outside.
        let one = "(2.995 2.995, 2.995 4.005, 4.005 4.005, 4.005 2.995, 2.995 2.995)";
        let other = "(5 5, 5 6, 5.5 6, 5.5 7.5, 7.5 7.5, 7.5 5.5, 6 5.5, 6 5, 5 5)";
        let rings = format!("(2 2, 12 2, 12 12, 2 12, 2 2), {one}, {other}");
        assert_eq!(text, format!("GEOMETRYCOLLECTION (POLYGON ({rings}))"));
        // Without agents the world is the outline.
        let text = walkable_area(world, &Walls::default(), &[]);
        assert_eq!(text, "GEOMETRYCOLLECTION (POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0)))");
    }

    /// A wall with a door in the middle of the world, and one that closes a corner off.
    #[cfg(feature = "plans")]
    #[test]
    fn walls_with_ends_are_cut_out() {
        let open = vec![
            vec![[10.0, 0.0], [10.0, 8.0]],
            vec![[10.0, 10.0], [10.0, 20.0]],
            vec![[16.0, 0.0], [16.0, 4.0], [20.0, 4.0]],
        ];
        let walls = Walls { open, solids: vec![square(3.0, 1.0)], ..Walls::default() };
        let text = walkable_area([[0.0; 2], [20.0; 2]], &walls, &[[1.0, 1.0], [12.0, 12.0]]);
        let rings: Vec<Ring> = text
            .trim_start_matches("GEOMETRYCOLLECTION (POLYGON (")
            .trim_matches(['(', ')'])
            .split("), (")
            .map(|ring| {
                let point = |text: &str| {
                    let (x, y) = text.split_once(' ').unwrap();
                    [x.parse().unwrap(), y.parse().unwrap()]
                };
                ring.split(", ").map(point).collect()
            })
            .collect();
        assert_eq!(rings.len(), 2, "{text}");
        let inside = |point| contains(&rings[0], point) && !contains(&rings[1], point);
        for (point, expected) in [
            ([1.0, 1.0], true),
            ([19.0, 19.0], true),
            ([10.0, 9.0], true),
            ([10.0, 4.0], false),
            ([10.0, 15.0], false),
            ([3.5, 3.5], false),
            ([18.0, 2.0], false),
        ] {
            assert_eq!(inside(point), expected, "{point:?} in {text}");
        }
    }
}
