//! The answer to a question about the steering of one agent.

use crate::base::ids::AgentId;
use crate::maths::Vector;

/// The forces that the rules of its species apply to one agent, if the world were steered now.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation<const D: usize> {
    /// The agent.
    pub agent: AgentId,
    /// The name of its species.
    pub species: String,
    /// The name of its state, where the species has states.
    pub state: Option<String>,
    /// Where it is, in metres.
    pub position: Vector<D>,
    /// How it moves, in metres per second.
    pub velocity: Vector<D>,
    /// Its values in the variables of its species' states and in the columns that the host added, by name: one number
    /// for each element of the column's type.
    pub columns: Vec<(String, Vec<f64>)>,
    /// The contribution of each rule, in the order of the rules.
    pub contributions: Vec<Contribution<D>>,
    /// The combined force of the rules, in newtons, before truncation to the largest force.
    pub steering: Vector<D>,
    /// The velocity that the motion of its species chooses, if it has one. The largest force has no effect then.
    pub chosen: Option<Chosen<D>>,
}

/// The velocity that a motion chooses for one agent, from its neighbours and the combined force of its rules.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chosen<const D: usize> {
    /// The name of the model; `own` for a motion without a name.
    pub model: String,
    /// The velocity in metres per second.
    pub velocity: Vector<D>,
}

/// The contribution of one rule to the steering of one agent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contribution<const D: usize> {
    /// The name of the rule.
    pub rule: String,
    /// The factor of its force.
    pub weight: f32,
    /// Its force in newtons, times the weight. Zero in a state in which the rule is silent.
    pub force: Vector<D>,
    /// Whether the rule is silent: it acts in other states only.
    pub silent: bool,
}
