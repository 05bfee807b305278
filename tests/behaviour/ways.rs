//! Agents get out of buildings, and go straight.

use throng::{Vector, WarningKind, World};

use crate::scene::{population, run, world};

/// Six rooms on both sides of a corridor with an exit at each end, and people in all rooms.
fn building(motion: &str, door: f32, seed: u64) -> World<2> {
    let mut walls = String::from(
        "[[0.0, 6.0], [0.0, 0.0], [24.0, 0.0], [24.0, 6.0]], [[0.0, 8.4], [0.0, 14.4], [24.0, 14.4], [24.0, 8.4]]",
    );
    for room in 0..3 {
        let (from, to) = (8.0 * room as f32, 8.0 * (room + 1) as f32);
        let (before, after) = (from + 4.0 - 0.5 * door, from + 4.0 + 0.5 * door);
        for (y, back) in [(6.0, 0.0), (8.4, 14.4)] {
            walls += &format!(
                ", [[{from}, {y}], [{before}, {y}]], [[{after}, {y}], [{to}, {y}]], [[{to}, {y}], [{to}, {back}]]"
            );
        }
    }
    world(&format!(
        "format = 1\nwalls = [{walls}]\n\
         region = [{{ name = \"west\", centre = [1.0, 7.2], size = [1.0, 2.4] }}, \
                   {{ name = \"east\", centre = [23.0, 7.2], size = [1.0, 2.4] }}]\n\
         sink = [{{ name = \"west\", region = \"west\" }}, {{ name = \"east\", region = \"east\" }}]\n\
         navigation.out.goals = [\"region:west\", \"region:east\"]\n\
         [world]\ndimensions = 2\nsize = [24.0, 14.4]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\nseed = {seed}\n\
         [species.walker]\ncount = 60\nmotion = {{ {motion} }}\nplace = {{ region = \"all\", speed = 0.0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n"
    ))
}

#[test]
fn a_building_empties_with_every_seed() {
    for (motion, door, seeds) in [
        ("model = \"orca\"", 0.9, 6),
        ("model = \"orca\"", 1.2, 6),
        ("model = \"pedvo\"", 0.9, 6),
        ("model = \"pedvo\"", 1.2, 6),
        ("model = \"social_force\"", 1.2, 2),
        ("model = \"collision_free_speed\"", 1.2, 2),
    ] {
        for seed in 0..seeds {
            let mut world = building(motion, door, seed);
            run(&mut world, 240.0);
            assert_eq!(population(&world), 0, "{motion}, doors of {door} m, seed {seed}");
        }
    }
}

/// The length of the path of an agent over the distance that it gained towards a far target; `None` if the world warns
/// that its rules overshoot.
fn excess(species: &str, rule: &str, tick: f32) -> Option<f32> {
    let text = format!(
        "format = 1\nregion = [{{ name = \"far\", centre = [980.0, 50.0], radius = 5.0 }}]\n\
         navigation.far.goals = [\"region:far\"]\n\
         [world]\ndimensions = 2\nsize = [1000.0, 100.0]\nedge = \"bounce\"\ntick = {tick}\nticks = 1\n\
         [species.a]\ncount = 1\nradius = 0.3\nmax_speed = 2.0\n{species}\n\
         place = {{ region = \"point\", centre = [10.0, 50.0], heading = 20.0, speed = 1.0 }}\nbehaviours = [{rule}]\n"
    );
    let mut world: World<2> = world(&text);
    if world.warnings().iter().any(|warning| warning.kind == WarningKind::Overshoot) {
        return None;
    }
    let at = |world: &World<2>| world.all_agents().iter().next().unwrap().position(0);
    let (start, mut last, mut way) = (at(&world), at(&world), 0.0);
    for _ in 0..(60.0 / tick) as u32 {
        world.step();
        way += (at(&world) - last).length();
        last = at(&world);
    }
    let target = Vector([980.0, 50.0]);
    Some(way / ((target - start).length() - (target - last).length()))
}

#[test]
fn a_lone_agent_goes_straight_unless_the_world_warns() {
    let rules = [
        "rule = \"seek\", target = [980.0, 50.0]",
        "rule = \"arrive\", target = [980.0, 50.0]",
        "rule = \"walk_to\", goals = [\"far\"]",
        "rule = \"follow_path\", points = [[300.0, 50.0], [980.0, 50.0]]",
    ];
    let species = [
        "response = 0.2",
        "response = 0.5\nmass = 3.0",
        "response = 0.05",
        "response = 0.2\nmotion = { model = \"kinematic\" }",
        "response = 0.2\nmotion = { model = \"orca\" }",
        "mass = 80.0\nmotion = { model = \"social_force\" }",
        "motion = { model = \"collision_free_speed\" }",
    ];
    let mut judged = 0;
    for rule in rules {
        for species in species {
            for weight in [0.5, 1.0, 4.0] {
                for tick in [0.02, 0.1, 0.5] {
                    let rule = format!("{{ {rule}, weight = {weight} }}");
                    let Some(excess) = excess(species, &rule, tick) else { continue };
                    assert!(excess < 1.02, "{excess}: {species}, {rule}, tick {tick} s");
                    judged += 1;
                }
            }
        }
    }
    assert!(judged > 130, "{judged}");
}

/// A hall with a door of 0.8 m in a wall as thick as this, and sixty people with all defaults but these keys.
fn door(thick: f32, keys: &str, seed: u64) -> World<2> {
    world(&format!(
        "format = 1\nwall = [{{ centre = [10.0, 2.3], size = [{thick}, 4.6] }}, \
                   {{ centre = [10.0, 7.7], size = [{thick}, 4.6] }}]\n\
         region = [{{ name = \"out\", centre = [18.0, 5.0], radius = 1.0 }}]\n\
         sink = [{{ name = \"out\", region = \"out\" }}]\nnavigation.out.goals = [\"region:out\"]\n\
         [world]\ndimensions = 2\nsize = [20.0, 10.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\nseed = {seed}\n\
         [species.walker]\ncount = 60\npeople = true\n{keys}\n\
         place = {{ region = \"box\", centre = [5.0, 5.0], size = [9.0, 9.0], speed = 0.0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n"
    ))
}

#[test]
fn people_with_defaults_never_jam_at_a_door() {
    for (thick, seed) in [(0.1, 2), (0.1, 5), (0.001, 1), (1.0, 3)] {
        let mut world = door(thick, "", seed);
        run(&mut world, 120.0);
        assert_eq!(population(&world), 0, "a wall of {thick} m, seed {seed}");
    }
}

/// Walls of all thicknesses, twenty seeds each.
#[test]
#[ignore = "long"]
fn nobody_jams_at_a_door_of_any_thickness() {
    let mut left = Vec::new();
    for (thick, keys) in
        [(0.001, ""), (0.1, ""), (0.2, ""), (0.5, ""), (1.0, ""), (0.1, "motion = { model = \"orca\" }")]
    {
        for seed in 0..20 {
            let mut world = door(thick, keys, seed);
            run(&mut world, 150.0);
            if population(&world) > 0 {
                left.push((thick, keys, seed, population(&world)));
            }
        }
    }
    assert!(left.is_empty(), "{left:?}");
}

/// The faults of a file in which the only way out of a room is a gap of this width, in a wall 0.1 m thick.
fn faults(gap: f32, start: [f32; 2]) -> String {
    let (low, high) = (3.0 - 0.5 * gap, 3.0 + 0.5 * gap);
    let text = format!(
        "format = 1\nwalls = [[[0.0, 0.0], [5.0, 0.0], [5.0, {low}], [5.1, {low}], [5.1, 2.0], [8.0, 2.0], [8.0, 6.0], \
         [5.1, 6.0], [5.1, {high}], [5.0, {high}], [5.0, 8.0], [0.0, 8.0], [0.0, 0.0]]]\n\
         region = [{{ name = \"out\", centre = [1.0, 1.0], radius = 0.3 }}]\n\
         navigation = {{ out = {{ goals = [\"region:out\"], cell = 0.05 }} }}\n\
         [world]\ndimensions = 2\nsize = [10.0, 8.0]\nedge = \"bounce\"\n\
         [species.walker]\ncount = 1\npeople = true\n\
         place = {{ region = \"point\", centre = {start:?}, speed = 0.0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n"
    );
    throng_scenario::Scenario::parse(&text, "room.toml").map_or_else(|problems| problems.to_string(), |_| String::new())
}

#[test]
fn a_gap_that_is_too_narrow_is_no_way_from_anywhere() {
    // In the middle, by each wall, in a corner and before the gap.
    for start in [[6.5, 3.0], [6.5, 2.26], [6.5, 5.74], [7.74, 4.0], [7.74, 5.74], [5.36, 5.0], [5.37, 3.0]] {
        let said = faults(0.3, start);
        assert!(said.contains("navigation.out.goals") && said.contains("no way leads there"), "{start:?}: {said}");
        assert_eq!(faults(0.7, start), "", "{start:?}");
    }
}

#[test]
fn obstacles_and_speeds_without_effect_are_named() {
    let warned = |keys: &str, rule: &str| {
        let text = format!(
            "format = 1\nobstacle = [{{ centre = [20.0, 10.0], radius = 2.0 }}]\n\
             [world]\ndimensions = 2\nsize = [40.0, 20.0]\n[species.a]\ncount = 1\n{keys}\nbehaviours = [{{ rule = \"wander\" }}{rule}]\n"
        );
        let scenario = throng_scenario::Scenario::parse(&text, "hall.toml").unwrap();
        scenario
            .warnings()
            .into_iter()
            .filter(|warning| warning.kind == WarningKind::Unused)
            .map(|warning| warning.key)
            .collect::<Vec<_>>()
    };
    assert_eq!(warned("", ""), ["obstacle"]);
    assert_eq!(warned("", ", { rule = \"avoid_obstacles\" }"), [""; 0]);
    let fast = "max_speed = 2.0\nmin_speed = 3.0";
    assert_eq!(warned(fast, ", { rule = \"avoid_obstacles\" }"), ["species.a.min_speed"]);
    assert_eq!(warned("max_speed = 2.0\nmin_speed = 2.0", ", { rule = \"avoid_obstacles\" }"), [""; 0]);
}

/// A wall with a door of 0.6 m, and with a way around its end if it is `short`; cells have this length. The errors, or the
/// warnings.
fn cells_said(cell: f32, short: bool) -> String {
    let end = if short { 22.0 } else { 24.0 };
    let text = format!(
        "format = 1\nwalls = [[[10.0, 0.0], [10.0, 4.7]], [[10.0, 5.3], [10.0, {end}]]]\n\
         region = [{{ name = \"out\", centre = [18.0, 5.0], size = [2.0, 6.0] }}]\n\
         navigation = {{ out = {{ goals = [\"region:out\"], cell = {cell} }} }}\n\
         [world]\ndimensions = 2\nsize = [20.0, 24.0]\nedge = \"bounce\"\n\
         [species.walker]\ncount = 1\npeople = true\n\
         place = {{ region = \"point\", centre = [6.0, 5.0], speed = 0.0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n"
    );
    match throng_scenario::Scenario::parse(&text, "door.toml") {
        Err(problems) => problems.to_string(),
        Ok(scenario) => scenario.warnings().iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn cells_that_close_a_door_are_refused_or_doubted_with_those_that_do_not() {
    assert_eq!([cells_said(0.05, true), cells_said(0.05, false)], [String::new(), String::new()]);
    // The middle of the door is between two cells.
    for cell in [0.25, 0.5] {
        let (around, shut) = (cells_said(cell, true), cells_said(cell, false));
        assert!(around.contains("navigation.out.cell") && around.contains("close a passage"), "{around}");
        assert!(shut.contains("no way leads there"), "{shut}");
        for said in [around, shut] {
            // With the cells that it names, nothing is said.
            let (_, cell) = said.split_once("`cell = ").unwrap();
            let (cell, _) = cell.split_once('`').unwrap();
            assert_eq!(cells_said(cell.parse().unwrap(), said.contains("no way")), "", "{said}");
        }
    }
}

#[test]
fn agents_walk_around_walls_to_goals_of_their_own() {
    for model in ["pedvo", "orca"] {
        let walls = "walls = [[[60.0, 30.0], [40.0, 30.0], [40.0, 70.0], [60.0, 70.0]]]\nnavigation.ground.goals = []";
        let people = "[species.unit]\ncount = 40\nradius = 0.4\nmax_speed = 3.0\nmass = 80.0\nmax_force = 1e5\n\
                      place = { region = \"box\", centre = [50.0, 50.0], size = [12.0, 30.0], speed = 0.0 }\n\
                      behaviours = [{ rule = \"walk_to\", goals = [\"ground\"] }]\n";
        let hall =
            "[world]\ndimensions = 2\nsize = [100.0, 100.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\nseed = 1\n";
        let text = format!("format = 1\n{walls}\n{hall}{people}motion = {{ model = \"{model}\" }}\n");
        let mut world: World<2> = world(&text);
        let ids = world.all_agents()[0].ids().to_vec();
        let goal = |number: usize| Vector([15.0 + 2.0 * (number % 5) as f32, 40.0 + 3.0 * (number / 5) as f32]);
        for (number, id) in ids.iter().enumerate() {
            world.set_goal(*id, Some(goal(number))).unwrap();
        }
        let arrived = run(&mut world, 90.0).arrived.len();
        let far = |(number, id): (usize, &_)| world.position(*id).unwrap().distance(goal(number));
        let farthest = ids.iter().enumerate().map(far).fold(0.0, |most: f32, far| if far > most { far } else { most });
        assert!(arrived == 40 && farthest < 0.4, "{model}: {arrived} arrived, at most {farthest} m from their goals");
    }
}
