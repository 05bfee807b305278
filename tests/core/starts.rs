//! How agents start: where bodies have room, headings at rest, goals, and worlds to which each rank adds its own agents.

use throng::behaviours::{Alignment, Seek};
use throng::ranks::{InProcess, Ranks, in_process};
use throng::{
    AgentStart, Edge, Error, FreeSpace, Mark, Noise, Settings, Shape, Species, SpeciesId, Vector, Wall, WallShape,
    World,
};

fn world() -> World<2> {
    World::new(Settings { size: Vector([40.0; 2]), edge: [Edge::Bounce; 2], ..Settings::default() }).unwrap()
}

#[test]
fn an_agent_at_rest_looks_where_its_start_says() {
    let mut world = world();
    let seeing = Species::new("seeing").with(1.0, Alignment { fov: 200.0, ..Alignment::default() });
    let seeing = world.add_species(seeing).unwrap();
    let start = AgentStart::new([5.0, 5.0], [0.0, 0.0]).with_heading([0.0, -2.0]).with_goal([9.0, 9.0]);
    let id = world.spawn_from(seeing, &start).unwrap();
    let agents = world.agents(seeing).unwrap();
    assert_eq!((agents.heading(0), agents.goal(0)), (Vector([0.0, -1.0]), Some(Vector([9.0, 9.0]))));
    // One that moves looks where it goes.
    world.spawn_from(seeing, &AgentStart::new([6.0, 6.0], [3.0, 0.0]).with_heading([0.0, -2.0])).unwrap();
    assert_eq!(world.agents(seeing).unwrap().heading(1), Vector([1.0, 0.0]));
    assert_eq!(world.position(id).unwrap(), Vector([5.0, 5.0]));
}

#[test]
fn a_refused_start_adds_no_agent() {
    let mut world = world();
    let ant = world.add_species(Species::new("ant")).unwrap();
    let good = AgentStart::new([5.0, 5.0], [0.0, 0.0]);
    for start in [
        AgentStart::new([f32::NAN, 0.0], [0.0, 0.0]),
        AgentStart::new([41.0, 0.0], [0.0, 0.0]),
        AgentStart::new([1.0, 0.0], [f32::INFINITY, 0.0]),
        good.with_heading([f32::NAN, 0.0]),
        good.with_heading([0.0, 2e6]),
        good.with_goal([f32::NAN, 0.0]),
        good.with_goal([0.0, -2e6]),
    ] {
        assert!(matches!(world.spawn_from(ant, &start), Err(Error::BadValue(_))), "{start:?}");
    }
    assert_eq!((world.population(), world.spawned()), (0, 0));
}

#[test]
fn positions_are_drawn_inside_a_shape_and_a_world() {
    let mut noise = Noise::new(2, 0, 0, Noise::USER);
    let settings = Settings::<2> { size: Vector([20.0; 2]), edge: [Edge::Wrap, Edge::Bounce], ..Settings::default() };
    let shapes = [
        Shape::Ball { centre: Vector([0.5, 10.0]), radius: 3.0 },
        Shape::Box { centre: Vector([19.0, 10.0]), half: Vector([3.0, 2.0]) },
    ];
    for shape in shapes {
        let (centre, half) = shape.bounds();
        let mut across = 0;
        for _ in 0..200 {
            let at = shape.draw(&settings, 0.5, &mut noise).unwrap();
            let offset = settings.offset(centre, at);
            let fits = match shape {
                Shape::Ball { radius, .. } => offset.length() <= radius - 0.5 + 1e-4,
                _ => (0..2).all(|axis| offset[axis].abs() <= half[axis] - 0.5 + 1e-4),
            };
            assert!(fits && (0.0..20.0).contains(&at[0]), "{at:?} in {shape:?}");
            across += usize::from((at[0] - centre[0]).abs() > 10.0);
        }
        assert!((10..190).contains(&across), "{across}: on both sides of the seam");
    }
    // On a boundary some draws lie outside of the world.
    let outside = Shape::Box { centre: Vector([10.0, 20.0]), half: Vector([3.0, 2.0]) };
    let draws = (0..100).filter(|_| outside.draw(&settings, 0.5, &mut noise).is_some()).count();
    assert!((20..80).contains(&draws), "{draws}");
}

fn square(low: f32, high: f32) -> WallShape<2> {
    let points = [[low, low], [high, low], [high, high], [low, high]].map(Vector).to_vec();
    WallShape::Path { points, closed: true }
}

#[test]
fn bodies_have_no_room_in_columns_and_outside_of_buildings() {
    let mut world = world();
    let environment = world.environment_mut();
    environment.walls.add(Wall { solid: Some(false), ..Wall::new(square(5.0, 35.0)) }).unwrap();
    environment.walls.add(Wall { solid: Some(true), ..Wall::new(square(10.0, 14.0)) }).unwrap();
    let door = Wall { open: vec![[0.0, 0.5]], ..Wall::segment([20.0, 5.0], [20.0, 35.0]) };
    environment.walls.add(door).unwrap();
    let free = |world: &World<2>, at: [f32; 2]| world.free_space().is_free(at, 0.3).unwrap();
    let places = [[12.0, 12.0], [9.8, 12.0], [9.6, 12.0], [2.0, 2.0], [5.2, 20.0], [20.1, 20.0]];
    assert_eq!(places.map(|at| free(&world, at)), [false, false, true, false, false, true]);
    (0..60).for_each(|_| world.step());
    assert!(!free(&world, [20.1, 20.0]), "the door has closed");
}

#[test]
fn a_closed_wall_around_a_start_is_the_outline_of_a_building() {
    let mut world = world();
    world.environment_mut().walls.add(Wall::new(square(10.0, 14.0))).unwrap();
    let settings = world.settings().clone();
    let inside = [12.0, 12.0];
    let start = Shape::Ball { centre: Vector(inside), radius: 1.0 }.samples();
    let column = FreeSpace::new(world.environment(), &settings, &[]);
    assert_eq!((column.is_free(inside, 0.3), column.is_ground([30.0, 30.0])), (Ok(false), true));
    let room = FreeSpace::new(world.environment(), &settings, &[start]);
    assert_eq!((room.is_free(inside, 0.3), room.is_ground(inside)), (Ok(true), true));
    // Outside of it a body has room too, but agents that start anywhere start inside.
    assert_eq!((room.is_free([30.0, 30.0], 0.3), room.is_ground([30.0, 30.0])), (Ok(true), false));
    let mut environment = world.environment().clone();
    environment.marks.put(Mark::new("desk", inside)).unwrap();
    assert_eq!(FreeSpace::new(&environment, &settings, &[]).is_free(inside, 0.3), Ok(true), "a mark says the same");
}

/// Agents of two species, the second with goals, and a column of each agent's number.
fn empty() -> (World<2>, [SpeciesId; 2]) {
    let mut world = world();
    let species = ["ant", "bee"].map(|name| {
        let species = world.add_species(Species::new(name).with(1.0, Seek { target: [20.0, 20.0].into() })).unwrap();
        world.add_column(species, "number", 0_u32).unwrap();
        species
    });
    (world, species)
}

fn start(species: usize, number: u64) -> AgentStart<2> {
    let position = [(number % 40) as f32, (number / 40) as f32];
    let start = AgentStart::new(position, [1.0, 0.5]);
    if species == 1 && number.is_multiple_of(3) { start.with_goal([1.0, 39.0]) } else { start }
}

const AGENTS: [u64; 2] = [700, 900];

fn divided(rank: InProcess) -> u64 {
    let (mut world, _) = empty();
    let ranks = Ranks::new(rank);
    ranks.divide(&mut world).unwrap();
    // A start that was given up leaves no agents.
    let mut own = ranks.start_own(&mut world);
    for number in own.next_species(AGENTS[0], false).unwrap() {
        own.spawn(&start(0, number)).unwrap();
    }
    drop(own);
    assert_eq!(world.population(), 0);
    let mut own = ranks.start_own(&mut world);
    for (species, agents) in AGENTS.into_iter().enumerate() {
        let goals = species == 1;
        let numbers = own.next_species(agents, goals).unwrap();
        if species == 0 {
            let goal = start(0, 0).with_goal([1.0, 1.0]);
            assert!(matches!(own.spawn(&goal), Err(Error::BadValue(_))), "it was announced without goals");
        }
        assert!(
            matches!(own.set_column_value("number", 3_u32), Err(Error::Length { .. })),
            "no agent was added before"
        );
        for number in numbers {
            own.spawn(&start(species, number)).unwrap();
            own.set_column_value("number", number as u32).unwrap();
        }
        assert!(matches!(own.spawn(&start(species, 0)), Err(Error::Length { .. })), "the rank has all of its agents");
    }
    assert!(matches!(own.next_species(1, false), Err(Error::NoSuchSpecies(_))));
    if !own.finish() {
        ranks.gather(&mut world);
    }
    (0..5).for_each(|_| world.step());
    ranks.gather(&mut world);
    world.state_hash()
}

#[test]
fn ranks_that_start_with_their_own_agents_have_the_bits_of_one_process() {
    let (mut whole, species) = empty();
    for (number, id) in species.into_iter().enumerate() {
        for agent in 0..AGENTS[number] {
            let id = whole.spawn_from(id, &start(number, agent)).unwrap();
            whole.set_column_value(id, "number", agent as u32).unwrap();
        }
    }
    (0..5).for_each(|_| whole.step());
    let ranks: Vec<_> = in_process(3).into_iter().map(|rank| std::thread::spawn(move || divided(rank))).collect();
    for rank in ranks {
        assert_eq!(rank.join().unwrap(), whole.state_hash());
    }
}
