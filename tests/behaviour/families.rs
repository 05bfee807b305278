//! Families walk to one exit: the members of a group choose together, among the places that all of them know and can pass.

use std::collections::{BTreeMap, BTreeSet};

use throng::World;
use throng::columns::ColumnSlice;
use throng_scenario::Scenario;

/// A hall with one exit in the west and two in the east, and eighty people in groups of four.
fn hall(seed: u64, navigations: &str, species: &str, rule: &str) -> World<2> {
    let regions: String = [("a", 1.0, 10.0), ("b", 59.0, 4.0), ("c", 59.0, 16.0)]
        .map(|(name, x, y)| {
            format!(
                "[[region]]\nname = \"{name}\"\ncentre = [{x}, {y}]\nsize = [1, 3]\n\
                 [[sink]]\nname = \"{name}\"\nregion = \"{name}\"\n"
            )
        })
        .concat();
    let text = format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [60, 20]\nedge = \"bounce\"\ntick = 0.1\nseed = {seed}\n{regions}\n\
         {navigations}\n[species.v]\ncount = 80\npeople = true\n\
         place = {{ region = \"box\", centre = [22, 10], size = [14, 16], group_size = 4, speed = 0.0 }}\n{species}\n\
         behaviours = [{{ rule = \"walk_to\", {rule} }}, {{ rule = \"stay_in_group\" }}]\n"
    );
    Scenario::parse(&text, "hall.toml").unwrap_or_else(|all| panic!("{all}\n{text}")).build().unwrap()
}

const EXITS: &str = "[navigation.a]\ngoals = [\"region:a\"]\ncell = 0.3\n[navigation.b]\ngoals = [\"region:b\"]\ncell = 0.3\n\
                     [navigation.c]\ngoals = [\"region:c\"]\ncell = 0.3\n";

fn column(world: &World<2>, name: &str) -> Vec<u32> {
    let agents = &world.all_agents()[0];
    match agents.columns().find(|column| column.name == name).map(|column| column.numbers) {
        Some(ColumnSlice::U32(numbers)) => numbers.to_vec(),
        _ => vec![0; agents.len()],
    }
}

/// The place to which each agent heads: a navigation, or the one with the same goals.
fn places(world: &World<2>) -> Vec<usize> {
    let navigations = &world.environment().navigations;
    let heading = |heading: &[u32; 2]| {
        let number = navigations.ids().iter().position(|id| id.to_bits() + 1 == u64::from(heading[0]));
        let number = number.expect("all head somewhere");
        navigations.items().iter().position(|other| other.goals == navigations.items()[number].goals).unwrap()
    };
    world.all_agents()[0].column::<[u32; 2]>("heading").unwrap().iter().map(heading).collect()
}

/// The number of groups, and of those that head for several places.
fn divided(world: &World<2>) -> [usize; 2] {
    let mut groups = BTreeMap::<u32, BTreeSet<usize>>::new();
    for (group, place) in column(world, "group").into_iter().zip(places(world)) {
        groups.entry(group).or_default().insert(place);
    }
    [groups.len(), groups.values().filter(|places| places.len() > 1).count()]
}

#[test]
fn no_family_is_divided() {
    let wheels = "familiar = { a = 0.7 }\nkinds = [{ name = \"wheelchair\", share = 0.1, radius = 0.4, mass = 120.0, \
                  max_speed = 0.9, familiar = { a = 0.0 } }]";
    let all = "goals = [\"a\", \"b\", \"c\"]";
    let by_time = format!("{all}, choose = \"time\"");
    let cases = [("familiar = { a = 0.5, b = 0.5 }", all), (wheels, &by_time[..]), ("", &by_time)];
    for (case, (species, rule)) in cases.into_iter().enumerate() {
        let mut to_each = [0; 3];
        for seed in 0..8 {
            let mut world = hall(seed, EXITS, species, rule);
            for second in 0..if case == 0 { 1 } else { 4 } {
                (0..10).for_each(|_| world.step());
                let [groups, divided] = divided(&world);
                assert_eq!(
                    divided, 0,
                    "{divided} of {groups} families, seed {seed}, second {second}, {species} {rule}"
                );
            }
            places(&world).into_iter().for_each(|place| to_each[place] += 1);
            // People in wheelchairs, and so their families, never take the exit that these do not know.
            let kinds = column(&world, "kind");
            assert!(kinds.iter().zip(places(&world)).all(|(kind, place)| *kind == 0 || place != 0));
        }
        assert!(to_each.iter().all(|count| *count > 8), "{to_each:?}");
    }
}

/// A share is one of families: about half of them know the near exit, not a sixteenth.
#[test]
fn a_family_knows_what_its_first_member_knows() {
    let mut known = [0, 0];
    for seed in 0..20 {
        let mut world = hall(seed, EXITS, "familiar = { a = 0.5 }", "goals = [\"a\", \"b\"]");
        let alike = |world: &World<2>| {
            let mut groups = BTreeMap::<u32, BTreeSet<u32>>::new();
            for (group, bits) in column(world, "group").into_iter().zip(column(world, "familiar")) {
                groups.entry(group).or_default().insert(bits & 1);
            }
            assert!(groups.values().all(|bits| bits.len() == 1), "{groups:?}");
            groups.values().filter(|bits| bits.contains(&1)).count()
        };
        known[0] += alike(&world);
        let species = world.find_species("v").unwrap();
        world.edit_species(species, |species| species.familiar[0].share = 0.9).unwrap();
        known[1] += alike(&world);
    }
    assert!((160..240).contains(&known[0]) && (330..390).contains(&known[1]), "{known:?} of 400");
}

/// Members that are set apart choose for themselves; an order counts for its agent; after the first member has left, the
/// next one leads.
#[test]
fn a_family_without_a_common_way_does_not_wait() {
    let mut world = hall(3, EXITS, "", "goals = [\"a\", \"b\"]");
    let species = world.find_species("v").unwrap();
    (0..5).for_each(|_| world.step());
    let members: Vec<_> = world.all_agents()[0].ids().to_vec();
    let of = |world: &World<2>, group: u32| -> Vec<_> {
        let groups = column(world, "group");
        members.iter().copied().filter(|&id| groups[world.find(id).unwrap().1] == group).collect()
    };
    let mut family = of(&world, 1);
    family.sort_by_key(|id| id.to_bits());
    let place = |world: &World<2>, id| places(world)[world.find(id).unwrap().1];
    let before = place(&world, family[0]);
    // The host sends the first elsewhere, and the others follow.
    world.add_column(species, "order", 0u32).unwrap();
    world.set_column_value(family[0], "order", 2 - before as u32).unwrap();
    (0..3).for_each(|_| world.step());
    assert!(family.iter().all(|&id| place(&world, id) == 1 - before));
    // Without it they choose again, in turn of the next one.
    world.despawn(family[0]).unwrap();
    (0..15).for_each(|_| world.step());
    let places: BTreeSet<_> = family[1..].iter().map(|&id| place(&world, id)).collect();
    assert_eq!(places.len(), 1);
}

/// The same bits on threads, and after a restore in the middle.
#[test]
fn families_have_equal_bits() {
    let kinds = "familiar = { a = 0.5 }\nkinds = [{ name = \"pram\", share = 0.2, radius = 0.35 }]";
    let start = hall(1, EXITS, kinds, "goals = [\"a\", \"b\", \"c\"], choose = \"time\"");
    let run = |mut world: World<2>, ticks: usize| {
        (0..ticks).for_each(|_| world.step());
        world
    };
    let expected = run(start.clone(), 60).state_hash();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert_eq!(pool.install(|| run(start.clone(), 60)).state_hash(), expected);
    let mut saved = Vec::new();
    run(start, 25).save(&mut saved).unwrap();
    assert_eq!(run(World::load(&saved[..]).unwrap(), 35).state_hash(), expected);
}

/// Families leave by stairs on which people walk half as fast: at most 15 % later than the same people on their own.
#[test]
fn families_hardly_hold_up_a_crowd_on_stairs() {
    let mut last = [0.0; 2];
    for seed in 1..4 {
        for (sum, rules) in last.iter_mut().zip(["", ", { rule = \"stay_in_group\" }"]) {
            let text = format!(
                "format = 1\n\
                 walls = [[[24.5, 1], [24.5, 5.2], [15, 5.2], [15, 1], [1, 1], [1, 11], [15, 11], [15, 6.8], [24.5, 6.8], [24.5, 11]]]\n\
                 [world]\ndimensions = 2\nsize = [30, 12]\nedge = \"bounce\"\ntick = 0.05\nseed = {seed}\n\
                 [[region]]\nname = \"exit\"\ncentre = [28, 6]\nsize = [2, 9.6]\n\
                 [[region]]\nname = \"stairs\"\ncentre = [19.75, 6]\nsize = [9.5, 1.6]\n\
                 [[zone]]\nregion = \"stairs\"\nfactor = 0.5\n[[sink]]\nname = \"exit\"\nregion = \"exit\"\n\
                 [navigation.out]\ngoals = [\"region:exit\"]\n[species.person]\ncount = 120\npeople = true\n\
                 population = \"residents\"\n\
                 place = {{ region = \"box\", centre = [8, 6], size = [13.4, 9.4], speed = 0.0, group_size = [1, 3] }}\n\
                 behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}{rules}]\n"
            );
            let mut world: World<2> =
                Scenario::parse(&text, "stairs.toml").unwrap_or_else(|all| panic!("{all}")).build().unwrap();
            while !world.all_agents()[0].is_empty() && world.tick() < 10_000 {
                world.step();
            }
            *sum += world.tick() as f64 * 0.05;
        }
    }
    assert!(last[1] < 1.15 * last[0], "{last:?}");
}
