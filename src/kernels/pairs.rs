//! The pair kernel: sums over the neighbours of each agent of a chunk.
//!
//! The agents of a group occupy the lanes, and the kernel visits their candidates one by one, the same one for all
//! lanes. Every lane adds its own neighbours in candidate order, so no sum crosses lanes, and scalar loops would give
//! the same bits. A mask leaves out candidates that are not neighbours. Branches would cost three times more.

use fearless_simd::{Level, SimdBase, SimdMask};

use crate::kernels::group::{
    Group as Lanes, GroupMask as Mask, Grouped, load_group as load, load_group_axes as load_axes,
};
use crate::kernels::simd::{Ordered, Truth, add_where, dot, nearest_image, store, store_axes};
use crate::kernels::table::kernels;
use crate::kernels::vision::{ChunkVision, LaneVision, Vision, ahead};
use crate::kernels::{Axes, CHUNK, CLUSTER, GROUPS};

/// The squared distance, in square metres, below which two agents are coincident: neither has a direction from the
/// other.
pub(crate) const COINCIDENT: f32 = 1e-20;

/// The sums for one input of a rule, for each row of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Sum<const D: usize> {
    pub(crate) vector: [[f32; CHUNK]; D],
    /// The number of neighbours; of coincident agents for inverse offsets.
    pub(crate) count: [f32; CHUNK],
}

impl<const D: usize> Sum<D> {
    pub(crate) const ZERO: Self = Self { vector: [[0.0; CHUNK]; D], count: [0.0; CHUNK] };
}

/// The sums of one run of the kernel with their visions: at most one of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms {
    /// Offsets divided by their squared length.
    pub(crate) inverse_offsets: Option<Vision>,
    /// Velocities.
    pub(crate) velocities: Option<Vision>,
    /// Offsets.
    pub(crate) offsets: Option<Vision>,
}

impl Terms {
    /// Returns the visions in the order of their slots.
    pub(crate) fn each(&self) -> [Option<Vision>; 3] {
        [self.inverse_offsets, self.velocities, self.offsets]
    }

    /// The same, to change.
    pub(crate) fn each_mut(&mut self) -> [&mut Option<Vision>; 3] {
        [&mut self.inverse_offsets, &mut self.velocities, &mut self.offsets]
    }
}

/// The candidates of the agents of one chunk: for each group, the rows of agents outside its cluster, ascending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CandidateList<'a, const D: usize> {
    /// The rows of the first group, then of the second, and so on.
    pub(crate) rows: &'a [u32],
    /// The end of each group's rows.
    pub(crate) ends: &'a [usize; GROUPS],
    /// The columns of all agents of the perceived species, of equal length.
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
}

impl<const D: usize> CandidateList<'_, D> {
    /// Returns the rows of one group.
    #[inline(always)]
    pub(crate) fn of(&self, group: usize) -> &[u32] {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        &self.rows[start..self.ends[group]]
    }
}

/// The agents of one chunk, in whole clusters. Each group occupies the lanes in turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observers<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    /// Where they look.
    pub(crate) heading: Axes<'a, D>,
    /// The world's period per axis, infinite where it does not repeat.
    pub(crate) period: [f32; D],
    /// One bit for each cluster: whether a pair within the radius may lie across a seam.
    pub(crate) seams: u16,
    /// Whether the agents of a cluster may be neighbours of each other.
    pub(crate) each_other: bool,
    /// The vision of each agent where they differ. The terms then have the largest ones.
    pub(crate) views: Option<&'a ChunkVision>,
}

impl<const D: usize> Observers<'_, D> {
    /// Returns whether a pair with an agent of the cluster may lie across a seam.
    #[inline(always)]
    pub(crate) fn at_seam(&self, cluster: usize) -> bool {
        self.seams >> cluster & 1 == 1
    }
}

/// Adds the candidates and the agents of the same cluster to the sums of each observer. `slots` has the places of the
/// sums in the order of the terms. Returns one bit for each group that may have coincident agents: its inverse offsets
/// leave them out, and its counts are their numbers.
pub(crate) fn add_pairs<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    candidates: &CandidateList<'_, D>,
    terms: &Terms,
    slots: &[usize; 3],
    sums: &mut [Sum<D>],
) -> u32 {
    let coincident = kernels::<D>().add_pairs(level, observers, candidates, terms, slots, sums);
    if let Some(view) = terms.inverse_offsets {
        for group in (0..GROUPS).filter(|group| coincident >> group & 1 == 1) {
            kernels::<D>().add_without_coincident(level, observers, candidates, group, view, &mut sums[slots[0]]);
        }
    }
    coincident
}

/// Chooses the loop for the set of terms, so that unused terms cost nothing.
#[inline(always)]
pub(super) fn choose_terms<S: Grouped, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    candidates: &CandidateList<'_, D>,
    terms: &Terms,
    slots: &[usize; 3],
    sums: &mut [Sum<D>],
) -> u32 {
    macro_rules! run {
        ($inverse:literal $velocities:literal $offsets:literal $shared:literal) => {
            choose_space::<S, D, $inverse, $velocities, $offsets, $shared>(
                simd, observers, candidates, terms, slots, sums,
            )
        };
    }
    // Every set is compiled for each instruction set, number of dimensions and kind of vision. Rare sets run as several
    // others, which compute their distances again.
    let shared = observers.views.map_or(terms.velocities == terms.offsets, |views| views.shared);
    match (terms.inverse_offsets.is_some(), terms.velocities.is_some(), terms.offsets.is_some()) {
        (true, true, true) if shared => run!(true true true true),
        (true, true, true) => run!(true true true false),
        (false, true, true) if shared => run!(false true true true),
        (inverse_offsets, velocities, offsets) => {
            let coincident = if inverse_offsets { run!(true false false false) } else { 0 };
            if velocities {
                run!(false true false false);
            }
            if offsets {
                run!(false false true false);
            }
            coincident
        }
    }
}

#[inline(always)]
fn choose_space<
    S: Grouped,
    const D: usize,
    const INVERSE: bool,
    const VELOCITIES: bool,
    const OFFSETS: bool,
    const SHARED: bool,
>(
    simd: S,
    observers: &Observers<'_, D>,
    candidates: &CandidateList<'_, D>,
    terms: &Terms,
    slots: &[usize; 3],
    sums: &mut [Sum<D>],
) -> u32 {
    let narrow = |view: Option<Vision>| view.is_some_and(|view| view.cosine_squared > Vision::ALL_ROUND);
    let narrow = narrow(terms.inverse_offsets) || narrow(terms.velocities) || narrow(terms.offsets);
    let all = ((1u32 << (observers.position[0].len() / CLUSTER)) - 1) as u16;
    macro_rules! run {
        ($narrow:literal $wraps:literal $clusters:expr) => {
            // Each is a separate function. A single one would run out of registers.
            simd.vectorize(
                #[inline(always)]
                || {
                    add_clusters::<S, D, INVERSE, VELOCITIES, OFFSETS, SHARED, $narrow, $wraps>(
                        simd, observers, candidates, $clusters, terms, slots, sums,
                    )
                },
            )
        };
    }
    let (inside, across) = (all & !observers.seams, all & observers.seams);
    let mut coincident = 0;
    if narrow {
        coincident |= if inside != 0 { run!(true false inside) } else { 0 };
        coincident |= if across != 0 { run!(true true across) } else { 0 };
    } else {
        coincident |= if inside != 0 { run!(false false inside) } else { 0 };
        coincident |= if across != 0 { run!(false true across) } else { 0 };
    }
    coincident
}

#[inline(always)]
fn add_clusters<
    S: Grouped,
    const D: usize,
    const INVERSE: bool,
    const VELOCITIES: bool,
    const OFFSETS: bool,
    const SHARED: bool,
    const NARROW: bool,
    const WRAPS: bool,
>(
    simd: S,
    observers: &Observers<'_, D>,
    candidates: &CandidateList<'_, D>,
    clusters: u16,
    terms: &Terms,
    slots: &[usize; 3],
    sums: &mut [Sum<D>],
) -> u32 {
    // With columns of equal length, one bounds check covers all of them.
    let agents = candidates.position[0].len();
    let their_position = candidates.position.map(|column| &column[..agents]);
    let their_velocity = candidates.velocity.map(|column| &column[..agents]);
    let period = observers.period;
    let mut coincident = 0;
    let is_included = |group: &usize| clusters >> (group * Lanes::<S>::LEN / CLUSTER) & 1 == 1;
    for group in (0..CHUNK / Lanes::<S>::LEN).filter(is_included) {
        let first = group * Lanes::<S>::LEN;
        let cluster = first / CLUSTER;
        let rows = candidates.of(group);
        if rows.is_empty() && !observers.each_other {
            continue;
        }
        let position = load_axes(simd, &observers.position, first);
        let heading = load_axes(simd, &observers.heading, first);
        let heading_squared = dot(&heading, &heading);
        let views = observers.views;
        let inverse_view = LaneVision::of(simd, views, 0, first, terms.inverse_offsets, heading_squared);
        let velocities_view = LaneVision::of(simd, views, 1, first, terms.velocities, heading_squared);
        let offsets_view = LaneVision::of(simd, views, 2, first, terms.offsets, heading_squared);
        let mut inverse_sum = if INVERSE { LaneSum::load(simd, &sums[slots[0]], first) } else { LaneSum::zero(simd) };
        let mut velocities_sum =
            if VELOCITIES { LaneSum::load(simd, &sums[slots[1]], first) } else { LaneSum::zero(simd) };
        let mut offsets_sum = if OFFSETS { LaneSum::load(simd, &sums[slots[2]], first) } else { LaneSum::zero(simd) };
        let one = Lanes::<S>::splat(simd, 1.0);

        // An agent must not see itself: `$exclude_self` makes its own distance infinite.
        macro_rules! add_candidate {
            ($positions:expr, $velocities:expr, $row:expr, $exclude_self:expr) => {
                // The operations of `offset_to`. A call of it costs 5 % more here.
                let mut offset = position;
                for axis in 0..D {
                    offset[axis] = Lanes::<S>::splat(simd, $positions[axis][$row]) - position[axis];
                    if WRAPS {
                        offset[axis] = nearest_image(offset[axis], period[axis]);
                    }
                }
                let squared = $exclude_self(dot(&offset, &offset));
                let ahead = if NARROW { ahead(&heading, &offset) } else { squared };
                if INVERSE {
                    let seen = inverse_view.sees::<NARROW>(squared, ahead);
                    let weight = one / squared;
                    for axis in 0..D {
                        inverse_sum.vector[axis] = add_where(seen, inverse_sum.vector[axis], offset[axis] * weight);
                    }
                }
                let mut seen = velocities_view.sees::<NARROW>(squared, ahead);
                if VELOCITIES {
                    for axis in 0..D {
                        let theirs = Lanes::<S>::splat(simd, $velocities[axis][$row]);
                        velocities_sum.vector[axis] = add_where(seen, velocities_sum.vector[axis], theirs);
                    }
                    velocities_sum.count = add_where(seen, velocities_sum.count, one);
                }
                if OFFSETS {
                    if !SHARED {
                        seen = offsets_view.sees::<NARROW>(squared, ahead);
                    }
                    for axis in 0..D {
                        offsets_sum.vector[axis] = add_where(seen, offsets_sum.vector[axis], offset[axis]);
                    }
                    if !SHARED {
                        offsets_sum.count = add_where(seen, offsets_sum.count, one);
                    }
                }
            };
        }
        for &row in rows {
            add_candidate!(their_position, their_velocity, row as usize, |squared| squared);
        }
        if observers.each_other {
            let far = Lanes::<S>::splat(simd, f32::INFINITY);
            for own_row in cluster * CLUSTER..(cluster + 1) * CLUSTER {
                let itself = Mask::<S>::from_bitmask(simd, if own_row < first { 0 } else { 1 << (own_row - first) });
                add_candidate!(observers.position, observers.velocity, own_row, |squared| itself.choose(far, squared));
            }
        }

        if INVERSE {
            // The inverse offset of a coincident agent is huge or NaN.
            let squared = dot(&inverse_sum.vector, &inverse_sum.vector);
            if squared.le(Lanes::<S>::splat(simd, 1.0 / COINCIDENT)).all_true() {
                inverse_sum.store(&mut sums[slots[0]], first);
            } else {
                coincident |= 1 << group;
            }
        }
        if VELOCITIES {
            if SHARED {
                offsets_sum.count += velocities_sum.count - load(simd, &sums[slots[1]].count, first);
            }
            velocities_sum.store(&mut sums[slots[1]], first);
        }
        if OFFSETS {
            offsets_sum.store(&mut sums[slots[2]], first);
        }
    }
    coincident
}

/// The sums of the agents in the lanes.
pub(super) struct LaneSum<S: Grouped, const D: usize> {
    pub(super) vector: [Lanes<S>; D],
    pub(super) count: Lanes<S>,
}

impl<S: Grouped, const D: usize> LaneSum<S, D> {
    #[inline(always)]
    fn zero(simd: S) -> Self {
        Self { vector: [Lanes::<S>::splat(simd, 0.0); D], count: Lanes::<S>::splat(simd, 0.0) }
    }

    #[inline(always)]
    pub(super) fn load(simd: S, sum: &Sum<D>, first: usize) -> Self {
        Self { vector: load_axes(simd, &sum.vector, first), count: load(simd, &sum.count, first) }
    }

    #[inline(always)]
    pub(super) fn store(self, sum: &mut Sum<D>, first: usize) {
        store_axes(self.vector, &mut sum.vector, first);
        store(self.count, &mut sum.count, first);
    }
}
