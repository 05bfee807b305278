//! The structure factor: correlations of positions over wave numbers.

use std::f32::consts::TAU;

use rayon::prelude::*;

use crate::maths::sin_cos;
use crate::measures::sample::{Measured, Sample};

/// The structure factor S(k) = |Σ exp(i k · x)|² / N: wave numbers in radians per metre with its values, in ascending
/// order. It is 1 for agents placed at random, small for evenly spaced ones, and has peaks at the wave numbers of a
/// lattice; at small wave numbers it is the variance of numbers in large boxes over their mean.
///
/// The wave vectors fit into the space: 2π mᵢ / Lᵢ with whole numbers mᵢ, L being the extent. Vectors of about the
/// same length share a value: those nearest to a multiple, from 1 to `count`, of 2π over the largest side. On axes with a
/// boundary, waves that do not fit the edges add to the smallest wave numbers.
///
/// ```
/// use throng::Settings;
/// use throng::measures::{Sample, structure_factor};
///
/// // A lattice of spacing 12.5 m has its first peak at 2π / 12.5, the eighth wave number of a side of 100 m.
/// let at = |row: usize| (row as f32 + 0.5) * 12.5;
/// let (x, y): (Vec<f32>, Vec<f32>) = (0..64).map(|number| (at(number % 8), at(number / 8))).unzip();
/// let sample = Sample::new([&x, &y], [&[0.0; 64], &[0.0; 64]], &Settings::default())?;
/// let factor = structure_factor(&sample, 8);
/// assert!(factor[..7].iter().all(|(_, value)| *value < 1e-9) && factor[7].1 > 1.0);
/// # Ok::<(), throng::Error>(())
/// ```
#[must_use]
pub fn structure_factor<const D: usize>(agents: &impl Measured<D>, count: usize) -> Vec<(f64, f64)> {
    let sample: &Sample<D> = &agents.sample();
    let extent = sample.extent();
    let longest = extent.into_iter().fold(0.0, |high, side| if side > high { side } else { high });
    if sample.is_empty() || extent.contains(&0.0) {
        return Vec::new();
    }
    let step = f64::from(TAU) / longest;
    let (shells, waves): (Vec<_>, Vec<_>) = waves(&extent, step, count).into_iter().unzip();
    let values: Vec<f64> = waves.par_iter().map(|wave| intensity(sample, &extent, wave)).collect();
    let mut sums = vec![(0.0, 0.0, 0_u32); count];
    for ((shell, wave), value) in shells.into_iter().zip(&waves).zip(values) {
        let (length, sum, number): &mut (f64, f64, u32) = &mut sums[shell - 1];
        *length += wave_number(wave, &extent);
        *sum += value;
        *number += 1;
    }
    let known = sums.into_iter().filter(|(.., number)| *number > 0);
    known.map(|(length, sum, number)| (length / f64::from(number), sum / f64::from(number))).collect()
}

/// The wave vectors as whole numbers of waves along each axis, one of each opposite pair, with the number of their shell.
fn waves<const D: usize>(extent: &[f64; D], step: f64, count: usize) -> Vec<(usize, [i64; D])> {
    let mut all = vec![[0; D]];
    for axis in 0..D {
        let most = ((count as f64 + 0.5) * step * extent[axis] / f64::from(TAU)) as i64;
        let along = |wave: &[i64; D]| {
            let wave = *wave;
            (-most..=most).map(move |number| {
                let mut wave = wave;
                wave[axis] = number;
                wave
            })
        };
        all = all.iter().flat_map(along).collect();
    }
    let is_first = |wave: &[i64; D]| wave.iter().find(|number| **number != 0).is_some_and(|number| *number > 0);
    let shelled = all.into_iter().filter(is_first).map(|wave| {
        let shell = (wave_number(&wave, extent) / step).round() as usize;
        (shell, wave)
    });
    shelled.filter(|(shell, _)| (1..=count).contains(shell)).collect()
}

/// The length of a wave vector, in radians per metre.
fn wave_number<const D: usize>(wave: &[i64; D], extent: &[f64; D]) -> f64 {
    let components = wave.iter().zip(extent).map(|(&number, side)| f64::from(TAU) * number as f64 / side);
    components.map(|component| component * component).sum::<f64>().sqrt()
}

/// |Σ exp(i k · x)|² / N.
fn intensity<const D: usize>(sample: &Sample<D>, extent: &[f64; D], wave: &[i64; D]) -> f64 {
    let (mut sine, mut cosine) = (0.0, 0.0);
    for agent in 0..sample.len() {
        let position = sample.position(agent);
        let turns: f64 = (0..D).map(|axis| wave[axis] as f64 * f64::from(position[axis]) / extent[axis]).sum();
        // The sine of an angle within a turn is exact to single precision.
        let (s, c) = sin_cos((turns - turns.round()) as f32 * TAU);
        sine += f64::from(s);
        cosine += f64::from(c);
    }
    (sine * sine + cosine * cosine) / sample.len() as f64
}
