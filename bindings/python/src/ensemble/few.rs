//! A few agents, among which the nearest to others are found without an index of space: sixteen others search at a
//! time, one in each lane, and compare themselves with all agents, one after the other.

use fearless_simd::{Level, Select, Simd, SimdBase, SimdMask, dispatch, f32x16, mask32x16, u32x16};
use throng::{AgentId, Agents, SpeciesId, Vector};

/// The agents that search at a time.
pub(super) const LANES: usize = 16;

/// The place of a neighbour that an agent lacks.
const NONE: u32 = u32::MAX;

/// A neighbour of an agent: the offset to its nearest image, its velocity and its id.
pub(super) struct Found<const D: usize> {
    pub(super) offset: Vector<D>,
    pub(super) velocity: Vector<D>,
    pub(super) id: AgentId,
}

/// Agents of some species.
pub(super) struct Few<const D: usize> {
    /// The position, the velocity and the id of each, by species and row.
    places: Vec<(Vector<D>, Vector<D>, AgentId)>,
    /// The places of the species that searches begin here, if it is one of them.
    first: Option<usize>,
    period: [f32; D],
    level: Level,
}

/// The nearest agents of each agent in the lanes, nearest first, and those at the same distance by their places.
#[derive(Default)]
pub(super) struct Lists {
    squared: Vec<[f32; LANES]>,
    places: Vec<[u32; LANES]>,
}

impl<const D: usize> Few<D> {
    /// The agents of these species in a world of this period, among which the species `own` searches.
    pub(super) fn of(species: &[&Agents<D>], own: SpeciesId, period: [f32; D]) -> Self {
        let (mut places, mut first) = (Vec::with_capacity(species.iter().map(|agents| agents.len()).sum()), None);
        for agents in species {
            first = if agents.species() == own { Some(places.len()) } else { first };
            places.extend(agents.iter().map(|agent| (agent.position, agent.velocity, agent.id)));
        }
        Self { places, first, period, level: Level::new() }
    }

    /// Fills lists of this length with the nearest agents of the ones at these rows, at most sixteen, of the species that
    /// searches. Their squared distances are below a limit.
    pub(super) fn find(&self, agents: &Agents<D>, rows: &[usize], count: usize, below: f32, lists: &mut Lists) {
        let (mut points, mut own) = ([[0.0; LANES]; D], [NONE; LANES]);
        for (lane, &row) in rows.iter().enumerate() {
            own[lane] = self.first.map_or(NONE, |first| (first + row) as u32);
            for axis in 0..D {
                points[axis][lane] = agents.position(row)[axis];
            }
        }
        lists.squared.clear();
        lists.squared.resize(count, [below; LANES]);
        lists.places.clear();
        lists.places.resize(count, [NONE; LANES]);
        dispatch!(self.level, simd => self.search(simd, &points, &own, lists));
    }

    #[inline(always)]
    fn search<S: Simd>(&self, simd: S, points: &[[f32; LANES]; D], own: &[u32; LANES], lists: &mut Lists) {
        let mut point = [f32x16::splat(simd, 0.0); D];
        for axis in 0..D {
            point[axis] = f32x16::from_slice(simd, &points[axis]);
        }
        let own = u32x16::from_slice(simd, own);
        let last = lists.squared.len() - 1;
        for (number, (at, ..)) in (0..).zip(&self.places) {
            let mut squared = f32x16::splat(simd, 0.0);
            for axis in 0..D {
                let image = image(simd, f32x16::splat(simd, at[axis]) - point[axis], self.period[axis]);
                squared += image * image;
            }
            let number = u32x16::splat(simd, number);
            let near = squared.simd_lt(f32x16::from_slice(simd, &lists.squared[last])) & !own.simd_eq(number);
            if near.any_true() {
                lists.insert(simd, near.select(squared, f32x16::splat(simd, f32::INFINITY)), number);
            }
        }
    }

    /// The agents on the list of the one in a lane, which is at this point.
    pub(super) fn found(&self, lists: &Lists, lane: usize, point: Vector<D>) -> impl Iterator<Item = Found<D>> {
        let places = lists.places.iter().map(move |places| places[lane]).take_while(|&place| place != NONE);
        places.map(move |place| {
            let (at, velocity, id) = self.places[place as usize];
            let offset = Vector::from_fn(|axis| {
                let (difference, period) = (at[axis] - point[axis], self.period[axis]);
                let lowered = if difference > 0.5 * period { difference - period } else { difference };
                if difference < -0.5 * period { difference + period } else { lowered }
            });
            Found { offset, velocity, id }
        })
    }
}

impl Lists {
    /// Puts an agent on the lists, after those that are at most as far away, and moves the others down.
    #[inline(always)]
    fn insert<S: Simd>(&mut self, simd: S, squared: f32x16<S>, number: u32x16<S>) {
        let last = self.squared.len() - 1;
        let (mut theirs, mut place) = self.at(simd, last);
        let mut is_nearer: mask32x16<S> = squared.simd_lt(theirs);
        for free in (1..=last).rev() {
            let (before, place_before) = self.at(simd, free - 1);
            let passes = squared.simd_lt(before);
            is_nearer.select(passes.select(before, squared), theirs).store_slice(&mut self.squared[free]);
            is_nearer.select(passes.select(place_before, number), place).store_slice(&mut self.places[free]);
            (theirs, place, is_nearer) = (before, place_before, passes);
        }
        is_nearer.select(squared, theirs).store_slice(&mut self.squared[0]);
        is_nearer.select(number, place).store_slice(&mut self.places[0]);
    }

    #[inline(always)]
    fn at<S: Simd>(&self, simd: S, place: usize) -> (f32x16<S>, u32x16<S>) {
        (f32x16::from_slice(simd, &self.squared[place]), u32x16::from_slice(simd, &self.places[place]))
    }
}

/// The nearest images of differences of two points of the world on an axis of this period.
#[inline(always)]
fn image<S: Simd>(simd: S, difference: f32x16<S>, period: f32) -> f32x16<S> {
    let [half, low, period] = [0.5 * period, -0.5 * period, period].map(|number| f32x16::splat(simd, number));
    let lowered = difference.simd_gt(half).select(difference - period, difference);
    difference.simd_lt(low).select(difference + period, lowered)
}
