//! Tests of navigations: agents reach goals around walls, fields follow doors at ticks that depend only on the state,
//! and goals out of reach are reported before the run.

use throng::behaviours::FollowFlowField;
use throng::{Edge, Goal, Navigation, Obstacle, Region, Settings, Shape, Species, Vector, Wall, WallShape, World};

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn region(name: &str, centre: [f32; 2], half: [f32; 2]) -> Region<2> {
    Region { name: name.to_owned(), shape: Shape::Box { centre: Vector(centre), half: Vector(half) } }
}

/// Two rooms side by side, 20 m x 20 m each, and a wall between them with doors at both ends. The goal is in the middle
/// of the right room. The upper door closes after two seconds.
fn rooms() -> World<2> {
    let settings =
        Settings { size: Vector([40.0, 20.0]), edge: [Edge::Bounce; 2], tick_seconds: 0.05, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let environment = world.environment_mut();
    environment.regions.add(region("exit", [35.0, 10.0], [1.0, 1.0])).unwrap();
    environment.walls.add(Wall::segment([20.0, 2.0], [20.0, 18.0])).unwrap();
    let door = Wall { open: vec![[0.0, 2.0]], ..Wall::segment([20.0, 18.0], [20.0, 21.0]) };
    environment.walls.add(door).unwrap();
    let navigation = Navigation { cell: Some(0.1), ..Navigation::new("exit", vec![Goal::Region("exit".into())]) };
    environment.navigations.add(navigation).unwrap();
    let follow = FollowFlowField { field: "exit".into(), ..FollowFlowField::default() };
    let mut walker = Species::new("walker").with(1.0, follow);
    (walker.max_speed, walker.radius) = (1.4.into(), 0.25.into());
    let walker = world.add_species(walker).unwrap();
    for number in 0..40 {
        world.spawn(walker, [2.0 + (number % 8) as f32, 2.0 + 0.4 * number as f32], [0.0, 0.0]).unwrap();
    }
    world
}

fn distance(world: &World<2>, from: [f32; 2]) -> f32 {
    let environment = world.environment();
    environment.navigation_field(environment.navigations.find("exit").unwrap()).unwrap().distance(from)
}

#[test]
fn agents_walk_around_walls_to_their_goal() {
    let mut world = rooms();
    let walker = world.find_species("walker").unwrap();
    for _ in 0..1000 {
        world.step();
    }
    let agents = world.agents(walker).unwrap();
    for row in 0..agents.len() {
        let offset = agents.position(row) - Vector([35.0, 10.0]);
        assert!(offset.length() < 4.0, "{:?}", agents.position(row));
    }
}

#[test]
fn a_door_that_closes_changes_the_ways_at_a_tick_that_follows_from_the_state() {
    // From the upper end of the left room through the upper door, and through the lower one.
    let (upper, lower) = (20.0, 30.0);
    let mut taken = Vec::new();
    for threads in [1, 2, 3] {
        let mut world = rooms();
        let first = pool(threads).install(|| {
            (0..200).find(|_| {
                world.step();
                let left = distance(&world, [19.0, 17.9]);
                assert!(if left < upper { left > 16.0 } else { left > lower && left < 40.0 }, "{left}");
                left > upper
            })
        });
        taken.push((first, world.state_hash()));
    }
    // The door closes at tick 40; 80 000 cells take 5 ticks.
    assert_eq!(taken[0].0, Some(45), "{taken:?}");
    assert!(taken.iter().all(|one| *one == taken[0]), "{taken:?}");
}

#[test]
fn snapshots_in_the_middle_of_a_change_continue_with_the_same_bits() {
    let mut world = rooms();
    for _ in 0..43 {
        world.step();
    }
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut loaded = World::<2>::load(&bytes[..]).unwrap();
    let mut clone = world.clone();
    for tick in 0..100 {
        for world in [&mut world, &mut loaded, &mut clone] {
            world.step();
        }
        assert_eq!(loaded.state_hash(), world.state_hash(), "{tick} ticks after the snapshot");
        assert_eq!(clone.state_hash(), world.state_hash(), "{tick} ticks after the clone");
    }
    assert!(distance(&loaded, [19.0, 17.9]) > 30.0);
}

/// The metres that are left from the upper end of the left room after each tick, while a box moves through the upper door:
/// a wall that moves or that the host moves and turns, or a disc.
fn past_a_mover(kind: &str, carve: bool) -> Vec<f32> {
    let mut world = rooms();
    let environment = world.environment_mut();
    let door = environment.walls.iter().find(|(_, wall)| !wall.open.is_empty()).map(|(id, _)| id).unwrap();
    environment.walls.edit(door, |door| door.open = vec![[0.0, 1e6]]).unwrap();
    let (centre, velocity) = (Vector([14.0, 18.5]), Vector([1.0, 0.0]));
    let body = Wall { carve, ..Wall::new(WallShape::Box { centre, half: Vector([0.5, 1.4]) }) };
    let mut driven = None;
    match kind {
        "driven" => driven = Some(environment.walls.add(body).unwrap()),
        "wall" => _ = environment.walls.add(Wall { velocity, ..body }).unwrap(),
        _ => _ = environment.obstacles.add(Obstacle { velocity, carve, ..Obstacle::new(centre, 1.4) }).unwrap(),
    }
    let mut left = Vec::new();
    let mut loaded: Option<World<2>> = None;
    for tick in 0..240 {
        if let Some(car) = driven.filter(|_| tick > 0) {
            assert!(world.move_wall(car, centre + velocity * (0.05 * tick as f32), 0.02).unwrap());
        }
        world.step();
        if let Some(loaded) = loaded.as_mut().filter(|_| driven.is_none()) {
            loaded.step();
            assert_eq!(loaded.state_hash(), world.state_hash(), "{kind}, {tick}");
        }
        if tick == 100 {
            let mut bytes = Vec::new();
            world.save(&mut bytes).unwrap();
            loaded = Some(World::load(&bytes[..]).unwrap());
        }
        left.push(distance(&world, [12.0, 19.5]));
    }
    left
}

#[test]
fn ways_lead_round_what_carves_while_it_moves() {
    for kind in ["driven", "wall", "disc"] {
        let [without, with] = [false, true].map(|carve| past_a_mover(kind, carve));
        assert!(without[10..].iter().all(|&left| (left - without[10]).abs() < 0.01), "{kind}: {without:?}");
        // It is in the door at 6 s, when the way leads through the other one, and far from it at 12 s.
        assert!(with[120] > without[120] + 5.0, "{kind}: {} and {}", with[120], without[120]);
        assert!(with[239] < without[239] + 1.0, "{kind}: {} and {}", with[239], without[239]);
    }
}

#[test]
fn the_hash_covers_the_ways() {
    let mut worlds = [rooms(), rooms()];
    let [one, other] = &mut worlds;
    assert_eq!(one.state_hash(), other.state_hash());
    let id = other.environment().navigations.find("exit").unwrap();
    let wider = Navigation { clearance: 0.3, ..other.environment().navigations.get(id).unwrap().clone() };
    other.environment_mut().navigations.set(id, wider).unwrap();
    assert_ne!(one.state_hash(), other.state_hash());
}

#[test]
fn navigations_out_of_range_are_refused() {
    let goals = || vec![Goal::Point(Vector([1.0, 2.0]))];
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let good = Navigation::new("way", goals());
    let environment = world.environment_mut();
    assert!(environment.navigations.add(Navigation { clearance: -1.0, ..good.clone() }).is_err());
    assert!(environment.navigations.add(Navigation { cell: Some(0.0), ..good.clone() }).is_err());
    assert!(environment.navigations.add(Navigation { capacity: Some(0.0), ..good.clone() }).is_err());
    assert!(
        environment.navigations.add(Navigation { goals: vec![Goal::Point(Vector([f32::NAN, 0.0]))], ..good }).is_err()
    );
    let mut world = World::<3>::new(Settings::default()).unwrap();
    let point = Goal::Point(Vector([1.0, 2.0, 3.0]));
    assert!(world.environment_mut().navigations.add(Navigation::new("way", vec![point])).is_err());
}

mod files {
    use throng_scenario::Scenario;

    const ROOMS: &str = r#"format = 1
walls = [[[20.0, 0.0], [20.0, 20.0]]]
[world]
dimensions = 2
size = [40.0, 20.0]
edge = "bounce"
[[region]]
name = "exit"
centre = [35.0, 10.0]
size = [2.0, 2.0]
[navigation.out]
goals = ["region:exit"]
[species.walker]
count = 10
place = { region = "box", centre = [10.0, 10.0], size = [10.0, 10.0] }
behaviours = [{ rule = "follow_flow_field", field = "out" }]
"#;

    fn problems(text: &str) -> String {
        Scenario::parse(text, "rooms.toml").map_or_else(|problems| problems.to_string(), |_| String::new())
    }

    #[test]
    fn a_goal_out_of_reach_is_reported_with_its_place() {
        let said = problems(ROOMS);
        assert!(said.contains("rooms.toml:12:") && said.contains("navigation.out.goals"), "{said}");
        assert!(said.contains("no way leads there from [") && said.contains("where a walker starts"), "{said}");
        // A door counts as open.
        let with_door = ROOMS
            .replace("walls = [[[20.0, 0.0], [20.0, 20.0]]]\n", "walls = [[[20.0, 0.0], [20.0, 18.0]]]\n")
            + "[[wall]]\nline = [[20.0, 18.0], [20.0, 20.0]]\nopen = [[60.0, 90.0]]\n";
        assert_eq!(problems(&with_door), "");
        // No agent walks there.
        assert_eq!(problems(&ROOMS.replace("{ rule = \"follow_flow_field\", field = \"out\" }", "")), "");
    }

    #[test]
    fn faults_of_a_navigation_are_reported() {
        let fine = problems(&ROOMS.replace("goals =", "cell = 0.001\ngoals ="));
        assert!(fine.contains("navigation.out.cell = 0.001: must be a number in [0.0097"), "{fine}");
        let unknown = problems(&ROOMS.replace("region:exit", "region:exot"));
        assert!(unknown.contains("navigation.out.goals") && unknown.contains("exit"), "{unknown}");
        let word = problems(&ROOMS.replace("\"region:exit\"", "\"exit\""));
        assert!(word.contains("region:exit"), "{word}");
        let field = problems(&(ROOMS.to_owned() + "[fields.out]\ncells = [1, 1]\nvectors = [[1.0, 0.0]]\n"));
        assert!(field.contains("must be a name that no flow field has"), "{field}");
    }
}
