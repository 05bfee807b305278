//! Values that parameters, settings and keys of files may have, and what is allowed of them.

mod allowed;
mod kind;
mod range;
mod value;

pub use allowed::Allowed;
pub(crate) use kind::is_name;
pub use kind::{Kind, Parameter, Preset};
pub use range::Range;
pub use value::Value;
pub(crate) use value::shortest;

/// Coordinates and lengths may be as large as this, in metres: an agent further out has left even an open world.
pub const LIMIT: f32 = 1e6;
