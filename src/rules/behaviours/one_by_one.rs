//! Tests: the batch implementations of rules give the same bits as one agent at a time.

use std::sync::Arc;

use crate::base::settings::{Edge, Settings};
use crate::maths::Noise;
use crate::rules::behaviours::all;
use crate::rules::behaviours::testing::extremes;
use crate::rules::interface::{AgentRef, Behaviour, Inputs, NamedRule};
use crate::rules::parameters::{Kind, Value};
use crate::species::states::State;
use crate::species::{Distribution, Rule, Species};
use crate::{AgentId, FlowField, Mark, Obstacle, Vector, Wall, WallShape, World};

const SIZE: f32 = 100.0;
const AGENTS: usize = 330;

/// A rule without its batch implementation.
#[derive(Debug)]
struct OneByOne<const D: usize>(Box<dyn NamedRule<D>>);

impl<const D: usize> Behaviour<D> for OneByOne<D> {
    fn inputs(&self) -> Inputs {
        self.0.inputs()
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        self.0.steer(me)
    }
}

/// The variations between test worlds.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// One per axis.
    edge: [Edge; 3],
    /// Whether the rule is active in only one of two states.
    in_one_state: bool,
    /// Whether some agents have goals.
    goals: bool,
    /// Whether bodies differ.
    bodies: bool,
}

impl Case {
    fn new(number: usize) -> Self {
        Self {
            // The same on all axes in every fifth group of five.
            edge: [0, 1, 2].map(|axis| Edge::ALL[(number + axis * (number / 5)) % Edge::ALL.len()]),
            in_one_state: number.is_multiple_of(3),
            goals: number % 4 == 1,
            bodies: number.is_multiple_of(2),
        }
    }
}

/// A world with everything that rules refer to. Some agents rest, share a point or are on a target; one is far
/// outside on the open axes.
fn world<const D: usize>(rule: Arc<dyn Behaviour<D>>, case: Case) -> World<D> {
    let size = Vector::splat(SIZE);
    let settings = Settings {
        size,
        edge: std::array::from_fn(|axis| case.edge[axis]),
        tick_seconds: 0.1,
        seed: 9,
        ..Settings::default()
    };
    let mut world = World::new(settings).unwrap();
    let mut noise = Noise::new(31, 0, 0, 0);
    let mut any = || Vector::<D>::from_fn(|_| noise.between(0.0, SIZE));
    for _ in 0..12 {
        world.environment_mut().obstacles.add(Obstacle::new(any(), 4.0)).unwrap();
    }
    for number in 0..4 {
        let centre = any();
        let shape = match number % 2 {
            0 => WallShape::Ball { centre, radius: 3.0 },
            _ => WallShape::Box { centre, half: Vector::splat(2.0) },
        };
        world.environment_mut().walls.add(Wall::new(shape)).unwrap();
    }
    let whirl = |point: Vector<D>| Vector::from_fn(|axis| if point[axis] > 20.0 { 50.0 - point[axis] } else { 0.0 });
    world.environment_mut().fields.put(FlowField::from_fn("flow", [7; D], size, whirl).unwrap()).unwrap();
    world.environment_mut().marks.put(Mark::new("pointer", Vector::splat(3.5 * SIZE))).unwrap();
    let leader = world.add_species(Species::new("leader")).unwrap();
    for _ in 0..9 {
        let (place, velocity) = (any(), any() - size * 0.5);
        world.spawn(leader, place, velocity * 0.2).unwrap();
    }
    let mut crowd = Species::new("crowd");
    crowd.states = vec![State::new("moved"), State::new("free")];
    let rule = Rule::from_arc(1.0, rule);
    crowd.rules = vec![if case.in_one_state { rule.during("moved") } else { rule }];
    if case.bodies {
        (crowd.radius, crowd.max_speed) = (Distribution::Uniform(0.0, 2.0), Distribution::Uniform(0.0, 20.0));
    }
    let crowd = world.add_species(crowd).unwrap();
    for number in 0..AGENTS {
        let place = if number % 5 == 0 { size * 0.5 } else { any() };
        let far = |axis: usize| number == 7 && case.edge[axis] == Edge::Open;
        let place = Vector::from_fn(|axis| if far(axis) { 4000.0 * size[axis] } else { place[axis] });
        let velocity = if number % 3 == 0 { Vector::ZERO } else { (any() - size * 0.5) * 0.2 };
        let agent = world.spawn(crowd, place, velocity).unwrap();
        if number % 4 == 0 {
            world.set_state(agent, "free").unwrap();
        }
        if case.goals && number % 6 == 0 {
            world.set_goal(agent, Some(any())).unwrap();
        }
    }
    world
}

/// All state that a rule can influence.
fn outcome<const D: usize>(world: &World<D>) -> (Vec<u32>, String) {
    let columns =
        world.all_agents().iter().flat_map(|agents| agents.positions().into_iter().chain(agents.velocities()));
    let motions = columns.flatten().map(|number| number.to_bits()).collect();
    let remembered: Vec<_> = world.all_agents().iter().map(|agents| &agents.columns).collect();
    (motions, format!("{remembered:?} {:?}", world.events()))
}

fn compare<const D: usize>(rule: &dyn NamedRule<D>, number: usize) {
    let case = Case::new(number);
    let mut many = world(Arc::from(rule.duplicate() as Box<dyn Behaviour<D>>), case);
    let mut single = world(Arc::new(OneByOne(rule.duplicate())), case);
    for tick in 0..6 {
        let ((motions, rest), (expected, expected_rest)) = (outcome(&many), outcome(&single));
        let different = motions.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert_eq!(different, 0, "of {} numbers in tick {tick}: {rule:?} {case:?}", motions.len());
        assert_eq!(rest, expected_rest, "tick {tick}: {rule:?} {case:?}");
        for world in [&mut many, &mut single] {
            // Rows get out of place during the run.
            let crowd = world.species_ids().nth(1).unwrap();
            let ids: Vec<AgentId> = world.agents(crowd).unwrap().ids().to_vec();
            world.despawn(ids[3 * tick]).unwrap();
            world.spawn(crowd, Vector::splat(10.0 * tick as f32), Vector::splat(2.0)).unwrap();
            world.step();
        }
    }
}

/// A rule whose parameters refer to things in the world.
fn filled<const D: usize>(number: usize) -> Box<dyn NamedRule<D>> {
    let mut rule = all::<D>().swap_remove(number);
    for parameter in rule.parameters() {
        let value = match parameter.kind {
            Kind::Target => Value::Point(vec![50.0; D]),
            Kind::Points(_) => Value::Points([30.0, 50.0, 50.0, 80.0, 10.0].map(|at| vec![at; D]).to_vec()),
            Kind::Statements => Value::Word("velocity = mean(offset) + random_direction()".to_owned()),
            _ => continue,
        };
        rule.set(parameter.name, &value).unwrap();
    }
    rule
}

/// Rules of sums. They divide once for all axes, so their results may differ by half a unit in the last place.
const OF_SUMS: [&str; 3] = ["separation", "alignment", "cohesion"];

fn every_rule<const D: usize>() {
    let mut number = 0;
    for rule in (0..all::<D>().len()).filter(|&rule| !OF_SUMS.contains(&filled::<D>(rule).rule())) {
        for _ in 0..2 * Edge::ALL.len() {
            compare(&*filled::<D>(rule), number);
            number += 1;
        }
        for parameter in filled::<D>(rule).parameters() {
            let words: &[&str] = match parameter.kind {
                Kind::Target => &["mark:pointer", "nearest:leader", "nearest:own", "kept:leader", "agent:4294967296"],
                _ => &[],
            };
            let words = words.iter().map(|&word| Value::Word(word.to_owned()));
            for value in extremes::<D>(parameter).into_iter().chain(words) {
                let mut rule = filled::<D>(rule);
                rule.set(parameter.name, &value).unwrap();
                compare(&*rule, number);
                number += 1;
            }
        }
    }
}

#[test]
fn batches_match_single_agents() {
    every_rule::<2>();
    every_rule::<3>();
}
