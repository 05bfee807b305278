//! Who is near a point? Searches through the index, for behaviours and for the host.
//!
//! Distances are those of the pair kernel: in a periodic world to the nearest image. Ties go to the first species, then
//! to the first row, so that the answer does not depend on how the index was walked.

use crate::agents::Agents;
use crate::index::Index;
use crate::maths::Vector;
use crate::settings::nearest_image;

/// An agent that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found<const D: usize> {
    pub(crate) distance_squared: f32,
    pub(crate) row: usize,
    pub(crate) offset: Vector<D>,
}

/// Shows the agents within `radius` of a point, in any order, some of them more than once. Tells how many chunks were
/// looked at.
pub(crate) fn visit_within<const D: usize>(
    agents: &Agents<D>,
    index: &Index<D>,
    period: &[f32; D],
    point: Vector<D>,
    radius: f32,
    mut visit: impl FnMut(Found<D>),
) -> usize {
    index.visit_clusters(point, radius, period, |first| {
        let last = first + crate::kernels::CLUSTER;
        for row in first..if last < agents.len() { last } else { agents.len() } {
            let offset = Vector::from_fn(|axis| nearest_image(agents.position[axis][row] - point[axis], period[axis]));
            let distance_squared = offset.length_squared();
            if distance_squared <= radius * radius {
                visit(Found { distance_squared, row, offset });
            }
        }
    })
}

/// The nearest agent to a point within `radius` (which may be infinite) for which `want` says yes.
pub(crate) fn nearest<const D: usize>(
    agents: &Agents<D>,
    index: &Index<D>,
    period: &[f32; D],
    point: Vector<D>,
    radius: f32,
    mut want: impl FnMut(usize) -> bool,
) -> Option<Found<D>> {
    let mut reach = index.cluster_radius();
    loop {
        let last = reach >= radius;
        reach = if last { radius } else { reach };
        let mut best: Option<Found<D>> = None;
        let chunks = visit_within(agents, index, period, point, reach, |found| {
            let closer =
                best.is_none_or(|best| (found.distance_squared, found.row) < (best.distance_squared, best.row));
            if closer && want(found.row) {
                best = Some(found);
            }
        });
        if best.is_some() || last || (chunks >= index.chunks() && reach > 1e7) {
            return best;
        }
        reach *= 2.0;
    }
}
