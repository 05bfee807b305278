//! Edits of the environment: marks, obstacles and walls.

use throng::{Mark, Obstacle, ObstacleId, Vector, Wall, WallId, World};
use throng_formats::trajectory::shortest;

use super::super::changes::Change;
use super::super::scenario_editor::ListChange;
use super::kinds::{Applied, Edit};
use super::parameters::written_numbers;
use super::points::{length, text, vector};
use super::walls::{converted, entry, place, reference};

/// The most obstacles of a world, and the most walls after one was drawn.
const MAX_OBSTACLES: usize = 1000;
const MAX_WALLS: usize = 10_000;

/// Applies an edit of the environment.
pub(super) fn apply<const D: usize>(world: &mut World<D>, edit: &Edit) -> Result<Applied, String> {
    let (change, inverse) = match edit {
        Edit::Mark { name, point } => {
            let before =
                world.environment().marks.named(name).ok_or_else(|| format!("unknown mark {name:?}"))?.position;
            let point = vector::<D>(point)?;
            world.environment_mut().marks.put(Mark::new(name, point)).map_err(text)?;
            let inverse = Edit::Mark { name: name.clone(), point: numbers(before) };
            (Change::Key(vec!["marks".into(), name.clone()], written_numbers(&point.0)), vec![inverse])
        }
        Edit::AddObstacle { point, radius, velocity, carve } => {
            let velocity = if velocity.is_empty() { Vector::ZERO } else { vector::<D>(velocity)? };
            let number = world.environment().obstacles.len();
            if number >= MAX_OBSTACLES {
                return Err(format!("a world can have at most {MAX_OBSTACLES} obstacles"));
            }
            let obstacle = Obstacle { velocity, carve: *carve, ..Obstacle::new(vector::<D>(point)?, length(*radius)?) };
            world.environment_mut().obstacles.add(obstacle).map_err(text)?;
            (Change::Obstacle(ListChange::Add(written(&obstacle))), vec![Edit::RemoveObstacle(number)])
        }
        Edit::SetObstacle { number, point, radius } => {
            let (id, before) = obstacle(world, *number)?;
            let obstacle = Obstacle { centre: vector::<D>(point)?, radius: length(*radius)?, ..before };
            world.environment_mut().obstacles.set(id, obstacle).map_err(text)?;
            let radius = before.radius.into();
            let inverse = Edit::SetObstacle { number: *number, point: numbers(before.centre), radius };
            (Change::Obstacle(ListChange::Set(*number, written(&obstacle))), vec![inverse])
        }
        Edit::RemoveObstacle(number) => {
            let (id, before) = obstacle(world, *number)?;
            world.environment_mut().obstacles.remove(id).map_err(text)?;
            (Change::Obstacle(ListChange::Remove(*number)), vec![adding(&before)])
        }
        Edit::ClearObstacles => {
            let inverse = world.environment().obstacles.items().iter().map(adding).collect();
            world.environment_mut().obstacles.clear();
            (Change::Obstacle(ListChange::Clear), inverse)
        }
        Edit::MoveWall { number, point } => {
            let (id, mut wall) = wall(world, *number)?;
            let displaced = world.environment().wall_offset(id).unwrap_or([0.0; D]);
            let (now, to) = (reference(&wall.shape.displaced(displaced)), vector::<D>(point)?);
            // A wall at rest has no displacement; a moving one restarts here.
            wall.shape = wall.shape.displaced(displaced).displaced((to - now).0.map(f64::from));
            let change = Change::Wall(*number, ListChange::Set(*number, place(&wall.shape)));
            world.environment_mut().walls.set(id, wall).map_err(text)?;
            (change, vec![Edit::MoveWall { number: *number, point: numbers(now) }])
        }
        Edit::RemoveWall(number) => {
            let (id, wall) = wall(world, *number)?;
            world.environment_mut().walls.remove(id).map_err(text)?;
            (Change::Wall(*number, ListChange::Remove(*number)), vec![Edit::AddWall(Box::new(converted(&wall)))])
        }
        Edit::AddWall(wall) => add(world, converted(wall))?,
        Edit::DrawWall { from, to } => {
            if D != 2 {
                return Err("walls are drawn in two dimensions".to_owned());
            }
            if world.environment().walls.len() >= MAX_WALLS {
                return Err(format!("a world can have at most {MAX_WALLS} walls"));
            }
            add(world, Wall::segment(vector::<D>(from)?, vector::<D>(to)?))?
        }
        _ => return Ok(Applied::default()),
    };
    Ok(Applied { changes: vec![change], inverse })
}

/// Adds a wall at the end of the list.
fn add<const D: usize>(world: &mut World<D>, wall: Wall<D>) -> Result<(Change, Vec<Edit>), String> {
    let number = world.environment().walls.len();
    let change = Change::Wall(number, ListChange::Add(entry(&wall)));
    world.environment_mut().walls.add(wall).map_err(text)?;
    Ok((change, vec![Edit::RemoveWall(number)]))
}

fn numbers<const D: usize>(vector: Vector<D>) -> Vec<f64> {
    vector.0.map(f64::from).to_vec()
}

fn obstacle<const D: usize>(world: &World<D>, number: usize) -> Result<(ObstacleId, Obstacle<D>), String> {
    let found = world.environment().obstacles.iter().nth(number).map(|(id, obstacle)| (id, *obstacle));
    found.ok_or_else(|| format!("unknown obstacle number {number}"))
}

fn wall<const D: usize>(world: &World<D>, number: usize) -> Result<(WallId, Wall<D>), String> {
    let found = world.environment().walls.iter().nth(number).map(|(id, wall)| (id, wall.clone()));
    found.ok_or_else(|| format!("unknown wall number {number}"))
}

fn adding<const D: usize>(obstacle: &Obstacle<D>) -> Edit {
    let (velocity, carve) = (numbers(obstacle.velocity), obstacle.carve);
    Edit::AddObstacle { point: numbers(obstacle.centre), radius: obstacle.radius.into(), velocity, carve }
}

/// The keys of an obstacle in a scenario file.
fn written<const D: usize>(obstacle: &Obstacle<D>) -> Vec<(&'static str, toml_edit::Value)> {
    let mut keys = vec![("centre", written_numbers(&obstacle.centre.0)), ("radius", shortest(obstacle.radius).into())];
    if obstacle.velocity != Vector::ZERO {
        keys.push(("velocity", written_numbers(&obstacle.velocity.0)));
    }
    if obstacle.carve {
        keys.push(("carve", true.into()));
    }
    keys
}
