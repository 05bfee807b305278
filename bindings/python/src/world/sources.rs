//! Sources, sinks and zones: regions in which agents come, go, and move slower or faster.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{Arrivals, Quantity, Sink, SinkId, Source, SourceId, Zone, ZoneId, with_world};

use crate::points::Point;
use crate::values;
use crate::world::World;
use crate::world::environment::{put, removed};

#[pymethods]
impl World {
    /// Adds a source of agents in a region. They come at a `rate` per second, at random (`poisson`), at times with
    /// numbers (`schedule`), or with each agent that enters another region (`on_entry`). Returns its handle.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name.
    /// species : str
    ///     The name of the species.
    /// region : str
    ///     The name of the region.
    /// rate, poisson : float
    ///     Agents per second.
    /// schedule : sequence of (seconds, number)
    ///     In ascending order.
    /// on_entry : str
    ///     The name of a region.
    /// limit : int
    ///     The number of agents after which the source ends.
    /// heading : sequence of float
    ///     The direction of new agents; random by default.
    /// speed : number or distribution
    ///     The speed of new agents; the largest of each by default.
    /// replaces : int
    ///     The handle of a source that this one takes the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (
        name, species, region, *, rate=None, poisson=None, schedule=None, on_entry=None, limit=None, heading=None,
        speed=None, replaces=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each part of a source")]
    fn add_source(
        &self,
        name: String,
        species: String,
        region: String,
        rate: Option<f32>,
        poisson: Option<f32>,
        schedule: Option<Vec<(f32, u64)>>,
        on_entry: Option<String>,
        limit: Option<u64>,
        heading: Option<Point>,
        speed: Option<&Bound<'_, PyAny>>,
        replaces: Option<u64>,
    ) -> PyResult<u64> {
        let arrivals = match (rate, poisson, schedule, on_entry) {
            (Some(rate), None, None, None) => Arrivals::Rate(rate),
            (None, Some(rate), None, None) => Arrivals::Poisson(rate),
            (None, None, Some(schedule), None) => Arrivals::Schedule(schedule),
            (None, None, None, Some(region)) => Arrivals::OnEntry(region),
            _ => return Err(PyTypeError::new_err("a source has one of rate, poisson, schedule and on_entry")),
        };
        let speed = speed.map(|speed| values::distribution(speed, Quantity::MaxSpeed.parameter())).transpose()?;
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let heading = heading.map(|heading| heading.vector()).transpose()?;
            let source = Source { limit, heading, speed, ..Source::new(name, species, region, arrivals) };
            put(&mut world.environment_mut().sources, "source", replaces, source)
        })
    }

    /// The sources, in the order in which they were added.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `handle`, `name`, `species`, `region`, the numbers of agents `spawned`, and `backlog`: those that wait for room.
    fn sources<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let sources = world.environment().sources.iter().map(|(id, source)| {
                let described = PyDict::new(py);
                described.set_item("handle", id.to_bits())?;
                described.set_item("name", &source.name)?;
                described.set_item("species", &source.species)?;
                described.set_item("region", &source.region)?;
                described.set_item("spawned", world.environment().source_spawned(id))?;
                described.set_item("backlog", world.environment().source_backlog(id))?;
                Ok(described)
            });
            sources.collect()
        })
    }

    /// Removes a source.
    ///
    /// Parameters
    /// ----------
    /// source : int
    ///     Its handle.
    fn remove_source(&self, source: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = SourceId::from_bits(source);
        with_world!(&mut *world, world => removed("source", source, world.environment_mut().sources.remove(id)))
    }

    /// Adds a sink, which removes the agents in a region, of all species and states or of some. Returns its handle.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name.
    /// region : str
    ///     The name of the region.
    /// species, states : sequence of str
    ///     Names; all by default.
    /// replaces : int
    ///     The handle of a sink that this one takes the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (name, region, *, species=None, states=None, replaces=None))]
    fn add_sink(
        &self,
        name: String,
        region: String,
        species: Option<Vec<String>>,
        states: Option<Vec<String>>,
        replaces: Option<u64>,
    ) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        let mut sink = Sink::new(name, region);
        (sink.species, sink.states) = (species.unwrap_or_default(), states.unwrap_or_default());
        with_world!(&mut *world, world => put(&mut world.environment_mut().sinks, "sink", replaces, sink))
    }

    /// The sinks, in the order in which they were added.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `handle`, `name`, `region`, `species` and `states`; empty lists stand for all.
    fn sinks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let sinks = world.environment().sinks.iter().map(|(id, sink)| {
                let described = PyDict::new(py);
                described.set_item("handle", id.to_bits())?;
                described.set_item("name", &sink.name)?;
                described.set_item("region", &sink.region)?;
                described.set_item("species", &sink.species)?;
                described.set_item("states", &sink.states)?;
                Ok(described)
            });
            sinks.collect()
        })
    }

    /// Removes a sink.
    ///
    /// Parameters
    /// ----------
    /// sink : int
    ///     Its handle.
    fn remove_sink(&self, sink: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = SinkId::from_bits(sink);
        with_world!(&mut *world, world => removed("sink", sink, world.environment_mut().sinks.remove(id)))
    }

    /// Adds a zone, which multiplies the largest speed of the agents in a region; by `against_factor` for agents that
    /// want to move against a direction. Returns its handle.
    ///
    /// Parameters
    /// ----------
    /// region : str
    ///     The name of the region.
    /// factor : float
    ///     The factor, from 0 to 10.
    /// against : sequence of float
    ///     A direction.
    /// against_factor : float
    ///     The factor of agents that want to move against it.
    /// replaces : int
    ///     The handle of a zone that this one takes the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (region, factor, *, against=None, against_factor=None, replaces=None))]
    fn add_zone(
        &self,
        region: String,
        factor: f32,
        against: Option<Point>,
        against_factor: Option<f32>,
        replaces: Option<u64>,
    ) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let zone = Zone::new(region, factor);
            let zone = match (against, against_factor) {
                (Some(direction), Some(factor)) => zone.with_against(direction.vector()?, factor),
                (None, None) => zone,
                _ => return Err(PyTypeError::new_err("against and against_factor belong together")),
            };
            put(&mut world.environment_mut().zones, "zone", replaces, zone)
        })
    }

    /// The zones, in the order in which they were added.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `handle`, `region`, `factor`, `against` and `against_factor`.
    fn zones<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let zones = world.environment().zones.iter().map(|(id, zone)| {
                let described = PyDict::new(py);
                described.set_item("handle", id.to_bits())?;
                described.set_item("region", &zone.region)?;
                described.set_item("factor", zone.factor)?;
                described.set_item("against", zone.against.map(|against| against.direction.0.to_vec()))?;
                described.set_item("against_factor", zone.against.map(|against| against.factor))?;
                Ok(described)
            });
            zones.collect()
        })
    }

    /// Removes a zone.
    ///
    /// Parameters
    /// ----------
    /// zone : int
    ///     Its handle.
    fn remove_zone(&self, zone: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = ZoneId::from_bits(zone);
        with_world!(&mut *world, world => removed("zone", zone, world.environment_mut().zones.remove(id)))
    }
}
