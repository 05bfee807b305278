//! Tests of a host's questions between ticks, and of rules and states that look for the nearest agent.

use std::ops::ControlFlow;

use proptest::prelude::*;
use throng::behaviours::Cohesion;
use throng::{
    AgentId, AgentRef, Behaviour, Catch, Condition, Edge, Event, Inputs, Neighbour, Species, SpeciesFilter, State,
    Target, Vector, World,
};

use crate::crowds::{Crowd, NAMES, cases, crowd, species};
use crate::naive::{Agent, agents, length, offset, sees};

/// Returns the squared distance from a point in `f32`, as defined.
fn squared<const D: usize>(world: &World<D>, point: [f32; D], agent: &Agent<D>) -> f32 {
    let offset = offset(world.settings(), point, agent.position).map(|component| component as f32);
    throng::Vector(offset).length_squared()
}

/// Compares found agents with the agents of the world. Returns their ids.
fn check_found<const D: usize>(world: &World<D>, point: [f32; D], found: &[Neighbour<D>]) -> Vec<AgentId> {
    for near in found {
        let agents = world.agents(near.species).unwrap();
        assert_eq!((agents.ids()[near.row], agents.velocity(near.row)), (near.id, near.velocity));
        assert_eq!(near.offset, world.settings().offset(point, agents.position(near.row)));
        assert_eq!(near.distance_squared, near.offset.length_squared());
        assert_eq!(near.distance(), near.distance_squared.sqrt());
    }
    found.iter().map(|near| near.id).collect()
}

/// Whether a filter accepts an agent in a question about an agent of a species, or about a point.
type Accepts<const D: usize> = fn(&Agent<D>, Option<usize>) -> bool;

fn filters<const D: usize>() -> [(SpeciesFilter, Accepts<D>); 5] {
    let names = |names: &[&str]| SpeciesFilter::Named(names.iter().map(|&name| name.to_owned()).collect());
    [
        (SpeciesFilter::All, |_, _| true),
        (SpeciesFilter::Own, |agent, own| own == Some(agent.species)),
        (names(&[NAMES[1]]), |agent, _| agent.species == 1),
        (names(&[NAMES[1], "starling:one"]), |agent, _| agent.species == 1 || agent.id.to_bits() % 2 == 1),
        (names(&["nothing", "starling:nowhere"]), |_, _| false),
    ]
}

/// Puts every second starling into a state.
fn set_states<const D: usize>(world: &mut World<D>) {
    let ids = world.all_agents().iter().next().unwrap().ids().to_vec();
    for id in ids {
        world.set_state(id, ["zero", "one"][(id.to_bits() % 2) as usize]).unwrap();
    }
}

fn check<const D: usize>(crowd: &Crowd, radius: f32, count: usize) {
    let [starling, hawk] = NAMES.map(|name| species(name, &[]));
    let mut world: World<D> =
        crowd.world_of([starling.with_state(State::new("zero")).with_state(State::new("one")), hawk]);
    set_states(&mut world);
    for _ in 0..2 {
        let agents = agents(&world);
        let mut found = Vec::new();
        for me in agents.iter().step_by(7) {
            world.query().around(me.id, radius, &mut found).unwrap();
            let listed = check_found(&world, me.position, &found);
            for other in &agents {
                let seen = sees(world.settings(), me, other, radius, 360.0);
                let times = listed.iter().filter(|id| **id == other.id).count();
                assert!(times <= 1 && seen.is_none_or(|seen| seen == (times == 1)), "{me:?} {other:?} {times}");
            }

            let point = me.position;
            let inside = |other: &&Agent<D>| squared(&world, point, other) <= radius * radius;
            let mut expected: Vec<&Agent<D>> = agents.iter().filter(inside).collect();
            // `agents` is in the order of species and rows, which a stable sort keeps for equal distances.
            expected.sort_by(|a, b| squared(&world, point, a).total_cmp(&squared(&world, point, b)));
            let expected: Vec<AgentId> = expected.iter().map(|agent| agent.id).collect();
            world.query().within(point, radius, &mut found).unwrap();
            assert_eq!(check_found(&world, point, &found), expected);
            let mut visited = Vec::new();
            world
                .query()
                .each_within(point, radius, |near| {
                    visited.push(near);
                    ControlFlow::Continue(())
                })
                .unwrap();
            visited.sort_by_key(|near| (near.distance_squared.to_bits(), near.species, near.row));
            assert_eq!(visited, found);
            visited.clear();
            world
                .query()
                .each_within(point, radius, |near| {
                    visited.push(near);
                    ControlFlow::Break(())
                })
                .unwrap();
            assert_eq!(visited.len(), usize::from(!expected.is_empty()));

            let mut expected: Vec<&Agent<D>> = agents.iter().collect();
            expected.sort_by(|a, b| squared(&world, point, a).total_cmp(&squared(&world, point, b)));
            for (filter, takes) in filters() {
                let query = world.query().among(&filter);
                let wanted = |agent: &&&Agent<D>| takes(agent, None);
                let ids = expected.iter().filter(wanted).map(|agent| agent.id);
                query.nearest(point, count, &mut found).unwrap();
                assert_eq!(
                    check_found(&world, point, &found),
                    ids.clone().take(count).collect::<Vec<_>>(),
                    "{filter:?}"
                );
                let inside = expected.iter().take_while(|agent| squared(&world, point, agent) <= radius * radius);
                query.within(point, radius, &mut found).unwrap();
                let ids: Vec<AgentId> = inside.clone().filter(wanted).map(|agent| agent.id).collect();
                assert_eq!(check_found(&world, point, &found), ids, "{filter:?}");
                query.around(me.id, radius, &mut found).unwrap();
                let others = inside.filter(|agent| agent.id != me.id && takes(agent, Some(me.species)));
                assert_eq!(
                    check_found(&world, point, &found),
                    others.map(|agent| agent.id).collect::<Vec<_>>(),
                    "{filter:?}"
                );
            }
        }
        world.step();
        // Answers follow the present state, not the state at the last question.
        if let Some(agent) = self::agents(&world).first() {
            let place = length(agent.position.map(f64::from)).is_finite();
            world.set_position(agent.id, throng::Vector::ZERO).unwrap();
            world.query().nearest(throng::Vector::ZERO, 1, &mut found).unwrap();
            assert!(place && world.position(found[0].id).unwrap() == throng::Vector::ZERO);
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn questions_in_two_dimensions(crowd in crowd(400), radius in 0.0f32..80.0, count in 0usize..40) {
        check::<2>(&crowd, radius, count);
    }

    #[test]
    fn questions_in_three_dimensions(crowd in crowd(400), radius in 0.0f32..80.0, count in 0usize..40) {
        check::<3>(&crowd, radius, count);
    }
}

/// Moves at random, and compares the engine's nearest agent with a search through all agents.
#[derive(Debug)]
struct Watch(SpeciesFilter);

impl<const D: usize> Behaviour<D> for Watch {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("nearest", &Target::<D>::Nearest(self.0.clone()))
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let mut nearest: Option<(f32, Vector<D>, Vector<D>)> = None;
        for agents in me.world().all_agents().iter().filter(|agents| match &self.0 {
            SpeciesFilter::Named(names) => names.iter().any(|name| name == agents.name()),
            _ => true,
        }) {
            for row in 0..agents.len() {
                let offset = me.offset_to(agents.position(row));
                let itself = (agents.species(), row) == (me.species(), me.row());
                if !itself && nearest.is_none_or(|(squared, ..)| offset.length_squared() < squared) {
                    nearest = Some((offset.length_squared(), offset, agents.velocity(row)));
                }
            }
        }
        let found = me.target(0).map(|aim| (aim.offset, aim.velocity));
        assert_eq!(found, nearest.map(|(_, offset, velocity)| (offset, velocity)), "{:?} {}", me.id(), me.row());
        me.noise(throng::Noise::USER).direction() * 20.0
    }
}

/// Checks targets in every tick, also in those that do not measure boxes.
fn check_targets<const D: usize>(crowd: &Crowd, ticks: usize) {
    let watch = |name: &str, filter| {
        let cohesion = Cohesion { radius: 4.0, ..Cohesion::default() };
        species(name, &[]).with(1.0, Watch(filter)).with(0.1, cohesion)
    };
    let mut world: World<D> =
        crowd.world_of([watch(NAMES[0], SpeciesFilter::All), watch(NAMES[1], SpeciesFilter::named(NAMES[0]))]);
    for tick in 0..ticks {
        // A moved agent leaves its cluster's box; a removed agent gives its row to the last one.
        let ids = agents(&world).iter().map(|agent| agent.id).collect::<Vec<_>>();
        if tick == 2 && ids.len() > 3 {
            world.set_position(ids[ids.len() / 3], Vector::splat(0.5)).unwrap();
            world.despawn(ids[0]).unwrap();
        }
        world.step();
    }
}

/// Returns the squared distance to the nearest agent of a species other than `me`, and its id; `None` if there is none.
fn nearest_to<const D: usize>(
    world: &World<D>,
    agents: &[Agent<D>],
    me: &Agent<D>,
    of: usize,
) -> Option<(f32, AgentId)> {
    let others = agents.iter().filter(|other| other.species == of && other.id != me.id);
    let distances = others.map(|other| (squared(world, me.position, other), other.id));
    distances.min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Checks states that depend on the distance of a hawk, and hawks that catch starlings.
fn check_states<const D: usize>(crowd: &Crowd, distance: f32) {
    let hawk = SpeciesFilter::named(NAMES[1]);
    let calm = State::new("calm").with_transition("alarmed", Condition::Nearer(hawk.clone(), distance));
    let alarmed = State::new("alarmed").with_transition("calm", Condition::Farther(hawk, distance));
    let mut hunter: Species<D> = species(NAMES[1], &[]);
    let reach = 0.5 * distance;
    hunter.catch =
        Some(Catch { whom: SpeciesFilter::named(NAMES[0]), distance: reach, remove: false, during: Vec::new() });
    let prey = species(NAMES[0], &[]).with_state(calm).with_state(alarmed);
    let mut world: World<D> = crowd.world_of([prey, hunter]);
    for tick in 0..3 {
        let before = agents(&world);
        world.step();
        let starlings = world.species_ids().next().unwrap();
        // Agents that were near on the ways of the last tick count as well: at most so far from where they are now.
        let seconds = if tick == 0 { 0.0 } else { 1.001 * world.settings().tick_seconds };
        let way = |agent: &Agent<D>| Vector(agent.velocity).length() * seconds;
        let nearest_way = |me: &Agent<D>, of: usize| {
            let others = before.iter().filter(|other| other.species == of && other.id != me.id);
            let distances = others.map(|other| squared(&world, me.position, other).sqrt() - way(other));
            distances.fold(f32::INFINITY, |least, far| if far < least { far } else { least }) - way(me)
        };
        for me in before.iter().filter(|agent| agent.species == 0) {
            let (_, row) = world.find(me.id).unwrap();
            let is_alarmed = world.agents(starlings).unwrap().state(row) == 1;
            let near = nearest_to(&world, &before, me, 1).is_some_and(|(squared, _)| squared <= distance * distance);
            assert!(is_alarmed || !near, "{me:?}");
            assert!(!is_alarmed || near || nearest_way(me, 1) <= distance, "{me:?}");
        }
        let hunters: Vec<_> = before.iter().filter(|agent| agent.species == 1).collect();
        let found = |hunter: &&&Agent<D>| nearest_to(&world, &before, hunter, 0);
        let near = |hunter: &&&Agent<D>| found(hunter).is_some_and(|(squared, _)| squared <= reach * reach);
        let nearest = hunters.iter().filter(near).count();
        let most = hunters.iter().filter(|hunter| near(hunter) || nearest_way(hunter, 0) <= reach).count();
        let caught: Vec<(AgentId, AgentId)> = world
            .events()
            .iter()
            .filter_map(|event| match event {
                Event::Caught { agent, by, .. } => Some((*agent, *by)),
                _ => None,
            })
            .collect();
        let of = |id: AgentId| before.iter().find(|agent| agent.id == id).unwrap();
        for (agent, by) in &caught {
            let (least, _) = nearest_to(&world, &before, of(*by), 0).unwrap();
            let far = squared(&world, of(*by).position, of(*agent));
            assert!(far == least || least > reach * reach, "{by:?} takes the nearest");
        }
        // Two hunters may reach for the same prey, and several prey may be equally near.
        assert!(!caught.is_empty() || nearest == 0);
        assert!(caught.len() <= most);
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn targets_in_two_dimensions(crowd in crowd(700)) {
        check_targets::<2>(&crowd, 6);
    }

    #[test]
    fn targets_in_three_dimensions(crowd in crowd(700)) {
        check_targets::<3>(&crowd, 6);
    }

    #[test]
    fn states_and_catches(crowd in crowd(500), distance in 0.0f32..12.0) {
        check_states::<2>(&crowd, distance);
    }
}

proptest! {
    #![proptest_config(cases(6))]

    /// Several layers of boxes above the boxes of chunks, and rows that were never arranged.
    #[test]
    fn questions_to_many_agents(crowd in crowd(9000), count in 1usize..400, tick in any::<bool>()) {
        let mut world: World<2> = crowd.world_of(NAMES.map(|name| species(name, &[])));
        if tick {
            world.step();
        }
        let agents = agents(&world);
        let mut found = Vec::new();
        let size = world.settings().size;
        let mut points: Vec<[f32; 2]> = agents.iter().step_by(977).map(|agent| agent.position).collect();
        points.push((size * 0.5).0);
        let far = [7e5, -3e5];
        points.push(std::array::from_fn(|axis| match crowd.edge[axis] {
            Edge::Open => far[axis],
            _ => 0.3 * size[axis],
        }));
        for point in points {
            let mut expected: Vec<&Agent<2>> = agents.iter().collect();
            expected.sort_by(|a, b| squared(&world, point, a).total_cmp(&squared(&world, point, b)));
            let expected: Vec<AgentId> = expected.iter().map(|agent| agent.id).collect();
            for count in [count, usize::MAX] {
                world.query().nearest(point, count, &mut found).unwrap();
                let most = if count < expected.len() { count } else { expected.len() };
                assert_eq!(check_found(&world, point, &found), expected[..most]);
            }
        }
    }
}

#[test]
fn invalid_questions_are_refused() {
    let mut world = World::<2>::new(throng::Settings::default()).unwrap();
    let id = world.add_species(species(NAMES[0], &[])).unwrap();
    let agent = world.spawn(id, [1.0, 1.0], [0.0, 0.0]).unwrap();
    let mut found = Vec::new();
    for radius in [-1.0, f32::NAN] {
        assert!(world.query().within([1.0, 1.0], radius, &mut found).is_err());
        assert!(world.query().around(agent, radius, &mut found).is_err());
    }
    assert!(world.query().within([f32::NAN, 1.0], 1.0, &mut found).is_err());
    assert!(world.query().nearest([1.0, f32::INFINITY], 1, &mut found).is_err());
    for (from, to) in [([f32::NAN, 1.0], [1.0; 2]), ([1.0; 2], [1.0, f32::INFINITY])] {
        assert!(world.query().is_clear(from, to).is_err());
    }
    world.query().nearest([1.0, 1.0], usize::MAX, &mut found).unwrap();
    assert!(found.len() == 1 && found[0].id == agent);
    world.despawn(agent).unwrap();
    assert_eq!(world.query().around(agent, 1.0, &mut found), Err(throng::Error::NoSuchAgent(agent)));
}
