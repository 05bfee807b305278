//! Reciprocal collision avoidance for the agents of a cluster, in two dimensions: the nearest neighbours, their
//! half-planes and the linear programme, with the agents in the lanes.
//!
//! The operations are those of [`avoid_agent`](crate::steering::avoid_agent) and
//! [`nearest_velocity`](fn@crate::steering::nearest_velocity).

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use crate::kernels::CLUSTER;
use crate::kernels::combine::QuantitySlice;
use crate::kernels::simd::{
    Lanes, Mask, dispatch, dot, load, load_axes, mask, nearest_image, offset_to, store, truncate,
};
use crate::kernels::table::kernels;
use crate::kernels::visibility::VisibleAgents;
use crate::kernels::walkers::{Bodies, Vectors, WalkingAgents};

/// The largest number of neighbours that an agent avoids.
pub(crate) const MOST_NEIGHBOURS: usize = 32;

/// Normals whose sine is below this are parallel.
pub(crate) const PARALLEL: f32 = 1e-5;

/// The nearest neighbours of each agent of a cluster, nearest first; at the same distance, in the order of sights.
#[derive(Clone, Debug)]
pub(crate) struct NearestNeighbours {
    /// The largest number per agent.
    limit: usize,
    len: [usize; CLUSTER],
    squared: [[f32; MOST_NEIGHBOURS]; CLUSTER],
    /// The numbers of their sights.
    numbers: [[u32; MOST_NEIGHBOURS]; CLUSTER],
    /// The squared distance below which a neighbour is among the nearest.
    within: [f32; CLUSTER],
}

impl NearestNeighbours {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            len: [0; CLUSTER],
            squared: [[0.0; MOST_NEIGHBOURS]; CLUSTER],
            numbers: [[0; MOST_NEIGHBOURS]; CLUSTER],
            within: [f32::INFINITY; CLUSTER],
        }
    }

    /// The numbers of the sights of one agent's neighbours.
    pub(crate) fn of(&self, lane: usize) -> &[u32] {
        &self.numbers[lane][..self.len[lane]]
    }

    #[inline(always)]
    fn insert(&mut self, lane: usize, squared: f32, number: u32) {
        let (distances, numbers) = (&mut self.squared[lane], &mut self.numbers[lane]);
        let mut place = self.len[lane];
        if place == self.limit {
            place -= 1;
        } else {
            self.len[lane] += 1;
        }
        while place > 0 && distances[place - 1] > squared {
            distances[place] = distances[place - 1];
            numbers[place] = numbers[place - 1];
            place -= 1;
        }
        (distances[place], numbers[place]) = (squared, number);
        if self.len[lane] == self.limit {
            self.within[lane] = distances[self.limit - 1];
        }
    }
}

/// Adds the visible agents of one species to the nearest neighbours.
pub(crate) fn find_nearest<const D: usize>(
    level: Level,
    agents: &WalkingAgents<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    nearest: &mut NearestNeighbours,
) {
    kernels::<D>().find_nearest(level, agents, others, seen, nearest);
}

#[inline(always)]
pub(super) fn find_nearest_lanes<S: Simd, const D: usize>(
    simd: S,
    agents: &WalkingAgents<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    nearest: &mut NearestNeighbours,
) {
    let position = load_axes(simd, &agents.position, 0);
    let mut squares = [0.0; CLUSTER];
    for (number, (&row, &by)) in (seen.first as u32..).zip(seen.rows.iter().zip(seen.by)) {
        let theirs = &others.position;
        let offset = offset_to(simd, &position, theirs, row as usize, agents.seam, &agents.period);
        let squared = dot(&offset, &offset);
        let nearer = mask(simd, by as u16) & squared.simd_lt(load(simd, &nearest.within, 0));
        let mut lanes = nearer.to_bitmask() as u16;
        if lanes != 0 {
            store(squared, &mut squares, 0);
        }
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            nearest.insert(lane, squares[lane], number);
        }
    }
}

/// The neighbours of the agents of a cluster, the nearest of all agents first.
#[derive(Clone, Debug)]
pub(crate) struct NeighboursInLanes {
    /// The number of neighbours of each agent.
    pub(crate) len: [f32; CLUSTER],
    /// The largest of these numbers.
    pub(crate) most: usize,
    pub(crate) position: [Vectors<2>; MOST_NEIGHBOURS],
    pub(crate) velocity: [Vectors<2>; MOST_NEIGHBOURS],
    pub(crate) radius: [[f32; CLUSTER]; MOST_NEIGHBOURS],
    /// The agent's share of the change of velocity.
    pub(crate) share: [[f32; CLUSTER]; MOST_NEIGHBOURS],
}

impl NeighboursInLanes {
    pub(crate) fn new() -> Self {
        let nothing = [[[0.0; CLUSTER]; 2]; MOST_NEIGHBOURS];
        Self {
            len: [0.0; CLUSTER],
            most: 0,
            position: nothing,
            velocity: nothing,
            radius: [[0.0; CLUSTER]; MOST_NEIGHBOURS],
            share: [[0.5; CLUSTER]; MOST_NEIGHBOURS],
        }
    }
}

/// The parameters of a programme, in seconds and metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizons {
    pub(crate) time_horizon: f32,
    pub(crate) time_step: f32,
    pub(crate) margin: f32,
}

/// The agents of one cluster in two dimensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatAgents<'a> {
    pub(crate) walking: WalkingAgents<'a, 2>,
    pub(crate) max_speed: QuantitySlice<'a>,
}

/// Replaces the preferred velocities by the nearest that avoid all neighbours. Returns one bit for each agent without
/// such a velocity, whose velocity leaves its cell, or whose direction the caller must draw.
pub(crate) fn avoid_all(
    level: Level,
    agents: &FlatAgents<'_>,
    neighbours: &NeighboursInLanes,
    horizons: &Horizons,
    velocities: &mut Vectors<2>,
) -> u16 {
    dispatch!(level, simd => avoid_all_lanes(simd, agents, neighbours, horizons, velocities))
}

/// A half-plane for each agent.
#[derive(Clone, Copy)]
struct HalfPlanes<S: Simd> {
    normal: [Lanes<S>; 2],
    bound: Lanes<S>,
}

#[inline(always)]
fn avoid_all_lanes<S: Simd>(
    simd: S,
    agents: &FlatAgents<'_>,
    neighbours: &NeighboursInLanes,
    horizons: &Horizons,
    velocities: &mut Vectors<2>,
) -> u16 {
    let splat = |value: f32| Lanes::splat(simd, value);
    let zero = splat(0.0);
    let len = load(simd, &neighbours.len, 0);
    let max_speed = agents.max_speed.lanes(simd, 0);
    let speed_squared = max_speed * max_speed;
    let preferred = [load(simd, &velocities[0], 0), load(simd, &velocities[1], 0)];
    let mut velocity = truncate(simd, preferred, max_speed);
    let mut unsolved = mask(simd, 0);
    let empty = HalfPlanes { normal: [zero; 2], bound: zero };
    let (mut half_planes, mut cells) = ([empty; MOST_NEIGHBOURS], [empty; MOST_NEIGHBOURS]);
    for number in 0..neighbours.most {
        let exists = len.simd_gt(splat(number as f32));
        let (half_plane, cell, drawn) = half_plane(simd, &agents.walking, neighbours, number, horizons);
        unsolved |= exists & drawn;
        cells[number] = cell;
        half_planes[number] = half_plane;
        let violated = exists & (half_plane.bound - dot(&half_plane.normal, &velocity)).simd_gt(zero) & !unsolved;
        if !violated.any_true() {
            continue;
        }
        let along = [half_plane.normal[1], -half_plane.normal[0]];
        let squared = speed_squared - half_plane.bound * half_plane.bound;
        let mut fails = !squared.simd_ge(zero);
        let half = squared.sqrt();
        let (mut low, mut high) = (-half, half);
        for other in &half_planes[..number] {
            let slope = dot(&other.normal, &along);
            let missing = other.bound - half_plane.bound * dot(&other.normal, &half_plane.normal);
            let parallel = slope.abs().simd_le(splat(PARALLEL));
            fails |= parallel & missing.simd_gt(zero);
            let cut = missing / slope;
            let rises = slope.simd_gt(zero);
            low = (!parallel & rises & cut.simd_gt(low)).select(cut, low);
            high = (!parallel & !rises & cut.simd_lt(high)).select(cut, high);
        }
        fails |= low.simd_gt(high);
        let place = dot(&preferred, &along);
        let place = place.simd_lt(low).select(low, place);
        let place = place.simd_gt(high).select(high, place);
        let solved = violated & !fails;
        for axis in 0..2 {
            let on_line = half_plane.normal[axis] * half_plane.bound + along[axis] * place;
            velocity[axis] = solved.select(on_line, velocity[axis]);
        }
        unsolved |= violated & fails;
    }
    for (number, cell) in cells[..neighbours.most].iter().enumerate() {
        let exists = len.simd_gt(splat(number as f32));
        unsolved |= exists & (cell.bound - dot(&cell.normal, &velocity)).simd_gt(zero);
    }
    for axis in 0..2 {
        store(velocity[axis], &mut velocities[axis], 0);
    }
    unsolved.to_bitmask() as u16
}

/// The half-plane of one neighbour of each agent, that of the cell, and the agents whose neighbour leaves no direction.
#[inline(always)]
fn half_plane<S: Simd>(
    simd: S,
    agents: &WalkingAgents<'_, 2>,
    neighbours: &NeighboursInLanes,
    number: usize,
    horizons: &Horizons,
) -> (HalfPlanes<S>, HalfPlanes<S>, Mask<S>) {
    let splat = |value: f32| Lanes::splat(simd, value);
    let zero = splat(0.0);
    let (mut offset, mut relative, mut mine) = ([zero; 2], [zero; 2], [zero; 2]);
    for axis in 0..2 {
        offset[axis] = load(simd, &neighbours.position[number][axis], 0) - load(simd, agents.position[axis], 0);
        if agents.seam {
            offset[axis] = nearest_image(simd, offset[axis], agents.period[axis]);
        }
        mine[axis] = load(simd, agents.velocity[axis], 0);
        relative[axis] = mine[axis] - load(simd, &neighbours.velocity[number][axis], 0);
    }
    let (my_radius, their_radius) = (agents.radius.lanes(simd, 0), load(simd, &neighbours.radius[number], 0));
    let reach = my_radius + splat(horizons.margin) + their_radius;
    let (squared, reach_squared) = (dot(&offset, &offset), reach * reach);
    let overlaps = squared.simd_le(reach_squared);
    let rate = overlaps.select(splat(1.0 / horizons.time_step), splat(1.0 / horizons.time_horizon));
    let from_centre = [relative[0] - offset[0] * rate, relative[1] - offset[1] * rate];
    let (from_squared, along) = (dot(&from_centre, &from_centre), dot(&from_centre, &offset));
    let before_disc = along.simd_lt(zero) & (along * along).simd_gt(reach_squared * from_squared);
    let by_disc = overlaps | before_disc;
    let length = from_squared.sqrt();
    let drawn = by_disc & !length.simd_gt(zero);
    let [x, y] = offset;
    let leg = (squared - reach_squared).sqrt();
    let is_left = (x * from_centre[1] - y * from_centre[0]).simd_gt(zero);
    let left = [-(x * reach + y * leg) / squared, (x * leg - y * reach) / squared];
    let right = [(y * leg - x * reach) / squared, -(x * leg + y * reach) / squared];
    let mut normal = [zero; 2];
    for axis in 0..2 {
        normal[axis] = by_disc.select(from_centre[axis] / length, is_left.select(left[axis], right[axis]));
    }
    let change = by_disc.select(reach * rate - length, -dot(&relative, &normal));
    let bound = dot(&mine, &normal) + load(simd, &neighbours.share[number], 0) * change;
    let distance = squared.sqrt();
    let gap = distance - (my_radius + their_radius);
    let half = gap.simd_gt(zero).select(splat(0.5) * gap, zero);
    // Nothing is out of the cell at the neighbour's own point.
    let apart = distance.simd_gt(zero);
    let along = |axis: usize| apart.select(-offset[axis] / distance, zero);
    let cell =
        HalfPlanes { normal: [along(0), along(1)], bound: apart.select(-half / splat(horizons.time_step), zero) };
    (HalfPlanes { normal, bound }, cell, drawn)
}
