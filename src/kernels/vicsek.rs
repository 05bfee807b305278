//! The headings of the agents of a chunk in two dimensions after the rule of Vicsek et al. (1995).

use fearless_simd::{Level, Simd, SimdBase, SimdFloat};

use crate::kernels::combine::{Force, QuantitySlice, SteeredRows};
use crate::kernels::pairs::Sum;
use crate::kernels::simd::{Lanes, Ordered, Truth, choose, dot, is_zero, load, load_axes, plus, store_axes, times};
use crate::kernels::table::kernels;
use crate::kernels::{CHUNK, CLUSTER};
use crate::maths::{Noise, sin_cos_of_half_turn};

/// The agents of a chunk, and the noise of the model.
#[derive(Debug)]
pub(crate) struct AligningAgents<'a, const D: usize> {
    pub(crate) steered: SteeredRows<'a, D>,
    pub(crate) mass: QuantitySlice<'a>,
    /// The length of a tick, in seconds.
    pub(crate) dt: f32,
    /// The neighbours' velocities.
    pub(crate) sum: &'a Sum<D>,
    /// The ids, by which noise is keyed.
    pub(crate) ids: &'a [u64; CHUNK],
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    /// The width of the angles drawn, in radians.
    pub(crate) width: f32,
    /// The length of the noise vector in units of the number of agents and their speed; `None` for angular noise.
    pub(crate) vectorial: Option<f32>,
}

/// Replaces the forces of the rules by the new velocities.
pub(crate) fn align<const D: usize>(level: Level, agents: &AligningAgents<'_, D>, force: &mut Force<D>) {
    kernels::<D>().align(level, agents, force);
}

#[inline(always)]
pub(super) fn align_lanes<S: Simd, const D: usize>(simd: S, agents: &AligningAgents<'_, D>, force: &mut Force<D>) {
    let mut angles = [0.0; CLUSTER];
    let [mut sines, mut cosines] = [[0.0; CLUSTER]; 2];
    for row in (0..agents.steered.velocity[0].len()).step_by(CLUSTER) {
        let ids: &[u64; CLUSTER] = agents.ids[row..].first_chunk().unwrap_or(&[0; CLUSTER]);
        for lane in 0..CLUSTER {
            let mut noise = Noise::new(agents.seed, ids[lane], agents.tick, Noise::MOTION);
            angles[lane] = (noise.unit() - 0.5) * agents.width;
        }
        for lane in 0..CLUSTER {
            (sines[lane], cosines[lane]) = sin_cos_of_half_turn(f64::from(angles[lane]));
        }
        let (sine, cosine) = (load(simd, &sines, 0), load(simd, &cosines, 0));
        let own = load_axes(simd, &agents.steered.velocity, row);
        let added = load_axes(simd, force, row);
        let gain = Lanes::splat(simd, agents.dt) / agents.mass.lanes(simd, row);
        let speed = agents.steered.max_speed.lanes(simd, row);
        let total = load_axes(simd, &agents.sum.vector, row);
        let mut total = plus(plus(total, own), times(added, gain));
        if let Some(length) = agents.vectorial {
            let one = Lanes::splat(simd, 1.0);
            let length = (load(simd, &agents.sum.count, row) + one) * speed * Lanes::splat(simd, length);
            total[0] += length * cosine;
            total[1] += length * sine;
        }
        total = choose(is_zero(&total), own, total);
        let squared = dot(&total, &total);
        let scale = squared.gt(Lanes::splat(simd, 0.0)).choose(speed / squared.sqrt(), Lanes::splat(simd, 0.0));
        let mut new = times(total, scale);
        if agents.vectorial.is_none() {
            (new[0], new[1]) = (new[0] * cosine - new[1] * sine, new[0] * sine + new[1] * cosine);
        }
        store_axes(new, force, row);
    }
}
