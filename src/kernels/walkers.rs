//! The agents of a cluster that walk among bodies, and the sums of two models over the bodies that they see: the social
//! forces and the turns of the collision-free speed model.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdMask};

use crate::formulas::bodies::{Pair, Push, Pushes, is_in_the_way, repulsion};
use crate::kernels::CLUSTER;
use crate::kernels::bodies::{Bodies, ClusterBodies};
use crate::kernels::simd::{
    Lanes, Mask, Ordered, Truth, add_where, at_row, dot, load, load_axes, mask, minus, negative, offset_to, over,
    store, store_axes,
};
use crate::kernels::table::kernels;
use crate::kernels::visibility::VisibleAgents;

/// One vector for each agent of a cluster.
pub(crate) type Vectors<const D: usize> = [[f32; CLUSTER]; D];

/// One symmetric matrix for each agent of a cluster: the entries whose first index is not the larger one.
pub(crate) type Matrices<const D: usize> = [Vectors<D>; D];

/// The social forces on the agents of a cluster, and how they change with the velocities of a tick.
#[derive(Debug)]
pub(crate) struct SocialForces<const D: usize> {
    pub(crate) force: Vectors<D>,
    pub(crate) hardness: Matrices<D>,
    pub(crate) rub: [f32; CLUSTER],
}

impl<const D: usize> SocialForces<D> {
    pub(crate) const NONE: Self =
        Self { force: [[0.0; CLUSTER]; D], hardness: [[[0.0; CLUSTER]; D]; D], rub: [0.0; CLUSTER] };
}

/// The turns of the agents of a cluster, and how fast they change with the positions.
#[derive(Debug)]
pub(crate) struct Turns<const D: usize> {
    pub(crate) turn: Vectors<D>,
    pub(crate) hardness: Matrices<D>,
}

impl<const D: usize> Turns<D> {
    pub(crate) const NONE: Self = Self { turn: [[0.0; CLUSTER]; D], hardness: [[[0.0; CLUSTER]; D]; D] };
}

/// Adds the social forces of the visible agents of one species. Returns one bit for each agent that sees a coincident
/// one, whose direction the caller must draw.
pub(crate) fn add_social_forces<const D: usize>(
    level: Level,
    agents: &ClusterBodies<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    model: &Pushes,
    forces: &mut SocialForces<D>,
) -> u16 {
    kernels::<D>().add_social_forces(level, agents, others, seen, model, forces)
}

/// Adds the turns away from the visible agents of one species, with the first two constants of the model. Returns one
/// bit for each agent that sees a coincident one, whose direction the caller must draw.
pub(crate) fn add_turns<const D: usize>(
    level: Level,
    agents: &ClusterBodies<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    model: &[f32; 2],
    turns: &mut Turns<D>,
) -> u16 {
    kernels::<D>().add_turns(level, agents, others, seen, model, turns)
}

/// Lowers `gaps` to the gaps to the visible agents of one species ahead in the directions.
pub(crate) fn find_gaps<const D: usize>(
    level: Level,
    agents: &ClusterBodies<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    directions: &Vectors<D>,
    gaps: &mut [f32; CLUSTER],
) {
    kernels::<D>().find_gaps(level, agents, others, seen, directions, gaps);
}

#[inline(always)]
fn matrices<S: Simd, const D: usize>(simd: S, matrices: &Matrices<D>) -> [[Lanes<S>; D]; D] {
    let mut loaded = [load_axes(simd, &matrices[0], 0); D];
    for row in 1..D {
        loaded[row] = load_axes(simd, &matrices[row], 0);
    }
    loaded
}

/// Adds `weight` times the matrix of the products of the components of `away`, in lanes that see.
#[inline(always)]
fn add_products<S: Simd, const D: usize>(
    sees: Mask<S>,
    sum: &mut [[Lanes<S>; D]; D],
    away: &[Lanes<S>; D],
    weight: Lanes<S>,
) {
    for row in 0..D {
        for column in row..D {
            sum[row][column] = add_where(sees, sum[row][column], away[row] * away[column] * weight);
        }
    }
}

/// Adds a push in lanes that see.
#[inline(always)]
fn add_push<S: Simd, const D: usize>(
    sees: Mask<S>,
    push: &Push<Lanes<S>, D>,
    away: &[Lanes<S>; D],
    (total, hardness): (&mut [Lanes<S>; D], &mut [[Lanes<S>; D]; D]),
) {
    for axis in 0..D {
        total[axis] = add_where(sees, total[axis], push.force[axis]);
    }
    add_products(sees, hardness, away, push.hardness);
}

#[inline(always)]
fn keep<S: Simd, const D: usize>(sum: [[Lanes<S>; D]; D], to: &mut Matrices<D>) {
    for row in 0..D {
        for column in row..D {
            store(sum[row][column], &mut to[row][column], 0);
        }
    }
}

#[inline(always)]
pub(super) fn add_social_forces_lanes<S: Simd, const D: usize>(
    simd: S,
    agents: &ClusterBodies<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    model: &Pushes,
    forces: &mut SocialForces<D>,
) -> u16 {
    let zero = Lanes::splat(simd, 0.0);
    let position = load_axes(simd, &agents.position, 0);
    let velocity = load_axes(simd, &agents.velocity, 0);
    let radius = agents.radius.lanes(simd, 0);
    let mut total = load_axes(simd, &forces.force, 0);
    let (mut hardness, mut rub) = (matrices(simd, &forces.hardness), load(simd, &forces.rub, 0));
    let mut coincident = 0;
    for (row, by) in seen.each() {
        let sees = mask(simd, by);
        let offset = offset_to(&position, &others.position, row, agents.seam, &agents.period);
        let distance = dot(&offset, &offset).sqrt();
        let here = sees & distance.le(zero);
        if here.any_true() {
            coincident |= here.to_bitmask() as u16;
        }
        let away = over(negative(offset), distance);
        let relative = minus(at_row(velocity, &others.velocity, row), velocity);
        let overlap = (radius + Lanes::splat(simd, others.radius.at(row))) - distance;
        let pair = Pair::new(away, relative, overlap, model);
        if (sees & overlap.gt(zero)).any_true() {
            let push = pair.in_contact(model);
            add_push(sees, &push, &away, (&mut total, &mut hardness));
            rub = add_where(sees, rub, push.rub);
        } else {
            add_push(sees, &pair.apart(model), &away, (&mut total, &mut hardness));
        }
    }
    store_axes(total, &mut forces.force, 0);
    keep(hardness, &mut forces.hardness);
    store(rub, &mut forces.rub, 0);
    coincident
}

#[inline(always)]
pub(super) fn add_turns_lanes<S: Simd, const D: usize>(
    simd: S,
    agents: &ClusterBodies<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    &[strength, range]: &[f32; 2],
    turns: &mut Turns<D>,
) -> u16 {
    let (strength, range) = (Lanes::splat(simd, strength), Lanes::splat(simd, range));
    let position = load_axes(simd, &agents.position, 0);
    let radius = agents.radius.lanes(simd, 0);
    let (mut total, mut hardness) = (load_axes(simd, &turns.turn, 0), matrices(simd, &turns.hardness));
    let mut coincident = 0;
    for (row, by) in seen.each() {
        let sees = mask(simd, by);
        let offset = offset_to(&position, &others.position, row, agents.seam, &agents.period);
        let distance = dot(&offset, &offset).sqrt();
        let here = sees & distance.le(Lanes::splat(simd, 0.0));
        if here.any_true() {
            coincident |= here.to_bitmask() as u16;
        }
        let touching = radius + Lanes::splat(simd, others.radius.at(row));
        let push = repulsion(touching - distance, strength, range);
        let away = over(negative(offset), distance);
        for axis in 0..D {
            total[axis] = add_where(sees, total[axis], away[axis] * push);
        }
        add_products(sees, &mut hardness, &away, push / range);
    }
    store_axes(total, &mut turns.turn, 0);
    keep(hardness, &mut turns.hardness);
    coincident
}

#[inline(always)]
pub(super) fn find_gaps_lanes<S: Simd, const D: usize>(
    simd: S,
    agents: &ClusterBodies<'_, D>,
    others: &Bodies<'_, D>,
    seen: &VisibleAgents<'_>,
    directions: &Vectors<D>,
    gaps: &mut [f32; CLUSTER],
) {
    let position = load_axes(simd, &agents.position, 0);
    let (radius, direction) = (agents.radius.lanes(simd, 0), load_axes(simd, directions, 0));
    let mut least = load(simd, gaps, 0);
    for (row, by) in seen.each() {
        let sees = mask(simd, by);
        let offset = offset_to(&position, &others.position, row, agents.seam, &agents.period);
        let touching = radius + Lanes::splat(simd, others.radius.at(row));
        let in_the_way = sees & is_in_the_way(offset, direction, touching);
        if in_the_way.any_true() {
            let gap = dot(&offset, &offset).sqrt() - touching;
            least = (in_the_way & gap.lt(least)).choose(gap, least);
        }
    }
    store(least, gaps, 0);
}
