//! Number fluctuations, slabs, the structure factor and the autocorrelation of velocities.

use throng::measures::{
    Clusters, MeasureOf, Series, VelocityAutocorrelation, clusters, fluctuation_exponent, number_fluctuations, slabs,
    structure_factor,
};
use throng::{AnyWorld, Edge, Noise, Settings, Species, Vector, World};

use crate::{close, lattice, random, sample, settings};

/// The numbers of an ideal gas in boxes have the variance of their mean, at any size.
#[test]
fn numbers_of_random_agents_fluctuate_by_their_roots() {
    for edge in [Edge::Wrap, Edge::Open] {
        let flat = sample(&settings([40.0, 25.0], edge), &random([40.0, 25.0], 16_384, 9));
        for found in number_fluctuations(&flat) {
            // The variance of a variance from B boxes is 2 / (B - 1) of its square.
            let error = (2.0 / (found.boxes - 1) as f64).sqrt();
            close(found.variance / found.mean, 1.0, 4.0 * error);
        }
        close(fluctuation_exponent(&flat), 0.5, 0.02);
    }
    let space = sample(&settings([20.0; 3], Edge::Wrap), &random([20.0; 3], 4096, 9));
    assert_eq!(number_fluctuations(&space).iter().map(|of| of.boxes).collect::<Vec<_>>(), [64, 512, 4096]);
    close(fluctuation_exponent(&space), 0.5, 0.05);
}

/// Pairs of agents in one place double the variance. Where one half of the world is empty and the other evenly filled, the
/// deviation of numbers is their mean.
#[test]
fn clumps_fluctuate_more() {
    let pairs: Vec<_> = random([40.0; 2], 8192, 3).into_iter().flat_map(|agent| [agent, agent]).collect();
    let pairs = sample(&settings([40.0; 2], Edge::Wrap), &pairs);
    let found = number_fluctuations(&pairs);
    close(found[found.len() - 2].variance / found[found.len() - 2].mean, 2.0, 0.2);
    let half = sample(&settings([128.0, 64.0], Edge::Bounce), &lattice::<2>(64));
    close(fluctuation_exponent(&half), 1.0, 0.01);
    assert!(fluctuation_exponent(&sample(&settings([8.0; 2], Edge::Wrap), &lattice::<2>(8))).is_nan());
}

#[test]
fn slabs_have_the_density_and_the_velocities_of_a_stream() {
    // A stream along x whose speed is the height, twice as dense above.
    let agents: Vec<_> = (0..3000_u16)
        .map(|number| {
            let place = f32::from(number);
            let y = if number < 1000 { place / 100.0 } else { 10.0 + (place - 1000.0) / 200.0 };
            ([place % 37.0, y], [y, 0.0])
        })
        .collect();
    let found = slabs(&sample(&settings([40.0, 20.0], Edge::Bounce), &agents), 1, 4);
    for (slab, (agents, speed)) in found.iter().zip([(500, 2.5), (500, 7.5), (1000, 12.5), (1000, 17.5)]) {
        assert_eq!(slab.agents, agents);
        close(slab.density, agents as f64 / 200.0, 1e-9);
        close(slab.speed, speed, 0.01);
        close(slab.velocity[0], speed, 0.01);
        close(slab.at, speed, 1e-9);
    }
    let empty = slabs(&sample(&settings([40.0, 20.0], Edge::Wrap), &[]), 0, 3);
    assert!(empty.len() == 3 && empty[0].speed.is_nan() && empty[0].density == 0.0);
}

/// One for an ideal gas; the definition in double precision for a few agents.
#[test]
fn the_structure_factor_is_that_of_an_ideal_gas_and_of_the_definition() {
    let gas = sample(&settings([30.0, 20.0], Edge::Wrap), &random([30.0, 20.0], 2000, 4));
    let found = structure_factor(&gas, 20);
    assert!(found.windows(2).all(|two| two[0].0 < two[1].0));
    // The values of a wave vector are exponential: large shells have many of them.
    close(found[10..].iter().map(|(_, value)| value).sum::<f64>() / 10.0, 1.0, 0.12);
    let agents = random([8.0; 2], 5, 7);
    let found = structure_factor(&sample(&settings([8.0; 2], Edge::Wrap), &agents), 1)[0];
    let of_wave = |x: f64, y: f64| {
        let phase = |agent: &([f32; 2], [f32; 2])| x * f64::from(agent.0[0]) + y * f64::from(agent.0[1]);
        let (sines, cosines) = agents
            .iter()
            .map(|agent| phase(agent).sin_cos())
            .fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        (sines * sines + cosines * cosines) / 5.0
    };
    let k = std::f64::consts::TAU / 8.0;
    // The first shell: along both axes, and along the diagonals, which are 1.41 times as long.
    let waves = [(k, 0.0), (0.0, k), (k, k), (k, -k)];
    close(found.1, waves.iter().map(|&(x, y)| of_wave(x, y)).sum::<f64>() / 4.0, 1e-5);
    close(found.0, k * (1.0 + 0.5_f64.sqrt() * 2.0) / 2.0, 1e-6);
}

/// Velocities of Ornstein and Uhlenbeck forget the first ones as exp(-t): a step mixes the old velocity with noise.
#[test]
fn velocities_of_ornstein_and_uhlenbeck_are_forgotten_exponentially() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let [slow, fast] = ["slow", "fast"].map(|name| world.add_species(Species::new(name)).unwrap());
    for (species, number) in [slow, fast].into_iter().flat_map(|species| (0..4000).map(move |number| (species, number)))
    {
        let mut noise = Noise::new(1, number, 0, Noise::USER);
        world.spawn(species, [1.0, 1.0], [noise.between(-1.0, 1.0), noise.between(-1.0, 1.0)]).unwrap();
    }
    let mut memory = VelocityAutocorrelation::new();
    memory.observe(&world);
    assert_eq!(memory.value(None), 1.0);
    for step in 1..=10 {
        for (species, rate) in [(slow, 0.05_f32), (fast, 0.2)] {
            for id in world.agents(species).unwrap().ids().to_vec() {
                let mut noise = Noise::new(2, id.to_bits(), step, Noise::USER);
                let (keep, add) = (1.0 - rate, (2.0 * rate).sqrt());
                let row = world.agents(species).unwrap().ids().iter().position(|own| *own == id).unwrap();
                let velocity = world.agents(species).unwrap().velocity(row);
                let kicked = Vector::from_fn(|axis| velocity[axis] * keep + add * noise.between(-1.0, 1.0));
                world.set_velocity(id, kicked).unwrap();
            }
        }
        memory.observe(&world);
        for (species, rate) in [(slow, 0.05_f64), (fast, 0.2)] {
            let expected: f64 = (0..step).map(|_| 1.0 - rate).product();
            close(memory.value(Some(species)), expected, 0.06);
        }
    }
}

#[test]
fn clusters_have_a_distribution_and_a_mean_size() {
    // Chains of three, one and three agents.
    let at = |x: f32| ([x, 5.0], [0.0; 2]);
    let agents = [1.0, 2.0, 3.0, 10.0, 20.0, 21.0, 22.0].map(at);
    let found: Clusters = clusters(&sample(&settings([40.0, 20.0], Edge::Wrap), &agents), 1.5);
    assert_eq!(found.distribution(), [(1, 1), (3, 2)]);
    close(found.mean_size(), 19.0 / 7.0, 1e-12);
}

/// The same names as the columns of a recorder: of all agents, and of one species.
#[test]
fn a_series_measures_species() {
    let mut world = AnyWorld::new(2, Settings::default()).unwrap();
    let throng::AnyWorld::Flat(flat) = &mut world else { panic!("the world is flat") };
    let bird = flat.add_species(Species::new("bird")).unwrap();
    let hawk = flat.add_species(Species::new("hawk")).unwrap();
    flat.spawn(bird, [1.0, 1.0], [3.0, 4.0]).unwrap();
    flat.spawn(hawk, [2.0, 1.0], [0.0, 1.0]).unwrap();
    let names = ["mean_speed", "mean_speed.hawk", "clusters.bird", "mean_squared_displacement.bird", "agents.owl"];
    let measures = names.map(|name| MeasureOf::parse(name).unwrap());
    let mut series = Series::new(&measures, Some(2.0));
    series.observe(&world);
    world.step();
    series.observe(&world);
    series.measure(&world);
    let values: Vec<f64> = series.values().map(|values| values[0]).collect();
    assert_eq!(values[..3], [3.0, 1.0, 1.0]);
    close(values[3], 25.0 / 3600.0, 1e-6);
    assert!(values[4].is_nan());
    assert!(MeasureOf::parse("polarization.bird").unwrap_err().to_string().contains("did you mean `polarisation`?"));
}
