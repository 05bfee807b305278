//! Reciprocal collision avoidance for the agents of a cluster, in two dimensions: `formulas/orca.rs` with the agents in
//! the lanes.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::formulas::cells::cell;
use crate::formulas::headway::{Claim, Headway};
use crate::formulas::orca::{Cone, Horizons};
use crate::formulas::programme::{Aim, Half, on_line};
use crate::kernels::CLUSTER;
use crate::kernels::bodies::ClusterBodies;
use crate::kernels::combine::QuantitySlice;
use crate::kernels::nearest_neighbours::MOST_NEIGHBOURS;
use crate::kernels::simd::{
    Lanes, Mask, Ordered, Truth, choose, dispatch, dot, load, mask, minus, nearest_image, store, truncate,
};
use crate::kernels::walkers::Vectors;

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

/// The agents of one cluster in two dimensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatAgents<'a> {
    pub(crate) walking: ClusterBodies<'a, 2>,
    pub(crate) max_speed: QuantitySlice<'a>,
}

/// The agents for which the lanes give no velocity, one bit each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsolved {
    /// The agents whose neighbours leave no velocity within the shortest horizon.
    pub(crate) crowded: u16,
    /// The agents with a direction to draw, and the agents whose cells by themselves leave no velocity.
    pub(crate) beyond: u16,
}

/// The room that the agents of a cluster claim, in lanes.
pub(crate) struct ClaimsInLanes {
    pub(crate) ways: [Vectors<2>; 2],
    pub(crate) width: [f32; CLUSTER],
}

/// Replaces the preferred velocities of the agents in `lanes`, one bit each, by the nearest that avoid all neighbours.
/// Where there is none, the horizon shrinks to `time_gap`; with a headway, only the cells count then. A headway comes
/// with the room that the agents claim.
pub(crate) fn avoid_all(
    level: Level,
    agents: &FlatAgents<'_>,
    neighbours: &NeighboursInLanes,
    horizons: &Horizons,
    headway: Option<(&Headway, &ClaimsInLanes)>,
    lanes: u16,
    velocities: &mut Vectors<2>,
) -> Unsolved {
    dispatch!(level, simd => avoid_all_lanes(simd, agents, neighbours, horizons, headway, lanes, velocities))
}

#[inline(always)]
fn avoid_all_lanes<S: Simd>(
    simd: S,
    agents: &FlatAgents<'_>,
    neighbours: &NeighboursInLanes,
    horizons: &Horizons,
    headway: Option<(&Headway, &ClaimsInLanes)>,
    lanes: u16,
    velocities: &mut Vectors<2>,
) -> Unsolved {
    let preferred = [load(simd, &velocities[0], 0), load(simd, &velocities[1], 0)];
    let (mut best, mut left, mut horizons) = (preferred, mask(simd, lanes), *horizons);
    let (mut all_beyond, mut hold) = (mask(simd, 0), Hold::Cones);
    loop {
        let Solution { velocity, fails, beyond } =
            solve(simd, agents, neighbours, (hold, &horizons), headway, left, preferred);
        let solved = left & !(fails | beyond);
        for axis in 0..2 {
            best[axis] = solved.choose(velocity[axis], best[axis]);
        }
        all_beyond |= left & beyond;
        left = left & fails & !beyond;
        if !left.any_true() {
            break;
        }
        hold = match (hold, horizons.shorter()) {
            (Hold::Cones, _) => Hold::CellsAndCones,
            (Hold::CellsAndCones, Some(shorter)) => {
                horizons = shorter;
                Hold::CellsAndCones
            }
            (Hold::CellsAndCones, None) if headway.is_some() => Hold::Cells,
            _ => break,
        };
    }
    for axis in 0..2 {
        store(best[axis], &mut velocities[axis], 0);
    }
    Unsolved { crowded: left.to_bitmask() as u16, beyond: all_beyond.to_bitmask() as u16 }
}

/// A half-plane for each agent.
type HalfPlanes<S> = Half<Lanes<S>, 2>;

/// Returns the half-planes of the agents in `lanes`; the others may do anything.
#[inline(always)]
fn only<S: Simd>(simd: S, lanes: Mask<S>, Half { normal, bound }: HalfPlanes<S>) -> HalfPlanes<S> {
    let zero = Lanes::splat(simd, 0.0);
    Half { normal: choose(lanes, normal, [zero; 2]), bound: lanes.choose(bound, Lanes::splat(simd, f32::NEG_INFINITY)) }
}

/// What a programme holds: the cones of neighbours, if they leave velocities in all cells; both; or the cells alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    Cones,
    CellsAndCones,
    Cells,
}

/// The outcome of a programme.
struct Solution<S: Simd> {
    velocity: [Lanes<S>; 2],
    /// The agents without a permitted velocity, or with one that leaves a cell.
    fails: Mask<S>,
    /// The agents with a direction to draw, and those whose cells by themselves leave no velocity.
    beyond: Mask<S>,
}

/// The permitted velocities nearest to the preferred ones, for the agents in `lanes`. With the cones alone, the
/// solution is compared with the cells.
#[inline(always)]
fn solve<S: Simd>(
    simd: S,
    agents: &FlatAgents<'_>,
    neighbours: &NeighboursInLanes,
    (hold, horizons): (Hold, &Horizons),
    headway: Option<(&Headway, &ClaimsInLanes)>,
    lanes: Mask<S>,
    preferred: [Lanes<S>; 2],
) -> Solution<S> {
    let splat = |value: f32| Lanes::splat(simd, value);
    let (zero, with_cells) = (splat(0.0), hold != Hold::Cones);
    let len = load(simd, &neighbours.len, 0);
    let max_speed = agents.max_speed.lanes(simd, 0);
    let nothing = Half { normal: [zero; 2], bound: splat(f32::NEG_INFINITY) };
    let (mut cells, mut cell_count) = ([nothing; MOST_NEIGHBOURS], 0);
    // Neighbours beyond this gap are out of reach.
    let in_reach = splat(2.0) * max_speed * splat(horizons.time_gap);
    let maybe_in_reach = in_reach * splat(1.001);
    let (mut half_planes, mut beyond) = ([nothing; MOST_NEIGHBOURS], mask(simd, 0));
    for number in 0..neighbours.most {
        let exists = lanes & len.gt(splat(number as f32));
        let other = relative(simd, &agents.walking, neighbours, number);
        let reach = other.my_radius + splat(horizons.margin) + other.their_radius;
        let times = [horizons.time_horizon, horizons.time_gap];
        let cone = Cone::new(other.offset, minus(other.mine, other.theirs), reach, times);
        let (normal, is_drawn) = cone.way_out();
        let half_plane = cone.half_space(normal, &other.mine, load(simd, &neighbours.share[number], 0));
        beyond |= exists & is_drawn;
        half_planes[number] = only(simd, exists, half_plane);
        let velocities = [other.mine, other.theirs];
        if let Some((headway, claims)) = headway {
            let ways = claims.ways.each_ref().map(|way| [load(simd, &way[0], 0), load(simd, &way[1], 0)]);
            let claim = Claim { ways, width: load(simd, &claims.width, 0) };
            let (cell, counts) = headway.permits(other.offset, velocities, other.touching, &claim, max_speed);
            if (exists & counts).any_true() {
                cells[cell_count] = only(simd, exists & counts, cell);
                cell_count += 1;
            }
            continue;
        }
        let reach = other.touching + maybe_in_reach;
        let mut may_touch = exists & other.squared.le(reach * reach);
        if may_touch.any_true() {
            let (cell, gap) =
                cell(other.offset, velocities, other.touching, [horizons.time_gap, horizons.least_closing]);
            if with_cells {
                may_touch &= gap.lt(in_reach);
            }
            cells[cell_count] = only(simd, may_touch, cell);
            cell_count += 1;
        }
    }
    let (cells, half_planes) =
        (&cells[..cell_count], &half_planes[..if hold == Hold::Cells { 0 } else { neighbours.most }]);
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
            fails |= cell.missing(&programme.velocity).gt(zero);
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
        let violated = self.left & half_plane.missing(&self.velocity).gt(Lanes::splat(simd, 0.0));
        if !violated.any_true() {
            return;
        }
        let (fails, on_line) = on_line(half_plane, before, self.max_speed, &Aim::Near(self.preferred));
        let solved = violated & !fails;
        self.velocity = choose(solved, on_line, self.velocity);
        self.left &= !(violated & fails);
    }
}

/// One neighbour of each agent.
#[derive(Clone, Copy)]
struct Other<S: Simd> {
    offset: [Lanes<S>; 2],
    squared: Lanes<S>,
    /// The agent's own velocity, and the neighbour's.
    mine: [Lanes<S>; 2],
    theirs: [Lanes<S>; 2],
    my_radius: Lanes<S>,
    their_radius: Lanes<S>,
    /// The distance of two bodies that touch.
    touching: Lanes<S>,
}

#[inline(always)]
fn relative<S: Simd>(
    simd: S,
    agents: &ClusterBodies<'_, 2>,
    neighbours: &NeighboursInLanes,
    number: usize,
) -> Other<S> {
    let zero = Lanes::splat(simd, 0.0);
    let [mut offset, mut mine, mut theirs] = [[zero; 2]; 3];
    for axis in 0..2 {
        offset[axis] = load(simd, &neighbours.position[number][axis], 0) - load(simd, agents.position[axis], 0);
        if agents.seam {
            offset[axis] = nearest_image(offset[axis], agents.period[axis]);
        }
        mine[axis] = load(simd, agents.velocity[axis], 0);
        theirs[axis] = load(simd, &neighbours.velocity[number][axis], 0);
    }
    let (my_radius, their_radius) = (agents.radius.lanes(simd, 0), load(simd, &neighbours.radius[number], 0));
    Other {
        offset,
        squared: dot(&offset, &offset),
        mine,
        theirs,
        my_radius,
        their_radius,
        touching: my_radius + their_radius,
    }
}
