//! Kinds of people in scenario files: the doors that wide bodies take, and the files that have none for them.

use std::collections::HashMap;

use throng::columns::ColumnSlice;
use throng::{AgentId, World};
use throng_scenario::Scenario;

/// A room with two doors in its east wall, one near the people and one far from them.
fn room(near: f32, far: f32, people: &str) -> String {
    let door = |at: f32, width: f32| [at - 0.5 * width, at + 0.5 * width];
    let ([a, b], [c, d]) = (door(2.0, near), door(8.0, far));
    format!(
        "format = 1\nwalls = [[[10, 0], [10, {a}]], [[10, {b}], [10, {c}]], [[10, {d}], [10, 10]]]\n\
         [world]\ndimensions = 2\nsize = [20, 10]\nedge = \"bounce\"\ntick = 0.05\nseed = 4\n\
         [[region]]\nname = \"out\"\ncentre = [19, 5]\nsize = [2, 10]\n\
         [[region]]\nname = \"hall\"\ncentre = [4.0, 2.5]\nsize = [7, 4]\n\
         [[sink]]\nname = \"out\"\nregion = \"out\"\n\
         [navigation.out]\ngoals = [\"region:out\"]\n\
         [species.visitor]\npeople = true\nbehaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n{people}\n"
    )
}

const STARTS: &str = "count = 30\nplace = { region = \"region:hall\", speed = 0.0 }\n";
const WHEELS: &str = "kinds = [{ name = \"wheelchair\", share = 0.4, radius = 0.4, mass = 120.0, max_speed = 0.9 }]";

fn refused(text: &str) -> String {
    Scenario::parse(text, "s.toml").map(drop).unwrap_err().to_string()
}

/// The height at which each agent passes the wall, and its kind.
fn passages(text: &str) -> Vec<(u32, f32)> {
    let mut world: World<2> = Scenario::parse(text, "s.toml").unwrap_or_else(|all| panic!("{all}")).build().unwrap();
    let species = world.find_species("visitor").unwrap();
    let (mut before, mut passed): (HashMap<AgentId, f32>, Vec<(u32, f32)>) = (HashMap::new(), Vec::new());
    for _ in 0..2400 {
        world.step();
        let agents = world.agents(species).unwrap();
        let kinds = agents.columns().find(|column| column.name == "kind").unwrap().numbers;
        let ColumnSlice::U32(kinds) = kinds else { panic!("another column") };
        for row in 0..agents.len() {
            let [x, y] = agents.position(row).0;
            if before.insert(agents.ids()[row], x).is_some_and(|before| before < 10.0 && x >= 10.0) {
                passed.push((kinds[row], y));
            }
        }
    }
    assert_eq!(world.population(), 0, "all leave");
    passed
}

#[test]
fn wide_bodies_take_doors_that_they_pass() {
    let source = "[[source]]\nname = \"gate\"\nspecies = \"visitor\"\nregion = \"hall\"\nnumber = 30\nspeed = 0.0\n";
    let of_source = room(0.7, 1.0, WHEELS).replace("[navigation", &format!("{source}[navigation"));
    for text in [room(0.7, 1.0, &format!("{STARTS}{WHEELS}")), of_source] {
        let (mut near, mut others) = (0, 0);
        for seed in 1..5 {
            let passed = passages(&text.replace("seed = 4", &format!("seed = {seed}")));
            let wheelchairs: Vec<f32> = passed.iter().filter(|(kind, _)| *kind == 1).map(|(_, y)| *y).collect();
            assert!(passed.len() == 30 && wheelchairs.len() > 5 && wheelchairs.len() < 20, "{}", wheelchairs.len());
            assert!(wheelchairs.iter().all(|y| *y > 7.0), "{wheelchairs:?}");
            near += passed.iter().filter(|(kind, y)| *kind == 0 && *y < 3.0).count();
            others += passed.len() - wheelchairs.len();
        }
        // The queue carries a few of the others past the middle between the doors.
        assert!(4 * near > 3 * others, "{near} of {others}");
    }
}

#[test]
fn a_person_without_a_way_is_named_before_the_run() {
    let source = "[[source]]\nname = \"gate\"\nspecies = \"visitor\"\nregion = \"hall\"\nnumber = 30\n";
    for text in [
        room(0.7, 0.7, &format!("{STARTS}{WHEELS}")),
        room(0.7, 0.7, WHEELS).replace("[navigation", &format!("{source}[navigation")),
    ] {
        let found = refused(&text);
        assert!(found.contains("species.visitor.kinds.0: a wheelchair with a radius of 0.4 m starts at ["), "{found}");
        assert!(found.contains("no way wide enough leads to out"), "{found}");
        let line = 1 + text.lines().position(|line| line.starts_with("kinds")).unwrap();
        assert!(found.starts_with(&format!("s.toml:{line}:10: ")), "{found}");
    }
    // People turn their shoulders by five centimetres.
    let slim = WHEELS.replace("radius = 0.4", "radius = 0.29");
    assert!(Scenario::parse(&room(0.7, 0.7, &format!("{STARTS}{slim}")), "s.toml").is_ok());
}

#[test]
fn mistakes_in_kinds_are_named() {
    for (kinds, part) in [
        ("kinds = [{ name = \"a\", share = 0.7 }, { name = \"b\", share = 0.7 }]", "kinds: the shares add up to 1.4"),
        (
            "kinds = [{ name = \"a\", share = 0.1 }, { name = \"a\", share = 0.1 }]",
            "kinds.1.name = \"a\": must be a name",
        ),
        ("kinds = [{ name = \"a\", share = 0.1, pre_movement = 3.0 }]", "pre_movement: is missing"),
        ("kinds = [{ name = \"a\", share = 0.1, age = [5, 20] }]", "kinds.0.age"),
        ("kinds = [{ name = \"a\", share = 0.1, age = { mean = 30.0, sd = 3.0 } }]", "kinds.0.age"),
        ("kinds = [{ name = \"a\", share = 0.1, sex = \"femail\" }]", "did you mean `female`"),
        ("kinds = [{ name = \"a\", share = 0.1, familiar = { aut = 0.0 } }]", "did you mean `out`"),
        ("population = \"residents\"\nradius = 0.3", "visitor.radius: `population` does not use it"),
        ("kinds = [{ name = \"a\" }]", "kinds.0.share: is missing"),
    ] {
        let found = refused(&room(0.7, 1.0, &format!("{STARTS}{kinds}")));
        assert!(found.contains(part), "{kinds}: {found}");
    }
}

/// A file without speeds has speeds by age; residents are what the kinds leave.
#[test]
fn kinds_have_speeds_by_age_and_residents_are_the_others() {
    let kinds = "population = \"residents\"\n\
                 kinds = [{ name = \"old\", share = 0.5, age = [80, 85], sex = \"female\", radius = 0.2 }]\n";
    let text = room(0.9, 0.9, &format!("{}{kinds}", STARTS.replace("30", "60")));
    let world: World<2> = Scenario::parse(&text, "s.toml").unwrap_or_else(|all| panic!("{all}")).build().unwrap();
    let agents = world.agents(world.find_species("visitor").unwrap()).unwrap();
    let ColumnSlice::U32(kinds) = agents.columns().find(|column| column.name == "kind").unwrap().numbers else {
        panic!("another column");
    };
    let old: Vec<usize> = (0..60).filter(|&row| kinds[row] == 1).collect();
    assert!((18..=42).contains(&old.len()) && kinds.iter().all(|&kind| kind > 0), "{kinds:?}");
    let mean = old.iter().map(|&row| agents.max_speed(row)).sum::<f32>() / old.len() as f32;
    // The guideline's diagram at 82 years, for women.
    assert!((mean - 0.71).abs() < 0.1, "{mean} m/s");
    let residents: Vec<f32> = (0..60).filter(|row| !old.contains(row)).map(|row| agents.mass(row)).collect();
    assert!(residents.iter().all(|mass| (20.0..125.0).contains(mass) && *mass != 80.0), "{residents:?}");
}
