//! People with the motion `pedvo` keep a headway, pass doors at the rate of experiments, and let no one stand behind.

use throng::{AgentId, Noise, Vector, World};
use throng_scenario::Scenario;

fn world(text: &str) -> World<2> {
    Scenario::parse(text, "scene.toml").unwrap_or_else(|problems| panic!("{problems}")).build().unwrap()
}

fn species(name: &str, keys: &str) -> String {
    format!("[species.{name}]\nradius = 0.2\nmotion = {{ model = \"pedvo\" }}\n{keys}\n")
}

/// The corners of the walls of a room of 8 x 8 m with a door in a wall 0.2 m thick.
fn walls(width: f32) -> [[f32; 2]; 10] {
    let (low, high) = (5.0 - 0.5 * width, 5.0 + 0.5 * width);
    [
        [9.2, 1.0],
        [9.2, low],
        [9.0, low],
        [9.0, 1.0],
        [1.0, 1.0],
        [1.0, 9.0],
        [9.0, 9.0],
        [9.0, high],
        [9.2, high],
        [9.2, 9.0],
    ]
}

/// People leave the room by the door.
fn door(width: f32, count: usize, seed: u64, keys: &str) -> World<2> {
    world(&format!(
        "format = 1\nwalls = [{:?}]\n\
         region = [{{ name = \"room\", centre = [5.0, 5.0], size = [8.0, 8.0] }}, \
                   {{ name = \"out\", centre = [13.0, 5.0], size = [1.0, 8.0] }}]\n\
         source = [{{ name = \"room\", species = \"person\", region = \"room\", number = {count}, speed = 0.0 }}]\n\
         sink = [{{ name = \"out\", region = \"out\" }}]\n\
         navigation.out = {{ goals = [\"region:out\"], clearance = 0.25, cell = 0.1 }}\n\
         [world]\ndimensions = 2\nsize = [14.0, 10.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\nseed = {seed}\n{}",
        walls(width),
        species("person", &format!("{keys}\nbehaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]"))
    ))
}

/// The id, the position and the velocity of each agent.
fn people(world: &World<2>) -> Vec<(AgentId, Vector<2>, Vector<2>)> {
    let of = |all: &throng::Agents<2>| {
        (0..all.len()).map(|row| (all.ids()[row], all.position(row), all.velocity(row))).collect::<Vec<_>>()
    };
    world.all_agents().iter().flat_map(of).collect()
}

/// A periodic corridor of 26 m in which people walk along, and back.
fn corridor(width: f32, kinds: [&str; 2]) -> World<2> {
    let [along, back] = kinds.map(|name| {
        let keys = "max_speed = [1.2, 1.4]\ncount = 0\n";
        species(name, &format!("{keys}behaviours = [{{ rule = \"follow_flow_field\", field = \"{name}\" }}]"))
    });
    let high = 1.0 + width;
    world(&format!(
        "format = 1\nwalls = [[[0.0, 1.0], [26.0, 1.0]], [[0.0, {high:?}], [26.0, {high:?}]]]\n\
         [world]\ndimensions = 2\nsize = [26.0, {:?}]\nedge = [\"wrap\", \"bounce\"]\ntick = 0.05\nticks = 1\n\
         [fields.along]\ncells = [1, 1]\nvectors = [[1.0, 0.0]]\n\
         [fields.back]\ncells = [1, 1]\nvectors = [[-1.0, 0.0]]\n{along}{back}",
        high + 1.0
    ))
}

/// The mean speed along a corridor in the second half of this time, in metres per second.
fn speed_along(world: &mut World<2>, seconds: usize) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for tick in 0..20 * seconds {
        world.step();
        if tick >= 10 * seconds {
            for (number, agents) in world.all_agents().iter().enumerate() {
                let sign = if number == 0 { 1.0 } else { -1.0 };
                sum += (0..agents.len()).map(|row| sign * f64::from(agents.velocity(row)[0])).sum::<f64>();
                count += agents.len();
            }
        }
    }
    sum / count as f64
}

/// Seyfried et al. (2005): d = 0.36 m + 1.06 s v, within 0.12 m/s. Whole bodies stay off the walls.
#[test]
fn single_file_is_as_fast_as_in_the_experiment() {
    for count in [26, 34, 42, 52] {
        let mut world = corridor(0.6, ["along", "back"]);
        let species = world.find_species("along").unwrap();
        let (apart, mut noise) = (26.0 / count as f32, Noise::new(3, 0, 0, 0));
        for number in 0..count {
            let at = Vector([number as f32 * apart + noise.between(0.0, 0.2 * (apart - 0.4)), 1.3]);
            world.spawn(species, at, Vector::ZERO).unwrap();
        }
        let (speed, line) = (speed_along(&mut world, 40), (26.0 / count as f64 - 0.36) / 1.06);
        assert!((speed - line).abs() < 0.12, "{speed} m/s with {count}, {line} in the experiment");
        for (_, at, _) in people(&world) {
            assert!((1.2 - 1e-4..1.4 + 1e-4).contains(&at[1]), "{at:?}");
        }
    }
}

/// Weidmann's speed at two per square metre is 0.61 m/s.
#[test]
fn a_crowd_in_a_corridor_is_as_slow_as_in_experiments() {
    let mut world = corridor(2.0, ["along", "back"]);
    let (species, mut noise) = (world.find_species("along").unwrap(), Noise::new(5, 0, 0, 0));
    for number in 0..104 {
        let at = [0.74 * (number / 3) as f32 + 0.4, 1.3 + 0.7 * (number % 3) as f32];
        world.spawn(species, at.map(|at| at + noise.between(-0.1, 0.1)), Vector::ZERO).unwrap();
    }
    let speed = speed_along(&mut world, 40);
    assert!((speed - 0.61).abs() < 0.12, "{speed} m/s");
}

#[test]
fn people_without_a_motion_walk_with_this_one() {
    let text = |keys: &str| {
        let people = "[species.visitor]\ncount = 0\npeople = true\n";
        format!("format = 1\n[world]\ndimensions = 2\nsize = [9.0, 9.0]\ntick = 0.05\nticks = 1\n{people}{keys}\n")
    };
    let cases = [("", "pedvo"), ("motion = { headway = 2.0 }", "pedvo"), ("motion = { model = \"orca\" }", "orca")];
    for (keys, model) in cases {
        let world = world(&text(keys));
        let species = world.species(world.find_species("visitor").unwrap()).unwrap();
        let motion = species.motion.as_ref().and_then(|motion| motion.table()).unwrap();
        assert_eq!((motion.rule(), species.mass), (model, 80.0.into()), "{keys}");
    }
}

#[test]
fn two_crowds_pass_each_other_in_lanes() {
    let mut world = corridor(4.0, ["along", "back"]);
    let mut noise = Noise::new(7, 0, 0, 0);
    for number in 0..156 {
        let species = world.find_species(["along", "back"][usize::from(noise.unit() < 0.5)]).unwrap();
        let at = [(number / 6) as f32 + 0.5, 1.4 + 0.64 * (number % 6) as f32];
        world.spawn(species, at.map(|at| at + noise.between(-0.1, 0.1)), Vector::ZERO).unwrap();
    }
    let speed = speed_along(&mut world, 40);
    assert!(speed > 0.5, "{speed} m/s at 1.5 people per square metre");
}

/// Published flows are 1.5 to 2.1 per metre and second; here of the middle three fifths of the people.
#[test]
fn doors_have_a_flow_as_in_experiments() {
    for width in [0.8, 1.2, 2.0] {
        let mut sum = 0.0;
        for seed in 0..4 {
            let (mut world, mut times) = (door(width, 100, seed, ""), std::collections::BTreeMap::new());
            for tick in 0..4000 {
                world.step();
                for (id, at, _) in people(&world) {
                    if at[0] > 9.2 {
                        times.entry(id).or_insert(0.05 * f64::from(tick));
                    }
                }
            }
            assert_eq!(world.population(), 0, "{width} m, seed {seed}");
            let mut times: Vec<f64> = times.into_values().collect();
            times.sort_by(f64::total_cmp);
            sum += 60.0 / (times[80] - times[20]) / f64::from(width);
        }
        assert!((1.4..2.2).contains(&(0.25 * sum)), "{} per metre and second at {width} m", 0.25 * sum);
    }
}

#[test]
fn a_slow_person_passes_a_door_in_a_thick_wall() {
    for (width, seed) in [(0.8, 1), (0.9, 2)] {
        let mut world = door(width, 1, seed, "max_speed = 0.4");
        (0..1200).for_each(|_| world.step());
        assert_eq!(world.population(), 0, "{width} m");
    }
}

#[test]
fn in_a_press_cores_of_half_the_width_touch_none_and_bodies_no_wall() {
    let (width, mut world) = (0.8, door(0.8, 80, 5, ""));
    let corners = walls(width).map(Vector);
    for _ in 0..600 {
        world.step();
        let at: Vec<_> = people(&world).into_iter().map(|(_, at, _)| at).collect();
        for (number, here) in at.iter().enumerate() {
            for there in &at[..number] {
                assert!((*here - *there).length() > 0.5 * 0.8 * 0.4 - 1e-3, "{here:?} {there:?}");
            }
            for ends in corners.windows(2) {
                let (from, along) = (*here - ends[0], ends[1] - ends[0]);
                let place = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
                assert!((from - along * place).length() > 0.2 - 1e-3, "{here:?}");
            }
        }
    }
}
