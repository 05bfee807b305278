//! Spatial indices of paths: nearest-segment lookup, kept while rules use the path.

use std::sync::{Arc, Mutex, PoisonError};

use super::nearby::Nearby;
use super::tree::Bounds;
use crate::kernels::segments::Segments;
use crate::maths::Vector;
use crate::settings::Settings;

/// The index of one path.
#[derive(Debug)]
pub(crate) struct PathIndex<const D: usize> {
    points: Vec<Vector<D>>,
    closed: bool,
    /// Start and end of each segment.
    pub(crate) segments: Vec<(Vector<D>, Vector<D>)>,
    /// Half of the offset from start to end of each segment.
    halves: Vec<Vector<D>>,
    nearby: Nearby<D, Segments<D>>,
}

impl<const D: usize> PathIndex<D> {
    fn new(
        points: &[Vector<D>],
        closed: bool,
        settings: &Settings<D>,
        segments: impl Iterator<Item = (Vector<D>, Vector<D>)>,
    ) -> Self {
        let segments: Vec<_> = segments.collect();
        let halves: Vec<_> = segments.iter().map(|&(start, end)| settings.offset(start, end) * 0.5).collect();
        let columns = |numbers: &[u32]| columns(&segments, &halves, numbers, settings);
        let nearby = Nearby::new(points, settings, segments.len(), columns);
        Self { points: points.to_vec(), closed, segments, halves, nearby }
    }

    /// A superset of the segments that may be nearest to a point of a box, in their order. `way` returns the offset
    /// from a point to a segment.
    pub(crate) fn nearest_to(
        &self,
        bounds: &Bounds<D>,
        settings: &Settings<D>,
        way: impl Fn(Vector<D>, u32) -> Vector<D>,
    ) -> &Segments<D> {
        self.nearby.find(bounds, way, |numbers| columns(&self.segments, &self.halves, numbers, settings))
    }
}

fn columns<const D: usize>(
    segments: &[(Vector<D>, Vector<D>)],
    halves: &[Vector<D>],
    numbers: &[u32],
    settings: &Settings<D>,
) -> Segments<D> {
    let columns = numbers.iter().map(|&number| (segments[number as usize].0.0, halves[number as usize].0));
    Segments::new(columns, &settings.period())
}

/// The indices of recently used paths, keyed by their points: a rule whose path changes gets a new index.
#[derive(Debug, Default)]
pub(crate) struct Paths<const D: usize>(Mutex<Vec<Entry<D>>>);

#[derive(Debug)]
struct Entry<const D: usize> {
    path: Arc<PathIndex<D>>,
    /// Whether a rule has used it since [`Paths::drop_unused`].
    used: bool,
}

impl<const D: usize> Paths<D> {
    /// The index of a path. `segments` holds the start and end of each segment.
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

    /// Drops the paths that no rule has used since the last call.
    pub(crate) fn drop_unused(&mut self) {
        let entries = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        entries.retain_mut(|entry| std::mem::take(&mut entry.used));
    }

    /// Drops all paths.
    pub(crate) fn clear(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
