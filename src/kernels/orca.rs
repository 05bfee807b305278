//! Reciprocal collision avoidance for the agents of a cluster, in two dimensions: the half-planes of
//! neighbours and the linear programme, with the agents in the lanes.
//!
//! The operations are those of [`avoid_agent`](crate::steering::avoid_agent) and
//! [`nearest_velocity`](fn@crate::steering::nearest_velocity).

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use crate::kernels::CLUSTER;
use crate::kernels::combine::QuantitySlice;
use crate::kernels::nearest_neighbours::MOST_NEIGHBOURS;
use crate::kernels::simd::{Lanes, Mask, dispatch, dot, load, mask, nearest_image, store, truncate};
use crate::kernels::walkers::{Vectors, WalkingAgents};

/// Normals whose sine is below this are parallel.
pub(crate) const PARALLEL: f32 = 1e-5;

/// The speed that is added to those with which two bodies approach, so that each has a part of the gap between them.
pub(crate) const LEAST_CLOSING: f32 = 0.1;

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
    /// The time in which an agent may use up its part of a gap.
    pub(crate) time_gap: f32,
    pub(crate) margin: f32,
}

/// The agents of one cluster in two dimensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatAgents<'a> {
    pub(crate) walking: WalkingAgents<'a, 2>,
    pub(crate) max_speed: QuantitySlice<'a>,
}

/// The factor by which the time horizon shrinks where no velocity avoids all collisions.
pub(crate) const SHORTER: f32 = 0.25;

/// The agents for which the lanes give no velocity, one bit each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsolved {
    /// Those whose neighbours leave no velocity within the shortest horizon.
    pub(crate) crowded: u16,
    /// Those with a direction to draw, and those whose cells alone leave no velocity.
    pub(crate) beyond: u16,
}

/// Replaces the preferred velocities of the agents in `lanes`, one bit each, by the nearest that avoid all neighbours.
/// Where there is none, the horizon shrinks to `time_gap`.
pub(crate) fn avoid_all(
    level: Level,
    agents: &FlatAgents<'_>,
    neighbours: &NeighboursInLanes,
    horizons: &Horizons,
    lanes: u16,
    velocities: &mut Vectors<2>,
) -> Unsolved {
    dispatch!(level, simd => avoid_all_lanes(simd, agents, neighbours, horizons, lanes, velocities))
}

#[inline(always)]
fn avoid_all_lanes<S: Simd>(
    simd: S,
    agents: &FlatAgents<'_>,
    neighbours: &NeighboursInLanes,
    horizons: &Horizons,
    lanes: u16,
    velocities: &mut Vectors<2>,
) -> Unsolved {
    let preferred = [load(simd, &velocities[0], 0), load(simd, &velocities[1], 0)];
    let (mut best, mut left, mut horizons) = (preferred, mask(simd, lanes), *horizons);
    let (mut all_beyond, mut with_cells) = (mask(simd, 0), false);
    loop {
        let Solution { velocity, fails, beyond } =
            solve(simd, agents, neighbours, &horizons, with_cells, left, preferred);
        let solved = left & !(fails | beyond);
        for axis in 0..2 {
            best[axis] = solved.select(velocity[axis], best[axis]);
        }
        all_beyond |= left & beyond;
        left = left & fails & !beyond;
        if !left.any_true() || (with_cells && horizons.time_horizon <= horizons.time_gap) {
            break;
        }
        if with_cells {
            let shorter = horizons.time_horizon * SHORTER;
            horizons.time_horizon = if shorter > horizons.time_gap { shorter } else { horizons.time_gap };
        }
        with_cells = true;
    }
    for axis in 0..2 {
        store(best[axis], &mut velocities[axis], 0);
    }
    Unsolved { crowded: left.to_bitmask() as u16, beyond: all_beyond.to_bitmask() as u16 }
}

/// A half-plane for each agent.
#[derive(Clone, Copy)]
struct HalfPlanes<S: Simd> {
    normal: [Lanes<S>; 2],
    bound: Lanes<S>,
}

impl<S: Simd> HalfPlanes<S> {
    /// Those of the agents in `lanes`; the others may do anything.
    #[inline(always)]
    fn of(self, simd: S, lanes: Mask<S>) -> Self {
        let zero = Lanes::splat(simd, 0.0);
        let normal = self.normal.map(|axis| lanes.select(axis, zero));
        Self { normal, bound: lanes.select(self.bound, Lanes::splat(simd, f32::NEG_INFINITY)) }
    }
}

/// The outcome of a programme.
struct Solution<S: Simd> {
    velocity: [Lanes<S>; 2],
    /// The agents without a permitted velocity, or with one that leaves a cell.
    fails: Mask<S>,
    /// The agents with a direction to draw, and those whose cells alone leave no velocity.
    beyond: Mask<S>,
}

/// The permitted velocities nearest to the preferred ones, for the agents in `lanes`. The programme begins with the
/// cells, or else its solution is compared with them.
#[inline(always)]
fn solve<S: Simd>(
    simd: S,
    agents: &FlatAgents<'_>,
    neighbours: &NeighboursInLanes,
    horizons: &Horizons,
    with_cells: bool,
    lanes: Mask<S>,
    preferred: [Lanes<S>; 2],
) -> Solution<S> {
    let splat = |value: f32| Lanes::splat(simd, value);
    let zero = splat(0.0);
    let len = load(simd, &neighbours.len, 0);
    let max_speed = agents.max_speed.lanes(simd, 0);
    let nothing = HalfPlanes { normal: [zero; 2], bound: splat(f32::NEG_INFINITY) };
    let (mut cells, mut cell_count) = ([nothing; MOST_NEIGHBOURS], 0);
    // Neighbours beyond this gap are out of reach.
    let in_reach = splat(2.0) * max_speed * splat(horizons.time_gap);
    let maybe_in_reach = in_reach * splat(1.001);
    let (mut half_planes, mut beyond) = ([nothing; MOST_NEIGHBOURS], mask(simd, 0));
    for number in 0..neighbours.most {
        let exists = lanes & len.simd_gt(splat(number as f32));
        let other = relative(simd, &agents.walking, neighbours, number);
        let (half_plane, drawn) = half_plane(simd, &other, load(simd, &neighbours.share[number], 0), horizons);
        beyond |= exists & drawn;
        half_planes[number] = half_plane.of(simd, exists);
        let reach = other.touching + maybe_in_reach;
        let mut may_touch = exists & other.squared.simd_le(reach * reach);
        if may_touch.any_true() {
            let (cell, gap) = cell(simd, &other, horizons);
            if with_cells {
                may_touch &= gap.simd_lt(in_reach);
            }
            cells[cell_count] = cell.of(simd, may_touch);
            cell_count += 1;
        }
    }
    let (cells, half_planes) = (&cells[..cell_count], &half_planes[..neighbours.most]);
    let mut programme =
        Programme { max_speed, preferred, velocity: truncate(preferred, max_speed), left: lanes & !beyond };
    if with_cells {
        for number in 0..cells.len() {
            programme.add(simd, &cells[number], cells[..number].iter());
        }
        beyond |= lanes & !programme.left;
    }
    let before = if with_cells { cells } else { &[] };
    for number in 0..half_planes.len() {
        programme.add(simd, &half_planes[number], before.iter().chain(&half_planes[..number]));
    }
    let mut fails = lanes & !programme.left;
    if !with_cells {
        for cell in cells {
            fails |= (cell.bound - dot(&cell.normal, &programme.velocity)).simd_gt(zero);
        }
    }
    Solution { velocity: programme.velocity, fails, beyond }
}

/// A linear programme of each agent, by incremental construction.
struct Programme<S: Simd> {
    max_speed: Lanes<S>,
    preferred: [Lanes<S>; 2],
    velocity: [Lanes<S>; 2],
    /// The agents with a permitted velocity so far.
    left: Mask<S>,
}

impl<S: Simd> Programme<S> {
    /// Adds a half-plane after those `before`: the velocity of the agents that violate it moves to its boundary.
    #[inline(always)]
    fn add<'a>(&mut self, simd: S, half_plane: &HalfPlanes<S>, before: impl Iterator<Item = &'a HalfPlanes<S>>)
    where
        S: 'a,
    {
        let zero = Lanes::splat(simd, 0.0);
        let missing = half_plane.bound - dot(&half_plane.normal, &self.velocity);
        let violated = self.left & missing.simd_gt(zero);
        if !violated.any_true() {
            return;
        }
        let along = [half_plane.normal[1], -half_plane.normal[0]];
        let squared = self.max_speed * self.max_speed - half_plane.bound * half_plane.bound;
        let mut fails = !squared.simd_ge(zero);
        let half = squared.sqrt();
        let (mut low, mut high) = (-half, half);
        for other in before {
            let slope = dot(&other.normal, &along);
            let missing = other.bound - half_plane.bound * dot(&other.normal, &half_plane.normal);
            let parallel = slope.abs().simd_le(Lanes::splat(simd, PARALLEL));
            fails |= parallel & missing.simd_gt(zero);
            let cut = missing / slope;
            let rises = slope.simd_gt(zero);
            low = (!parallel & rises & cut.simd_gt(low)).select(cut, low);
            high = (!parallel & !rises & cut.simd_lt(high)).select(cut, high);
        }
        fails |= low.simd_gt(high);
        let place = dot(&self.preferred, &along);
        let place = place.simd_lt(low).select(low, place);
        let place = place.simd_gt(high).select(high, place);
        let solved = violated & !fails;
        for axis in 0..2 {
            let on_line = half_plane.normal[axis] * half_plane.bound + along[axis] * place;
            self.velocity[axis] = solved.select(on_line, self.velocity[axis]);
        }
        self.left &= !(violated & fails);
    }
}

/// One neighbour of each agent.
#[derive(Clone, Copy)]
struct Other<S: Simd> {
    offset: [Lanes<S>; 2],
    squared: Lanes<S>,
    /// The agent's own velocity, the neighbour's, and the difference.
    mine: [Lanes<S>; 2],
    theirs: [Lanes<S>; 2],
    relative: [Lanes<S>; 2],
    my_radius: Lanes<S>,
    their_radius: Lanes<S>,
    /// The distance of two bodies that touch.
    touching: Lanes<S>,
}

#[inline(always)]
fn relative<S: Simd>(
    simd: S,
    agents: &WalkingAgents<'_, 2>,
    neighbours: &NeighboursInLanes,
    number: usize,
) -> Other<S> {
    let zero = Lanes::splat(simd, 0.0);
    let [mut offset, mut relative, mut mine, mut theirs] = [[zero; 2]; 4];
    for axis in 0..2 {
        offset[axis] = load(simd, &neighbours.position[number][axis], 0) - load(simd, agents.position[axis], 0);
        if agents.seam {
            offset[axis] = nearest_image(offset[axis], agents.period[axis]);
        }
        mine[axis] = load(simd, agents.velocity[axis], 0);
        theirs[axis] = load(simd, &neighbours.velocity[number][axis], 0);
        relative[axis] = mine[axis] - theirs[axis];
    }
    let (my_radius, their_radius) = (agents.radius.lanes(simd, 0), load(simd, &neighbours.radius[number], 0));
    let (squared, touching) = (dot(&offset, &offset), my_radius + their_radius);
    Other { offset, squared, mine, theirs, relative, my_radius, their_radius, touching }
}

/// The half-plane of one neighbour of each agent, and the agents whose neighbour leaves no direction.
#[inline(always)]
fn half_plane<S: Simd>(simd: S, other: &Other<S>, share: Lanes<S>, horizons: &Horizons) -> (HalfPlanes<S>, Mask<S>) {
    let splat = |value: f32| Lanes::splat(simd, value);
    let zero = splat(0.0);
    let Other { offset, squared, relative, .. } = other;
    let reach = other.my_radius + splat(horizons.margin) + other.their_radius;
    let reach_squared = reach * reach;
    let overlaps = squared.simd_le(reach_squared);
    let rate = overlaps.select(splat(1.0 / horizons.time_gap), splat(1.0 / horizons.time_horizon));
    let from_centre = [relative[0] - offset[0] * rate, relative[1] - offset[1] * rate];
    let (from_squared, along) = (dot(&from_centre, &from_centre), dot(&from_centre, offset));
    let before_disc = along.simd_lt(zero) & (along * along).simd_gt(reach_squared * from_squared);
    let by_disc = overlaps | before_disc;
    // The way from the centre of the disc, or along the leg of the cone.
    let length = by_disc.select(from_squared, *squared - reach_squared).sqrt();
    let drawn = by_disc & !length.simd_gt(zero);
    let [x, y] = *offset;
    let is_left = (x * from_centre[1] - y * from_centre[0]).simd_gt(zero);
    let across = [
        is_left.select(-(x * reach + y * length), y * length - x * reach),
        is_left.select(x * length - y * reach, -(x * length + y * reach)),
    ];
    let scale = by_disc.select(length, *squared);
    let normal = [0, 1].map(|axis: usize| by_disc.select(from_centre[axis], across[axis]) / scale);
    let change = by_disc.select(reach * rate - length, -dot(relative, &normal));
    let bound = dot(&other.mine, &normal) + share * change;
    (HalfPlanes { normal, bound }, drawn)
}

/// The half-planes of the cells, and the gaps between bodies.
#[inline(always)]
fn cell<S: Simd>(simd: S, other: &Other<S>, horizons: &Horizons) -> (HalfPlanes<S>, Lanes<S>) {
    let zero = Lanes::splat(simd, 0.0);
    let distance = other.squared.sqrt();
    let gap = distance - other.touching;
    // Nothing is out of the cell at the neighbour's own point.
    let apart = distance.simd_gt(zero);
    let closing = |speed: Lanes<S>| Lanes::splat(simd, LEAST_CLOSING) + speed.simd_gt(zero).select(speed, zero);
    let mine = closing(dot(&other.mine, &other.offset) / distance);
    let theirs = closing(-(dot(&other.theirs, &other.offset) / distance));
    let part = gap.simd_gt(zero).select(gap * (mine / (mine + theirs)), zero);
    let along = |axis: usize| apart.select(-other.offset[axis] / distance, zero);
    let bound = apart.select(-part / Lanes::splat(simd, horizons.time_gap), zero);
    (HalfPlanes { normal: [along(0), along(1)], bound }, gap)
}
