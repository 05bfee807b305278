//! A hierarchy of boxes with sixteen children each, over items in a spatial order.

use crate::base::settings::nearest_image;
use crate::environment::tree::Aabb;
use crate::kernels::CLUSTER;
use crate::kernels::boxes::SLACK;
use crate::maths::Vector;

/// Sorts items so that each sixteen consecutive ones are near each other.
pub(crate) fn arrange<T, const D: usize>(items: &mut [T], at: &impl Fn(&T) -> Vector<D>) {
    if items.len() <= CLUSTER {
        return;
    }
    let mut widest = (f32::NEG_INFINITY, 0);
    for axis in 0..D {
        let (low, high) = items.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), item| {
            let at = at(item)[axis];
            (if at < low { at } else { low }, if at > high { at } else { high })
        });
        widest = if high - low > widest.0 { (high - low, axis) } else { widest };
    }
    let (middle, axis) = ((items.len() / 2).next_multiple_of(CLUSTER), widest.1);
    items.select_nth_unstable_by(middle, |a, b| at(a)[axis].total_cmp(&at(b)[axis]));
    let (before, after) = items.split_at_mut(middle);
    arrange(before, at);
    arrange(after, at);
}

/// The bounding boxes of clumps of sixteen items, in layers of sixteen to one.
#[derive(Clone, Debug)]
pub(crate) struct Clumps<const D: usize> {
    layers: Vec<Vec<Aabb<D>>>,
    period: [f32; D],
}

impl<const D: usize> Default for Clumps<D> {
    fn default() -> Self {
        Self { layers: Vec::new(), period: [f32::INFINITY; D] }
    }
}

impl<const D: usize> Clumps<D> {
    /// Builds the layers over these boxes, which are in the order of [`arrange`] and centred inside the world.
    pub(crate) fn new(items: Vec<Aabb<D>>, period: [f32; D]) -> Self {
        let mut layers = vec![around_sixteen(&items)];
        while let Some(last) = layers.last().filter(|last| last.len() > CLUSTER) {
            layers.push(around_sixteen(last));
        }
        Self { layers, period }
    }

    /// Fills `found` with the numbers of the clumps near a box, each once, in no particular order.
    pub(crate) fn find(&self, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        found.clear();
        if let Some(top) = self.layers.len().checked_sub(1) {
            self.find_in(top, 0..self.layers[top].len(), bounds, found);
        }
    }

    /// Returns the number of a clump near a point, found by descending into the nearest box of each layer; `None` if
    /// empty.
    pub(crate) fn one_near(&self, point: Vector<D>) -> Option<usize> {
        let mut number = 0;
        for layer in self.layers.iter().rev() {
            let distance = |Aabb { centre, half }: &Aabb<D>| {
                let gap: Vector<D> = Vector::from_fn(|axis| {
                    let gap = nearest_image(centre[axis] - point[axis], self.period[axis]).abs() - half[axis];
                    if gap > 0.0 { gap } else { 0.0 }
                });
                gap.length_squared()
            };
            let first = number * CLUSTER;
            let boxes = layer.get(first..)?.iter().take(CLUSTER).map(distance).enumerate();
            number = first + boxes.min_by(|(_, a), (_, b)| a.total_cmp(b))?.0;
        }
        Some(number)
    }

    fn find_in(&self, layer: usize, boxes: std::ops::Range<usize>, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        for number in boxes {
            let Aabb { centre, half } = self.layers[layer][number];
            let is_near = |axis: usize| {
                let distance = nearest_image(centre[axis] - bounds.centre[axis], self.period[axis]).abs();
                let slack = SLACK * (centre[axis].abs() + bounds.centre[axis].abs());
                distance <= half[axis] + bounds.half[axis] + slack
            };
            if !(0..D).all(is_near) {
                continue;
            }
            if layer == 0 {
                found.push(number as u32);
            } else {
                let below = number * CLUSTER..((number + 1) * CLUSTER).clamp(0, self.layers[layer - 1].len());
                self.find_in(layer - 1, below, bounds, found);
            }
        }
    }
}

/// Returns the bounding boxes of each sixteen consecutive boxes.
fn around_sixteen<const D: usize>(boxes: &[Aabb<D>]) -> Vec<Aabb<D>> {
    let around = |boxes: &[Aabb<D>]| {
        let (mut low, mut high) = (Vector::splat(f32::INFINITY), Vector::splat(f32::NEG_INFINITY));
        for Aabb { centre, half } in boxes {
            for axis in 0..D {
                let slack = SLACK * (centre[axis].abs() + half[axis]);
                let (least, most) = (centre[axis] - half[axis] - slack, centre[axis] + half[axis] + slack);
                low[axis] = if least < low[axis] { least } else { low[axis] };
                high[axis] = if most > high[axis] { most } else { high[axis] };
            }
        }
        Aabb { centre: (low + high) * 0.5, half: (high - low) * 0.5 }
    };
    boxes.chunks(CLUSTER).map(around).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::{Edge, Settings};
    use crate::maths::Noise;

    fn compare_with_exhaustive_search<const D: usize>(edge: [Edge; D]) {
        let settings = Settings::<D> { size: Vector::splat(100.0), edge, ..Settings::default() };
        let mut noise = Noise::new(5, 0, 0, 0);
        let mut draw = |largest: f32| Aabb {
            centre: Vector::from_fn(|_| noise.between(0.0, 100.0)),
            half: Vector::from_fn(|_| noise.between(0.0, largest)),
        };
        let mut items: Vec<Aabb<D>> = (0..700).map(|number| draw(if number % 50 == 0 { 40.0 } else { 2.0 })).collect();
        arrange(&mut items, &|item: &Aabb<D>| item.centre);
        let clumps = Clumps::new(items.clone(), settings.period());
        let (mut found, mut skipped) = (Vec::new(), 0);
        for _ in 0..200 {
            let query = draw(15.0);
            clumps.find(&query, &mut found);
            for (number, item) in items.iter().enumerate() {
                let offset = settings.offset(query.centre, item.centre);
                let intersects = (0..D).all(|axis| offset[axis].abs() <= item.half[axis] + query.half[axis]);
                let is_found = found.contains(&((number / CLUSTER) as u32));
                assert!(is_found || !intersects, "{item:?} is near {query:?}");
                skipped += usize::from(!is_found);
            }
            found.sort_unstable();
            assert!(found.is_sorted_by(|a, b| a < b), "{found:?}");
        }
        assert!(skipped > 200 * items.len() / 2, "{skipped}");
    }

    #[test]
    fn find_matches_an_exhaustive_search() {
        compare_with_exhaustive_search::<2>([Edge::Wrap; 2]);
        compare_with_exhaustive_search::<2>([Edge::Open; 2]);
        compare_with_exhaustive_search::<3>([Edge::Wrap; 3]);
        compare_with_exhaustive_search([Edge::Bounce, Edge::Wrap]);
        compare_with_exhaustive_search([Edge::Wrap, Edge::Wrap, Edge::Open]);
    }
}
