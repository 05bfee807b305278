//! Tests that no edit reaches a rank that has only its own agents.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failed_steps::silence_expected_panics;
use crate::ranks::{flock, on};
use throng::behaviours::{Separation, Wander};
use throng::ranks::Ranks;
use throng::{Edge, Execution, InstructionSet, Mark, Rule, Settings, Species, SpeciesId, Vector, World};

type Edit = fn(&mut World<2>, SpeciesId);

/// An agent of the species, whose id every rank knows.
fn someone(world: &World<2>, species: SpeciesId) -> throng::AgentId {
    let ids = world.agents(species).unwrap().ids();
    ids.iter().copied().find(|id| id.to_bits() < 1 << 32).unwrap()
}

/// Every edit of a world, each with values that are accepted.
const EDITS: [(&str, Edit); 27] = [
    ("spawn", |world, id| drop(world.spawn(id, [1.0; 2], [0.0; 2]))),
    ("spawn_many", |world, id| drop(world.spawn_many(id, &[[1.0; 2]], &[[0.0; 2]]))),
    ("despawn", |world, id| drop(world.despawn(someone(world, id)))),
    ("despawn_where", |world, id| drop(world.despawn_where(id, |_, row| row < 3))),
    ("clear", |world, _| world.clear()),
    ("set_position", |world, id| drop(world.set_position(someone(world, id), [1.0; 2]))),
    ("set_positions", |world, id| {
        let all = vec![1.0; world.agents(id).unwrap().len()];
        drop(world.set_positions(id, [&all[..], &all]));
    }),
    ("set_velocity", |world, id| drop(world.set_velocity(someone(world, id), [1.0; 2]))),
    ("set_velocities", |world, id| {
        let all = vec![1.0; world.agents(id).unwrap().len()];
        drop(world.set_velocities(id, [&all[..], &all]));
    }),
    ("set_positions_of", |world, id| drop(world.set_positions_of(&[someone(world, id)], &[[1.0; 2]]))),
    ("set_velocities_of", |world, id| drop(world.set_velocities_of(&[someone(world, id)], &[[1.0; 2]]))),
    ("set_goal", |world, id| drop(world.set_goal(someone(world, id), Some(Vector([1.0; 2]))))),
    ("set_state", |world, id| drop(world.set_state(someone(world, id), "any"))),
    ("set_quantity", |world, id| drop(world.set_quantity(someone(world, id), throng::Quantity::Mass, 2.0))),
    ("add_species", |world, _| drop(world.add_species(Species::new("another")))),
    ("edit_species", |world, id| drop(world.edit_species(id, |species| species.min_speed = 0.1))),
    ("edit_rule", |world, id| drop(world.edit_rule::<Separation>(id, 0, |rule| rule.radius = 1.0))),
    ("add_rule", |world, id| drop(world.add_rule(id, Rule::new(1.0, Wander::default())))),
    ("remove_rule", |world, id| drop(world.remove_rule(id, 0))),
    ("set_parameter", |world, id| drop(world.set_parameter(id, "max_speed", 3.0))),
    ("add_column", |world, id| drop(world.add_column(id, "new", 1_u32))),
    ("remove_column", |world, id| drop(world.remove_column(id, "load"))),
    ("set_column_value", |world, id| drop(world.set_column_value(someone(world, id), "load", 5_u32))),
    ("set_column", |world, id| {
        let all = vec![5_u32; world.agents(id).unwrap().len()];
        drop(world.set_column(id, "load", &all));
    }),
    ("set_settings", |world, _| drop(world.set_settings(Settings { seed: 99, ..world.settings().clone() }))),
    ("environment_mut", |world, _| drop(world.environment_mut().marks.put(Mark::new("nest", [1.0; 2])))),
    ("set_execution", |world, _| {
        let other = InstructionSet::available().find(|set| *set != world.instruction_set());
        drop(world.set_execution(Execution { instruction_set: other, ..Execution::default() }));
    }),
];

#[test]
fn a_rank_with_its_own_agents_alone_refuses_every_edit_before_it_changes_anything() {
    silence_expected_panics();
    let refused = on(2, |rank| {
        let mut world = flock::<2>(3000, Edge::Wrap);
        let species = world.species_ids().next().unwrap();
        world.add_column(species, "load", 3_u32).unwrap();
        let ranks = Ranks::new(rank);
        ranks.divide(&mut world).unwrap();
        world.step();
        let before = (ranks.state_hash(&world), world.instruction_set());
        let results = EDITS.map(|(name, edit)| {
            let differs = name == "set_execution" && InstructionSet::available().count() == 1;
            let refused = catch_unwind(AssertUnwindSafe(|| edit(&mut world, species))).is_err();
            (name, refused || differs, (ranks.state_hash(&world), world.instruction_set()) == before)
        });
        // Rank 0 has all agents then, and must not edit them either.
        ranks.gather_at(&mut world, 0);
        let whole = EDITS.map(|(name, edit)| {
            let is_state = name == "set_state" || name == "set_execution";
            (name, is_state || catch_unwind(AssertUnwindSafe(|| edit(&mut world, species))).is_err())
        });
        ranks.gather(&mut world);
        let same = world.state_hash() == before.0;
        (0..5).for_each(|_| world.step());
        ranks.gather(&mut world);
        (results, whole, same, world.state_hash())
    });
    let mut alone = flock::<2>(3000, Edge::Wrap);
    let species = alone.species_ids().next().unwrap();
    alone.add_column(species, "load", 3_u32).unwrap();
    (0..6).for_each(|_| alone.step());
    for (results, whole, same, hash) in refused {
        for (name, is_refused, is_unchanged) in results {
            assert!(is_refused, "{name} is refused");
            assert!(is_unchanged, "{name} changes nothing");
        }
        for (name, is_refused) in whole {
            assert!(is_refused, "{name} is refused where one rank has all agents");
        }
        assert!(same);
        assert_eq!(hash, alone.state_hash());
    }
}
