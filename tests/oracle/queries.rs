//! What a host may ask between ticks: the same neighbours, and the nearest first.

use proptest::prelude::*;
use throng::{AgentId, World};

use crate::crowds::{Crowd, NAMES, cases, crowd, species};
use crate::naive::{Agent, agents, length, offset, sees};

/// The distance from a point in `f32`, as the definition has it, squared.
fn squared<const D: usize>(world: &World<D>, point: [f32; D], agent: &Agent<D>) -> f32 {
    let offset = offset(world.settings(), point, agent.position).map(|component| component as f32);
    throng::Vector(offset).length_squared()
}

fn check<const D: usize>(crowd: &Crowd, radius: f32, count: usize) {
    let mut world: World<D> = crowd.world_of(NAMES.map(|name| species(name, &[])));
    for _ in 0..2 {
        let agents = agents(&world);
        let (mut found, mut ids) = (Vec::new(), Vec::new());
        for me in agents.iter().step_by(7) {
            world.neighbours_into(me.id, radius, &mut found).unwrap();
            let place = |species, row: usize| world.agents(species).unwrap().ids()[row];
            let listed: Vec<AgentId> = found.iter().map(|other| place(other.species, other.row)).collect();
            for other in &agents {
                let seen = sees(world.settings(), me, other, radius, 360.0);
                let times = listed.iter().filter(|id| **id == other.id).count();
                assert!(times <= 1 && seen.is_none_or(|seen| seen == (times == 1)), "{me:?} {other:?} {times}");
            }
            for other in &found {
                assert_eq!(other.distance_squared, other.offset.length_squared());
            }

            let point = me.position;
            let inside = |other: &&Agent<D>| squared(&world, point, other) <= radius * radius;
            let mut expected: Vec<&Agent<D>> = agents.iter().filter(inside).collect();
            // The order of `agents` is by species and row, and a stable sort keeps it where distances are equal.
            expected.sort_by(|a, b| squared(&world, point, a).total_cmp(&squared(&world, point, b)));
            let expected: Vec<AgentId> = expected.iter().map(|agent| agent.id).collect();
            world.within(point, radius, &mut ids).unwrap();
            assert_eq!(ids, expected);

            let mut expected: Vec<&Agent<D>> = agents.iter().collect();
            expected.sort_by(|a, b| squared(&world, point, a).total_cmp(&squared(&world, point, b)));
            expected.truncate(count);
            let expected: Vec<AgentId> = expected.iter().map(|agent| agent.id).collect();
            world.nearest(point, count, &mut ids).unwrap();
            assert_eq!(ids, expected);
        }
        world.step();
        // An answer is about the present, not about the time of the last question.
        if let Some(agent) = self::agents(&world).first() {
            let place = length(agent.position.map(f64::from)).is_finite();
            world.set_position(agent.id, throng::Vector::ZERO).unwrap();
            world.nearest(throng::Vector::ZERO, 1, &mut ids).unwrap();
            let nearest = world.find(ids[0]).unwrap();
            assert!(place && world.agents(nearest.0).unwrap().position(nearest.1) == throng::Vector::ZERO);
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn questions_in_two_dimensions(crowd in crowd(400), radius in 0.0f32..80.0, count in 0usize..40) {
        check::<2>(&crowd, radius, count);
    }

    #[test]
    fn questions_in_three_dimensions(crowd in crowd(400), radius in 0.0f32..80.0, count in 0usize..40) {
        check::<3>(&crowd, radius, count);
    }
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let mut world = World::<2>::new(throng::Settings::default()).unwrap();
    let id = world.add_species(species(NAMES[0], &[])).unwrap();
    let agent = world.spawn(id, [1.0, 1.0], [0.0, 0.0]).unwrap();
    let (mut ids, mut found) = (Vec::new(), Vec::new());
    for radius in [-1.0, f32::NAN] {
        assert!(world.within([1.0, 1.0], radius, &mut ids).is_err());
        assert!(world.neighbours_into(agent, radius, &mut found).is_err());
    }
    assert!(world.within([f32::NAN, 1.0], 1.0, &mut ids).is_err());
    assert!(world.nearest([1.0, f32::INFINITY], 1, &mut ids).is_err());
    world.nearest([1.0, 1.0], usize::MAX, &mut ids).unwrap();
    assert_eq!(ids, [agent]);
    world.despawn(agent).unwrap();
    assert_eq!(world.neighbours_into(agent, 1.0, &mut found), Err(throng::Error::NoSuchAgent(agent)));
}
