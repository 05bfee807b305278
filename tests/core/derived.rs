//! Tests on every scenario that derived data can be dropped at any time, and that questions change nothing.

use crate::scenarios::{ids, pool, scenarios, tick};
use throng::behaviours::Cohesion;
use throng::settings::NeighbourLists;
use throng::{Event, Execution, InstructionSet, Noise, Settings, Species, Vector, World};
use throng_scenario::Scenario;

/// The number of ticks to run: more than an interval between arrangements of rows, except for large worlds.
fn ticks(scenario: &Scenario) -> usize {
    match scenario.agents() {
        0..1000 => 50,
        1000..5000 => 20,
        5000..20_000 => 8,
        _ => 4,
    }
}

/// Returns hash and events after each tick. Calls `between` before each tick.
fn course<const D: usize>(
    scenario: &Scenario,
    threads: usize,
    execution: Execution,
    mut between: impl FnMut(&mut World<D>, usize) + Send,
) -> Vec<(u64, Vec<Event>)> {
    let mut world = scenario.build::<D>().unwrap();
    world.set_execution(execution).unwrap();
    pool(threads).install(|| {
        let mut course = Vec::new();
        for number in 0..ticks(scenario) {
            between(&mut world, number);
            course.push(tick(&mut world));
        }
        course
    })
}

fn compare(found: &[(u64, Vec<Event>)], expected: &[(u64, Vec<Event>)], what: &str) {
    assert_eq!(found.len(), expected.len());
    for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "{what}: equal hash and events in tick {number}");
    }
}

/// Asks the world about three of its agents and their places, and checks that the state stays the same.
fn ask<const D: usize>(world: &mut World<D>, number: usize) {
    let before = world.state_hash();
    let ids = ids(world);
    let (mut found, mut near) = (Vec::new(), Vec::new());
    for place in 0..3 {
        let Some(&id) = ids.get((number * 31 + place * 101) % (ids.len() + 1)) else { continue };
        let at = world.position(id).unwrap();
        if world.settings().edge.contains(&throng::Edge::Open) || world.query().within(at, 8.0, &mut found).is_ok() {
            let _ = world.query().nearest(at, 5, &mut found);
        }
        world.query().around(id, 10.0, &mut near).unwrap();
        let _ = world.steering_of(id).unwrap();
        world.explain(id).unwrap();
    }
    assert_eq!(world.state_hash(), before, "questions leave the state unchanged");
}

fn check<const D: usize>(name: &str, scenario: &Scenario) {
    let fresh = Execution { neighbour_lists: NeighbourLists::Fresh, ..Execution::default() };
    let kept = Execution { neighbour_lists: NeighbourLists::Kept, ..Execution::default() };
    let expected = course::<D>(scenario, 2, fresh, |_, _| ());
    let always = course::<D>(scenario, 2, kept, |world, _| world.release_memory());
    compare(&always, &expected, &format!("{name}, derived data dropped before every tick"));
    let sometimes = course::<D>(scenario, 1, kept, |world, number| {
        if number % 5 == 3 {
            world.release_memory();
        }
    });
    compare(&sometimes, &expected, &format!("{name}, derived data dropped in every fifth tick"));
    let asked = course::<D>(scenario, 3, Execution::default(), ask);
    compare(&asked, &expected, &format!("{name}, questions before every tick"));
    let both = course::<D>(scenario, 2, kept, |world, number| {
        ask(world, number);
        if number % 2 == 0 {
            world.release_memory();
            ask(world, number + 1);
        }
    });
    compare(&both, &expected, &format!("{name}, questions and dropped data"));
    // The execution changes in every tick.
    let sets: Vec<InstructionSet> = InstructionSet::available().collect();
    let changing = course::<D>(scenario, 2, fresh, |world, number| {
        let neighbour_lists = [NeighbourLists::Kept, NeighbourLists::Fresh, NeighbourLists::Auto][number / 3 % 3];
        let instruction_set = Some(sets[number % sets.len()]);
        world.set_execution(Execution { neighbour_lists, instruction_set }).unwrap();
    });
    compare(&changing, &expected, &format!("{name}, another execution in every tick"));
}

#[test]
fn dropped_data_and_questions_change_no_bit_of_any_scenario() {
    let mut compared = 0;
    for (name, scenario) in scenarios() {
        match scenario.dimensions() {
            3 => check::<3>(&name, &scenario),
            _ => check::<2>(&name, &scenario),
        }
        compared += ticks(&scenario) * 5;
    }
    assert!(compared > 5000, "{compared} ticks were compared, expected more than 5000");
}

/// The budget is counted after a sort, when the copies of rows out of place are a tick old. Some
/// clusters are so wide that each of their agents searches alone.
#[test]
fn agents_spawned_before_a_sort_do_not_change_what_the_budget_counts() {
    let run = |forgets: bool| {
        let settings = Settings { size: Vector([400.0; 2]), tick_seconds: 0.05, ..Settings::default() };
        let mut world = World::<2>::new(Settings { pair_budget: Some(64), ..settings }).unwrap();
        let bird = Species::new("bird").with(1.0, Cohesion { radius: 3.0, ..Cohesion::default() });
        let bird = world.add_species(bird).unwrap();
        let mut noise = Noise::new(2, 0, 0, Noise::USER);
        let mut spawn = |world: &mut World<2>, side: f32, agents: usize| {
            for _ in 0..agents {
                let place = Vector::from_fn(|_| noise.between(0.0, side));
                world.spawn(bird, place, noise.direction()).unwrap();
            }
        };
        spawn(&mut world, 12.0, 1500);
        spawn(&mut world, 400.0, 40);
        let tick = |number: usize| {
            spawn(&mut world, 400.0, if number.is_multiple_of(9) { 200 } else { 3 });
            if forgets {
                world.release_memory();
            }
            world.step();
            world.state_hash()
        };
        (0..40).map(tick).collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(false));
}
