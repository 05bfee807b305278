//! Where a scenario file lets agents start: groups side by side.

use throng::World;
use throng::columns::ColumnSlice;
use throng_scenario::Scenario;

/// The radius of the members, and the distance between the middles of two that stand side by side.
const RADIUS: f32 = 0.25;
const APART: f32 = 2.0 * RADIUS + 0.2;

fn world(group_size: &str) -> World<2> {
    let text = format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [60, 40]\nedge = \"bounce\"\nseed = 3\n[species.visitor]\ncount = 90\n\
         radius = {RADIUS}\nplace = {{ group_size = {group_size}, speed = 0 }}\n"
    );
    Scenario::parse(&text, "s.toml").unwrap_or_else(|problems| panic!("{problems}")).build().unwrap()
}

/// The number of the group and the place of each agent, in the order of rows.
fn starts(world: &World<2>) -> Vec<(u32, [f32; 2])> {
    let agents = world.agents(world.find_species("visitor").unwrap()).unwrap();
    let group = agents.columns().find(|column| column.name == "group").expect("groups have numbers").numbers;
    let ColumnSlice::U32(group) = group else { panic!("{group:?}") };
    (0..agents.len()).map(|row| (group[row], agents.position(row).0)).collect()
}

/// The members of a group stand in a line with its first, in turn on both sides. One whose place is beyond the boundary
/// or on another agent starts elsewhere.
#[test]
fn groups_start_side_by_side() {
    for (size, most) in [("3", 3), ("[0.6, 4.4]", 4)] {
        let starts = starts(&world(size));
        let mut sizes = vec![0; 91];
        let mut beside = 0;
        for (row, &(group, [x, y])) in starts.iter().enumerate() {
            let before = &starts[..row];
            let members: Vec<[f32; 2]> = before.iter().filter(|other| other.0 == group).map(|other| other.1).collect();
            sizes[group as usize] += 1;
            let Some(first) = members.first() else { continue };
            let along = members.len().div_ceil(2) as f32 * if members.len() % 2 == 1 { APART } else { -APART };
            let place = [first[0], first[1] + along];
            if (x - place[0]).abs() < 1e-5 && (y - place[1]).abs() < 1e-5 {
                beside += 1;
                continue;
            }
            let inside = place[1] >= RADIUS && place[1] <= 40.0 - RADIUS;
            let near = |other: &(u32, [f32; 2])| {
                let [dx, dy] = [other.1[0] - place[0], other.1[1] - place[1]];
                dx * dx + dy * dy < 4.0 * RADIUS * RADIUS + 1e-4
            };
            assert!(!inside || before.iter().any(near), "agent {row} of group {group} is not beside the others");
        }
        let groups = sizes.iter().rposition(|&size| size > 0).unwrap();
        assert_eq!(sizes[0], 0, "every agent has a group");
        // The last group is cut short where the agents end.
        assert!(sizes[1..groups].iter().all(|&size| size >= 1 && size <= most), "{sizes:?}");
        assert!(size != "3" || sizes[1..groups].iter().all(|&size| size == 3), "{sizes:?}");
        assert!(size == "3" || (1..=4).all(|size| sizes[1..groups].contains(&size)), "{sizes:?}");
        assert!(beside > 30, "{beside} of 90 agents are beside the first of their group");
    }
}

/// The numbers of a column of all agents, with their groups.
fn waits(text: &str) -> Vec<(u32, f32)> {
    let world: World<2> = Scenario::parse(text, "s.toml").unwrap_or_else(|all| panic!("{all}")).build().unwrap();
    let agents = world.agents(world.find_species("visitor").unwrap()).unwrap();
    let numbers = |name: &str| agents.columns().find(|column| column.name == name).unwrap().numbers;
    let (ColumnSlice::U32(groups), ColumnSlice::F32(waits)) = (numbers("group"), numbers("pre_movement")) else {
        panic!("other types");
    };
    groups.iter().copied().zip(waits.iter().copied()).collect()
}

#[test]
fn a_group_sets_off_together() {
    let text = "format = 1\n[world]\ndimensions = 2\nsize = [60, 40]\nedge = \"bounce\"\nseed = 3\n[species.visitor]\n\
                count = 90\nradius = 0.25\nplace = { group_size = 3 }\npre_movement = [5.0, 60.0]\n";
    let waits = waits(text);
    assert!(waits.chunks(3).all(|group| group.iter().all(|member| *member == group[0])), "{waits:?}");
    let mut firsts: Vec<f32> = waits.chunks(3).map(|group| group[0].1).collect();
    firsts.sort_by(f32::total_cmp);
    firsts.dedup();
    // Thirty draws between the ends of the interval.
    assert!(firsts.len() == 30 && firsts[0] < 15.0 && firsts[29] > 50.0, "{firsts:?}");
}

/// A corridor with an exit at each end. People start nearer to the left one.
fn corridor(familiar: &str) -> String {
    format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [40, 10]\nedge = \"bounce\"\ntick = 0.1\n\
         [[region]]\nname = \"left\"\ncentre = [1.0, 5.0]\nsize = [2.0, 10.0]\n\
         [[region]]\nname = \"right\"\ncentre = [39.0, 5.0]\nsize = [2.0, 10.0]\n\
         [[sink]]\nname = \"left\"\nregion = \"left\"\n[[sink]]\nname = \"right\"\nregion = \"right\"\n\
         [navigation.left]\ngoals = [\"region:left\"]\n[navigation.right]\ngoals = [\"region:right\"]\n\
         [species.visitor]\ncount = 200\nradius = 0.05\nmax_speed = 4.0\nresponse = 0.1\nmass = 1.0\nmax_force = 100.0\n\
         place = {{ region = \"box\", centre = [10.0, 5.0], size = [14.0, 9.0] }}\n{familiar}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"left\", \"right\"] }}]\n"
    )
}

/// The number of people that leave by the left and by the right exit.
fn exits(familiar: &str) -> [u64; 2] {
    let mut world: World<2> =
        Scenario::parse(&corridor(familiar), "s.toml").unwrap_or_else(|all| panic!("{all}")).build().unwrap();
    for _ in 0..400 {
        world.step();
    }
    assert_eq!(world.population(), 0);
    let removed: Vec<(String, u64)> = world.removed().map(|(name, count)| (name.to_owned(), count)).collect();
    ["left", "right"]
        .map(|exit| removed.iter().find(|(name, _)| *name == format!("sink:{exit}")).map_or(0, |(_, count)| *count))
}

#[test]
fn people_choose_among_the_exits_that_they_know() {
    assert_eq!(exits(""), [200, 0], "the left exit is nearer");
    assert_eq!(exits("familiar = { left = 0.0 }"), [0, 200]);
    let [left, right] = exits("familiar = { left = 0.25 }");
    assert!(left + right == 200 && (30..=70).contains(&left), "{left} of 200 know the left exit, not about a quarter");
    assert_eq!(exits("familiar = { left = 0.0, right = 0.0 }"), [200, 0], "without a known exit they take the nearest");
    for (wrong, part) in [("{ lift = 0.5 }", "left"), ("{ left = 1.5 }", "1")] {
        let refused = Scenario::parse(&corridor(&format!("familiar = {wrong}")), "s.toml").unwrap_err().to_string();
        assert!(refused.contains("species.visitor.familiar") && refused.contains(part), "{refused}");
    }
}

/// Two rooms of 16 and 4 square metres, and a disc in the first.
#[test]
fn people_are_spread_over_several_regions_by_area() {
    let file = |regions: &str| {
        format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [60, 40]\nedge = \"bounce\"\nseed = 3\n\
             [[region]]\nname = \"big\"\ncentre = [10, 10]\nsize = [4, 4]\n\
             [[region]]\nname = \"small\"\ncentre = [50, 30]\nsize = [2, 2]\n\
             [[region]]\nname = \"over\"\ncentre = [10, 10]\nradius = 1.0\n\
             [species.visitor]\ncount = 400\nplace = {{ {regions} }}\n"
        )
    };
    let world: World<2> =
        Scenario::parse(&file("regions = [\"big\", \"small\", \"over\"]"), "s.toml").unwrap().build().unwrap();
    let agents = world.agents(world.find_species("visitor").unwrap()).unwrap();
    let within = |centre: [f32; 2], half: f32| {
        let at = (0..agents.len()).map(|row| agents.position(row).0);
        at.filter(|at| (at[0] - centre[0]).abs() <= half && (at[1] - centre[1]).abs() <= half).count()
    };
    let (big, small) = (within([10.0, 10.0], 2.0), within([50.0, 30.0], 1.0));
    // A part that two regions share counts once.
    assert!(big + small == 400 && (300..340).contains(&big), "{big} {small}");
    for (regions, message) in [
        (
            "regions = [\"big\", \"smal\"]",
            "s.toml:21:21: species.visitor.place.regions = [\"big\", \"smal\"]: unknown region",
        ),
        ("regions = []", "species.visitor.place.regions = []: unknown region"),
        ("regions = [\"big\"], region = \"all\"", "species.visitor.place.region: `regions` does not use it"),
    ] {
        let said = Scenario::parse(&file(regions), "s.toml").unwrap_err().to_string();
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn agents_start_at_the_positions_of_a_list() {
    let scenario = |place: &str| {
        let text = format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [60, 40]\nedge = \"bounce\"\n[species.visitor]\nplace = {{ {place} }}\n"
        );
        Scenario::parse(&text, "s.toml")
    };
    let world: World<2> = scenario("positions = [[5, 4], [5, 6.5]], heading = 90, speed = 2").unwrap().build().unwrap();
    let agents = world.agents(world.find_species("visitor").unwrap()).unwrap();
    let places: Vec<[f32; 2]> = (0..agents.len()).map(|row| agents.position(row).0).collect();
    assert_eq!(places, [[5.0, 4.0], [5.0, 6.5]]);
    assert!((agents.velocity(1)[1] - 2.0).abs() < 1e-6, "{}", agents.velocity(1));
    for (place, key) in [
        ("positions = [[5, 4], [5, 60]]", "place.positions"),
        ("positions = [[5, 4]], radius = 2", "place.radius"),
        ("positions = [[5, 4]], file = \"run.csv\"", "place.file"),
        ("positions = [[5, 4, 1]]", "place.positions"),
    ] {
        let problems = scenario(place).expect_err(place);
        assert!(problems.list().iter().any(|problem| problem.key.ends_with(key)), "{place}: {problems}");
    }
}

#[cfg(feature = "trajectories")]
#[test]
fn a_table_of_places_leaves_velocities_to_the_species() {
    let folder = std::env::temp_dir().join(format!("throng-places-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let speeds = ["x,y\n5,4\n5,6\n", "x,y,vx,vy\n5,4,0,0\n5,6,0,0\n"].map(|table| {
        std::fs::write(folder.join("places.csv"), table).unwrap();
        let text = "format = 1\n[world]\ndimensions = 2\nsize = [60, 40]\n[species.visitor]\nmax_speed = 3.0\n\
                    place = { file = \"places.csv\" }\n";
        let scenario = Scenario::parse(text, &folder.join("s.toml").to_string_lossy()).unwrap();
        let world: World<2> = scenario.build().unwrap();
        let agents = world.agents(world.find_species("visitor").unwrap()).unwrap();
        (agents.len(), agents.velocity(1).length().round())
    });
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(speeds, [(2, 3.0), (2, 0.0)]);
}
