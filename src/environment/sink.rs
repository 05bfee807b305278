//! Sinks: regions that remove agents.

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::base::handles::SinkId;
use crate::base::values::Kind;
use crate::environment::collection::{Data, Item};

definition! {
    /// Removes the agents that are in a region at the end of a tick, at the start of the next one.
    /// [`World::removed`](crate::World::removed) counts them as `sink:NAME`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Sink {
        /// Name of the sink; removals are counted as `sink:NAME`.
        pub name: String, "", Kind::Name;
        /// Region in which agents are removed.
        pub region: String, "", Kind::Reference("region");
        /// Species that it removes; all by default.
        pub species: Vec<String> = (Vec::new()), "", Kind::References("species");
        /// States in which it removes agents; all by default.
        pub states: Vec<String> = (Vec::new()), "", Kind::References("state");
    }
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
        self.check_keys()
    }
}
