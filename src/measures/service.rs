//! Levels of service.

/// The levels of service of walkways with the density in people per square metre below which each applies: Fruin,
/// *Pedestrian planning and design* (1971).
pub const LEVELS_OF_SERVICE: [(&str, f64); 6] =
    [("A", 0.31), ("B", 0.43), ("C", 0.72), ("D", 1.08), ("E", 2.17), ("F", f64::INFINITY)];

/// The number of the level of service of a density in people per square metre, in [`LEVELS_OF_SERVICE`].
///
/// ```
/// use throng::measures::{LEVELS_OF_SERVICE, level_of_service};
///
/// assert_eq!(LEVELS_OF_SERVICE[level_of_service(1.5)].0, "E");
/// ```
#[must_use]
pub fn level_of_service(density: f64) -> usize {
    LEVELS_OF_SERVICE.iter().position(|(_, below)| density < *below).unwrap_or(LEVELS_OF_SERVICE.len() - 1)
}
