//! Tests of goals chosen by distance and time, of queues with places and of waiting areas.

use throng::behaviours::{ArriveAt, ChooseBy, TakePlace, WalkTo};
use throng::states::{Condition, State};
use throng::{AgentId, Edge, Goal, Navigation, Places, Rule, Settings, Species, SpeciesId, Vector, World};

fn world() -> World<2> {
    let settings =
        Settings { size: Vector([40.0, 20.0]), edge: [Edge::Bounce; 2], tick_seconds: 0.05, ..Settings::default() };
    World::<2>::new(settings).unwrap()
}

fn walker(rule: WalkTo) -> Species<2> {
    let mut walker = Species::new("walker").with(1.0, rule);
    (walker.max_speed, walker.radius, walker.max_force) = (2.0.into(), 0.25.into(), 100.0.into());
    walker
}

/// A world with a goal in the west, of one agent per second, and a goal in the east, and its walkers.
fn two_goals(rule: WalkTo) -> (World<2>, SpeciesId) {
    let mut world = world();
    for (name, x) in [("west", 2.0), ("east", 38.0)] {
        let goals = vec![Goal::Point(Vector([x, 10.0]))];
        let navigation = Navigation { cell: Some(0.2), capacity: Some(1.0), ..Navigation::new(name, goals) };
        world.environment_mut().navigations.add(navigation).unwrap();
    }
    let goals = vec!["west".to_owned(), "east".to_owned()];
    let species = world.add_species(walker(WalkTo { goals, ..rule })).unwrap();
    (world, species)
}

/// The number of the navigation that an agent heads for.
fn heading(world: &World<2>, agent: AgentId) -> u32 {
    world.column_value::<[u32; 2]>(agent, "heading").unwrap()[0]
}

#[test]
fn the_nearest_goal_is_chosen_by_distance_and_kept_by_hysteresis() {
    let (mut world, walker) = two_goals(WalkTo { every: 0.0, hysteresis: 0.5, ..WalkTo::default() });
    let left = world.spawn(walker, [15.0, 10.0], [0.0, 0.0]).unwrap();
    let right = world.spawn(walker, [25.0, 10.0], [0.0, 0.0]).unwrap();
    world.step();
    assert_eq!((heading(&world, left), heading(&world, right)), (1, 2));
    // From 22 m the goal in the east is nearer, 16 m against 20 m, but not by half.
    world.set_position(left, [22.0, 10.0]).unwrap();
    world.step();
    assert_eq!(heading(&world, left), 1);
    world.set_position(left, [30.0, 10.0]).unwrap();
    world.step();
    assert_eq!(heading(&world, left), 2);
    for _ in 0..400 {
        world.step();
    }
    for agent in [left, right] {
        assert!(world.position(agent).unwrap().distance(Vector([38.0, 10.0])) < 0.5);
    }
}

#[test]
fn queues_send_agents_to_the_goal_that_is_quicker() {
    let rule = WalkTo { choose: ChooseBy::Time, every: 0.0, hysteresis: 0.0, ..WalkTo::default() };
    let (mut world, walker) = two_goals(rule);
    // Nine agents beside the goal in the west take nine seconds.
    for number in 0..9 {
        world.spawn(walker, [3.0, 6.0 + number as f32], [0.0, 0.0]).unwrap();
    }
    // At 2 m/s these take 6.5 and 11.5 s, or 7 and 11 s: with the queue, 15.5 and 16 s to the west.
    let alone = [[15.0, 10.0], [16.0, 10.0]].map(|at| world.spawn(walker, at, [0.0, 0.0]).unwrap());
    // This one is nearer than the queue: 4 s and 14 s, with nine seconds 13 s.
    let near = world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
    world.step();
    // Nothing heads anywhere in the first tick.
    assert!(alone.iter().all(|&agent| heading(&world, agent) == 1));
    world.step();
    assert!(alone.iter().all(|&agent| heading(&world, agent) == 2), "the queue counts");
    assert_eq!(heading(&world, near), 1);
}

/// A species that queues, is served at the head for `service` seconds, and then walks away.
fn guests(service: f32) -> Species<2> {
    let queue = || TakePlace { places: "till".into(), arrive_at: ArriveAt::Head, ..TakePlace::default() };
    let mut guest = walker(WalkTo { goals: vec!["door".into()], ..WalkTo::default() });
    guest.name = "guest".into();
    guest.rules[0].during = vec!["leaves".into()];
    guest.rules.push(Rule::new(1.0, queue()).during("queues").during("is_served"));
    guest.states = vec![
        State::new("queues").with_transition("is_served", Condition::Arrived),
        State::new("is_served").with_transition("leaves", Condition::After(service)),
        State::new("leaves"),
    ];
    guest
}

fn till() -> (World<2>, SpeciesId) {
    let mut world = world();
    let environment = world.environment_mut();
    environment.places.add(Places::queue("till", &[Vector([10.0, 10.0]), Vector([14.0, 10.0])], 1.0)).unwrap();
    let goals = vec![Goal::Point(Vector([35.0, 10.0]))];
    environment.navigations.add(Navigation { cell: Some(0.2), ..Navigation::new("door", goals) }).unwrap();
    let guest = world.add_species(guests(2.0)).unwrap();
    for number in 0..7 {
        world.spawn(guest, [12.0 + 2.0 * number as f32, 12.0], [0.0, 0.0]).unwrap();
    }
    (world, guest)
}

#[test]
fn a_queue_serves_one_after_the_other() {
    let (mut world, guest) = till();
    let places = world.environment().places.find("till").unwrap();
    let mut served = Vec::new();
    for tick in 0..1200 {
        world.step();
        let occupants = world.environment().occupants(places).unwrap().to_vec();
        // Places are filled from the head, each agent has one at most, and there are no more than places.
        assert!(occupants.len() <= 5 && occupants.iter().all(Option::is_some));
        assert!((1..occupants.len()).all(|place| !occupants[..place].contains(&occupants[place])));
        let agents = world.agents(guest).unwrap();
        for (row, &agent) in agents.ids().iter().enumerate() {
            if world.state(agent).unwrap() == Some("leaves") && !served.iter().any(|(_, other)| *other == agent) {
                served.push((tick, agent));
            }
            assert!(agents.position(row).is_finite());
        }
    }
    assert_eq!(served.len(), 7);
    // A service takes two seconds, 40 ticks, and the next agent comes to the head after the one before it left.
    assert!(served.windows(2).all(|pair| pair[1].0 - pair[0].0 >= 40), "{served:?}");
    for &agent in world.agents(guest).unwrap().ids() {
        assert!(world.position(agent).unwrap().distance(Vector([35.0, 10.0])) < 1.0);
    }
}

#[test]
fn queues_continue_from_snapshots_and_survive_removals() {
    let (mut world, _) = till();
    (0..90).for_each(|_| world.step());
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut loaded = World::<2>::load(&bytes[..]).unwrap();
    let places = world.environment().places.find("till").unwrap();
    let second = world.environment().occupants(places).unwrap()[1].unwrap();
    for world in [&mut world, &mut loaded] {
        world.despawn(second).unwrap();
        (0..100).for_each(|_| world.step());
        assert!(!world.environment().occupants(places).unwrap().contains(&Some(second)));
    }
    assert_eq!(loaded.state_hash(), world.state_hash());
}

#[test]
fn a_waiting_area_gives_each_agent_a_place_of_its_own() {
    let mut world = world();
    let shape = throng::Shape::Box { centre: Vector([20.0, 10.0]), half: Vector([2.0, 2.0]) };
    let settings = world.settings().clone();
    world.environment_mut().places.add(Places::area("hall", &shape, 1.0, &settings)).unwrap();
    let wait = TakePlace { places: "hall".into(), ..TakePlace::default() };
    let mut guest = Species::new("guest").with(1.0, wait);
    (guest.max_speed, guest.radius, guest.max_force) = (2.0.into(), 0.25.into(), 100.0.into());
    let guest = world.add_species(guest).unwrap();
    for number in 0..25 {
        world.spawn(guest, [2.0 + number as f32, 3.0], [0.0, 0.0]).unwrap();
    }
    (0..800).for_each(|_| world.step());
    let agents = world.agents(guest).unwrap();
    let mut taken: Vec<[i32; 2]> = (0..25).map(|row| agents.position(row).0.map(|at| at.round() as i32)).collect();
    taken.sort_unstable();
    taken.dedup();
    assert_eq!(taken.len(), 25, "{taken:?}");
    assert!((0..25).all(|row| shape.contains(&settings, agents.position(row))));
}
