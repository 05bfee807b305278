//! The views of the agents in one run of the pair kernel, by class, which depends on their state, and in the mix also
//! on their species.

use crate::kernels::CHUNK;
use crate::kernels::pairs::Terms;
use crate::kernels::vision::{ChunkVision, Vision};

/// The number of classes of a species: its states.
pub(crate) const CLASSES: usize = 32;

/// The views of each class.
#[derive(Clone, Debug, Default)]
pub(crate) struct VisionTable {
    /// The view of each term, by class; `None` for agents that the term does not apply to.
    of: Vec<[Option<Vision>; 3]>,
    /// Whether all classes have the same views.
    alike: bool,
    /// Whether velocities and offsets have the same views.
    shared: bool,
}

impl VisionTable {
    /// A table of these classes. Entries of species that have no agents in the run are `None`.
    pub(crate) fn new(classes: impl Iterator<Item = Option<[Option<Vision>; 3]>>) -> Self {
        let classes: Vec<_> = classes.collect();
        let present = || classes.iter().flatten();
        let first = present().next().copied().unwrap_or_default();
        let alike = present().all(|views| *views == first);
        let shared = present().all(|[_, velocities, offsets]| velocities == offsets);
        Self { of: classes.into_iter().map(Option::unwrap_or_default).collect(), alike, shared }
    }

    /// The views of one class.
    pub(crate) fn of(&self, class: usize) -> [Option<Vision>; 3] {
        self.of[class]
    }

    /// Returns the largest view of each term.
    pub(crate) fn largest(&self) -> Terms {
        let [inverse_offsets, velocities, offsets] =
            [0, 1, 2].map(|term| self.of.iter().filter_map(|views| views[term]).reduce(Vision::around));
        Terms { inverse_offsets, velocities, offsets }
    }

    /// Returns the views of a chunk's agents, where they differ. `classes` begins with the classes of these agents.
    pub(crate) fn chunk(&self, classes: &[u32]) -> Option<ChunkVision> {
        if self.alike {
            return None;
        }
        let mut chunk = ChunkVision { shared: self.shared, ..ChunkVision::NONE };
        for (lane, &class) in classes.iter().enumerate().take(CHUNK) {
            let Some(views) = self.of.get(class as usize) else { continue };
            for (term, view) in views.iter().enumerate().filter_map(|(term, view)| Some((term, (*view)?))) {
                chunk.radius_squared[term][lane] = view.radius_squared;
                chunk.cosine_squared[term][lane] = view.cosine_squared;
            }
        }
        Some(chunk)
    }
}
