//! The panic of a rule, as an error.

use std::any::Any;
use std::fmt;

/// A rule panicked in a tick: see [`World::try_step`](crate::World::try_step).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Panicked {
    /// The number of ticks before the one in which the rule panicked.
    pub tick: u64,
    /// The seed of the world.
    pub seed: u64,
    /// The message of the panic.
    pub message: String,
}

impl Panicked {
    pub(crate) fn new(tick: u64, seed: u64, payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self { tick, seed, message: message.unwrap_or_else(|| "without a message".to_owned()) }
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, seed, message } = self;
        write!(f, "a rule panicked in the step after tick {tick}, with seed {seed}: {message}")
    }
}

impl std::error::Error for Panicked {}
