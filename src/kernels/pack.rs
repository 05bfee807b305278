//! How is a candidate one load? Position and velocity of an agent side by side, beside the columns.

use fearless_simd::{Level, Simd, SimdBase};

use super::simd::{Lanes, load, store};
use super::table::kernels;
use super::{Axes, CLUSTER};

/// Numbers in an agent's packed motion: its position, its velocity, and what fills the rest of a power of two.
pub(crate) const fn width(dimensions: usize) -> usize {
    if dimensions == 2 { 4 } else { 8 }
}

/// Where in an agent's packed motion its velocity starts.
pub(crate) const fn velocity_at(dimensions: usize) -> usize {
    width(dimensions) / 2
}

/// Packs the motion of whole clusters of agents.
pub(crate) fn pack<const D: usize>(level: Level, position: &Axes<'_, D>, velocity: &Axes<'_, D>, packed: &mut [f32]) {
    kernels::<D>().pack(level, position, velocity, packed);
}

#[inline(always)]
pub(super) fn pack_lanes<S: Simd, const D: usize>(
    simd: S,
    position: &Axes<'_, D>,
    velocity: &Axes<'_, D>,
    packed: &mut [f32],
) {
    let width = width(D);
    for row in (0..position[0].len()).step_by(CLUSTER) {
        let mut pairs = [(Lanes::splat(simd, 0.0), Lanes::splat(simd, 0.0)); D];
        for axis in 0..D {
            pairs[axis] = load(simd, position[axis], row).interleave(load(simd, velocity[axis], row));
        }
        let out = &mut packed[row * width..(row + CLUSTER) * width];
        if D == 2 {
            for (half, (x, y)) in [(pairs[0].0, pairs[1].0), (pairs[0].1, pairs[1].1)].into_iter().enumerate() {
                store_two(x.interleave(y), out, half * 2 * CLUSTER);
            }
        } else {
            let (zero, z) = (Lanes::splat(simd, 0.0), pairs[D - 1]);
            let halves = [(pairs[0].0, pairs[1].0, z.0), (pairs[0].1, pairs[1].1, z.1)];
            for (half, (x, y, z)) in halves.into_iter().enumerate() {
                let (even, odd) = (x.interleave(z), y.interleave(zero));
                store_two(even.0.interleave(odd.0), out, half * 4 * CLUSTER);
                store_two(even.1.interleave(odd.1), out, (half * 4 + 2) * CLUSTER);
            }
        }
    }
}

#[inline(always)]
fn store_two<S: Simd>((first, second): (Lanes<S>, Lanes<S>), out: &mut [f32], at: usize) {
    store(first, out, at);
    store(second, out, at + CLUSTER);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InstructionSet;

    fn packs_side_by_side<const D: usize>() {
        let column = |number: usize| (0..32).map(|row| (100 * number + row) as f32).collect::<Vec<_>>();
        let position: [Vec<f32>; D] = std::array::from_fn(column);
        let velocity: [Vec<f32>; D] = std::array::from_fn(|axis| column(D + axis));
        for set in InstructionSet::available() {
            let mut packed = vec![-1.0; 32 * width(D)];
            pack(
                set.level().unwrap(),
                &position.each_ref().map(|column| column.as_slice()),
                &velocity.each_ref().map(|column| column.as_slice()),
                &mut packed,
            );
            for row in 0..32 {
                let own = &packed[row * width(D)..];
                for axis in 0..D {
                    assert_eq!(own[axis], position[axis][row]);
                    assert_eq!(own[velocity_at(D) + axis], velocity[axis][row]);
                }
            }
        }
    }

    #[test]
    fn in_two_and_three_dimensions() {
        packs_side_by_side::<2>();
        packs_side_by_side::<3>();
    }
}
