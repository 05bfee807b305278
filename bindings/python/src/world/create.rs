//! Creation of worlds: in code, and from scenarios.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use throng::{AnyWorld, Edge, Error, Registry, Seam, Settings, Vector};
use throng_scenario::Scenario;

use crate::errors::OrRaise;
use crate::points::Point;
use crate::world::World;
use crate::{pool, toml};

/// The edges in an argument: one name for all axes, or one per axis.
#[derive(FromPyObject)]
enum Edges {
    All(String),
    Each(Vec<String>),
}

impl Edges {
    fn of(self, dimensions: usize) -> PyResult<[Edge; 3]> {
        let names = match self {
            Self::All(name) => vec![name; dimensions],
            Self::Each(names) if names.len() == dimensions => names,
            Self::Each(names) => {
                let message = format!("edge = {names:?}: must be one name, or one per dimension");
                return Err(PyValueError::new_err(message));
            }
        };
        let mut edges = [Edge::default(); 3];
        for (edge, name) in edges.iter_mut().zip(&names) {
            let known = Edge::ALL.into_iter().find(|edge| edge.name() == *name);
            let allowed = throng::parameters::Allowed::one_of(Edge::ALL.map(Edge::name));
            *edge = known.ok_or_else(|| Error::bad("edge", &name[..], allowed)).or_raise()?;
        }
        Ok(edges)
    }
}

/// The components of a size, and their number.
fn size(size: &Point) -> PyResult<(usize, Vector<3>)> {
    match size.0[..] {
        [x, y] => Ok((2, Vector([x, y, 0.0]))),
        [x, y, z] => Ok((3, Vector([x, y, z]))),
        _ => Err(PyValueError::new_err(format!("size = {:?}: must have two or three numbers", size.0))),
    }
}

/// Builds the world of a checked scenario.
fn built(py: Python<'_>, scenario: impl FnOnce() -> PyResult<Scenario> + Send) -> PyResult<World> {
    let pool = pool::pool()?;
    let (world, areas, warnings) = py.detach(|| {
        pool.install(|| {
            let scenario = scenario()?;
            let areas = scenario.areas().map(|(name, rings)| (name.to_owned(), rings.to_vec()));
            PyResult::Ok((scenario.build_any().or_raise()?, areas.collect::<Vec<_>>(), scenario.warnings()))
        })
    })?;
    let world = World::new(world);
    world.areas().extend(areas);
    world.warn(py, warnings)?;
    Ok(world)
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (size, *, edge=None, tick_seconds=1.0 / 60.0, seed=0, pair_budget=Some(4096), seams=Vec::new()))]
    fn create(
        size: Point,
        edge: Option<Edges>,
        tick_seconds: f32,
        seed: u64,
        pair_budget: Option<usize>,
        seams: Vec<([[f32; 2]; 2], [f32; 2])>,
    ) -> PyResult<Self> {
        let (dimensions, size) = self::size(&size)?;
        let edge = edge.map_or(Ok([Edge::default(); 3]), |edge| edge.of(dimensions))?;
        let flat = |[x, y]: [f32; 2]| [x, y, 0.0].into();
        let seams = seams.into_iter().map(|(ends, shift)| Seam { ends: ends.map(flat), shift: flat(shift) });
        let settings = Settings { size, edge, tick_seconds, seed, pair_budget, seams: seams.collect() };
        Ok(Self::new(AnyWorld::new(dimensions, settings).or_raise()?))
    }

    /// The world of a scenario file, with overrides of some of its keys.
    ///
    /// Parameters
    /// ----------
    /// path : str or path
    ///     The file.
    /// **overrides
    ///     Keys of the scenario: `world={"seed": 3}`, or `**{"world.seed": 3}`.
    ///
    /// Returns
    /// -------
    /// World
    ///     At tick zero.
    ///
    /// Raises
    /// ------
    /// ScenarioError
    ///     With the place of every problem.
    /// OSError
    ///     If the file cannot be read.
    #[classmethod]
    #[pyo3(signature = (path, /, **overrides))]
    fn from_file(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        overrides: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (overrides, registry) = (toml::overrides(overrides.as_ref())?, Registry::new());
        built(py, || Scenario::load_in(&registry, path, &overrides).or_raise())
    }

    /// The world of a scenario in TOML, with overrides of some of its keys.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     The scenario.
    /// file : str
    ///     The name in messages; files that the scenario names are next to it.
    /// **overrides
    ///     See `from_file`.
    ///
    /// Returns
    /// -------
    /// World
    ///     At tick zero.
    ///
    /// Raises
    /// ------
    /// ScenarioError
    ///     With the place of every problem.
    #[classmethod]
    #[pyo3(signature = (text, /, *, file="scenario.toml", **overrides))]
    fn from_text(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        text: &str,
        file: &str,
        overrides: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (overrides, registry) = (toml::overrides(overrides.as_ref())?, Registry::new());
        built(py, || Scenario::parse_in(&registry, text, file, &overrides).or_raise())
    }

    /// The world of a scenario that is a dictionary.
    ///
    /// Parameters
    /// ----------
    /// scenario : dict
    ///     The tables and keys of a scenario file.
    ///
    /// Returns
    /// -------
    /// World
    ///     At tick zero.
    ///
    /// Raises
    /// ------
    /// ScenarioError
    ///     With the key of every problem.
    #[classmethod]
    fn from_dict(_class: &Bound<'_, PyType>, py: Python<'_>, scenario: &Bound<'_, PyDict>) -> PyResult<Self> {
        let (text, registry) = (toml::document(scenario)?, Registry::new());
        built(py, || Scenario::parse_in(&registry, &text, "scenario", &[]).or_raise())
    }

    /// Changes some of the settings.
    ///
    /// Parameters
    /// ----------
    /// size : sequence of float
    ///     The extent in metres, one number per dimension.
    /// edge : str or sequence of str
    ///     `wrap`, `bounce`, `open`, `remove` or `respawn`, for all axes or for each.
    /// tick_seconds : float
    ///     The length of a tick in seconds.
    /// seed : int
    ///     The key of all random draws.
    #[pyo3(signature = (*, size=None, edge=None, tick_seconds=None, seed=None))]
    fn set_settings(
        &self,
        size: Option<Point>,
        edge: Option<Edges>,
        tick_seconds: Option<f32>,
        seed: Option<u64>,
    ) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let mut settings = world.settings();
        if let Some(size) = size {
            let (dimensions, size) = self::size(&size)?;
            if dimensions != world.dimensions() {
                let message = format!("size: {dimensions} numbers for a world of {} dimensions", world.dimensions());
                return Err(PyValueError::new_err(message));
            }
            settings.size = size;
        }
        if let Some(edge) = edge {
            settings.edge = edge.of(world.dimensions())?;
        }
        settings.tick_seconds = tick_seconds.unwrap_or(settings.tick_seconds);
        settings.seed = seed.unwrap_or(settings.seed);
        self.note_edit();
        world.set_settings(settings).or_raise()
    }
}
