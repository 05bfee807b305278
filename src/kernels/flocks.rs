//! Sums over neighbours one by one in the models of flocks, with the agents of a group in the lanes.

use fearless_simd::{Level, SimdBase, SimdMask};

use crate::formulas::flocks::{Approach, Bonds, FlockSums, Interaction, Lattice, Morse, Pair, Zones};
use crate::kernels::bodies::{Bodies, ClusterBodies};
use crate::kernels::group::{Group, GroupMask, Grouped, load_group, load_group_axes};
use crate::kernels::simd::{at_row, dot, offset_to, store, store_axes};
use crate::kernels::table::kernels;
use crate::kernels::visibility::VisibleAgents;
use crate::kernels::{Axes, CLUSTER};

/// The interaction of a model of flocks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FlockModel {
    Approach(Approach),
    Morse(Morse),
    Zones(Zones),
    Bonds(Bonds),
    Lattice(Lattice),
}

impl FlockModel {
    /// Adds one neighbour to the sums of one agent.
    pub(crate) fn add<const D: usize>(&self, pair: &Pair<f32, D>, sums: &mut FlockSums<f32, D>) {
        match self {
            Self::Approach(model) => model.add(pair, true, sums),
            Self::Morse(model) => model.add(pair, true, sums),
            Self::Zones(model) => model.add(pair, true, sums),
            Self::Bonds(model) => model.add(pair, true, sums),
            Self::Lattice(model) => model.add(pair, true, sums),
        }
    }
}

/// The agents of one cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlockingAgents<'a, const D: usize> {
    pub(crate) bodies: ClusterBodies<'a, D>,
    pub(crate) heading: Axes<'a, D>,
}

/// The sums of the agents of a cluster.
#[derive(Clone, Debug)]
pub(crate) struct ClusterSums<const D: usize> {
    vectors: [[[f32; CLUSTER]; D]; 3],
    counts: [[f32; CLUSTER]; 3],
}

impl<const D: usize> ClusterSums<D> {
    pub(crate) const ZERO: Self = Self { vectors: [[[0.0; CLUSTER]; D]; 3], counts: [[0.0; CLUSTER]; 3] };

    /// Returns the sums of one agent.
    pub(crate) fn of(&self, lane: usize) -> FlockSums<f32, D> {
        let vector = |place: usize| std::array::from_fn(|axis| self.vectors[place][axis][lane]);
        FlockSums { vectors: [0, 1, 2].map(vector), counts: self.counts.map(|counts| counts[lane]) }
    }

    /// Sets the sums of one agent.
    pub(crate) fn set(&mut self, lane: usize, sums: &FlockSums<f32, D>) {
        for place in 0..3 {
            self.counts[place][lane] = sums.counts[place];
            for axis in 0..D {
                self.vectors[place][axis][lane] = sums.vectors[place][axis];
            }
        }
    }
}

/// Adds the visible agents of one species to the sums.
pub(crate) fn add_flockmates<const D: usize>(
    level: Level,
    agents: &FlockingAgents<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    model: &FlockModel,
    sums: &mut ClusterSums<D>,
) {
    kernels::<D>().add_flockmates(level, agents, others, seen, model, sums);
}

#[inline(always)]
pub(super) fn add_flockmates_lanes<S: Grouped, const D: usize>(
    simd: S,
    agents: &FlockingAgents<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    model: &FlockModel,
    sums: &mut ClusterSums<D>,
) {
    macro_rules! run {
        ($model:expr) => {
            // Each is a separate function. A single one would run out of registers.
            simd.vectorize(
                #[inline(always)]
                || add_lanes(simd, agents, others, seen, $model, sums),
            )
        };
    }
    match model {
        FlockModel::Approach(model) => run!(model),
        FlockModel::Morse(model) => run!(model),
        FlockModel::Zones(model) => run!(model),
        FlockModel::Bonds(model) => run!(model),
        FlockModel::Lattice(model) => run!(model),
    }
}

#[inline(always)]
fn add_lanes<S: Grouped, I: Interaction<D>, const D: usize>(
    simd: S,
    agents: &FlockingAgents<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    model: &I,
    sums: &mut ClusterSums<D>,
) {
    let len = Group::<S>::LEN;
    // With columns of equal length, one bounds check covers all of them.
    let count = others.position[0].len();
    let their_position = others.position.map(|column| &column[..count]);
    let their_velocity = others.velocity.map(|column| &column[..count]);
    for first in (0..CLUSTER).step_by(len) {
        if u32::from(seen.lanes) >> first & ((1 << len) - 1) == 0 {
            continue;
        }
        let position = load_group_axes(simd, &agents.bodies.position, first);
        let own = load_group_axes(simd, &agents.bodies.velocity, first);
        let heading = load_group_axes(simd, &agents.heading, first);
        let mut total = FlockSums { vectors: [position; 3], counts: [position[0]; 3] };
        for place in 0..3 {
            total.counts[place] = load_group(simd, &sums.counts[place], first);
            total.vectors[place] = load_group_axes(simd, &sums.vectors[place], first);
        }
        for (row, by) in seen.each() {
            let sees = GroupMask::<S>::from_bitmask(simd, u64::from(by >> first));
            let offset = offset_to(&position, &their_position, row, agents.bodies.seam, &agents.bodies.period);
            let theirs = at_row(own, &their_velocity, row);
            let pair = Pair { offset, squared: dot(&offset, &offset), own, heading, theirs };
            model.add(&pair, sees, &mut total);
        }
        for place in 0..3 {
            store(total.counts[place], &mut sums.counts[place], first);
            store_axes(total.vectors[place], &mut sums.vectors[place], first);
        }
    }
}
