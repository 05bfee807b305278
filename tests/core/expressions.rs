//! The rule `expression`: values, neighbours, errors with places, draws and updates.

use throng::behaviours::Expression;
use throng::parameters::Value;
use throng::{
    AgentId, Distribution, Edge, Error, Execution, InstructionSet, Perception, Settings, Species, SpeciesFilter,
    SpeciesId, State, Statements, World,
};

fn rule(set: &[&str]) -> Expression {
    Expression { set: Statements::new(set.iter().copied()).unwrap(), ..Expression::default() }
}

/// A species at rest with the variables `a`, `b` and `c`.
fn species<const D: usize>(rule: Expression) -> Species<D> {
    let species = Species::new("clock").with(1.0, rule).with_max_speed(0.0);
    species.with_variable("a", 0.0, -1e6, 1e6).with_variable("b", 3.0, -1e6, 1e6).with_variable("c", -2.0, -1e6, 1e6)
}

fn world<const D: usize>() -> World<D> {
    World::new(Settings { tick_seconds: 0.5, seed: 4, ..Settings::default() }).unwrap()
}

fn value<const D: usize>(world: &World<D>, agent: AgentId, name: &str) -> f32 {
    world.column_value::<f32>(agent, name).unwrap()
}

fn saved_and_loaded(world: &World<2>) -> World<2> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    World::load(&bytes[..]).unwrap()
}

/// The variable `a` after one tick in which it is set to an expression: of the first of three agents, which sees one at
/// (3, 4) and one across the seam at (-1, 0), with `b` = 5 and 7.
fn evaluated(expression: &str) -> f32 {
    let mut world = world::<2>();
    let clock = world.add_species(species(rule(&[&format!("a = {expression}")]))).unwrap();
    let at = [[0.5, 50.0], [3.5, 54.0], [99.5, 50.0]];
    let ids = world.spawn_many(clock, &at, &[[3.0, 4.0], [1.0, 0.0], [0.0, 2.0]]).unwrap();
    for (id, b) in ids.iter().zip([3.0f32, 5.0, 7.0]) {
        world.set_column_value(*id, "b", b).unwrap();
    }
    world.step();
    value(&world, ids[0], "a")
}

#[test]
fn expressions_have_the_values_of_arithmetic() {
    let cases = [
        ("1 + 2 * 3 ^ 2 / 4 - -1", 6.5),
        ("-2 ^ 2 + .5e1 + 2 ** -1", 1.5),
        ("(b - c) * b", 15.0),
        ("not b > 2 and 1 or c == -2", 1.0),
        ("where(b >= 3, 10, 20) + where(b != 3, 1, 2) + (c <= -3)", 12.0),
        ("min(4, b, 5) + max(c, 0.25) + abs(c) + sign(c) + floor(-0.5)", 3.25),
        ("clamp(b, 0, 1) + wrap(-1, 4) + wrap(9, 4)", 5.0),
        ("sqrt(16) + b ^ 0.5 * b ^ 0.5 + exp(0) + log(1) + tanh(0)", 8.0),
        ("sin(pi / 2) + cos(tau) + atan2(0, -1) / pi", 3.0),
        ("dt + time + mass + radius + max_speed + max_force + response", 32.2),
        ("position.x + position.y + dot(velocity, velocity) + speed + heading.y", 81.3),
        ("length(direction(velocity)) + length(direction(vector(0, 0)))", 1.0),
        ("count() + count(b_j > 6) + sum(1)", 5.0),
        ("sum(b_j) + mean(b_j - b)", 15.0),
        ("min(distance) + max(distance) + sum(offset).x + sum(offset).y", 12.0),
        ("mean(velocity_j - velocity).x + mean(speed_j)", -1.0),
        ("mean((b_j - mean(b_j)) ^ 2)", 1.0),
        ("min(where(b_j < 0, b_j, inf)) > 1e30", 1.0),
        ("pick(b_j, 0) >= 5", 1.0),
    ];
    for (text, expected) in cases {
        let found = evaluated(text);
        assert!((found - expected).abs() < 1e-5, "{text}: {found} instead of {expected}");
    }
}

#[test]
fn a_mistake_has_its_place_and_what_is_meant() {
    let refused = |set: &[&str]| {
        let statements = Statements::new(set.iter().copied());
        let error = statements
            .map(|set| Expression { set, ..Expression::default() })
            .map(|rule| world::<2>().add_species(species(rule)).unwrap_err().to_string());
        error.unwrap_or_else(|mistake| mistake.to_string())
    };
    let cases: [(&[&str], &str); 21] = [
        (&["a = 2 *"], "at character 8, expected a value before the end"),
        (&["a = (2"], "at character 7, expected `)` before the end"),
        (&["a = 2 3"], "at character 7, `3` does not belong here"),
        (&["a = ä"], "at character 5, `ä` has no meaning"),
        (&["a = 2 % 3"], "at character 7, `%` has no meaning"),
        (&["2 = a"], "at character 1, a statement sets something"),
        (&["a"], "at character 2, expected `=`, `+=`"),
        (&["a = 1 < 2 < 3"], "at character 11, join two comparisons by `and`"),
        (&["a = 1", "a = 2"], "at character 1, `a` is set once"),
        (&["c = 1", "a = sum(bb_j)"], "at character 9, unknown name `bb_j`: known are a_j, b_j"),
        (&["a = sum(bb_j)"], "did you mean `b_j`?"),
        (&["a = distnce"], "did you mean `distance`?"),
        (&["d = 1"], "at character 1, unknown name `d`"),
        (&["a = sine(b)"], "at character 5, unknown function `sine`: known are abs"),
        (&["a = sin(b, c)"], "at character 5, `sin` takes 1 value, not 2"),
        (&["a = b_j"], "at character 5, `b_j` is of a neighbour: put it inside sum, mean"),
        (&["a = velocity"], "at character 5, `a` is a number, and this is a vector"),
        (&["force = b"], "at character 9, `force` is a vector, and this is a number"),
        (&["a = sin(velocity)"], "at character 9, a number is needed here"),
        (&["a = velocity * velocity"], "at character 16, two vectors have a sum"),
        (&["speed = 1"], "at character 1, `speed` cannot be set"),
    ];
    for (set, expected) in cases {
        let found = refused(set);
        assert!(found.contains(expected), "{set:?}: {found}");
    }
    let deep = format!("a = {}1{}", "(".repeat(500), ")".repeat(500));
    assert!(refused(&[&deep]).contains("nested more than"));
    assert!(refused(&["a = sum(uniform() * b_j)"]).contains("a draw is one of the agent"));
    // A world of three dimensions has other vectors.
    let flat = rule(&["a = vector(1, 2).x"]);
    assert!(world::<3>().add_species(species(flat)).unwrap_err().to_string().contains("takes 3 values, not 2"));
    let Err(Error::BadValue(bad)) = world::<2>().add_species(species(rule(&["a = 1", "b = q"]))) else { panic!() };
    assert_eq!((bad.rule.as_deref(), &bad.value), (Some("expression"), &Value::Word("b = q".to_owned())));
}

#[test]
fn all_statements_read_the_start_of_the_tick() {
    let mut world = world::<2>();
    let clock = world.add_species(species(rule(&["a = b", "let two = 2 * a", "b = a", "c += two"]))).unwrap();
    let id = world.spawn(clock, [1.0, 1.0], [0.0, 0.0]).unwrap();
    world.set_column_value(id, "a", 1.0f32).unwrap();
    world.step();
    assert_eq!(["a", "b", "c"].map(|name| value(&world, id, name)), [3.0, 1.0, 0.0]);
}

/// Oscillators in a torus; some are of another species or without phases.
fn oscillators<const D: usize>(agents: usize) -> (World<D>, [SpeciesId; 2]) {
    let size = throng::Vector::splat(20.0);
    let settings = Settings { size, edge: [Edge::Wrap; _], tick_seconds: 0.1, seed: 3, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let update = "phase += dt * (omega + 2 * mean(sin(phase_j - phase) / (1 + distance)))";
    let expression = Expression { radius: 3.0, from: SpeciesFilter::All, ..rule(&[update, "velocity = mean(offset)"]) };
    let clock = |name: &str| {
        Species::new(name)
            .with(1.0, expression.clone())
            .with_max_speed(2.0)
            .with_variable("phase", Distribution::Uniform(-3.0, 3.0), -1e6, 1e6)
            .with_variable("omega", Distribution::Normal { mean: 1.0, sd: 0.5, low: -9.0, high: 9.0 }, -9.0, 9.0)
    };
    let species = ["clock", "bell"].map(|name| world.add_species(clock(name)).unwrap());
    let stone = world.add_species(Species::new("stone")).unwrap();
    let mut noise = throng::Noise::new(7, 1, 0, 0);
    for number in 0..agents {
        let at = throng::Vector::<D>::from_fn(|_| noise.between(0.0, 20.0));
        world.spawn([species[0], species[1], stone][number % 3], at, noise.direction::<D>()).unwrap();
    }
    (world, species)
}

fn phases_follow_the_formula<const D: usize>() {
    let (mut world, species) = oscillators::<D>(900);
    for _ in 0..5 {
        let view = Perception::within(3.0, &SpeciesFilter::Named(vec!["clock".into(), "bell".into()]));
        let mut expected = Vec::new();
        for own in species {
            let pairs = world.pairs(own, &view).unwrap();
            let agents = world.agents(own).unwrap();
            for (row, id) in agents.ids().iter().enumerate() {
                let phase = |id: AgentId| f64::from(value(&world, id, "phase"));
                let terms = pairs
                    .of(row)
                    .iter()
                    .map(|near| (phase(near.id) - phase(*id)).sin() / (1.0 + f64::from(near.distance_squared).sqrt()));
                let count = pairs.of(row).len().clamp(1, 1000) as f64;
                let rate = f64::from(value(&world, *id, "omega")) + 2.0 * terms.sum::<f64>() / count;
                expected.push((*id, phase(*id) + f64::from(0.1f32) * rate));
            }
        }
        world.step();
        for (id, expected) in expected {
            let found = f64::from(value(&world, id, "phase"));
            assert!((found - expected).abs() < 2e-5, "{found} {expected}");
        }
    }
}

#[test]
fn phases_follow_the_formula_in_two_and_three_dimensions() {
    phases_follow_the_formula::<2>();
    phases_follow_the_formula::<3>();
}

#[test]
fn instruction_sets_threads_and_snapshots_change_no_bit() {
    let (start, _) = oscillators::<2>(3000);
    let run = |threads: usize, set: InstructionSet, saved: bool| {
        let mut world = start.clone();
        world.set_execution(Execution { instruction_set: Some(set), ..Execution::default() }).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (0..6).for_each(|_| world.step());
            if saved {
                world = saved_and_loaded(&world);
            }
            (0..6).for_each(|_| world.step());
        });
        world.state_hash()
    };
    let first = run(1, InstructionSet::Baseline, false);
    for set in InstructionSet::available() {
        assert_eq!(run(3, set, false), first, "{set}");
    }
    assert_eq!(run(2, InstructionSet::widest(), true), first);
}

#[test]
fn rules_of_several_states_share_a_variable() {
    let mut world = world::<2>();
    let calm = State::new("calm");
    let clock = Species::<2>::new("clock")
        .with_variable("a", 0.0, 0.0, 10.0)
        .with_state(calm)
        .with_state(State::new("late"))
        .with_during("calm", 1.0, rule(&["a += 1"]))
        .with_during("late", 1.0, rule(&["a += 100 * state"]));
    let clock = world.add_species(clock).unwrap();
    let ids = world.spawn_many(clock, &[[1.0, 1.0], [2.0, 1.0]], &[[0.0, 0.0]; 2]).unwrap();
    world.set_state(ids[1], "late").unwrap();
    world.step();
    assert_eq!([value(&world, ids[0], "a"), value(&world, ids[1], "a")], [1.0, 10.0]);
}

#[test]
fn no_number_keeps_the_variable_and_is_reported() {
    let mut world = world::<2>();
    let clock = world.add_species(species(rule(&["a = log(c)", "b += 1"]))).unwrap();
    let id = world.spawn(clock, [1.0, 1.0], [0.0, 0.0]).unwrap();
    world.step();
    assert_eq!([value(&world, id, "a"), value(&world, id, "b")], [0.0, 4.0]);
    assert!(world.events().iter().any(|event| matches!(event, throng::Event::Quarantined { .. })));
}

#[test]
fn draws_are_of_agent_and_tick_and_a_pick_is_fair() {
    let mut world = world::<2>();
    let set = ["a = uniform(2, 4)", "b = normal(1, 2)", "c = pick(speed_j, -1)"];
    let clock = world.add_species(Species { max_speed: 1.0.into(), ..species(rule(&set)) }).unwrap();
    let bell = world.add_species(species::<2>(Expression { radius: 1.0, ..rule(&["c = pick(a_j, -1)"]) })).ok();
    assert!(bell.is_none(), "the name is taken");
    let mut noise = throng::Noise::new(1, 1, 1, 1);
    let ids: Vec<AgentId> = (0..4000)
        .map(|number| {
            let at = [noise.between(0.0, 100.0), noise.between(0.0, 100.0)];
            world.spawn(clock, at, [if number % 4 == 0 { 1.0 } else { 0.0 }, 0.0]).unwrap()
        })
        .collect();
    world.step();
    let mean = |name: &str, of: fn(f32) -> f32| {
        ids.iter().map(|id| f64::from(of(value(&world, *id, name)))).sum::<f64>() / ids.len() as f64
    };
    assert!((mean("a", |a| a) - 3.0).abs() < 0.05 && (mean("b", |b| b) - 1.0).abs() < 0.15);
    assert!((mean("b", |b| (b - 1.0) * (b - 1.0)) - 4.0).abs() < 0.4);
    assert!(ids.iter().all(|id| (2.0..4.0).contains(&value(&world, *id, "a"))));
    assert!((mean("c", |c| c) - 0.25).abs() < 0.03, "{}", mean("c", |c| c));
    let before = value(&world, ids[0], "a");
    world.step();
    assert_ne!(value(&world, ids[0], "a"), before);
}

#[test]
fn starts_are_drawn_for_each_agent() {
    let mut world = world::<2>();
    let drawn = |species: Species<2>| species.with_variable("tone", Distribution::Uniform(2.0, 3.0), 0.0, 9.0);
    let clock = world.add_species(drawn(Species::new("clock"))).unwrap();
    let ids = world.spawn_many(clock, &[[1.0, 1.0], [2.0, 1.0]], &[[0.0, 0.0]; 2]).unwrap();
    let [one, other] = [0, 1].map(|number| value(&world, ids[number], "tone"));
    assert!(one != other && [one, other].iter().all(|x| (2.0..3.0).contains(x)));
    // A variable that is added later has the values that it would have had.
    let bell = world.add_species(Species::new("bell")).unwrap();
    let late = world.spawn(bell, [1.0, 1.0], [0.0, 0.0]).unwrap();
    world.edit_species(bell, |species| *species = drawn(species.clone())).unwrap();
    assert!((2.0..3.0).contains(&value(&world, late, "tone")));
    let read = saved_and_loaded(&world);
    assert_eq!(read.species(clock).unwrap().variables[0].start, Distribution::Uniform(2.0, 3.0));
    let out = Species::<2>::new("out").with_variable("tone", Distribution::Uniform(2.0, 3.0), 0.0, 2.5);
    assert!(world.add_species(out).is_err());
}

#[test]
fn a_force_or_a_velocity_steers() {
    let steered = |set: &str, kinematic: bool| {
        let mut world = world::<3>();
        let mut moth = Species::new("moth").with(1.0, rule(&[set])).with_mass(2.0);
        if kinematic {
            moth = moth.kinematic();
        }
        let moth = world.add_species(moth).unwrap();
        let ids = world.spawn_many(moth, &[[10.0; 3], [12.0, 10.0, 10.0]], &[[0.0; 3]; 2]).unwrap();
        world.step();
        world.velocity(ids[0]).unwrap()[0]
    };
    assert_eq!(steered("velocity = 1.5 * sum(offset)", true), 3.0);
    // Half a second at a force of 4 N on 2 kg.
    assert_eq!(steered("force = -sum(offset / distance) * 4", false), -1.0);
}
