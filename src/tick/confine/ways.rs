//! The ways of agents in a tick: crossings on the way are found, however long the way is.

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::agents::parallel::ChunkedColumn;
use crate::base::settings::{Edge, LIMIT, Settings, nearest_image_from_anywhere};
use crate::kernels::CHUNK;
use crate::ranks::Chunks;

/// Chunks that a thread takes at a time.
const GRAIN: usize = 16;

/// Records the ways of the agents in these chunks of one species, if it keeps them: straight from their positions
/// before they moved, across the seam of a periodic world, and up to any other edge of the world.
pub(super) fn record<const D: usize>(
    settings: &Settings<D>,
    before: Option<&[Vec<f32>; D]>,
    agents: &mut Agents<D>,
    chunks: &Chunks,
) {
    let (rows, bounds) = (agents.len(), bounds(settings));
    let Agents { position, columns, .. } = agents;
    let (Some(moved), Some(before)) = (columns.values_mut::<[f32; D]>(Owner::Moved), before) else { return };
    chunks.for_each(GRAIN, ChunkedColumn(moved, CHUNK), &|chunk, moved| {
        for (row, moved) in (chunk * CHUNK..rows).zip(moved.0) {
            for axis in 0..D {
                let (low, high) = bounds[axis];
                let to = position[axis][row];
                let to = if settings.edge[axis] == Edge::Wrap { to } else { to.clamp(low, high) };
                moved[axis] = to - before[axis][row];
            }
        }
    });
}

/// Records the way of the agent at a row, which came to the nearest image of its position: for positions that are known
/// only within the world.
pub(super) fn record_nearest<const D: usize>(
    settings: &Settings<D>,
    before: Option<&[Vec<f32>; D]>,
    agents: &mut Agents<D>,
    row: usize,
) {
    let (to, bounds, period) = (agents.position(row), bounds(settings), settings.period());
    let (Some(moved), Some(before)) = (agents.columns.values_mut::<[f32; D]>(Owner::Moved), before) else { return };
    for axis in 0..D {
        let (low, high) = bounds[axis];
        let to = if settings.edge[axis] == Edge::Wrap { to[axis] } else { to[axis].clamp(low, high) };
        moved[row][axis] = nearest_image_from_anywhere(to - before[axis][row], period[axis]);
    }
}

/// Returns the range of coordinates inside the world, per axis.
pub(super) fn bounds<const D: usize>(settings: &Settings<D>) -> [(f32, f32); D] {
    std::array::from_fn(|axis| match settings.edge[axis] {
        Edge::Open => (-LIMIT, LIMIT),
        _ => (0.0, settings.size[axis]),
    })
}
