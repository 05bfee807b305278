//! Measures of the agents of a world at one tick.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use throng::measures::{self, DistanceProfile, Fluctuation, Measure, MeasureOf, Sample, Series};
use throng::{AnyWorld, with_world};

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

/// The measure with this name, of all agents or of one species, and with this radius.
pub(crate) fn known(name: &str, radius: Option<f32>) -> PyResult<MeasureOf> {
    with_radius(MeasureOf::parse(name).or_raise()?, radius)
}

/// The same measure, if this is a radius for it.
pub(crate) fn with_radius(of: MeasureOf, radius: Option<f32>) -> PyResult<MeasureOf> {
    match radius {
        None if of.measure.needs_radius => Err(PyValueError::new_err(format!("the measure `{of}` needs a radius"))),
        Some(radius) if !(radius > 0.0 && radius.is_finite()) => {
            Err(PyValueError::new_err(format!("radius = {radius}: must be a positive number")))
        }
        _ => Ok(of),
    }
}

/// Checks that these measures have names of their own.
pub(crate) fn all_differ(measures: impl IntoIterator<Item = String>) -> PyResult<()> {
    let mut names = Vec::new();
    for name in measures {
        if names.contains(&name) {
            return Err(PyValueError::new_err(format!("the measure `{name}` is there twice")));
        }
        names.push(name);
    }
    Ok(())
}

/// Checks that the agents of a world have what a measure reads.
pub(crate) fn check(measure: &Measure, world: &AnyWorld) -> PyResult<()> {
    if !measure.built_in_name().is_empty() {
        return Ok(());
    }
    let columns = world.all_species().map(|(species, ..)| world.columns(species));
    let columns = columns.collect::<Result<Vec<_>, _>>().or_raise()?;
    let names: Vec<&str> = columns.iter().flatten().map(|column| column.name).collect();
    measure.check(world.dimensions(), &names).or_raise()
}

/// The measure of all species with this name.
pub(crate) fn known_of_all(name: &str, radius: Option<f32>) -> PyResult<Measure> {
    let of = known(name, radius)?;
    match of.species {
        None => Ok(of.measure),
        Some(_) => Err(PyValueError::new_err(format!("the measure `{name}` must measure all agents"))),
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
    let measure = known_of_all(name, radius)?;
    if measure.follows_agents() {
        return Err(PyValueError::new_err(format!("the measure `{name}` follows agents over time: use a Recorder")));
    }
    if !measure.built_in_name().is_empty() {
        return measured!(py, world, species, sample => measure.compute(&sample, radius));
    }
    let world = world.shared.read()?;
    check(&measure, &world)?;
    let mut series = Series::new(&[MeasureOf { measure, species: species.map(str::to_owned) }], None);
    series.measure(&world);
    Ok(series.values().next().map_or(f64::NAN, |values| values[0]))
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
    let profile: PyResult<DistanceProfile> = measured!(py, world, species, sample => if of_velocities {
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

/// The numbers of agents in boxes of several sizes: the numbers of boxes, means and variances.
#[pyfunction]
#[pyo3(signature = (world, species=None))]
pub(crate) fn number_fluctuations(
    py: Python<'_>,
    world: &World,
    species: Option<&str>,
) -> PyResult<Vec<(usize, f64, f64)>> {
    let found: PyResult<Vec<Fluctuation>> = measured!(py, world, species, sample => {
        measures::number_fluctuations(&sample)
    });
    Ok(found?.into_iter().map(|of| (of.boxes, of.mean, of.variance)).collect())
}

/// The structure factor: wave numbers and values.
#[pyfunction]
#[pyo3(signature = (world, count, species=None))]
pub(crate) fn structure_factor<'py>(
    py: Python<'py>,
    world: &World,
    count: usize,
    species: Option<&str>,
) -> PyResult<Curve<'py>> {
    if !(1..=1000).contains(&count) {
        return Err(PyValueError::new_err(format!("count = {count}: must be from 1 to 1000")));
    }
    let factor: PyResult<Vec<(f64, f64)>> = measured!(py, world, species, sample => {
        measures::structure_factor(&sample, count)
    });
    let (numbers, values) = factor?.into_iter().unzip::<_, _, Vec<f64>, Vec<f64>>();
    Ok((PyArray1::from_vec(py, numbers), PyArray1::from_vec(py, values)))
}

/// Slabs along an axis: middle, number of agents, density, mean speed and mean velocity of each.
type Slabs = Vec<(f64, u64, f64, f64, Vec<f64>)>;

/// Divides the space along an axis into slabs, and measures the agents in each.
#[pyfunction]
#[pyo3(signature = (world, axis, count, species=None))]
pub(crate) fn slabs(
    py: Python<'_>,
    world: &World,
    axis: usize,
    count: usize,
    species: Option<&str>,
) -> PyResult<Slabs> {
    let dimensions = world.shared.read()?.dimensions();
    if axis >= dimensions {
        return Err(PyValueError::new_err(format!("axis = {axis}: must be below {dimensions}")));
    }
    if !(1..=1_000_000).contains(&count) {
        return Err(PyValueError::new_err(format!("count = {count}: must be from 1 to 1000000")));
    }
    measured!(py, world, species, sample => {
        let slabs = measures::slabs(&sample, axis, count).into_iter();
        slabs.map(|slab| (slab.at, slab.agents, slab.density, slab.speed, slab.velocity.to_vec())).collect()
    })
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
