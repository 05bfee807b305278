//! The versions of the snapshot format and of the physics.

/// The version of the format.
pub(crate) const FORMAT: u32 = 3;

/// The version of the physics. Versions differ if the same state continues with other bits.
pub const PHYSICS: u32 = 3;
