//! Measures against closed forms.

mod correlations;
mod crowds;
mod files;
mod over_time;
mod own;
mod space;
mod structure;

use throng::measures::Sample;
use throng::{Edge, Noise, Settings, Vector};

/// The settings of a world.
fn settings<const D: usize>(size: [f32; D], edge: Edge) -> Settings<D> {
    Settings { size: Vector(size), edge: [edge; D], ..Settings::default() }
}

/// A sample of agents at these positions with these velocities.
fn sample<const D: usize>(settings: &Settings<D>, agents: &[([f32; D], [f32; D])]) -> Sample<D> {
    let positions: [Vec<f32>; D] = std::array::from_fn(|axis| agents.iter().map(|agent| agent.0[axis]).collect());
    let velocities: [Vec<f32>; D] = std::array::from_fn(|axis| agents.iter().map(|agent| agent.1[axis]).collect());
    let (positions, velocities) = (positions.each_ref().map(|column| &column[..]), velocities.each_ref());
    Sample::new(positions, velocities.map(|column| &column[..]), settings).unwrap()
}

/// A square or cubic lattice of `side` agents per axis at distance 1, at rest.
fn lattice<const D: usize>(side: usize) -> Vec<([f32; D], [f32; D])> {
    let at = |number: usize| std::array::from_fn(|axis| (number / side.pow(axis as u32) % side) as f32 + 0.5);
    (0..side.pow(D as u32)).map(|number| (at(number), [0.0; D])).collect()
}

/// Agents at random in a world of this size, with random velocities.
fn random<const D: usize>(size: [f32; D], agents: u64, seed: u64) -> Vec<([f32; D], [f32; D])> {
    let agent = |number: u64| {
        let mut noise = Noise::new(seed, number, 0, Noise::USER);
        let position = std::array::from_fn(|axis| noise.between(0.0, size[axis]));
        (position, std::array::from_fn(|_| noise.between(-1.0, 1.0)))
    };
    (0..agents).map(agent).collect()
}

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
}
