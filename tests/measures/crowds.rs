//! Flow, density and times of crowds.

use throng::measures::{Area, ExitTimes, FlowLine, Outcome, Outcomes, Persons, RecorderSettings};
use throng::{AgentId, AnyWorld, Edge, Places, Region, Shape, Sink, Species, World};

use crate::{close, lattice, random, sample, settings};

/// An agent that the host moves along these points, and the crossings of a line forward and backward.
fn walk(edge: Edge, line: [[f32; 2]; 2], points: &[[f32; 2]]) -> (u64, u64, u64) {
    let mut world = World::<2>::new(settings([10.0, 10.0], edge)).unwrap();
    let species = world.add_species(Species { moved_by_host: true, ..Species::new("person") }).unwrap();
    let walker = world.spawn(species, points[0], [0.0, 0.0]).unwrap();
    let mut counter = FlowLine::new(line[0], line[1]);
    counter.observe(&world);
    for &point in &points[1..] {
        world.set_position(walker, point).unwrap();
        counter.observe(&world);
    }
    (counter.forward(), counter.backward(), counter.persons())
}

const UPRIGHT: [[f32; 2]; 2] = [[5.0, 4.0], [5.0, 6.0]];

#[test]
fn an_agent_that_walks_to_and_fro_counts_in_both_directions_and_is_one_person_or_none() {
    let (left, right) = ([4.5, 5.0], [5.5, 5.0]);
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[left, right]), (1, 0, 1));
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[left, right, left]), (1, 1, 0));
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[left, right, left, right, left, right]), (3, 2, 1));
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[right, left]), (0, 1, 1));
}

#[test]
fn an_agent_on_the_line_is_counted_once() {
    let (left, on, right) = ([4.5, 5.0], [5.0, 5.0], [5.5, 5.0]);
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[left, on, on, on, right]), (1, 0, 1));
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[right, on, on, right]), (1, 1, 0));
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[left, on, left, on, left]), (0, 0, 0));
    // Along the line, and through it from there.
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[[5.0, 4.2], [5.0, 5.8], [5.0, 4.5], right]), (1, 0, 1));
}

#[test]
fn a_chord_counts_where_it_meets_the_segment() {
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[[4.0, 3.0], [6.0, 4.5]]), (0, 0, 0));
    assert_eq!(walk(Edge::Bounce, UPRIGHT, &[[4.0, 3.9], [6.0, 4.5]]), (1, 0, 1));
    // Through the end that two lines share: one of them is crossed.
    let chord = [[4.0, 4.0], [6.0, 8.0]];
    let (lower, upper) = (walk(Edge::Bounce, UPRIGHT, &chord), walk(Edge::Bounce, [[5.0, 6.0], [5.0, 8.0]], &chord));
    assert_eq!(lower.0 + upper.0, 1);
    assert_eq!(walk(Edge::Bounce, [[5.0, 5.0]; 2], &[[4.0, 5.0], [6.0, 5.0]]), (0, 0, 0));
}

#[test]
fn lines_at_the_seam_are_crossed_once() {
    for x in [0.0, 10.0, 0.25, 9.75, 9.9] {
        let line = [[x, 4.0], [x, 6.0]];
        assert_eq!(walk(Edge::Wrap, line, &[[9.5, 5.0], [0.5, 5.0]]), (1, 0, 1), "{x}");
        assert_eq!(walk(Edge::Wrap, line, &[[0.5, 5.0], [9.5, 5.0]]), (0, 1, 1), "{x}");
        assert_eq!(walk(Edge::Wrap, line, &[[9.5, 5.0], [0.0, 5.0], [0.5, 5.0]]), (1, 0, 1), "{x}");
    }
    // Twice around.
    let round: Vec<[f32; 2]> = (0..=80).map(|step| [(step as f32 * 0.25 + 0.1).rem_euclid(10.0), 5.0]).collect();
    assert_eq!(walk(Edge::Wrap, UPRIGHT, &round), (2, 0, 2));
}

/// A lattice of agents at a density of 4 per m² walks at 1.5 m/s through a line of 3 m: 18 persons per second.
#[test]
fn a_uniform_flow_is_density_times_speed_times_width() {
    let mut world = World::<2>::new(settings([20.0, 10.0], Edge::Wrap)).unwrap();
    let species = world.add_species(Species::new("person")).unwrap();
    for number in 0..800_u16 {
        let (column, row) = (f32::from(number % 40), f32::from(number / 40));
        world.spawn(species, [0.5 * column + (row % 6.0) / 12.0, 0.5 * row + 0.25], [1.5, 0.0]).unwrap();
    }
    let mut line = FlowLine::new([7.0, 3.0], [7.0, 6.0]);
    line.observe(&world);
    for _ in 0..1200 {
        world.step();
        line.observe(&world);
    }
    close(line.persons_per_second(), 4.0 * 1.5 * 3.0, 0.01);
    close(line.persons() as f64, 18.0 * 20.0, 6.0);
    assert_eq!((line.backward(), line.forward()), (0, line.persons()));
}

/// The time of a crossing is the time at the point on the chord, not of the tick.
#[test]
fn crossings_have_the_time_of_the_point_where_the_chord_meets_the_line() {
    let mut world =
        World::<2>::new(throng::Settings { tick_seconds: 1.0, ..settings([90.0, 10.0], Edge::Bounce) }).unwrap();
    let species = world.add_species(Species::new("person").with_max_speed(9.0)).unwrap();
    world.spawn(species, [5.0, 5.0], [2.0, 0.0]).unwrap();
    world.spawn(species, [1.5, 5.0], [2.0, 0.0]).unwrap();
    world.spawn(species, [0.0, 5.0], [2.0, 0.0]).unwrap();
    let mut line = FlowLine::new([10.0, 0.0], [10.0, 9.0]);
    line.observe(&world);
    for _ in 0..10 {
        world.step();
        line.observe(&world);
    }
    assert_eq!(line.times(), Some([2.5, 5.0]));
    close(line.persons_per_second(), 2.0 / 2.5, 1e-9);
}

/// The centre is not in the way of an agent that respawns there.
#[test]
fn an_agent_that_respawns_crosses_nothing() {
    let mut world = World::<2>::new(settings([10.0, 10.0], Edge::Respawn)).unwrap();
    let species = world.add_species(Species::new("person")).unwrap();
    world.spawn(species, [9.99, 5.0], [1.0, 0.0]).unwrap();
    let mut line = FlowLine::new([7.0, 3.0], [7.0, 6.0]);
    line.observe(&world);
    for _ in 0..60 {
        world.step();
        line.observe(&world);
    }
    assert_eq!((line.forward(), line.backward()), (0, 0));
}

/// The cells of a square lattice are squares, wherever the area lies and across the seam.
#[test]
fn the_voronoi_density_of_a_lattice_is_exact() {
    let moving: Vec<_> = lattice::<2>(20).into_iter().map(|(at, _)| (at, [0.0, 2.0])).collect();
    let agents = sample(&settings([20.0; 2], Edge::Wrap), &moving);
    for (centre, size) in [([10.0, 10.0], [3.0, 2.0]), ([7.3, 11.9], [0.4, 1.3]), ([0.2, 19.9], [5.0, 3.7])] {
        let found = Area::new(centre, size).unwrap().voronoi(&agents, 1.0);
        close(found.density, 1.0, 1e-6);
        close(found.speed, 2.0, 1e-6);
    }
    // The classic density jumps.
    let classic = |x: f32| Area::new([x, 10.0], [0.6, 2.0]).unwrap().classic(&agents);
    close(classic(10.5).density, 1.0 / 0.6, 1e-6);
    assert_eq!(classic(10.0).density, 0.0);
    assert!(classic(10.0).speed.is_nan());
    assert_eq!(classic(10.5).speed, 2.0);
}

/// In a bounded world cells end at the boundary: the density over the whole world counts all its agents.
#[test]
fn voronoi_cells_fill_the_world() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        let agents = sample(&settings([12.0, 7.0], edge), &random([12.0, 7.0], 300, 9));
        let whole = Area::new([6.0, 3.5], [12.0, 7.0]).unwrap().voronoi(&agents, 3.0);
        if edge == Edge::Bounce {
            close(whole.density, 300.0 / 84.0, 1e-4);
        }
        // The halves of the world add up to the whole of it.
        let half = |x: f32| Area::new([x, 3.5], [6.0, 7.0]).unwrap().voronoi(&agents, 3.0).density;
        close(0.5 * (half(3.0) + half(9.0)), 300.0 / 84.0, 1e-4);
    }
}

/// A single agent fills a dodecagon of area 3 r².
#[test]
fn the_cell_of_an_agent_alone_is_a_dodecagon() {
    let agents = sample(&settings([30.0; 2], Edge::Open), &[([10.0, 10.0], [1.0, 0.0])]);
    let found = Area::new([10.0, 10.0], [8.0, 8.0]).unwrap().voronoi(&agents, 2.0);
    close(found.density, 1.0 / 64.0, 1e-9);
    let inside = Area::new([10.0, 10.0], [1.0, 1.0]).unwrap().voronoi(&agents, 2.0);
    close(inside.density, 1.0 / 12.0, 1e-9);
    assert!(Area::new([1.0, 1.0], [0.0, 1.0]).is_err() && Area::new([f32::NAN, 1.0], [1.0, 1.0]).is_err());
}

/// Three agents walk out of the world at different distances from its edge.
#[test]
fn exit_times_are_those_from_start_to_removal() {
    let mut world = World::<2>::new(settings([10.0, 10.0], Edge::Remove)).unwrap();
    let species = world.add_species(Species::new("person")).unwrap();
    let spawn = |world: &mut World<2>, x: f32| -> AgentId { world.spawn(species, [x, 5.0], [1.0, 0.0]).unwrap() };
    for x in [9.0, 8.0, 6.0] {
        spawn(&mut world, x);
    }
    let mut exits = ExitTimes::new();
    exits.observe(&world);
    assert!(exits.mean().is_nan() && exits.median().is_nan() && exits.last().is_nan());
    assert_eq!(exits.remaining(), 3);
    for tick in 0..600 {
        if tick == 120 {
            // Enters later, and needs one second.
            spawn(&mut world, 9.0);
        }
        world.step();
        exits.observe(&world);
    }
    assert_eq!(world.population(), 0);
    let step = 2.1 / 60.0;
    for (found, expected) in exits.times().iter().zip([1.0, 2.0, 1.0, 4.0]) {
        close(*found, expected, step);
    }
    close(exits.mean(), 2.0, step);
    close(exits.median(), 1.5, step);
    close(exits.last(), 4.0, step);
    assert_eq!(exits.remaining(), 0);
}

/// Three agents that the host moves: one leaves by a sink after a pause, one is despawned, and one stays.
#[test]
fn persons_have_their_starts_departures_exits_and_ways() {
    let mut world = World::<2>::new(settings([10.0, 10.0], Edge::Bounce)).unwrap();
    let shape = Shape::Ball { centre: [9.0, 5.0].into(), radius: 0.5 };
    world.environment_mut().regions.add(Region::new("out", shape)).unwrap();
    // A sink may have the name of a reason.
    world.environment_mut().sinks.add(Sink::new("left", "out")).unwrap();
    let species = world.add_species(Species { moved_by_host: true, ..Species::new("person") }).unwrap();
    let [leaves, despawned, stays] =
        [[5.0, 5.0], [2.0, 2.0], [3.0, 3.0]].map(|at| world.spawn(species, at, [0.0; 2]).unwrap());
    let mut persons = Persons::new();
    persons.observe(&world);
    let tick = |world: &mut World<2>, persons: &mut Persons| {
        world.step();
        persons.observe(world);
    };
    tick(&mut world, &mut persons);
    for x in [6.0, 5.0, 9.0] {
        world.set_position(leaves, [x, 5.0]).unwrap();
        tick(&mut world, &mut persons);
    }
    world.despawn(despawned).unwrap();
    (0..2).for_each(|_| tick(&mut world, &mut persons));
    let dt = f64::from(world.settings().tick_seconds);
    let all = persons.all();
    assert_eq!(all.iter().map(|person| person.id).collect::<Vec<_>>(), [leaves, despawned, stays]);
    let exits = all.iter().map(|person| persons.exit_of(person)).collect::<Vec<_>>();
    assert_eq!(exits, [Some("left"), Some("(despawned)"), None]);
    close(all[0].departure.unwrap(), 2.0 * dt, 1e-6);
    assert!(all[0].exit.unwrap() >= 4.0 * dt * (1.0 - 1e-6) && all[0].way >= 2.0, "{:?}", all[0]);
    assert!(all[2].departure.is_none() && all[2].way == 0.0 && all[2].exit.is_none());
    assert_eq!((persons.remaining(), persons.exit_times().len(), persons.by_exit().len()), (1, 2, 2));
    assert!(!persons.has_missed());
    world.step();
    world.step();
    assert!(persons.misses(&world));
}

#[test]
fn a_run_ends_with_the_outcomes_that_were_named() {
    let mut world = World::<2>::new(settings([10.0, 10.0], Edge::Bounce)).unwrap();
    let shape = Shape::Box { centre: [9.5, 5.0].into(), half: [0.5, 5.0].into() };
    world.environment_mut().regions.add(Region::new("out", shape)).unwrap();
    world.environment_mut().sinks.add(Sink::new("east", "out")).unwrap();
    world.environment_mut().places.add(Places::queue("till", &[[1.0, 1.0].into(), [3.0, 1.0].into()], 1.0)).unwrap();
    let species = world.add_species(Species::new("person")).unwrap();
    for number in 0..4 {
        world.spawn(species, [8.0 - number as f32, 5.0], [1.0, 0.0]).unwrap();
    }
    let recording = RecorderSettings {
        lines: vec![("door".into(), [[8.5, 10.0].into(), [8.5, 0.0].into()])],
        areas: vec![("room".into(), Area::new([5.0, 5.0], [10.0, 10.0]).unwrap(), 2.0)],
        ..RecorderSettings::default()
    };
    let names = [
        "exit_first",
        "exit_median",
        "exit_95",
        "exit_last",
        "exit_mean",
        "time_to_exit",
        "way",
        "remaining",
        "persons.door",
        "flow.door",
        "peak_density.room",
        "level_of_service.room",
        "classic_speed.room",
        "longest_queue.till",
    ];
    let wanted: Vec<Outcome> = names.iter().map(|name| Outcome::parse(name).unwrap()).collect();
    assert_eq!(wanted.iter().map(Outcome::to_string).collect::<Vec<_>>(), names);
    let mut world = AnyWorld::from(world);
    let unknown =
        |name: &str| Outcomes::new(&[Outcome::parse(name).unwrap()], &recording, &world).unwrap_err().to_string();
    for (name, known) in [("flow.dor", "door"), ("classic_speed.rom", "room"), ("longest_queue.tilt", "till")] {
        assert!(unknown(name).contains(known), "{}", unknown(name));
    }
    let mut outcomes = Outcomes::new(&wanted, &recording, &world).unwrap();
    outcomes.observe(&world);
    while world.population() > 0 {
        world.step();
        outcomes.observe(&world);
    }
    let values = outcomes.values();
    // At one metre per second they reach the region after one, two, three and four seconds.
    for (value, expected) in values.iter().zip([1.0, 2.0, 4.0, 4.0, 2.5, 2.5]) {
        assert!((value - expected).abs() < 0.3, "{values:?}");
    }
    assert!(
        (values[6] - 2.5).abs() < 0.3 && values[7..9] == [0.0, 4.0] && (values[9] - 1.0).abs() < 0.05,
        "{values:?}"
    );
    assert_eq!(values[10..12], [0.04, 1.0]);
    assert!((values[12] - 1.0).abs() < 1e-6 && values[13] == 0.0, "{values:?}");
}
