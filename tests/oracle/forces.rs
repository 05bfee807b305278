//! Tests of steering forces: every rule's formula, in random combinations, within the error of the arithmetic.

use std::collections::HashMap;

use proptest::prelude::*;
use throng::{AgentId, World};

use crate::crowds::{Crowd, NAMES, RESPONSE, cases, crowd, rules};
use crate::naive::{Rule, agents, length, steering, sub};

/// Steps a world and compares the steering forces of each tick with those that the oracle computes from the state
/// before.
fn check<const D: usize>(crowd: &Crowd, rules: [&[Rule]; 2], ticks: usize) {
    let mut world: World<D> = crowd.world(rules);
    for _ in 0..ticks {
        let before = agents(&world);
        let place: HashMap<AgentId, usize> = before.iter().enumerate().map(|(place, me)| (me.id, place)).collect();
        world.step();
        for id in world.species_ids() {
            let rules = rules[id.number()];
            let (ids, forces) = (world.agents(id).unwrap().ids(), world.steering(id).unwrap());
            for (row, id) in ids.iter().enumerate() {
                let me = &before[place[id]];
                let Some(expected) = steering(world.settings(), &before, &NAMES, me, rules, RESPONSE) else { continue };
                let force = forces.map(|axis| f64::from(axis[row]));
                let error = length(sub(force, expected.value));
                assert!(error <= expected.error, "{id}: {force:?}, not {expected:?}; {me:?}");
            }
        }
        let dropped = world.events().iter().find(|event| event.name() == "quarantined");
        assert_eq!(dropped, None, "every force is finite");
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn forces_in_two_dimensions(crowd in crowd(300), starling in rules(5), hawk in rules(3)) {
        check::<2>(&crowd, [&starling, &hawk], 5);
    }

    #[test]
    fn forces_in_three_dimensions(crowd in crowd(300), starling in rules(5), hawk in rules(3)) {
        check::<3>(&crowd, [&starling, &hawk], 5);
    }
}

proptest! {
    #![proptest_config(cases(4))]

    #[test]
    fn forces_on_many_agents(crowd in crowd(2000), starling in rules(4), hawk in rules(2)) {
        let crowd = Crowd { counts: [1000, 300], ..crowd };
        check::<2>(&crowd, [&starling, &hawk], 2);
        check::<3>(&crowd, [&starling, &hawk], 2);
    }
}
