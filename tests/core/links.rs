//! Tests of links: jumps, ladders and doors that take time.

use throng::behaviours::WalkTo;
use throng::{
    AgentId, Edge, Goal, Lift, Link, Navigation, Region, Settings, Shape, Species, SpeciesId, Vector, Wall, WallAudit,
    WallShape, World,
};

/// A wall from end to end at 20 m, with a link through it: from 18 m to 22 m, at 10 m.
fn world(link: Option<Link<2>>) -> (World<2>, SpeciesId) {
    let settings =
        Settings { size: Vector([40.0, 20.0]), edge: [Edge::Bounce; 2], tick_seconds: 0.05, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let environment = world.environment_mut();
    environment.walls.add(Wall::new(WallShape::Box { centre: [20.0, 10.0].into(), half: [0.5, 10.0].into() })).unwrap();
    for (name, x) in [("near", 18.0), ("far", 22.0)] {
        environment
            .regions
            .add(Region::new(name, Shape::Box { centre: [x, 10.0].into(), half: [1.0, 1.0].into() }))
            .unwrap();
    }
    if let Some(link) = link {
        environment.links.add(link).unwrap();
    }
    for (name, x) in [("east", 38.0), ("west", 2.0)] {
        let goals = vec![Goal::Point(Vector([x, 10.0]))];
        environment.navigations.add(Navigation { cell: Some(0.25), ..Navigation::new(name, goals) }).unwrap();
    }
    let walker = species("walker", "east");
    let walker = world.add_species(walker).unwrap();
    world.add_species(species("other", "west")).unwrap();
    (world, walker)
}

fn species(name: &str, goal: &str) -> Species<2> {
    let mut walker = Species::new(name).with(1.0, WalkTo { goals: vec![goal.to_owned()], ..WalkTo::default() });
    (walker.max_speed, walker.radius, walker.max_force) = (2.0.into(), 0.25.into(), 100.0.into());
    walker
}

fn link(seconds: f32) -> Link<2> {
    Link::new("jump", "near", "far", seconds)
}

fn x(world: &World<2>, agent: AgentId) -> f32 {
    world.position(agent).unwrap()[0]
}

#[test]
fn an_agent_jumps_through_a_wall_in_the_time_of_the_link() {
    let (mut world, walker) = world(Some(link(1.5)));
    let agent = world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
    let jump = world.environment().links.find("jump").unwrap();
    let mut audit = WallAudit::default();
    let mut left = Vec::new();
    for _ in 0..600 {
        audit.before(&world);
        world.step();
        audit.after(&world);
        let crossing: Vec<_> = world.environment().crossing(jump).unwrap().collect();
        left.extend(crossing.iter().map(|(id, left)| (*id, *left, world.position(agent).unwrap())));
    }
    // It begins where it comes into the region, and ends as far from the middle of the other.
    let (from, to) = (left[0].2, left.last().unwrap().2);
    assert_eq!((left.len(), audit.crossings()), (29, 0), "{left:?}");
    assert!((from[0] - 17.2).abs() < 0.2 && (to[0] - 21.2).abs() < 0.2, "{from:?} {to:?}");
    let step = to.distance(from) / 28.0;
    assert!(left.windows(2).all(|pair| (pair[0].2.distance(pair[1].2) - step).abs() < 1e-4), "{left:?}");
    assert!(x(&world, agent) > 37.5, "{}", x(&world, agent));
}

#[test]
fn a_link_leads_one_way_or_both() {
    let reached = |both_ways| {
        let (mut world, walker) = world(Some(Link { both_ways, ..link(1.0) }));
        let west = world.find_species("other").unwrap();
        let there = world.spawn(walker, [10.0, 9.0], [0.0, 0.0]).unwrap();
        let back = world.spawn(west, [30.0, 11.0], [0.0, 0.0]).unwrap();
        (0..800).for_each(|_| world.step());
        (x(&world, there) > 37.0, x(&world, back) < 3.0)
    };
    assert_eq!((reached(false), reached(true)), ((true, false), (true, true)));
    let (mut world, walker) = world(None);
    let agent = world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
    (0..800).for_each(|_| world.step());
    assert!(x(&world, agent) < 20.0);
}

#[test]
fn agents_take_turns_on_a_ladder_in_the_order_in_which_they_came() {
    for capacity in [1, 3] {
        let (mut world, walker) = world(Some(Link { both_ways: true, capacity, ..link(2.0) }));
        let west = world.find_species("other").unwrap();
        let place = |number: usize| [16.0 - 1.5 * number as f32, 9.0 + 0.5 * (number % 5) as f32];
        let there: Vec<_> = (0..6).map(|number| world.spawn(walker, place(number), [0.0, 0.0]).unwrap()).collect();
        let mirrored = |number: usize| [40.0 - place(number)[0], place(number)[1]];
        let back: Vec<_> = (0..6).map(|number| world.spawn(west, mirrored(number), [0.0, 0.0]).unwrap()).collect();
        let jump = world.environment().links.find("jump").unwrap();
        let (mut began, mut most) = (Vec::new(), 0);
        while world.tick() < 1500 {
            world.step();
            let crossing: Vec<_> = world.environment().crossing(jump).unwrap().map(|(id, _)| id).collect();
            most = most.max(crossing.len());
            let new = crossing.into_iter().filter(|id| !began.iter().any(|(_, other)| other == id)).collect::<Vec<_>>();
            began.extend(new.into_iter().map(|id| (world.tick(), id)));
        }
        let of = |ids: &[AgentId]| began.iter().map(|(_, id)| *id).filter(|id| ids.contains(id)).collect::<Vec<_>>();
        assert_eq!((most, of(&there), of(&back)), (capacity as usize, there.clone(), back.clone()), "{began:?}");
        assert!(there.iter().all(|&id| x(&world, id) > 35.0) && back.iter().all(|&id| x(&world, id) < 5.0));
        if capacity == 1 {
            assert!(began.windows(2).all(|pair| pair[1].0 - pair[0].0 >= 40), "{began:?}");
        }
    }
}

#[test]
fn a_link_that_costs_more_than_the_way_round_is_not_taken() {
    for (cost, jumps) in [(5.0, true), (60.0, false)] {
        let (mut world, walker) = world(Some(Link { cost: Some(cost), ..link(1.0) }));
        let gap = WallShape::Box { centre: [20.0, 9.0].into(), half: [0.5, 9.0].into() };
        world.environment_mut().walls.iter().map(|(id, _)| id).collect::<Vec<_>>().into_iter().for_each(|id| {
            world.environment_mut().walls.edit(id, |wall| wall.shape = gap.clone()).unwrap();
        });
        let agent = world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
        let jump = world.environment().links.find("jump").unwrap();
        let mut jumped = false;
        for _ in 0..800 {
            world.step();
            jumped |= world.environment().crossing(jump).unwrap().next().is_some();
        }
        assert!(x(&world, agent) > 37.0 && jumped == jumps, "{cost}: {jumped}");
    }
}

#[test]
fn ways_to_goals_of_their_own_lead_over_links() {
    let (mut world, walker) = world(Some(Link { both_ways: true, ..link(1.0) }));
    let agent = world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
    world.set_goal(agent, Some([30.0, 4.0].into())).unwrap();
    world.step();
    let ground = world.environment().navigations.find("east").unwrap();
    let field = world.environment().navigation_field(ground).unwrap();
    let route = field.route([10.0, 10.0], [30.0, 4.0]).unwrap();
    assert_eq!((route.len(), *route.last().unwrap()), (3, Vector([30.0, 4.0])), "{route:?}");
    assert!(
        route[0].distance(Vector([18.0, 10.0])) < 0.3 && route[1].distance(Vector([22.0, 10.0])) < 0.3,
        "{route:?}"
    );
    (0..500).for_each(|_| world.step());
    assert!(world.position(agent).unwrap().distance(Vector([30.0, 4.0])) < 0.5);
    world.set_goal(agent, Some([5.0, 15.0].into())).unwrap();
    (0..600).for_each(|_| world.step());
    assert!(world.position(agent).unwrap().distance(Vector([5.0, 15.0])) < 0.5);
}

#[test]
fn a_link_between_parts_of_the_world_changes_the_part_half_way() {
    let (mut world, walker) = world(Some(Link { shift: Vector([2.0, 0.0]), ..link(1.0) }));
    let agent = world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
    let jump = world.environment().links.find("jump").unwrap();
    let mut ways = Vec::new();
    for _ in 0..500 {
        let before = x(&world, agent);
        world.step();
        ways.extend(world.environment().crossing(jump).unwrap().map(|_| x(&world, agent) - before));
    }
    // Two metres in the plane of both, and two more at once.
    let is_step = |place: usize| ways[place] - ways[0] - if place == 9 { 2.0 } else { 0.0 };
    assert!(ways.len() == 19 && (0..19).all(|place| is_step(place).abs() < 1e-4), "{ways:?}");
    assert!(x(&world, agent) > 37.5);
}

#[test]
fn a_world_restored_while_agents_cross_goes_on_with_equal_bits() {
    let (mut world, walker) = world(Some(Link { capacity: 2, ..link(2.0) }));
    for number in 0..5 {
        world.spawn(walker, [14.0 - number as f32, 9.5], [0.0, 0.0]).unwrap();
    }
    let jump = world.environment().links.find("jump").unwrap();
    while world.environment().crossing(jump).unwrap().count() < 2 && world.tick() < 1000 {
        world.step();
    }
    let mut saved = Vec::new();
    world.save(&mut saved).unwrap();
    let mut restored = World::<2>::load(&saved[..]).unwrap();
    assert_eq!(restored.environment(), world.environment());
    for _ in 0..300 {
        world.step();
        restored.step();
        assert_eq!(world.state_hash(), restored.state_hash(), "tick {}", world.tick());
    }
}

#[test]
fn links_regions_and_agents_may_go_while_agents_cross() {
    let (mut world, walker) = world(Some(Link { capacity: 3, ..link(2.0) }));
    let agents: Vec<_> =
        (0..4).map(|number| world.spawn(walker, [15.0, 9.1 + 0.6 * number as f32], [0.0, 0.0]).unwrap()).collect();
    let jump = world.environment().links.find("jump").unwrap();
    while world.environment().crossing(jump).unwrap().count() < 2 && world.tick() < 1000 {
        world.step();
    }
    let first = world.environment().crossing(jump).unwrap().next().unwrap().0;
    world.despawn(first).unwrap();
    world.step();
    assert!(world.environment().crossing(jump).unwrap().all(|(id, _)| id != first));
    let far = world.environment().regions.find("far").unwrap();
    world.environment_mut().regions.remove(far).unwrap();
    (0..60).for_each(|_| world.step());
    assert_eq!(world.environment().crossing(jump).unwrap().count(), 0);
    world.environment_mut().links.remove(jump).unwrap();
    (0..60).for_each(|_| world.step());
    assert!(agents.iter().filter_map(|&id| world.position(id).ok()).all(Vector::is_finite));
}

#[test]
fn snapshots_are_loaded_after_a_link_or_a_lift_was_added() {
    let regions = || ["near", "far"].map(str::to_owned).to_vec();
    for ticks in [0, 3] {
        for is_lift in [false, true] {
            let (mut world, walker) = world(None);
            world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
            (0..ticks).for_each(|_| world.step());
            if is_lift {
                let lift =
                    Lift { landings: regions(), doors: regions(), ..Lift::new("up", &[("", "", 0.0), ("", "", 3.0)]) };
                world.environment_mut().lifts.add(lift).unwrap();
            } else {
                world.environment_mut().links.add(link(1.0)).unwrap();
            }
            let mut saved = Vec::new();
            world.save(&mut saved).unwrap();
            let mut restored =
                World::<2>::load(&saved[..]).unwrap_or_else(|error| panic!("{is_lift}, {ticks}: {error}"));
            for _ in 0..3 {
                world.step();
                restored.step();
                assert_eq!(world.state_hash(), restored.state_hash());
            }
        }
    }
}

#[test]
fn an_agent_takes_one_of_two_links_between_the_same_regions() {
    let (mut world, walker) = world(Some(link(2.0)));
    world.environment_mut().links.add(Link::new("slow", "near", "far", 5.0)).unwrap();
    world.environment_mut().links.add(Link::new("twin", "near", "far", 2.0)).unwrap();
    for number in 0..4 {
        world.spawn(walker, [16.0 - number as f32, 10.0], [0.0, 0.0]).unwrap();
    }
    let links = ["jump", "slow", "twin"].map(|name| world.environment().links.find(name).unwrap());
    let mut used = [0, 0, 0];
    for _ in 0..600 {
        world.step();
        let of = links.map(|link| world.environment().crossing(link).unwrap().map(|(id, _)| id).collect::<Vec<_>>());
        for (used, of) in used.iter_mut().zip(&of) {
            *used += of.len();
        }
        assert!(of.concat().is_empty() || !of[0].iter().any(|id| of[1].contains(id) || of[2].contains(id)), "{of:?}");
    }
    assert!(used[0] > 0 && used[1] == 0 && used[2] > 0, "{used:?}");
    assert!(world.agents(walker).unwrap().positions()[0].iter().all(|x| *x > 35.0));
}

#[test]
fn agents_do_not_shuttle_over_links_without_a_cost() {
    let (mut world, walker) = world(Some(Link { both_ways: true, cost: Some(0.0), ..link(0.0) }));
    let agent = world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
    let mut audit = WallAudit::default();
    for _ in 0..500 {
        audit.before(&world);
        world.step();
        audit.after(&world);
    }
    assert!(x(&world, agent) > 37.5 && audit.crossings() == 0, "{} {}", x(&world, agent), audit.crossings());
}

#[test]
fn opposite_one_way_links_do_not_block_each_other() {
    let (mut world, walker) = world(Some(link(2.0)));
    let west = world.find_species("other").unwrap();
    world.environment_mut().links.add(Link::new("back", "far", "near", 3.0)).unwrap();
    let regions: Vec<_> = world.environment().regions.iter().map(|(id, _)| id).collect();
    for id in regions {
        // Room for one body.
        world
            .environment_mut()
            .regions
            .edit(id, |region| {
                region.shape = Shape::Box { centre: region.shape.bounds().0, half: [0.4, 0.4].into() };
            })
            .unwrap();
    }
    let there: Vec<_> = (0..3).map(|at| world.spawn(walker, [12.0 + at as f32, 10.0], [0.0, 0.0]).unwrap()).collect();
    let back: Vec<_> = (0..3).map(|at| world.spawn(west, [28.0 - at as f32, 10.0], [0.0, 0.0]).unwrap()).collect();
    (0..1500).for_each(|_| world.step());
    assert!(there.iter().all(|&id| x(&world, id) > 36.0) && back.iter().all(|&id| x(&world, id) < 4.0));
}

#[test]
fn an_agent_that_the_host_moves_leaves_its_link() {
    let (mut world, walker) = world(Some(link(5.0)));
    let agent = world.spawn(walker, [15.0, 10.0], [0.0, 0.0]).unwrap();
    let jump = world.environment().links.find("jump").unwrap();
    while world.environment().crossing(jump).unwrap().next().is_none() && world.tick() < 500 {
        world.step();
    }
    world.set_position(agent, [5.0, 3.0]).unwrap();
    assert!(world.environment().crossing(jump).unwrap().next().is_none());
    world.step();
    assert!(world.position(agent).unwrap().distance(Vector([5.0, 3.0])) < 0.2);
}

#[test]
fn a_link_that_no_way_leads_over_is_a_warning() {
    let (mut world, walker) = world(Some(link(1.0)));
    world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
    world.step();
    let links = |world: &World<2>| world.warnings().iter().filter(|warning| warning.key.contains("link")).count();
    assert_eq!(links(&world), 0);
    let near = world.environment().regions.find("near").unwrap();
    world
        .environment_mut()
        .regions
        .edit(near, |region| {
            region.shape = Shape::Box { centre: [18.1, 10.1].into(), half: [0.01, 0.01].into() };
        })
        .unwrap();
    (0..40).for_each(|_| world.step());
    assert_eq!(links(&world), 1);
}

#[test]
fn a_link_leads_out_of_a_room_with_closed_walls() {
    let (mut world, walker) = world(Some(link(1.0)));
    let walls: Vec<_> = world.environment().walls.iter().map(|(id, _)| id).collect();
    walls.into_iter().for_each(|id| drop(world.environment_mut().walls.remove(id)));
    let points = [[2.0, 2.0], [20.0, 2.0], [20.0, 18.0], [2.0, 18.0]].map(Vector).to_vec();
    let room = Wall { solid: Some(false), ..Wall::new(WallShape::Path { points, closed: true }) };
    world.environment_mut().walls.add(room).unwrap();
    let agent = world.spawn(walker, [10.0, 10.0], [0.0, 0.0]).unwrap();
    (0..600).for_each(|_| world.step());
    assert!(x(&world, agent) > 37.0, "{}", x(&world, agent));
}

#[test]
fn positions_that_do_not_change_leave_agents_on_their_links() {
    let (mut world, walker) = world(Some(link(2.0)));
    world.spawn(walker, [15.0, 10.0], [0.0, 0.0]).unwrap();
    let other = world.spawn(walker, [5.0, 5.0], [0.0, 0.0]).unwrap();
    let jump = world.environment().links.find("jump").unwrap();
    while world.environment().crossing(jump).unwrap().next().is_none() && world.tick() < 500 {
        world.step();
    }
    let mut positions = world.agents(walker).unwrap().positions().map(<[f32]>::to_vec);
    let row = world.agents(walker).unwrap().ids().iter().position(|id| *id == other).unwrap();
    positions[0][row] += 1.0;
    world.set_positions(walker, [&positions[0], &positions[1]]).unwrap();
    assert_eq!(world.environment().crossing(jump).unwrap().count(), 1);
}
