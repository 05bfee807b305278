//! Tests of states: transitions happen in time, and their events come once and in order.

use throng::behaviours::{Alignment, Cohesion, Seek, Separation};
use throng::{
    Catch, Condition, Edge, Event, Noise, Place, Region, Rule, Settings, Shape, Species, SpeciesFilter, SpeciesId,
    State, Target, Vector, World,
};

fn settings() -> Settings<2> {
    Settings { size: Vector([100.0, 100.0]), edge: [Edge::Bounce; _], tick_seconds: 0.1, ..Settings::default() }
}

fn runner(name: &str, target: Target<2>) -> Species<2> {
    let mut species = Species::new(name).with(1.0, Seek { target });
    (species.max_speed, species.max_force, species.response) = (10.0.into(), 1e4.into(), 0.1);
    species
}

fn state_of(world: &mut World<2>, species: SpeciesId) -> String {
    let id = world.agents(species).unwrap().ids()[0];
    world.explain(id).unwrap().state.unwrap()
}

#[test]
fn stamina_falls_while_hunting_and_rises_while_resting() {
    let mut world = World::new(settings()).unwrap();
    let hunt = State::new("hunt").with_rate("stamina", -0.5);
    let rest = State::new("rest").with_rate("stamina", 1.0);
    let hunter = Species::new("hunter")
        .with_during("hunt", 1.0, Seek { target: Target::Point(Vector([90.0, 50.0])) })
        .with_variable("stamina", 1.0, 0.0, 1.0)
        .with_state(hunt.with_transition("rest", Condition::Below("stamina".into(), 0.01)))
        .with_state(rest.with_transition("hunt", Condition::Above("stamina".into(), 0.99)));
    let hunter = world.add_species(hunter).unwrap();
    world.spawn(hunter, [10.0, 50.0], [0.0, 0.0]).unwrap();
    let mut changes = Vec::new();
    let mut before = String::new();
    for tick in 1..=60 {
        world.step();
        let state = state_of(&mut world, hunter);
        if state != before {
            changes.push((tick, state.clone()));
            before = state;
        }
    }
    // Stamina falls for two seconds at half a unit per second and rises for one second at one unit per second.
    let expected = [(1, "hunt"), (20, "rest"), (30, "hunt"), (50, "rest"), (60, "hunt")];
    assert_eq!(changes, expected.map(|(tick, state)| (tick, state.to_owned())));
}

/// A variable is kept within its range, so a threshold at the end of the range would otherwise never be reached.
#[test]
fn thresholds_include_their_bound() {
    let mut world = World::new(settings()).unwrap();
    let empty = Condition::Below("stamina".into(), 0.0);
    let full = Condition::Above("stamina".into(), 1.0);
    let at_rim = Condition::NearerPlace(Place::Point(vec![50.0, 50.0]), 5.0);
    let hunter = Species::new("hunter")
        .with_variable("stamina", 1.0, 0.0, 1.0)
        .with_state(State::new("hunt").with_rate("stamina", -5.0).with_transition("rest", empty))
        .with_state(State::new("rest").with_rate("stamina", 5.0).with_transition("wait", full))
        .with_state(State::new("wait").with_transition("end", at_rim))
        .with_state(State::new("end"));
    let hunter = world.add_species(hunter).unwrap();
    world.spawn(hunter, [45.0, 50.0], [0.0, 0.0]).unwrap();
    let states = [0; 6].map(|_| {
        world.step();
        state_of(&mut world, hunter)
    });
    assert_eq!(states, ["hunt", "rest", "rest", "wait", "end", "end"]);
}

#[test]
fn a_rule_has_no_force_outside_its_states() {
    let mut world = World::new(settings()).unwrap();
    let sleeper = Species::new("sleeper")
        .with_during("awake", 1.0, Seek { target: Target::Point(Vector([90.0, 50.0])) })
        .with_state(State::new("asleep").with_transition("awake", Condition::After(1.0)))
        .with_state(State::new("awake"));
    let sleeper = world.add_species(sleeper).unwrap();
    let id = world.spawn(sleeper, [10.0, 50.0], [0.0, 0.0]).unwrap();
    for _ in 0..9 {
        world.step();
    }
    assert_eq!(world.agents(sleeper).unwrap().positions(), [&[10.0][..], &[50.0]]);
    assert_eq!(world.explain(id).unwrap().contributions[0].force, Vector::ZERO);
    world.step();
    world.step();
    assert!(world.agents(sleeper).unwrap().positions()[0][0] > 10.0);
}

/// Creates a world in which every rule sums over neighbours: the neighbours of a state within its own view, and of its
/// own species or of all. If they have `states`, rules are active only in their own state, or else in all.
fn summing_world(views: &[(f32, f32, SpeciesFilter)], states: bool) -> (World<2>, SpeciesId) {
    let mut world = World::new(settings()).unwrap();
    let names = ["calm", "alert", "panic"];
    let mut bird = names.iter().fold(Species::new("bird"), |bird, name| bird.with_state(State::new(*name)));
    for (&(radius, fov, ref from), name) in views.iter().zip(names) {
        let add = |bird: Species<2>, rule: Rule<2>| {
            let rule = if states { rule.during(name) } else { rule };
            Species { rules: bird.rules.into_iter().chain([rule]).collect(), ..bird }
        };
        bird = add(bird, Rule::new(1.0, Separation { radius, fov, from: from.clone(), ..Separation::default() }));
        bird = add(bird, Rule::new(1.0, Alignment { radius, fov, from: from.clone(), ..Alignment::default() }));
        bird = add(bird, Rule::new(1.0, Cohesion { radius, fov, from: from.clone(), ..Cohesion::default() }));
    }
    let bird = world.add_species(bird).unwrap();
    let other = world.add_species(Species::new("other")).unwrap();
    let mut noise = Noise::new(5, 0, 0, Noise::USER);
    for number in 0..600 {
        // Some are on one point.
        let at = [(); 2].map(|()| noise.between(0.0, 60.0));
        let at = Vector(at.map(|at| if number < 400 { at.floor() } else { at }));
        let velocity = noise.direction() * 2.0;
        let id = world.spawn(if number % 4 == 0 { other } else { bird }, at, velocity).unwrap();
        if number % 4 != 0 {
            world.set_state(id, names[number % 3]).unwrap();
        }
    }
    (world, bird)
}

/// A rule has the same force, to the bit, whether it is active in one state or in all, whatever the rules of other
/// states perceive.
#[test]
fn rules_of_other_states_do_not_change_a_force() {
    let (own, all) = (|| SpeciesFilter::Own, || SpeciesFilter::All);
    for views in [
        [(4.0, 360.0, own()), (9.0, 200.0, own()), (6.0, 360.0, own())],
        [(8.0, 360.0, own()), (8.0, 360.0, own()), (8.0, 360.0, own())],
        [(8.0, 300.0, own()), (8.0, 360.0, all()), (3.0, 120.0, all())],
        [(8.0, 300.0, own()), (8.0, 360.0, all()), (8.0, 360.0, all())],
    ] {
        let (mut world, bird) = summing_world(&views, true);
        let (mut always, _) = summing_world(&views, false);
        let mut moved = [0; 3];
        for id in world.agents(bird).unwrap().ids().to_vec() {
            let explained = world.explain(id).unwrap();
            let state = ["calm", "alert", "panic"].iter().position(|name| Some(*name) == explained.state.as_deref());
            let expected = always.explain(id).unwrap().contributions;
            for (number, (contribution, expected)) in explained.contributions.iter().zip(&expected).enumerate() {
                let force = if Some(number / 3) == state { expected.force } else { Vector::ZERO };
                assert_eq!(contribution.force, force, "rule {number} in state {state:?}");
                moved[number / 3] += u32::from(force != Vector::ZERO);
            }
        }
        assert!(moved.iter().all(|&moved| moved > 300), "{moved:?}");
        [&mut world, &mut always].into_iter().for_each(World::step);
        assert_eq!(world.profile().neighbours, always.profile().neighbours);
    }
}

#[test]
fn prey_is_caught_once_by_the_first_of_two_hunters_and_removed() {
    let mut world = World::new(settings()).unwrap();
    let mut hunter = runner("hunter", Target::Nearest(SpeciesFilter::named("prey")));
    hunter.catch = Some(Catch { whom: SpeciesFilter::named("prey"), distance: 1.0, remove: true, during: Vec::new() });
    let hungry = State::new("hungry").with_transition("fed", Condition::Caught);
    let hunter = world.add_species(hunter.with_state(hungry).with_state(State::new("fed"))).unwrap();
    let prey = world.add_species(Species::new("prey")).unwrap();
    let first = world.spawn(hunter, [50.0, 50.0], [0.0, 0.0]).unwrap();
    let second = world.spawn(hunter, [50.5, 50.0], [0.0, 0.0]).unwrap();
    let victim = world.spawn(prey, [50.2, 50.0], [0.0, 0.0]).unwrap();
    world.step();
    let caught = |world: &World<2>| {
        let caught = world.events().iter().filter(|event| event.name() == "caught");
        caught.copied().collect::<Vec<_>>()
    };
    assert_eq!(caught(&world), [Event::Caught { agent: victim, species: prey, by: first }]);
    assert!(world.find(victim).is_ok(), "prey is removed at the start of the next tick, not before");
    world.step();
    assert_eq!(caught(&world), []);
    assert!(world.find(victim).is_err());
    let mut state = |id| world.explain(id).unwrap().state.unwrap();
    assert_eq!((state(first), state(second)), ("fed".to_owned(), "hungry".to_owned()));
}

#[test]
fn distance_conditions_see_across_the_seam() {
    let mut world = World::new(Settings { edge: [Edge::Wrap; _], ..settings() }).unwrap();
    let hawks = || SpeciesFilter::named("hawk");
    let shy = Species::<2>::new("shy")
        .with_state(State::new("calm").with_transition("afraid", Condition::Nearer(hawks(), 5.0)))
        .with_state(State::new("afraid").with_transition("calm", Condition::Farther(hawks(), 8.0)));
    let shy = world.add_species(shy).unwrap();
    let hawk = world.add_species(Species::new("hawk")).unwrap();
    world.spawn(shy, [1.0, 50.0], [0.0, 0.0]).unwrap();
    let hawk = world.spawn(hawk, [90.0, 50.0], [0.0, 0.0]).unwrap();
    for (x, state) in [(90.0, "calm"), (97.0, "afraid"), (94.0, "afraid"), (90.0, "calm")] {
        world.set_position(hawk, [x, 50.0]).unwrap();
        world.step();
        assert_eq!(state_of(&mut world, shy), state, "hawk at {x}");
    }
}

#[test]
fn regions_report_entries_and_exits() {
    let mut world = World::new(settings()).unwrap();
    let region = Region { name: "pond".into(), shape: Shape::Ball { centre: Vector([50.0, 50.0]), radius: 5.0 } };
    let id = world.environment_mut().regions.add(region).unwrap();
    assert_eq!(world.environment().regions.index_of(id), Some(0));
    let species = world.add_species(runner("swimmer", Target::Point(Vector([90.0, 50.0])))).unwrap();
    let agent = world.spawn(species, [30.0, 50.0], [10.0, 0.0]).unwrap();
    let mut events = Vec::new();
    for _ in 0..50 {
        world.step();
        events.extend(world.events().iter().map(|event| (world.tick(), *event)));
    }
    // The agent moves a metre per tick from x = 30; the region reaches from 45 to 55, both included.
    let entered = Event::EnteredRegion { agent, species, region: id };
    let left = Event::LeftRegion { agent, species, region: id };
    assert_eq!(events.iter().map(|(_, event)| *event).collect::<Vec<_>>(), [entered, left]);
    assert!((15..=16).contains(&events[0].0) && (26..=27).contains(&events[1].0), "{events:?}");
}

#[test]
fn states_survive_spawning_despawning_and_arranging() {
    // A hundred early and a hundred late sleepers: each keeps its state and its timer when its row changes.
    let mut world = World::new(settings()).unwrap();
    let sleeper = Species::<2>::new("sleeper")
        .with_state(State::new("asleep").with_transition("awake", Condition::After(2.0)))
        .with_state(State::new("awake"));
    let species = world.add_species(sleeper).unwrap();
    let spawn = |world: &mut World<2>, x: f32, y: f32| world.spawn(species, [x, y], [0.0, 0.0]).unwrap();
    let early: Vec<_> = (0..100).map(|i| spawn(&mut world, 99.0 - i as f32 * 0.9, 50.0)).collect();
    for _ in 0..10 {
        world.step();
    }
    let late: Vec<_> = (0..100).map(|i| spawn(&mut world, i as f32 * 0.9, 20.0)).collect();
    world.despawn(early[0]).unwrap();
    for _ in 0..12 {
        world.step();
    }
    let mut state = |id| world.explain(id).unwrap().state.unwrap();
    assert!(early[1..].iter().all(|&id| state(id) == "awake"));
    assert!(late.iter().all(|&id| state(id) == "asleep"));
    // The same as numbers, row by row.
    let agents = world.agents(species).unwrap();
    for (row, id) in agents.ids().iter().enumerate() {
        assert_eq!(agents.state(row), usize::from(early.contains(id)));
    }
}
