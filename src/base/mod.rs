//! The foundations: ids, values and their ranges, errors and settings.

pub(crate) mod error;
pub(crate) mod ids;
pub mod settings;
pub(crate) mod values;
