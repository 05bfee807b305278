//! Steps, and the events of the last one.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use numpy::PyArray1;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{AnyWorld, Error, Event, Removal, SpeciesId, check_arithmetic};

use crate::displacements::Displacements;
use crate::errors::OrRaise;
use crate::functions::{Function, Returned};
use crate::persons::Persons;
use crate::pool;
use crate::recorder::Recorder;
use crate::shared::Stepping;
use crate::trajectory::TrajectoryWriter;
use crate::view::View;
use crate::world::World;

/// The time for which a step runs without Python, so that it hears signals and shows progress.
const DETACHED: Duration = Duration::from_millis(50);

#[pymethods]
impl World {
    /// Advances the world by a number of ticks.
    ///
    /// Parameters
    /// ----------
    /// n : int
    ///     The number of ticks.
    /// progress : bool or callable
    ///     `True` shows a bar on the standard error stream; a function gets the number of finished ticks and of all,
    ///     about 20 times a second.
    /// observe : Recorder, Displacements, Persons, TrajectoryWriter or sequence of them
    ///     They observe the world before the first tick, unless they have, and after each one.
    ///
    /// Raises
    /// ------
    /// BufferError
    ///     While a view of the world or one of its arrays lives.
    /// RuntimeError
    ///     While another thread uses the world.
    /// RuleError
    ///     If a rule of the engine fails. No agent has moved in that tick then.
    /// KeyboardInterrupt
    ///     After a whole tick.
    /// ValueError
    ///     If an observer follows agents from tick to tick and has missed ticks.
    ///
    /// Warns
    /// -----
    /// ThrongWarning
    ///     Once in a world for each of `warnings`: after the first step, and after one in which something went wrong.
    #[pyo3(signature = (n=1, *, progress=None, observe=None))]
    fn step(
        &self,
        py: Python<'_>,
        n: u64,
        progress: Option<Bound<'_, PyAny>>,
        observe: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let progress = progress.map(|progress| report(&progress)).transpose()?.flatten();
        let observers = observe.map_or(Ok(Vec::new()), |given| observers(&given))?;
        let (stepping, pool) = (self.shared.begin_step()?, pool::pool()?);
        if !observers.is_empty() {
            py.detach(|| {
                let world = self.shared.read()?;
                pool.install(|| observers.iter().try_for_each(|observer| observer.observe_once(&world)))
            })?;
        }
        let functions: Vec<Function> = self.functions().iter().map(|function| function.clone_ref(py)).collect();
        let mut done = 0;
        while done < n {
            // All functions see the state before the tick, and one that fails leaves it as it is.
            let returned = functions.iter().map(|function| self.call(py, function)).collect::<PyResult<Vec<_>>>()?;
            let left = if functions.is_empty() { n - done } else { 1 };
            done += py.detach(|| pool.install(|| advance(&stepping, &functions, &returned, &observers, left)))?;
            if let Some(progress) = &progress {
                progress.call1((done, n))?;
            }
            self.glance(py)?;
            py.check_signals()?;
        }
        drop(stepping);
        self.warn_after_step(py)
    }

    /// The events of the last tick, in the order of the stages that detected them.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `event`, `agent`, `species`, and by kind `by`, `wall`, `source`, `sink`, `region` or `depth`.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        let names: Vec<String> = throng::with_world!(&*world, world => world.all_agents().iter().map(|agents| agents.name().to_owned()).collect());
        world.events().iter().map(|event| described(py, event, &names)).collect()
    }

    /// The number, agent and species of each event of the last tick, as a structured array.
    ///
    /// Returns
    /// -------
    /// array
    ///     Fields `kind` (the number of the kind), `species`, `agent`, `other` (2^64 - 1 for none) and `depth`.
    fn event_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let world = self.shared.read()?;
        let events = world.events();
        let facts: Vec<Fact> = events.iter().map(fact).collect();
        let kinds =
            facts.iter().map(|fact| Event::NAMES.iter().position(|name| *name == fact.name).unwrap_or_default() as u8);
        let species = facts.iter().map(|fact| fact.species.map_or(u32::MAX, |species| species.number() as u32));
        let numpy = py.import("numpy")?;
        let types = [("kind", "u1"), ("species", "u4"), ("agent", "u8"), ("other", "u8"), ("depth", "f4")];
        let array = numpy.call_method1("zeros", (facts.len(), types.to_vec()))?;
        array.set_item("kind", PyArray1::from_iter(py, kinds))?;
        array.set_item("species", PyArray1::from_iter(py, species))?;
        array.set_item("agent", PyArray1::from_iter(py, facts.iter().map(|fact| fact.agent)))?;
        let other = facts.iter().map(|fact| fact.other.map_or(u64::MAX, |(_, number)| number));
        array.set_item("other", PyArray1::from_iter(py, other))?;
        array.set_item("depth", PyArray1::from_iter(py, facts.iter().map(|fact| fact.depth.unwrap_or(0.0))))?;
        Ok(array)
    }
}

impl World {
    /// Lets the notebooks that show worlds follow, also while a cell runs.
    fn glance(&self, py: Python<'_>) -> PyResult<()> {
        if self.shown.load(Ordering::Relaxed) {
            py.import("throng._widget")?.call_method0("glance")?;
        }
        Ok(())
    }

    /// Calls a function with the columns of its species. Returns what it did.
    fn call(&self, py: Python<'_>, function: &Function) -> PyResult<Returned> {
        let view = Bound::new(py, View::new(&self.shared, function.species))?;
        view.get().open()?;
        let returned = function.function.bind(py).call1((&view,));
        view.get().close();
        let returned = Returned::read(&returned?, &*self.shared.read()?, function)?;
        drop(view);
        self.shared.check_leases()?;
        Ok(returned)
    }
}

/// Writes the results of functions, and advances the world by at most this number of ticks, for a short while. Returns
/// the number of ticks.
fn advance(
    stepping: &Stepping,
    functions: &[Function],
    returned: &[Returned],
    observers: &[Observer],
    most: u64,
) -> PyResult<u64> {
    let until = Instant::now() + DETACHED;
    let mut world = stepping.world().ok_or_else(viewed)?;
    check_arithmetic().map_err(Error::Arithmetic).or_raise()?;
    for (function, returned) in functions.iter().zip(returned) {
        returned.write(&mut world, function)?;
    }
    let mut done = 0;
    while done < most {
        world.try_step().or_raise()?;
        done += 1;
        observers.iter().try_for_each(|observer| observer.observe(&world))?;
        if Instant::now() >= until {
            break;
        }
    }
    Ok(done)
}

fn viewed() -> PyErr {
    PyBufferError::new_err("another thread opened a view of the world between two ticks of this step")
}

/// The observers of each tick of a step.
enum Observer {
    Recorder(Py<Recorder>),
    Displacements(Py<Displacements>),
    Persons(Py<Persons>),
    Trajectory(Py<TrajectoryWriter>),
}

impl Observer {
    fn observe(&self, world: &AnyWorld) -> PyResult<()> {
        match self {
            Self::Recorder(recorder) => recorder.get().record(world).map(|_| ()),
            Self::Displacements(displacements) => displacements.get().follow(world),
            Self::Persons(persons) => persons.get().follow(world),
            Self::Trajectory(writer) => writer.get().write(world),
        }
    }

    /// Observes the world, unless its present tick was observed.
    fn observe_once(&self, world: &AnyWorld) -> PyResult<()> {
        match self {
            Self::Recorder(recorder) => recorder.get().record_once(world),
            Self::Displacements(displacements) => displacements.get().follow_once(world),
            Self::Persons(persons) => persons.get().follow_once(world),
            Self::Trajectory(writer) => writer.get().write_once(world),
        }
    }
}

/// The observers in an argument: one, or several.
fn observers(given: &Bound<'_, PyAny>) -> PyResult<Vec<Observer>> {
    if let Some(one) = observer(given) {
        return Ok(vec![one]);
    }
    let refused = || {
        PyTypeError::new_err(
            "an observer is a Recorder, Displacements, Persons or a TrajectoryWriter, or a sequence of them",
        )
    };
    let several: Vec<Bound<'_, PyAny>> = given.extract().map_err(|_| refused())?;
    several.iter().map(|one| observer(one).ok_or_else(refused)).collect()
}

/// The observer that an object is.
fn observer(given: &Bound<'_, PyAny>) -> Option<Observer> {
    let recorder = || given.cast::<Recorder>().map(|one| Observer::Recorder(one.clone().unbind()));
    let displacements = || given.cast::<Displacements>().map(|one| Observer::Displacements(one.clone().unbind()));
    let persons = || given.cast::<Persons>().map(|one| Observer::Persons(one.clone().unbind()));
    let trajectory = || given.cast::<TrajectoryWriter>().map(|one| Observer::Trajectory(one.clone().unbind()));
    recorder().or_else(|_| displacements()).or_else(|_| persons()).or_else(|_| trajectory()).ok()
}

/// The function that shows progress: a bar for `True`, none for `False`.
fn report<'py>(progress: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match progress.extract::<bool>() {
        Ok(true) => progress.py().import("throng._progress")?.getattr("show").map(Some),
        Ok(false) => Ok(None),
        Err(_) => Ok(Some(progress.clone())),
    }
}

/// An event in the terms of all events.
struct Fact {
    name: &'static str,
    agent: u64,
    species: Option<SpeciesId>,
    /// The name and the number of the other party: an agent or an item of the environment.
    other: Option<(&'static str, u64)>,
    depth: Option<f32>,
    reason: Option<&'static str>,
}

fn fact(event: &Event) -> Fact {
    let of = |agent: throng::AgentId, species: SpeciesId, other| Fact {
        name: event.name(),
        agent: agent.to_bits(),
        species: Some(species),
        other,
        depth: None,
        reason: None,
    };
    match *event {
        Event::Caught { agent, species, by } => of(agent, species, Some(("by", by.to_bits()))),
        Event::Collided { agent, species, wall } | Event::Squeezed { agent, species, wall } => {
            of(agent, species, Some(("wall", wall.to_bits())))
        }
        Event::PushedOut { agent, species, wall, depth } => {
            Fact { depth: Some(depth), ..of(agent, species, Some(("wall", wall.to_bits()))) }
        }
        Event::Spawned { agent, species, source } => of(agent, species, Some(("source", source.to_bits()))),
        Event::Removed { agent, species, reason } => {
            let sink = if let Removal::Sink(sink) = reason { Some(("sink", sink.to_bits())) } else { None };
            Fact { reason: Some(reason.name()), ..of(agent, species, sink) }
        }
        Event::Touched { agent, species, other } | Event::Parted { agent, species, other } => {
            of(agent, species, Some(("other", other.to_bits())))
        }
        Event::EnteredRegion { agent, species, region } | Event::LeftRegion { agent, species, region } => {
            of(agent, species, Some(("region", region.to_bits())))
        }
        Event::Quarantined { agent, species } | Event::Arrived { agent, species } | Event::Left { agent, species } => {
            of(agent, species, None)
        }
        _ => Fact { name: event.name(), agent: u64::MAX, species: None, other: None, depth: None, reason: None },
    }
}

fn described<'py>(py: Python<'py>, event: &Event, names: &[String]) -> PyResult<Bound<'py, PyDict>> {
    let Fact { name, agent, species, other, depth, reason } = fact(event);
    let described = PyDict::new(py);
    described.set_item("event", name)?;
    described.set_item("agent", agent)?;
    described.set_item("species", species.and_then(|species| names.get(species.number())))?;
    if let Some((what, number)) = other {
        described.set_item(what, number)?;
    }
    if let Some(reason) = reason {
        described.set_item("reason", reason)?;
    }
    if let Some(depth) = depth {
        described.set_item("depth", depth)?;
    }
    Ok(described)
}
