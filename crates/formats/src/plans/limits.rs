//! The limits of floor plans.

/// The largest size of a file, in bytes.
pub const LARGEST_FILE: u64 = 16 << 20;

/// The largest number of points of a plan, after curves have become segments.
pub const MOST_POINTS: usize = 1_000_000;

/// The largest distance of a coordinate from zero, in units of the file and in metres.
pub const FARTHEST: f64 = 1e9;

/// The distance within which corners are one, in metres.
pub(crate) const NEAR: f64 = 1e-3;
