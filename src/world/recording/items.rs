//! Edits of the environment: the items of one kind, as they are after it.

use crate::agents::positions::Stamp;
use crate::environment::flow_field::FlowField;
use crate::environment::region::Region;
use crate::environment::{
    Collection, Environment, Lift, Link, Mark, Navigation, Obstacle, Places, Sink, Source, Substance, Tracks, Wall,
    Zone,
};
use crate::state::snapshot::saved;

/// The number of kinds of items.
const KINDS: usize = 14;

/// The stamp of the items of each kind.
pub(super) type Stamps = [Stamp; KINDS];

/// Declares the kinds of items: their codes, and their collections in an environment.
macro_rules! kinds {
    ($($code:literal => $Kind:ident($all:ident: $Item:ty)),+ $(,)?) => {
        /// All items of one kind.
        #[derive(Clone, Debug)]
        pub(crate) enum Items<const D: usize> {
            $($Kind(Collection<$Item>)),+
        }

        saved!([const D: usize] enum Items<D> as "a kind of items" { $($code => $Kind($all)),+ });

        impl<const D: usize> Items<D> {
            /// The items of each kind that have another stamp than before.
            pub(super) fn changed(environment: &Environment<D>, before: &Stamps) -> Vec<Self> {
                let mut changed = Vec::new();
                $(if !environment.$all.has(before[$code]) {
                    changed.push(Self::$Kind(environment.$all.clone()));
                })+
                changed
            }

            /// Replaces the items of this kind.
            pub(super) fn put(&self, environment: &mut Environment<D>) {
                match self {
                    $(Self::$Kind(items) => environment.$all.clone_from(items)),+
                }
            }

            /// The name of this kind.
            pub(super) fn kind(&self) -> &'static str {
                match self {
                    $(Self::$Kind(_) => stringify!($all)),+
                }
            }
        }

        /// The stamps of all kinds of items in an environment.
        pub(super) fn stamps<const D: usize>(environment: &mut Environment<D>) -> Stamps {
            [$(environment.$all.stamp()),+]
        }
    };
}

kinds! {
    0 => Marks(marks: Mark<D>),
    1 => Obstacles(obstacles: Obstacle<D>),
    2 => Regions(regions: Region<D>),
    3 => Fields(fields: FlowField<D>),
    4 => Sources(sources: Source<D>),
    5 => Sinks(sinks: Sink),
    6 => Zones(zones: Zone<D>),
    7 => Walls(walls: Wall<D>),
    8 => Navigations(navigations: Navigation<D>),
    9 => Places(places: Places<D>),
    10 => Tracks(tracks: Tracks<D>),
    11 => Substances(substances: Substance),
    12 => Lifts(lifts: Lift),
    13 => Links(links: Link<D>),
}
