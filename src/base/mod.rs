//! The foundations: ids, values and their ranges, distributions, errors and settings.

pub(crate) mod clock;
pub(crate) mod clone;
pub(crate) mod definition;
#[cfg(feature = "serde")]
pub(crate) mod definition_form;
pub(crate) mod dimensions;
pub(crate) mod distribution;
mod distribution_check;
#[cfg(feature = "serde")]
mod distribution_form;
pub(crate) mod error;
pub(crate) mod handles;
pub(crate) mod ids;
pub(crate) mod panicked;
pub(crate) mod population;
pub(crate) mod seam;
pub mod settings;
#[cfg(feature = "serde")]
mod settings_forms;
pub(crate) mod suggest;
pub(crate) mod threads;
pub(crate) mod values;
pub(crate) mod warning;
