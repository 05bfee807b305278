//! A few agents, among which the nearest to a point are found without an index of space.
//!
//! The agents are in the order of their first coordinate. A search walks away from the point in both directions, until
//! the next agent is too far along this axis.

use throng::{Agents, SpeciesId, Vector};

/// Agents of some species.
pub(super) struct Few<const D: usize> {
    /// Positions and places, in the order of the first coordinate.
    members: Vec<([f32; D], u32)>,
    /// The species and row of each place, in this order.
    places: Vec<(SpeciesId, usize)>,
    period: [f32; D],
}

impl<const D: usize> Few<D> {
    /// The agents of these species in a world of this period.
    pub(super) fn of(species: &[&Agents<D>], period: [f32; D]) -> Self {
        let all = species.iter().flat_map(|agents| (0..agents.len()).map(|row| (agents.species(), row)));
        let at = species.iter().flat_map(|agents| (0..agents.len()).map(|row| agents.position(row).0));
        let mut members: Vec<([f32; D], u32)> = at.zip(0..).collect();
        members.sort_unstable_by(|(one, _), (other, _)| one[0].total_cmp(&other[0]));
        Self { members, places: all.collect(), period }
    }

    /// The place of a species' first row.
    pub(super) fn first(&self, species: SpeciesId) -> Option<usize> {
        self.places.iter().position(|place| place.0 == species)
    }

    /// The species and row of a key of `find`.
    pub(super) fn place(&self, key: u64) -> (SpeciesId, usize) {
        self.places[key as u32 as usize]
    }

    /// Fills `found` with the keys of the nearest agents without this place, nearest first: the bits of the squared
    /// distance, which have the order of the distances, and the place.
    pub(super) fn find(
        &self,
        point: Vector<D>,
        without: Option<usize>,
        count: usize,
        radius_squared: f32,
        found: &mut Vec<u64>,
    ) {
        found.clear();
        let start = self.members.partition_point(|(at, _)| at[0] < point[0]);
        let mut limit = key(radius_squared, u32::MAX);
        let mut taken = [0, 0];
        let mut heads = [self.head(start, 0, 0, point), self.head(start, 1, 0, point)];
        for _ in 0..self.members.len() {
            let side = usize::from(heads[1].1 < heads[0].1);
            let (number, mut squared) = heads[side];
            if key(squared, 0) > limit {
                break;
            }
            let (at, place) = &self.members[number];
            for axis in 1..D {
                let image = image(at[axis] - point[axis], self.period[axis]);
                squared += image * image;
            }
            let key = key(squared, *place);
            if key < limit && without != Some(*place as usize) {
                let place = found.partition_point(|nearer| *nearer < key);
                found.truncate(count - 1);
                found.insert(place, key);
                limit = if found.len() == count { found[count - 1] } else { limit };
            }
            taken[side] += 1;
            heads[side] = self.head(start, side, taken[side], point);
        }
    }

    /// The next agent on the right (0) or the left (1) of a point after some, and the square of the offset to it along
    /// the first axis, infinite without one.
    fn head(&self, start: usize, side: usize, taken: usize, point: Vector<D>) -> (usize, f32) {
        let (number, all) = (start + taken, self.members.len());
        let number = match side {
            0 if number < all => number,
            1 if taken < start => start - 1 - taken,
            // Across the seam of a periodic world.
            0 if self.period[0] < f32::INFINITY && taken < all => number - all,
            1 if self.period[0] < f32::INFINITY && taken < all => all + start - 1 - taken,
            _ => return (0, f32::INFINITY),
        };
        let image = image(self.members[number].0[0] - point[0], self.period[0]);
        (number, image * image)
    }
}

/// Squared distances in their order, and places at equal distances.
fn key(squared: f32, place: u32) -> u64 {
    u64::from(squared.to_bits()) << 32 | u64::from(place)
}

/// The nearest image of a difference of two points of the world on an axis of this period.
fn image(difference: f32, period: f32) -> f32 {
    let half = 0.5 * period;
    if difference > half {
        difference - period
    } else if difference < -half {
        difference + period
    } else {
        difference
    }
}
