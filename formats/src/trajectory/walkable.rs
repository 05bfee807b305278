//! The area without walls as a polygon with holes, for formats that have a place for it.

use std::fmt::Write;

type Ring = Vec<[f64; 2]>;

/// The polygon of a world with these lower and upper corners as well-known text. Of the closed walls, the smallest one
/// around all `agents` is its outline; those within it without agents inside are its holes, as are `solids`. Holes that
/// overlap others or the outline are left out.
#[must_use]
pub fn walkable_area(bounds: [[f64; 2]; 2], closed: &[Ring], solids: &[Ring], agents: &[[f64; 2]]) -> String {
    let [low, high] = bounds;
    let world = vec![low, [high[0], low[1]], high, [low[0], high[1]]];
    let around = |ring: &&Ring| !agents.is_empty() && agents.iter().all(|agent| contains(ring, *agent));
    let outline = closed.iter().filter(around).min_by(|a, b| area(a).total_cmp(&area(b))).unwrap_or(&world);
    let empty = |ring: &&Ring| !agents.iter().any(|agent| contains(ring, *agent));
    let mut holes: Vec<&Ring> = Vec::new();
    for hole in closed.iter().filter(empty).chain(solids) {
        let inside = hole.len() > 2 && hole.iter().all(|corner| contains(outline, *corner));
        if inside && !crosses(outline, hole) && !holes.iter().any(|other| touches(other, hole)) {
            holes.push(hole);
        }
    }
    let mut text = "GEOMETRYCOLLECTION (POLYGON (".to_owned();
    for (number, ring) in std::iter::once(outline).chain(holes).enumerate() {
        text.push_str(if number == 0 { "(" } else { ", (" });
        for corner in ring {
            let _ = write!(text, "{} {}, ", corner[0], corner[1]);
        }
        let _ = write!(text, "{} {})", ring[0][0], ring[0][1]);
    }
    text.push_str("))");
    text
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
        let closed = [square(1.0, 18.0), square(2.0, 10.0), square(3.0, 1.0), square(14.0, 2.0)];
        let text = walkable_area(world, &closed, &[square(5.0, 1.0), square(5.5, 2.0)], &[[8.0, 8.0], [9.0, 3.0]]);
        // The second hole overlaps the first one of the solids; the last wall is outside.
        let rings = "(2 2, 12 2, 12 12, 2 12, 2 2), (3 3, 4 3, 4 4, 3 4, 3 3), (5 5, 6 5, 6 6, 5 6, 5 5)";
        assert_eq!(text, format!("GEOMETRYCOLLECTION (POLYGON ({rings}))"));
        // Without agents the world is the outline.
        let text = walkable_area(world, &[], &[], &[]);
        assert_eq!(text, "GEOMETRYCOLLECTION (POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0)))");
    }
}
