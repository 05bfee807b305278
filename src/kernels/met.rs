//! The nearest neighbours of the agents of a cluster, gathered for kernels with the agents in the lanes, and the walls
//! near them.

use fearless_simd::{Simd, SimdBase};
use smallvec::SmallVec;

use crate::formulas::passing::{Met, Neighbours};
use crate::formulas::programme::{Half, HalfSpace};
use crate::kernels::CLUSTER;
use crate::kernels::bodies::ClusterBodies;
use crate::kernels::nearest_agents::MOST_NEIGHBOURS;
use crate::kernels::simd::{Lanes, Ordered, load, load_axes, nearest_image, store};
use crate::kernels::walkers::Vectors;
use crate::maths::components::length;

/// One neighbour of each agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MetInLanes {
    /// The position, then the offset to it.
    pub(crate) place: Vectors<2>,
    pub(crate) velocity: Vectors<2>,
    pub(crate) wanted: Vectors<2>,
    pub(crate) radius: [f32; CLUSTER],
    /// From body to body, in metres.
    pub(crate) gap: [f32; CLUSTER],
    /// One if it has the agent's goal, zero if not.
    pub(crate) same_goal: [f32; CLUSTER],
    /// The agent's share of the change of velocity.
    pub(crate) share: [f32; CLUSTER],
}

impl MetInLanes {
    const NOTHING: Self = Self {
        place: [[0.0; CLUSTER]; 2],
        velocity: [[0.0; CLUSTER]; 2],
        wanted: [[0.0; CLUSTER]; 2],
        radius: [0.0; CLUSTER],
        gap: [0.0; CLUSTER],
        same_goal: [0.0; CLUSTER],
        share: [0.5; CLUSTER],
    };
}

/// The neighbours of the agents of a cluster, nearest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterMet {
    /// The number of neighbours of each agent.
    pub(crate) len: [f32; CLUSTER],
    pub(crate) met: SmallVec<[MetInLanes; MOST_NEIGHBOURS]>,
}

impl ClusterMet {
    /// Makes room for neighbours in these numbers. (A function that returned the room would copy it.)
    pub(crate) fn make_room(&mut self, len: &[usize; CLUSTER]) {
        let most = len.iter().fold(0, |most, &len| if len > most { len } else { most });
        self.len = len.map(|len| len as f32);
        self.met.resize(most, MetInLanes::NOTHING);
    }

    /// Turns positions into offsets from the agents, and computes the gaps.
    #[inline(always)]
    pub(super) fn place<S: Simd>(&mut self, simd: S, agents: &ClusterBodies<'_, 2>) {
        let (at, radius) = (load_axes(simd, &agents.position, 0), agents.radius.lanes(simd, 0));
        for met in &mut self.met {
            let mut offset = load_axes(simd, &met.place, 0);
            for axis in 0..2 {
                offset[axis] = nearest_image(offset[axis] - at[axis], agents.period[axis]);
                store(offset[axis], &mut met.place[axis], 0);
            }
            let touching = radius + load(simd, &met.radius, 0);
            store(length(&offset) - touching, &mut met.gap, 0);
        }
    }
}

/// The same in the lanes of an instruction set.
#[derive(Clone, Copy)]
pub(super) struct Gathered<'a, S: Simd> {
    pub(super) simd: S,
    pub(super) met: &'a [MetInLanes],
    /// The number of neighbours of each agent.
    pub(super) len: Lanes<S>,
    /// The radius of each agent.
    pub(super) radius: Lanes<S>,
}

impl<S: Simd> Neighbours<Lanes<S>, 2> for Gathered<'_, S> {
    #[inline(always)]
    fn most(&self) -> usize {
        self.met.len()
    }

    #[inline(always)]
    fn at(&self, number: usize) -> Met<Lanes<S>, 2> {
        let (simd, met) = (self.simd, &self.met[number]);
        Met {
            exists: self.len.gt(Lanes::splat(simd, number as f32)),
            offset: load_axes(simd, &met.place, 0),
            touching: self.radius + load(simd, &met.radius, 0),
            gap: load(simd, &met.gap, 0),
            velocity: load_axes(simd, &met.velocity, 0),
            wanted: load_axes(simd, &met.wanted, 0),
            same_goal: load(simd, &met.same_goal, 0),
        }
    }
}

/// The half-planes that walls permit to the agents of a cluster, nearest wall first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterWalls(SmallVec<[(Vectors<2>, [f32; CLUSTER]); 4]>);

impl ClusterWalls {
    /// Adds the half-planes of one agent.
    pub(crate) fn add<const D: usize>(&mut self, lane: usize, walls: &[HalfSpace<D>]) {
        for (number, wall) in walls.iter().enumerate() {
            if number == self.0.len() {
                self.0.push(([[0.0; CLUSTER]; 2], [f32::NEG_INFINITY; CLUSTER]));
            }
            let (normal, bound) = &mut self.0[number];
            (normal[0][lane], normal[1][lane], bound[lane]) = (wall.normal[0], wall.normal[1], wall.bound);
        }
    }

    /// The number of half-planes of the agent with the most walls.
    pub(super) fn most(&self) -> usize {
        self.0.len()
    }

    /// The half-planes of this number.
    #[inline(always)]
    pub(super) fn at<S: Simd>(&self, simd: S, number: usize) -> Half<Lanes<S>, 2> {
        let (normal, bound) = &self.0[number];
        Half { normal: load_axes(simd, normal, 0), bound: load(simd, bound, 0) }
    }
}
