//! The spatial indices of paths: their segments by where they are the nearest, kept as long as they are asked for.

use std::sync::{Arc, Mutex, PoisonError};

use super::nearby::Nearby;
use crate::kernels::segments::Segments;
use crate::maths::Vector;
use crate::settings::Settings;

/// One path and what was made from it.
#[derive(Debug)]
pub(crate) struct PathIndex<const D: usize> {
    points: Vec<Vector<D>>,
    closed: bool,
    /// Starts and ends.
    pub(crate) segments: Vec<(Vector<D>, Vector<D>)>,
    pub(crate) columns: Segments<D>,
    /// The segments by their numbers.
    pub(crate) nearby: Nearby<D>,
}

impl<const D: usize> PathIndex<D> {
    fn new(
        points: &[Vector<D>],
        closed: bool,
        settings: &Settings<D>,
        segments: impl Iterator<Item = (Vector<D>, Vector<D>)>,
    ) -> Self {
        let segments: Vec<_> = segments.collect();
        let halves = segments.iter().map(|&(start, end)| (start.0, (settings.offset(start, end) * 0.5).0));
        let columns = Segments::new(halves, &settings.period());
        let nearby = Nearby::new(points, settings, segments.len());
        Self { points: points.to_vec(), closed, segments, columns, nearby }
    }
}

/// The paths that rules asked for of late. They are known by their points, so that a rule whose path is changed gets
/// another one.
#[derive(Debug, Default)]
pub(crate) struct Paths<const D: usize>(Mutex<Vec<Entry<D>>>);

#[derive(Debug)]
struct Entry<const D: usize> {
    path: Arc<PathIndex<D>>,
    /// Whether a rule asked for it since [`Paths::drop_unused`].
    used: bool,
}

impl<const D: usize> Paths<D> {
    /// The index of a path. `segments` are its starts and ends.
    pub(crate) fn get<S: Iterator<Item = (Vector<D>, Vector<D>)>>(
        &self,
        points: &[Vector<D>],
        closed: bool,
        settings: &Settings<D>,
        segments: impl FnOnce() -> S,
    ) -> Arc<PathIndex<D>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.iter_mut().find(|entry| entry.path.closed == closed && entry.path.points == points)
        {
            entry.used = true;
            return entry.path.clone();
        }
        let path = Arc::new(PathIndex::new(points, closed, settings, segments()));
        entries.push(Entry { path: path.clone(), used: true });
        path
    }

    /// Drops the paths that no rule asked for since the last call.
    pub(crate) fn drop_unused(&mut self) {
        let entries = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        entries.retain_mut(|entry| std::mem::take(&mut entry.used));
    }

    /// Drops all paths.
    pub(crate) fn clear(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
