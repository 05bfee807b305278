//! The free places of a waiting area: a binary tree of boxes that finds the one nearest to a point.

use std::ops::Range;

use crate::base::settings::Settings;
use crate::maths::Vector;

/// The most places of a leaf.
const LEAF: usize = 4;

/// The least number of agents for which a tree costs less than a search of all places for each.
const MANY: usize = 16;

/// The number that stands for no place.
const NONE: u32 = u32::MAX;

/// Bounds are lower than distances by this share, which is more than the rounding of `f32`.
const SLACK: f64 = 1e-6;

/// The free places. Boxes contain only these: they shrink as places are taken.
#[derive(Debug)]
pub(crate) struct FreePlaces<'a, const D: usize> {
    points: &'a [Vector<D>],
    settings: &'a Settings<D>,
    period: [f32; D],
    /// The most places of a leaf: all of them if few agents look for one.
    leaf: usize,
    /// The places that were free at first, in the order of the leaves; [`NONE`] for those taken since.
    order: Vec<u32>,
    /// In the order of a heap: the children of `n` are `2 n + 1` and `2 n + 2`.
    boxes: Vec<Bounds<D>>,
}

/// The corners of a box around places, and the least of their numbers.
#[derive(Clone, Copy, Debug)]
struct Bounds<const D: usize> {
    low: Vector<D>,
    high: Vector<D>,
    least: u32,
}

/// A place that was found: its squared distance as bits, which have the order of the distances; its number, which
/// decides between equal distances; and its index in the order of the leaves.
type Found = (u32, u32, usize);

impl<const D: usize> Bounds<D> {
    const EMPTY: Self = Self { low: Vector([f32::INFINITY; D]), high: Vector([-f32::INFINITY; D]), least: NONE };

    fn with(mut self, other: Self) -> Self {
        for axis in 0..D {
            self.low[axis] = if other.low[axis] < self.low[axis] { other.low[axis] } else { self.low[axis] };
            self.high[axis] = if other.high[axis] > self.high[axis] { other.high[axis] } else { self.high[axis] };
        }
        self.least = self.least.min(other.least);
        self
    }
}

impl<'a, const D: usize> FreePlaces<'a, D> {
    /// The places of `points` with these numbers, for which this number of agents look.
    pub(crate) fn new(
        points: &'a [Vector<D>],
        free: impl Iterator<Item = usize>,
        agents: usize,
        settings: &'a Settings<D>,
    ) -> Self {
        let order: Vec<u32> = free.map(|place| place as u32).collect();
        let leaf = if agents < MANY { order.len() } else { LEAF };
        let leaves = order.len().div_ceil(leaf.max(1)).next_power_of_two();
        let boxes = vec![Bounds::EMPTY; 2 * leaves];
        let mut free = Self { points, settings, period: settings.period(), leaf, order, boxes };
        free.build(0, 0..free.order.len());
        free
    }

    /// Takes the free place nearest to a point, of several the first, and returns its number. `None` if none is left.
    pub(crate) fn take_nearest(&mut self, at: Vector<D>) -> Option<usize> {
        let mut best = (u32::MAX, NONE, 0);
        self.search(0, 0..self.order.len(), at, &mut best);
        let (_, place, index) = best;
        (place != NONE).then(|| {
            self.take(0, 0..self.order.len(), index);
            place as usize
        })
    }

    /// Sorts the places of a box into its halves, and returns the box.
    fn build(&mut self, number: usize, range: Range<usize>) -> Bounds<D> {
        let all = self.around(range.clone());
        self.boxes[number] = all;
        if range.len() > self.leaf {
            let extent = all.high - all.low;
            let widest = (1..D).fold(0, |widest, axis| if extent[axis] > extent[widest] { axis } else { widest });
            let points = self.points;
            let half = range.len() / 2;
            self.order[range.clone()].select_nth_unstable_by(half, |&a, &b| {
                points[a as usize][widest].total_cmp(&points[b as usize][widest])
            });
            let middle = range.start + half;
            self.build(2 * number + 1, range.start..middle);
            self.build(2 * number + 2, middle..range.end);
        }
        all
    }

    /// The box around the places of a leaf that are still free.
    fn around(&self, range: Range<usize>) -> Bounds<D> {
        let free = self.order[range].iter().filter(|&&place| place != NONE);
        free.fold(Bounds::EMPTY, |all, &least| {
            let point = self.points[least as usize];
            all.with(Bounds { low: point, high: point, least })
        })
    }

    /// Replaces `best` by a better place of a box, if it has one.
    fn search(&self, number: usize, range: Range<usize>, at: Vector<D>, best: &mut Found) {
        if self.bound(number, at) >= (best.0, best.1) {
            return;
        }
        if range.len() <= self.leaf {
            for (index, &place) in range.clone().zip(&self.order[range]) {
                if place != NONE {
                    let found = (self.squared(at, self.points[place as usize]), place, index);
                    *best = found.min(*best);
                }
            }
            return;
        }
        let middle = range.start + range.len() / 2;
        let mut halves = [(2 * number + 1, range.start..middle), (2 * number + 2, middle..range.end)];
        if self.bound(halves[1].0, at) < self.bound(halves[0].0, at) {
            halves.swap(0, 1);
        }
        halves.into_iter().for_each(|(number, range)| self.search(number, range, at, best));
    }

    /// Takes the place at an index, and shrinks the boxes around it.
    fn take(&mut self, number: usize, range: Range<usize>, index: usize) {
        if range.len() <= self.leaf {
            self.order[index] = NONE;
            self.boxes[number] = self.around(range);
            return;
        }
        let middle = range.start + range.len() / 2;
        let (first, second) = (2 * number + 1, 2 * number + 2);
        if index < middle {
            self.take(first, range.start..middle, index);
        } else {
            self.take(second, middle..range.end, index);
        }
        self.boxes[number] = self.boxes[first].with(self.boxes[second]);
    }

    fn squared(&self, from: Vector<D>, to: Vector<D>) -> u32 {
        self.settings.offset(from, to).length_squared().to_bits()
    }

    /// A lower bound of the first two values of [`Found`] over the places of a box.
    fn bound(&self, number: usize, at: Vector<D>) -> (u32, u32) {
        let Bounds { low, high, least } = self.boxes[number];
        if least == NONE {
            return (u32::MAX, NONE);
        }
        // Places on one point are decided by their numbers, without a test of each.
        if low == high {
            return (self.squared(at, low), least);
        }
        let squared: f64 = (0..D)
            .map(|axis| gap(f64::from(at[axis]), low[axis].into(), high[axis].into(), self.period[axis].into()))
            .map(|gap| gap * gap)
            .fold(0.0, |sum, square| sum + square);
        // Squares of `f32` that underflow are zero.
        let squared = squared * (1.0 - SLACK) - f64::from(f32::MIN_POSITIVE);
        (if squared > 0.0 { squared as f32 } else { 0.0 }.to_bits(), least)
    }
}

/// A lower bound of the distance on one axis from a point to an interval.
fn gap(at: f64, low: f64, high: f64, period: f64) -> f64 {
    let (below, above) = (low - at, at - high);
    let (gap, slack) = if period < f64::INFINITY {
        let wrapped = |distance: f64| distance - (distance / period).floor() * period;
        if wrapped(at - low) <= high - low {
            return 0.0;
        }
        let (below, above) = (wrapped(below), wrapped(above));
        (if below < above { below } else { above }, SLACK * (at.abs() + low.abs() + high.abs() + period))
    } else {
        (if below > above { below } else { above }, 0.0)
    };
    if gap > slack { gap - slack } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::maths::Noise;

    /// Takes all places for agents at random points, and compares each with a search of all free places.
    fn are_those_of_all<const D: usize>(edge: Edge, near: f32, snap: f32, agents: usize) {
        let settings = Settings { size: Vector::splat(20.0), edge: [edge; _], ..Settings::default() };
        let mut noise = Noise::new(3, D as u64, 0, Noise::USER);
        let mut point = |low: f32, high: f32| {
            Vector::<D>::from_fn(|_| {
                let at = noise.between(low, high);
                if snap > 0.0 { (at / snap).floor() * snap } else { at }
            })
        };
        let points: Vec<_> = (0..500).map(|_| point(-near, 20.0 + near)).collect();
        let mut left: Vec<usize> = (0..points.len()).filter(|place| place % 7 != 0).collect();
        let mut free = FreePlaces::new(&points, left.iter().copied(), agents, &settings);
        for number in 0..left.len() {
            let at = if number % 3 == 0 { Vector::splat(4.0) } else { point(0.0, 20.0) };
            let squared = |place: usize| settings.offset(at, points[place]).length_squared().to_bits();
            let nearest = left.iter().copied().min_by_key(|&place| (squared(place), place));
            assert_eq!(free.take_nearest(at), nearest, "{edge}, {near}, {snap}, {number}");
            left.retain(|place| Some(*place) != nearest);
        }
        assert_eq!(free.take_nearest(Vector::ZERO), None);
    }

    #[test]
    fn the_nearest_free_place_is_that_of_a_search_of_all() {
        for edge in [Edge::Open, Edge::Wrap] {
            // Apart, on a lattice, and at the centre of one point or a few.
            for snap in [0.0, 0.5, 5.0, 100.0] {
                for near in [0.0, 50.0] {
                    are_those_of_all::<2>(edge, near, snap, MANY);
                    are_those_of_all::<3>(edge, near, snap, MANY);
                }
            }
            are_those_of_all::<2>(edge, 0.0, 0.0, MANY - 1);
        }
    }

    #[test]
    fn without_free_places_none_is_found() {
        let settings = Settings::<2>::default();
        assert_eq!(FreePlaces::new(&[], 0..0, MANY, &settings).take_nearest(Vector::ZERO), None);
    }
}
