//! Functions for games: headings at rest, previous positions, changes of species, filters by state, contacts; driven
//! walls, orders and formations.

mod driven;

use throng::behaviours::{Flee, Separation};
use throng::{
    AgentId, Catch, Condition, Edge, Error, Event, Noise, Region, Removal, Settings, Shape, Sink, Species,
    SpeciesFilter, SpeciesId, State, Target, Vector, World,
};

fn settings<const D: usize>(tick: f32, edge: Edge) -> Settings<D> {
    Settings { size: Vector([100.0; D]), edge: [edge; D], tick_seconds: tick, ..Settings::default() }
}

fn world(tick: f32) -> World<2> {
    World::new(settings(tick, Edge::Bounce)).unwrap()
}

/// A species that sees agents within this angle around its heading, and keeps its distance from `post`.
fn watcher<const D: usize>(name: &str, fov: f32) -> Species<D> {
    let from = SpeciesFilter::named("post");
    Species::new(name)
        .with_radius(0.1)
        .with_max_speed(2.0)
        .with(1.0, Separation { radius: 5.0, fov, from, ..Separation::default() })
}

/// The force on an agent that looks along an axis, with a post at an offset of a metre.
fn force_at_rest<const D: usize>(fov: f32, heading: Vector<D>, offset: Vector<D>, mixed: bool) -> f32 {
    let mut world = World::<D>::new(settings(0.05, Edge::Bounce)).unwrap();
    let post = world.add_species(Species::new("post")).unwrap();
    let own = world.add_species(watcher("guard", fov)).unwrap();
    let centre = Vector::from_fn(|_| 50.0);
    let agent = world.spawn(own, centre, Vector::ZERO).unwrap();
    world.set_heading(agent, heading * 3.0).unwrap();
    world.spawn(post, centre + offset, Vector::ZERO).unwrap();
    for number in 0..if mixed { 40 } else { 0 } {
        world.spawn(own, Vector::from_fn(|axis| (2 * number + axis) as f32), Vector::ZERO).unwrap();
    }
    assert!((world.heading(agent).unwrap() - heading).length() < 1e-6);
    world.explain(agent).unwrap().steering.length()
}

#[test]
fn an_agent_at_rest_sees_what_is_before_it() {
    fn check<const D: usize>() {
        for axis in 0..D {
            for side in [-1.0, 1.0] {
                let along = |by: f32| Vector::<D>::from_fn(|other| if other == axis { by } else { 0.0 });
                for fov in [90.0, 180.0, 270.0] {
                    assert!(force_at_rest(fov, along(side), along(side), false) > 1.0, "before it, {fov}");
                    assert!(force_at_rest(fov, along(side), along(-side), false) == 0.0, "behind it, {fov}");
                }
                assert!(force_at_rest(360.0, along(side), along(-side), true) > 1.0, "all round");
                assert!(force_at_rest(180.0, along(side), along(-side), true) == 0.0, "among others");
            }
        }
    }
    check::<2>();
    check::<3>();
}

#[test]
fn a_heading_outlives_the_velocity_and_is_saved() {
    for angle in [0.3_f32, 2.0, 4.0] {
        let (sine, cosine) = sin_cos(angle);
        let heading = Vector([cosine, sine]);
        let mut world = world(0.1);
        world.add_species(Species::new("post")).unwrap();
        let own = world.add_species(watcher::<2>("guard", 180.0)).unwrap();
        let agent = world.spawn(own, [50.0, 50.0], heading * 1.5).unwrap();
        for _ in 0..3 {
            world.step();
        }
        world.set_velocity(agent, [0.0, 0.0]).unwrap();
        let moved = world.state_hash();
        world.step();
        assert!((world.heading(agent).unwrap() - heading).length() < 1e-5, "{angle}");
        let mut saved = Vec::new();
        world.save(&mut saved).unwrap();
        let loaded = World::<2>::load(&mut &saved[..]).unwrap();
        assert_eq!(loaded.heading(agent), world.heading(agent));
        assert_eq!(loaded.state_hash(), world.state_hash());
        // A heading is a part of the state.
        world.set_heading(agent, [-sine, cosine]).unwrap();
        assert!(world.state_hash() != loaded.state_hash() && moved != world.state_hash());
        assert!(world.set_heading(agent, [0.0, 0.0]).is_err());
    }
}

#[test]
fn agents_that_start_at_rest_look_somewhere() {
    let mut world = world(0.1);
    world.add_species(Species::new("post")).unwrap();
    let own = world.add_species(watcher::<2>("guard", 180.0)).unwrap();
    let plain = world.add_species(Species::new("plain")).unwrap();
    for _ in 0..100 {
        world.spawn(own, [50.0, 50.0], [0.0, 0.0]).unwrap();
    }
    let agents = world.agents(own).unwrap();
    let mean = (0..100).fold(Vector::ZERO, |sum: Vector<2>, row| {
        assert!((agents.heading(row).length() - 1.0).abs() < 1e-5);
        sum + agents.heading(row) * 0.01
    });
    assert!(mean.length() < 0.3, "no side is special: {mean:?}");
    // Without a field of view, no agent keeps a heading until the host sets one.
    let agent = world.spawn(plain, [50.0, 50.0], [0.0, 0.0]).unwrap();
    assert_eq!(world.heading(agent), Ok(Vector::ZERO));
    world.set_heading(agent, [0.0, -2.0]).unwrap();
    world.step();
    assert_eq!(world.heading(agent), Ok(Vector([0.0, -1.0])));
}

#[test]
fn agents_are_drawn_between_their_last_positions() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        let mut world = World::<2>::new(settings(0.5, edge)).unwrap();
        let bird = world.add_species(Species::new("bird").with(0.0, Separation::default())).unwrap();
        let at = |number: usize| [(number * 37 % 101) as f32 * 0.98, (number * 59 % 103) as f32 * 0.96];
        let mut noise = Noise::new(3, 0, 0, 0);
        for number in 0..600 {
            world.spawn(bird, at(number), noise.direction() * 8.0).unwrap();
        }
        let hash = |world: &World<2>| world.state_hash();
        let mut other = world.clone();
        world.keep_previous(true);
        for tick in 0..40 {
            let before: Vec<(AgentId, Vector<2>)> = rows(&world, bird);
            world.step();
            other.step();
            assert_eq!(hash(&world), hash(&other), "no part of the state");
            let newborn = world.spawn(bird, at(tick), [5.0, 0.0]).unwrap();
            other.spawn(bird, at(tick), [5.0, 0.0]).unwrap();
            let agents = world.agents(bird).unwrap();
            let drawn: Vec<Vector<2>> = world.drawn(bird, 0.25).unwrap().collect();
            for (row, &id) in agents.ids().iter().enumerate() {
                let now = agents.position(row);
                let Some((_, from)) = before.iter().find(|(known, _)| *known == id) else {
                    assert_eq!((id, drawn[row]), (newborn, now), "at rest where it was born");
                    continue;
                };
                let way = world.settings().offset(*from, now);
                assert!(way.length() < 4.1, "the shortest way");
                let expected = world.settings().offset(*from + way * 0.25, drawn[row]);
                assert!(expected.length() < 1e-4, "{edge:?}: {from:?} {now:?} {:?}", drawn[row]);
                assert!(drawn[row].0.iter().all(|at| (0.0..=100.0).contains(at)));
            }
        }
        assert!(world.clone().agents(bird).unwrap().previous_positions().is_some());
        world.keep_previous(false);
        assert!(world.drawn(bird, 0.0).unwrap().zip(rows(&world, bird)).all(|(drawn, (_, at))| drawn == at));
    }
}

fn rows(world: &World<2>, species: SpeciesId) -> Vec<(AgentId, Vector<2>)> {
    let agents = world.agents(species).unwrap();
    agents.ids().iter().enumerate().map(|(row, id)| (*id, agents.position(row))).collect()
}

#[test]
fn local_columns_move_with_their_agents_and_are_no_state() {
    let mut world = World::<2>::new(settings(0.1, Edge::Wrap)).unwrap();
    let bird = world.add_species(Species::new("bird").with_max_speed(30.0).with(1.0, Separation::default())).unwrap();
    let mut other = world.clone();
    world.add_local_column(bird, "sprite", 0u32).unwrap();
    assert!(matches!(world.add_column(bird, "sprite", 0.0f32), Err(Error::NameTaken(_))));
    let mut noise = Noise::new(5, 0, 0, 0);
    let mut sprites = Vec::new();
    for number in 0..400u32 {
        let (at, velocity) = (Vector::from_fn(|_| noise.between(0.0, 99.0)), noise.direction() * 20.0);
        let id = world.spawn(bird, at, velocity).unwrap();
        other.spawn(bird, at, velocity).unwrap();
        world.set_column_value(id, "sprite", number).unwrap();
        sprites.push((id, number));
    }
    for _ in 0..70 {
        world.step();
        other.step();
    }
    assert_eq!(world.state_hash(), other.state_hash());
    assert!(sprites.iter().all(|(id, sprite)| world.column_value::<u32>(*id, "sprite") == Ok(*sprite)));
    let mut saved = Vec::new();
    world.save(&mut saved).unwrap();
    let loaded = World::<2>::load(&mut &saved[..]).unwrap();
    assert_eq!(loaded.state_hash(), other.state_hash());
    assert!(loaded.column_value::<u32>(sprites[0].0, "sprite").is_err());
    world.remove_column(bird, "sprite").unwrap();
    assert!(world.column_value::<u32>(sprites[0].0, "sprite").is_err());
}

#[test]
fn an_agent_changes_its_species_and_keeps_what_both_have() {
    let of = |name: &str, speed: f32| {
        Species::<2>::new(name)
            .with_max_speed(speed)
            .with_radius(throng::Distribution::Uniform(0.2, 0.4))
            .with_state(State::new("calm"))
            .with_state(State::new(if name == "healthy" { "scared" } else { "hungry" }))
            .with_variable("stamina", 0.5, 0.0, if name == "healthy" { 1.0 } else { 0.5 })
            .with(1.0, Separation { from: SpeciesFilter::All, ..Separation::default() })
    };
    let mut world = world(0.1);
    let healthy = world.add_species(of("healthy", 3.0)).unwrap();
    let infected = world.add_species(of("infected", 5.0)).unwrap();
    for species in [healthy, infected] {
        world.add_column(species, "team", 0u32).unwrap();
    }
    world.add_column(healthy, "own", 7.0f32).unwrap();
    world.add_column(infected, "since", 1.0f32).unwrap();
    let mut ids: Vec<AgentId> = Vec::new();
    for number in 0..300u32 {
        let id = world.spawn(healthy, [(number % 20) as f32 * 4.0, (number / 20) as f32 * 4.0], [1.0, 0.0]).unwrap();
        world.set_column_value(id, "team", number).unwrap();
        ids.push(id);
    }
    world.set_goal(ids[30], Some(Vector([1.0, 2.0]))).unwrap();
    world.set_state(ids[60], "scared").unwrap();
    world.set_column_value(ids[90], "stamina", 0.75f32).unwrap();
    world.set_quantity(ids[90], throng::Quantity::MaxForce, 11.0).unwrap();
    for (tick, &id) in ids.iter().enumerate().step_by(10) {
        let (velocity, radius) = (world.velocity(id), radius(&world, id));
        let at = world.position(id);
        world.change_species(id, infected).unwrap();
        assert_eq!((world.position(id), world.velocity(id), world.find(id).unwrap().0), (at, velocity, infected));
        assert_eq!(radius, self::radius(&world, id), "drawn in the same way");
        assert_eq!(world.column_value::<u32>(id, "team"), Ok(tick as u32));
        assert_eq!(world.column_value::<f32>(id, "since"), Ok(1.0));
        assert!(world.column_value::<f32>(id, "own").is_err());
        assert_eq!(world.state(id), Ok(Some("calm")));
        let (species, row) = world.find(id).unwrap();
        assert_eq!(world.agents(species).unwrap().max_speed(row), 5.0);
        let mut near = Vec::new();
        world.query().nearest(world.position(id).unwrap(), 1, &mut near).unwrap();
        assert!(near.len() == 1 && near[0].id == id, "queries find it");
        world.step();
    }
    assert_eq!(world.column_value::<f32>(ids[90], "stamina"), Ok(0.5), "within the range of the other species");
    let (species, row) = world.find(ids[90]).unwrap();
    assert_eq!(world.agents(species).unwrap().max_force(row), 11.0);
    let (species, row) = world.find(ids[30]).unwrap();
    assert_eq!(world.agents(species).unwrap().goal(row), Some(Vector([1.0, 2.0])));
    assert_eq!((world.population(), world.removed().count()), (300, 0));
    assert!(ids.iter().all(|id| world.contains(*id)));
    let mut saved = Vec::new();
    world.save(&mut saved).unwrap();
    let mut loaded = World::<2>::load(&mut &saved[..]).unwrap();
    for _ in 0..5 {
        world.step();
        loaded.step();
    }
    assert_eq!(world.state_hash(), loaded.state_hash());
    assert!(world.change_species(ids[0], healthy).is_ok());
}

fn radius(world: &World<2>, id: AgentId) -> f32 {
    let (species, row) = world.find(id).unwrap();
    world.agents(species).unwrap().radius(row)
}

/// Boids, some of which are infected.
fn boids() -> (World<2>, Vec<AgentId>) {
    let mut world = World::<2>::new(settings(0.1, Edge::Wrap)).unwrap();
    let boid = Species::new("boid").with_state(State::new("well")).with_state(State::new("infected"));
    let boid = world.add_species(boid).unwrap();
    let mut noise = Noise::new(9, 0, 0, 0);
    let ids: Vec<AgentId> = (0..500)
        .map(|_| world.spawn(boid, Vector::from_fn(|_| noise.between(0.0, 99.0)), [0.0, 0.0]).unwrap())
        .collect();
    for id in ids.iter().step_by(7) {
        world.set_state(*id, "infected").unwrap();
    }
    (world, ids)
}

/// The nearest to a point among some agents.
fn nearest(world: &World<2>, ids: impl Iterator<Item = AgentId>, to: Vector<2>) -> Option<AgentId> {
    let distance = |id: &AgentId| world.settings().offset(to, world.position(*id).unwrap()).length_squared();
    ids.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

#[test]
fn filters_name_a_state() {
    let (mut world, ids) = boids();
    let infected = SpeciesFilter::named("boid:infected");
    let flee = Flee { target: Target::Nearest(infected.clone()), ..Flee::default() };
    let hunter = world.add_species(Species::new("hunter").with(1.0, flee)).unwrap();
    let away = Separation { radius: 12.0, from: infected.clone(), ..Separation::default() };
    let walker = world.add_species(Species::new("walker").with(1.0, away)).unwrap();
    let near = Condition::Nearer(infected.clone(), 6.0);
    let wary = Species::new("wary").with_state(State::new("calm").with_transition("alarmed", near));
    let wary = world.add_species(wary.with_state(State::new("alarmed"))).unwrap();
    let ill = || ids.iter().copied().step_by(7);
    let mut noise = Noise::new(10, 0, 0, 0);
    let mut alarmed = Vec::new();
    for _ in 0..60 {
        let at: Vector<2> = Vector::from_fn(|_| noise.between(0.0, 99.0));
        let expected = nearest(&world, ill(), at).unwrap();
        let mut found = Vec::new();
        world.query().among(&infected).nearest(at, 1, &mut found).unwrap();
        assert_eq!(found.iter().map(|found| found.id).collect::<Vec<_>>(), [expected]);
        let away = -world.settings().offset(at, world.position(expected).unwrap());
        let agent = world.spawn(hunter, at, [0.0, 0.0]).unwrap();
        let force = world.explain(agent).unwrap().steering;
        assert!(force.direction().dot(away.direction()) > 0.999, "{force:?} {away:?}");
        let agent = world.spawn(walker, at, [0.0, 0.0]).unwrap();
        let sum = ill().fold(Vector::ZERO, |sum: Vector<2>, id| {
            let offset = world.settings().offset(at, world.position(id).unwrap());
            if offset.length() <= 12.0 { sum - offset / offset.length_squared() } else { sum }
        });
        let force = world.explain(agent).unwrap().steering;
        assert!(sum == Vector::ZERO || force.direction().dot(sum.direction()) > 0.999, "{force:?} {sum:?}");
        alarmed.push((world.spawn(wary, at, [0.0, 0.0]).unwrap(), away.length() <= 6.0));
    }
    world.step();
    for (agent, expected) in alarmed {
        assert_eq!(world.state(agent), Ok(Some(if expected { "alarmed" } else { "calm" })));
    }
    assert!(matches!(
        world.query().among(&SpeciesFilter::named("boid:unknown")).nearest([1.0, 1.0], 9, &mut Vec::new()),
        Ok(())
    ));
}

#[test]
fn contacts_begin_once_and_end_once() {
    for seed in 0..3 {
        let mut world = World::<2>::new(settings(0.1, Edge::Wrap)).unwrap();
        let radius = throng::Distribution::Uniform(0.3, 0.8);
        let ball = Species::new("ball").with_radius(radius).with_contacts(SpeciesFilter::All, 0.1);
        let ball = world.add_species(ball).unwrap();
        let stone = world.add_species(Species::new("stone").with_radius(radius)).unwrap();
        let mut noise = Noise::new(seed, 1, 0, 0);
        for number in 0..300 {
            let at: Vector<2> = Vector::from_fn(|_| noise.between(0.0, 60.0));
            world.spawn(if number % 3 == 0 { stone } else { ball }, at, noise.direction() * 6.0).unwrap();
        }
        let mut touching = std::collections::BTreeSet::new();
        for tick in 0..40 {
            if tick == 20 {
                let &(agent, _) = touching.iter().next().unwrap();
                world.despawn(agent).unwrap();
                // The same from a snapshot.
                let mut saved = Vec::new();
                world.save(&mut saved).unwrap();
                world = World::load(&mut &saved[..]).unwrap();
            }
            world.step();
            for event in world.events() {
                match *event {
                    Event::Touched { agent, other, .. } => assert!(touching.insert((agent, other)), "it had begun"),
                    Event::Parted { agent, other, .. } => assert!(touching.remove(&(agent, other)), "it had ended"),
                    Event::Removed { reason, .. } => assert_eq!((tick, reason), (20, Removal::Despawned)),
                    _ => {}
                }
            }
            let all: Vec<_> = [ball, stone].iter().flat_map(|&of| rows(&world, of)).collect();
            let mut expected = std::collections::BTreeSet::new();
            for (place, &(one, at)) in all.iter().enumerate() {
                for &(other, there) in &all[place + 1..] {
                    let kinds = [one, other].map(|id| world.find(id).unwrap().0);
                    let reach = self::radius(&world, one) + self::radius(&world, other) + 0.1;
                    if kinds != [stone, stone] && world.settings().offset(at, there).length() <= reach {
                        expected.insert(if one < other { (one, other) } else { (other, one) });
                    }
                }
            }
            assert_eq!(touching, expected, "tick {tick}");
        }
    }
}

#[test]
fn one_event_says_that_an_agent_is_gone() {
    let mut world = World::<2>::new(settings(0.1, Edge::Remove)).unwrap();
    let prey = Species::new("prey").with_max_speed(50.0).with_lifetime(throng::Distribution::Uniform(0.5, 20.0));
    let prey = world.add_species(prey).unwrap();
    let catch = Catch { whom: SpeciesFilter::named("prey"), distance: 2.0, remove: true, during: Vec::new() };
    let hunter = world.add_species(Species::new("hunter").with_catch(catch)).unwrap();
    let shape = Shape::Box { centre: Vector([90.0, 50.0]), half: Vector([5.0, 50.0]) };
    world.environment_mut().regions.add(Region { name: "exit".into(), shape }).unwrap();
    let sink = Sink { name: "exit".into(), region: "exit".into(), species: vec!["prey".into()], states: Vec::new() };
    world.environment_mut().sinks.add(sink).unwrap();
    let mut noise = Noise::new(2, 0, 0, 0);
    for number in 0..400 {
        let at: Vector<2> = Vector::from_fn(|_| noise.between(0.0, 80.0));
        let species = if number % 40 == 0 { hunter } else { prey };
        world.spawn(species, at, noise.direction() * 10.0).unwrap();
    }
    let mut reasons = std::collections::BTreeMap::new();
    let mut living: std::collections::BTreeSet<AgentId> =
        [prey, hunter].iter().flat_map(|&of| rows(&world, of)).map(|(id, _)| id).collect();
    for tick in 0..120 {
        if tick % 10 == 5
            && let Some(&id) = living.iter().next()
        {
            world.despawn(id).unwrap();
        }
        world.step();
        for event in world.events() {
            if let Event::Removed { agent, reason, .. } = *event {
                assert!(living.remove(&agent), "once");
                *reasons.entry(format!("{reason:?}")).or_insert(0) += 1;
            }
        }
        let now = [prey, hunter].iter().flat_map(|&of| rows(&world, of)).map(|(id, _)| id).collect();
        assert_eq!(living, now, "in the tick in which the row goes");
    }
    assert_eq!(reasons.len(), 5, "{reasons:?}");
}

#[test]
fn a_file_says_where_agents_at_rest_look() {
    for heading in [0.0_f32, 70.0, 180.0, 290.0] {
        for (side, sees) in [(1.0, true), (-1.0, false)] {
            let (sine, cosine) = sin_cos(heading * (std::f32::consts::PI / 180.0));
            let [x, y] = [50.0 + side * cosine, 50.0 + side * sine];
            let file = format!(
                r#"
format = 1
[world]
dimensions = 2
size = [100.0, 100.0]
edge = "bounce"
[species.a]
count = 1
place = {{ region = "point", centre = [50.0, 50.0], heading = {heading:?}, speed = 0.0 }}
behaviours = [{{ rule = "separation", radius = 5.0, fov = 180.0, from = "b" }}]
[species.b]
count = 1
place = {{ region = "point", centre = [{x:?}, {y:?}], speed = 0.0 }}
"#
            );
            let mut world = throng_scenario::Scenario::parse(&file, "file.toml").unwrap().build::<2>().unwrap();
            let agent = world.all_agents().iter().next().unwrap().ids()[0];
            let force = world.explain(agent).unwrap().steering.length();
            assert_eq!(force > 1.0, sees, "{heading} {side}: {force}");
        }
    }
}

#[test]
fn filters_of_a_file_name_states() {
    let file = |whom: &str| {
        format!(
            r#"
format = 1
[world]
dimensions = 2
size = [100.0, 100.0]
[species.boid]
count = 3
states.well = {{ transitions = [{{ to = "infected", after = 9.0 }}] }}
states.infected = {{}}
[species.doctor]
count = 1
behaviours = [{{ rule = "seek", target = "nearest:{whom}" }}, {{ rule = "separation", from = "{whom}" }}]
"#
        )
    };
    throng_scenario::Scenario::parse(&file("boid:infected"), "file.toml").unwrap();
    let problems = throng_scenario::Scenario::parse(&file("boid:infektd"), "file.toml").unwrap_err().to_string();
    assert!(problems.contains("boid:infected"), "{problems}");
}

/// Sine and cosine by their series.
fn sin_cos(angle: f32) -> (f32, f32) {
    let (mut sine, mut cosine, mut term) = (0.0_f64, 0.0_f64, 1.0_f64);
    for number in 0..40 {
        match number % 4 {
            0 => cosine += term,
            1 => sine += term,
            2 => cosine -= term,
            _ => sine -= term,
        }
        term *= f64::from(angle) / f64::from(number + 1);
    }
    (sine as f32, cosine as f32)
}
