//! Tests of the neighbours of all agents at once, which a host asks for between ticks.

use proptest::prelude::*;
use throng::{AgentId, Perception, Sight, SpeciesFilter, Wall, World};

use crate::crowds::{Crowd, NAMES, cases, crowd, species};
use crate::naive::{Agent, agents, sees};

/// Whether an agent of the second species is a neighbour of one of the first.
type Whether = fn(usize, usize) -> bool;

/// Compares the neighbours of all agents with a search through all pairs: all in the view, and the nearest few.
fn check<const D: usize>(crowd: &Crowd, radius: f32, fov: f32, nearest: u32) {
    let mut world: World<D> = crowd.world_of(NAMES.map(|name| species(name, &[])));
    world.step();
    let agents = agents(&world);
    let filters: [(SpeciesFilter, Whether); 3] = [
        (SpeciesFilter::Own, |me, other| me == other),
        (SpeciesFilter::All, |_, _| true),
        (SpeciesFilter::named(NAMES[1]), |_, other| other == 1),
    ];
    for (filter, takes) in filters {
        let view = Perception::within(radius, &filter).with_field_of_view(fov);
        for number in 0..NAMES.len() {
            let (own, rows) = {
                let (own, all) = (world.species_ids().nth(number).unwrap(), world.all_agents());
                (own, all[number].len())
            };
            let all = world.pairs(own, &view).unwrap();
            let few = world.pairs(own, &view.clone().with_nearest(nearest)).unwrap();
            assert_eq!((all.starts.len(), all.starts[0], all.starts[rows]), (rows + 1, 0, all.neighbours.len()));
            let of_species: Vec<&Agent<D>> = agents.iter().filter(|agent| agent.species == number).collect();
            for (row, me) in of_species.into_iter().enumerate() {
                let places = all.of(row).iter().map(|near| (near.species, near.row));
                assert!(places.clone().is_sorted() && all.of(row).iter().all(|near| near.id != me.id));
                for other in agents.iter().filter(|other| takes(number, other.species)) {
                    let is_listed = all.of(row).iter().any(|near| near.id == other.id);
                    let seen = sees(world.settings(), me, other, radius, fov);
                    assert!(seen.is_none_or(|seen| seen == is_listed), "{me:?} {other:?}");
                }
                assert!(all.of(row).iter().all(|near| takes(number, near.species.number())));
                let mut expected: Vec<(u32, AgentId)> =
                    all.of(row).iter().map(|near| (near.distance_squared.to_bits(), near.id)).collect();
                expected.sort_by_key(|(squared, id)| (*squared, id.to_bits()));
                expected.truncate(nearest as usize);
                let mut found: Vec<(u32, AgentId)> =
                    few.of(row).iter().map(|near| (near.distance_squared.to_bits(), near.id)).collect();
                found.sort_by_key(|(squared, id)| (*squared, id.to_bits()));
                assert_eq!(found, expected);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn pairs_in_two_dimensions(
        crowd in crowd(200), radius in 0.0f32..60.0, fov in prop_oneof![Just(360.0f32), 0.0f32..360.0], nearest in 1u32..9,
    ) {
        check::<2>(&crowd, radius, fov, nearest);
    }

    #[test]
    fn pairs_in_three_dimensions(
        crowd in crowd(200), radius in 0.0f32..60.0, fov in prop_oneof![Just(360.0f32), 0.0f32..360.0], nearest in 1u32..9,
    ) {
        check::<3>(&crowd, radius, fov, nearest);
    }
}

#[test]
fn walls_hide_and_edits_count() {
    let mut world = World::<2>::new(throng::Settings::default()).unwrap();
    let hare = world.add_species(species("hare", &[])).unwrap();
    let ids = world.spawn_many(hare, &[[10.0, 10.0], [14.0, 10.0]], &[[0.0, 0.0]; 2]).unwrap();
    world.environment_mut().walls.add(Wall::segment([12.0, 0.0], [12.0, 20.0])).unwrap();
    let near = Perception::within(5.0, &SpeciesFilter::Own);
    assert_eq!(world.pairs(hare, &near).unwrap().starts, [0, 1, 2]);
    assert_eq!(world.pairs(hare, &near.clone().with_sight(Sight::Walls)).unwrap().starts, [0, 0, 0]);
    world.despawn(ids[0]).unwrap();
    assert_eq!(world.pairs(hare, &near).unwrap().starts, [0, 0]);
    let error = world.pairs(hare, &Perception::within(-1.0, &SpeciesFilter::Own)).unwrap_err();
    assert_eq!(error.to_string(), "perception radius = -1: must be a number in [0, 1e6] m");
}
