//! Programs: statements as a flat list of operations on slots, for the agents of a cluster and for their pairs.
//!
//! A slot of an agent holds one number per agent, a slot of pairs one number per pair of an agent and a neighbour. Each
//! operation fills one slot from earlier ones. A program runs in stages: operations of agents, then operations of pairs
//! whose results are reduced to slots of agents, then the next stage.

use crate::kernels::expression::{Binary, Unary};

/// The number of a slot.
pub(super) type Slot = usize;

/// A quantity of an agent, its own or a neighbour's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity {
    Velocity(usize),
    Heading(usize),
    Mass,
    Radius,
    MaxSpeed,
    MaxForce,
    State,
    /// The variable with this number in [`Program::variables`].
    Variable(usize),
}

/// A random number of an agent in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Draw {
    /// Uniform in [0, 1).
    Uniform,
    /// Normal, with mean 0 and standard deviation 1.
    Normal,
    /// A component of a random direction.
    Direction(usize),
}

/// An operation that fills a slot of agents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OwnOperation {
    /// A number, by its bits.
    Number(u32),
    TickSeconds,
    Time,
    Response,
    Position(usize),
    Of(Quantity),
    /// The number of neighbours.
    Count,
    /// A draw, and its number in the program.
    Draw(Draw, u32),
    /// The amount of the substance with this number in [`Program::substances`] at a point; in two dimensions the last slot
    /// has no meaning.
    Sense(usize, [Slot; 3]),
    /// Its slope along an axis at the agent.
    Slope(usize, usize),
    Unary(Unary, Slot),
    Binary(Binary, Slot, Slot),
    Choose(Slot, Slot, Slot),
    /// A reduction of a slot of pairs.
    Reduce(Reduction, Slot),
}

/// The way from the numbers of an agent's pairs to one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reduction {
    Sum,
    Least,
    Greatest,
    /// The value of one neighbour that is drawn, with the number of the draw, or else the value of a slot of agents.
    Pick(u32, Slot),
}

/// An operation that fills a slot of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PairOperation {
    /// A slot of agents, for each pair of the agent.
    Own(Slot),
    Offset(usize),
    Of(Quantity),
    Unary(Unary, Slot),
    Binary(Binary, Slot, Slot),
    Choose(Slot, Slot, Slot),
}

/// A part of a program.
#[derive(Debug, Default)]
pub(super) struct Stage {
    /// The slots of agents to fill first.
    pub(super) own: Vec<Slot>,
    /// The slots of pairs to fill then.
    pub(super) pairs: Vec<Slot>,
    /// The slots of agents to which they are reduced.
    pub(super) reduced: Vec<Slot>,
}

/// Statements for agents of one number of dimensions.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) own: Vec<OwnOperation>,
    pub(super) pairs: Vec<PairOperation>,
    pub(super) stages: Vec<Stage>,
    /// The variables that it reads.
    pub(super) variables: Vec<String>,
    /// Those among them that it reads of neighbours, by number.
    pub(super) theirs: Vec<usize>,
    /// The substances that it senses.
    pub(super) substances: Vec<String>,
    /// The names of variables in the texts.
    pub(super) references: Vec<Reference>,
    /// The names that `let` gives.
    pub(super) lets: Vec<Reference>,
    /// The places in the texts of the operations of `own` and `pairs`: the statement and the byte.
    pub(super) places: [Vec<(usize, usize)>; 2],
    /// The variables that it sets, and the slots of their new values.
    pub(super) updates: Vec<(String, Slot)>,
    /// The slots of the components of the force; empty if it sets none.
    pub(super) force: Vec<Slot>,
    /// The slots of the components of the desired velocity; empty if it sets none.
    pub(super) velocity: Vec<Slot>,
    /// Whether it reads states of neighbours.
    pub(super) reads_states: bool,
    /// Whether it reads headings: own, and of neighbours.
    pub(super) headings: [bool; 2],
    /// Whether it reads neighbours.
    pub(super) sees: bool,
}

/// A name in a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reference {
    pub(super) name: String,
    /// Whether it is a neighbour's.
    pub(super) is_theirs: bool,
    pub(super) statement: usize,
    pub(super) at: usize,
}
