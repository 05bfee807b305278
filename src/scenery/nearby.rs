//! What may be the nearest to a point, cell by cell: cells of half the width in each cell, made when they are asked for.

use std::sync::OnceLock;

use super::tree::Bounds;
use crate::maths::Vector;
use crate::settings::Settings;

/// Cells are halved no more often than this.
const DEPTH: u32 = 16;

/// Up to this number of things that may be the nearest, a cell is not divided.
const FEW: usize = 16;

/// How far the list of a cell goes beyond its middle, in halves of its width: so that a box no wider than two cells, with
/// its middle in the cell, is covered.
const COVERED: f32 = 3.0;

/// A cell, and those within it that were asked for.
#[derive(Debug)]
struct Cell<T> {
    /// The numbers of what may be the nearest to a point that the cell covers, ascending.
    near: Vec<u32>,
    /// What was made of these.
    made: T,
    /// Two for each axis; the bits of a number say in which half of each.
    children: [OnceLock<Box<Cell<T>>>; 8],
}

impl<T> Cell<T> {
    fn new(near: Vec<u32>, make: impl Fn(&[u32]) -> T) -> Box<Self> {
        Box::new(Self { made: make(&near), near, children: Default::default() })
    }
}

/// What may be the nearest in a part of space, of things that are known by their numbers, and what was made of these.
#[derive(Debug)]
pub(crate) struct Nearby<const D: usize, T> {
    bounds: Bounds<D>,
    /// The largest coordinate that there is.
    extent: f32,
    /// Half of the length after which the world repeats itself.
    half_period: f32,
    root: Box<Cell<T>>,
}

impl<const D: usize, T> Nearby<D, T> {
    /// Cells for so many things with these points: of the world, or, where it does not repeat itself, of four times as
    /// much as it and the points take up.
    pub(crate) fn new(points: &[Vector<D>], settings: &Settings<D>, things: usize, make: impl Fn(&[u32]) -> T) -> Self {
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
        let half = (high - low) * if half_period < f32::INFINITY { 0.5 } else { 2.0 };
        for axis in 0..D {
            let far = centre[axis].abs() + half[axis];
            extent = if far > extent { far } else { extent };
        }
        let root = Cell::new((0..things as u32).collect(), make);
        Self { bounds: Bounds { centre, half }, extent, half_period, root }
    }

    /// What `make` makes of the numbers, ascending, of all things that may be the nearest to a point of a box, and of
    /// some more. `way` has the way from a point to a thing.
    pub(crate) fn find(
        &self,
        asked: &Bounds<D>,
        way: impl Fn(Vector<D>, u32) -> Vector<D>,
        make: impl Fn(&[u32]) -> T,
    ) -> &T {
        let (mut cell, Bounds { mut centre, mut half }) = (&self.root, self.bounds);
        let is_inside = |axis: usize| (asked.centre[axis] - centre[axis]).abs() <= half[axis];
        if !(0..D).all(is_inside) {
            return &cell.made;
        }
        for _ in 0..DEPTH {
            half *= 0.5;
            if cell.near.len() <= FEW || (0..D).any(|axis| asked.half[axis] > half[axis] * (COVERED - 1.0)) {
                break;
            }
            let mut child = 0;
            for axis in 0..D {
                let upper = asked.centre[axis] >= centre[axis];
                child |= usize::from(upper) << axis;
                centre[axis] += if upper { half[axis] } else { -half[axis] };
            }
            let around = half.length() * COVERED * (1.0 + 1e-4) + 1e-6 * self.extent;
            cell = cell.children[child].get_or_init(|| {
                let ways = cell.near.iter().map(|&number| (number, way(centre, number)));
                Cell::new(may_be_nearest(ways, around, self.half_period), &make)
            });
        }
        &cell.made
    }
}

/// Those that may be the nearest to a point within `around` of a middle, of things that are these ways from there.
///
/// With q the way from the middle to a thing, p that to the nearest one and e that to one of the points: the thing lies
/// beyond the plane through q at right angles to it, so it is no nearer to the point than |q| - e q/|q|. The nearest one
/// is no further than |p| - e p/|p| + e² / (2 (|p| - |e|)). So one of the two bounds below must hold. That is so of one
/// image of a thing: where another one is as near, the first bound counts alone. (No thing goes further than half a
/// period.)
fn may_be_nearest<const D: usize>(
    ways: impl Iterator<Item = (u32, Vector<D>)> + Clone,
    around: f32,
    half_period: f32,
) -> Vec<u32> {
    let slack = 1.0 + 1e-4;
    let shorter = |a: Vector<D>, b: Vector<D>| if b.length_squared() < a.length_squared() { b } else { a };
    let nearest = ways.clone().map(|(_, way)| way).reduce(shorter).unwrap_or(Vector::ZERO);
    let least = nearest.length();
    let bulge = around * around / (2.0 * (least - around));
    let may_be = |way: Vector<D>| {
        let length = way.length();
        if length > (least + 2.0 * around) * slack {
            return false;
        }
        let one_image = (length + least + 2.0 * around) * slack < half_period;
        if length <= least || least <= 1.5 * around || !one_image {
            return true;
        }
        let apart = (way / length - nearest / least).length();
        length <= (least + bulge) * slack + around * (apart * slack + 1e-4)
    };
    ways.filter(|(_, way)| may_be(*way)).map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Noise;
    use crate::settings::Edge;

    fn like_a_search_of_all<const D: usize>(edge: Edge) {
        let settings = Settings::<D> { size: Vector::splat(100.0), edge, ..Settings::default() };
        let mut noise = Noise::new(6, 0, 0, 0);
        let mut any = |low: f32, high: f32| Vector::<D>::from_fn(|_| noise.between(low, high));
        // Things are points, some of them on one place.
        let mut things: Vec<_> = (0..400).map(|_| any(0.0, 100.0)).collect();
        things.extend([things[7]; 30]);
        let nearby = Nearby::new(&things, &settings, things.len(), <[u32]>::to_vec);
        let way = |from: Vector<D>, number: u32| settings.offset(from, things[number as usize]);
        let mut listed = 0;
        for number in 0..300 {
            let (low, high) = if number % 7 == 0 && edge == Edge::Open { (-900.0, 900.0) } else { (0.0, 100.0) };
            let half = Vector::splat(if number % 3 == 0 { 0.0 } else { 4.0 });
            let asked = Bounds { centre: any(low, high), half };
            let near = nearby.find(&asked, way, <[u32]>::to_vec);
            assert!(near.is_sorted_by(|a, b| a < b), "{near:?}");
            listed += near.len();
            for _ in 0..20 {
                let aside = any(-1.0, 1.0);
                let point = Vector::from_fn(|axis| asked.centre[axis] + half[axis] * aside[axis]);
                let squared = |number: u32| way(point, number).length_squared();
                let least = (0..things.len() as u32).map(squared).fold(f32::INFINITY, |a, b| if b < a { b } else { a });
                for number in (0..things.len() as u32).filter(|&number| squared(number) == least) {
                    assert!(near.contains(&number), "{number} is the nearest to {point:?} in {asked:?}");
                }
            }
        }
        assert!(listed < 300 * things.len() / 2, "{listed}");
    }

    #[test]
    fn no_thing_is_missing_where_it_is_the_nearest() {
        like_a_search_of_all::<2>(Edge::Wrap);
        like_a_search_of_all::<2>(Edge::Open);
        like_a_search_of_all::<3>(Edge::Wrap);
        like_a_search_of_all::<3>(Edge::Bounce);
    }
}
