//! A navigation field that is computed at most once, when it is needed.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::environment::navigation::field::NavigationField;
use crate::environment::navigation::ground::Ground;

/// The ground of a navigation field, and the field once it has been computed.
pub(crate) struct LazyField {
    pub(crate) ground: Ground,
    field: OnceLock<NavigationField>,
    /// Whether a thread was asked to compute the field.
    begun: AtomicBool,
}

impl LazyField {
    pub(crate) fn new(ground: Ground) -> Self {
        Self { ground, field: OnceLock::new(), begun: AtomicBool::new(false) }
    }

    /// The field. The first call computes it; a call during this computation waits for its end.
    pub(crate) fn field(&self) -> &NavigationField {
        self.field.get_or_init(|| NavigationField::new(&self.ground))
    }

    /// Whether ways to other goals than its own were asked for.
    pub(super) fn has_routes(&self) -> bool {
        self.field.get().is_some_and(NavigationField::has_routes)
    }

    /// Whether the field has been computed.
    pub(super) fn is_ready(&self) -> bool {
        self.field.get().is_some()
    }

    /// Returns whether the computation of the field has yet to be started, and records that it is.
    pub(super) fn begin(&self) -> bool {
        !self.begun.swap(true, Ordering::Relaxed)
    }
}

impl PartialEq for LazyField {
    fn eq(&self, other: &Self) -> bool {
        self.ground == other.ground
    }
}

impl fmt::Debug for LazyField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ground.fmt(f)
    }
}
