//! Points among the centres of the cells of a grid that covers the world.

use crate::base::settings::{Edge, Settings};
use crate::maths::Vector;

/// Calls `add` with the number and the weight of each cell around a point, for linear interpolation between the centres
/// of cells. On a periodic axis the cells at the seam are neighbours; on other axes, a point beyond the outermost centres
/// has the weights of the nearest point between them.
pub(super) fn weigh<const D: usize>(
    cells: [usize; D],
    settings: &Settings<D>,
    point: Vector<D>,
    mut add: impl FnMut(usize, f32),
) {
    let mut low = [0; D];
    let mut high = [0; D];
    let mut share = [0.0; D];
    for axis in 0..D {
        let cells = cells[axis];
        let last = (cells - 1) as f32;
        let along = point[axis] / settings.size[axis] * cells as f32 - 0.5;
        if settings.edge[axis] == Edge::Wrap {
            // Far beyond the seam a coordinate has no fraction left; the clamp only keeps the result finite.
            let along = along.clamp(-1e9, 1e9);
            let cell = (along.floor() as i64).rem_euclid(cells as i64) as usize;
            (low[axis], high[axis], share[axis]) = (cell, (cell + 1) % cells, along - along.floor());
        } else {
            let along = along.clamp(0.0, last);
            let cell = along as usize;
            let next = if cell + 1 < cells { cell + 1 } else { cell };
            (low[axis], high[axis], share[axis]) = (cell, next, along - along.floor());
        }
    }
    for corner in 0..1_usize << D {
        let (mut number, mut weight) = (0, 1.0);
        for axis in (0..D).rev() {
            let beyond = corner >> axis & 1 == 1;
            number = number * cells[axis] + if beyond { high[axis] } else { low[axis] };
            weight *= if beyond { share[axis] } else { 1.0 - share[axis] };
        }
        add(number, weight);
    }
}
