//! The kinds of edits, and the result of one.

use throng::parameters::Value;
use throng::{AgentId, Wall, WallShape};

use super::super::changes::Change;

/// An edit of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets a parameter of a rule, or its weight; without a rule, a quantity of the species.
    Set {
        /// The number of the species.
        species: usize,
        /// The number of its rule.
        rule: Option<usize>,
        /// The name of the parameter.
        name: String,
        /// Its value.
        value: Value,
    },
    /// Appends a point to a path.
    Waypoint {
        /// The number of the species.
        species: usize,
        /// The number of its rule.
        rule: usize,
        /// The name of the path.
        name: String,
        /// The point, in metres.
        point: Vec<f64>,
    },
    /// Moves a mark.
    Mark {
        /// Its name.
        name: String,
        /// Its new place, in metres.
        point: Vec<f64>,
    },
    /// Adds an obstacle.
    AddObstacle {
        /// Its centre, in metres.
        point: Vec<f64>,
        /// Its radius, in metres.
        radius: f64,
        /// Its velocity, in metres per second; empty for one at rest.
        velocity: Vec<f64>,
        /// Whether routes lead round it while it moves.
        carve: bool,
    },
    /// Moves an obstacle.
    SetObstacle {
        /// Its number.
        number: usize,
        /// Its centre, in metres.
        point: Vec<f64>,
        /// Its radius, in metres.
        radius: f64,
    },
    /// Removes the obstacle with this number.
    RemoveObstacle(usize),
    /// Removes all obstacles.
    ClearObstacles,
    /// Moves a wall so that its reference point (its centre or first corner) is here.
    MoveWall {
        /// Its number.
        number: usize,
        /// The place of its reference point, in metres.
        point: Vec<f64>,
    },
    /// Removes the wall with this number.
    RemoveWall(usize),
    /// Adds a straight wall, in two dimensions.
    DrawWall {
        /// One end, in metres.
        from: Vec<f64>,
        /// The other end, in metres.
        to: Vec<f64>,
    },
    /// Adds a wall, which has zeros beyond the world's dimensions.
    AddWall(Box<Wall<3>>),
    /// Adds agents in a disc (a ball in 3D).
    Spawn {
        /// The number of their species.
        species: usize,
        /// The centre, in metres.
        point: Vec<f64>,
        /// The radius, in metres.
        radius: f64,
        /// The number of agents.
        count: u64,
    },
    /// Removes the agents in a disc (a ball in 3D).
    Remove {
        /// The centre, in metres.
        point: Vec<f64>,
        /// The radius, in metres.
        radius: f64,
    },
    /// Moves the falcon to a point, or ends its flight. Nothing reverts it: an earlier tick has no falcon.
    Falcon {
        /// The point, in metres; `None` ends the flight.
        at: Option<Vec<f64>>,
        /// The distance within which agents flee, in metres.
        radius: f64,
    },
    /// Removes these agents, where they still exist.
    Despawn(Vec<AgentId>),
    /// Adds agents where others were removed.
    Respawn(Vec<Respawned>),
}

/// An agent that returns after its removal, with a new id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Respawned {
    pub(super) species: usize,
    pub(super) position: [f32; 3],
    pub(super) velocity: [f32; 3],
}

/// The result of an edit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Applied {
    /// The changes to the scenario.
    pub(crate) changes: Vec<Change>,
    /// The edits that revert this one, in their order.
    pub(crate) inverse: Vec<Edit>,
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Word(word) => word.len(),
        Value::Words(words) => words.iter().map(|word| word.len() + 32).sum(),
        Value::Point(point) => size_of_val(&point[..]),
        Value::Points(points) => points.iter().map(|point| size_of_val(&point[..]) + 32).sum(),
        _ => 0,
    }
}

fn wall_bytes(wall: &Wall<3>) -> usize {
    match &wall.shape {
        WallShape::Path { points, .. } => size_of_val(&points[..]),
        _ => 0,
    }
}

impl Edit {
    /// About the bytes of memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let own = match self {
            Self::Set { name, value, .. } => name.len() + value_bytes(value),
            Self::Waypoint { name, .. } | Self::Mark { name, .. } => name.len(),
            Self::AddWall(wall) => size_of::<Wall<3>>() + 8 * wall.open.len() + wall_bytes(wall),
            Self::Despawn(agents) => size_of_val(&agents[..]),
            Self::Respawn(agents) => size_of_val(&agents[..]),
            _ => 0,
        };
        // The vectors of points, and the overhead of an allocation.
        size_of::<Self>() + 64 + own
    }

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
