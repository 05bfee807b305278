//! The quickest ways of a navigation, with its passages, computed when a rule first asks for them.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::environment::navigation::field::NavigationField;
use crate::environment::navigation::lazy_field::LazyField;
use crate::environment::navigation::pace::FlatZone;
use crate::environment::navigation::passages::{Passage, Passages};
use crate::maths::Vector;

/// The quickest ways over the ground of a field: they follow from this ground and the zones.
pub(crate) struct LazyTimed {
    pub(super) of: Arc<LazyField>,
    pub(super) zones: Vec<FlatZone>,
    timed: OnceLock<Timed>,
}

/// The quickest ways, if they differ from the shortest, and the passages on them.
struct Timed {
    quickest: Option<NavigationField>,
    passages: Passages,
}

impl LazyTimed {
    pub(super) fn new(of: Arc<LazyField>, zones: Vec<FlatZone>) -> Self {
        Self { of, zones, timed: OnceLock::new() }
    }

    /// Whether these have been computed.
    pub(super) fn is_ready(&self) -> bool {
        self.timed.get().is_some()
    }

    fn timed(&self) -> &Timed {
        self.timed.get_or_init(|| {
            let shortest = self.of.field();
            let quickest = (!self.zones.is_empty()).then(|| shortest.quickest(&self.of.ground, &self.zones));
            let passages = quickest.as_ref().unwrap_or(shortest).passages(self.of.ground.clearance);
            Timed { quickest, passages }
        })
    }

    /// The quickest ways. The first call computes them; a call during this computation waits for its end. A distance in
    /// metres is one that an agent walks in the same time outside of zones.
    pub(crate) fn field(&self) -> &NavigationField {
        self.timed().quickest.as_ref().unwrap_or_else(|| self.of.field())
    }

    /// The distance from a point to the goals along the quickest way, as from the nearest node, and the narrowest
    /// passage on this way; `None` without a way.
    pub(crate) fn passage(&self, point: Vector<2>) -> Option<(f32, &Passage)> {
        let passages = &self.timed().passages;
        passages.at(self.field().nearest_node(point, |node| passages.at(node).is_some())?)
    }
}

impl fmt::Debug for LazyTimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} with {} zones", self.of, self.zones.len())
    }
}
