//! The scenarios with expressions against closed forms and figures of papers.

use throng::{AgentId, Registry, SpeciesId, Vector, World};
use throng_scenario::Scenario;

/// A scenario of the repository with other values, and its species.
fn scenario(name: &str, sets: &[&str]) -> (World<2>, SpeciesId) {
    let file = format!("{}/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let text = std::fs::read_to_string(&file).unwrap();
    let scenario =
        Scenario::parse_in(&Registry::new(), &text, &file, &sets).unwrap_or_else(|errors| panic!("{errors}"));
    let world = scenario.build::<2>().unwrap();
    let species = world.species_ids().next().unwrap();
    (world, species)
}

fn column(world: &World<2>, species: SpeciesId, name: &str) -> Vec<f64> {
    let column = world.agents(species).unwrap().column::<f32>(name).unwrap();
    column.iter().map(|value| f64::from(*value)).collect()
}

fn ids(world: &World<2>, species: SpeciesId) -> Vec<AgentId> {
    world.agents(species).unwrap().ids().to_vec()
}

/// The length of the mean of the unit vectors at these angles.
fn coherence(angles: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = angles.clone().count() as f64;
    let (x, y) = angles.fold((0.0, 0.0), |(x, y), angle| (x + angle.cos(), y + angle.sin()));
    (x * x + y * y).sqrt() / count
}

#[test]
fn two_oscillators_approach_as_the_closed_form() {
    // The difference of the phases of a pair with equal rates: tan(d / 2) = tan(d0 / 2) exp(-2 K t).
    let sets = ["species.firefly.count=2", "species.firefly.expression.radius=100", "world.tick=0.001"];
    let (mut world, fireflies) = scenario("kuramoto", &sets);
    for (id, phase) in ids(&world, fireflies).into_iter().zip([1.0f32, 3.5]) {
        world.set_column_value(id, "phase", phase).unwrap();
        world.set_column_value(id, "omega", 1.0f32).unwrap();
    }
    for seconds in [0.25f64, 0.5, 1.0] {
        while world.tick() < (1000.0 * seconds) as u64 {
            world.step();
        }
        let phases = column(&world, fireflies, "phase");
        let wanted = 2.0 * ((2.5f64 / 2.0).tan() * (-4.0 * seconds).exp()).atan();
        assert!(((phases[1] - phases[0]).abs() - wanted).abs() < 5e-3 * wanted, "{phases:?} {wanted}");
    }
}

#[test]
fn oscillators_that_all_see_each_other_have_the_order_of_the_mean_field() {
    // Kuramoto 1975: r = K r times the integral of cos^2(a) g(K r sin(a)) over half a turn, with the normal density g.
    let (coupling, agents) = (2.0f64, 400);
    let mut order = 1.0f64;
    for _ in 0..200 {
        let steps = 2000;
        let term = |step: i32| {
            let angle = std::f64::consts::PI * ((f64::from(step) + 0.5) / f64::from(steps) - 0.5);
            let rate = coupling * order * angle.sin();
            angle.cos().powi(2) * (-0.5 * rate * rate).exp() / std::f64::consts::TAU.sqrt()
        };
        order *= coupling * (0..steps).map(term).sum::<f64>() * std::f64::consts::PI / f64::from(steps);
    }
    let count = format!("species.firefly.count={agents}");
    let (mut world, fireflies) = scenario("kuramoto", &[&count, "species.firefly.expression.radius=100"]);
    // Rates at equal parts of the normal distribution with standard deviation 1, one agent each.
    let (mut rate, mut below, step) = (-6.0f64, 0.0, 1e-4);
    for (number, id) in ids(&world, fireflies).into_iter().enumerate() {
        while below < (number as f64 + 0.5) / f64::from(agents) {
            below += step * (-0.5 * rate * rate).exp() / std::f64::consts::TAU.sqrt();
            rate += step;
        }
        world.set_column_value(id, "omega", rate as f32).unwrap();
    }
    let mut sum = 0.0;
    for tick in 0..600 {
        world.step();
        sum += if tick < 400 { 0.0 } else { coherence(column(&world, fireflies, "phase").into_iter()) };
    }
    assert!((sum / 200.0 - order).abs() < 0.03, "{} {order}", sum / 200.0);
}

/// The coherence of phases of swarmalators, and the larger one of phases plus or minus the angle in the crowd.
fn orders(attraction: f32, coupling: f32, ticks: u64) -> (f64, f64) {
    let sets = [
        format!("species.swarmalator.variables.attraction.start={attraction:?}"),
        format!("species.swarmalator.variables.coupling.start={coupling:?}"),
    ];
    let (mut world, species) = scenario("swarmalators", &[&sets[0], &sets[1], "species.swarmalator.count=100"]);
    (0..ticks).for_each(|_| world.step());
    let phases = column(&world, species, "phase");
    let agents = world.agents(species).unwrap();
    let all = || (0..agents.len()).map(|row| agents.position(row));
    let centre = all().fold(Vector::ZERO, |sum, at| sum + at) / agents.len() as f32;
    let angles: Vec<f64> = all().map(|at| f64::from(at[1] - centre[1]).atan2(f64::from(at[0] - centre[0]))).collect();
    let both =
        [1.0, -1.0].map(|sign| coherence(phases.iter().zip(&angles).map(move |(phase, angle)| angle + sign * phase)));
    (coherence(phases.iter().copied()), both[0].max(both[1]))
}

#[test]
fn swarmalators_have_the_states_of_the_paper() {
    // O'Keeffe, Hong and Strogatz 2017, figures 1 and 2: synchrony, asynchrony, and the static phase wave.
    let (synchrony, _) = orders(0.1, 1.0, 1000);
    assert!(synchrony > 0.99, "{synchrony}");
    let (synchrony, wave) = orders(0.1, -1.0, 1000);
    assert!(synchrony < 0.1 && wave < 0.3, "{synchrony} {wave}");
    let (synchrony, wave) = orders(1.0, 0.0, 1000);
    assert!(synchrony < 0.2 && wave > 0.9, "{synchrony} {wave}");
}

#[test]
fn a_crowd_in_synchrony_has_the_radius_of_the_closed_form() {
    // With an attraction in proportion to distance the crowd is a disc of equal density and radius 1 / sqrt(1 + J):
    // the pull (1 + J) x balances the repulsion x / R^2. The mean square of the distance from its centre is R^2 / 2.
    let set =
        "species.swarmalator.expression.set=[\"velocity = sum(1.5 * offset - offset / distance^2) / (count() + 1)\"]";
    let (mut world, species) = scenario("swarmalators", &[set]);
    (0..800).for_each(|_| world.step());
    let agents = world.agents(species).unwrap();
    let all = || (0..agents.len()).map(|row| agents.position(row));
    let centre = all().fold(Vector::ZERO, |sum, at| sum + at) / agents.len() as f32;
    let square = all().map(|at| f64::from((at - centre).length_squared())).sum::<f64>() / agents.len() as f64;
    assert!((square / (0.5 / 1.5) - 1.0).abs() < 0.01, "{square}");
}

#[test]
fn an_infection_ends_with_the_final_size() {
    // Kermack and McKendrick 1927: the share s that is never sick is s0 exp(-R0 (1 - s)), where all meet all.
    let (basic, start) = (2.0f64, 0.95f64);
    let wanted = (0..200).fold(0.5, |share: f64, _| start * (-basic * (1.0 - share)).exp());
    let mut healthy = 0.0;
    for seed in 0..6 {
        let (seed, agents, recovery) = (format!("world.seed={seed}"), 300, 0.5);
        let rate = format!("species.person.variables.rate.start={}", basic * recovery / f64::from(agents));
        let sets = [
            &seed,
            &rate,
            "species.person.count=300",
            "species.person.variables.recovery.start=0.5",
            "world.tick=0.25",
        ];
        let (mut world, people) =
            scenario("infection", &[&sets[..], &["species.person.expression.radius=1000"]].concat());
        while world.tick() < 10 || column(&world, people, "health").contains(&1.0) {
            world.step();
        }
        healthy +=
            column(&world, people, "health").iter().filter(|health| **health == 0.0).count() as f64 / 300.0 / 6.0;
    }
    assert!((healthy - wanted).abs() < 0.05, "{healthy} {wanted}");
}

#[test]
fn voters_agree_after_the_time_of_the_complete_graph() {
    // From a share x of ones, the mean time to consensus is -N (x ln x + (1 - x) ln(1 - x)), and the share of runs that
    // end at one is x: the mean opinion is conserved.
    let (share, agents, runs) = (0.3f64, 40.0, 200);
    let (mut seconds, mut ones) = (0.0, 0.0);
    for seed in 0..runs {
        let seed = format!("world.seed={seed}");
        let (mut world, voters) =
            scenario("voter", &[&seed, "species.voter.count=40", "species.voter.expression.radius=1000"]);
        world.step();
        let mean = |world: &World<2>| column(world, voters, "opinion").iter().sum::<f64>() / agents;
        while mean(&world) > 0.0 && mean(&world) < 1.0 {
            world.step();
        }
        seconds += world.seconds() / f64::from(runs);
        ones += mean(&world) / f64::from(runs);
    }
    let wanted = -agents * (share * share.ln() + (1.0 - share) * (1.0 - share).ln());
    assert!((seconds / wanted - 1.0).abs() < 0.15, "{seconds} {wanted}");
    assert!((ones - share).abs() < 0.1, "{ones}");
}

#[test]
fn two_soft_discs_part_as_the_closed_form() {
    // The overlap of a pair decays at twice the stiffness over the radius: 1 - d = (1 - d0) exp(-4 t).
    let (mut world, discs) = scenario("repulsion", &["species.disc.count=2", "world.tick=0.001"]);
    let pair = ids(&world, discs);
    world.set_position(pair[0], [20.0, 20.0]).unwrap();
    world.set_position(pair[1], [20.3, 20.4]).unwrap();
    for (ticks, seconds) in [(200, 0.2f64), (300, 0.5)] {
        (0..ticks).for_each(|_| world.step());
        let distance = f64::from((world.position(pair[0]).unwrap() - world.position(pair[1]).unwrap()).length());
        let overlap = 0.5 * (-4.0 * seconds).exp();
        assert!((1.0 - distance - overlap).abs() < 5e-3 * overlap, "{distance} {overlap}");
    }
}
