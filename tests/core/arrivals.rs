//! Tests of arrivals: an agent that reaches the target of a rule reports it once, and again only after it has left.

use throng::behaviours::{Arrive, FollowPath, Seek, WanderToTargets};
use throng::{
    AgentId, Behaviour, Condition, Edge, Event, Mark, Settings, Species, SpeciesFilter, SpeciesId, State, Target,
    Vector, World,
};

fn world() -> World<2> {
    let size = Vector([100.0, 100.0]);
    World::new(Settings { size, edge: [Edge::Bounce; _], tick_seconds: 0.1, ..Settings::default() }).unwrap()
}

/// Adds a species with one rule and one agent. The body's radius is half a metre, and the force suffices to take on a
/// desired velocity at once.
fn add(world: &mut World<2>, rule: impl Behaviour<2> + 'static, from: [f32; 2]) -> (SpeciesId, AgentId) {
    let mut species = Species::new("agent").with(1.0, rule);
    (species.radius, species.max_speed, species.max_force, species.response) =
        (0.5.into(), 4.0.into(), 1e4.into(), 0.1);
    let species = world.add_species(species).unwrap();
    (species, world.spawn(species, from, [0.0, 0.0]).unwrap())
}

/// Steps the world and returns the number of the tick of each arrival.
fn arrivals(world: &mut World<2>, ticks: u64) -> Vec<u64> {
    let mut ticks_of_arrivals = Vec::new();
    for _ in 0..ticks {
        world.step();
        let arrived = world.events().iter().filter(|event| matches!(event, Event::Arrived { .. }));
        ticks_of_arrivals.extend(arrived.map(|_| world.tick()));
    }
    ticks_of_arrivals
}

#[test]
fn an_arrival_is_reported_once_until_the_agent_has_left() {
    let mut world = world();
    let target = || Target::Mark("home".to_owned());
    world.environment_mut().marks.put(Mark::new("home", [30.0, 50.0])).unwrap();
    let (species, agent) = add(&mut world, Arrive { target: target(), slowing_radius: 4.0 }, [10.0, 50.0]);
    let first = arrivals(&mut world, 200);
    assert_eq!(first.len(), 1, "{first:?}");
    // Twenty metres at four metres per second take five seconds, plus the time to slow down.
    assert!((50..90).contains(&first[0]), "{first:?}");
    world.environment_mut().marks.put(Mark::new("home", [30.0, 50.4])).unwrap();
    assert!(arrivals(&mut world, 20).is_empty(), "the agent has not left the target");
    world.environment_mut().marks.put(Mark::new("home", [30.0, 60.0])).unwrap();
    let again = arrivals(&mut world, 100);
    assert_eq!(again.len(), 1, "{again:?}");
    world.set_position(agent, [80.0, 80.0]).unwrap();
    world.step();
    world.set_position(agent, [30.0, 60.2]).unwrap();
    world.step();
    assert_eq!(world.events(), [Event::Arrived { agent, species }]);
}

#[test]
fn an_agent_arrives_when_its_body_touches_the_target() {
    // The radius of each body is half a metre: the agent's own, and the radius of a target agent.
    for (distance, there) in [(0.49, true), (0.51, false)] {
        let mut world = world();
        add(&mut world, Seek { target: Target::Point(Vector([50.0, 50.0])) }, [50.0 - distance, 50.0]);
        world.step();
        assert_eq!(!world.events().is_empty(), there, "{distance} m from a point");
    }
    for (distance, there) in [(0.99, true), (1.01, false)] {
        let mut world = world();
        let other = world.add_species(Species::new("other")).unwrap();
        world.spawn(other, [50.0, 50.0], [0.0, 0.0]).unwrap();
        add(&mut world, Seek { target: Target::Nearest(SpeciesFilter::named("other")) }, [50.0 - distance, 50.0]);
        world.step();
        assert_eq!(!world.events().is_empty(), there, "{distance} m from an agent");
    }
}

#[test]
fn only_an_open_path_ends_in_an_arrival() {
    let points = vec![Vector([20.0, 50.0]), Vector([20.0, 30.0]), Vector([10.0, 50.0])];
    for (closed, times) in [(false, 1), (true, 0)] {
        let mut world = world();
        // The body touches a waypoint before the threshold is reached.
        let path = FollowPath { points: points.clone(), threshold: 0.3, closed, slowing_radius: 2.0 };
        // The agent starts on the last waypoint and visits the others first.
        add(&mut world, path, [10.0, 50.0]);
        let ticks = arrivals(&mut world, 300);
        assert_eq!(ticks.len(), times, "closed: {closed}, {ticks:?}");
        assert!(ticks.iter().all(|&tick| tick > 100), "{ticks:?}");
    }
}

#[test]
fn a_wanderer_arrives_at_each_of_its_targets() {
    let mut world = world();
    add(&mut world, WanderToTargets { interval: 60.0 }, [50.0, 50.0]);
    let ticks = arrivals(&mut world, 1800);
    // The agent overshoots some points, and then arrives again.
    for minute in 0..3 {
        assert!(ticks.iter().any(|tick| tick / 600 == minute), "{ticks:?}");
    }
}

#[test]
fn a_state_may_wait_for_an_arrival() {
    let mut world = world();
    let target = Target::Point(Vector([20.0, 50.0]));
    let mut species = Species::new("messenger")
        .with_during("go", 1.0, Arrive { target, slowing_radius: 4.0 })
        .with_state(State::new("go").with_transition("stay", Condition::Arrived))
        .with_state(State::new("stay"));
    species.response = 0.1;
    let species = world.add_species(species).unwrap();
    let agent = world.spawn(species, [10.0, 50.0], [0.0, 0.0]).unwrap();
    let state = |world: &mut World<2>| world.explain(agent).unwrap().state.unwrap();
    assert_eq!(state(&mut world), "go");
    assert_eq!(arrivals(&mut world, 100).len(), 1);
    assert_eq!(state(&mut world), "stay");
}
