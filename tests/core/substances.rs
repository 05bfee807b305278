//! Substances: deposits add up and decay as their formula says, they spread as the heat equation does, and their bits
//! depend on nothing but the state.

use throng::behaviours::Expression;
use throng::ranks::Ranks;
use throng::{
    AnyWorld, Edge, Error, Kinematic, Noise, Settings, Species, SpeciesId, Statements, Substance, SubstanceId, Vector,
    World,
};
use throng_scenario::Scenario;

use crate::ranks::on;

/// A world with a substance `trail`.
fn world<const D: usize>(edge: Edge, substance: Substance) -> (World<D>, SubstanceId) {
    let size = Vector::from_fn(|axis| [12.0, 9.0, 5.0][axis]);
    let settings = Settings { size, edge: [edge; D], tick_seconds: 0.1, seed: 3, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let id = world.environment_mut().substances.add(substance).unwrap();
    (world, id)
}

fn trail(cell: f32) -> Substance {
    Substance::new("trail", cell)
}

fn amounts<const D: usize>(world: &World<D>, id: SubstanceId) -> Vec<f64> {
    world.environment().substance_amounts(id).unwrap().iter().map(|&amount| f64::from(amount)).collect()
}

/// Agents that follow the trail that they deposit, and wander.
fn add_ants<const D: usize>(world: &mut World<D>, count: usize) -> SpeciesId {
    let set = Statements::new([
        "velocity = direction(gradient(trail)) + 0.2 * random_direction()",
        "smell = sense(trail, 0.5 * heading)",
        "deposit_trail = 2 + sense(trail)",
    ]);
    let species = Species::new("ant")
        .with(1.0, Expression { set: set.unwrap(), ..Expression::default() })
        .with_variable("deposit_trail", 2.0, 0.0, 100.0)
        .with_variable("smell", 0.0, 0.0, 1e6)
        .with_motion(Kinematic::default());
    let ant = world.add_species(species).unwrap();
    let size = world.settings().size;
    for number in 0..count as u64 {
        let mut noise = Noise::new(9, number, 0, Noise::PLACE);
        world
            .spawn(ant, Vector::from_fn(|axis| noise.unit() * size[axis]), Vector::from_fn(|axis| axis as f32))
            .unwrap();
    }
    ant
}

#[test]
fn deposits_add_up_and_decay_as_their_formula_says() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        let (decay, dt, rate, count) = (0.7f32, 0.1f32, 3.5f32, 40);
        let substance = Substance { decay, diffusion: 0.3, start: 2.0, ..trail(0.5) };
        let (mut world, id) = world::<2>(edge, substance);
        let species = Species::new("ant").with_variable("deposit_trail", rate, 0.0, 10.0).with_max_speed(2.0);
        let ant = world.add_species(species).unwrap();
        for number in 0..count {
            world.spawn(ant, [0.3 * number as f32, 0.2 * number as f32], [1.5, -1.0]).unwrap();
        }
        let ticks = 120;
        (0..ticks).for_each(|_| world.step());
        let left = (-f64::from(decay) * f64::from(dt)).exp();
        let per_tick = f64::from(rate) * f64::from(dt) * f64::from(count);
        let expected = 2.0 * 108.0 * left.powi(ticks) + per_tick * (1.0 - left.powi(ticks)) / (1.0 - left);
        let found: f64 = amounts(&world, id).iter().sum::<f64>() * 0.25;
        assert!((found / expected - 1.0).abs() < 1e-5, "{edge}: {found} instead of {expected}");
    }
}

#[test]
fn negative_deposits_take_what_is_there() {
    let (mut world, id) = world::<2>(Edge::Wrap, Substance { start: 4.0, ..trail(1.0) });
    let species = Species::new("snail").with_variable("deposit_trail", -10.0, -10.0, 0.0).with_max_speed(0.0);
    let snail = world.add_species(species).unwrap();
    world.spawn(snail, [2.5, 3.5], [0.0, 0.0]).unwrap();
    for expected in [3.0, 2.0, 1.0, 0.0, 0.0] {
        world.step();
        let found = amounts(&world, id);
        assert!((found[3 * 12 + 2] - expected).abs() < 1e-5 && found[0] == 4.0, "{expected}: {}", found[3 * 12 + 2]);
    }
}

/// One tick of diffusion in `f64`, as a sum over the neighbours of each cell on each axis.
fn diffused(
    from: &[f64],
    cells: &[usize],
    lengths: &[f64],
    wraps: bool,
    spread: f64,
    left: f64,
    steps: usize,
) -> Vec<f64> {
    let mut all = from.to_vec();
    for _ in 0..steps {
        let now = all.clone();
        for (number, to) in all.iter_mut().enumerate() {
            let mut stride = 1;
            for (&count, length) in cells.iter().zip(lengths) {
                let at = number / stride % count;
                for step in [-1, 1] {
                    let next = at as i64 + step;
                    let inside = next.rem_euclid(count as i64) as usize;
                    if next == inside as i64 || wraps {
                        let other = number - at * stride + inside * stride;
                        *to += spread / steps as f64 / (length * length) * (now[other] - now[number]);
                    }
                }
                stride *= count;
            }
        }
    }
    all.iter().map(|amount| amount * left).collect()
}

fn compare_with_the_oracle<const D: usize>(edge: Edge, diffusion: f32, steps: usize) {
    let (mut world, id) = world::<D>(edge, Substance { diffusion, decay: 0.2, ..trail(0.7) });
    let cells = world.environment().substances.get(id).unwrap().cells(world.settings());
    let lengths: Vec<f64> = (0..D).map(|axis| f64::from(world.settings().size[axis]) / cells[axis] as f64).collect();
    let count: usize = cells.iter().product();
    let start: Vec<f32> = (0..count as u64).map(|cell| Noise::new(4, cell, 0, Noise::PLACE).unit()).collect();
    let mut expected: Vec<f64> = start.iter().map(|&amount| f64::from(amount)).collect();
    world.set_substance_amounts(id, start).unwrap();
    for tick in 0..20 {
        world.step();
        let spread = f64::from(diffusion) * 0.1;
        expected = diffused(&expected, &cells, &lengths, edge == Edge::Wrap, spread, (-0.02f64).exp(), steps);
        for (cell, (found, expected)) in amounts(&world, id).iter().zip(&expected).enumerate() {
            assert!(
                (found - expected).abs() < 2e-6,
                "{D} dimensions, {edge}, tick {tick}, cell {cell}: {found}, {expected}"
            );
        }
    }
}

#[test]
fn substances_spread_as_the_discrete_equation_says() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        compare_with_the_oracle::<2>(edge, 0.3, 1);
        compare_with_the_oracle::<2>(edge, 4.0, 4);
        compare_with_the_oracle::<3>(edge, 0.2, 1);
    }
}

#[test]
fn the_variance_of_a_point_grows_by_two_d_t() {
    let (mut world, id) = world::<2>(Edge::Bounce, Substance { diffusion: 0.05, ..trail(0.1) });
    let mut start = vec![0.0; 120 * 90];
    start[45 * 120 + 60] = 1.0;
    world.set_substance_amounts(id, start).unwrap();
    for _ in 0..100 {
        world.step();
    }
    let (mut total, mut variance) = (0.0, [0.0; 2]);
    for (cell, amount) in amounts(&world, id).into_iter().enumerate() {
        let off = [(cell % 120) as f64 - 60.0, (cell / 120) as f64 - 45.0].map(|cells| 0.1 * cells);
        total += amount;
        (0..2).for_each(|axis| variance[axis] += amount * off[axis] * off[axis]);
    }
    for variance in variance.map(|sum| sum / total) {
        assert!((variance / (2.0 * 0.05 * 10.0) - 1.0).abs() < 2e-3, "{variance}");
    }
    assert!((total - 1.0).abs() < 1e-5, "{total}");
}

#[test]
fn agents_sense_amounts_and_slopes_from_the_next_tick_on() {
    let (mut world, id) = world::<2>(Edge::Bounce, trail(1.0));
    let set = Statements::new([
        "here = sense(trail)",
        "there = sense(trail, vector(2, -1))",
        "rise = gradient(trail).x + 10 * gradient(trail).y",
        "none = sense(other)",
    ]);
    let mut species = Species::new("nose").with(1.0, Expression { set: set.unwrap(), ..Expression::default() });
    for name in ["here", "there", "rise", "none"] {
        species = species.with_variable(name, -1.0, -1e6, 1e6);
    }
    let nose = world.add_species(species.with_variable("deposit_trail", 10.0, 0.0, 10.0).with_max_speed(0.0)).unwrap();
    let agent = world.spawn(nose, [4.5, 3.75], [0.0, 0.0]).unwrap();
    let linear = (0..108).map(|cell| 3.0 + 2.0 * (cell % 12) as f32 + 0.5 * (cell / 12) as f32).collect();
    world.set_substance_amounts(id, linear).unwrap();
    let sensed = |world: &World<2>, name: &str| world.column_value::<f32>(agent, name).unwrap();
    world.step();
    // The amount at a point of the linear field: 3 + 2 (x - 0.5) + 0.5 (y - 0.5).
    let expected = [("here", 12.625), ("there", 16.125), ("rise", 7.0), ("none", 0.0)];
    for (name, expected) in expected {
        assert!((sensed(&world, name) - expected).abs() < 1e-5, "{name}: {}", sensed(&world, name));
    }
    world.step();
    assert!((sensed(&world, "here") - 12.625 - 0.75).abs() < 1e-5, "{}", sensed(&world, "here"));
}

#[test]
fn substances_have_the_same_bits_on_threads_ranks_and_after_snapshots() {
    fn run<const D: usize>(edge: Edge) {
        let make = || {
            let (mut world, _) = world::<D>(edge, Substance { decay: 0.1, diffusion: 0.4, ..trail(0.5) });
            add_ants(&mut world, 1200);
            world
        };
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let pair = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (mut one, mut two, mut hashes) = (make(), make(), Vec::new());
        for tick in 0..30 {
            alone.install(|| one.step());
            pair.install(|| two.step());
            assert_eq!(one.state_hash(), two.state_hash(), "tick {tick}");
            hashes.push(one.state_hash());
            if tick % 10 == 3 {
                let mut bytes = Vec::new();
                one.save(&mut bytes).unwrap();
                one = World::load(&bytes[..]).unwrap();
                assert_eq!(one.state_hash(), hashes[tick]);
                two = two.clone();
                two.release_memory();
            }
        }
        hashes.dedup();
        assert_eq!(hashes.len(), 30, "the substance changes in each tick");
        let divided = on(3, |rank| {
            let ranks = Ranks::new(rank);
            let mut world = make();
            ranks.divide(&mut world).unwrap();
            (0..30).for_each(|_| world.step());
            ranks.state_hash(&world)
        });
        assert_eq!(divided, [one.state_hash(); 3]);
    }
    run::<2>(Edge::Wrap);
    run::<2>(Edge::Bounce);
    run::<3>(Edge::Wrap);
}

#[test]
fn wrong_amounts_and_stale_handles_are_refused() {
    let (mut world, id) = world::<2>(Edge::Bounce, trail(1.0));
    let error = |result: Result<(), Error>| result.unwrap_err().to_string();
    assert_eq!(error(world.set_substance_amounts(id, vec![0.0; 9])), "the number of amounts = 9: must be 108");
    assert!(world.set_substance_amounts(id, vec![-1.0; 108]).is_err());
    assert!(world.set_substance_amounts(id, vec![f32::NAN; 108]).is_err());
    assert!(world.environment_mut().substances.add(trail(0.0)).is_err());
    assert!(world.environment_mut().substances.add(trail(2.0)).is_err(), "the name is taken");
    // A cell far too small for the world, and a diffusion far too fast for its cell, are limited.
    let tiny = Substance { diffusion: 1e6, ..Substance::new("dust", 0.002) };
    let cells = tiny.cells(world.settings());
    assert!(cells[0] * cells[1] <= Substance::MOST_CELLS);
    let fast =
        world.environment_mut().substances.add(Substance { diffusion: 1e6, ..Substance::new("gas", 0.1) }).unwrap();
    world.step();
    assert_eq!(world.environment().substance_amounts(fast).unwrap().len(), 120 * 90);
    world.environment_mut().substances.remove(id).unwrap();
    assert_eq!(
        error(world.set_substance_amounts(id, vec![0.0; 108])),
        format!("substance {} does not exist", id.to_bits())
    );
    world.step();
}

/// A scenario of the repository, with changes.
fn scenario(name: &str, sets: &[&str]) -> World<2> {
    let path = format!("{}/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let text = std::fs::read_to_string(path).unwrap();
    let scenario =
        Scenario::parse_in(&throng::Registry::new(), &text, name, &sets).unwrap_or_else(|all| panic!("{all}"));
    match scenario.build_any().unwrap() {
        AnyWorld::Flat(world) => world,
        AnyWorld::Space(_) => panic!("two dimensions"),
    }
}

#[test]
fn slime_forms_a_network() {
    let mut world = scenario("physarum", &["species.slime.count=2500", "world.size=[16,9]"]);
    let id = world.environment().substances.ids()[0];
    // The share of the trail in the tenth of the cells that has most of it.
    let share = |world: &World<2>| {
        let mut all = amounts(world, id);
        all.sort_by(|a, b| b.total_cmp(a));
        all[..all.len() / 10].iter().sum::<f64>() / all.iter().sum::<f64>()
    };
    (0..10).for_each(|_| world.step());
    let early = share(&world);
    (0..240).for_each(|_| world.step());
    let late = share(&world);
    assert!(late > 0.25 && late > 1.4 * early, "{early}, then {late}");
}

#[test]
fn ants_bring_food_home_along_a_trail() {
    let mut world = scenario("ants", &[]);
    let id = world.environment().substances.find("food").unwrap();
    let ant = world.species_ids().next().unwrap();
    let brought = |world: &World<2>| world.agents(ant).unwrap().column::<f32>("brought").unwrap().iter().sum::<f32>();
    // The share of the trail within 5 m of the line between nest and food, 10 m of the 54 m.
    let on_line = |world: &World<2>| {
        let all = amounts(world, id);
        let near = |cell: usize| (0.5 * (cell / 192) as f64 + 0.25 - 27.0).abs() < 5.0;
        let line: f64 = all.iter().enumerate().filter(|(cell, _)| near(*cell)).map(|(_, amount)| amount).sum();
        line / all.iter().sum::<f64>()
    };
    (0..600).for_each(|_| world.step());
    let (first, early) = (brought(&world), on_line(&world));
    (0..1200).for_each(|_| world.step());
    let (second, late) = (brought(&world), on_line(&world));
    assert!(second > 100.0 && second > 8.0 * first, "{first}, then {second}");
    assert!(late > 0.6 && late > early, "{early}, then {late}");
}
