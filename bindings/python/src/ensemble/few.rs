//! A few agents, among which the nearest to a point are found without an index of space.
//!
//! The agents are in the order of their first coordinate. A search compares the ones in a slab around the point, eight
//! at a time, and widens it until it holds enough.

use throng::{AgentId, Agents, SpeciesId, Vector};

/// A neighbour of an agent: the offset to its nearest image, its velocity and its id.
pub(super) struct Found<const D: usize> {
    pub(super) offset: Vector<D>,
    pub(super) velocity: Vector<D>,
    pub(super) id: AgentId,
}

/// The agents that are compared at a time.
const LANES: usize = 8;

/// Agents of some species.
pub(super) struct Few<const D: usize> {
    /// First coordinates in their order. A periodic axis has three copies of all agents, one period apart.
    along: Vec<f32>,
    /// The position and the place of each of them, and some more at the end that are infinitely far.
    at: [Vec<f32>; D],
    place: Vec<u32>,
    /// Position, velocity and id at each place, by species and row.
    places: Vec<(Vector<D>, Vector<D>, AgentId)>,
    /// The places of the species that looks begin here, if it is one of them.
    first: Option<usize>,
    period: [f32; D],
    /// The extent of the agents along the first axis.
    extent: f32,
}

/// The memory of a thread, from search to search.
#[derive(Default)]
pub(super) struct Room {
    keys: Vec<u64>,
    /// Half the width of the slab in which the last searches found enough agents; zero before the first one.
    width: f32,
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
        let mut order: Vec<(f32, u32)> = places.iter().map(|(at, ..)| at[0]).zip(0..).collect();
        order.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
        let (is_periodic, ends) = (period[0] < f32::INFINITY, [order.first(), order.last()]);
        let extent = if let [Some(first), Some(last)] = ends { last.0 - first.0 } else { 0.0 };
        let extent = if is_periodic { 0.5 * period[0] } else { extent };
        let shifts = if is_periodic { &[-period[0], 0.0, period[0]][..] } else { &[0.0] };
        let along = shifts.iter().flat_map(|shift| order.iter().map(move |(x, _)| x + shift)).collect();
        let place: Vec<u32> = shifts.iter().flat_map(|_| order.iter().map(|&(_, place)| place)).collect();
        let at = std::array::from_fn(|axis| {
            let known = place.iter().map(|&place| places[place as usize].0[axis]);
            known.chain([f32::INFINITY; LANES]).collect()
        });
        Self { along, at, place, places, first, period, extent }
    }

    /// Fills `found` with the nearest agents to the one at this row of the species that looks, which is at this point,
    /// nearest first, and ties in the order of species and rows.
    pub(super) fn find(
        &self,
        (row, point): (usize, Vector<D>),
        count: usize,
        radius_squared: f32,
        room: &mut Room,
        found: &mut Vec<Found<D>>,
    ) {
        let own = self.first.map_or(u32::MAX, |first| (first + row) as u32);
        let Room { keys, width } = room;
        if *width == 0.0 {
            // About enough, if agents are spread evenly.
            *width = self.extent * (count as f32 / (self.places.len() + 1) as f32).sqrt();
        }
        let mut half = *width;
        loop {
            let is_last = half >= self.extent || half * half >= radius_squared;
            let limit = if is_last { radius_squared } else { half * half };
            keys.clear();
            keys.resize(count, u64::MAX);
            self.search((own, point), half, key(limit, u32::MAX), keys);
            if is_last || keys[count - 1] < u64::MAX {
                break;
            }
            half *= 1.5;
        }
        if keys[count - 1] < u64::MAX {
            let farthest = f32::from_bits((keys[count - 1] >> 32) as u32).sqrt();
            *width = 0.75 * *width + 0.25 * 1.3 * farthest;
        }
        found.clear();
        found.extend(keys.iter().take_while(|key| **key < u64::MAX).map(|&key| {
            let (at, velocity, id) = self.places[key as u32 as usize];
            let offset = Vector::from_fn(|axis| image(at[axis] - point[axis], self.period[axis]));
            Found { offset, velocity, id }
        }));
    }

    /// Fills keys with the lowest ones below a limit, in their order, of the agents in a slab around a point without
    /// `own`.
    fn search(&self, (own, point): (u32, Vector<D>), half: f32, mut limit: u64, keys: &mut [u64]) {
        let (all, last) = (self.places.len(), keys.len() - 1);
        let (mut from, high) = self.slab(point[0], half);
        // Agents in a row are different ones, up to their number.
        let end = if from + all < self.place.len() { from + all } else { self.place.len() };
        while from < end && self.along[from] <= high {
            let (squares, most) = (self.squares(from, point), f32::from_bits((limit >> 32) as u32));
            let mut near = (0..LANES).fold(0u32, |near, lane| near | u32::from(squares[lane] <= most) << lane);
            if end - from < LANES {
                near &= (1 << (end - from)) - 1;
            }
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                let (key, place) = (key(squares[lane], self.place[from + lane]), self.place[from + lane]);
                if key < limit && place != own {
                    let mut free = last;
                    while free > 0 && keys[free - 1] > key {
                        keys[free] = keys[free - 1];
                        free -= 1;
                    }
                    keys[free] = key;
                    limit = if keys[last] < limit { keys[last] } else { limit };
                }
            }
            from += LANES;
        }
    }

    /// The first agent up to a distance along the first axis and a little farther, for the rounding, and the highest
    /// coordinate; all agents if they are not farther apart.
    fn slab(&self, x: f32, half: f32) -> (usize, f32) {
        let half = half + 1e-5 * (half + x.abs() + self.extent);
        if half >= self.extent {
            let is_periodic = self.place.len() > self.places.len();
            return (if is_periodic { self.places.len() } else { 0 }, f32::INFINITY);
        }
        (self.along.partition_point(|at| *at < x - half), x + half)
    }

    /// The squares of the distances from a point to the agents from this one on.
    fn squares(&self, from: usize, point: Vector<D>) -> [f32; LANES] {
        let mut squares = [0.0; LANES];
        for axis in 0..D {
            let Some(at) = self.at[axis][from..].first_chunk::<LANES>() else { return [f32::INFINITY; LANES] };
            for lane in 0..LANES {
                let image = image(at[lane] - point[axis], self.period[axis]);
                squares[lane] += image * image;
            }
        }
        squares
    }
}

/// The order of agents by their squared distances, and by their places at equal distances.
#[inline]
fn key(squared: f32, place: u32) -> u64 {
    u64::from(squared.to_bits()) << 32 | u64::from(place)
}

/// The nearest image of a difference of two points of the world on an axis of this period.
#[inline(always)]
fn image(difference: f32, period: f32) -> f32 {
    let half = 0.5 * period;
    let lowered = if difference > half { difference - period } else { difference };
    if difference < -half { difference + period } else { lowered }
}
