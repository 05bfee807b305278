//! Values of parameters, settings and keys of files, and their allowed ranges.

mod allowed;
mod field;
mod kind;
mod mistake;
mod range;
mod value;
#[cfg(feature = "serde")]
mod value_form;

pub use allowed::Allowed;
pub use field::{Field, rounded};
pub(crate) use kind::is_trajectory_column;
pub use kind::{Kind, Parameter, Preset, Scaled, is_name};
pub use mistake::Mistake;
pub use range::Range;
pub use value::Value;
pub(crate) use value::{shortest, three_digits};

/// The largest coordinate and length, in metres. An agent farther out has left even an open world.
pub const LIMIT: f32 = 1e6;
