//! The interface of rules of motion: the traits, the inputs of a rule, and its view of its agent and the world.

mod agent_ref;
mod aim;
mod behaviour;
mod inputs;
mod names;
mod neighbour;
mod rows;
mod species_filter;
mod tally;

pub use agent_ref::AgentRef;
pub(crate) use aim::{Aim, HEAD_ON, key_of_navigation, key_of_point};
pub(crate) use behaviour::type_name;
pub use behaviour::{Behaviour, NamedRule};
pub(crate) use inputs::RequestedTarget;
pub use inputs::{Inputs, NeighbourSum, Perception, Sight};
pub(crate) use names::{ResolvedNames, ResolvedTarget};
pub(crate) use neighbour::Neighbourhood;
pub use neighbour::{Neighbour, Neighbours};
pub(crate) use rows::UpdatedVariable;
pub(crate) use rows::limited;
pub use rows::{Forces, Rows};
pub(crate) use species_filter::PerceivedSpecies;
pub use species_filter::SpeciesFilter;
pub(crate) use tally::{Broken, Tally};
