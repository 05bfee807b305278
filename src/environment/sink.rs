//! Sinks: regions that remove agents.

use crate::base::error::Error;
use crate::base::handles::SinkId;
use crate::environment::collection::{Data, Item};

/// Removes the agents that are in a region at the end of a tick, at the start of the next one.
/// [`World::removed`](crate::World::removed) counts them as `sink:NAME`.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Sink {
    /// Its name, unique among sinks.
    pub name: String,
    /// The name of the region.
    pub region: String,
    /// The names of the species that it removes; all species if empty.
    #[cfg_attr(feature = "serde", serde(default))]
    pub species: Vec<String>,
    /// The names of the states in which it removes agents; all states if empty.
    #[cfg_attr(feature = "serde", serde(default))]
    pub states: Vec<String>,
}

impl Sink {
    /// A sink that removes all agents in a region.
    #[must_use]
    pub fn new(name: impl Into<String>, region: impl Into<String>) -> Self {
        Self { name: name.into(), region: region.into(), ..Self::default() }
    }
}

impl Item for Sink {
    type Id = SinkId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl Data for Sink {
    type Record = ();

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
}
