//! Walkers rest, pass each other and arrive.

use throng::World;

use crate::scene::{deepest_overlap, mean_speed, population, run, world};

/// A species of people with this motion.
fn people(name: &str, count: usize, motion: &str, place: &str, rules: &str) -> String {
    format!(
        "[species.{name}]\ncount = {count}\nradius = 0.25\nmass = 80.0\nmax_speed = 1.3\nmax_force = 1e5\n\
         place = {place}\nbehaviours = [{rules}]\nmotion = {{ {motion} }}\n"
    )
}

fn hall(size: [f32; 2], tick: f64, seed: u64) -> String {
    format!("[world]\ndimensions = 2\nsize = {size:?}\nedge = \"bounce\"\ntick = {tick}\nticks = 1\nseed = {seed}\n")
}

const ORCA: &str = "model = \"orca\"";
const PEDVO: &str = "model = \"pedvo\"";

/// The models of people who walk.
const MODELS: [&str; 4] = [ORCA, PEDVO, "model = \"social_force\"", "model = \"collision_free_speed\""];

/// Ways to send people to the middle of a hall of 40 metres: the rest of the file, and the rule.
const GATHER: [(&str, &str); 6] = [
    ("", "{ rule = \"seek\", target = [20.0, 20.0] }"),
    ("marks.flag = [20.0, 20.0]", "{ rule = \"arrive\", target = \"mark:flag\", slowing_radius = 2.0 }"),
    (
        "marks.flag = [20.0, 20.0]\nnavigation.flag.goals = [\"mark:flag\"]",
        "{ rule = \"walk_to\", goals = [\"flag\"] }",
    ),
    (
        "region = [{ name = \"disc\", centre = [20.0, 20.0], radius = 1.5 }]\nnavigation.disc.goals = [\"region:disc\"]",
        "{ rule = \"walk_to\", goals = [\"disc\"] }",
    ),
    (
        "region = [{ name = \"strip\", centre = [20.0, 20.0], size = [16.0, 3.0] }]\n\
         navigation.strip.goals = [\"region:strip\"]",
        "{ rule = \"walk_to\", goals = [\"strip\"] }",
    ),
    (
        "region = [{ name = \"seats\", centre = [20.0, 20.0], size = [12.0, 12.0] }]\n\
         places.seats = { region = \"seats\", spacing = 1.2 }",
        "{ rule = \"take_place\", places = \"seats\" }",
    ),
];

fn gather(motion: &str, (extra, rule): (&str, &str), count: usize, tick: f64) -> World<2> {
    let people = people("walker", count, motion, "{ region = \"all\", speed = 0.0 }", rule);
    world(&format!("format = 1\n{extra}\n{}{people}", hall([40.0, 40.0], tick, count as u64)))
}

#[test]
fn crowds_come_to_rest_where_they_gather_and_have_arrived() {
    let crowds = [(1, 0.05), (2, 0.02), (2, 0.1), (5, 0.05), (60, 0.05), (200, 0.1)];
    let all = MODELS.iter().flat_map(|model| GATHER.map(|way| (*model, way)));
    for ((model, way), (count, tick)) in all.flat_map(|all| crowds.map(|crowd| (all, crowd))) {
        // Forces of 200 people for two minutes take long, and are stable with shorter ticks.
        if [ORCA, PEDVO].contains(&model) || (count < 200 && tick <= 0.05) {
            let mut world = gather(model, way, count, tick);
            // The places of the waiting area are for 100; the others wait for one.
            let all = count.min(if way.1.contains("take_place") { 100 } else { count });
            let arrived = run(&mut world, 60.0 + 0.5 * count as f64).arrived.len();
            let speed = mean_speed(&mut world, 5.0);
            assert!(speed < 0.01, "{model}: {count} at ticks of {tick} s move at {speed} m/s: {way:?}");
            assert!(arrived >= all, "{model}: {arrived} of {count} arrived: {way:?}");
            // Bodies of half a metre; 0.35 of it yields.
            let yields = if model == PEDVO { 0.175 } else { 0.0 };
            assert!(deepest_overlap(&world) < yields + 1e-4, "{model}");
        }
    }
}

#[test]
fn crowds_that_come_from_one_side_rest_in_a_disc() {
    for motion in [ORCA, PEDVO] {
        let place = "{ region = \"box\", centre = [12.0, 20.0], size = [20.0, 16.0], speed = 0.0 }";
        let rule = "{ rule = \"arrive\", target = [50.0, 20.0], slowing_radius = 2.0 }";
        let people = people("walker", 120, motion, place, rule);
        let mut world: World<2> = world(&format!("format = 1\n{}{people}", hall([80.0, 40.0], 0.05, 1)));
        let arrived = run(&mut world, 120.0).arrived.len();
        let agents = &world.all_agents()[0];
        let offsets: Vec<_> = (0..120).map(|row| agents.position(row) - throng::Vector([50.0, 20.0])).collect();
        let mut far: Vec<f32> = offsets.iter().map(|offset| offset.length()).collect();
        far.sort_by(f32::total_cmp);
        let middle = offsets.iter().fold(throng::Vector([0.0; 2]), |sum, offset| sum + *offset).length() / 120.0;
        // The radius of a disc that bodies of half a metre cover to 78 %.
        let disc = (120.0 * 0.25_f32 * 0.25 / 0.78).sqrt();
        assert!(far[113] < 1.5 * disc && middle < 0.6 * disc, "{motion}: {} and {middle} m of {disc}", far[113]);
        assert_eq!(arrived, 120, "{motion}");
        assert!(mean_speed(&mut world, 5.0) < 0.01, "{motion}");
    }
}

#[test]
fn swarms_in_space_come_to_rest_too() {
    for (count, motion) in [1, 2, 20, 60].into_iter().flat_map(|count| [(count, ORCA), (count, PEDVO)]) {
        let text = format!(
            "format = 1\n[world]\ndimensions = 3\nsize = [20.0, 20.0, 20.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\n\
             [species.drone]\ncount = {count}\nradius = 0.25\nmax_speed = 1.3\nmax_force = 1e5\n\
             place = {{ region = \"all\", speed = 0.0 }}\nmotion = {{ {motion} }}\n\
             behaviours = [{{ rule = \"arrive\", target = [10.0, 10.0, 10.0], slowing_radius = 2.0 }}]\n"
        );
        let mut world: World<3> = world(&text);
        let arrived = run(&mut world, 90.0).arrived.len();
        let speed = mean_speed(&mut world, 5.0);
        assert!(speed < 0.05 && arrived == count, "{motion}: {arrived} of {count}: {speed} m/s");
    }
}

#[test]
fn bodies_that_are_all_core_never_overlap() {
    let motion = "model = \"pedvo\", core = 1.0";
    let group = |name: &str, x: f32, goal: f32| {
        let place = format!("{{ region = \"box\", centre = [{x}, 5.0], size = [8.0, 8.0], speed = 0.0 }}");
        people(name, 25, motion, &place, &format!("{{ rule = \"seek\", target = [{goal}, 5.0] }}"))
    };
    let walls = "walls = [[[15.0, 0.0], [15.0, 4.0], [25.0, 4.0], [25.0, 0.0]], \
                          [[15.0, 10.0], [15.0, 6.0], [25.0, 6.0], [25.0, 10.0]]]";
    let groups = group("east", 6.0, 39.0) + &group("west", 34.0, 1.0);
    let mut world: World<2> = world(&format!("format = 1\n{walls}\n{}{groups}", hall([40.0, 10.0], 0.05, 1)));
    for tick in 0..1200 {
        world.step();
        let deepest = deepest_overlap(&world);
        assert!(deepest < 1e-3, "{deepest} m at tick {tick}");
    }
}

#[test]
fn who_settles_goes_on_when_the_goal_moves() {
    let way = ("marks.flag = [20.0, 20.0]", "{ rule = \"arrive\", target = \"mark:flag\", slowing_radius = 2.0 }");
    let mut world = gather(ORCA, way, 30, 0.05);
    run(&mut world, 60.0);
    world.environment_mut().marks.put(throng::Mark::new("flag", [8.0, 8.0])).unwrap();
    run(&mut world, 40.0);
    let agents = world.all_agents().iter().next().unwrap();
    for row in 0..agents.len() {
        assert!((agents.position(row) - throng::Vector([8.0, 8.0])).length() < 4.0);
    }
    assert!(mean_speed(&mut world, 5.0) < 0.05);
}

/// One person walks round an end of a wall, `side` metres off the middle of a hall.
fn round_a_wall(side: f32, length: f32, radius: f32, rest: &str, tick: f64, thickness: f32) -> f64 {
    let at = |x: f32| 100.0 + side.signum() * x;
    let [y, top] = [10.0, 10.0 + thickness];
    let wall = if thickness > 0.0 {
        format!("[[90.0, {y}], [110.0, {y}], [110.0, {top}], [90.0, {top}], [90.0, {y}]]")
    } else {
        format!("[[90.0, {y}], [110.0, {y}]]")
    };
    let text = format!(
        "format = 1\nwalls = [{wall}]\nregion = [{{ name = \"goal\", centre = [{}, 13.0], radius = 0.5 }}]\n\
         sink = [{{ name = \"goal\", region = \"goal\" }}]\nnavigation.goal = {{ goals = [\"region:goal\"]{rest} }}\n\
         {}[species.walker]\ncount = 1\nradius = {radius}\nmax_speed = 1.3\nmotion = {{ {ORCA} }}\n\
         place = {{ region = \"point\", centre = [{}, 9.0], speed = 0.0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"goal\"] }}]\n",
        at(6.0),
        hall([length, 20.0], tick, 0),
        at(side.abs()),
    );
    let mut world: World<2> = world(&text);
    let removed = run(&mut world, 60.0).removed;
    *removed.first().unwrap_or_else(|| panic!("stands for ever: {text}"))
}

#[test]
fn a_walker_gets_round_both_ends_of_a_wall_in_the_same_time() {
    for (radius, rest) in [(0.2, ""), (0.25, ", clearance = 0.5"), (0.4, ", clearance = 0.5"), (0.25, ", cell = 0.1")] {
        for tick in [0.01, 0.05, 0.1] {
            for thickness in [0.0, 0.1, 0.3] {
                let [left, right] = [-2.0, 2.0].map(|side| round_a_wall(side, 200.0, radius, rest, tick, thickness));
                let ratio = left / right;
                assert!(
                    (0.9..1.1).contains(&ratio),
                    "{left} s and {right} s: {radius} m, {rest}, {tick} s, {thickness} m"
                );
                assert!(left < 14.0, "{left} s");
            }
        }
    }
}

/// A corridor in which two groups meet; the seconds until the last is out.
fn meet(motion: &str, count: usize, width: f32, tick: f64, seed: u64) -> Option<f64> {
    let [low, high] = [5.0 - 0.5 * width, 5.0 + 0.5 * width];
    let group = |name: &str, x: f32, goal: &str| {
        let place = if count == 1 && seed == 0 {
            format!("{{ region = \"point\", centre = [{x}, 5.0], speed = 0.0 }}")
        } else {
            let size = [0.8 * count as f32, width - 0.5];
            format!("{{ region = \"box\", centre = [{x}, 5.0], size = {size:?}, speed = 0.0 }}")
        };
        people(name, count, motion, &place, &format!("{{ rule = \"walk_to\", goals = [\"{goal}\"] }}"))
    };
    let text = format!(
        "format = 1\nwalls = [[[0.5, {low}], [19.5, {low}]], [[0.5, {high}], [19.5, {high}]]]\n\
         region = [{{ name = \"west\", centre = [1.0, 5.0], size = [1.0, {width}] }}, \
                   {{ name = \"east\", centre = [19.0, 5.0], size = [1.0, {width}] }}]\n\
         sink = [{{ name = \"west\", region = \"west\", species = [\"b\"] }}, \
                 {{ name = \"east\", region = \"east\", species = [\"a\"] }}]\n\
         navigation.west.goals = [\"region:west\"]\nnavigation.east.goals = [\"region:east\"]\n{}{}{}",
        hall([20.0, 10.0], tick, seed),
        group("a", 4.5, "east"),
        group("b", 15.5, "west"),
    );
    let mut world: World<2> = world(&text);
    let removed = run(&mut world, 150.0).removed;
    (removed.len() == 2 * count).then(|| removed[2 * count - 1])
}

#[test]
fn two_and_five_against_five_pass_in_corridors_down_to_two_bodies() {
    for width in [1.1, 1.3, 2.0, 4.0] {
        for (count, motion) in [(1, ORCA), (5, ORCA), (1, PEDVO), (5, PEDVO)] {
            for seed in 0..3 {
                let out = meet(motion, count, width, 0.05, seed);
                let most = if count == 1 { 20.0 } else { 90.0 };
                assert!(out.is_some_and(|out| out < most), "{motion}: {count} in {width} m, seed {seed}: {out:?}");
            }
        }
    }
}

#[test]
fn people_who_stand_are_gone_round() {
    for y in [4.7, 5.0, 5.2] {
        for row in [1, 3] {
            let standing: String = (0..row)
                .map(|number| {
                    let place =
                        format!("{{ region = \"point\", centre = [10.0, {}], speed = 0.0 }}", y + 0.7 * number as f32);
                    people(&format!("s{number}"), 1, ORCA, &place, "")
                })
                .collect();
            let walker = people(
                "walker",
                1,
                ORCA,
                "{ region = \"point\", centre = [3.0, 5.0], speed = 0.0 }",
                "{ rule = \"arrive\", target = [17.0, 5.0], slowing_radius = 1.0 }",
            );
            let mut world: World<2> = world(&format!("format = 1\n{}{walker}{standing}", hall([20.0, 10.0], 0.05, 3)));
            let story = run(&mut world, 20.0);
            assert_eq!(story.arrived.len(), 1, "{row} at {y}");
        }
    }
}

#[test]
fn the_flow_through_a_door_does_not_depend_on_the_tick() {
    let last_out = |motion: &str, tick: f64, seed: u64| {
        let walker = people(
            "walker",
            0,
            motion,
            "{ region = \"all\", speed = 0.0 }",
            "{ rule = \"walk_to\", goals = [\"out\"] }",
        );
        let text = format!(
            "format = 1\nwalls = [[[10.0, 0.0], [10.0, 4.4]], [[10.0, 5.6], [10.0, 10.0]]]\n\
             region = [{{ name = \"out\", centre = [18.0, 5.0], radius = 1.0 }}, \
                       {{ name = \"room\", centre = [5.0, 5.0], size = [9.0, 9.0] }}]\n\
             source = [{{ name = \"room\", species = \"walker\", region = \"room\", number = 80, speed = 0.0 }}]\n\
             sink = [{{ name = \"out\", region = \"out\" }}]\nnavigation.out.goals = [\"region:out\"]\n{}{walker}",
            hall([20.0, 10.0], tick, seed)
        );
        let mut world: World<2> = world(&text);
        let removed = run(&mut world, 200.0).removed;
        assert_eq!((removed.len(), population(&world)), (80, 0), "tick {tick}, seed {seed}");
        removed[79]
    };
    let mean = |motion: &str, tick: f64| (1..=8).map(|seed| last_out(motion, tick, seed)).sum::<f64>() / 8.0;
    for motion in [ORCA, PEDVO] {
        let [fine, coarse] = [0.02, 0.05].map(|tick| mean(motion, tick));
        assert!((0.88..1.12).contains(&(coarse / fine)), "{motion}: {coarse} s at 0.05 s, {fine} s at 0.02 s");
    }
}

#[test]
fn a_bystander_who_was_brushed_stands_again() {
    let rules = [("", false), ("{ rule = \"stand\" }", false), ("{ rule = \"stand\", returns = true }", true)];
    for (motion, (rules, back)) in MODELS.iter().flat_map(|model| rules.map(|rule| (*model, rule))) {
        for tick in [0.02, 0.05] {
            let walker = people(
                "walker",
                1,
                motion,
                "{ region = \"point\", centre = [5.0, 10.0], heading = 0.0, speed = 1.3 }",
                "{ rule = \"seek\", target = [55.0, 10.0] }",
            );
            let bystander =
                people("bystander", 1, motion, "{ region = \"point\", centre = [20.0, 10.1], speed = 0.0 }", rules);
            let mut world: World<2> = world(&format!("format = 1\n{}{walker}{bystander}", hall([60.0, 20.0], tick, 0)));
            let mut moved = 0.0;
            for _ in 0..(30.0 / tick) as u64 {
                world.step();
                let off = (world.all_agents()[1].position(0) - throng::Vector([20.0, 10.1])).length();
                moved = if off > moved { off } else { moved };
            }
            let bystander = &world.all_agents()[1];
            let off = (bystander.position(0) - throng::Vector([20.0, 10.1])).length();
            assert!(bystander.velocity(0).length() < 1e-3, "{motion}, {rules}: {:?}", bystander.velocity(0));
            // The collision-free speed of an agent that wants to stand is zero.
            let steps_aside = !motion.contains("collision_free_speed");
            assert!(moved < 1.5 && (moved > 0.0 || !steps_aside), "{motion}, {rules}: {moved} m");
            assert!(!back || off < 0.05, "{motion}, {rules}: {off} m off");
        }
    }
}

#[test]
fn stuck_are_those_who_want_to_go_and_cannot() {
    use throng::measures::Stuck;
    // Two walk to a goal behind a door that is too narrow for one; three have gathered and rest.
    let walker = people(
        "wide",
        1,
        ORCA,
        "{ region = \"point\", centre = [5.0, 5.0], speed = 0.0 }",
        "{ rule = \"walk_to\", goals = [\"out\"] }",
    )
    .replace("radius = 0.25", "radius = 0.6");
    let resting = people(
        "resting",
        3,
        ORCA,
        "{ region = \"box\", centre = [3.0, 8.0], size = [3.0, 2.0], speed = 0.0 }",
        "{ rule = \"seek\", target = [3.0, 8.0] }",
    );
    let text = format!(
        "format = 1\nwalls = [[[10.0, 0.0], [10.0, 4.6]], [[10.0, 5.4], [10.0, 10.0]]]\n\
         region = [{{ name = \"out\", centre = [18.0, 5.0], radius = 1.0 }}]\n\
         navigation.out.goals = [\"region:out\"]\n{}{walker}{resting}",
        hall([20.0, 10.0], 0.05, 2)
    );
    let mut world: World<2> = world(&text);
    let mut stuck = Stuck::default();
    stuck.observe(&world);
    for _ in 0..800 {
        world.step();
        stuck.observe(&world);
    }
    let counts: Vec<u64> = world.species_ids().map(|species| stuck.count(Some(species))).collect();
    assert_eq!(counts, [1, 0]);
}

/// The seeds of the crowds that do not come to rest around a mark, their mean speeds, and the numbers of stuck agents.
fn at_the_mark(motion: &str, count: usize, seeds: std::ops::Range<u64>) -> Vec<(u64, f64, u64)> {
    let text = |seed| {
        format!(
            "format = 1\nmarks.flag = [20.0, 20.0]\nnavigation.m.goals = [\"mark:flag\"]\n{}[species.walker]\n\
             count = {count}\npeople = true\nplace = {{ region = \"all\", speed = 0.0 }}\nmotion = {{ {motion} }}\n\
             behaviours = [{{ rule = \"walk_to\", goals = [\"m\"] }}]\n",
            hall([40.0, 40.0], 0.05, seed)
        )
    };
    let one = |seed| {
        let mut world: World<2> = world(&text(seed));
        run(&mut world, 110.0);
        let mut stuck = throng::measures::Stuck::default();
        for _ in 0..100 {
            world.step();
            stuck.observe(&world);
        }
        (seed, mean_speed(&mut world, 5.0), stuck.count(None))
    };
    seeds.map(one).filter(|(_, speed, stuck)| *speed >= 0.01 || *stuck > 0).collect()
}

#[test]
fn crowds_come_to_rest_around_a_mark_that_no_body_touches() {
    for (motion, count) in [(ORCA, 60), (MODELS[2], 60)] {
        assert_eq!(at_the_mark(motion, count, 0..1), [], "{motion}: {count}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn crowds_of_all_seeds_come_to_rest_around_a_mark() {
    for motion in MODELS {
        for count in [3, 4, 6, 30, 60, 100] {
            assert_eq!(at_the_mark(motion, count, 0..8), [], "{motion}: {count}");
        }
    }
}
