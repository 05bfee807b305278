//! Lifts in scenario files: people ride between storeys, and mistakes with their places.

use throng::World;
use throng_scenario::Scenario;

/// Three storeys that a lift and, if asked for, stairs join; people walk from the highest to an exit on the lowest.
fn tower(count: usize, lift: &str, others: &str) -> String {
    format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [20, 16]\ntick = 0.05\nseed = 3\n\
         [[storey]]\nname = \"ground\"\n[[storey]]\nname = \"first\"\nelevation = 3.5\n\
         [[storey]]\nname = \"second\"\nelevation = 7\n\
         [[lift]]\nname = \"main\"\nstoreys = [\"ground\", \"first\", \"second\"]\ncentre = [4, 4]\nsize = [2, 2]\n\
         door = [1, 0]\ndoor_width = 1.2\n{lift}\n\
         [[region]]\nname = \"exit\"\ncentre = [18, 8]\nsize = [2, 4]\n\
         [[sink]]\nname = \"exit\"\nregion = \"exit\"\n[navigation.out]\ngoals = [\"region:exit\"]\n\
         [species.person]\ncount = {count}\npeople = true\nplace = {{ storey = \"second\", speed = 0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n{others}"
    )
}

fn read(text: &str) -> Scenario {
    Scenario::parse(text, "s.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

/// The numbers of people on each storey and on stairs.
fn where_they_are(scenario: &Scenario, world: &World<2>) -> [usize; 4] {
    let storeys = scenario.storeys().unwrap();
    let mut counts = [0; 4];
    for at in world.all_agents().iter().flat_map(|agents| (0..agents.len()).map(|row| agents.position(row))) {
        let place = storeys.locate(at).unwrap_or_else(|| panic!("{at:?} is in no storey"));
        counts[storeys.names().position(|name| name == place.name).unwrap_or(3)] += 1;
    }
    counts
}

#[test]
fn all_ride_down_in_cars_that_are_not_overfull() {
    let scenario = read(&tower(20, "capacity = 8", ""));
    let mut world = scenario.build::<2>().unwrap();
    let lift = world.environment().lifts.find("main").unwrap();
    let (mut arrivals, mut before) = (Vec::new(), 20);
    while world.population() > 0 && world.tick() < 6000 {
        world.step();
        let [_, first, second, _] = where_they_are(&scenario, &world);
        assert_eq!(first, 0, "the car does not stop where it need not");
        if second < before {
            assert_eq!(world.environment().lift_car(lift), Some((0, false)));
            arrivals.push(before - second);
            before = second;
        }
    }
    assert_eq!((world.population(), &arrivals[..]), (0, &[8, 8, 4][..]), "tick {}", world.tick());
}

/// A lift with room for one and no doors: 7 m at 0.5 m/s take 14 s each way.
#[test]
fn people_take_a_ladder_one_by_one() {
    let ladder = "capacity = 1\nspeed = 0.5\nacceleration = 100\ndoor_seconds = 0\nopen_seconds = 0";
    let scenario =
        read(&tower(3, ladder, "").replace("size = [2, 2]\ndoor", "size = [0.8, 0.8]\ndoor").replace("1.2", "0.8"));
    let mut world = scenario.build::<2>().unwrap();
    let (mut arrivals, mut before) = (Vec::new(), 3);
    while world.population() > 0 && world.tick() < 6000 {
        world.step();
        let [_, _, above, _] = where_they_are(&scenario, &world);
        if above < before {
            arrivals.push(world.seconds());
        }
        before = above;
    }
    let apart = |pair: &[f64]| pair[1] - pair[0];
    assert!(world.population() == 0 && arrivals.len() == 3, "{arrivals:?}");
    assert!(arrivals.windows(2).all(|pair| (28.0..36.0).contains(&apart(pair))), "{arrivals:?}");
}

/// Stairs beside the lift, from the highest storey to the lowest.
const STAIRS: &str = "[[stair]]\nname = \"low\"\nstoreys = [\"ground\", \"first\"]\nfoot = [[12, 2], [14, 2]]\nrun = [0, 5]\n\
                      [[stair]]\nname = \"high\"\nstoreys = [\"first\", \"second\"]\nfoot = [[16, 2], [18, 2]]\nrun = [0, 5]\n";

#[test]
fn people_take_the_lift_where_its_wait_is_shorter_than_the_stairs() {
    let on_stairs = |wait: f32| {
        let scenario = read(&tower(24, &format!("capacity = 8\nwait = {wait}"), STAIRS));
        let mut world = scenario.build::<2>().unwrap();
        let mut most = 0;
        while world.population() > 0 && world.tick() < 8000 {
            world.step();
            let [_, first, _, stairs] = where_they_are(&scenario, &world);
            most = most.max(first + stairs);
        }
        assert_eq!(world.population(), 0, "wait of {wait} s");
        most
    };
    let [short, long] = [0.0, 600.0].map(on_stairs);
    assert!(short < 16 && long > 20, "at most {short} and {long} of 24 on the stairs at a time");
}

#[test]
fn passengers_with_two_goals_leave_where_theirs_is() {
    let desk = "[[region]]\nname = \"desk\"\ncentre = [15, 12]\nsize = [3, 3]\nstorey = \"first\"\n\
                [[sink]]\nname = \"desk\"\nregion = \"desk\"\n[navigation.desk]\ngoals = [\"region:desk\"]\n\
                [species.clerk]\ncount = 6\npeople = true\nplace = { storey = \"second\", speed = 0 }\n\
                behaviours = [{ rule = \"walk_to\", goals = [\"out\", \"desk\"] }]\n\
                [species.guest]\ncount = 6\npeople = true\nplace = { storey = \"first\", speed = 0 }\n\
                behaviours = [{ rule = \"walk_to\", goals = [\"out\", \"desk\"], order = \"goal\" }]\n";
    let scenario = read(&tower(6, "capacity = 4", desk));
    let mut world = scenario.build::<2>().unwrap();
    let guest = world.find_species("guest").unwrap();
    world.add_column(guest, "goal", 1_u32).unwrap();
    while world.population() > 0 && world.tick() < 12_000 {
        world.step();
    }
    let removed: Vec<_> = world.removed().collect();
    assert_eq!((world.population(), &removed[..]), (0, &[("sink:desk", 6), ("sink:exit", 12)][..]));
}

#[test]
fn a_world_with_lifts_continues_with_equal_bits_after_a_restore() {
    let scenario = read(&tower(20, "capacity = 8", ""));
    let mut world = scenario.build::<2>().unwrap();
    let mut others = Vec::new();
    for tick in 0..1500 {
        world.step();
        if [1, 290, 400, 480, 600, 700].contains(&tick) {
            let mut bytes = Vec::new();
            world.save(&mut bytes).unwrap();
            others.push(World::<2>::load(&bytes[..]).unwrap());
        }
    }
    for mut other in others {
        let from = other.tick();
        while other.tick() < world.tick() {
            other.step();
        }
        assert_eq!(other.state_hash(), world.state_hash(), "restored at tick {from}");
    }
}

#[test]
fn mistakes_of_lifts_have_places() {
    let problems = |lift: &str, from: &str, to: &str| {
        let text = tower(4, lift, STAIRS).replace(from, to);
        Scenario::parse(&text, "s.toml").unwrap_err().to_string()
    };
    let cases = [
        ("centre = [4, 4]", "centre = [0.5, 4]", "must lie in the plan of the building"),
        ("centre = [4, 4]", "centre = [13, 5]", "must be beside the stair or lift `low`"),
        ("centre = [4, 4]", "centre = [10.5, 5]", "must be beside the stair or lift `low`"),
        ("door = [1, 0]", "door = [1, 1]", "must be a direction along an axis"),
        ("door_width = 1.2", "door_width = 2.5", "not wider than the car"),
        ("\"first\", \"second\"]\ncentre", "\"third\"]\ncentre", "third"),
        ("\"first\", \"second\"]\ncentre", "\"ground\"]\ncentre", "two storeys or more at different elevations"),
        ("name = \"main\"", "name = \"low\"", "storey, stair or lift"),
    ];
    for (from, to, expected) in cases {
        let found = problems("", from, to);
        assert!(found.contains(expected) && found.starts_with("s.toml:"), "{to}: {found}");
    }
    assert!(problems("capacity = 0", "", "").contains("capacity"));
}
