//! Times of agents: rest before they move, and the end of their lives.

use throng::behaviours::Seek;
use throng::{Distribution, Edge, Settings, Species, SpeciesId, Vector, World};

fn world(species: Species<2>) -> (World<2>, SpeciesId) {
    let settings = Settings { tick_seconds: 0.1, edge: [Edge::Open; 2], seed: 5, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let species = world.add_species(species.with(1.0, Seek { target: [1000.0, 0.0].into() })).unwrap();
    (world, species)
}

#[test]
fn agents_depart_at_their_times() {
    let uniform = Distribution::Uniform(1.0, 10.0);
    for kinematic in [false, true] {
        let species = Species::new("visitor").with_pre_movement(uniform);
        let (mut world, id) = world(if kinematic { species.kinematic() } else { species });
        for number in 0..50 {
            world.spawn(id, [0.0, number as f32], [1.0, 1.0]).unwrap();
        }
        let agents = world.agents(id).unwrap();
        let times: Vec<(throng::AgentId, f32)> =
            agents.ids().iter().copied().zip(agents.column::<f32>("pre_movement").unwrap().iter().copied()).collect();
        assert!(times.iter().all(|(_, time)| (1.0..10.0).contains(time)));
        let mut departed = std::collections::BTreeMap::new();
        for tick in 0..110 {
            world.step();
            for &(agent, _) in &times {
                let moved = world.position(agent).unwrap()[0] > 0.0;
                if moved {
                    departed.entry(agent).or_insert(tick as f32 * 0.1);
                }
                assert_eq!(moved, world.velocity(agent).unwrap() != Vector::ZERO);
            }
        }
        for (agent, time) in times {
            // The first tick that starts at this time or later.
            let late = departed[&agent] - time;
            assert!((-1e-3..0.101).contains(&late), "{time} departed at {}", departed[&agent]);
        }
        assert!(world.agents(id).unwrap().column::<f32>("pre_movement").unwrap().iter().all(|&left| left == 0.0));
    }
}

#[test]
fn the_host_reads_and_sets_the_time_left() {
    let (mut world, id) = world(Species::new("visitor").with_pre_movement(0.0));
    let agent = world.spawn(id, [0.0, 0.0], [0.0, 0.0]).unwrap();
    (0..5).for_each(|_| world.step());
    let at = world.position(agent).unwrap();
    assert!(at[0] > 0.0);
    world.set_column_value(agent, "pre_movement", 0.5f32).unwrap();
    world.step();
    assert_eq!((world.position(agent).unwrap(), world.column_value::<f32>(agent, "pre_movement").unwrap()), (at, 0.4));
    assert!(world.agents(id).unwrap().columns().any(|column| column.name == "pre_movement"));
    assert!(world.add_column(id, "pre_movement", 0u32).is_err());
    (0..5).for_each(|_| world.step());
    assert!(world.position(agent).unwrap()[0] > at[0]);
}

#[test]
fn agents_end_with_their_lifetime() {
    let (mut world, id) = world(Species::new("visitor").with_lifetime(Distribution::Uniform(0.5, 2.0)));
    let agents: Vec<_> = (0..40).map(|row| world.spawn(id, [0.0, row as f32], [0.0, 0.0]).unwrap()).collect();
    let times: Vec<f32> = agents.iter().map(|&agent| world.column_value(agent, "lifetime").unwrap()).collect();
    for tick in 1..25 {
        world.step();
        for (&agent, &time) in agents.iter().zip(&times) {
            // The agent lives through the ticks that start before its time.
            let started = (tick - 1) as f32 * 0.1;
            if (started - time).abs() > 2e-3 {
                assert_eq!(world.find(agent).is_ok(), started < time, "{time} s after {tick} ticks");
            }
        }
    }
    assert_eq!(world.removed().collect::<Vec<_>>(), [("lifetime", 40)]);
}

#[test]
fn a_time_that_is_edited_is_drawn_again() {
    let (mut world, id) = world(Species::new("visitor"));
    let agent = world.spawn(id, [0.0, 0.0], [0.0, 0.0]).unwrap();
    (0..3).for_each(|_| world.step());
    world.edit_species(id, |species| species.lifetime = Some(Distribution::Same(0.3))).unwrap();
    (0..3).for_each(|_| world.step());
    assert!(world.find(agent).is_ok());
    world.step();
    assert!(world.find(agent).is_err());
    let refused = world.edit_species(id, |species| species.pre_movement = Some(Distribution::Same(-1.0)));
    assert!(refused.is_err());
}
