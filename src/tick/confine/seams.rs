//! Seams: agents that cross one continue in the other part of the world.

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::base::seam::flat;
use crate::derived::Derived;
use crate::index::images::Images;
use crate::kernels::CLUSTER;
use crate::maths::Vector;
use crate::state::State;
use crate::tick::integrate::Before;

/// The largest number of seams that an agent crosses in a tick.
const MOST: usize = 4;

/// How far before its start a way may cross a seam, in metres: rounding of a position may take it across.
const ROUNDING: f32 = 1e-3;

/// Moves the agents that crossed seams on their ways.
pub(super) fn cross<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, before: &[Before<D>]) {
    let images = &derived.indices.images;
    if images.is_empty() {
        return;
    }
    let mut crossed = Vec::new();
    for (number, (agents, before)) in state.agents.iter_mut().zip(before).enumerate() {
        for first in (0..agents.len()).step_by(CLUSTER) {
            for row in near(images, agents, before, first) {
                let shift = shift_on(images, way(agents, before, row));
                if shift != Vector::ZERO {
                    cross_over(agents, row, shift);
                    crossed.push((number, row));
                }
            }
        }
    }
    for (species, row) in crossed {
        derived.indices.strayed(state, species, row);
    }
}

/// The rows of a cluster if there is a seam near the ways of its agents.
fn near<const D: usize>(
    images: &Images<D>,
    agents: &Agents<D>,
    before: &Before<D>,
    first: usize,
) -> std::ops::Range<usize> {
    let rows = first..(first + CLUSTER).clamp(0, agents.len());
    let [mut low, mut high] = [f32::INFINITY, -f32::INFINITY].map(Vector::<D>::splat);
    for end in rows.clone().flat_map(|row| way(agents, before, row)) {
        low = Vector::from_fn(|axis| if end[axis] < low[axis] { end[axis] } else { low[axis] });
        high = Vector::from_fn(|axis| if end[axis] > high[axis] { end[axis] } else { high[axis] });
    }
    let mut is_near = false;
    images.visit_on_way(low, high, |_| is_near = true);
    if is_near { rows } else { 0..0 }
}

/// The sum of the shifts of all seams that a way crosses.
fn shift_on<const D: usize>(images: &Images<D>, way: [Vector<D>; 2]) -> Vector<D> {
    let mut shift = Vector::ZERO;
    for _ in 0..MOST {
        let [start, to] = way.map(|end| end + shift);
        let mut over = None;
        images.visit_on_way(start, to, |side| {
            if side.is_crossed(flat(start), flat(to)) {
                over = Some(side.shift);
            }
        });
        let Some(over) = over else { break };
        shift += over;
    }
    shift
}

/// The way of an agent in this tick, which begins a little before its start.
fn way<const D: usize>(agents: &Agents<D>, before: &Before<D>, row: usize) -> [Vector<D>; 2] {
    let (from, to) = (Vector::from_fn(|axis| before.position[axis][row]), agents.position(row));
    [from - (to - from).direction() * ROUNDING, to]
}

/// Moves the agent at a row to another part of the world. All that rounding removes from its position is in its residual.
fn cross_over<const D: usize>(agents: &mut Agents<D>, row: usize, shift: Vector<D>) {
    let residual: [f32; D] = std::array::from_fn(|axis| agents.position_residual[axis][row]);
    let moved = agents.columns.values::<[f32; D]>(Owner::Moved).map(|moved| moved[row]);
    let exact: [f64; D] = std::array::from_fn(|axis| {
        f64::from(agents.position[axis][row]) + f64::from(residual[axis]) + f64::from(shift[axis])
    });
    agents.jump(row, Vector(exact.map(|at| at as f32)));
    for axis in 0..D {
        agents.position_residual[axis][row] = (exact[axis] - f64::from(agents.position[axis][row])) as f32;
        if let Some(previous) = &mut agents.previous {
            // Set by the jump to the present position: from there the agent came by its way.
            previous[axis][row] -= moved.map_or(0.0, |moved| moved[axis]);
        }
    }
    if let (Some(moved), Some(all)) = (moved, agents.columns.values_mut::<[f32; D]>(Owner::Moved)) {
        all[row] = moved;
    }
}
