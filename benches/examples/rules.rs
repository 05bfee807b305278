//! Prints a Markdown table of the cost of each rule by itself on one thread, beside the same world without rules.
//! `rules [ROUNDS] [NAME...]` sets the number of rounds, and the rules by name.
//!
//! Every round starts from the same state and runs the same ticks, so the fastest round is the least disturbed one. The
//! worlds take turns.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use throng::parameters::{Kind, Value};
use throng::{
    AgentRef, Behaviour, Error, FlowField, Inputs, NamedRule, Noise, Obstacle, Perception, Registry, Rule, Settings,
    Species, SpeciesFilter, Vector, World, steering,
};
use throng_bench::design::{ROUND, WARM};
use throng_bench::flock::{Flock, MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE, TICK_SECONDS};

const AGENTS: usize = 10_000;
const LEADERS: usize = 100;
const OBSTACLES: usize = 10;
const ROUNDS: u32 = 8;

/// The rule of this number, with parameters that give every agent work to do.
fn busy(number: usize, size: f32) -> Result<Box<dyn NamedRule<2>>, Error> {
    let point = |x: f32, y: f32| vec![f64::from(x * size), f64::from(y * size)];
    let mut rule = Registry::new().rules().nth(number).map(NamedRule::duplicate).expect("the number is that of a rule");
    let perceives = rule.parameters().iter().any(|parameter| matches!(parameter.kind, Kind::SpeciesFilter));
    for parameter in rule.parameters() {
        let value = match (parameter.name, parameter.kind, rule.get(parameter.name)) {
            (_, Kind::Target, Some(Value::Point(_))) => Value::Point(point(0.5, 0.5)),
            (_, Kind::Target, _) if rule.rule() != "wander_to_targets" => Value::Word("nearest:leader".to_owned()),
            (_, Kind::Points(_), _) => {
                Value::Points(vec![point(0.1, 0.1), point(0.4, 0.9), point(0.6, 0.1), point(0.9, 0.9)])
            }
            ("radius", ..) if perceives => Value::Number(f64::from(RADIUS)),
            ("panic_radius", ..) => Value::Number(f64::from(size)),
            _ => continue,
        };
        rule.set(parameter.name, &value)?;
    }
    Ok(rule)
}

/// Counts the neighbours that a rule would see, and does not steer.
#[derive(Debug)]
struct Census {
    rule: Box<dyn NamedRule<2>>,
    neighbours: Arc<AtomicU64>,
}

impl Census {
    fn perception(&self) -> Option<Perception> {
        self.rule.inputs().perceptions().next().cloned()
    }
}

impl Behaviour<2> for Census {
    fn inputs(&self) -> Inputs {
        self.perception().map_or_else(Inputs::default, |perception| Inputs::default().neighbours(perception))
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        if self.perception().is_some() {
            self.neighbours.fetch_add(me.neighbours(0).len() as u64, Relaxed);
        }
        Vector::ZERO
    }
}

/// The rules `separation` and `alignment` as a host writes them: it reads its neighbours one by one.
#[derive(Clone, Copy, Debug)]
enum OneByOne {
    Separation,
    Alignment,
}

impl Behaviour<2> for OneByOne {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(RADIUS, &SpeciesFilter::Own)).nearby()
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        let mut sum = Vector::ZERO;
        for neighbour in me.neighbours(0) {
            sum += match self {
                Self::Separation => neighbour.offset * (-1.0 / neighbour.distance_squared),
                Self::Alignment => neighbour.velocity,
            };
        }
        match (self, me.neighbours(0).len()) {
            (Self::Separation, _) => me.towards(steering::seek(sum, me.max_speed())),
            (Self::Alignment, 0) => Vector::ZERO,
            (Self::Alignment, count) => me.towards(sum / count as f32),
        }
    }
}

/// The mean number of neighbours that a rule perceives per agent in the first tick.
fn neighbours(flock: &Flock<2>, number: usize) -> Result<f64, Error> {
    let neighbours = Arc::new(AtomicU64::new(0));
    let census = Census { rule: busy(number, flock.size)?, neighbours: Arc::clone(&neighbours) };
    world(flock, vec![Rule::new(1.0, census)])?.step();
    Ok(neighbours.load(Relaxed) as f64 / AGENTS as f64)
}

/// The flock with these rules, in a world with obstacles, a flow field and leaders, so that every rule has its inputs.
fn world(flock: &Flock<2>, rules: Vec<Rule<2>>) -> Result<World<2>, Error> {
    let size = Vector::splat(flock.size);
    let mut world = World::new(Settings { size, tick_seconds: TICK_SECONDS, ..Settings::default() })?;
    let mut noise = Noise::new(11, 0, 0, Noise::USER);
    let mut anywhere = || Vector::from_fn(|_| noise.between(0.0, flock.size));
    for _ in 0..OBSTACLES {
        let obstacle = Obstacle::new(anywhere(), RADIUS);
        world.environment_mut().obstacles.add(obstacle)?;
    }
    let whirl = |point: Vector<2>| Vector([flock.size * 0.5 - point[1], point[0] - flock.size * 0.5]);
    world.environment_mut().fields.put(FlowField::from_fn("flow", [32, 32], size, whirl)?)?;

    let mut agent = Species::new("agent");
    (agent.max_speed, agent.max_force, agent.response) = (MAX_SPEED.into(), MAX_FORCE.into(), RESPONSE);
    agent.rules = rules;
    let agent = world.add_species(agent)?;
    for (position, velocity) in flock.position.iter().zip(&flock.velocity) {
        world.spawn(agent, *position, *velocity)?;
    }
    let leader = world.add_species(Species::new("leader"))?;
    for _ in 0..LEADERS {
        world.spawn(leader, anywhere(), [MAX_SPEED, 0.0])?;
    }
    Ok(world)
}

/// What is measured: these rules of throng, or one of a host.
enum Case {
    Rules(Vec<usize>),
    OneByOne(OneByOne),
}

impl Case {
    fn rules(&self, flock: &Flock<2>) -> Result<Vec<Rule<2>>, Error> {
        let rule =
            |&number: &usize| Ok(Rule::from_arc(1.0, Arc::from(busy(number, flock.size)? as Box<dyn Behaviour<2>>)));
        match self {
            Self::Rules(rules) => rules.iter().map(rule).collect(),
            Self::OneByOne(rule) => Ok(vec![Rule::new(1.0, *rule)]),
        }
    }
}

/// Runs one round with these rules; returns nanoseconds per agent and tick.
fn round(flock: &Flock<2>, rules: Vec<Rule<2>>) -> Result<f64, Error> {
    let mut world = world(flock, rules)?;
    (0..WARM).for_each(|_| world.step());
    let began = Instant::now();
    (0..ROUND).for_each(|_| world.step());
    Ok(began.elapsed().as_nanos() as f64 / (ROUND * AGENTS as u64) as f64)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let flock = Flock::new(AGENTS);
    let registry = Registry::new();
    let all: Vec<&dyn NamedRule<2>> = registry.rules().collect();
    let of = |names: &[&str]| (0..all.len()).filter(|&rule| names.contains(&all[rule].rule())).collect::<Vec<_>>();
    let mut cases: Vec<(String, usize, Case)> =
        all.iter().enumerate().map(|(n, rule)| (format!("`{}`", rule.rule()), n, Case::Rules(vec![n]))).collect();
    let flocking = of(&["separation", "alignment", "cohesion"]);
    let names: Vec<String> = flocking.iter().map(|&rule| cases[rule].0.clone()).collect();
    cases.push((names.join(", "), flocking[0], Case::Rules(flocking)));
    for (name, rule) in [("separation", OneByOne::Separation), ("alignment", OneByOne::Alignment)] {
        cases.push((format!("`{name}` of a host, one by one"), of(&[name])[0], Case::OneByOne(rule)));
    }
    let mut asked: Vec<String> = std::env::args().skip(1).collect();
    let rounds = asked.first().and_then(|number| number.parse().ok());
    asked.drain(..usize::from(rounds.is_some()));
    cases.retain(|(name, ..)| asked.is_empty() || asked.iter().any(|asked| name.contains(&format!("`{asked}`"))));

    let (mut none, mut best) = (f64::INFINITY, vec![f64::INFINITY; cases.len()]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    pool.install(|| {
        for _ in 0..rounds.unwrap_or(ROUNDS) {
            none = none.min(round(&flock, Vec::new())?);
            for (best, (.., case)) in best.iter_mut().zip(&cases) {
                *best = best.min(round(&flock, case.rules(&flock)?)?);
            }
        }
        Ok::<(), Error>(())
    })?;

    println!("| rule | ns per agent and tick | over no rule | neighbours |\n|---|---|---|---|");
    println!("| none | {none:.0} | | |");
    for (best, (name, rule, _)) in best.iter().zip(&cases) {
        let neighbours = match neighbours(&flock, *rule)? {
            0.0 => String::new(),
            some => format!(" {some:.0}"),
        };
        println!("| {name} | {best:.0} | {:.0} |{neighbours} |", best - none);
    }
    Ok(())
}
