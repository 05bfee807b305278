//! The spatial indices of paths: R-trees over their segments, kept as long as they are asked for.

use std::sync::{Arc, Mutex, PoisonError};

use super::tree::{Bounds, BoxTree};
use crate::settings::Settings;
use crate::vector::Vector;

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
    /// Fills `found` with the numbers of the segments that come within `reach` of a box, ascending, and a few more.
    pub(crate) fn segments_within(&self, bounds: &Bounds<D>, reach: f32, found: &mut Vec<u32>) {
        found.clear();
        if self.segments.len() <= FEW_SEGMENTS {
            found.extend(0..self.segments.len() as u32);
        } else {
            self.tree.find(&Bounds { half: bounds.half + Vector::splat(reach), ..*bounds }, found);
        }
    }

    /// The distance from a point to the nearest segment, of which `squared` gives the squared distances: at least that.
    pub(crate) fn distance(&self, point: Vector<D>, squared: impl Fn(u32) -> f32) -> f32 {
        let mut within = f32::INFINITY;
        if self.segments.len() > FEW_SEGMENTS {
            let mut least = f32::INFINITY;
            self.tree.visit_nearest(point, &mut within, |number| {
                let squared = squared(number);
                least = if squared < least { squared } else { least };
                least
            });
        }
        within.sqrt() * (1.0 + 1e-5)
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
        if let Some(entry) = entries.iter_mut().find(|entry| entry.path.closed == closed && entry.path.points == points) {
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
