//! An R-tree over numbered boxes, in a world that may be periodic.

use std::ops::ControlFlow;

use rstar::{AABB, Envelope, PointDistance, RTree, RTreeObject};

use crate::base::settings::Settings;
use crate::kernels::boxes::SLACK;
use crate::maths::Vector;

/// One box of the tree, with its precomputed envelope.
#[derive(Clone, Copy, Debug)]
struct Leaf<const D: usize> {
    envelope: AABB<[f32; D]>,
    number: u32,
}

impl<const D: usize> RTreeObject for Leaf<D> {
    type Envelope = AABB<[f32; D]>;

    #[inline(always)]
    fn envelope(&self) -> Self::Envelope {
        self.envelope
    }
}

impl<const D: usize> PointDistance for Leaf<D> {
    fn distance_2(&self, point: &[f32; D]) -> f32 {
        self.envelope.distance_2(point)
    }
}

/// A box, given by its centre and half of its extent on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb<const D: usize> {
    pub(crate) centre: Vector<D>,
    pub(crate) half: Vector<D>,
}

impl<const D: usize> Aabb<D> {
    /// Returns the bounding box of boxes, with the image of each that is nearest to the first. Without boxes its extent
    /// is zero.
    pub(crate) fn around(mut boxes: impl Iterator<Item = Self>, settings: &Settings<D>) -> Self {
        let first = boxes.next().unwrap_or(Self { centre: Vector::ZERO, half: Vector::ZERO });
        let (mut low, mut high) = (-first.half, first.half);
        for Self { centre, half } in boxes {
            let offset = settings.offset(first.centre, centre);
            for axis in 0..D {
                let (lower, upper) = (offset[axis] - half[axis], offset[axis] + half[axis]);
                low[axis] = if lower < low[axis] { lower } else { low[axis] };
                high[axis] = if upper > high[axis] { upper } else { high[axis] };
            }
        }
        Self { centre: first.centre + (low + high) * 0.5, half: (high - low) * 0.5 }
    }
}

/// An R-tree over numbered boxes. Queries return supersets: the boxes are slightly enlarged to allow for rounding.
#[derive(Clone, Debug)]
pub(crate) struct BoxTree<const D: usize> {
    tree: RTree<Leaf<D>>,
    /// The period of the world on each axis.
    period: [f32; D],
}

impl<const D: usize> Default for BoxTree<D> {
    fn default() -> Self {
        Self { tree: RTree::new(), period: [f32::INFINITY; D] }
    }
}

impl<const D: usize> BoxTree<D> {
    pub(crate) fn new(boxes: impl Iterator<Item = (u32, Aabb<D>)>, period: [f32; D]) -> Self {
        let leaf = |(number, Aabb { centre, half }): (u32, Aabb<D>)| {
            let wrapped = wrap_into_world(centre, &period);
            let half: Vector<D> = Vector::from_fn(|axis| match period[axis] {
                // The box spans the whole period.
                period if 2.0 * half[axis] >= period => period,
                period if period < f32::INFINITY => half[axis] + SLACK * (centre[axis].abs() + period),
                _ => half[axis] + SLACK * (centre[axis].abs() + half[axis]),
            });
            Leaf { envelope: AABB::from_corners((wrapped - half).0, (wrapped + half).0), number }
        };
        Self { tree: RTree::bulk_load(boxes.map(leaf).collect()), period }
    }

    /// Appends the numbers of the boxes that intersect `bounds` or one of its images to `found`, ascending.
    pub(crate) fn find(&self, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        let start = found.len();
        self.visit(bounds, |number| found.push(number));
        found[start..].sort_unstable();
        let mut kept = start;
        for place in start..found.len() {
            if place == start || found[place] != found[kept - 1] {
                found[kept] = found[place];
                kept += 1;
            }
        }
        found.truncate(kept);
    }

    /// Calls `visit` with the numbers of the boxes that intersect `bounds` or one of its images, in any order, possibly
    /// more than once.
    pub(crate) fn visit(&self, bounds: &Aabb<D>, mut visit: impl FnMut(u32)) {
        if self.tree.size() == 0 {
            return;
        }
        let all = self.tree.root().envelope();
        let centre = wrap_into_world(bounds.centre, &self.period);
        let half = Vector::from_fn(|axis| {
            let half = bounds.half[axis] + SLACK * (bounds.centre[axis].abs() + bounds.half[axis]);
            // The query spans the whole period.
            if 2.0 * half >= self.period[axis] { self.period[axis] } else { half }
        });
        self.visit_images(centre, |centre| {
            let near = AABB::from_corners((centre - half).0, (centre + half).0);
            if all.intersects(&near) {
                let _: ControlFlow<()> = self.tree.locate_in_envelope_intersecting_int(near, |leaf| {
                    visit(leaf.number);
                    ControlFlow::Continue(())
                });
            }
        });
    }

    /// Calls `visit` with the numbers of the boxes near a point, nearest first for each image of the point, possibly
    /// more than once. `visit` returns the squared search radius from then on; every nearer box is visited.
    pub(crate) fn visit_nearest(&self, point: Vector<D>, within: &mut f32, mut visit: impl FnMut(u32) -> f32) {
        if self.tree.size() == 0 {
            return;
        }
        let all = self.tree.root().envelope();
        self.visit_images(wrap_into_world(point, &self.period), |point| {
            if all.distance_2(&point.0) > *within * (1.0 + 1e-5) {
                return;
            }
            for (leaf, squared) in self.tree.nearest_neighbor_iter_with_distance_2(point.0) {
                if squared > *within * (1.0 + 1e-5) {
                    break;
                }
                *within = visit(leaf.number);
            }
        });
    }

    /// Calls `visit` with a point of the world and its images, the point itself first.
    fn visit_images(&self, point: Vector<D>, mut visit: impl FnMut(Vector<D>)) {
        for image in 0..3usize.pow(D as u32) {
            let (mut moved, mut rest, mut repeats) = (point, image, true);
            for axis in 0..D {
                let step = [0.0, -1.0, 1.0][rest % 3];
                rest /= 3;
                if step != 0.0 {
                    repeats &= self.period[axis] < f32::INFINITY;
                    moved[axis] += step * self.period[axis];
                }
            }
            if repeats {
                visit(moved);
            }
        }
    }
}

/// Returns the image of a point inside the world, to within rounding.
pub(crate) fn wrap_into_world<const D: usize>(point: Vector<D>, period: &[f32; D]) -> Vector<D> {
    Vector::from_fn(|axis| match period[axis] {
        period if period < f32::INFINITY => point[axis] - (point[axis] / period).floor() * period,
        _ => point[axis],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::maths::Noise;

    /// Random boxes, some of them outside the world and some as large as it.
    fn boxes<const D: usize>(noise: &mut Noise) -> Vec<Aabb<D>> {
        let draw = |number| {
            let largest = if number % 20 == 0 { 60.0 } else { 8.0 };
            Aabb {
                centre: Vector::from_fn(|_| noise.between(-150.0, 250.0)),
                half: Vector::from_fn(|_| noise.between(0.0, largest)),
            }
        };
        (0..200).map(draw).collect()
    }

    fn gap<const D: usize>(settings: &Settings<D>, a: &Aabb<D>, b: &Aabb<D>) -> f32 {
        let offset = settings.offset(a.centre, b.centre);
        let gap: Vector<D> = Vector::from_fn(|axis| {
            let gap = offset[axis].abs() - a.half[axis] - b.half[axis];
            if gap > 0.0 { gap } else { 0.0 }
        });
        gap.length()
    }

    fn compare_with_exhaustive_search<const D: usize>(edge: [Edge; D]) {
        let settings = Settings::<D> { size: Vector::splat(100.0), edge, ..Settings::default() };
        let mut noise = Noise::new(5, 0, 0, 0);
        let all = boxes::<D>(&mut noise);
        let numbered = all.iter().enumerate().map(|(number, bounds)| (number as u32, *bounds));
        let tree = BoxTree::new(numbered, settings.period());
        for query in boxes::<D>(&mut noise) {
            let mut found = vec![9999];
            tree.find(&query, &mut found);
            assert!(found[1..].is_sorted_by(|a, b| a < b), "{found:?}");
            for (number, bounds) in all.iter().enumerate() {
                let (is_found, gap) = (found[1..].contains(&(number as u32)), gap(&settings, &query, bounds));
                assert!(is_found || gap > 0.0, "{bounds:?} is not near {query:?}");
                assert!(!is_found || gap < 1e-2, "{bounds:?} is near {query:?}");
            }
            let point = Aabb { half: Vector::ZERO, ..query };
            let expected = all.iter().map(|bounds| gap_squared(&settings, &point, bounds)).fold(f32::INFINITY, smaller);
            let (mut nearest, mut within) = (f32::INFINITY, f32::INFINITY);
            tree.visit_nearest(query.centre, &mut within, |number| {
                nearest = smaller(nearest, gap_squared(&settings, &point, &all[number as usize]));
                nearest
            });
            assert_eq!(nearest, expected);
        }
    }

    fn gap_squared<const D: usize>(settings: &Settings<D>, a: &Aabb<D>, b: &Aabb<D>) -> f32 {
        gap(settings, a, b) * gap(settings, a, b)
    }

    fn smaller(a: f32, b: f32) -> f32 {
        if b < a { b } else { a }
    }

    #[test]
    fn find_matches_an_exhaustive_search() {
        compare_with_exhaustive_search::<2>([Edge::Wrap; 2]);
        compare_with_exhaustive_search::<2>([Edge::Open; 2]);
        compare_with_exhaustive_search::<3>([Edge::Wrap; 3]);
        compare_with_exhaustive_search::<3>([Edge::Bounce; 3]);
        compare_with_exhaustive_search([Edge::Wrap, Edge::Open]);
        compare_with_exhaustive_search([Edge::Remove, Edge::Wrap, Edge::Open]);
    }
}
