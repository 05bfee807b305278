//! Measures of the agents of a world at one tick.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use throng::measures::{self, Measure, Profile, Sample};
use throng::with_world;

use crate::errors::OrRaise;
use crate::pool;
use crate::world::World;

/// Computes `$value` for a sample of the agents of a world, or of one of its species, without Python.
macro_rules! measured {
    ($py:expr, $world:expr, $species:expr, $sample:ident => $value:expr) => {{
        let (py, pool, world, species) = ($py, pool::pool()?, &$world.shared, $species);
        py.detach(|| {
            let world = world.read()?;
            let number = species.map(|name| crate::world::species_named(&world, name)).transpose()?;
            pool.install(|| {
                with_world!(&*world, world => {
                    let $sample = match number {
                        Some(species) => Sample::of_species(world, species).or_raise()?,
                        None => Sample::of(world),
                    };
                    Ok($value)
                })
            })
        })
    }};
}

/// The measure with this name, and its radius.
pub(crate) fn known(name: &str, radius: Option<f32>) -> PyResult<&'static Measure> {
    let measure = measures::measure(name).ok_or_else(|| measures::unknown_measure(name)).or_raise()?;
    match radius {
        None if measure.needs_radius => Err(PyValueError::new_err(format!("the measure `{name}` needs a radius"))),
        Some(radius) if !(radius > 0.0 && radius.is_finite()) => {
            Err(PyValueError::new_err(format!("radius = {radius}: must be a positive number")))
        }
        _ => Ok(measure),
    }
}

/// A measure by its name.
#[pyfunction]
#[pyo3(signature = (world, name, radius=None, species=None))]
pub(crate) fn measure(
    py: Python<'_>,
    world: &World,
    name: &str,
    radius: Option<f32>,
    species: Option<&str>,
) -> PyResult<f64> {
    let measure = known(name, radius)?;
    if measure.follows_agents() {
        return Err(PyValueError::new_err(format!("the measure `{name}` follows agents over time: use a Recorder")));
    }
    measured!(py, world, species, sample => measure.compute(&sample, radius))
}

/// Distances and values of a correlation.
type Curve<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The correlation of positions, or of velocities: distances and values.
#[pyfunction]
#[pyo3(signature = (world, of, range, bins, species=None))]
pub(crate) fn correlation<'py>(
    py: Python<'py>,
    world: &World,
    of: &str,
    range: f32,
    bins: usize,
    species: Option<&str>,
) -> PyResult<Curve<'py>> {
    check_bins(range, bins)?;
    let of_velocities = of == "velocity";
    let profile: PyResult<Profile> = measured!(py, world, species, sample => if of_velocities {
        measures::velocity_correlation(&sample, range, bins)
    } else {
        measures::pair_correlation(&sample, range, bins)
    });
    let (distances, values) = profile?.points().unzip::<_, _, Vec<f64>, Vec<f64>>();
    Ok((PyArray1::from_vec(py, distances), PyArray1::from_vec(py, values)))
}

fn check_bins(range: f32, bins: usize) -> PyResult<()> {
    if !(range > 0.0 && range.is_finite()) {
        return Err(PyValueError::new_err(format!("range = {range}: must be a positive number")));
    }
    if !(1..=1_000_000).contains(&bins) {
        return Err(PyValueError::new_err(format!("bins = {bins}: must be from 1 to 1000000")));
    }
    Ok(())
}

/// The sizes of the clusters that agents form at a radius, largest first.
#[pyfunction]
#[pyo3(signature = (world, radius, species=None))]
pub(crate) fn clusters(py: Python<'_>, world: &World, radius: f32, species: Option<&str>) -> PyResult<Vec<u32>> {
    known("clusters", Some(radius))?;
    measured!(py, world, species, sample => measures::clusters(&sample, radius).sizes)
}

/// The centre of the agents; `None` without agents.
#[pyfunction]
#[pyo3(signature = (world, species=None))]
pub(crate) fn centre(py: Python<'_>, world: &World, species: Option<&str>) -> PyResult<Option<Vec<f32>>> {
    measured!(py, world, species, sample => measures::centre(&sample).map(|centre| centre.0.to_vec()))
}

/// The distance of each agent to its nearest neighbour.
#[pyfunction]
#[pyo3(signature = (world, species=None))]
pub(crate) fn nearest_distances<'py>(
    py: Python<'py>,
    world: &World,
    species: Option<&str>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let distances: PyResult<Vec<f32>> = measured!(py, world, species, sample => measures::nearest_distances(&sample));
    Ok(PyArray1::from_vec(py, distances?))
}
