//! Tests of species that a host removes: their agents leave, and the ids of others stay valid.

use throng::behaviours::{Cohesion, Seek};
use throng::{
    AgentStart, AnyWorld, Arrivals, Catch, Error, Event, Region, Removal, Settings, Shape, Source, Species,
    SpeciesFilter, SpeciesId, World,
};

/// Cats and dogs among flies, which a source adds.
fn meadow() -> (World<2>, [SpeciesId; 3]) {
    let mut world = World::new(Settings { size: [50.0, 50.0].into(), ..Settings::default() }).unwrap();
    let chase = |name: &str| Species::new(name).with(1.0, Cohesion { from: SpeciesFilter::All, ..Cohesion::default() });
    let cat = chase("cat").with_contacts(SpeciesFilter::All, 0.5);
    let fly = chase("fly").with_catch(Catch::new(SpeciesFilter::named("cat"), 0.3));
    let ids = [cat, fly, chase("dog")].map(|species| world.add_species(species).unwrap());
    for number in 0..300 {
        let at = [(number % 20) as f32 * 2.0 + 1.0, (number / 20) as f32 * 3.0 + 1.0];
        world.spawn(ids[number % 3], at, [1.0, 0.5]).unwrap();
    }
    let environment = world.environment_mut();
    environment.regions.add(Region::new("hole", Shape::Ball { centre: [25.0, 25.0].into(), radius: 20.0 })).unwrap();
    environment.sources.add(Source::new("nest", "fly", "hole", Arrivals::Rate(60.0))).unwrap();
    (world, ids)
}

fn step(world: &mut World<2>, ticks: usize) {
    (0..ticks).for_each(|_| world.step());
}

#[test]
fn its_agents_leave_and_other_ids_stay_valid() {
    let (mut world, [cat, fly, dog]) = meadow();
    step(&mut world, 9);
    let flies = world.agents(fly).unwrap().ids().to_vec();
    let dogs = world.agents(dog).unwrap().ids().to_vec();
    world.remove_species(fly).unwrap();

    assert_eq!(world.species_ids().collect::<Vec<_>>(), [cat, dog]);
    assert_eq!((world.find_species("fly"), world.find_species("")), (None, None));
    assert_eq!(world.agents(dog).unwrap().ids(), dogs);
    assert_eq!(world.species(dog).unwrap().name, "dog");
    assert_eq!(world.all_agents()[dog.number()].ids(), dogs);
    assert!(world.all_agents()[fly.number()].is_empty());
    assert!(flies.iter().all(|id| !world.contains(*id)));
    let names = |world: World<2>| AnyWorld::from(world).all_species().map(|(_, name, _)| name.to_owned()).collect();
    let names: Vec<String> = names(world.clone());
    assert_eq!(names, ["cat", "dog"]);

    world.step();
    let reported = world.events().iter().filter(|event| match event {
        Event::Removed { species, reason, .. } => *species == fly && *reason == Removal::Despawned,
        _ => false,
    });
    assert_eq!(reported.count(), flies.len());
    // The source adds none without the species.
    step(&mut world, 20);
    assert_eq!(world.population(), 200);
    assert!(world.warnings().is_empty(), "{:?}", world.warnings());
}

#[test]
fn a_stale_id_is_an_error_that_changes_nothing() {
    let (mut world, [cat, fly, _]) = meadow();
    world.remove_species(fly).unwrap();
    let (hash, id) = (world.state_hash(), world.agents(cat).unwrap().ids()[0]);
    let gone = Error::NoSuchSpecies(fly);
    assert_eq!(world.remove_species(fly), Err(gone.clone()));
    assert_eq!(world.spawn(fly, [1.0, 1.0], [0.0; 2]), Err(gone.clone()));
    assert_eq!(world.spawn_from(fly, &AgentStart::default()), Err(gone.clone()));
    assert_eq!(world.spawn_many(fly, &[], &[]), Err(gone.clone()));
    assert_eq!(world.change_species(id, fly), Err(gone.clone()));
    assert_eq!(world.edit_species(fly, |species| species.gap = 1.0), Err(gone.clone()));
    assert_eq!(world.set_parameter(fly, "max_speed", 1.0), Err(gone.clone()));
    assert_eq!(world.add_column(fly, "load", 1.0_f32), Err(gone.clone()));
    assert_eq!(world.set_positions(fly, [&[]; 2]), Err(gone.clone()));
    assert_eq!(world.despawn_where(fly, |_, _| true), Err(gone.clone()));
    assert_eq!(world.steering(fly), Err(gone.clone()));
    assert_eq!(world.agents(fly).map(|agents| agents.len()), Err(gone.clone()));
    assert_eq!(world.species(fly).map(|species| species.name.clone()), Err(gone));
    assert_eq!(world.state_hash(), hash);
}

#[test]
fn its_name_is_free_for_a_new_species_with_another_id() {
    let (mut world, [_, fly, dog]) = meadow();
    let definition = world.species(fly).unwrap().clone();
    world.remove_species(fly).unwrap();
    let again = world.add_species(definition).unwrap();
    assert!(again > dog && world.find_species("fly") == Some(again));
    step(&mut world, 20);
    assert!(!world.agents(again).unwrap().is_empty(), "the source finds the name");
    assert!(matches!(world.add_species(Species::new("")), Err(Error::BadValue(_))));
    assert!(matches!(world.edit_species(dog, |species| species.name.clear()), Err(Error::BadValue(_))));
}

#[test]
fn snapshots_and_recordings_keep_it_removed() {
    let (mut world, [_, fly, dog]) = meadow();
    step(&mut world, 3);
    world.record(1);
    step(&mut world, 3);
    world.remove_species(fly).unwrap();
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut loaded = World::<2>::load(&bytes[..]).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    assert!(loaded.species(fly).is_err() && loaded.species_ids().eq(world.species_ids()));
    for _ in 0..30 {
        for world in [&mut world, &mut loaded] {
            let (rules, seek) = (world.species(dog).unwrap().rules.len(), Seek { target: [40.0, 5.0].into() });
            world.edit_species(dog, |species| *species = species.clone().with(1.0, seek)).unwrap();
            world.remove_rule(dog, rules).unwrap();
            world.step();
        }
        assert_eq!(loaded.state_hash(), world.state_hash());
    }
    let mut replay = world.recording().unwrap().replay().unwrap();
    replay.run().unwrap();
    assert_eq!(replay.world().state_hash(), world.state_hash());
    assert!(replay.world().species(fly).is_err());
}

#[test]
fn a_world_without_species_goes_on() {
    let (mut world, ids) = meadow();
    step(&mut world, 5);
    for id in ids {
        world.remove_species(id).unwrap();
        step(&mut world, 2);
    }
    assert_eq!((world.population(), world.species_ids().count()), (0, 0));
    world.add_species(Species::new("bee").with_contacts(SpeciesFilter::All, 1.0)).unwrap();
    step(&mut world, 2);
}
