//! Regression tests of ticks, events, questions and numbers, one per defect. Defects of values and memory are in
//! `tests/core/defects.rs`.

use throng::behaviours::{Alignment, Containment, OffsetPursuit, Seek, Separation, Wander};
use throng::settings::NeighbourLists;
use throng::{
    AgentId, AgentRef, Behaviour, Catch, Condition, Distribution, Edge, Error, Event, Execution, Mark, Noise, Region,
    Settings, Shape, Species, SpeciesFilter, State, Target, Vector, World,
};

use super::line::{line, settings};

// Forces by agent.

/// Pushes along the first axis by the agent's id.
#[derive(Clone, Debug)]
struct ById;

impl Behaviour<2> for ById {
    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        Vector([1.0 + me.id().to_bits() as f32, 0.0])
    }
}

#[test]
fn the_steering_of_an_agent_is_its_own() {
    let (mut world, bird, ids) = line(Species::new("bird").with(1.0, ById), 40);
    let own = |id: AgentId| Vector([1.0 + id.to_bits() as f32, 0.0]);
    let aligned = |world: &World<2>| {
        let (forces, agents) = (world.steering(bird).unwrap(), world.agents(bird).unwrap());
        assert_eq!(forces.map(<[f32]>::len), [agents.len(); 2]);
        for (row, &id) in agents.ids().iter().enumerate() {
            assert_eq!(world.steering_of(id).unwrap(), Vector([forces[0][row], forces[1][row]]));
        }
    };
    aligned(&world);
    assert!(ids.iter().all(|&id| world.steering_of(id).unwrap() == Vector::ZERO), "zero before the first tick");
    world.step();
    for gone in [0, 17, 39, 5] {
        world.despawn(ids[gone]).unwrap();
        aligned(&world);
        assert!(
            world.agents(bird).unwrap().ids().iter().all(|&id| world.steering_of(id).unwrap() == own(id)),
            "{gone}"
        );
        assert_eq!(world.steering_of(ids[gone]), Err(Error::NoSuchAgent(ids[gone])));
    }
    let young: Vec<AgentId> = (0..23).map(|y| world.spawn(bird, [1.0, y as f32], [0.0, 0.0]).unwrap()).collect();
    aligned(&world);
    for &id in world.agents(bird).unwrap().ids() {
        let expected = if young.contains(&id) { Vector::ZERO } else { own(id) };
        assert_eq!(world.steering_of(id).unwrap(), expected);
    }
    world.despawn(young[3]).unwrap();
    world.despawn_where(bird, |agents, row| agents.position(row)[0] < 1.5).unwrap();
    aligned(&world);
    assert!(world.agents(bird).unwrap().ids().iter().all(|&id| world.steering_of(id).unwrap() == own(id)));
    world.step();
    aligned(&world);
    world.clear();
    aligned(&world);
    assert_eq!(world.population(), 0);
}

// Events and states.

#[test]
fn prey_learns_that_it_was_caught_in_any_order_of_species() {
    let course = |hunter_first: bool| {
        let mut world = World::<2>::new(settings()).unwrap();
        let mut hunter = Species::new("hunter");
        hunter.catch =
            Some(Catch { whom: SpeciesFilter::named("prey"), distance: 1.0, remove: false, during: Vec::new() });
        let hunter = hunter
            .with_state(State::new("hungry").with_transition("fed", Condition::Caught))
            .with_state(State::new("fed"));
        let prey = Species::new("prey")
            .with_state(State::new("free").with_transition("bitten", Condition::WasCaught))
            .with_state(State::new("bitten"));
        let mut add = |species: Species<2>| world.add_species(species).unwrap();
        let [hunter, prey] = if hunter_first {
            [add(hunter), add(prey)]
        } else {
            let prey = add(prey);
            [add(hunter), prey]
        };
        let hunter = world.spawn(hunter, [50.0, 50.0], [0.0, 0.0]).unwrap();
        let prey = world.spawn(prey, [53.0, 50.0], [-10.0, 0.0]).unwrap();
        let mut course = Vec::new();
        for _ in 0..8 {
            world.step();
            let caught = world.events().iter().any(|event| event.name() == "caught");
            let state = |id| world.state(id).unwrap().unwrap().to_owned();
            course.push((caught, state(hunter), state(prey)));
        }
        course
    };
    let found = course(true);
    assert_eq!(found, course(false));
    let first = found.iter().position(|(caught, ..)| *caught).unwrap();
    let states = |number: usize| (&found[number].1[..], &found[number].2[..]);
    assert_eq!(states(first), ("hungry", "free"));
    assert_eq!(states(first + 1), ("fed", "bitten"), "both change their states in the next tick");
}

#[test]
fn a_leaver_that_is_moved_back_stays() {
    for (edge, from, back) in [(Edge::Remove, 99.99, 50.0), (Edge::Open, 999_999.9, 5.0)] {
        for slices in [false, true] {
            let mut world =
                World::<2>::new(Settings { edge: [edge; _], tick_seconds: 0.1, ..Settings::default() }).unwrap();
            let bird = world.add_species(Species::new("bird")).unwrap();
            let [stays, goes] = [40.0, 60.0].map(|y| world.spawn(bird, [from, y], [10.0, 0.0]).unwrap());
            world.step();
            assert_eq!(world.events().iter().filter(|event| matches!(event, Event::Left { .. })).count(), 2);
            assert!(world.contains(stays) && world.contains(goes));
            if slices {
                let at = |axis: usize| world.agents(bird).unwrap().positions()[axis].to_vec();
                let (mut x, y) = (at(0), at(1));
                x.fill(back);
                world.set_positions(bird, [&x, &y]).unwrap();
                world.step();
                assert_eq!(world.population(), 2, "{edge:?}");
                continue;
            }
            world.set_position(stays, [back, 40.0]).unwrap();
            world.step();
            assert!(world.contains(stays) && !world.contains(goes), "{edge:?}");
            assert_eq!(world.population(), 1);
            world.step();
            assert!(world.contains(stays));
        }
    }
}

/// Caught prey is removed even if the host moves it away.
#[test]
fn caught_prey_that_is_moved_away_is_removed() {
    let mut world = World::<2>::new(settings()).unwrap();
    let mut hunter = Species::new("hunter");
    hunter.catch = Some(Catch { whom: SpeciesFilter::named("prey"), distance: 1.0, remove: true, during: Vec::new() });
    let hunter = world.add_species(hunter).unwrap();
    let prey = world.add_species(Species::new("prey")).unwrap();
    world.spawn(hunter, [50.0, 50.0], [0.0, 0.0]).unwrap();
    let prey = world.spawn(prey, [50.5, 50.0], [0.0, 0.0]).unwrap();
    world.step();
    world.set_position(prey, [90.0, 90.0]).unwrap();
    world.step();
    assert!(!world.contains(prey));
}

#[test]
fn hundreds_of_regions_report_entries_and_exits() {
    let (mut world, _, ids) =
        line(Species::new("bird").with(1.0, Seek { target: Target::Point(Vector([99.0, 50.0])) }), 1);
    for number in 0..200 {
        let shape = Shape::Ball { centre: Vector([0.5 * number as f32, 50.0]), radius: 0.1 };
        world.environment_mut().regions.add(Region { name: format!("region {number}"), shape }).unwrap();
    }
    let mut inside = std::collections::BTreeSet::new();
    let mut entered = 0;
    world.set_settings(Settings { tick_seconds: 0.01, ..settings() }).unwrap();
    for _ in 0..1200 {
        world.step();
        for event in world.events() {
            match event {
                Event::EnteredRegion { region, .. } => {
                    entered += 1;
                    assert!(inside.insert(*region));
                }
                Event::LeftRegion { region, .. } => assert!(inside.remove(region)),
                _ => {}
            }
        }
        let at = world.position(ids[0]).unwrap();
        let is_near = |number: usize| (at - Vector([0.5 * number as f32, 50.0])).length() <= 0.1;
        let now: std::collections::BTreeSet<_> = (0..200)
            .filter(|&number| is_near(number))
            .map(|number| world.environment().regions.ids()[number])
            .collect();
        assert_eq!(inside, now);
    }
    assert!(entered > 150, "{entered} regions were entered, expected more than 150");
}

// Kept lists.

#[test]
fn edits_that_change_no_neighbour_keep_the_lists() {
    let course = |neighbour_lists, edit: fn(&mut World<2>, AgentId)| {
        let mut world = World::<2>::new(Settings { tick_seconds: 0.01, ..Settings::default() }).unwrap();
        world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
        let bird = Species::new("bird").with(1.0, Separation::default()).with(1.0, Alignment::default());
        let bird = world.add_species(bird).unwrap();
        let mut noise = Noise::new(5, 0, 0, Noise::USER);
        for _ in 0..2000 {
            world.spawn(bird, [noise.between(0.0, 100.0), noise.between(0.0, 100.0)], [1.0, 0.0]).unwrap();
        }
        let id = world.agents(bird).unwrap().ids()[7];
        (0..30)
            .map(|_| {
                edit(&mut world, id);
                world.step();
                world.profile().candidates
            })
            .collect::<Vec<u64>>()
    };
    let untouched = course(NeighbourLists::Kept, |_, _| ());
    assert_ne!(untouched, course(NeighbourLists::Fresh, |_, _| ()), "kept lists hold more candidates");
    let mark = course(NeighbourLists::Kept, |world, _| {
        let at = world.tick() as f32;
        world.environment_mut().marks.put(Mark::new("light", [at, at])).unwrap();
    });
    assert_eq!(mark, untouched);
    let obstacle = course(NeighbourLists::Kept, |world, _| {
        let rock = throng::Obstacle::new(Vector([1.0, 1.0]), 1.0);
        world.environment_mut().obstacles.add(rock).unwrap();
    });
    assert_eq!(obstacle, untouched);
    let goal = course(NeighbourLists::Kept, |world, id| world.set_goal(id, Some(Vector([1.0, 1.0]))).unwrap());
    assert_eq!(goal, untouched);
}

// Searches.

#[test]
fn the_nearest_is_found_past_outliers_and_in_crowds_on_one_point() {
    let mut world = World::<2>::new(Settings { size: Vector([1000.0, 1000.0]), ..settings() }).unwrap();
    let hunter = world
        .add_species(Species::new("hunter").with(1.0, Seek { target: Target::Nearest(SpeciesFilter::named("prey")) }))
        .unwrap();
    let prey = world.add_species(Species::new("prey")).unwrap();
    let mut noise = Noise::new(5, 0, 0, Noise::USER);
    // The outlier is spawned first, so that it is in the first cluster.
    world.spawn(prey, [0.5, 0.5], [0.0, 0.0]).unwrap();
    for number in 0..900 {
        let at =
            if number % 3 == 0 { [700.0, 700.0] } else { [noise.between(600.0, 999.0), noise.between(600.0, 999.0)] };
        world.spawn(prey, at, [0.0, 0.0]).unwrap();
    }
    for _ in 0..300 {
        world.spawn(hunter, [noise.between(0.0, 1000.0), noise.between(0.0, 1000.0)], [0.0, 0.0]).unwrap();
    }
    world.step();
    let places: Vec<Vector<2>> = (0..901).map(|row| world.agents(prey).unwrap().position(row)).collect();
    let (mut found, mut compared) = (Vec::new(), 0);
    for id in world.agents(hunter).unwrap().ids().to_vec() {
        let at = world.position(id).unwrap();
        let nearest = places.iter().map(|place| (*place - at).length_squared()).min_by(f32::total_cmp).unwrap();
        let explanation = world.explain(id).unwrap();
        // The desired velocity is full speed towards the nearest prey.
        let wanted = explanation.contributions[0].force * 0.2 + explanation.velocity;
        let towards = places.iter().filter(|place| (**place - at).length_squared() == nearest);
        assert!(towards.clone().any(|place| ((*place - at).direction() * 10.0 - wanted).length() < 1e-3), "{id}");
        world.query().nearest(at, 3, &mut found).unwrap();
        assert_eq!(found[0].id, id);
        compared += 1;
    }
    assert_eq!(compared, 300);
}

#[test]
fn questions_and_edits_with_invalid_numbers_are_refused() {
    let (mut world, bird, ids) = line(Species::new("bird").with(1.0, Separation::default()), 40);
    let (mut found, mut near) = (Vec::new(), Vec::new());
    for stepped in [false, true] {
        if stepped {
            world.step();
        }
        for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY, 2e6] {
            for point in [[bad, 1.0], [1.0, bad]] {
                assert!(world.query().within(point, 5.0, &mut found).is_err());
                assert!(world.query().nearest(point, 5, &mut found).is_err());
                assert!(world.spawn(bird, point, [0.0, 0.0]).is_err());
                assert!(world.spawn(bird, [1.0, 1.0], point).is_err());
                assert!(world.set_position(ids[0], point).is_err());
                assert!(world.set_velocity(ids[0], point).is_err());
                assert!(world.spawn_many(bird, &[[1.0, 1.0], point], &[[0.0, 0.0]; 2]).is_err());
            }
        }
        assert!(world.set_goal(ids[0], Some(Vector([f32::NAN, 1.0]))).is_err());
        for radius in [f32::NAN, -1.0, -f32::INFINITY] {
            assert!(world.query().within([1.0, 1.0], radius, &mut found).is_err());
            assert!(world.query().around(ids[0], radius, &mut near).is_err());
        }
        world.query().within([1.0, 50.0], f32::INFINITY, &mut found).unwrap();
        assert_eq!(found.len(), 40);
        world.query().within([1.0, 50.0], f32::MAX, &mut found).unwrap();
        assert_eq!(found.len(), 40);
        world.query().within([1.0, 50.0], 0.0, &mut found).unwrap();
        assert_eq!(found.len(), usize::from(!stepped));
        world.query().nearest([1.0, 50.0], usize::MAX, &mut found).unwrap();
        assert_eq!(found.len(), 40);
        world.query().nearest([1.0, 50.0], 0, &mut found).unwrap();
        assert_eq!(found.len(), 0);
        assert_eq!(world.population(), 40);
    }
}

// Numbers.

#[test]
fn turning_stays_finite_at_every_extreme() {
    let mut compared = 0;
    let speeds = [0.0, 1e-45, 1e-38, 1e-30, 1e-21, 1e-19, 1.1e-19, 1e-10, 1e-3, 1.0, 1e6];
    for turn in [0.0, 1e-30, 1e-3, 90.0, 1799.0, 1e30, f32::INFINITY] {
        for (mass, force, most, least) in [
            (1.0, 30.0, 10.0, 0.0),
            (1e-6, 1e9, 1e6, 0.0),
            (1e6, 1e-30, 1e6, 0.0),
            (1e6, 0.0, 1e-20, 1e-20),
            (1.0, 1e9, 1e-30, 1e6),
            (1.0, 1.0, 0.0, 0.0),
        ] {
            for tick_seconds in [1e-30, 0.1, 1000.0] {
                let settings = Settings { tick_seconds, edge: [Edge::Wrap; _], ..Settings::default() };
                let mut world = World::<2>::new(settings).unwrap();
                let mut bird = Species::new("bird")
                    .with(1.0, Seek { target: Target::Point(Vector([50.0, 90.0])) })
                    .with(-1e6, Containment::default());
                (bird.mass, bird.max_force, bird.max_speed) = (mass.into(), force.into(), most.into());
                (bird.min_speed, bird.max_turn_rate) = (least, turn);
                let bird = world.add_species(bird).unwrap();
                for (number, speed) in speeds.into_iter().enumerate() {
                    for direction in [[1.0, 0.0], [-0.6, 0.8], [0.0, -1.0]] {
                        let velocity = Vector(direction) * speed;
                        world.spawn(bird, [3.0 * number as f32, 30.0], velocity).unwrap();
                    }
                }
                for _ in 0..5 {
                    world.step();
                    let agents = world.agents(bird).unwrap();
                    for row in 0..agents.len() {
                        let (at, velocity) = (agents.position(row), agents.velocity(row));
                        assert!(
                            at.is_finite() && velocity.is_finite() && velocity.length() <= 1.0001 * most + 1e-37,
                            "turn {turn}, mass {mass}, force {force}, most {most}, dt {tick_seconds}: {at:?} {velocity:?}"
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 20_000, "{compared} agents were compared, expected more than 20 000");
}

#[test]
fn an_agent_that_nearly_rests_keeps_its_turn_limit() {
    let mut compared = 0;
    for speed in [1e-18, 1e-15, 1e-9, 1e-3, 1.0] {
        for angle in 0..24 {
            let mut bird = Species::new("bird").with(1.0, Seek { target: Target::Point(Vector([50.0, 90.0])) });
            bird.max_turn_rate = 90.0;
            let mut world = World::<2>::new(settings()).unwrap();
            let bird = world.add_species(bird).unwrap();
            let (sine, cosine) = (0.1 + angle as f64 * 0.26).sin_cos();
            let heading = Vector([cosine as f32, sine as f32]);
            let id = world.spawn(bird, [50.0, 50.0], heading * speed).unwrap();
            world.step();
            let after = world.velocity(id).unwrap().direction();
            let turned = f64::from(heading.dot(after)).clamp(-1.0, 1.0).acos().to_degrees();
            assert!(turned < 9.1, "{speed} m/s, heading {heading:?}: turned by {turned} degrees");
            compared += 1;
        }
    }
    assert_eq!(compared, 120);
}

#[test]
fn draws_keep_to_their_half_open_range() {
    let mut noise = Noise::new(1, 177, 0, Noise::USER);
    for _ in 0..3_000_000 {
        let drawn = noise.between(100.0, 100.001);
        assert!((100.0..100.001).contains(&drawn), "{drawn}");
    }
    for (low, high) in
        [(1.0, 2.0), (-3e38, 3e38), (0.0, f32::MIN_POSITIVE), (-1.0, -1.0 + f32::EPSILON), (1e6, 1e6 + 0.1)]
    {
        for _ in 0..300_000 {
            let drawn = noise.between(low, high);
            assert!(drawn >= low && drawn < high && drawn.is_finite(), "{low} {high}: {drawn}");
        }
    }
}

#[test]
fn directions_of_large_and_small_vectors_have_length_one() {
    for length in [1e-45, 1e-38, 1e-20, 1.0, 1e18, 1.9e19, 1e30, 3e38] {
        let direction = Vector([length, 0.0]).direction();
        assert!((direction.length() - 1.0).abs() < 1e-6, "{length}: {direction:?}");
        assert!((Vector([0.0, -length, 0.0]).direction().length() - 1.0).abs() < 1e-6, "{length}");
    }
}

#[test]
fn a_largest_speed_of_minus_zero_is_zero() {
    for zero in [0.0, -0.0] {
        let mut chief = Species::new("chief");
        chief.max_speed = zero.into();
        let mut world = World::<2>::new(settings()).unwrap();
        let chief = world.add_species(chief).unwrap();
        let leader = world.spawn(chief, [50.0, 50.0], [0.0, 0.0]).unwrap();
        assert_eq!(world.agents(chief).unwrap().max_speed(0).to_bits(), 0, "{zero}");
        let pursuit =
            OffsetPursuit { target: Target::Agent(leader), offset: Vector([-2.0, 1.0]), ..OffsetPursuit::default() };
        let mut follower = Species::new("follower").with(1.0, pursuit).with(1.0, Wander::default());
        follower.set_quantity(throng::Quantity::MaxSpeed, Distribution::Uniform(-0.0, zero)).unwrap();
        let follower = world.add_species(follower).unwrap();
        for x in 0..5 {
            world.spawn(follower, [x as f32, 50.0], [0.0, 0.0]).unwrap();
        }
        world.spawn(follower, [50.0, 50.0], [0.0, 0.0]).unwrap();
        for _ in 0..10 {
            world.step();
            assert_eq!(world.events(), [], "{zero}");
        }
    }
}

#[test]
fn rows_beyond_the_last_agent_are_refused() {
    let (world, bird, _) = line(Species::new("bird"), 5);
    let agents = world.agents(bird).unwrap();
    for row in [5, 8, 15, 16, usize::MAX] {
        assert!(std::panic::catch_unwind(|| agents.position(row)).is_err(), "position({row})");
        assert!(std::panic::catch_unwind(|| agents.velocity(row)).is_err(), "velocity({row})");
        assert!(std::panic::catch_unwind(|| agents.state(row)).is_err(), "state({row})");
    }
}

#[test]
fn clocks_are_optional_and_debug_builds_validate_worlds() {
    let source = |file: &str| std::fs::read_to_string(format!("{}/src/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(source("world/profile.rs").contains("wasm"), "the profile handles platforms without a clock");
    assert!(source("world/step.rs").contains("debug_assert_eq!(self.part.check(|| self.check()), Ok(()))"));
}
