//! Polygons in space, cut into triangles.

use crate::mesh::triangle::{Point, Triangle, contains, turn};

/// The triangles of a polygon, by the places of their corners in it: ears are cut off, so that corners may be re-entrant.
pub(super) fn triangles(corners: &[Point]) -> Vec<[usize; 3]> {
    let flat = seen_from_front(corners);
    let (mut left, mut found): (Vec<usize>, _) = ((0..corners.len()).collect(), Vec::new());
    while left.len() > 3 {
        let around = |place: usize| [left.len() - 1, 0, 1].map(|step| left[(place + step) % left.len()]);
        let is_ear = |place: &usize| {
            let ear = around(*place);
            let triangle: Triangle = ear.map(|corner| flat[corner]);
            let is_in =
                |corner: &usize| !ear.contains(corner) && contains(&triangle, [flat[*corner][0], flat[*corner][1]]);
            turn(&triangle[0], &triangle[1], &triangle[2]) > 0.0 && !left.iter().any(is_in)
        };
        // A polygon that crosses itself may have none.
        let place = (0..left.len()).find(is_ear).unwrap_or(1);
        found.push(around(place));
        left.remove(place);
    }
    found.push([left[0], left[1], left[2]]);
    found
}

/// The corners in a plane in which they run counterclockwise, with heights of zero.
fn seen_from_front(corners: &[Point]) -> Vec<Point> {
    let next = corners.iter().cycle().skip(1);
    let normal = corners.iter().zip(next).fold([0.0; 3], |normal: Point, (a, b)| {
        std::array::from_fn(|axis| {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            normal[axis] + (a[u] - b[u]) * (a[v] + b[v])
        })
    });
    let axis = (0..3).fold(0, |most, axis| if normal[axis].abs() > normal[most].abs() { axis } else { most });
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    let [u, v] = if normal[axis] < 0.0 { [v, u] } else { [u, v] };
    corners.iter().map(|corner| [corner[u], corner[v], 0.0]).collect()
}
