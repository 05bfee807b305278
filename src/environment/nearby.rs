//! A lazily subdivided grid of the items that may be nearest to a point of each cell.

use std::sync::OnceLock;

use crate::base::settings::Settings;
use crate::boxes::aabb::Aabb;
use crate::maths::Vector;

/// The maximum depth of subdivision.
const DEPTH: u32 = 16;

/// A cell with at most this number of candidates is not divided.
const FEW: usize = 16;

/// The half-width of the region that a cell's list covers, in half-widths of the cell: a box up to two cells wide whose
/// centre is in the cell is covered.
const COVERED: f32 = 3.0;

/// A cell and its children that have been queried.
#[derive(Debug)]
struct Cell<T> {
    /// The numbers of the items that may be nearest to a point that the cell covers, ascending.
    near: Vec<u32>,
    /// The value derived from these items.
    value: T,
    /// The cells on both sides of each axis: each bit of an index selects the side on one axis.
    children: [OnceLock<Box<Cell<T>>>; 8],
}

impl<T> Cell<T> {
    fn new<const D: usize>(offsets: &[(u32, Vector<D>)], make: impl Fn(&[(u32, Vector<D>)]) -> T) -> Box<Self> {
        let near = offsets.iter().map(|(number, _)| *number).collect();
        Box::new(Self { near, value: make(offsets), children: Default::default() })
    }
}

/// The items that may be nearest in each part of space, and a value derived from them.
#[derive(Debug)]
pub(crate) struct Nearby<const D: usize, T> {
    bounds: Aabb<D>,
    /// The largest absolute coordinate.
    extent: f32,
    /// Half of the smallest period; infinite if no axis is periodic.
    half_period: f32,
    root: Box<Cell<T>>,
}

impl<const D: usize, T> Nearby<D, T> {
    /// Builds the root cell for `items` items that consist of these points. It covers a world that is periodic on all
    /// axes once. Otherwise it covers four times the extent of the world and the points on every axis: cells that are
    /// about as long as wide exclude most.
    pub(crate) fn new(
        points: &[Vector<D>],
        settings: &Settings<D>,
        items: usize,
        make: impl Fn(&[(u32, Vector<D>)]) -> T,
    ) -> Self {
        let (mut low, mut high, period) = (Vector::ZERO, settings.size, settings.period());
        let (mut extent, mut half_period) = (0.0, f32::INFINITY);
        for axis in 0..D {
            let repeats = period[axis] < f32::INFINITY;
            for &Vector(point) in points.iter().filter(|_| !repeats) {
                low[axis] = if point[axis] < low[axis] { point[axis] } else { low[axis] };
                high[axis] = if point[axis] > high[axis] { point[axis] } else { high[axis] };
            }
            half_period = if 0.5 * period[axis] < half_period { 0.5 * period[axis] } else { half_period };
        }
        let centre = (low + high) * 0.5;
        let repeats = period.iter().all(|&period| period < f32::INFINITY);
        let half = (high - low) * if repeats { 0.5 } else { 2.0 };
        for axis in 0..D {
            let far = centre[axis].abs() + half[axis];
            extent = if far > extent { far } else { extent };
        }
        let offsets: Vec<_> = (0..items as u32).map(|number| (number, Vector::ZERO)).collect();
        let root = Cell::new(&offsets, make);
        Self { bounds: Aabb { centre, half }, extent, half_period, root }
    }

    /// The value that `make` returns for a superset of the items that may be nearest to a point of a box. `make`
    /// receives their ascending numbers and the offsets to them from the centre of a cell, or zeros for the whole of
    /// space. `offset` returns the offset from a point to an item.
    pub(crate) fn find(
        &self,
        query: &Aabb<D>,
        offset: impl Fn(Vector<D>, u32) -> Vector<D>,
        make: impl Fn(&[(u32, Vector<D>)]) -> T,
    ) -> &T {
        let (mut cell, Aabb { mut centre, mut half }) = (&self.root, self.bounds);
        let is_inside = |axis: usize| (query.centre[axis] - centre[axis]).abs() <= half[axis];
        if !(0..D).all(is_inside) {
            return &cell.value;
        }
        for _ in 0..DEPTH {
            half *= 0.5;
            if cell.near.len() <= FEW || (0..D).any(|axis| query.half[axis] > half[axis] * (COVERED - 1.0)) {
                break;
            }
            let mut child = 0;
            for axis in 0..D {
                let upper = query.centre[axis] >= centre[axis];
                child |= usize::from(upper) << axis;
                centre[axis] += if upper { half[axis] } else { -half[axis] };
            }
            let around = half.length() * COVERED * (1.0 + 1e-4) + 1e-6 * self.extent;
            cell = cell.children[child].get_or_init(|| {
                let mut offsets: Vec<_> = cell.near.iter().map(|&number| (number, offset(centre, number))).collect();
                keep_nearest(&mut offsets, around, self.half_period);
                Cell::new(&offsets, &make)
            });
        }
        &cell.value
    }
}

/// Keeps the items that may be nearest to a point within `around` of a centre, given the offsets from the centre.
///
/// Let q be the offset from the centre to an item, p that to the nearest item, and e that to one of the points. The
/// item lies beyond the plane through q at right angles to q, so its distance to the point is at least |q| - e q/|q|.
/// The nearest item is at most |p| - e p/|p| + e² / (2 (|p| - |e|)) away. An item that violates one of the two bounds
/// below cannot be the nearest. The second bound holds for a single image; if another image may be as near, only the
/// first one applies. (No item extends further than half a period.)
fn keep_nearest<const D: usize>(offsets: &mut Vec<(u32, Vector<D>)>, around: f32, half_period: f32) {
    let slack = 1.0 + 1e-4;
    let shorter = |a: Vector<D>, b: Vector<D>| if b.length_squared() < a.length_squared() { b } else { a };
    let nearest = offsets.iter().map(|(_, offset)| *offset).reduce(shorter).unwrap_or(Vector::ZERO);
    let least = nearest.length();
    let bulge = around * around / (2.0 * (least - around));
    let may_be = |offset: Vector<D>| {
        let length = offset.length();
        if length > (least + 2.0 * around) * slack {
            return false;
        }
        let one_image = (length + least + 2.0 * around) * slack < half_period;
        if length <= least || least <= 1.5 * around || !one_image {
            return true;
        }
        let apart = (offset / length - nearest / least).length();
        length <= (least + bulge) * slack + around * (apart * slack + 1e-4)
    };
    offsets.retain(|(_, offset)| may_be(*offset));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::maths::Noise;

    fn compare_with_exhaustive_search<const D: usize>(edge: [Edge; D]) {
        let settings = Settings::<D> { size: Vector::splat(100.0), edge, ..Settings::default() };
        let mut noise = Noise::new(6, 0, 0, 0);
        let mut any = |low: f32, high: f32| Vector::<D>::from_fn(|_| noise.between(low, high));
        // Items are points, some of them coincident.
        let mut items: Vec<_> = (0..400).map(|_| any(0.0, 100.0)).collect();
        items.extend([items[7]; 30]);
        let numbers = |offsets: &[(u32, Vector<D>)]| offsets.iter().map(|(number, _)| *number).collect::<Vec<_>>();
        let nearby = Nearby::new(&items, &settings, items.len(), numbers);
        let offset = |from: Vector<D>, number: u32| settings.offset(from, items[number as usize]);
        let mut listed = 0;
        for number in 0..300 {
            let (inside, outside) = (any(0.0, 100.0), any(-900.0, 900.0));
            let far = |axis: usize| number % 7 == 0 && edge[axis] == Edge::Open;
            let centre = Vector::from_fn(|axis| if far(axis) { outside[axis] } else { inside[axis] });
            let half = Vector::splat(if number % 3 == 0 { 0.0 } else { 4.0 });
            let query = Aabb { centre, half };
            let near = nearby.find(&query, offset, numbers);
            assert!(near.is_sorted_by(|a, b| a < b), "{near:?}");
            listed += near.len();
            for _ in 0..20 {
                let aside = any(-1.0, 1.0);
                let point = Vector::from_fn(|axis| query.centre[axis] + half[axis] * aside[axis]);
                let squared = |number: u32| offset(point, number).length_squared();
                let least = (0..items.len() as u32).map(squared).fold(f32::INFINITY, |a, b| if b < a { b } else { a });
                for number in (0..items.len() as u32).filter(|&number| squared(number) == least) {
                    assert!(near.contains(&number), "{number} is the nearest to {point:?} in {query:?}");
                }
            }
        }
        assert!(listed < 300 * items.len() / 2, "{listed}");
    }

    #[test]
    fn find_never_omits_the_nearest_item() {
        compare_with_exhaustive_search::<2>([Edge::Wrap; 2]);
        compare_with_exhaustive_search::<2>([Edge::Open; 2]);
        compare_with_exhaustive_search::<3>([Edge::Wrap; 3]);
        compare_with_exhaustive_search::<3>([Edge::Bounce; 3]);
        compare_with_exhaustive_search([Edge::Open, Edge::Wrap]);
        compare_with_exhaustive_search([Edge::Wrap, Edge::Open, Edge::Wrap]);
    }
}
