//! Edits of the running world, between two ticks, through the library's public API. Each edit has an inverse.

mod agents;
mod environment;
mod parameters;

use throng::parameters::Value;
use throng::{AgentId, LIMIT, Vector, Wall, World};

use super::changes::Change;
pub(crate) use environment::reference;

/// An edit of the world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    /// Sets a parameter of a rule, or its weight; without a rule, a quantity of the species.
    Set {
        species: usize,
        rule: Option<usize>,
        name: String,
        value: Value,
    },
    /// Appends a point to a path.
    Waypoint {
        species: usize,
        rule: usize,
        name: String,
        point: Vec<f64>,
    },
    Mark {
        name: String,
        point: Vec<f64>,
    },
    AddObstacle {
        point: Vec<f64>,
        radius: f64,
        velocity: Vec<f64>,
    },
    SetObstacle {
        number: usize,
        point: Vec<f64>,
        radius: f64,
    },
    RemoveObstacle(usize),
    ClearObstacles,
    /// Moves a wall so that its reference point (its centre or first corner) is here.
    MoveWall {
        number: usize,
        point: Vec<f64>,
    },
    RemoveWall(usize),
    /// Adds a wall, which has zeros beyond the world's dimensions.
    AddWall(Box<Wall<3>>),
    Spawn {
        species: usize,
        point: Vec<f64>,
        radius: f64,
        count: u64,
    },
    /// Removes the agents in a disc (a ball in 3D).
    Remove {
        point: Vec<f64>,
        radius: f64,
    },
    Despawn(Vec<AgentId>),
    Respawn(Vec<Respawned>),
}

/// An agent that returns after its removal, with a new id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Respawned {
    species: usize,
    position: [f32; 3],
    velocity: [f32; 3],
}

/// The result of an edit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Applied {
    /// The changes to the scenario.
    pub(crate) changes: Vec<Change>,
    /// The edits that revert this one, in their order.
    pub(crate) inverse: Vec<Edit>,
}

impl Edit {
    /// Whether a further edit of the same gesture replaces this one: both set the same thing.
    pub(crate) fn sets_same(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Set { species, rule, name, .. },
                Self::Set { species: other_species, rule: other_rule, name: other_name, .. },
            ) => (species, rule, name) == (other_species, other_rule, other_name),
            (Self::Mark { name, .. }, Self::Mark { name: other, .. }) => name == other,
            (Self::SetObstacle { number, .. }, Self::SetObstacle { number: other, .. })
            | (Self::MoveWall { number, .. }, Self::MoveWall { number: other, .. }) => number == other,
            _ => false,
        }
    }
}

/// Applies an edit to the world.
///
/// # Errors
///
/// Returns the reason if the edit is invalid; the world is unchanged then.
pub(crate) fn apply<const D: usize>(world: &mut World<D>, edit: &Edit) -> Result<Applied, String> {
    match edit {
        Edit::Set { species, rule: Some(rule), name, value } => parameters::set(world, *species, *rule, name, value),
        Edit::Set { species, rule: None, name, value } => parameters::set_quantity(world, *species, name, value),
        Edit::Waypoint { species, rule, name, point } => parameters::append(world, *species, *rule, name, point),
        Edit::Mark { .. }
        | Edit::AddObstacle { .. }
        | Edit::SetObstacle { .. }
        | Edit::RemoveObstacle(_)
        | Edit::ClearObstacles
        | Edit::MoveWall { .. }
        | Edit::RemoveWall(_)
        | Edit::AddWall(_) => environment::apply(world, edit),
        Edit::Spawn { species, point, radius, count } => {
            agents::spawn(world, *species, vector(point)?, length(*radius)?, *count)
        }
        Edit::Remove { point, radius } => agents::remove(world, vector(point)?, length(*radius)?),
        Edit::Despawn(ids) => agents::despawn(world, ids),
        Edit::Respawn(all) => agents::respawn(world, all),
    }
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
