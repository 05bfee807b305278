//! How does a command change the running world? Between two ticks, through the library's public API.

use throng::parameters::{Kind, Value, allowed};
use throng::species::WEIGHT;
use throng::{LIMIT, Noise, Obstacle, Rule, SpeciesId, Vector, World};

use super::command::Command;

/// Agents that one command adds at most.
const SPAWNED: u64 = 10_000;
/// Agents up to which agents can be added.
const POPULATION: usize = 2_000_000;

/// What a command has changed.
#[derive(Debug, PartialEq)]
pub(crate) enum Change {
    /// What a scenario file has a key for: the key and the value that say the same.
    Key(String, String),
    /// Something else in the world, that a key has no words for.
    World,
}

/// Makes the change that a command asks for.
///
/// # Errors
///
/// What is wrong with it, in words; the world is as it was.
pub(crate) fn apply<const D: usize>(world: &mut World<D>, command: Command) -> Result<Change, String> {
    match command {
        Command::Set { species, rule, name, value } => return set(world, species, rule, &name, value),
        Command::Waypoint { species, rule, name, point } => {
            let point = precise(vector::<D>(&point)?);
            let Some(Value::Points(mut points)) = value_of(world, species, rule, &name) else {
                return Err(format!("{name} is no path"));
            };
            points.push(point);
            return set(world, species, rule, &name, Value::Points(points));
        }
        Command::Mark { name, point } => {
            if world.scenery().mark(&name).is_none() {
                return Err(format!("there is no mark {name:?}"));
            }
            let point = vector::<D>(&point)?;
            world.scenery_mut().set_mark(&name, point).map_err(text)?;
            return Ok(Change::Key(format!("marks.{name}"), toml(&Value::Point(precise(point)))));
        }
        Command::Obstacle { point, radius } => {
            let obstacle = Obstacle { centre: vector(&point)?, radius: length(radius)?, velocity: Vector::ZERO };
            if world.scenery().obstacles().len() >= 1000 {
                return Err("there are 1000 obstacles already".to_owned());
            }
            world.scenery_mut().add_obstacle(obstacle).map_err(text)?;
        }
        Command::ClearObstacles => world.scenery_mut().clear_obstacles(),
        Command::Spawn { species, point, radius, count } => {
            spawn(world, species, vector(&point)?, length(radius)?, count)?;
        }
        Command::Remove { point, radius } => {
            let mut found = Vec::new();
            world.within(vector::<D>(&point)?, length(radius)?, &mut found).map_err(text)?;
            for id in found {
                // Found just now.
                let _ = world.despawn(id);
            }
        }
        _ => {}
    }
    Ok(Change::World)
}

fn set<const D: usize>(
    world: &mut World<D>,
    species: usize,
    rule: usize,
    name: &str,
    value: Value,
) -> Result<Change, String> {
    let id = species_of(world, species)?;
    let definition = world.species(id).map_err(text)?;
    let path = format!("species.{}.{}.{name}", definition.name, place(&definition.rules, rule));
    let rules = world.rules_mut(id).map_err(text)?;
    let rule = rules.get_mut(rule).ok_or("there is no such rule")?;
    if name == WEIGHT.name {
        rule.weight = match (&value, WEIGHT.kind) {
            (Value::Number(number), Kind::Number(range)) if range.contains(*number) => *number as f32,
            _ => return Err(format!("weight must be {}", allowed(&WEIGHT))),
        };
    } else {
        let tunable = rule.behaviour.tunable_mut().ok_or("the rule has no parameters")?;
        tunable.set(name, &value).map_err(text)?;
    }
    Ok(Change::Key(path, toml(&value)))
}

fn value_of<const D: usize>(world: &World<D>, species: usize, rule: usize, name: &str) -> Option<Value> {
    let id = species_of(world, species).ok()?;
    world.species(id).ok()?.rules.get(rule)?.behaviour.tunable()?.get(name)
}

fn species_of<const D: usize>(world: &World<D>, number: usize) -> Result<SpeciesId, String> {
    world.species_ids().nth(number).ok_or_else(|| "there is no such species".to_owned())
}

/// Adds agents on a disc (a ball), flying off in all directions. Where each of them starts follows from the tick, the
/// population and its number alone.
fn spawn<const D: usize>(
    world: &mut World<D>,
    species: usize,
    centre: Vector<D>,
    radius: f32,
    count: u64,
) -> Result<(), String> {
    let id = species_of(world, species)?;
    if count > SPAWNED || world.population() + count as usize > POPULATION {
        return Err(format!("at most {SPAWNED} at a time, and {POPULATION} in all"));
    }
    let speed = world.agents(id).map_err(text)?;
    let speed = if speed.is_empty() { 1.0 } else { speed.max_speed(0) };
    let mut noise = Noise::new(world.settings().seed, world.population() as u64, world.tick(), Noise::USER);
    for _ in 0..count {
        let offset = noise.in_ball::<D>();
        let velocity = offset.direction() * speed;
        // What would start outside of the world starts in the middle of the disc.
        let at = world.spawn(id, centre + offset * radius, velocity);
        if at.is_err() {
            world.spawn(id, centre, velocity).map_err(text)?;
        }
    }
    Ok(())
}

/// A point, if it has as many coordinates as the world.
pub(crate) fn vector<const D: usize>(point: &[f64]) -> Result<Vector<D>, String> {
    if point.len() != D || !point.iter().all(|at| at.abs() <= f64::from(LIMIT)) {
        return Err(format!("a point has {D} coordinates, each within 1e6"));
    }
    Ok(Vector::from_fn(|axis| point[axis] as f32))
}

fn length(radius: f64) -> Result<f32, String> {
    if (0.0..=f64::from(LIMIT)).contains(&radius) {
        Ok(radius as f32)
    } else {
        Err("a radius is in [0, 1e6]".to_owned())
    }
}

fn text(error: throng::Error) -> String {
    error.to_string()
}

/// The place of a rule in a scenario file: those of states come after those that are always followed.
fn place<const D: usize>(rules: &[Rule<D>], rule: usize) -> String {
    match rules.get(rule).and_then(|own| own.during.first()) {
        None => format!("behaviours.{rule}"),
        Some(state) => {
            let before = rules[..rule].iter().filter(|other| other.during.first() == Some(state)).count();
            format!("states.{state}.behaviours.{before}")
        }
    }
}

/// The coordinates of a point as they are written.
fn precise<const D: usize>(point: Vector<D>) -> Vec<f64> {
    point.0.iter().map(|&at| super::describe::shortest(at)).collect()
}

/// A value as a scenario file has it.
fn toml(value: &Value) -> String {
    let point = |point: &Vec<f64>| format!("[{}]", point.iter().map(f64::to_string).collect::<Vec<_>>().join(", "));
    match value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Word(word) => format!("{word:?}"),
        Value::Words(words) => format!("{words:?}"),
        Value::Point(at) => point(at),
        Value::Points(points) => format!("[{}]", points.iter().map(point).collect::<Vec<_>>().join(", ")),
        _ => String::new(),
    }
}
