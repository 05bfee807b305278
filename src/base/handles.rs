//! Handles of the items in an environment.

use std::fmt::Debug;

/// Declares a handle type.
macro_rules! handle {
    ($(#[$meta:meta])* $name:ident: $kind:literal) => {
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
            const KIND: &'static str = $kind;

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
    ObstacleId: "obstacle"
}
handle! {
    /// Identifies a mark of an [`Environment`](crate::Environment) until it is removed.
    MarkId: "mark"
}
handle! {
    /// Identifies a region of an [`Environment`](crate::Environment) until it is removed.
    RegionId: "region"
}
handle! {
    /// Identifies a wall of an [`Environment`](crate::Environment) until it is removed.
    WallId: "wall"
}
handle! {
    /// Identifies a flow field of an [`Environment`](crate::Environment) until it is removed.
    FieldId: "flow field"
}
handle! {
    /// Identifies the places of an [`Environment`](crate::Environment) until they are removed.
    PlacesId: "places"
}
handle! {
    /// Identifies the tracks of an [`Environment`](crate::Environment) until they are removed.
    TracksId: "tracks"
}
handle! {
    /// Identifies a navigation of an [`Environment`](crate::Environment) until it is removed.
    NavigationId: "navigation"
}

handle! {
    /// Identifies a source of an [`Environment`](crate::Environment) until it is removed.
    SourceId: "source"
}
handle! {
    /// Identifies a sink of an [`Environment`](crate::Environment) until it is removed.
    SinkId: "sink"
}
handle! {
    /// Identifies a lift of an [`Environment`](crate::Environment) until it is removed.
    LiftId: "lift"
}
handle! {
    /// Identifies a link of an [`Environment`](crate::Environment) until it is removed.
    LinkId: "link"
}
handle! {
    /// Identifies a substance of an [`Environment`](crate::Environment) until it is removed.
    SubstanceId: "substance"
}
handle! {
    /// Identifies a zone of an [`Environment`](crate::Environment) until it is removed.
    ZoneId: "zone"
}

/// A handle: a number that increases with every item that is added.
pub trait Handle: Copy + Debug + Ord {
    /// The kind of the item, as messages name it.
    const KIND: &'static str;

    /// The handle as a number. It is never reused in its environment, not even after a removal.
    fn to_bits(self) -> u64;

    /// The handle with a number from [`to_bits`](Self::to_bits).
    fn from_bits(bits: u64) -> Self;
}
