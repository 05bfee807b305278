//! Warnings: settings that a world allows and that its author probably does not intend.

use std::fmt;

/// A setting that a world or a scenario allows and that its author probably does not intend, or a fault in the ticks of
/// a world.
///
/// ```
/// use throng::behaviours::Alignment;
/// use throng::{Settings, Species, WarningKind, World};
///
/// let mut world = World::<2>::new(Settings { tick_seconds: 1.0, ..Settings::default() })?;
/// world.add_species(Species::new("bird").with_response(0.2).with(1.0, Alignment::default()))?;
/// let warnings = world.warnings();
/// assert_eq!((warnings[0].kind, &warnings[0].key[..]), (WarningKind::Overshoot, "species.bird.response"));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Its subject.
    pub kind: WarningKind,
    /// The path of the key or of the item, such as `species.bird.response`; empty for the run as a whole.
    pub key: String,
    /// The message, without the key.
    pub message: String,
}

/// The subject of a [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WarningKind {
    /// In one tick, rules carry an agent past the velocity that they desire.
    Overshoot,
    /// The forces of a model are too stiff for the tick.
    Stiff,
    /// Agents move by several perception radii in a tick.
    LongStep,
    /// All agents perceive all others, and they are many.
    Cost,
    /// An angle looks as if it were in another unit.
    Unit,
    /// Rules pull agents together more than others keep them apart.
    Collapse,
    /// A noise leaves no order.
    Noise,
    /// A key that the file has is without effect.
    Unused,
    /// A body is wider than the ways that it takes, or cells close a passage.
    Narrow,
    /// A part of a file is read as something else than its author may mean.
    Reading,
    /// Neighbours were not exact: the budget of pairs limited them.
    Inexact,
    /// Steering that was not finite, or too large, was dropped.
    Quarantined,
    /// Expressions want more than the largest speed or force of agents, or a substance spreads less than it says.
    Cut,
    /// Agents flew out of the coordinates of an open world.
    Lost,
    /// Agents moved farther than half of the world in one tick.
    Leap,
    /// The run ended before all agents had left: times of exits cover the others.
    CutOff,
    /// A run has too few independent values for an error of its mean.
    FewValues,
    /// A run is too short for an error of its mean: the error still grows with the block.
    Growing,
    /// A run ended before the errors of its means were as small as it should make them.
    Imprecise,
}

impl Warning {
    /// A warning of a host, for example about a file from which it builds a world.
    #[must_use]
    pub fn new(kind: WarningKind, key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind, key: key.into(), message: message.into() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}
