//! The foundations: ids, values and their ranges, errors, settings.

pub(crate) mod error;
pub(crate) mod ids;
pub mod settings;
pub(crate) mod values;
