//! The foundations: ids, values and their ranges, distributions, errors and settings.

pub(crate) mod clone;
pub(crate) mod dimensions;
pub(crate) mod distribution;
pub(crate) mod error;
pub(crate) mod ids;
pub(crate) mod panicked;
pub(crate) mod population;
pub mod settings;
pub(crate) mod suggest;
pub(crate) mod threads;
pub(crate) mod values;
pub(crate) mod warning;
