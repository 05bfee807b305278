//! Tests of the host's columns and of state variables: values follow their agents through edits and ticks.

use std::collections::BTreeMap;

use throng::behaviours::{Cohesion, Separation, Wander};
use throng::settings::NeighbourLists;
use throng::{
    AgentId, Condition, Distribution, Edge, Error, Execution, Noise, Settings, Species, SpeciesId, State, Vector, World,
};

/// The values of an agent's columns, one of each type.
type Own = (f32, u32, u64, [f32; 3], [u32; 2], [u64; 5]);

fn own(number: u64) -> Own {
    let small = number as u32;
    let real = number as f32 + 0.5;
    (real, small, number << 33, [real, -real, 1.0 / real], [small, !small], [number, !number, 1, 2, number * number])
}

/// The values of a new agent.
const START: Own = (-1.0, 7, u64::MAX, [0.25, -0.0, 1e30], [1, 2], [5, 4, 3, 2, 1]);

fn add_columns<const D: usize>(world: &mut World<D>, species: SpeciesId) {
    let (a, b, c, d, e, f) = START;
    world.add_column(species, "real", a).unwrap();
    world.add_column(species, "small", b).unwrap();
    world.add_column(species, "large", c).unwrap();
    world.add_column(species, "three reals", d).unwrap();
    world.add_column(species, "two small", e).unwrap();
    world.add_column(species, "five large", f).unwrap();
}

fn write<const D: usize>(world: &mut World<D>, id: AgentId, (a, b, c, d, e, f): Own) {
    world.set_column_value(id, "real", a).unwrap();
    world.set_column_value(id, "small", b).unwrap();
    world.set_column_value(id, "large", c).unwrap();
    world.set_column_value(id, "three reals", d).unwrap();
    world.set_column_value(id, "two small", e).unwrap();
    world.set_column_value(id, "five large", f).unwrap();
}

fn read<const D: usize>(world: &World<D>, id: AgentId) -> Own {
    let real = world.column_value(id, "real").unwrap();
    let (small, large) = (world.column_value(id, "small").unwrap(), world.column_value(id, "large").unwrap());
    let arrays = (world.column_value(id, "three reals").unwrap(), world.column_value(id, "two small").unwrap());
    (real, small, large, arrays.0, arrays.1, world.column_value(id, "five large").unwrap())
}

/// Reads the columns of a species as slices.
fn read_all<const D: usize>(world: &World<D>, species: SpeciesId) -> BTreeMap<AgentId, Own> {
    let agents = world.agents(species).unwrap();
    let (a, b) = (agents.column::<f32>("real").unwrap(), agents.column::<u32>("small").unwrap());
    let (c, d) = (agents.column::<u64>("large").unwrap(), agents.column::<[f32; 3]>("three reals").unwrap());
    let (e, f) = (agents.column::<[u32; 2]>("two small").unwrap(), agents.column::<[u64; 5]>("five large").unwrap());
    for length in [a.len(), b.len(), c.len(), d.len(), e.len(), f.len()] {
        assert_eq!(length, agents.len());
    }
    let row = |(row, &id): (usize, &AgentId)| (id, (a[row], b[row], c[row], d[row], e[row], f[row]));
    agents.ids().iter().enumerate().map(row).collect()
}

/// Runs a world and compares its columns with a map that the host keeps. Returns the number of rows compared.
fn course<const D: usize>(edge: Edge, neighbour_lists: NeighbourLists, threads: usize) -> usize {
    let settings =
        Settings { size: Vector::splat(60.0), edge: [edge; _], tick_seconds: 0.1, seed: 4, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
    let mut noise = Noise::new(8, 0, 0, Noise::USER);
    let mut species = Vec::new();
    for name in ["bird", "moth"] {
        let definition = Species::new(name)
            .with(1.0, Separation::default())
            .with(0.3, Cohesion::default())
            .with(1.0, Wander::default());
        let id = world.add_species(definition).unwrap();
        add_columns(&mut world, id);
        species.push(id);
    }
    let mut known: BTreeMap<AgentId, Own> = BTreeMap::new();
    let (mut number, mut compared, mut gone) = (0, 0, 0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for tick in 0..90 {
        for count in 0..if tick == 0 { 700 } else { 6 } {
            let id = species[count % 2];
            let at = Vector::<D>::from_fn(|_| noise.between(0.0, 60.0));
            let agent = world.spawn(id, at, noise.direction::<D>() * 8.0).unwrap();
            known.insert(agent, START);
            if count % 3 > 0 {
                number += 1;
                write(&mut world, agent, own(number));
                known.insert(agent, own(number));
            }
        }
        for _ in 0..3 {
            let place = (noise.unit() * known.len() as f32) as usize;
            let (&agent, _) = known.iter().nth(place).unwrap();
            world.despawn(agent).unwrap();
            known.remove(&agent);
            let (&agent, _) = known.iter().next_back().unwrap();
            world.set_position(agent, Vector::<D>::from_fn(|_| noise.between(0.0, 60.0))).unwrap();
        }
        pool.install(|| world.step());
        // The edge removes agents together with their values.
        let before = known.len();
        known.retain(|&id, _| world.contains(id));
        gone += before - known.len();
        let found: BTreeMap<AgentId, Own> = species.iter().flat_map(|&id| read_all(&world, id)).collect();
        assert_eq!(found, known, "{edge:?}, tick {tick}");
        for (&id, own) in known.iter().step_by(41) {
            assert_eq!(read(&world, id), *own);
        }
        compared += known.len();
    }
    assert!(gone > 100 || !matches!(edge, Edge::Remove), "the edge removed {gone} agents, expected more than 100");
    compared
}

#[test]
fn columns_of_every_type_follow_their_agents() {
    for edge in [Edge::Wrap, Edge::Remove, Edge::Respawn, Edge::Bounce] {
        let compared = course::<2>(edge, NeighbourLists::Fresh, 2) + course::<3>(edge, NeighbourLists::Kept, 3);
        assert!(compared > 40_000, "{compared} rows were compared, expected more than 40 000");
    }
}

/// A world with twenty agents of a species with variables, and their ids in the order of rows.
fn thirsty() -> (World<2>, SpeciesId, Vec<AgentId>) {
    let mut world = World::<2>::new(Settings { tick_seconds: 0.5, ..Settings::default() }).unwrap();
    let species = Species::new("deer")
        .with_variable("thirst", 0.25, -1.0, 2.0)
        .with_variable("age", 0.0, 0.0, 100.0)
        .with_state(
            State::new("graze")
                .with_rate("thirst", 0.5)
                .with_transition("drink", Condition::Above("thirst".into(), 1.0)),
        )
        .with_state(State::new("drink"));
    let deer = world.add_species(species).unwrap();
    for number in 0..20 {
        world.spawn(deer, [5.0 * number as f32, 50.0], [0.0, 0.0]).unwrap();
    }
    let ids = world.agents(deer).unwrap().ids().to_vec();
    (world, deer, ids)
}

#[test]
fn slices_are_written_and_read_in_the_order_of_rows() {
    let (mut world, deer, ids) = thirsty();
    add_columns(&mut world, deer);
    let numbers: Vec<u32> = (100..120).collect();
    world.set_column(deer, "small", &numbers).unwrap();
    assert_eq!(world.agents(deer).unwrap().column::<u32>("small").unwrap(), numbers);
    assert!(ids.iter().zip(&numbers).all(|(&id, &number)| world.column_value::<u32>(id, "small").unwrap() == number));
    let rows: Vec<[f32; 3]> = (0..20).map(|row| [row as f32, 0.0, f32::INFINITY]).collect();
    world.set_column(deer, "three reals", &rows).unwrap();
    assert_eq!(world.agents(deer).unwrap().column::<[f32; 3]>("three reals").unwrap(), rows);
    let hash = world.state_hash();
    let short = world.set_column(deer, "small", &numbers[1..]);
    assert_eq!(short, Err(Error::Length { agents: 20, given: 19 }));
    assert!(matches!(world.set_column(deer, "small", &[1.0f32; 20]), Err(Error::ColumnType { .. })));
    assert!(matches!(world.set_column(deer, "two small", &[1u32; 20]), Err(Error::ColumnType { .. })));
    assert!(matches!(world.set_column(deer, "nothing", &[1u32; 20]), Err(Error::NoSuchColumn(_))));
    assert!(matches!(world.set_column_value(ids[0], "small", 1u64), Err(Error::ColumnType { .. })));
    assert!(matches!(world.column_value::<[u32; 1]>(ids[0], "two small"), Err(Error::ColumnType { .. })));
    assert!(matches!(world.column_value::<u32>(ids[0], "Small"), Err(Error::NoSuchColumn(_))));
    assert!(matches!(world.agents(deer).unwrap().column::<f32>("large"), Err(Error::ColumnType { .. })));
    world.despawn(ids[0]).unwrap();
    let dead = ids[0];
    assert_eq!(world.column_value::<u32>(dead, "small"), Err(Error::NoSuchAgent(dead)));
    assert_eq!(world.set_column_value(dead, "small", 1u32), Err(Error::NoSuchAgent(dead)));
    assert_ne!(world.state_hash(), hash);
}

#[test]
fn velocities_of_all_agents_are_set_row_by_row() {
    let (mut world, deer, ids) = thirsty();
    let (x, y): (Vec<f32>, Vec<f32>) = (0..20).map(|row| (row as f32, -0.5 * row as f32)).unzip();
    world.set_velocities(deer, [&x, &y]).unwrap();
    assert_eq!(world.agents(deer).unwrap().velocities(), [&x[..], &y[..]]);
    assert!(ids.iter().zip(&x).all(|(&id, &x)| world.velocity(id).unwrap() == Vector([x, -0.5 * x])));
    let hash = world.state_hash();
    let mut wrong = y.clone();
    wrong[19] = f32::NAN;
    assert!(matches!(world.set_velocities(deer, [&x, &wrong]), Err(Error::BadValue(_))));
    assert_eq!(world.set_velocities(deer, [&x, &y[1..]]), Err(Error::Length { agents: 20, given: 19 }));
    assert_eq!(world.state_hash(), hash);
}

#[test]
fn variables_are_columns_with_a_range() {
    let (mut world, deer, ids) = thirsty();
    let names = |world: &World<2>| {
        let agents = world.agents(deer).unwrap();
        agents.columns().map(|column| format!("{}: {}", column.name, column.type_name())).collect::<Vec<_>>()
    };
    assert_eq!(names(&world), ["thirst: f32", "age: f32"]);
    assert_eq!(world.agents(deer).unwrap().column::<f32>("thirst").unwrap(), [0.25; 20]);
    world.step();
    assert_eq!(world.agents(deer).unwrap().column::<f32>("thirst").unwrap(), [0.5; 20]);
    world.set_column_value(ids[3], "thirst", 2.0f32).unwrap();
    let hash = world.state_hash();
    for bad in [2.1, -1.1, f32::NAN, f32::INFINITY] {
        assert!(matches!(world.set_column_value(ids[3], "thirst", bad), Err(Error::BadValue(_))), "{bad}");
        let mut all = [0.0; 20];
        all[19] = bad;
        assert!(matches!(world.set_column(deer, "thirst", &all), Err(Error::BadValue(_))), "{bad}");
    }
    assert!(matches!(world.set_column_value(ids[3], "thirst", 1u32), Err(Error::ColumnType { .. })));
    assert_eq!(world.state_hash(), hash, "a refused edit changes nothing");
    world.step();
    assert_eq!(world.state(ids[3]).unwrap(), Some("drink"), "the value that the host wrote takes effect");
    assert_eq!(world.state(ids[4]).unwrap(), Some("graze"));
    // A host sees neither states nor their seconds as columns, and cannot remove a variable.
    for name in ["state", "seconds", "flags"] {
        assert!(matches!(world.column_value::<u32>(ids[0], name), Err(Error::NoSuchColumn(_))), "{name}");
    }
    assert!(matches!(world.remove_column(deer, "thirst"), Err(Error::NoSuchColumn(_))));
    // A narrower range clamps the present values. A threshold beyond it is refused.
    let narrow = |species: &mut Species<2>| species.variables[0].high = 0.6;
    assert!(matches!(world.edit_species(deer, narrow), Err(Error::BadValue(_))));
    let both = |species: &mut Species<2>| {
        species.variables[0].high = 0.6;
        species.states[0].transitions[0].when = Condition::Above("thirst".into(), 0.6);
    };
    world.edit_species(deer, both).unwrap();
    assert!(world.agents(deer).unwrap().column::<f32>("thirst").unwrap().iter().all(|&thirst| thirst <= 0.6));
    assert!(world.set_column_value(ids[3], "thirst", 0.7f32).is_err());
}

#[test]
fn names_of_columns_and_variables_are_unique() {
    let (mut world, deer, ids) = thirsty();
    world.add_column(deer, "weight", 1.0f32).unwrap();
    let hash = world.state_hash();
    assert_eq!(world.add_column(deer, "weight", 1u32), Err(Error::NameTaken("weight".into())));
    assert_eq!(world.add_column(deer, "thirst", 1u32), Err(Error::NameTaken("thirst".into())));
    let same = |species: &mut Species<2>| *species = species.clone().with_variable("weight", 0.0, 0.0, 1.0);
    assert_eq!(world.edit_species(deer, same), Err(Error::NameTaken("weight".into())), "the name is a column's");
    let twice = |species: &mut Species<2>| *species = species.clone().with_variable("thirst", 0.0, 0.0, 1.0);
    assert!(world.edit_species(deer, twice).is_err(), "two variables of one name");
    let twice = Species::new("elk").with_variable("age", 0.0, 0.0, 1.0).with_variable("age", 0.0, 0.0, 1.0);
    assert!(world.add_species(twice).is_err(), "two variables of one name");
    assert_eq!(world.state_hash(), hash, "a refused edit changes nothing");
    // The names of the engine's own columns are free, and each species has its own names.
    for name in ["seconds", "flags", "regions", "displacement", ""] {
        world.add_column(deer, name, 5u32).unwrap();
    }
    let taken = world.add_column(deer, "state", 5u32);
    assert!(matches!(taken, Err(Error::NameTaken(_))), "trajectories have a column of this name");
    (0..2).for_each(|_| world.step());
    assert_eq!(world.column_value::<u32>(ids[0], "seconds"), Ok(5));
    assert_eq!(world.state(ids[0]).unwrap(), Some("graze"));
    let elk = world.add_species(Species::new("elk")).unwrap();
    world.add_column(elk, "thirst", 5u64).unwrap();
    world.remove_column(deer, "weight").unwrap();
    assert!(matches!(world.remove_column(deer, "weight"), Err(Error::NoSuchColumn(_))));
    world.add_column(deer, "weight", [1u64; 2]).unwrap();
    assert_eq!(world.column_value::<[u64; 2]>(ids[0], "weight"), Ok([1, 1]));
}

#[test]
fn hash_snapshot_and_clone_include_columns() {
    let world = || {
        let (mut world, deer, ids) = thirsty();
        add_columns(&mut world, deer);
        (world, deer, ids)
    };
    let (base, ..) = world();
    let mut hashes = vec![base.state_hash()];
    let (value, name) = (own(1), ["real", "small", "large", "three reals", "two small", "five large"]);
    for column in 0..6 {
        let (mut world, _, ids) = world();
        match column {
            0 => world.set_column_value(ids[3], name[0], value.0),
            1 => world.set_column_value(ids[3], name[1], value.1),
            2 => world.set_column_value(ids[3], name[2], value.2),
            3 => world.set_column_value(ids[3], name[3], value.3),
            4 => world.set_column_value(ids[3], name[4], value.4),
            _ => world.set_column_value(ids[3], name[5], value.5),
        }
        .unwrap();
        hashes.push(world.state_hash());
    }
    let (mut removed, deer, _) = world();
    removed.remove_column(deer, "large").unwrap();
    hashes.push(removed.state_hash());
    // The same values, with another start value for new agents.
    removed.add_column(deer, "large", 3u64).unwrap();
    removed.set_column(deer, "large", &[u64::MAX; 20]).unwrap();
    hashes.push(removed.state_hash());
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);

    let (mut world, deer, ids) = world();
    for (number, &id) in ids.iter().enumerate() {
        write(&mut world, id, own(number as u64));
    }
    world.despawn(ids[4]).unwrap();
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut loaded = World::<2>::load(&bytes[..]).unwrap();
    let mut clone = world.clone();
    for other in [&mut loaded, &mut clone] {
        assert_eq!(other.state_hash(), world.state_hash());
        assert_eq!(read_all(other, deer), read_all(&world, deer));
        // A new agent has the start values.
        let young = other.spawn(deer, [1.0, 1.0], [0.0, 0.0]).unwrap();
        assert_eq!(read(other, young), START);
    }
    assert_eq!(loaded.state_hash(), clone.state_hash());
}

/// Edits of a species' definition leave the host's columns unchanged.
#[test]
fn columns_survive_edits_of_the_species() {
    let (mut world, deer, ids) = thirsty();
    add_columns(&mut world, deer);
    for (number, &id) in ids.iter().enumerate() {
        write(&mut world, id, own(number as u64));
    }
    let before = read_all(&world, deer);
    world
        .edit_species(deer, |species| {
            species.states.clear();
            species.variables.clear();
            species.max_speed = Distribution::Uniform(1.0, 2.0);
            species.rules.push(throng::Rule::new(1.0, Wander::default()));
        })
        .unwrap();
    assert_eq!(read_all(&world, deer), before);
    world.step();
    assert_eq!(read_all(&world, deer), before);
    let names: Vec<String> = world.agents(deer).unwrap().columns().map(|column| column.name.to_owned()).collect();
    assert_eq!(names.len(), 6);
    world.remove_column(deer, "real").unwrap();
    world.remove_rule(deer, 0).unwrap();
    let shape = throng::Shape::Ball { centre: Vector([1.0, 1.0]), radius: 1.0 };
    world.environment_mut().regions.add(throng::Region { name: "pond".into(), shape }).unwrap();
    world.step();
    assert!(ids.iter().all(|id| world.column_value::<[u64; 5]>(*id, "five large").unwrap() == before[id].5));
}
