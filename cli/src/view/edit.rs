//! CommandSender that change the running world, between two ticks, through the library's public API.

use throng::parameters::Value;
use throng::species::{Distribution, WEIGHT};
use throng::{AgentId, LIMIT, Noise, Obstacle, Rule, SpeciesId, Vector, World};

use super::changes::Change;
use super::command::ClientCommand;
use super::describe::shortest;

/// The most agents that one command adds.
const MAX_SPAWNED: u64 = 10_000;
/// The largest population after adding agents.
const MAX_POPULATION: usize = 2_000_000;

/// Applies a command to the world and returns the changes made.
///
/// # Errors
///
/// Returns the reason if the command is invalid; the world is unchanged then.
pub(crate) fn apply<const D: usize>(world: &mut World<D>, command: ClientCommand) -> Result<Vec<Change>, String> {
    let change = match command {
        ClientCommand::Set { species, rule: Some(rule), name, value } => set(world, species, rule, &name, &value)?,
        ClientCommand::Set { species, rule: None, name, value } => set_quantity(world, species, &name, &value)?,
        ClientCommand::Waypoint { species, rule, name, point } => {
            let Some(Value::Points(mut points)) = value_of(world, species_of(world, species)?, rule, &name) else {
                return Err(format!("{name} is not a path"));
            };
            points.push(vector::<D>(&point)?.0.map(f64::from).to_vec());
            set(world, species, rule, &name, &Value::Points(points))?
        }
        ClientCommand::Mark { name, point } => {
            if world.environment().mark(&name).is_none() {
                return Err(format!("unknown mark {name:?}"));
            }
            let point = vector::<D>(&point)?;
            world.environment_mut().set_mark(&name, point).map_err(text)?;
            Change::Key(vec!["marks".into(), name], written(&point.0))
        }
        ClientCommand::Obstacle { point, radius } => {
            let obstacle = Obstacle { centre: vector::<D>(&point)?, radius: length(radius)?, velocity: Vector::ZERO };
            if world.environment().obstacles().len() >= 1000 {
                return Err("a world can have at most 1000 obstacles".to_owned());
            }
            world.environment_mut().add_obstacle(obstacle).map_err(text)?;
            Change::Obstacle(obstacle.centre.0.map(shortest).to_vec(), shortest(obstacle.radius))
        }
        ClientCommand::ClearObstacles => {
            world.environment_mut().clear_obstacles();
            Change::NoObstacles
        }
        ClientCommand::Spawn { species, point, radius, count } => {
            spawn(world, species, vector(&point)?, length(radius)?, count)?
        }
        ClientCommand::Remove { point, radius } => return remove(world, vector(&point)?, length(radius)?),
        _ => return Ok(Vec::new()),
    };
    Ok(vec![change])
}

/// Sets a parameter of a rule, or its weight.
fn set<const D: usize>(
    world: &mut World<D>,
    species: usize,
    rule: usize,
    name: &str,
    value: &Value,
) -> Result<Change, String> {
    let id = species_of(world, species)?;
    world.set_value_of(id, &format!("behaviours.{rule}.{name}"), value).map_err(text)?;
    let definition = world.species(id).map_err(text)?;
    let mut path = vec!["species".to_owned(), definition.name.clone()];
    path.extend(place(&definition.rules, rule));
    path.push(name.to_owned());
    // Read back from the world, which has rounded it to `f32`.
    let value = match name == WEIGHT.name {
        true => definition.rules.get(rule).map(|rule| Value::Number(rule.weight.into())),
        false => value_of(world, id, rule, name),
    };
    let value = value.as_ref().and_then(toml).ok_or("the value cannot be written")?;
    Ok(Change::Key(path, value))
}

/// Sets a quantity of a species to a number, or to a range by its two ends, or a parameter of its motion.
fn set_quantity<const D: usize>(
    world: &mut World<D>,
    species: usize,
    name: &str,
    value: &Value,
) -> Result<Change, String> {
    let id = species_of(world, species)?;
    if let Some(parameter) = name.strip_prefix("motion.") {
        world.set_value_of(id, name, value).map_err(text)?;
        let species = world.species(id).map_err(text)?;
        let value = species.motion.as_ref().and_then(|motion| motion.table()?.get(parameter));
        let path = ["species", &species.name, "motion", parameter].map(str::to_owned).to_vec();
        return Ok(Change::Key(path, value.as_ref().and_then(toml).ok_or("the value cannot be written")?));
    }
    let (spread, written) = match value {
        Value::Number(number) => (Distribution::Same(*number as f32), shortest(*number as f32).into()),
        Value::Point(ends) if ends.len() == 2 => {
            let ends = [ends[0] as f32, ends[1] as f32];
            (Distribution::Uniform(ends[0], ends[1]), written(&ends))
        }
        _ => return Err(format!("{name}: must be a number, or two numbers in ascending order")),
    };
    world.edit_species(id, |species| species.set_quantity(name, spread)).and_then(|set| set).map_err(text)?;
    let species = world.species(id).map_err(text)?.name.clone();
    Ok(Change::Key(vec!["species".into(), species, name.to_owned()], written))
}

fn value_of<const D: usize>(world: &World<D>, species: SpeciesId, rule: usize, name: &str) -> Option<Value> {
    world.species(species).ok()?.rules.get(rule)?.behaviour.table()?.get(name)
}

fn species_of<const D: usize>(world: &World<D>, number: usize) -> Result<SpeciesId, String> {
    world.species_ids().nth(number).ok_or_else(|| format!("unknown species number {number}"))
}

/// Adds agents in a disc (a ball in 3D) with velocities away from its centre. Their positions are random, keyed by the
/// world's seed, the population and the tick.
fn spawn<const D: usize>(
    world: &mut World<D>,
    species: usize,
    centre: Vector<D>,
    radius: f32,
    count: u64,
) -> Result<Change, String> {
    let id = species_of(world, species)?;
    if count > MAX_SPAWNED || world.population() + count as usize > MAX_POPULATION {
        return Err(format!("can add at most {MAX_SPAWNED} agents at a time, up to {MAX_POPULATION} in total"));
    }
    let agents = world.agents(id).map_err(text)?;
    let (speed, name) = (if agents.is_empty() { 1.0 } else { agents.max_speed(0) }, agents.name().to_owned());
    let mut noise = Noise::new(world.settings().seed, world.population() as u64, world.tick(), Noise::USER);
    let mut added = 0;
    for _ in 0..count {
        let offset = noise.in_ball::<D>();
        let velocity = offset.direction() * speed;
        // An agent that would start outside the world starts at the centre instead; if that fails too, it is left out.
        let at = world.spawn(id, centre + offset * radius, velocity);
        match at.or_else(|_| world.spawn(id, centre, velocity)) {
            Ok(_) => added += 1,
            Err(error) if added == 0 => return Err(text(error)),
            Err(_) => {}
        }
    }
    Ok(Change::Count(name, added))
}

/// Removes all agents in a disc (a ball in 3D).
fn remove<const D: usize>(world: &mut World<D>, centre: Vector<D>, radius: f32) -> Result<Vec<Change>, String> {
    let mut found = Vec::new();
    world.within(centre, radius, &mut found).map_err(text)?;
    let mut changes = Vec::new();
    for id in found {
        let Ok((species, _)) = world.find(id) else { continue };
        if let (Ok(()), Ok(species)) = (world.despawn(id), world.species(species)) {
            changes.push(Change::Count(species.name.clone(), -1));
        }
    }
    Ok(changes)
}

/// Returns the agent nearest to a point; `None` in an empty world.
pub(crate) fn nearest<const D: usize>(world: &World<D>, point: &[f64]) -> Result<Option<AgentId>, String> {
    let mut found = Vec::new();
    world.nearest(vector::<D>(point)?, 1, &mut found).map_err(text)?;
    Ok(found.first().copied())
}

/// Converts a point of `D` coordinates.
fn vector<const D: usize>(point: &[f64]) -> Result<Vector<D>, String> {
    if point.len() != D || !point.iter().all(|at| at.abs() <= f64::from(LIMIT)) {
        return Err(format!("a point must have {D} coordinates, each from -1e6 to 1e6"));
    }
    Ok(Vector::from_fn(|axis| point[axis] as f32))
}

fn length(radius: f64) -> Result<f32, String> {
    if (0.0..=f64::from(LIMIT)).contains(&radius) {
        Ok(radius as f32)
    } else {
        Err("a radius must be a number from 0 to 1e6".to_owned())
    }
}

fn text(error: throng::Error) -> String {
    error.to_string()
}

/// Returns the path of a rule within its species' table of a scenario file. `rules` lists the rules of the species
/// first, then those of its states.
fn place<const D: usize>(rules: &[Rule<D>], rule: usize) -> Vec<String> {
    match rules.get(rule).and_then(|own| own.during.first()) {
        None => vec!["behaviours".into(), rule.to_string()],
        Some(state) => {
            let before = rules[..rule].iter().filter(|other| other.during.first() == Some(state)).count();
            vec!["states".into(), state.clone(), "behaviours".into(), before.to_string()]
        }
    }
}

/// Converts numbers to the values of a scenario file.
fn written(numbers: &[f32]) -> toml_edit::Value {
    numbers.iter().map(|&number| shortest(number)).collect()
}

/// Converts a parameter to the value of a scenario file.
fn toml(value: &Value) -> Option<toml_edit::Value> {
    let point = |point: &[f64]| written(&point.iter().map(|&at| at as f32).collect::<Vec<_>>());
    Some(match value {
        Value::Number(number) => shortest(*number as f32).into(),
        Value::Whole(whole) => i64::try_from(*whole).ok()?.into(),
        Value::Flag(flag) => (*flag).into(),
        Value::Word(word) => word.into(),
        Value::Words(words) => words.iter().collect(),
        Value::Point(at) => point(at),
        Value::Points(points) => points.iter().map(|at| point(at)).collect(),
        _ => return None,
    })
}
