//! The ground in a mesh: the triangles on which people can walk, with the vertices that coincide as one.

use std::collections::BTreeMap;

use throng::maths::sin_cos;
use throng::parameters::Range;

use crate::mesh::obj::Mesh;
use crate::mesh::polygon;
use crate::mesh::triangle::{Point, Triangle, turn};

/// Vertices are at multiples of one part of this of a metre, so that all sums with offsets of sheets are exact.
const PARTS: f64 = 1024.0;

/// The largest coordinate in whose range they are, in metres.
pub(crate) const FARTHEST: f32 = 16384.0;

/// Where a mesh lies in the plan.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The place of the mesh's origin, in metres.
    pub(crate) origin: [f64; 2],
    /// The length of a unit of the mesh, in metres.
    pub(crate) scale: f64,
    /// Whether the third axis of the mesh points up. Otherwise the second one does, and the third one to the front.
    pub(crate) is_third_up: bool,
    /// The largest slope on which people walk, in degrees.
    pub(crate) slope: f32,
    /// The size of the plan, in metres.
    pub(crate) size: [f32; 2],
}

impl Frame {
    fn place(&self, point: &Point) -> Point {
        let [x, y, height] = if self.is_third_up { *point } else { [point[0], -point[2], point[1]] };
        [self.origin[0] + self.scale * x, self.origin[1] + self.scale * y, self.scale * height]
    }

    /// Refuses ground that reaches out of the plan.
    fn check_inside(&self, triangles: &[Triangle]) -> Result<(), String> {
        let all = || triangles.iter().flatten();
        let least = |axis: usize| all().fold(f64::INFINITY, |low, at| if at[axis] < low { at[axis] } else { low });
        let most = |axis: usize| all().fold(-f64::INFINITY, |high, at| if at[axis] > high { at[axis] } else { high });
        let ([left, bottom], [right, top]) = ([least(0), least(1)], [most(0), most(1)]);
        let [x, y] = self.size.map(f64::from);
        if !(Range::COORDINATE.contains(least(2)) && Range::COORDINATE.contains(most(2))) {
            return Err(format!(
                "heights reach from {} to {} m: they must be in {}",
                least(2),
                most(2),
                Range::COORDINATE
            ));
        }
        if left >= 0.0 && bottom >= 0.0 && right <= x && top <= y {
            return Ok(());
        }
        let remedy = if right - left <= x && top - bottom <= y {
            let [x, y] = [self.origin[0] - left, self.origin[1] - bottom].map(|at| (at * 1e3).ceil() / 1e3);
            format!("set origin = [{x}, {y}]")
        } else {
            "set scale, origin or the world's size".to_owned()
        };
        let reach = format!("({left:.3}, {bottom:.3}) to ({right:.3}, {top:.3})");
        Err(format!("the ground reaches from {reach} m, out of the world, (0, 0) to ({x}, {y}) m: {remedy}"))
    }
}

/// The triangles of a mesh on which people can walk, by the numbers of their vertices, counterclockwise in the plan.
#[derive(Debug, Default)]
pub(crate) struct Ground {
    pub(super) points: Vec<Point>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Ground {
    /// The ground of a mesh: the faces seen from above, or from below in a mesh that is turned inside out.
    pub(crate) fn new(mesh: &Mesh, frame: &Frame) -> Result<Self, String> {
        let (sine, cosine) = sin_cos(frame.slope * (std::f32::consts::PI / 180.0));
        let steepest = f64::from(sine) / f64::from(cosine);
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for face in &mesh.faces {
            let corners: Vec<Point> = face.iter().map(|&number| frame.place(&mesh.points[number])).collect();
            for [a, b, c] in polygon::triangles(&corners).into_iter().map(|ear| ear.map(|corner| corners[corner])) {
                let area = turn(&a, &b, &c);
                if steepness(&[a, b, c]) <= steepest + 1e-6 {
                    if area > 0.0 { above.push([a, b, c]) } else { below.push([c, b, a]) }
                }
            }
        }
        let walkable = if above.is_empty() { below } else { above };
        if walkable.is_empty() {
            let (faces, slope) = (mesh.faces.len(), frame.slope);
            return Err(format!("none of the {faces} faces has a slope of {slope} degrees or less: is `up` right?"));
        }
        frame.check_inside(&walkable)?;
        let mut ground = Self::default();
        let mut known = BTreeMap::new();
        for triangle in walkable {
            let corners = triangle.map(|point| ground.weld(&mut known, point));
            let [a, b, c] = corners.map(|corner| ground.points[corner as usize]);
            if turn(&a, &b, &c) > 0.0 {
                ground.triangles.push(corners);
            }
        }
        if ground.triangles.is_empty() {
            return Err("all faces are smaller than a millimetre: set scale".to_owned());
        }
        Ok(ground)
    }

    /// The number of a vertex, which it shares with another one that is as near as rounding.
    fn weld(&mut self, known: &mut BTreeMap<[i64; 3], u32>, point: Point) -> u32 {
        let at = point.map(|along| (along * PARTS).round() as i64);
        let near =
            |number: i64| known.get(&[at[0] + number % 3 - 1, at[1] + number / 3 % 3 - 1, at[2] + number / 9 - 1]);
        let found = known.get(&at).or_else(|| (0..27).find_map(near)).copied();
        found.unwrap_or_else(|| {
            let number = self.points.len() as u32;
            self.points.push(at.map(|along| along as f64 / PARTS));
            known.insert(at, number);
            number
        })
    }

    pub(super) fn triangle(&self, number: usize) -> Triangle {
        self.triangles[number].map(|corner| self.points[corner as usize])
    }
}

/// The slope of a triangle: its rise over its run.
pub(super) fn steepness(triangle: &Triangle) -> f64 {
    let [a, b, c] = triangle;
    let normal = |u: usize, v: usize| (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
    let [x, y, up] = [normal(1, 2), normal(2, 0), normal(0, 1)];
    if up == 0.0 { f64::INFINITY } else { (x * x + y * y).sqrt() / up.abs() }
}
