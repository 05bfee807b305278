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
    let agents = world.agents(world.species_named("visitor").unwrap()).unwrap();
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
