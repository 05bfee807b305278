//! The spatial indices of paths: their segments by where they are the nearest, kept as long as they are asked for.

use std::sync::{Arc, Mutex, PoisonError};

use super::nearby::Nearby;
use super::tree::Bounds;
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
    /// Half of the ways from these to those.
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

    /// The segments, in their order, that may be the nearest to a point of a box, and more of them. `way` has the way
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
