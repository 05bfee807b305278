//! Reciprocal collision avoidance for the agents of a cluster, in two dimensions: `formulas/orca.rs` with the agents in
//! the lanes.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};
use smallvec::SmallVec;

use crate::formulas::cells::cell;
use crate::formulas::headway::{Claim, Headway};
use crate::formulas::orca::{Cone, Horizons};
use crate::formulas::passing::{Neighbours, Turning, turned};
use crate::formulas::personal_space::PersonalSpace;
use crate::formulas::programme::{Aim, Half, on_line};
use crate::kernels::CLUSTER;
use crate::kernels::bodies::ClusterBodies;
use crate::kernels::combine::QuantitySlice;
use crate::kernels::met::{ClusterMet, ClusterWalls, Gathered};
use crate::kernels::nearest_agents::MOST_NEIGHBOURS;
use crate::kernels::simd::{
    Lanes, Mask, Ordered, Truth, choose, dispatch, dot, load, load_axes, mask, minus, store, truncate,
};
use crate::kernels::walkers::Vectors;

/// The agents of one cluster in two dimensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatAgents<'a> {
    pub(crate) walking: ClusterBodies<'a, 2>,
    pub(crate) max_speed: QuantitySlice<'a>,
    /// The distance that is left to the target of each agent, in metres.
    pub(crate) way: &'a [f32; CLUSTER],
    pub(crate) walls: &'a ClusterWalls,
}

/// How agents avoid others: the constants of the models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avoidance<'a> {
    pub(crate) turning: &'a Turning,
    pub(crate) horizons: &'a Horizons,
    /// The room that pedestrians claim.
    pub(crate) space: Option<&'a PersonalSpace>,
}

/// What the agents of a cluster want, in lanes.
#[derive(Clone, Debug)]
pub(crate) struct WantedInLanes {
    /// The velocities that they want, then the ones that they prefer.
    pub(crate) velocity: Vectors<2>,
    /// The room that they claim.
    pub(crate) ways: [Vectors<2>; 2],
    pub(crate) width: [f32; CLUSTER],
}

impl WantedInLanes {
    pub(crate) const NOTHING: Self =
        Self { velocity: [[0.0; CLUSTER]; 2], ways: [[[0.0; CLUSTER]; 2]; 2], width: [1.0; CLUSTER] };
}

/// The permitted velocities, and the agents for which the lanes give none, one bit each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permitted {
    pub(crate) velocity: Vectors<2>,
    /// The agents whose neighbours leave no velocity within the shortest horizon.
    pub(crate) crowded: u16,
    /// The agents with a direction to draw, and the agents whose walls and cells by themselves leave no velocity.
    pub(crate) beyond: u16,
    /// The agents that stand before one that comes.
    pub(crate) head_on: u16,
    /// The agents that one of several which come holds up.
    pub(crate) opposed: u16,
}

/// Turns the wanted velocities of the agents in `lanes`, one bit each, to the side on which they pass others, and returns
/// the nearest that avoid all neighbours and walls. Where there is none, the horizon shrinks to `time_gap`; with a
/// headway, only walls and cells count then.
pub(crate) fn avoid_all(
    level: Level,
    agents: &FlatAgents<'_>,
    neighbours: &mut ClusterMet,
    avoidance: &Avoidance<'_>,
    lanes: u16,
    wanted: &mut WantedInLanes,
) -> Permitted {
    dispatch!(level, simd => avoid_all_lanes(simd, agents, neighbours, avoidance, lanes, wanted))
}

#[inline(always)]
fn avoid_all_lanes<S: Simd>(
    simd: S,
    agents: &FlatAgents<'_>,
    neighbours: &mut ClusterMet,
    avoidance: &Avoidance<'_>,
    lanes: u16,
    wanted: &mut WantedInLanes,
) -> Permitted {
    neighbours.place(simd, &agents.walking);
    let (len, radius) = (load(simd, &neighbours.len, 0), agents.walking.radius.lanes(simd, 0));
    let around = Gathered { simd, met: &neighbours.met, len, radius };
    let mut planes = Planes { walls: SmallVec::new(), cells: SmallVec::new(), cones: SmallVec::new() };
    planes.make_room(simd, agents.walls, around.most());
    let (claim, preferred, [head_on, opposed]) = prefer(simd, agents, (&around, &planes.walls), avoidance, wanted);
    let (mut best, mut left, mut horizons) = (preferred, mask(simd, lanes), *avoidance.horizons);
    let (mut all_beyond, mut hold) = (mask(simd, 0), Hold::Cones);
    loop {
        let headway = avoidance.space.map(|space| space.headway);
        let headway = headway.as_ref().map(
            #[inline(always)]
            |headway| (headway, &claim),
        );
        let Solution { velocity, fails, beyond } =
            solve(simd, agents, &around, (hold, &horizons), headway, left, (preferred, &mut planes));
        let solved = left & !(fails | beyond);
        best = choose(solved, velocity, best);
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
            (Hold::CellsAndCones, None) if avoidance.space.is_some() => Hold::Cells,
            _ => break,
        };
    }
    let mut permitted = Permitted {
        velocity: [[0.0; CLUSTER]; 2],
        crowded: left.to_bitmask() as u16,
        beyond: all_beyond.to_bitmask() as u16,
        head_on: head_on.to_bitmask() as u16,
        opposed: opposed.to_bitmask() as u16,
    };
    for axis in 0..2 {
        store(best[axis], &mut permitted.velocity[axis], 0);
    }
    permitted
}

/// Room that agents claim, velocities, and which stand before one that comes, or are held up by one.
type Preferred<S> = (Claim<Lanes<S>, 2>, [Lanes<S>; 2], [Mask<S>; 2]);

/// The room that the agents claim, and the velocities that they prefer: `wanted` has both afterwards. And which of them
/// stand before one that comes, or are held up by one.
#[inline(always)]
fn prefer<S: Simd>(
    simd: S,
    agents: &FlatAgents<'_>,
    (around, walls): (&Gathered<'_, S>, &[HalfPlanes<S>]),
    avoidance: &Avoidance<'_>,
    wanted: &mut WantedInLanes,
) -> Preferred<S> {
    let (velocity, way) = (load_axes(simd, &agents.walking.velocity, 0), load(simd, agents.way, 0));
    let preferred = load_axes(simd, &wanted.velocity, 0);
    let (turned, head_on) = turned(avoidance.turning, &velocity, preferred, way, around, walls);
    let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
    let (claim, preferred) = match avoidance.space {
        None => (Claim { ways: [[zero; 2]; 2], width: one }, turned),
        Some(space) => space.claimed(&velocity, preferred, turned, around, walls),
    };
    for axis in 0..2 {
        store(claim.ways[0][axis], &mut wanted.ways[0][axis], 0);
        store(claim.ways[1][axis], &mut wanted.ways[1][axis], 0);
        store(preferred[axis], &mut wanted.velocity[axis], 0);
    }
    store(claim.width, &mut wanted.width, 0);
    (claim, preferred, head_on)
}

/// A half-plane for each agent.
type HalfPlanes<S> = Half<Lanes<S>, 2>;

/// The half-planes of walls, of cells, and of the cones of neighbours.
struct Planes<S: Simd> {
    walls: SmallVec<[HalfPlanes<S>; 4]>,
    cells: SmallVec<[HalfPlanes<S>; MOST_NEIGHBOURS]>,
    cones: SmallVec<[HalfPlanes<S>; MOST_NEIGHBOURS]>,
}

impl<S: Simd> Planes<S> {
    /// Takes the half-planes of walls, and makes room for the cells and cones of `most` neighbours.
    #[inline(always)]
    fn make_room(&mut self, simd: S, walls: &ClusterWalls, most: usize) {
        let zero = Lanes::splat(simd, 0.0);
        let nothing = Half { normal: [zero; 2], bound: Lanes::splat(simd, f32::NEG_INFINITY) };
        for number in 0..walls.most() {
            self.walls.push(walls.at(simd, number));
        }
        self.cells.resize(most, nothing);
        self.cones.resize(most, nothing);
    }
}

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
/// solution is compared with the cells. Walls always hold.
#[inline(always)]
fn solve<S: Simd>(
    simd: S,
    agents: &FlatAgents<'_>,
    around: &Gathered<'_, S>,
    (hold, horizons): (Hold, &Horizons),
    headway: Option<(&Headway, &Claim<Lanes<S>, 2>)>,
    lanes: Mask<S>,
    (preferred, planes): ([Lanes<S>; 2], &mut Planes<S>),
) -> Solution<S> {
    let splat = |value: f32| Lanes::splat(simd, value);
    let (zero, with_cells) = (splat(0.0), hold != Hold::Cones);
    let (mine, max_speed) = (load_axes(simd, &agents.walking.velocity, 0), agents.max_speed.lanes(simd, 0));
    let Planes { walls, cells, cones } = planes;
    let mut cell_count = 0;
    // Neighbours beyond this gap are out of reach.
    let in_reach = splat(2.0) * max_speed * splat(horizons.time_gap);
    let maybe_in_reach = in_reach * splat(1.001);
    let mut beyond = mask(simd, 0);
    for number in 0..around.most() {
        let other = around.at(number);
        let exists = lanes & other.exists;
        let theirs = other.velocity;
        if hold != Hold::Cells {
            let reach = around.radius + splat(horizons.margin) + load(simd, &around.met[number].radius, 0);
            let times = [horizons.time_horizon, horizons.time_gap];
            let cone = Cone::new(other.offset, minus(mine, theirs), reach, times);
            let (normal, is_drawn) = cone.way_out();
            let half_plane = cone.half_space(normal, &mine, load(simd, &around.met[number].share, 0));
            beyond |= exists & is_drawn;
            cones[number] = only(simd, exists, half_plane);
        }
        let velocities = [mine, theirs];
        if let Some((headway, claim)) = headway {
            let (cell, counts) = headway.permits(other.offset, velocities, other.touching, claim, max_speed);
            if (exists & counts).any_true() {
                cells[cell_count] = only(simd, exists & counts, cell);
                cell_count += 1;
            }
            continue;
        }
        let reach = other.touching + maybe_in_reach;
        let mut may_touch = exists & dot(&other.offset, &other.offset).le(reach * reach);
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
    let cones = if hold == Hold::Cells { &[] } else { &cones[..] };
    let (walls, cells) = (&walls[..], &cells[..cell_count]);
    let mut programme =
        Programme { max_speed, preferred, velocity: truncate(preferred, max_speed), left: lanes & !beyond };
    for number in 0..walls.len() {
        programme.add(simd, &walls[number], &[&walls[..number]]);
    }
    if with_cells {
        for number in 0..cells.len() {
            programme.add(simd, &cells[number], &[walls, &cells[..number]]);
        }
        beyond |= lanes & !programme.left;
    }
    let before = if with_cells { cells } else { &[] };
    for number in 0..cones.len() {
        programme.add(simd, &cones[number], &[walls, before, &cones[..number]]);
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
    fn add(&mut self, simd: S, half_plane: &HalfPlanes<S>, before: &[&[HalfPlanes<S>]]) {
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
