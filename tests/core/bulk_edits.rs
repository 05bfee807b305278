//! Tests that edits of all agents at once give the bits of edits one by one.

use crate::edits::Random;
use crate::scenarios::tick;
use throng::behaviours::{Alignment, Cohesion, Separation, Wander};
use throng::settings::NeighbourLists;
use throng::{Edge, Execution, Settings, Species, SpeciesFilter, SpeciesId, Vector, World};

/// Two species that see each other.
fn world<const D: usize>(edge: Edge) -> World<D> {
    let settings = Settings { size: Vector::splat(40.0), edge: [edge; _], tick_seconds: 0.05, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let mut random = Random::new(4);
    for (name, moved) in [("driven", true), ("free", false)] {
        let species = Species::new(name)
            .with_max_speed(3.0)
            .with(1.0, Separation { from: SpeciesFilter::All, ..Separation::default() })
            .with(1.0, Alignment::default())
            .with(0.5, Cohesion { radius: 6.0, from: SpeciesFilter::All, ..Cohesion::default() })
            .with(0.5, Wander::default());
        let id = world.add_species(Species { moved_by_host: moved, ..species }).unwrap();
        for _ in 0..700 {
            world.spawn(id, random.point(Vector::splat(40.0)), random.point(Vector::splat(2.0))).unwrap();
        }
    }
    world
}

/// The next positions and velocities of a species: most agents move by a step, a few go anywhere.
fn next<const D: usize>(world: &World<D>, id: SpeciesId, step: f32, random: &mut Random) -> [[Vec<f32>; D]; 2] {
    let (agents, size) = (world.agents(id).unwrap(), world.settings().size);
    let rows: Vec<[Vector<D>; 2]> = (0..agents.len())
        .map(|row| {
            let way = random.point(Vector::splat(2.0 * step)) - Vector::splat(step);
            let at = if random.below(200) == 0 { random.point(size) } else { agents.position(row) + way };
            let at = Vector::from_fn(|axis| match world.settings().edge[axis] {
                Edge::Wrap | Edge::Open => at[axis],
                _ => at[axis].clamp(0.0, size[axis]),
            });
            [at, random.point(Vector::splat(2.0))]
        })
        .collect();
    [0, 1].map(|kind| std::array::from_fn(|axis| rows.iter().map(|row| row[kind][axis]).collect()))
}

fn check<const D: usize>(edge: Edge, neighbour_lists: NeighbourLists) {
    let (mut world, mut twin) = (world::<D>(edge), world::<D>(edge));
    world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
    let id = world.species_ids().next().unwrap();
    let (mut random, mut found, mut expected) = (Random::new(6), Vec::new(), Vec::new());
    for number in 0..60 {
        let step = [0.01, 0.1, 0.4][number / 5 % 3];
        let [positions, velocities] = next(&world, id, step, &mut random);
        for repeat in 0..1 + number % 2 {
            let ids = twin.agents(id).unwrap().ids().to_vec();
            for (row, &agent) in ids.iter().enumerate() {
                twin.set_position(agent, Vector::from_fn(|axis| positions[axis][row])).unwrap();
                twin.set_velocity(agent, Vector::from_fn(|axis| velocities[axis][row])).unwrap();
            }
            world.set_positions(id, positions.each_ref().map(Vec::as_slice)).unwrap();
            world.set_velocities(id, velocities.each_ref().map(Vec::as_slice)).unwrap();
            assert_eq!(world.state_hash(), twin.state_hash(), "{edge:?}: edit {repeat} before tick {number}");
        }
        for _ in 0..5 {
            let point = random.point(world.settings().size);
            world.query().nearest(point, 9, &mut found).unwrap();
            twin.query().nearest(point, 9, &mut expected).unwrap();
            assert_eq!(found, expected, "{edge:?}: nearest before tick {number}");
            world.query().within(point, 5.0, &mut found).unwrap();
            twin.query().within(point, 5.0, &mut expected).unwrap();
            assert_eq!(found, expected, "{edge:?}: within before tick {number}");
        }
        assert_eq!(tick(&mut world), tick(&mut twin), "{edge:?}: tick {number}");
    }
}

#[test]
fn all_agents_are_moved_at_once_as_one_by_one() {
    for edge in [Edge::Wrap, Edge::Bounce, Edge::Open, Edge::Remove] {
        for lists in NeighbourLists::ALL {
            check::<2>(edge, lists);
        }
        check::<3>(edge, NeighbourLists::Kept);
    }
}
