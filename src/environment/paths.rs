//! Spatial indices of paths: nearest-segment lookup, kept while rules use the path.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::base::settings::Settings;
use crate::boxes::aabb::Aabb;
use crate::environment::nearby::Nearby;
use crate::kernels::segments::Segments;
use crate::maths::Vector;

/// The index of one path.
#[derive(Debug)]
pub(crate) struct PathIndex<const D: usize> {
    points: Vec<Vector<D>>,
    closed: bool,
    /// The start of each segment, and half of the offset to its end.
    segments: Vec<(Vector<D>, Vector<D>)>,
    nearby: Nearby<D, Segments<D>>,
}

impl<const D: usize> PathIndex<D> {
    fn new(
        points: &[Vector<D>],
        closed: bool,
        settings: &Settings<D>,
        segments: impl Iterator<Item = (Vector<D>, Vector<D>)>,
    ) -> Self {
        let segments: Vec<_> = segments.map(|(start, end)| (start, settings.offset(start, end) * 0.5)).collect();
        let columns = |offsets: &[(u32, Vector<D>)]| columns(&segments, offsets, settings);
        let nearby = Nearby::new(points, settings, segments.len(), columns);
        Self { points: points.to_vec(), closed, segments, nearby }
    }

    /// Returns whether the path has no points.
    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Returns the start of a segment, and half of the offset to its end.
    pub(crate) fn segment(&self, number: usize) -> (Vector<D>, Vector<D>) {
        self.segments[number]
    }

    /// Returns a superset of the segments that may be nearest to a point of a box, in their order. `offset` returns the
    /// offset from a point to a segment.
    pub(crate) fn nearest_to(
        &self,
        bounds: &Aabb<D>,
        settings: &Settings<D>,
        offset: impl Fn(Vector<D>, u32) -> Vector<D>,
    ) -> &Segments<D> {
        self.nearby.find(bounds, offset, |offsets| columns(&self.segments, offsets, settings))
    }
}

/// Returns the columns of numbered segments, given the offsets to them from some point.
fn columns<const D: usize>(
    segments: &[(Vector<D>, Vector<D>)],
    offsets: &[(u32, Vector<D>)],
    settings: &Settings<D>,
) -> Segments<D> {
    let segment = |&(number, _): &(u32, Vector<D>)| {
        let (start, half) = segments[number as usize];
        (start.0, half.0)
    };
    let mut nearest_first = offsets.to_vec();
    nearest_first.sort_by(|(_, a), (_, b)| a.length_squared().total_cmp(&b.length_squared()));
    Segments::new(offsets.iter().map(segment), nearest_first.iter().map(segment), &settings.period())
}

/// The indices of recently used paths, keyed by their points: a rule whose path changes gets a new index.
#[derive(Debug, Default)]
pub(crate) struct Paths<const D: usize>(Mutex<Vec<Entry<D>>>);

#[derive(Debug)]
struct Entry<const D: usize> {
    path: Arc<PathIndex<D>>,
    /// Whether a rule had it at the last [`Paths::drop_unused`].
    used: bool,
}

/// The path of a rule, which all threads read without a lock once one of them has found it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundPath<const D: usize>(OnceLock<(Place, Arc<PathIndex<D>>)>);

/// The address and the number of a path's points, and whether the path is closed. The indices are dropped with the
/// names of rules when a rule changes, so equal addresses mean equal points.
type Place = (usize, usize, bool);

impl<const D: usize> Paths<D> {
    /// Returns the index of the path of a rule, building it if needed. `segments` has the start and end of each segment.
    pub(crate) fn get<S: Iterator<Item = (Vector<D>, Vector<D>)>>(
        &self,
        found: &FoundPath<D>,
        points: &[Vector<D>],
        closed: bool,
        settings: &Settings<D>,
        segments: impl Fn() -> S,
    ) -> Arc<PathIndex<D>> {
        let place = (points.as_ptr() as usize, points.len(), closed);
        let find = || self.find(points, closed, settings, &segments);
        let (known, path) = found.0.get_or_init(|| (place, find()));
        // A rule of the host may steer by several paths.
        if *known == place { path.clone() } else { find() }
    }

    fn find<S: Iterator<Item = (Vector<D>, Vector<D>)>>(
        &self,
        points: &[Vector<D>],
        closed: bool,
        settings: &Settings<D>,
        segments: impl FnOnce() -> S,
    ) -> Arc<PathIndex<D>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |entry: &&mut Entry<D>| entry.path.closed == closed && entry.path.points == points;
        if let Some(entry) = entries.iter_mut().find(same) {
            entry.used = true;
            return entry.path.clone();
        }
        let path = Arc::new(PathIndex::new(points, closed, settings, segments()));
        entries.push(Entry { path: path.clone(), used: true });
        path
    }

    /// Drops the paths that no rule has had since the last call.
    pub(crate) fn drop_unused(&mut self) {
        let entries = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        entries.retain_mut(|entry| {
            let has = Arc::strong_count(&entry.path) > 1;
            std::mem::replace(&mut entry.used, has) || has
        });
    }

    /// Drops all paths.
    pub(crate) fn clear(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The addresses of the indices, for tests of which ones are kept.
    #[cfg(test)]
    pub(crate) fn addresses(&self) -> Vec<usize> {
        let entries = self.0.lock().unwrap();
        entries.iter().map(|entry| Arc::as_ptr(&entry.path) as usize).collect()
    }
}
