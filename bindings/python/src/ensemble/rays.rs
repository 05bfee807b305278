//! How far every agent of every world sees along rays, up to a wall.

use numpy::PyReadwriteArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use throng::maths::sin_cos;
use throng::{AnyWorld, Edge, Error, Query, Settings, SpeciesId, Vector};

use crate::ensemble::{agents_of, check_agents, for_each, memory};
use crate::errors::OrRaise;
use crate::rows;
use crate::world::{World, species_named};

/// Fills `out` with the distances from every agent to the nearest wall or obstacle along rays at these angles from its
/// heading, in degrees; the reach where there is none.
#[pyfunction]
pub(crate) fn rays<'py>(
    py: Python<'py>,
    worlds: Vec<Py<World>>,
    species: &str,
    angles: Vec<f32>,
    reach: f32,
    mut out: PyReadwriteArrayDyn<'py, f32>,
) -> PyResult<()> {
    let agents = agents_of(&worlds, species)?;
    let turns: Vec<(f32, f32)> =
        angles.iter().map(|degrees| sin_cos(degrees * (std::f32::consts::PI / 180.0))).collect();
    let len = agents * turns.len();
    let parts = memory("out", &mut out)?.par_chunks_mut(if len == 0 { 1 } else { len });
    for_each(py, &worlds, parts, |number, world, part| {
        let world = world.shared.read()?;
        let AnyWorld::Flat(flat) = &*world else {
            return Err(PyValueError::new_err("dimensions = 3: rays are for worlds of two dimensions"));
        };
        let species = species_named(&world, species)?;
        let rows = rows::by_id(&world, species)?;
        check_agents(number, rows.len(), agents)?;
        check_reach(flat.settings(), reach)?;
        look(flat, species, &rows, &turns, reach, part).or_raise()
    })
}

/// Refuses a reach that is not positive, or beyond which a periodic world has a nearer image.
fn check_reach(settings: &Settings<2>, reach: f32) -> PyResult<()> {
    let most = settings.period().into_iter().fold(
        f32::INFINITY,
        |most, period| {
            if 0.5 * period < most { 0.5 * period } else { most }
        },
    );
    if reach > 0.0 && reach <= most && reach < f32::INFINITY {
        return Ok(());
    }
    let most = if most < f32::INFINITY { format!(", and at most {most}, half of the period") } else { String::new() };
    Err(PyValueError::new_err(format!("reach = {reach}: must be a number of metres above 0{most}")))
}

/// The distances of the agents at these rows.
fn look(
    world: &throng::World<2>,
    species: SpeciesId,
    rows: &[usize],
    turns: &[(f32, f32)],
    reach: f32,
    out: &mut [f32],
) -> Result<(), Error> {
    let (agents, query) = (world.agents(species)?, world.query());
    for (&row, out) in rows.iter().zip(out.chunks_exact_mut(turns.len())) {
        let [x, y] = match agents.heading(row) {
            Vector::ZERO => [1.0, 0.0],
            Vector(heading) => heading,
        };
        for (&(sin, cos), out) in turns.iter().zip(out) {
            let along = Vector([x * cos - y * sin, x * sin + y * cos]);
            *out = distance(&query, world.settings(), agents.position(row), along, reach)?;
        }
    }
    Ok(())
}

/// The distance to the first wall or obstacle in this direction.
fn distance(
    query: &Query<'_, 2>,
    settings: &Settings<2>,
    from: Vector<2>,
    along: Vector<2>,
    reach: f32,
) -> Result<f32, Error> {
    let end = |length: f32| {
        Vector::from_fn(|axis| {
            let at = from[axis] + length * along[axis];
            if is_bounded(settings, axis) { at.clamp(0.0, settings.size[axis]) } else { at }
        })
    };
    let inside = (0..2).filter(|&axis| is_bounded(settings, axis) && along[axis] != 0.0).fold(reach, |most, axis| {
        let border = if along[axis] > 0.0 { settings.size[axis] } else { 0.0 };
        let length = (border - from[axis]) / along[axis];
        if length < most { length } else { most }
    });
    Ok(query.ray(from, end(inside))?.map_or(reach, |hit| hit.distance))
}

/// Whether the world ends on this axis, so that points beyond are none of its points.
fn is_bounded(settings: &Settings<2>, axis: usize) -> bool {
    !matches!(settings.edge[axis], Edge::Wrap | Edge::Open)
}
