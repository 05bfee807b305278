//! Ways through crowds: people with knowledge of the crowd use all ways, the others the shortest; the bits do not depend
//! on snapshots.

use throng::{Region, Shape, Vector, World, Zone};
use throng_scenario::Scenario;

/// A hall of 20 x 16 m with three gates of 1 m in its east wall at y = 2, 8 and 14. People stand before the first gate.
fn hall(keys: &str) -> World<2> {
    let text = format!(
        "format = 1\nwalls = [[[20, 0], [20, 1.5]], [[20, 2.5], [20, 7.5]], [[20, 8.5], [20, 13.5]], [[20, 14.5], [20, 16]]]\n\
         region = [{{ name = \"hall\", centre = [13, 4.5], size = [12, 8] }}, \
                   {{ name = \"out\", centre = [24, 8], size = [2, 16] }}]\n\
         source = [{{ name = \"hall\", species = \"person\", region = \"hall\", number = 200, speed = 0.0 }}]\n\
         sink = [{{ name = \"out\", region = \"out\" }}]\n\
         navigation.out = {{ goals = [\"region:out\"], cell = 0.2 }}\n\
         [world]\ndimensions = 2\nsize = [25, 16]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\nseed = 3\n\
         [species.person]\ncount = 0\npeople = true\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"], {keys} }}]\n"
    );
    Scenario::parse(&text, "hall.toml").unwrap_or_else(|problems| panic!("{problems}")).build().unwrap()
}

/// The number of people by the gate through which they left, and the seconds until the last one is out.
fn leave(mut world: World<2>) -> ([usize; 3], f64) {
    let (mut gates, mut before) = ([0; 3], Vec::<Vector<2>>::new());
    while world.tick() < 20 || world.population() > 0 {
        assert!(world.seconds() < 300.0, "{} stay", world.population());
        world.step();
        let agents = &world.all_agents()[0];
        let now: Vec<_> = (0..agents.len()).map(|row| agents.position(row)).collect();
        // Each one is near a gate once when it crosses the line of the wall.
        for at in &before {
            let crosses = |to: &&Vector<2>| (**to - *at).length() < 0.1 && at[0] < 20.0 && to[0] >= 20.0;
            if (at[0] - 20.0).abs() < 0.1 && now.iter().any(|to| crosses(&to)) {
                gates[(at[1] / 16.0 * 3.0) as usize] += 1;
            }
        }
        before = now;
    }
    (gates, world.seconds())
}

#[test]
fn all_gates_are_used_where_a_queue_makes_the_nearest_one_slow() {
    let (shortest, alone) = leave(hall("quickest = 0"));
    let (quickest, all) = leave(hall("quickest = 1"));
    assert!(shortest[2] == 0 && quickest.iter().all(|&gate| gate >= 20), "{shortest:?} {quickest:?}");
    assert!(all < 0.8 * alone, "{all} s, on the shortest ways {alone} s");
    // Those that do not know the crowd stay before the first gates.
    let (half, _) = leave(hall("quickest = 0.5"));
    assert!(shortest[0] > half[0] && half[0] > quickest[0], "{shortest:?} {half:?} {quickest:?}");
}

/// Smoke before the nearest gate makes another way quicker from the time on at which it is thick.
#[test]
fn quickest_ways_avoid_smoke() {
    let smoked = |extinction: Vec<[f32; 2]>| {
        let mut world = hall("quickest = 1");
        let shape = Shape::Box { centre: Vector([19.0, 3.0]), half: Vector([1.0, 3.0]) };
        let environment = world.environment_mut();
        environment.regions.add(Region { name: "smoke".to_owned(), shape }).unwrap();
        environment.zones.add(Zone { extinction, ..Zone::new("smoke", 1.0) }).unwrap();
        leave(world).0
    };
    let (clear, thick) = (smoked(vec![]), smoked(vec![[0.0, 11.0]]));
    let later = smoked(vec![[20.0, 0.0], [21.0, 11.0]]);
    assert!(thick[0] < clear[0] / 4 && thick[0] < later[0] && later[0] < clear[0], "{clear:?} {thick:?} {later:?}");
}

#[test]
fn ways_through_crowds_are_the_same_after_a_snapshot() {
    let mut world = hall("quickest = 1");
    let mut saved = Vec::new();
    while world.tick() < 340 {
        // Between two crowds, in the tick of one, and while ways are computed.
        if [150, 200, 201, 241, 280].contains(&world.tick()) {
            let mut bytes = Vec::new();
            world.save(&mut bytes).unwrap();
            saved.push(bytes);
        }
        world.step();
    }
    for bytes in saved {
        let mut restored = World::<2>::load(&bytes[..]).unwrap();
        while restored.tick() < 340 {
            restored.step();
        }
        assert_eq!(restored.state_hash(), world.state_hash());
    }
}
