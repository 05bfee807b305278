//! Tests of worlds with different edges on their axes.

use throng::behaviours::Cohesion;
use throng::{AgentId, Edge, Error, Event, FlowField, LIMIT, Obstacle, Settings, Species, SpeciesId, Vector, World};

const SIZE: f32 = 100.0;

/// A world with a species that obeys no rule.
fn world(edge: [Edge; 2]) -> (World<2>, SpeciesId) {
    let mut world = World::new(Settings { edge, tick_seconds: 0.5, ..Settings::default() }).unwrap();
    let species = world.add_species(Species::new("walker").with_max_speed(20.0)).unwrap();
    (world, species)
}

/// Returns the state of an agent after a tick: position and velocity, and whether it left and exists one tick later.
fn after(edge: [Edge; 2], from: [f32; 2], velocity: [f32; 2]) -> ([f32; 2], [f32; 2], bool, bool) {
    let (mut world, species) = world(edge);
    let id = world.spawn(species, from, velocity).unwrap();
    world.step();
    let (position, velocity) = (world.position(id).unwrap().0, world.velocity(id).unwrap().0);
    let left = world.events().iter().any(|event| matches!(event, Event::Left { agent, .. } if *agent == id));
    world.step();
    (position, velocity, left, world.contains(id))
}

#[test]
fn each_axis_follows_its_own_edge() {
    use Edge::{Bounce, Open, Remove, Respawn, Wrap};
    let (corner, out) = ([98.0, 98.0], [10.0, 12.0]);
    let expect = |edge, position, velocity, left, stays| {
        assert_eq!(after(edge, corner, out), (position, velocity, left, stays), "{edge:?}");
    };
    expect([Wrap, Bounce], [3.0, 100.0], [10.0, -12.0], false, true);
    expect([Bounce, Wrap], [100.0, 4.0], [-10.0, 12.0], false, true);
    expect([Wrap, Remove], [3.0, 100.0], [10.0, 12.0], true, false);
    expect([Remove, Wrap], [100.0, 4.0], [10.0, 12.0], true, false);
    expect([Bounce, Open], [100.0, 104.0], [-10.0, 12.0], false, true);
    expect([Open, Remove], [103.0, 100.0], [10.0, 12.0], true, false);
    // An agent that leaves on two axes at once is removed if one of them removes it.
    expect([Remove, Respawn], [100.0, 100.0], [10.0, 12.0], true, false);
    expect([Respawn, Remove], [100.0, 100.0], [10.0, 12.0], true, false);
    // It continues from the centre on all axes.
    expect([Wrap, Respawn], [50.0, 50.0], [10.0, 12.0], true, true);
    expect([Respawn, Bounce], [50.0, 50.0], [10.0, -12.0], true, true);
    // Only one of the axes is left.
    assert_eq!(after([Wrap, Remove], [98.0, 50.0], out), ([3.0, 56.0], [10.0, 12.0], false, true));
    assert_eq!(after([Open, Respawn], [98.0, 50.0], out), ([103.0, 56.0], [10.0, 12.0], false, true));
}

#[test]
fn an_open_axis_ends_at_the_limit_beside_any_other() {
    let (position, _, left, stays) = after([Edge::Open, Edge::Wrap], [LIMIT - 1.0, 98.0], [10.0, 12.0]);
    assert_eq!((position, left, stays), ([LIMIT, 4.0], true, false));
}

#[test]
fn agents_perceive_each_other_across_the_seam_of_a_periodic_axis_only() {
    let pulled = |edge, one: [f32; 2], other: [f32; 2]| {
        let mut world = World::<2>::new(Settings { edge, ..Settings::default() }).unwrap();
        let species = Species::new("bird").with(1.0, Cohesion { radius: 5.0, ..Cohesion::default() });
        let species = world.add_species(species).unwrap();
        let id = world.spawn(species, one, [0.0; 2]).unwrap();
        world.spawn(species, other, [0.0; 2]).unwrap();
        world.step();
        world.velocity(id).unwrap()
    };
    for edge in [Edge::Bounce, Edge::Open, Edge::Remove, Edge::Respawn] {
        assert!(pulled([Edge::Wrap, edge], [1.0, 50.0], [99.0, 50.0])[0] < 0.0);
        assert_eq!(pulled([Edge::Wrap, edge], [50.0, 1.0], [50.0, 99.0]), Vector::ZERO);
        assert!(pulled([edge, Edge::Wrap], [50.0, 1.0], [50.0, 99.0])[1] < 0.0);
        assert_eq!(pulled([edge, Edge::Wrap], [1.0, 50.0], [99.0, 50.0]), Vector::ZERO);
    }
}

#[test]
fn obstacles_and_flow_fields_follow_each_axis() {
    let (mut world, _) = world([Edge::Wrap, Edge::Bounce]);
    let moving = Obstacle { velocity: Vector([10.0, 10.0]), ..Obstacle::new(Vector([98.0, 96.0]), 2.0) };
    world.environment_mut().obstacles.add(moving).unwrap();
    world.step();
    let obstacle = world.environment().obstacles.items()[0];
    assert_eq!((obstacle.centre.0, obstacle.velocity.0), ([3.0, 101.0], [10.0, -10.0]));

    let field = FlowField::from_fn("flow", [10, 10], [SIZE; 2], |point| point).unwrap();
    // On the far edge of both axes: half way between the last cell and the first along x, in the last one along y.
    assert_eq!(field.at([SIZE, SIZE], world.settings()), Vector([50.0, 95.0]));
    let open = Settings { edge: [Edge::Open, Edge::Wrap], ..world.settings().clone() };
    assert_eq!(field.at([SIZE, SIZE], &open), Vector([95.0, 50.0]));
}

#[test]
fn positions_are_checked_per_axis() {
    let (mut world, species) = world([Edge::Wrap, Edge::Bounce]);
    let id = world.spawn(species, [130.0, 40.0], [0.0; 2]).unwrap();
    assert_eq!(world.position(id), Ok(Vector([30.0, 40.0])));
    assert!(
        matches!(world.spawn(species, [30.0, 130.0], [0.0; 2]), Err(Error::BadValue(bad)) if bad.what == "position")
    );
    assert!(world.set_position(id, [-30.0, 100.0]).is_ok());
    assert_eq!(world.position(id), Ok(Vector([70.0, 100.0])));
}

/// The bytes of a snapshot hold one edge per axis, and a world continues from them with the same bits.
#[test]
fn a_snapshot_keeps_the_edge_of_each_axis() {
    for edge in [[Edge::Wrap, Edge::Remove], [Edge::Respawn, Edge::Wrap], [Edge::Bounce, Edge::Open]] {
        let (mut world, species) = world(edge);
        let spawn = |number: u32| ([number as f32 * 3.0, 97.0 - number as f32], [number as f32 - 15.0, 12.0]);
        let ids: Vec<AgentId> =
            (0..30).map(spawn).map(|(position, velocity)| world.spawn(species, position, velocity).unwrap()).collect();
        world.step();
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        let mut loaded = World::<2>::load(&bytes[..]).unwrap();
        assert_eq!(loaded.settings().edge, edge);
        for _ in 0..20 {
            assert_eq!(loaded.state_hash(), world.state_hash(), "{edge:?}");
            loaded.step();
            world.step();
        }
        assert!(edge.contains(&Edge::Remove) || world.population() == ids.len());
    }
}
