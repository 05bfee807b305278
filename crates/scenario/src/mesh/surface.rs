//! The surface on which people walk: its sheets, where they end and join, and its heights.

use throng::Vector;

use crate::mesh::bins::Bins;
use crate::mesh::edges::{Joint, join, lines};
use crate::mesh::sheets::cut;
use crate::mesh::triangle::{CLOSE, Point, Triangle, contains, nearest};
use crate::mesh::weld::Ground;

/// Triangles in sheets, in the coordinates of the plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Surface {
    triangles: Vec<Triangle>,
    /// The sheet of each triangle.
    sheets: Vec<u32>,
    bins: Bins,
    /// The lines at which the ground ends, each with its sheet.
    pub(crate) ends: Vec<(u32, Vec<Vector<2>>)>,
    /// The lines at which two sheets join: the first one lies left of the line.
    pub(crate) seams: Vec<([u32; 2], Vec<Vector<2>>)>,
    /// The number of parts that no way of people joins, and a place on the smallest one.
    pub(crate) parts: (usize, Point),
}

impl Surface {
    /// The surface of ground in a plan of this size.
    pub(crate) fn new(ground: &Ground, size: [f32; 2]) -> Result<Self, String> {
        let triangles: Vec<Triangle> = (0..ground.triangles.len()).map(|number| ground.triangle(number)).collect();
        let (joints, single) = join(ground);
        let sheets = cut(&triangles, &joints, size)?;
        let mut bins = Bins::new(size);
        (0..).zip(&triangles).for_each(|(number, triangle)| bins.add(number, triangle));
        let single = single.iter().map(|edge| (sheets[edge.triangle as usize], edge.ends)).collect();
        let pair =
            |&(edge, other): &Joint| ([edge.triangle, other].map(|triangle| sheets[triangle as usize]), edge.ends);
        // The sheet of the lower number lies left, so that the parts of a seam follow each other.
        let ordered = |([left, right], [a, b]): ([u32; 2], [u32; 2])| {
            if left < right { ([left, right], [a, b]) } else { ([right, left], [b, a]) }
        };
        let seams = joints.iter().map(pair).filter(|([left, right], _)| left != right).map(ordered).collect();
        let parts = parts(&triangles, &joints);
        Ok(Self {
            ends: flat(lines(ground, single)),
            seams: flat(lines(ground, seams)),
            triangles,
            sheets,
            bins,
            parts,
        })
    }

    /// The number of sheets.
    pub(crate) fn count(&self) -> u32 {
        self.sheets.iter().fold(0, |most, &sheet| if sheet < most { most } else { sheet + 1 })
    }

    /// The corners of triangles, with their sheets.
    pub(crate) fn corners(&self) -> impl Iterator<Item = (u32, &Point)> {
        self.sheets
            .iter()
            .zip(&self.triangles)
            .flat_map(|(&sheet, triangle)| triangle.iter().map(move |at| (sheet, at)))
    }

    /// The sheets at a place of the plan, each with its height there.
    fn over(&self, at: Vector<2>) -> impl Iterator<Item = (u32, f32)> {
        let at = at.0.map(f64::from);
        let found = self.bins.near(at.map(|along| [along; 2]), CLOSE).map(|number| number as usize);
        let over = found.filter(move |&number| contains(&self.triangles[number], at));
        over.map(move |number| (self.sheets[number], nearest(&self.triangles[number], at).1 as f32))
    }

    /// The sheet at a place of the plan whose ground is the nearest to a height, or the lowest one.
    pub(crate) fn sheet_at(&self, at: Vector<2>, height: Option<f32>) -> Option<u32> {
        let rank = |found: f32| height.map_or(found, |height| (found - height).abs());
        self.over(at).min_by(|(_, one), (_, other)| rank(*one).total_cmp(&rank(*other))).map(|(sheet, _)| sheet)
    }

    /// Whether a sheet has ground at a place of the plan.
    pub(crate) fn is_ground(&self, sheet: u32, at: Vector<2>) -> bool {
        self.over(at).any(|(found, _)| found == sheet)
    }

    /// The height of a sheet at a place of the plan, or beside its ground at the nearest place of it.
    pub(crate) fn height(&self, sheet: u32, at: Vector<2>) -> f32 {
        if let Some((_, height)) = self.over(at).find(|(found, _)| *found == sheet) {
            return height;
        }
        let at = at.0.map(f64::from);
        let own = self.sheets.iter().zip(&self.triangles).filter(|(found, _)| **found == sheet);
        let distances = own.map(|(_, triangle)| nearest(triangle, at));
        distances.min_by(|one, other| one.0.total_cmp(&other.0)).map_or(0.0, |(_, height)| height as f32)
    }
}

/// The lines in the plan.
fn flat<K>(lines: Vec<(K, Vec<Point>)>) -> Vec<(K, Vec<Vector<2>>)> {
    let flat = |point: &Point| Vector([point[0] as f32, point[1] as f32]);
    lines.into_iter().map(|(kind, points)| (kind, points.iter().map(flat).collect())).collect()
}

/// The number of parts of the ground that no joint connects, and a corner of the smallest one.
fn parts(triangles: &[Triangle], joints: &[Joint]) -> (usize, Point) {
    let mut roots: Vec<usize> = (0..triangles.len()).collect();
    fn root(roots: &mut [usize], mut number: usize) -> usize {
        while roots[number] != number {
            roots[number] = roots[roots[number]];
            number = roots[number];
        }
        number
    }
    for (edge, other) in joints {
        let [one, other] = [edge.triangle, *other].map(|number| root(&mut roots, number as usize));
        roots[if one < other { other } else { one }] = if one < other { one } else { other };
    }
    let mut sizes = vec![0; triangles.len()];
    (0..triangles.len()).for_each(|number| sizes[root(&mut roots, number)] += 1);
    let is_part = |number: &usize| sizes[*number] > 0;
    let least = (0..triangles.len()).filter(is_part).min_by_key(|&number| sizes[number]);
    (sizes.iter().filter(|&&size| size > 0).count(), least.map_or([0.0; 3], |number| triangles[number][0]))
}
