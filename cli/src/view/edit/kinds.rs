//! The kinds of edits, and the result of one.

use throng::parameters::Value;
use throng::{AgentId, Wall, WallShape};

use super::super::changes::Change;

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
    /// Adds a straight wall, in two dimensions.
    DrawWall {
        from: Vec<f64>,
        to: Vec<f64>,
    },
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
    /// Moves the falcon to a point, or ends its flight. Nothing reverts it: an earlier tick has no falcon.
    Falcon {
        at: Option<Vec<f64>>,
        radius: f64,
    },
    Despawn(Vec<AgentId>),
    Respawn(Vec<Respawned>),
}

/// An agent that returns after its removal, with a new id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Respawned {
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
