//! Numbered boxes, searched from a point or a box, in a world that may be periodic.

use std::ops::ControlFlow;

use fearless_simd::Level;

use crate::base::settings::wrap_into_world;
use crate::boxes::aabb::Aabb;
use crate::boxes::hierarchy::BoxHierarchy;
use crate::boxes::morton;
use crate::kernels::CLUSTER;
use crate::kernels::boxes::SLACK;
use crate::kernels::nearest::{Bound, Layer};
use crate::maths::{Vector, ones};

/// Half of the extent of a box that covers the world, in metres: far larger than a world may be, and finite.
const EVERYWHERE: f32 = 1e30;

/// A hierarchy over numbered boxes. Queries return supersets: the boxes are slightly enlarged to allow for rounding.
#[derive(Clone, Debug)]
pub(crate) struct BoxTree<const D: usize> {
    hierarchy: BoxHierarchy<D>,
    /// The boxes in a space order, and their numbers.
    boxes: Layer<D>,
    numbers: Vec<u32>,
    /// The period of the world on each axis.
    period: [f32; D],
}

impl<const D: usize> Default for BoxTree<D> {
    fn default() -> Self {
        Self {
            hierarchy: BoxHierarchy::default(),
            boxes: Layer::default(),
            numbers: Vec::new(),
            period: [f32::INFINITY; D],
        }
    }
}

impl<const D: usize> BoxTree<D> {
    pub(crate) fn new(level: Level, boxes: impl Iterator<Item = (u32, Aabb<D>)>, period: [f32; D]) -> Self {
        let enlarged = |(number, Aabb { centre, half }): (u32, Aabb<D>)| {
            let half = Vector::from_fn(|axis| {
                let reach = if period[axis] < f32::INFINITY { period[axis] } else { half[axis] };
                spanning(half[axis] + SLACK * (centre[axis].abs() + reach), period[axis])
            });
            (number, Aabb { centre: wrap_into_world(centre, &period), half })
        };
        let unsorted: Vec<_> = boxes.map(enlarged).collect();
        let centres: [Vec<f32>; D] =
            std::array::from_fn(|axis| unsorted.iter().map(|(_, Aabb { centre, .. })| centre[axis]).collect());
        let mut keys = Vec::new();
        morton::fill(&mut keys, &centres, 0..unsorted.len() as u32);
        keys.sort_unstable();
        let mut layer = Layer::default();
        layer.resize(unsorted.len());
        let mut numbers = Vec::with_capacity(unsorted.len());
        for (place, &key) in keys.iter().enumerate() {
            let (number, Aabb { centre, half }) = unsorted[key as u32 as usize];
            numbers.push(number);
            for axis in 0..D {
                layer.lower[axis][place] = centre[axis] - half[axis];
                layer.upper[axis][place] = centre[axis] + half[axis];
            }
        }
        let hierarchy = BoxHierarchy::around(level, &layer, numbers.len(), &period);
        Self { hierarchy, boxes: layer, numbers, period }
    }

    /// The numbers of the boxes in their space order. Each sixteen of them are a clump.
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Appends the numbers of the boxes that intersect `bounds` or one of its images to `found`, ascending.
    pub(crate) fn find(&self, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        let start = found.len();
        self.visit(bounds, |number| found.push(number));
        found[start..].sort_unstable();
    }

    /// Calls `visit` with the numbers of the boxes that intersect `bounds` or one of its images, each once, in any
    /// order.
    pub(crate) fn visit(&self, bounds: &Aabb<D>, mut visit: impl FnMut(u32)) {
        self.visit_clumps(bounds, |clump, lanes| {
            ones(lanes).for_each(|lane| visit(self.numbers[clump as usize * CLUSTER + lane]));
        });
    }

    /// Calls `visit` with the clumps that have boxes which intersect `bounds` or one of its images, each once, and with
    /// these boxes, one bit each.
    pub(crate) fn visit_clumps(&self, bounds: &Aabb<D>, mut visit: impl FnMut(u32, u16)) {
        let half = std::array::from_fn(|axis| {
            let half = bounds.half[axis];
            spanning(half + SLACK * (bounds.centre[axis].abs() + half), self.period[axis])
        });
        let centre = wrap_into_world(bounds.centre, &self.period);
        let _: ControlFlow<()> =
            self.hierarchy.intersecting(&self.boxes, &self.period, centre.0, half, &mut |clump, lanes, _| {
                visit(clump, lanes);
                ControlFlow::Continue(())
            });
    }

    /// Calls `visit` with the numbers of the boxes near a point, roughly nearest first. `visit` returns the squared
    /// search radius from then on; every nearer box is visited.
    pub(crate) fn visit_nearest(&self, point: Vector<D>, within: &mut f32, mut visit: impl FnMut(u32) -> f32) {
        let bound = |within: f32| Bound {
            squared: if within < f32::MAX { within * (1.0 + 1e-5) } else { f32::MAX },
            row: u32::MAX,
        };
        let point = wrap_into_world(point, &self.period);
        self.hierarchy.nearest_boxes(&self.boxes, &self.period, point.0, bound(*within), |place, _| {
            *within = visit(self.numbers[place as usize]);
            bound(*within)
        });
    }
}

/// Half of an extent, or an infinite one if it spans the whole period.
fn spanning(half: f32, period: f32) -> f32 {
    if 2.0 * half < period && half < EVERYWHERE { half } else { EVERYWHERE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::{Edge, Settings};
    use crate::kernels::simd::InstructionSet;
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

    fn compare<const D: usize>(level: Level, edge: [Edge; D]) {
        let settings = Settings::<D> { size: Vector::splat(100.0), edge, ..Settings::default() };
        let mut noise = Noise::new(5, 0, 0, 0);
        let all = boxes::<D>(&mut noise);
        let numbered = all.iter().enumerate().map(|(number, bounds)| (number as u32, *bounds));
        let tree = BoxTree::new(level, numbered, settings.period());
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

    fn compare_with_exhaustive_search<const D: usize>(edge: [Edge; D]) {
        InstructionSet::available().for_each(|set| compare(set.level().unwrap(), edge));
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
