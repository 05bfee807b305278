//! Pair correlation and the correlation of velocities.

use throng::Edge;
use throng::measures::{correlation_length, pair_correlation, velocity_correlation};

use crate::{close, lattice, random, sample, settings};

/// The neighbours of a square lattice: 4 at distance 1, 4 at √2, 4 at 2, 8 at √5; none between.
#[test]
fn the_pair_correlation_of_a_lattice_counts_its_shells() {
    let agents = sample(&settings([20.0; 2], Edge::Wrap), &lattice::<2>(20));
    let found = pair_correlation(&agents, 2.5, 50);
    close(found.width, 0.05, 1e-9);
    for (number, (distance, value)) in found.points().enumerate() {
        let (low, high) = (0.05 * number as f64, 0.05 * (number + 1) as f64);
        let shell = std::f64::consts::PI * (high * high - low * low);
        let shells = [(1.0, 4.0), (2.0_f64.sqrt(), 4.0), (2.0, 4.0), (5.0_f64.sqrt(), 8.0)];
        let neighbours: f64 =
            shells.iter().filter(|(at, _)| (low..high).contains(at)).map(|(_, neighbours)| neighbours).sum();
        close(value, neighbours / shell * 400.0 / 399.0, 1e-3);
        close(distance, 0.5 * (low + high), 1e-9);
    }
}

/// Also where agents near the boundary lack neighbours, in which case the weights correct for it.
#[test]
fn the_pair_correlation_of_random_agents_is_one() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        let flat = sample(&settings([40.0, 25.0], edge), &random([40.0, 25.0], 10_000, 5));
        for (distance, value) in pair_correlation(&flat, 8.0, 16).points() {
            // Shells of few pairs vary more.
            close(value, 1.0, if distance < 0.5 { 0.06 } else { 0.025 });
        }
        let space = sample(&settings([20.0, 15.0, 15.0], edge), &random([20.0, 15.0, 15.0], 5000, 5));
        for (_, value) in pair_correlation(&space, 6.0, 6).points() {
            close(value, 1.0, 0.05);
        }
    }
}

#[test]
fn distances_beyond_half_of_the_period_cannot_be_measured() {
    let agents = sample(&settings([10.0, 30.0], Edge::Wrap), &random([10.0, 30.0], 500, 1));
    let found = pair_correlation(&agents, 6.0, 6);
    assert!(found.values[..5].iter().all(|value| !value.is_nan()) && found.values[5].is_nan());
}

/// A shear flow: the velocity along x is the cosine of y. The fluctuations at y and y + d correlate as cos(d), so for a
/// strip much narrower than a wavelength the correlation at a distance r is cos(2 π r / L), with a zero at L / 4.
#[test]
fn the_correlation_of_a_wave_is_its_cosine() {
    let (length, count) = (100.0_f32, 1000);
    let agents = (0..count).map(|number| {
        let y = number as f32 * length / count as f32;
        let (_, cosine) = throng::maths::sin_cos(y / length * std::f32::consts::TAU);
        ([0.5, y], [3.0 + cosine, 7.0])
    });
    let agents = sample(&settings([200.0, length], Edge::Wrap), &agents.collect::<Vec<_>>());
    let found = velocity_correlation(&agents, 50.0, 100);
    for (distance, value) in found.points() {
        // Agents stand at multiples of .1 m, so that an interval has distances a little below its middle.
        let expected = (std::f64::consts::TAU * (distance - 0.05) / 100.0).cos();
        close(value, expected, 0.01);
    }
    close(found.zero(), 25.0, 0.2);
    close(correlation_length(&agents), 25.0, 0.5);
}

#[test]
fn agents_that_all_move_alike_have_no_correlation_length() {
    let alike: Vec<_> = lattice::<2>(10).into_iter().map(|(at, _)| (at, [1.0, 2.0])).collect();
    assert!(correlation_length(&sample(&settings([10.0; 2], Edge::Wrap), &alike)).is_nan());
}

/// More agents than references: the sample of references gives the same function to within its noise.
#[test]
fn references_stand_for_all_agents() {
    let wave = |count: u64| {
        let agents = random([100.0, 100.0], count, 2).into_iter().map(|(at, _)| {
            let (sine, cosine) = throng::maths::sin_cos(at[1] / 100.0 * std::f32::consts::TAU);
            (at, [cosine, sine])
        });
        velocity_correlation(&sample(&settings([100.0; 2], Edge::Wrap), &agents.collect::<Vec<_>>()), 50.0, 10)
    };
    let (all, some) = (wave(1024), wave(20_000));
    for (all, some) in all.values.iter().zip(&some.values) {
        close(*some, *all, 0.05);
    }
}

/// Velocities of a smooth field with noise: the correlation is 0.1 to 0.3 up to half of the box, and has no zero there.
/// Intervals at the smallest distances hold a pair or two, whose correlation is of any sign.
#[test]
fn intervals_of_few_pairs_give_no_correlation_length() {
    let draws = 60;
    for seed in 0..draws {
        let agents = (0..600).map(|number| {
            let mut noise = throng::Noise::new(seed, number, 0, throng::Noise::USER);
            let at: [f32; 3] = std::array::from_fn(|_| noise.between(0.0, 10.0));
            let wave = |at: f32| -2.0 * throng::maths::sin_cos(at / 20.0 * std::f32::consts::TAU).1;
            (at, at.map(|at| wave(at) + 2.0 * noise.normal()))
        });
        let agents = sample(&settings([10.0; 3], Edge::Bounce), &agents.collect::<Vec<_>>());
        assert!(correlation_length(&agents).is_nan(), "draw {seed}: {}", correlation_length(&agents));
    }
}

/// The wave of the test above: a group that is too small for one interval has no length, one of a few dozen has it
/// roughly.
#[test]
fn small_groups_have_coarse_correlation_lengths_or_none() {
    let wave = |count: u64, seed: u64| {
        let agents = random([100.0, 100.0], count, seed).into_iter().map(|(at, _)| {
            let (sine, cosine) = throng::maths::sin_cos(at[1] / 100.0 * std::f32::consts::TAU);
            (at, [cosine, sine])
        });
        correlation_length(&sample(&settings([100.0; 2], Edge::Wrap), &agents.collect::<Vec<_>>()))
    };
    for seed in 0..20 {
        assert!(wave(8, seed).is_nan());
        // The mean of cos(2 π y / L) on a circle of radius r is a Bessel function: its zero is at 2.405 L / 2 π = 38.3 m.
        close(wave(40, seed), 38.3, 8.0);
        close(wave(1000, seed), 38.3, 1.5);
    }
}
