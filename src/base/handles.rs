//! Handles of the items in an environment.

use std::fmt::Debug;

/// Declares a handle type.
macro_rules! handle {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $name(u64);

        impl $name {
            /// The handle as a number. It is never reused in its environment, not even after a removal.
            #[must_use]
            pub const fn to_bits(self) -> u64 {
                self.0
            }

            /// The handle with a number from [`to_bits`](Self::to_bits).
            #[must_use]
            pub const fn from_bits(bits: u64) -> Self {
                Self(bits)
            }
        }

        impl Handle for $name {
            fn to_bits(self) -> u64 {
                self.0
            }

            fn from_bits(bits: u64) -> Self {
                Self(bits)
            }
        }
    };
}

handle! {
    /// Identifies an obstacle of an [`Environment`](crate::Environment) until it is removed.
    ObstacleId
}
handle! {
    /// Identifies a mark of an [`Environment`](crate::Environment) until it is removed.
    MarkId
}
handle! {
    /// Identifies a region of an [`Environment`](crate::Environment) until it is removed.
    RegionId
}
handle! {
    /// Identifies a wall of an [`Environment`](crate::Environment) until it is removed.
    WallId
}
handle! {
    /// Identifies a flow field of an [`Environment`](crate::Environment) until it is removed.
    FieldId
}
handle! {
    /// Identifies the places of an [`Environment`](crate::Environment) until they are removed.
    PlacesId
}
handle! {
    /// Identifies the tracks of an [`Environment`](crate::Environment) until they are removed.
    TracksId
}
handle! {
    /// Identifies a navigation of an [`Environment`](crate::Environment) until it is removed.
    NavigationId
}

handle! {
    /// Identifies a source of an [`Environment`](crate::Environment) until it is removed.
    SourceId
}
handle! {
    /// Identifies a sink of an [`Environment`](crate::Environment) until it is removed.
    SinkId
}
handle! {
    /// Identifies a zone of an [`Environment`](crate::Environment) until it is removed.
    ZoneId
}

/// A handle: a number that increases with every item that is added.
pub trait Handle: Copy + Debug + Ord {
    /// The handle as a number. It is never reused in its environment, not even after a removal.
    fn to_bits(self) -> u64;

    /// The handle with a number from [`to_bits`](Self::to_bits).
    fn from_bits(bits: u64) -> Self;
}
