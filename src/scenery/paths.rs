//! The spatial indices of paths: R-trees over their segments, kept as long as they are asked for.

use std::sync::{Arc, Mutex, PoisonError};

use super::tree::{Ball, Bounds, BoxTree};
use crate::maths::Vector;
use crate::settings::{LIMIT, Settings};

/// Up to this number of segments all of them are near.
const FEW_SEGMENTS: usize = 16;

/// One path and what was made from it.
#[derive(Debug)]
pub(crate) struct PathIndex<const D: usize> {
    points: Vec<Vector<D>>,
    closed: bool,
    /// Starts and ends.
    pub(crate) segments: Vec<(Vector<D>, Vector<D>)>,
    tree: BoxTree<D>,
}

impl<const D: usize> PathIndex<D> {
    /// The numbers, ascending, of the segments that are the nearest to any point within `radius` of `centre`, and of
    /// more of them. `way` gives the way from the centre to a segment.
    pub(crate) fn nearest_to(&self, centre: Vector<D>, radius: f32, way: impl Fn(u32) -> Vector<D>) -> Vec<u32> {
        // Beyond all coordinates that there are, boxes are of no use.
        let most = 4.0 * LIMIT;
        let usable = centre.0.iter().all(|component| component.abs() < most) && radius < most;
        if self.segments.len() <= FEW_SEGMENTS || !usable {
            return (0..self.segments.len() as u32).collect();
        }
        let (mut within, mut nearest) = (f32::INFINITY, Vector::ZERO);
        self.tree.visit_nearest(centre, &mut within, |number| {
            let way = way(number);
            if nearest == Vector::ZERO || way.length_squared() < nearest.length_squared() {
                nearest = way;
            }
            nearest.length_squared()
        });
        let mut found = Vec::new();
        self.tree.find_nearest(&Ball { centre, radius, nearest }, &mut found);
        found
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
        let segments: Vec<_> = segments().collect();
        let boxes = segments.iter().enumerate().map(|(number, &(start, end))| {
            let half = settings.offset(start, end) * 0.5;
            (number as u32, Bounds { centre: start + half, half: Vector::from_fn(|axis| half[axis].abs()) })
        });
        let tree = BoxTree::new(boxes, settings.period());
        let path = Arc::new(PathIndex { points: points.to_vec(), closed, segments, tree });
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
