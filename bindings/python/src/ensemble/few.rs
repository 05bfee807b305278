//! A few agents, among which the nearest to a point are found without an index of space.
//!
//! The agents are in the order of their first coordinate. A search walks away from the point in both directions, until
//! the next agent is too far along this axis.

use throng::{AgentId, Agents, SpeciesId, Vector};

/// A neighbour of an agent: the offset to its nearest image, its velocity and its id.
pub(super) struct Found<const D: usize> {
    pub(super) offset: Vector<D>,
    pub(super) velocity: Vector<D>,
    pub(super) id: AgentId,
}

/// Agents of some species.
pub(super) struct Few<const D: usize> {
    /// Positions and places in the order of the first coordinate, twice: across the seam of a periodic world the first
    /// follows the last.
    sorted: Vec<([f32; D], u32)>,
    /// Position, velocity and id at each place, by species and row.
    places: Vec<(Vector<D>, Vector<D>, AgentId)>,
    /// The places of the species that looks begin here, if it is one of them.
    first: Option<usize>,
    period: [f32; D],
}

impl<const D: usize> Few<D> {
    /// The agents of these species in a world of this period, in which the agents of `own` look.
    pub(super) fn of(species: &[&Agents<D>], own: SpeciesId, period: [f32; D]) -> Self {
        let (mut places, mut first) = (Vec::new(), None);
        for agents in species {
            first = if agents.species() == own { Some(places.len()) } else { first };
            let row = |row| (agents.position(row), agents.velocity(row), agents.ids()[row]);
            places.extend((0..agents.len()).map(row));
        }
        let mut sorted: Vec<([f32; D], u32)> = places.iter().map(|(at, ..)| at.0).zip(0..).collect();
        sorted.sort_unstable_by(|(one, _), (other, _)| one[0].total_cmp(&other[0]));
        sorted.extend_from_within(..);
        Self { sorted, places, first, period }
    }

    /// Fills `found` with the nearest agents to the one at this row of the species that looks, which is at this point,
    /// nearest first, and ties in the order of species and rows. `keys` is scratch memory.
    pub(super) fn find(
        &self,
        (row, point): (usize, Vector<D>),
        count: usize,
        radius_squared: f32,
        keys: &mut Vec<u64>,
        found: &mut Vec<Found<D>>,
    ) {
        let own = self.first.map_or(u32::MAX, |first| (first + row) as u32);
        keys.clear();
        keys.resize(count, u64::MAX);
        self.search((own, point), key(radius_squared, u32::MAX), keys);
        found.clear();
        found.extend(keys.iter().take_while(|key| **key < u64::MAX).map(|&key| {
            let (at, velocity, id) = self.places[key as u32 as usize];
            let offset = Vector::from_fn(|axis| image(at[axis] - point[axis], self.period[axis]));
            Found { offset, velocity, id }
        }));
    }

    /// Fills keys with the lowest ones below a limit, in their order: of the agents near a point, without `own`.
    fn search(&self, (own, point): (u32, Vector<D>), mut limit: u64, keys: &mut [u64]) {
        let (all, last) = (self.places.len(), keys.len() - 1);
        let along = |number: usize| {
            let image = image(self.sorted[number].0[0] - point[0], self.period[0]);
            image * image
        };
        if all == 0 {
            return;
        }
        let mut right = self.sorted[..all].partition_point(|(at, _)| at[0] < point[0]);
        let mut left = right + all - 1;
        let (mut to_right, mut to_left) = (along(right), along(left));
        for _ in 0..all {
            let (number, mut squared) = if to_left < to_right { (left, to_left) } else { (right, to_right) };
            // All others are at least as far along the first axis.
            if key(squared, 0) > limit {
                break;
            }
            let (at, place) = &self.sorted[number];
            for axis in 1..D {
                let image = image(at[axis] - point[axis], self.period[axis]);
                squared += image * image;
            }
            let key = key(squared, *place);
            if key < limit && *place != own {
                let mut free = last;
                while free > 0 && keys[free - 1] > key {
                    keys[free] = keys[free - 1];
                    free -= 1;
                }
                keys[free] = key;
                limit = if keys[last] < limit { keys[last] } else { limit };
            }
            if number == right {
                right += 1;
                to_right = along(right);
            } else {
                left -= 1;
                to_left = along(left);
            }
        }
    }
}

/// The order of agents by their squared distances, and by their places at equal distances.
#[inline]
fn key(squared: f32, place: u32) -> u64 {
    u64::from(squared.to_bits()) << 32 | u64::from(place)
}

/// The nearest image of a difference of two points of the world on an axis of this period.
#[inline]
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
