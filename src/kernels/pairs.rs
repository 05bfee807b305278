//! What do the neighbours of sixteen agents add up to? The pair kernel.
//!
//! Sixteen agents sit in the lanes and the candidates pass by one at a time, the same one for all lanes. Every lane
//! adds its own neighbours in candidate order, so no sum ever crosses lanes and the bits are those of sixteen scalar
//! loops. What is not a neighbour is masked, not branched around: branches cost three times as much.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use super::simd::{Lanes, Mask, add_where, dot, load, load_axes, nearest_image, store};
use super::table::kernels;
use super::{Axes, CHUNK};

/// Two agents nearer to each other than this (metres, squared) stand on one point: neither is in any direction from
/// the other.
pub(crate) const COINCIDENT: f32 = 1e-20;

/// What [`Sum::count`] exceeds once an agent has met as many coincident ones as it was told to expect.
pub(crate) fn coincident_weight(expected: usize) -> f32 {
    (expected as f32 + 0.5) / COINCIDENT
}

/// The sums that one rule asked for, for each row of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Sum<const D: usize> {
    pub(crate) vector: [[f32; CHUNK]; D],
    /// How many neighbours were added; not for inverse offsets.
    pub(crate) count: [f32; CHUNK],
}

impl<const D: usize> Sum<D> {
    pub(crate) const ZERO: Self = Self { vector: [[0.0; CHUNK]; D], count: [0.0; CHUNK] };
}

/// Whom an agent sees: how far and how wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// The perception radius, squared.
    pub(crate) radius_squared: f32,
    /// The cosine of half the field of view, times its own absolute value; -2 for all round.
    pub(crate) cosine_squared: f32,
}

impl View {
    pub(crate) const ALL_ROUND: f32 = -2.0;
}

/// Which sums one run of the kernel forms, and in what view: at most one of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms {
    /// Offsets divided by their squared length.
    pub(crate) inverse_offsets: Option<View>,
    /// Velocities.
    pub(crate) velocities: Option<View>,
    /// Offsets.
    pub(crate) offsets: Option<View>,
}

/// Agents that may be neighbours: their rows, ascending, in columns of the same length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidates<'a, const D: usize> {
    pub(crate) rows: &'a [u32],
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
}

/// The agents in the lanes: sixteen rows from `first` on, of columns of one chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observers<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    pub(crate) first: usize,
    /// The world's period per axis; `None` if no pair within the radius lies across a seam.
    pub(crate) period: Option<[f32; D]>,
    /// Whether the observers are among the candidates: each meets itself once, and that one is taken off at the end.
    pub(crate) among: bool,
}

/// Adds to the sums, which are in `slots` in the order of the terms, what `candidates` add up to for sixteen agents.
/// Tells whether any of them met another one on its own point; then the count of the inverse offsets is the sum of their
/// inverse squared distances, otherwise it is zero.
pub(crate) fn add_pairs<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    candidates: Candidates<'_, D>,
    terms: &Terms,
    slots: &[usize; 3],
    sums: &mut [Sum<D>],
) -> bool {
    kernels::<D>().add_pairs(level, observers, candidates, terms, slots, sums)
}

/// One loop for each set of terms, so that a rule that is not used costs nothing.
#[inline(always)]
pub(super) fn choose_terms<S: Simd, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    candidates: Candidates<'_, D>,
    terms: &Terms,
    slots: &[usize; 3],
    sums: &mut [Sum<D>],
) -> bool {
    macro_rules! run {
        ($inverse:literal $velocities:literal $offsets:literal $shared:literal) => {
            choose_space::<S, D, $inverse, $velocities, $offsets, $shared>(
                simd, observers, candidates, terms, slots, sums,
            )
        };
    }
    // Every set is compiled for each instruction set, number of dimensions and kind of view. Those that few worlds have
    // are made up of others: their distances are computed twice.
    let shared = terms.velocities == terms.offsets;
    match (terms.inverse_offsets.is_some(), terms.velocities.is_some(), terms.offsets.is_some()) {
        (true, true, true) if shared => run!(true true true true),
        (true, true, true) => run!(true true true false),
        (false, true, true) if shared => run!(false true true true),
        (inverse_offsets, velocities, offsets) => {
            let met = inverse_offsets && run!(true false false false);
            let _ = velocities && run!(false true false false);
            let _ = offsets && run!(false false true false);
            met
        }
    }
}

#[inline(always)]
fn choose_space<
    S: Simd,
    const D: usize,
    const INVERSE: bool,
    const VELOCITIES: bool,
    const OFFSETS: bool,
    const SHARED: bool,
>(
    simd: S,
    observers: &Observers<'_, D>,
    candidates: Candidates<'_, D>,
    terms: &Terms,
    slots: &[usize; 3],
    sums: &mut [Sum<D>],
) -> bool {
    let narrow = |view: Option<View>| view.is_some_and(|view| view.cosine_squared > View::ALL_ROUND);
    let narrow = narrow(terms.inverse_offsets) || narrow(terms.velocities) || narrow(terms.offsets);
    macro_rules! run {
        ($narrow:literal $wraps:literal) => {
            // A function of its own for each, or the compiler makes one of all and runs out of registers.
            simd.vectorize(
                #[inline(always)]
                || {
                    add_lanes::<S, D, INVERSE, VELOCITIES, OFFSETS, SHARED, $narrow, $wraps>(
                        simd, observers, candidates, terms, slots, sums,
                    )
                },
            )
        };
    }
    match (narrow, observers.period.is_some()) {
        (false, false) => run!(false false),
        (false, true) => run!(false true),
        (true, false) => run!(true false),
        (true, true) => run!(true true),
    }
}

#[inline(always)]
fn add_lanes<
    S: Simd,
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
    candidates: Candidates<'_, D>,
    terms: &Terms,
    slots: &[usize; 3],
    sums: &mut [Sum<D>],
) -> bool {
    let first = observers.first;
    let position = load_axes(simd, &observers.position, first);
    let velocity = load_axes(simd, &observers.velocity, first);
    let period = observers.period.unwrap_or([f32::INFINITY; D]);
    let speed_squared = dot(&velocity, &velocity);

    let inverse_view = LaneView::new(simd, terms.inverse_offsets, speed_squared);
    let velocities_view = LaneView::new(simd, terms.velocities, speed_squared);
    let offsets_view = LaneView::new(simd, terms.offsets, speed_squared);
    let mut inverse_sum = if INVERSE { LaneSum::load(simd, &sums[slots[0]], first) } else { LaneSum::zero(simd) };
    let mut velocities_sum = if VELOCITIES { LaneSum::load(simd, &sums[slots[1]], first) } else { LaneSum::zero(simd) };
    let mut offsets_sum = if OFFSETS { LaneSum::load(simd, &sums[slots[2]], first) } else { LaneSum::zero(simd) };
    inverse_sum.count = Lanes::splat(simd, 0.0);
    let mut met = false;
    let one = Lanes::splat(simd, 1.0);
    let nearest = Lanes::splat(simd, COINCIDENT);

    // Of one length, so that one comparison tells that a row is in all of them.
    let agents = candidates.position[0].len();
    let their_position = candidates.position.map(|column| &column[..agents]);
    let their_velocity = candidates.velocity.map(|column| &column[..agents]);
    for &row in candidates.rows {
        let row = row as usize;
        let mut offset = position;
        for axis in 0..D {
            offset[axis] = Lanes::splat(simd, their_position[axis][row]) - position[axis];
            if WRAPS {
                offset[axis] = nearest_image(simd, offset[axis], period[axis]);
            }
        }
        let squared = dot(&offset, &offset);
        let ahead = if NARROW {
            let along = dot(&velocity, &offset);
            along * along.abs()
        } else {
            squared
        };
        if INVERSE {
            let seen = inverse_view.sees::<NARROW>(squared, ahead);
            let weight = one / squared.max(nearest);
            for axis in 0..D {
                inverse_sum.vector[axis] = add_where(seen, inverse_sum.vector[axis], offset[axis] * weight);
            }
            inverse_sum.count = add_where(seen, inverse_sum.count, weight);
        }
        let mut seen = velocities_view.sees::<NARROW>(squared, ahead);
        if VELOCITIES {
            for axis in 0..D {
                let theirs = Lanes::splat(simd, their_velocity[axis][row]);
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
    }

    // An agent's offset to itself is zero, so that only counts and velocities have to be put right.
    let oneself = Lanes::splat(simd, if observers.among { 1.0 } else { 0.0 });
    if INVERSE {
        let alone = Lanes::splat(simd, coincident_weight(usize::from(observers.among)));
        met = inverse_sum.count.simd_gt(alone).any_true();
        if !met {
            inverse_sum.count = Lanes::splat(simd, 0.0);
        }
        inverse_sum.store(&mut sums[slots[0]], first);
    }
    if VELOCITIES {
        if SHARED {
            offsets_sum.count += velocities_sum.count - load(simd, &sums[slots[1]].count, first);
        }
        velocities_sum.count -= oneself;
        for axis in 0..D {
            velocities_sum.vector[axis] -= velocity[axis] * oneself;
        }
        velocities_sum.store(&mut sums[slots[1]], first);
    }
    if OFFSETS {
        offsets_sum.count -= oneself;
        offsets_sum.store(&mut sums[slots[2]], first);
    }
    met
}

/// A view, for the agents in the lanes.
pub(super) struct LaneView<S: Simd> {
    radius_squared: Lanes<S>,
    /// The field of view's threshold, times each agent's squared speed: an agent at rest sees all round.
    threshold: Lanes<S>,
}

impl<S: Simd> LaneView<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, view: Option<View>, speed_squared: Lanes<S>) -> Self {
        let view = view.unwrap_or(View { radius_squared: 0.0, cosine_squared: View::ALL_ROUND });
        Self {
            radius_squared: Lanes::splat(simd, view.radius_squared),
            threshold: Lanes::splat(simd, view.cosine_squared) * speed_squared,
        }
    }

    /// Within the radius, and `velocity . offset` not less than the cosine times both lengths: compared as squares
    /// that keep their sign, so without a root.
    #[inline(always)]
    pub(super) fn sees<const NARROW: bool>(&self, squared: Lanes<S>, ahead: Lanes<S>) -> Mask<S> {
        let near = squared.simd_le(self.radius_squared);
        if NARROW { near & ahead.simd_ge(self.threshold * squared) } else { near }
    }
}

/// A sum, for the agents in the lanes.
struct LaneSum<S: Simd, const D: usize> {
    vector: [Lanes<S>; D],
    count: Lanes<S>,
}

impl<S: Simd, const D: usize> LaneSum<S, D> {
    #[inline(always)]
    fn zero(simd: S) -> Self {
        Self { vector: [Lanes::splat(simd, 0.0); D], count: Lanes::splat(simd, 0.0) }
    }

    #[inline(always)]
    fn load(simd: S, sum: &Sum<D>, first: usize) -> Self {
        let mut vector = [Lanes::splat(simd, 0.0); D];
        for axis in 0..D {
            vector[axis] = load(simd, &sum.vector[axis], first);
        }
        Self { vector, count: load(simd, &sum.count, first) }
    }

    #[inline(always)]
    fn store(self, sum: &mut Sum<D>, first: usize) {
        for axis in 0..D {
            store(self.vector[axis], &mut sum.vector[axis], first);
        }
        store(self.count, &mut sum.count, first);
    }
}
