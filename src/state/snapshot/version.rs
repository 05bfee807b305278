//! The versions of the snapshot format and of the physics.

/// The version of the format.
pub(crate) const FORMAT: u32 = 7;

/// The version of the physics. Versions compute different bits from the same state.
pub const PHYSICS: u32 = 5;
