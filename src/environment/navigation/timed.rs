//! The quickest ways of a navigation, with its passages, computed when a rule first asks for them.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::environment::navigation::crowd::Crowd;
use crate::environment::navigation::field::NavigationField;
use crate::environment::navigation::lazy_field::LazyField;
use crate::environment::navigation::pace::FlatZone;
use crate::environment::navigation::passages::{Passage, Passages};
use crate::maths::Vector;

/// The quickest ways over the ground of a field: they follow from this ground, the zones and the crowd.
pub(crate) struct LazyTimed {
    of: Arc<LazyField>,
    zones: Vec<FlatZone>,
    crowd: Option<Arc<Crowd>>,
    /// The quickest ways, if they differ from the shortest.
    quickest: OnceLock<Option<NavigationField>>,
    passages: OnceLock<Passages>,
}

impl LazyTimed {
    pub(super) fn new(of: Arc<LazyField>, zones: Vec<FlatZone>, crowd: Option<Arc<Crowd>>) -> Self {
        Self { of, zones, crowd, quickest: OnceLock::new(), passages: OnceLock::new() }
    }

    /// Whether these are the ways over this ground, through these zones and this crowd.
    pub(super) fn is_of(
        &self,
        ground: &Arc<LazyField>,
        zones: impl Iterator<Item = FlatZone>,
        crowd: Option<&Arc<Crowd>>,
    ) -> bool {
        let same_crowd = match (&self.crowd, crowd) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_crowd && Arc::ptr_eq(&self.of, ground) && zones.eq(self.zones.iter().cloned())
    }

    /// Whether these have been computed.
    pub(super) fn is_ready(&self) -> bool {
        self.quickest.get().is_some()
    }

    /// The quickest ways. The first call computes them; a call during this computation waits for its end. A distance in
    /// metres is one that an agent walks in the same time outside of zones and crowds.
    pub(crate) fn field(&self) -> &NavigationField {
        let shortest = self.of.field();
        let is_shortest = self.zones.is_empty() && self.crowd.is_none();
        let quickest =
            || (!is_shortest).then(|| shortest.quickest(&self.of.ground, &self.zones, self.crowd.as_deref()));
        self.quickest.get_or_init(quickest).as_ref().unwrap_or(shortest)
    }

    /// The distance from a point to the goals along the quickest way, as from the nearest node, and the narrowest
    /// passage on this way; `None` without a way.
    pub(crate) fn passage(&self, point: Vector<2>) -> Option<(f32, &Passage)> {
        let passages = self.passages.get_or_init(|| self.field().passages(self.of.ground.clearance));
        passages.at(self.field().nearest_node(point, |node| passages.at(node).is_some())?)
    }
}

impl fmt::Debug for LazyTimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} with {} zones", self.of, self.zones.len())
    }
}
