//! Agents start where they fit.

mod inputs;
mod people;
mod plans;

use std::fs;
use std::path::PathBuf;

use throng::{Vector, World};
use throng_scenario::Scenario;

/// The models of people who walk.
const WALKERS: [&str; 4] = ["orca", "pedvo", "social_force", "collision_free_speed"];

/// A folder of files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("throng-starting-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        fs::write(&file, text).unwrap();
        file
    }

    fn load(&self, text: &str) -> Result<Scenario, String> {
        Scenario::load(self.write("s.toml", text)).map_err(|problems| problems.to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn parse(text: &str) -> Scenario {
    Scenario::parse(text, "s.toml").unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

fn problems(text: &str) -> String {
    Scenario::parse(text, "s.toml").map(drop).unwrap_err().to_string()
}

/// The positions and radii of the agents of a species.
fn bodies<const D: usize>(world: &World<D>, species: &str) -> Vec<(Vector<D>, f32)> {
    let agents = world.agents(world.find_species(species).unwrap()).unwrap();
    (0..agents.len()).map(|row| (agents.position(row), agents.radius(row))).collect()
}

/// The largest depth in metres by which two of these bodies overlap.
fn deepest<const D: usize>(world: &World<D>, bodies: &[(Vector<D>, f32)]) -> f32 {
    let mut deepest = 0.0;
    for (number, (at, radius)) in bodies.iter().enumerate() {
        for (other, reach) in &bodies[number + 1..] {
            let depth = radius + reach - world.settings().offset(*at, *other).length();
            deepest = if depth > deepest { depth } else { deepest };
        }
    }
    deepest
}

#[test]
fn people_start_apart_and_inside_the_world() {
    for model in WALKERS {
        for (edge, place, count) in [
            ("bounce", "region = \"box\", centre = [6.0, 6.0], size = [10.0, 10.0]", 100),
            ("bounce", "region = \"box\", centre = [6.0, 6.0], size = [10.0, 10.0]", 420),
            ("bounce", "region = \"disc\", centre = [6.0, 6.0], radius = 4.0", 60),
            ("bounce", "region = \"all\"", 500),
            ("wrap", "region = \"all\"", 150),
            ("wrap", "region = \"all\"", 600),
            ("open", "region = \"polygon\", polygon = [[1, 1], [9, 1], [9, 4], [4, 4], [4, 9], [1, 9]]", 100),
            ("bounce", "region = \"circle\", radius = 5.0, goal = \"opposite\"", 60),
        ] {
            for seed in 0..3 {
                let world: World<2> = parse(&format!(
                    "format = 1\n[world]\ndimensions = 2\nsize = [12.0, 12.0]\nedge = \"{edge}\"\nseed = {seed}\n\
                     [species.walker]\ncount = {count}\nradius = 0.25\nmotion = {{ model = \"{model}\" }}\n\
                     place = {{ {place} }}"
                ))
                .build()
                .unwrap();
                let bodies = bodies(&world, "walker");
                assert_eq!(bodies.len(), count);
                let deepest = deepest(&world, &bodies);
                assert!(deepest < 1e-5, "{model}, {edge}, {place}, {count}, {seed}: {deepest} m");
                let beyond = |at: Vector<2>| (0..2).any(|axis| !(0.25 - 1e-6..=11.75 + 1e-6).contains(&at[axis]));
                let inside = edge != "bounce" || !bodies.iter().any(|(at, _)| beyond(*at));
                assert!(inside, "{model}, {place}, {seed}: a body sticks out of the world");
            }
        }
    }
}

#[test]
fn bodies_of_several_sizes_and_in_space_start_apart() {
    for radius in ["[0.15, 0.35]", "{ mean = 0.25, sd = 0.05, low = 0.1 }"] {
        let world: World<2> = parse(&format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [12.0, 12.0]\nedge = \"bounce\"\n\
             [species.walker]\ncount = 200\nradius = {radius}\nmotion = {{ model = \"orca\" }}"
        ))
        .build()
        .unwrap();
        assert!(deepest(&world, &bodies(&world, "walker")) < 1e-5, "{radius}");
    }
    for count in [50, 330] {
        let world: World<3> = parse(&format!(
            "format = 1\n[world]\ndimensions = 3\nsize = [4.0, 4.0, 4.0]\nedge = \"bounce\"\n\
             [species.drone]\ncount = {count}\nradius = 0.25\nmotion = {{ model = \"orca\" }}"
        ))
        .build()
        .unwrap();
        assert!(deepest(&world, &bodies(&world, "drone")) < 1e-5, "{count}");
    }
}

/// A region that is too small is refused with its place and the number of agents that fit, which do.
#[test]
fn too_many_people_are_refused_with_the_number_that_fit() {
    let text = |count: u64, region: &str| {
        format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [12.0, 12.0]\nedge = \"bounce\"\n[species.walker]\n\
             radius = 0.25\nmotion = {{ model = \"orca\" }}\ncount = {count}\n\
             place = {{ region = {region} }}\n"
        )
    };
    for (region, count, most) in [
        ("\"box\", centre = [6.0, 6.0], size = [4.0, 4.0]", 1000, 110),
        ("\"disc\", centre = [6.0, 6.0], radius = 2.0", 1000, 80),
        ("\"point\", centre = [6.0, 6.0]", 2, 1),
        ("\"circle\", radius = 1.0", 30, 15),
        ("\"all\"", 2000, 700),
    ] {
        let found = problems(&text(count, region));
        let place = if region.contains("centre") { "s.toml:10:" } else { "s.toml:10:11" };
        assert!(found.starts_with(place) && found.contains(&format!("of {count} agents fit")), "{found}");
        let fit = found.split("place: ").nth(1).unwrap().split(' ').next().unwrap().parse::<u64>().unwrap();
        assert!(fit >= most / 2 && fit <= most, "{region}: {fit}");
        if !region.contains("circle") {
            assert_eq!(bodies(&parse(&text(fit, region)).build::<2>().unwrap(), "walker").len() as u64, fit);
        }
    }
}

/// No agent starts in a column that is a polygon, however it is drawn and of whatever species they are; sources know it
/// too.
#[test]
fn nobody_starts_in_a_column() {
    let columns = [
        ("[[wall]]\npolygon = [[6.0, 6.0], [14.0, 6.0], [14.0, 14.0], [6.0, 14.0]]", [6.0, 6.0, 14.0, 14.0]),
        ("[[wall]]\npolygon = [[6.0, 14.0], [9.0, 14.0], [9.0, 6.0], [6.0, 6.0]]", [6.0, 6.0, 9.0, 14.0]),
        ("walls = [[[11, 6], [14, 6], [14, 9], [11, 9], [11, 6]]]", [11.0, 6.0, 14.0, 9.0]),
        ("[[wall]]\ncentre = [10.0, 10.0]\nsize = [6.0, 6.0]", [7.0, 7.0, 13.0, 13.0]),
    ];
    let goal = "[[region]]\nname = \"out\"\ncentre = [27.0, 10.0]\nradius = 1.0\n\
                [navigation.out]\ngoals = [\"region:out\"]\n";
    for (column, [west, south, east, north]) in columns {
        for place in [
            "region = \"box\", centre = [10.0, 10.0], size = [16.0, 16.0]",
            "region = \"disc\", centre = [9.0, 10.0], radius = 8.0",
        ] {
            for (rule, motion) in [("wander\"", ""), ("walk_to\", goals = [\"out\"]", "motion = { model = \"orca\" }")]
            {
                for source in [false, true] {
                    let start = match source {
                        false => format!("count = 60\nplace = {{ {place} }}"),
                        true => String::new(),
                    };
                    let sources = "[[region]]\nname = \"in\"\ncentre = [10.0, 10.0]\nsize = [16.0, 16.0]\n\
                                   [[source]]\nname = \"in\"\nspecies = \"walker\"\nregion = \"in\"\nnumber = 60\n";
                    let text = format!(
                        "format = 1\n{column}\n{goal}{}[world]\ndimensions = 2\nsize = [30.0, 20.0]\n\
                         edge = \"bounce\"\ntick = 1e-6\n[species.walker]\nradius = 0.25\n{start}\n{motion}\n\
                         behaviours = [{{ rule = \"{rule} }}]",
                        if source { sources } else { "" }
                    );
                    // A key of the file comes before its tables.
                    let text = match text.split_once("walls = ") {
                        Some(_) => {
                            let line = text.lines().find(|line| line.starts_with("walls")).unwrap().to_owned();
                            text.replace(&line, "").replacen("format = 1", &format!("format = 1\n{line}"), 1)
                        }
                        None => text,
                    };
                    let mut world: World<2> = parse(&text).build().unwrap();
                    world.step();
                    let bodies = bodies(&world, "walker");
                    assert_eq!(bodies.len(), 60);
                    let reach = 0.249;
                    for (at, _) in bodies {
                        let clear = at[0] < west - reach
                            || at[0] > east + reach
                            || at[1] < south - reach
                            || at[1] > north + reach;
                        assert!(clear, "{column}, {place}, {rule}, source {source}: starts at {at:?}");
                    }
                }
            }
        }
    }
}

/// Agents of a flock are not bodies: they keep their places, whatever else starts, and walkers keep off them.
#[test]
fn flocks_keep_their_starts_and_walkers_keep_off_all() {
    let flock = "[species.bird]\ncount = 300\nradius = 0.5\nplace = { region = \"disc\", radius = 5.0 }\n";
    let head = "format = 1\n[world]\ndimensions = 2\nsize = [30.0, 30.0]\n";
    let people = "[species.walker]\ncount = 300\nmotion = { model = \"social_force\" }\n\
                  [species.guard]\ncount = 50\nmotion = { model = \"orca\" }\n\
                  [species.late]\ncount = 200\nradius = 0.5\n";
    let alone: World<2> = parse(&format!("{head}{flock}")).build().unwrap();
    let together: World<2> = parse(&format!("{head}{flock}{people}")).build().unwrap();
    let birds = bodies(&alone, "bird");
    assert_eq!(birds, bodies(&together, "bird"));
    let walkers = [bodies(&together, "walker"), bodies(&together, "guard")].concat();
    assert!(deepest(&together, &walkers) < 1e-5);
    for other in birds.iter().chain(&bodies(&together, "late")) {
        for walker in &walkers {
            assert!(deepest(&together, &[*other, *walker]) < 1e-5, "{other:?} {walker:?}");
        }
    }
}

/// People that never move stand where they are put, in each other too; others keep off them.
#[test]
fn people_who_never_move_may_overlap() {
    for model in WALKERS {
        let world: World<2> = parse(&format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [12.0, 12.0]\nedge = \"bounce\"\n\
             [species.other]\ncount = 40\nmax_speed = 0.0\nmotion = {{ model = \"{model}\" }}\n\
             place = {{ region = \"box\", centre = [6.0, 6.0], size = [8.0, 0.04], speed = 0.0 }}\n\
             [species.walker]\ncount = 100\nmotion = {{ model = \"{model}\" }}"
        ))
        .build()
        .unwrap();
        let (others, walkers) = (bodies(&world, "other"), bodies(&world, "walker"));
        assert!(deepest(&world, &others) > 0.1 && deepest(&world, &walkers) < 1e-5);
        for other in others {
            assert!(walkers.iter().all(|walker| deepest(&world, &[other, *walker]) < 1e-5));
        }
    }
}

/// Members of a group start near each other, also at edges and beside columns.
#[test]
fn groups_start_together() {
    for seed in 0..5 {
        let world: World<2> = parse(&format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [20.0, 6.0]\nedge = \"bounce\"\nseed = {seed}\n\
             [[wall]]\ncentre = [10.0, 3.0]\nsize = [4.0, 2.0]\n\
             [species.walker]\ncount = 60\nmotion = {{ model = \"orca\" }}\nplace = {{ group_size = 2 }}"
        ))
        .build()
        .unwrap();
        let bodies = bodies(&world, "walker");
        assert!(deepest(&world, &bodies) < 1e-5);
        let far = bodies.chunks(2).filter(|pair| (pair[0].0 - pair[1].0).length() > 2.5).count();
        assert!(far <= 1, "{far} of 30 pairs are apart");
    }
}
