//! The class `World`: one file for each concern of a host.

mod agents;
mod area;
mod columns;
mod create;
mod environment;
mod explain;
pub(crate) mod items;
mod place;
mod places;
mod plan;
mod queries;
pub(crate) mod recordings;
mod snapshots;
mod species;
mod step;
mod substances;
mod tracks;
mod warnings;
mod ways;
mod write;

pub(crate) use columns::body;
pub(crate) use write::{Values, body_quantity, goals, numbers, write_body, write_goals, write_vectors};

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};
use pyo3::types::PyDict;
use throng::{AgentId, AnyWorld, SpeciesId, Vector, WarningKind};

use crate::errors::{OrRaise, not_found};
use crate::functions::Function;
use crate::picture::{self, Picture};
use crate::points::Point;
use crate::pool;
use crate::shared::Shared;
use crate::world::area::Rings;

/// A world in two or three dimensions: agents, space and rules. Units are metres, seconds, kilograms and newtons.
///
/// Parameters
/// ----------
/// size : sequence of float
///     The extent in metres: two or three numbers.
/// edge : str or sequence of str
///     `wrap` (the default), `bounce`, `open`, `remove` or `respawn`, for all axes or for each.
/// tick_seconds : float
///     The length of a tick in seconds.
/// seed : int
///     The key of all random draws.
/// pair_budget : int or None
///     The largest number of pairs that a tick examines, as an average per agent; `None` for no limit. In a tick that
///     would examine more, crowded agents perceive only their nearest candidates: neighbours are then not exact, which
///     `faults` counts and a `throng.ThrongWarning` says. Rules and models that perceive all agents (`cucker_smale`,
///     `dorsogna`, a radius larger than the world) are exact at any number.
/// seams : list of tuple
///     Where parts of the world join that are apart in its coordinates, such as storeys: each the two ends of a segment and
///     the offset to the other one, `([(10, 6), (10, 4)], (100, 0))`. An agent that crosses the segment from its left to
///     its right, seen from the first end, continues at this offset; one that crosses the other segment comes back.
#[pyclass(module = "throng", frozen, weakref)]
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) shared: Arc<Shared>,
    /// The named areas of floor plans.
    areas: Mutex<BTreeMap<String, Rings>>,
    /// The rules that are functions of Python.
    functions: Mutex<Vec<Function>>,
    /// The warnings that were issued.
    warned: Mutex<HashSet<(WarningKind, String)>>,
    /// Whether definitions have changed since the last step.
    edited: AtomicBool,
    /// Whether a notebook has shown it.
    shown: AtomicBool,
}

impl World {
    fn new(world: AnyWorld) -> Self {
        let (areas, functions, warned) = (Mutex::default(), Mutex::default(), Mutex::default());
        let (edited, shown) = (AtomicBool::new(true), AtomicBool::new(false));
        Self { shared: Shared::new(world), areas, functions, warned, edited, shown }
    }

    /// Whether it has rules that are functions of Python.
    pub(crate) fn has_functions(&self) -> bool {
        !self.functions().is_empty()
    }

    /// A world in this state, with the same functions as rules.
    pub(crate) fn with_functions(&self, py: Python<'_>, state: AnyWorld) -> Self {
        let world = Self::new(state);
        world.take_functions(py, self);
        world
    }

    /// Takes on the functions of another world.
    pub(crate) fn take_functions(&self, py: Python<'_>, other: &Self) {
        let functions = other.functions().iter().map(|function| function.clone_ref(py)).collect();
        let before = std::mem::replace(&mut *self.functions(), functions);
        // Without the lock: a function's own finaliser may use the world.
        drop(before);
        self.note_edit();
    }

    fn areas(&self) -> MutexGuard<'_, BTreeMap<String, Rings>> {
        self.areas.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn functions(&self) -> MutexGuard<'_, Vec<Function>> {
        self.functions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The species with this name.
pub(crate) fn species_named(world: &AnyWorld, name: &str) -> PyResult<SpeciesId> {
    world.find_species(name).ok_or_else(|| not_found("species", name, world.all_species().map(|(_, name, _)| name)))
}

/// Ids as an array.
fn id_array<'py>(py: Python<'py>, ids: &[AgentId]) -> Bound<'py, PyArray1<u64>> {
    PyArray1::from_iter(py, ids.iter().map(|id| id.to_bits()))
}

/// A finite number of an argument.
fn finite(what: &str, number: f32) -> PyResult<f32> {
    if number.is_finite() {
        return Ok(number);
    }
    Err(PyValueError::new_err(format!("{what} = {number}: must be a finite number")))
}

#[pymethods]
impl World {
    /// The hash of the state: 16 hexadecimal digits, as `throng run` prints them.
    ///
    /// Returns
    /// -------
    /// str
    ///     Equal states have equal hashes.
    fn state_hash(&self, py: Python<'_>) -> PyResult<String> {
        let pool = pool::pool()?;
        py.detach(|| {
            let world = self.shared.read()?;
            Ok(format!("{:016x}", pool.install(|| world.state_hash())))
        })
    }

    /// The number of ticks the world has advanced by.
    #[getter]
    fn tick(&self) -> PyResult<u64> {
        Ok(self.shared.read()?.tick())
    }

    /// The length of a tick in seconds. It may be set before each step, which costs nothing: the simulated time continues.
    #[getter]
    fn tick_seconds(&self) -> PyResult<f32> {
        Ok(self.shared.read()?.settings().tick_seconds)
    }

    #[setter]
    fn set_tick_seconds(&self, seconds: f32) -> PyResult<()> {
        let mut world = self.shared.write()?;
        self.note_edit();
        world.set_tick_seconds(seconds).or_raise()
    }

    /// The simulated time in seconds.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        let world = self.shared.read()?;
        Ok(world.seconds())
    }

    /// The number of dimensions: 2 or 3.
    #[getter]
    fn dimensions(&self) -> PyResult<usize> {
        Ok(self.shared.read()?.dimensions())
    }

    /// The number of agents of all species.
    #[getter]
    fn population(&self) -> PyResult<usize> {
        Ok(self.shared.read()?.population())
    }

    /// The number of agents that were ever spawned.
    #[getter]
    fn spawned(&self) -> PyResult<u64> {
        Ok(self.shared.read()?.spawned())
    }

    /// The number of agents removed for each reason.
    #[getter]
    fn removed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let removed = PyDict::new(py);
        for (reason, number) in self.shared.read()?.removed() {
            removed.set_item(reason, number)?;
        }
        Ok(removed)
    }

    /// The number of agents of all sources that arrived and wait for room.
    #[getter]
    fn backlog(&self) -> PyResult<u64> {
        Ok(self.shared.read()?.backlog())
    }

    /// The settings: size, edge, tick_seconds, seed, pair_budget and seams.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let world = self.shared.read()?;
        let (settings, dimensions) = (world.settings(), world.dimensions());
        let read = PyDict::new(py);
        read.set_item("size", settings.size.0[..dimensions].to_vec())?;
        let edge: Vec<&str> = settings.edge[..dimensions].iter().map(|edge| edge.name()).collect();
        read.set_item("edge", edge)?;
        read.set_item("tick_seconds", settings.tick_seconds)?;
        read.set_item("seed", settings.seed)?;
        read.set_item("pair_budget", settings.pair_budget)?;
        let flat = |vector: Vector<3>| [vector[0], vector[1]];
        let seams = settings.seams.iter().map(|seam| (seam.ends.map(flat), flat(seam.shift)));
        read.set_item("seams", seams.collect::<Vec<_>>())?;
        Ok(read)
    }

    /// The milliseconds of each stage of the last tick, and its counters.
    ///
    /// Returns
    /// -------
    /// dict of str to float
    ///     Milliseconds by stage and in `total`; `agents`, `candidates`, `neighbours`, `capped`.
    fn profile<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let world = self.shared.read()?;
        let (read, profile) = (PyDict::new(py), world.profile());
        for (stage, milliseconds) in profile.stages() {
            read.set_item(stage, milliseconds)?;
        }
        read.set_item("total", profile.total())?;
        for (name, count) in [
            ("agents", profile.agents),
            ("candidates", profile.candidates),
            ("neighbours", profile.neighbours),
            ("capped", profile.capped),
        ] {
            read.set_item(name, count)?;
        }
        Ok(read)
    }

    /// A picture of the world at its present tick.
    ///
    /// Parameters
    /// ----------
    /// width, height : int
    ///     In pixels, from 16 to 16384; by default as the world's shape demands.
    /// colour : str
    ///     `species`, `heading`, `speed`, `neighbours`, `state`, or the name of a variable or column.
    /// light : bool
    ///     Whether the background is light.
    /// density : bool
    ///     Whether to draw a density map instead of agents.
    /// centre : sequence of float
    ///     The point in the middle; by default the whole world is shown.
    /// zoom : float
    ///     The magnification.
    /// azimuth, elevation : float
    ///     The direction of view in three dimensions, in degrees.
    ///
    /// Returns
    /// -------
    /// Picture
    ///     Notebooks show it.
    #[pyo3(signature = (
        *, width=None, height=None, colour=None, light=false, density=false, centre=None, zoom=1.0, azimuth=57.0,
        elevation=17.5
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn picture(
        &self,
        py: Python<'_>,
        width: Option<u32>,
        height: Option<u32>,
        colour: Option<&str>,
        light: bool,
        density: bool,
        centre: Option<Point>,
        zoom: f32,
        azimuth: f32,
        elevation: f32,
    ) -> PyResult<Picture> {
        let options = picture::options(width, height, colour, light, density, centre, zoom, azimuth, elevation)?;
        let pool = pool::pool()?;
        py.detach(|| {
            let world = self.shared.read()?;
            let picture = pool.install(|| throng_draw::picture(&*world, &options));
            picture.map(Picture).map_err(picture::raised)
        })
    }

    /// Shows the world in a notebook, live. Needs the package `anywidget` (`pip install "throng-crowd[show]"`).
    ///
    /// The button plays and pauses, a click on an agent shows its forces, sliders and tools change the world: this one,
    /// not a copy. Edits and steps of Python are seen too. It plays between cells, so that they run meanwhile.
    ///
    /// Parameters
    /// ----------
    /// height : int
    ///     In pixels, from 200 to 4000.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     Outside of a notebook.
    /// ImportError
    ///     Without anywidget.
    #[pyo3(signature = (*, height=480))]
    fn show(slf: &Bound<'_, Self>, height: u32) -> PyResult<()> {
        slf.py().import("throng._show")?.call_method1("show", (slf, height))?;
        slf.get().shown.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// The picture that notebooks show, 640 pixels wide.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let picture = self.picture(py, Some(640), None, None, false, false, None, 1.0, 57.0, 17.5)?;
        Bound::new(py, picture)?.call_method0("_repr_png_")
    }

    fn __repr__(&self) -> PyResult<String> {
        let world = self.shared.read()?;
        let species: Vec<String> = world.all_species().map(|(_, name, agents)| format!("{agents} {name}")).collect();
        Ok(format!("<throng.World in {}D at tick {}: {}>", world.dimensions(), world.tick(), species.join(", ")))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // A list that is locked is in use, and so is the world.
        if let Ok(functions) = self.functions.try_lock() {
            functions.iter().try_for_each(|function| visit.call(&function.function))?;
        }
        Ok(())
    }

    fn __clear__(&self) {
        let functions = std::mem::take(&mut *self.functions());
        // Without the lock: a function's own finaliser may use the world.
        drop(functions);
    }
}
