//! The plugin in an app without a window.

use std::time::{Duration, Instant};

use bevy_app::prelude::*;
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_throng::throng::behaviours::{Alignment, Arrive, Cohesion, HostForces, Separation};
use bevy_throng::throng::{
    AgentId, AgentRef, Arrivals, Behaviour, Edge, Event, Region, Rule, Settings, Shape, Sink, Source, Species, Vector,
    World,
};
use bevy_throng::{
    Agent, AgentEvent, AgentEventsEnabled, Body, Drawn, Goal, NoRotation, SpawnRefused, Steering, StepFailed, Throng,
    ThrongPlugin, WorldEvent,
};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use throng_scenario::Scenario;

const TICK: f32 = 1.0 / 64.0;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ThrongPlugin::<2>::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(TICK)));
    app.insert_resource(Time::<Fixed>::from_seconds(f64::from(TICK)));
    app.update(); // the first update has no time before it
    app
}

fn empty(size: f32, edge: Edge, species: Species<2>) -> World<2> {
    let size = Vector([size, size]);
    let mut world = World::new(Settings { size, edge: [edge; 2], tick_seconds: TICK, ..Settings::default() }).unwrap();
    world.add_species(species).unwrap();
    world
}

fn bird() -> Species<2> {
    Species::new("bird").with(1.5, Separation::default()).with(1.0, Alignment::default()).with(1.0, Cohesion::default())
}

fn place(number: usize) -> Body<2> {
    let at = |step: usize| (number * step % 7919) as f32 / 7919.0;
    Body {
        position: Vector([1000.0 * at(13), 1000.0 * at(29)]),
        velocity: Vector([8.0 * at(31) - 4.0, 8.0 * at(37) - 4.0]),
    }
}

#[test]
fn fifty_thousand_entities_follow_their_agents() {
    const AGENTS: usize = 50_000;
    let mut alone = empty(1000.0, Edge::Wrap, bird());
    let species = alone.find_species("bird").unwrap();
    for number in 0..AGENTS {
        alone.spawn(species, place(number).position, place(number).velocity).unwrap();
    }

    let mut app = app();
    let world = app.world_mut().spawn(Throng::new(empty(1000.0, Edge::Wrap, bird()))).id();
    app.world_mut().spawn_batch((0..AGENTS).map(move |number| (Agent::<2>::new(world, species), place(number))));
    let began = Instant::now();
    for _ in 0..10 {
        app.update();
        alone.step();
    }
    println!(
        "{AGENTS} entities: {:.1} ms per update, with a step of a world without Bevy",
        100.0 * began.elapsed().as_secs_f64()
    );

    let hash = app.world().get::<Throng<2>>(world).unwrap().world.state_hash();
    assert_eq!(hash, alone.state_hash());
    let mut agents = app.world_mut().query::<(Entity, &Agent<2>, &Body<2>, &Transform)>();
    assert_eq!(agents.iter(app.world()).count(), AGENTS);
    let throng = app.world().get::<Throng<2>>(world).unwrap();
    for (entity, agent, body, transform) in agents.iter(app.world()) {
        let id = agent.id().unwrap();
        assert_eq!(throng.entity(id), Some(entity));
        assert_eq!(body.position, throng.world.position(id).unwrap());
        assert_eq!(body.velocity, throng.world.velocity(id).unwrap());
        // One tick per update leaves no time over, so transforms belong to the tick before.
        assert!((transform.translation.x - body.position[0]).abs() <= 10.0 * TICK + 1e-3);
    }
}

#[test]
fn transforms_are_interpolated_across_the_seam() {
    let mut app = app();
    let world =
        app.world_mut().spawn(Throng::new(empty(100.0, Edge::Wrap, Species::new("ball").with_max_speed(20.0)))).id();
    let species = app.world().get::<Throng<2>>(world).unwrap().world.find_species("ball").unwrap();
    let body = Body { position: Vector([99.95, 50.0]), velocity: Vector([6.4, 0.0]) };
    let ball = app.world_mut().spawn((Agent::<2>::new(world, species), body)).id();
    app.update();
    let Drawn { from, to, heading, .. } = *app.world().get(ball).unwrap();
    // 0.1 m a tick: from 0.05 m before the seam, to 0.05 m behind it.
    assert!((to.x - 0.05).abs() < 1e-4 && (from.x + 0.05).abs() < 1e-4, "{from} {to}");
    app.update();
    let second = *app.world().get::<Drawn>(ball).unwrap();
    assert!((second.from.x - 0.05).abs() < 1e-4 && (second.to.x - 0.15).abs() < 1e-4);
    assert_eq!(heading.x, 1.0);

    // Back over the seam: `from` is the image on the other side.
    app.world_mut().get_mut::<Body<2>>(ball).unwrap().velocity = Vector([-12.8, 0.0]);
    app.update();
    let back = *app.world().get::<Drawn>(ball).unwrap();
    assert!((back.to.x - 99.95).abs() < 1e-3 && (back.from.x - 100.15).abs() < 1e-3, "{back:?}");

    // Half of a tick later, half of the way.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(TICK / 2.0)));
    app.update();
    let shown = app.world().get::<Transform>(ball).unwrap().translation.x;
    assert!((shown - 100.05).abs() < 1e-2, "{shown}");
}

#[test]
fn new_agents_are_drawn_where_they_are_and_layers_and_rotations_are_the_hosts() {
    let mut app = app();
    // Frames without a tick.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(TICK / 8.0)));
    let flat = Throng::new(empty(100.0, Edge::Wrap, bird()));
    let bird = flat.world.find_species("bird").unwrap();
    let flat = app.world_mut().spawn(flat).id();
    let ground = app.world_mut().spawn(Throng::new(empty(100.0, Edge::Wrap, self::bird())).on_ground()).id();
    let body = Body { position: Vector([30.0, 40.0]), velocity: Vector([0.0, 5.0]) };
    let layer = Transform::from_xyz(0.0, 7.0, 3.0);
    let sprite = app.world_mut().spawn((Agent::<2>::new(flat, bird), body, layer)).id();
    let far = Body { position: Vector([80.0, 40.0]), ..body };
    let upright = app.world_mut().spawn((Agent::<2>::new(flat, bird), far, NoRotation)).id();
    let model = app.world_mut().spawn((Agent::<2>::new(ground, bird), body, layer)).id();
    let transform = |app: &App, entity| *app.world().get::<Transform>(entity).unwrap();
    for update in 0..24 {
        let moved = 5.0 * TICK * ((update + 7) / 8) as f32;
        let at = transform(&app, sprite).translation;
        assert!(at.x == 30.0 && (40.0..=40.01 + moved).contains(&at.y) && at.z == 3.0, "{update}: {at}");
        let at = transform(&app, model).translation;
        assert!(at.x == 30.0 && at.y == 7.0 && (40.0..=40.01 + moved).contains(&-at.z), "{update}: {at}");
        app.update();
    }
    assert!(transform(&app, sprite).translation.y > 40.1);
    let looks = |app: &App, entity| transform(app, entity).right().as_vec3().to_array().map(|axis| axis.round() as i32);
    assert_eq!([sprite, upright, model].map(|entity| looks(&app, entity)), [[0, 1, 0], [1, 0, 0], [0, 0, -1]]);
}

#[test]
fn goals_are_components_and_events_reach_their_entities() {
    #[derive(Resource, Default)]
    struct Heard(Vec<(Entity, &'static str)>);
    let mut app = app();
    app.init_resource::<Heard>();
    app.add_observer(|event: On<'_, '_, AgentEvent>, mut heard: ResMut<'_, Heard>| {
        heard.0.push((event.entity, event.event.name()));
    });
    let species = Species::new("walker").with(1.0, Arrive::default()).with_max_speed(20.0);
    let world = empty(100.0, Edge::Bounce, species);
    let walker = world.find_species("walker").unwrap();
    let world = app.world_mut().spawn(Throng::new(world)).id();
    let body = Body { position: Vector([50.0, 50.0]), velocity: Vector::ZERO };
    let goal = Goal(Vector([52.0, 50.0]));
    let spawn = |app: &mut App, with: Goal<2>| app.world_mut().spawn((Agent::<2>::new(world, walker), body, with)).id();
    let listens = spawn(&mut app, goal);
    app.world_mut().entity_mut(listens).insert(AgentEventsEnabled);
    let silent = spawn(&mut app, goal);
    let refused = spawn(&mut app, Goal(Vector([f32::NAN; 2])));
    let mut cursor = MessageCursor::default();
    let mut reported = Vec::new();
    for tick in 0..600 {
        if tick == 300 {
            app.world_mut().entity_mut(silent).remove::<Goal<2>>();
            *app.world_mut().get_mut::<Goal<2>>(listens).unwrap() = Goal(Vector([60.0, 50.0]));
        }
        app.update();
        let messages = app.world().resource::<bevy_ecs::message::Messages<WorldEvent>>();
        reported.extend(cursor.read(messages).map(|message| (message.entity, message.event.name())));
    }
    let x = |app: &App, entity| app.world().get::<Body<2>>(entity).unwrap().position[0];
    // Without a goal an agent seeks the target of its rule, the origin.
    let places = [silent, listens, refused].map(|entity| x(&app, entity));
    assert!(places[0] < 51.0 && (places[1] - 60.0).abs() < 1.0 && places[2] < 48.0, "{places:?}");
    assert_eq!(app.world().resource::<Heard>().0[0], (listens, "arrived"));
    assert!(app.world().resource::<Heard>().0.iter().all(|(entity, _)| *entity == listens));
    for entity in [listens, silent] {
        assert!(reported.contains(&(Some(entity), "arrived")), "{reported:?}");
    }

    // The last event of an agent has its entity too.
    let id = app.world().get::<Agent<2>>(listens).unwrap().id().unwrap();
    throng(&mut app, world).world.despawn(id).unwrap();
    app.update();
    assert_eq!(app.world().resource::<Heard>().0.last(), Some(&(listens, "removed")));
    assert!(app.world().get_entity(listens).is_err());
}

#[test]
fn agents_and_entities_come_and_go_together() {
    let mut app = app();
    let mut world = empty(100.0, Edge::Bounce, Species::new("walker"));
    let walker = world.find_species("walker").unwrap();
    let first = world.spawn(walker, [10.0, 10.0], [1.0, 0.0]).unwrap();
    let world = app.world_mut().spawn(Throng::new(world)).id();
    app.update();
    let throng = |app: &App| -> Vec<AgentId> {
        app.world().get::<Throng<2>>(world).unwrap().world.agents(walker).unwrap().ids().to_vec()
    };
    let entity =
        app.world().get::<Throng<2>>(world).unwrap().entity(first).expect("an agent of the host gets an entity");

    // The entity goes, and with it the agent.
    app.world_mut().despawn(entity);
    assert!(throng(&app).is_empty());

    // An agent goes, and with it the entity; its slot is used again.
    let body = Body { position: Vector([20.0, 20.0]), velocity: Vector::ZERO };
    let second = app.world_mut().spawn((Agent::<2>::new(world, walker), body)).id();
    app.update();
    let id = app.world().get::<Agent<2>>(second).unwrap().id().unwrap();
    app.world_mut().get_mut::<Throng<2>>(world).unwrap().world.despawn(id).unwrap();
    let third = app.world_mut().spawn((Agent::<2>::new(world, walker), body)).id();
    app.update();
    assert!(app.world().get_entity(second).is_err());
    assert_eq!(throng(&app), [app.world().get::<Agent<2>>(third).unwrap().id().unwrap()]);
    assert_eq!(app.world().get::<Throng<2>>(world).unwrap().entity(throng(&app)[0]), Some(third));

    // A body outside of the world is refused, with its reason.
    let outside = Body { position: Vector([f32::NAN, 20.0]), velocity: Vector::ZERO };
    let refused = app.world_mut().spawn((Agent::<2>::new(world, walker), outside)).id();
    app.world_mut().get_mut::<Body<2>>(third).unwrap().position = Vector([f32::INFINITY, 0.0]);
    app.update();
    let messages = app.world().resource::<bevy_ecs::message::Messages<SpawnRefused>>();
    let entities: Vec<Entity> = MessageCursor::default().read(messages).map(|message| message.entity).collect();
    assert_eq!(entities, [refused, third]);
    assert!(app.world().get_entity(refused).is_err());
    assert_eq!(app.world().get::<Body<2>>(third).unwrap().position, Vector([20.0, 20.0]));
}

#[test]
fn agents_of_sources_get_entities_and_sinks_take_them() {
    let mut app = app();
    let mut world = empty(40.0, Edge::Bounce, Species::new("walker").with_max_speed(0.0));
    let walker = world.find_species("walker").unwrap();
    let environment = world.environment_mut();
    let shape = Shape::Box { centre: Vector([20.0, 20.0]), half: Vector([15.0, 15.0]) };
    environment.regions.add(Region { name: "hall".to_owned(), shape }).unwrap();
    environment.sources.add(Source::new("gate", "walker", "hall", Arrivals::at_once(7))).unwrap();
    let world = app.world_mut().spawn(Throng::new(world)).id();
    let entities = |app: &mut App| app.world_mut().query::<&Agent<2>>().iter(app.world()).count();
    for _ in 0..2 {
        app.update();
    }
    assert_eq!(entities(&mut app), 7);
    let mut throng = app.world_mut().get_mut::<Throng<2>>(world).unwrap();
    throng.world.environment_mut().sinks.add(Sink::new("exit", "hall")).unwrap();
    for _ in 0..2 {
        app.update();
    }
    let throng = app.world().get::<Throng<2>>(world).unwrap();
    assert_eq!(throng.world.agents(walker).unwrap().len(), 0);
    assert_eq!(entities(&mut app), 0);
}

#[test]
fn steering_alone_leaves_motion_to_the_host() {
    let mut app = app();
    let species = Species { moved_by_host: true, ..Species::new("body").with(1.0, HostForces::default()) };
    let mut world = empty(100.0, Edge::Bounce, species);
    let kind = world.find_species("body").unwrap();
    world.add_column(kind, "force", [2.0_f32, -1.0]).unwrap();
    let world = app.world_mut().spawn(Throng::new(world)).id();
    let body = Body { position: Vector([50.0, 50.0]), velocity: Vector::ZERO };
    let agent = app.world_mut().spawn((Agent::<2>::new(world, kind), body, Steering::<2>::default())).id();
    app.update();
    assert_eq!(app.world().get::<Steering<2>>(agent).unwrap().0, Vector([2.0, -1.0]));
    assert_eq!(app.world().get::<Body<2>>(agent).unwrap().position, body.position);
    // The host moves it.
    app.world_mut().get_mut::<Body<2>>(agent).unwrap().position = Vector([60.0, 40.0]);
    app.update();
    assert_eq!(app.world().get::<Drawn>(agent).unwrap().to.x, 60.0);
}

#[test]
fn a_million_agents_need_no_entities() {
    let mut app = app();
    let mut world = empty(4000.0, Edge::Wrap, Species::new("grain"));
    let grain = world.find_species("grain").unwrap();
    let positions: Vec<[f32; 2]> = (0..1_000_000).map(|n| [(n % 1000) as f32 * 4.0, (n / 1000) as f32 * 4.0]).collect();
    world.spawn_many(grain, &positions, &vec![[1.0, 0.0]; positions.len()]).unwrap();
    let world = app.world_mut().spawn(Throng::without_entities(world)).id();
    app.update();
    let mut instances = Vec::new();
    let throng = app.world().get::<Throng<2>>(world).unwrap();
    throng.instances(grain, &mut instances).unwrap();
    assert_eq!(instances.len(), 1_000_000);
    assert_eq!(instances[0][2..], [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(app.world_mut().query::<&Agent<2>>().iter(app.world()).count(), 0);
}

#[test]
fn events_and_failures_are_messages() {
    let mut app = app();
    let mut world = empty(100.0, Edge::Remove, Species::new("leaver"));
    let leaver = world.find_species("leaver").unwrap();
    let id = world.spawn(leaver, [99.99, 50.0], [6.4, 0.0]).unwrap();
    let world = app.world_mut().spawn(Throng::new(world)).id();
    app.update();
    let messages = app.world().resource::<bevy_ecs::message::Messages<WorldEvent>>();
    let events: Vec<Event> = MessageCursor::default().read(messages).map(|message| message.event).collect();
    assert!(matches!(events[..], [Event::Left { agent, .. }] if agent == id), "{events:?}");
    app.update();
    let throng = app.world().get::<Throng<2>>(world).unwrap();
    assert_eq!((throng.world.population(), throng.entity(id)), (0, None));
    assert!(app.world().resource::<bevy_ecs::message::Messages<StepFailed>>().is_empty());
    assert_eq!(app.world_mut().query::<&Agent<2>>().iter(app.world()).count(), 0);
}

#[test]
fn a_scenario_runs_with_the_bits_of_a_world_without_bevy() {
    let scenario = Scenario::load("../../scenarios/hunt.toml").unwrap();
    let mut alone = scenario.build::<2>().unwrap();
    let mut app = app();
    let world = app.world_mut().spawn(Throng::new(scenario.build::<2>().unwrap())).id();
    for _ in 0..30 {
        app.update();
        alone.step();
    }
    assert_eq!(app.world().get::<Throng<2>>(world).unwrap().world.state_hash(), alone.state_hash());
    assert_eq!(app.world_mut().query::<&Agent<2>>().iter(app.world()).count(), alone.population());
}

/// A rule that panics.
#[derive(Debug)]
struct Fails;

impl Behaviour<2> for Fails {
    fn steer(&self, _: &AgentRef<'_, 2>) -> Vector<2> {
        panic!("the rule fails")
    }
}

fn throng(app: &mut App, world: Entity) -> Mut<'_, Throng<2>> {
    app.world_mut().get_mut(world).unwrap()
}

#[test]
fn bad_input_gives_a_message_and_leaves_the_world_as_it_was() {
    let mut app = app();
    let mut alone = empty(100.0, Edge::Bounce, bird());
    let kind = alone.find_species("bird").unwrap();
    let unknown = empty(9.0, Edge::Wrap, bird()).add_species(Species::new("fish")).unwrap();
    let world = app.world_mut().spawn(Throng::new(empty(100.0, Edge::Bounce, bird()))).id();
    let body = |x, speed| Body { position: Vector([x, 50.0]), velocity: Vector([speed, 0.0]) };
    let spawn = |app: &mut App, world, kind, body| app.world_mut().spawn((Agent::<2>::new(world, kind), body)).id();
    let good: Vec<Entity> = (1..6).map(|n| spawn(&mut app, world, kind, body(10.0 * n as f32, 1.0))).collect();
    for n in 1..6 {
        alone.spawn(kind, [10.0 * n as f32, 50.0], [1.0, 0.0]).unwrap();
    }
    // The position, the velocity and the species are not allowed; one has no world.
    let bad =
        [(f32::NAN, 1.0, kind), (-1.0, 1.0, kind), (1e30, 1.0, kind), (9.0, f32::INFINITY, kind), (9.0, 1.0, unknown)]
            .map(|(x, speed, kind)| spawn(&mut app, world, kind, body(x, speed)));
    let lost = spawn(&mut app, good[0], kind, body(9.0, 1.0));
    let mut cursor = MessageCursor::default();
    let mut refused = |app: &App| -> Vec<Entity> {
        let messages = app.world().resource::<bevy_ecs::message::Messages<SpawnRefused>>();
        cursor.read(messages).map(|message| message.entity).collect()
    };
    let hash = |app: &App| app.world().get::<Throng<2>>(world).unwrap().world.state_hash();
    app.update();
    alone.step();
    assert_eq!(refused(&app), bad);
    assert!(bad.iter().all(|entity| app.world().get_entity(*entity).is_err()));
    assert_eq!(app.world().get::<Agent<2>>(lost).unwrap().id(), None);
    assert_eq!(hash(&app), alone.state_hash());

    // Changed bodies get their old values back.
    for (entity, (x, speed)) in
        good.iter().zip([(f32::NAN, 1.0), (1e30, 1.0), (-5.0, 1.0), (9.0, f32::NAN), (9.0, 1e30)])
    {
        *app.world_mut().get_mut::<Body<2>>(*entity).unwrap() = body(x, speed);
    }
    app.update();
    alone.step();
    assert_eq!(refused(&app), good);
    assert_eq!(hash(&app), alone.state_hash());

    // A rule that panics stops its world, and no other part of the app. No agent moves.
    let bodies =
        |app: &App| good.iter().map(|bird| *app.world().get::<Body<2>>(*bird).unwrap()).collect::<Vec<Body<2>>>();
    let before = bodies(&app);
    throng(&mut app, world).world.add_rule(kind, Rule::new(1.0, Fails)).unwrap();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    app.update();
    std::panic::set_hook(hook);
    let messages = app.world().resource::<bevy_ecs::message::Messages<StepFailed>>();
    let failed: Vec<String> = MessageCursor::default().read(messages).map(|failed| failed.error.to_string()).collect();
    assert!(matches!(&failed[..], [text] if text.contains("the rule fails")), "{failed:?}");
    let rules = alone.species(kind).unwrap().rules.len();
    throng(&mut app, world).world.remove_rule(kind, rules).unwrap();
    assert_eq!((throng(&mut app, world).world.tick(), bodies(&app)), (2, before.clone()));
    app.update();
    assert_eq!(throng(&mut app, world).world.tick(), 3);
    assert!(bodies(&app).iter().zip(before).all(|(now, before)| now.position != before.position));
}
