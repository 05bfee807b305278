//! Places where agents wait: queues and waiting areas.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{Places, PlacesId, Shape, with_world};

use crate::errors::OrRaise;
use crate::points::{Point, vectors};
use crate::world::World;
use crate::world::items::{self, put};

#[pymethods]
impl World {
    /// Adds a queue, for the rule `take_place`. Agents move up in it. Returns its handle.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name, which rules use.
    /// line : sequence of points
    ///     The corners of its line in metres, from the head to the tail.
    /// spacing : float
    ///     The distance between places in metres.
    /// replaces : int
    ///     The handle of a queue or a waiting area that this one takes the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (name, line, *, spacing=0.8, replaces=None))]
    fn add_queue(&self, name: &str, line: Vec<Point>, spacing: f32, replaces: Option<u64>) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let places = Places::queue(name, &vectors(&line)?, spacing);
            put(&mut world.environment_mut().places, replaces, places)
        })
    }

    /// Adds a waiting area, for the rule `take_place`: a grid of places in a ball or a box. Returns its handle.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name, which rules use.
    /// centre : sequence of float
    ///     In metres.
    /// radius : float
    ///     Of a disc or ball, in metres.
    /// size : sequence of float
    ///     The extent of a box, in metres.
    /// spacing : float
    ///     The distance between places in metres.
    /// replaces : int
    ///     The handle of a queue or a waiting area that this one takes the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (name, centre, *, radius=None, size=None, spacing=0.8, replaces=None))]
    fn add_waiting_area(
        &self,
        name: &str,
        centre: &Bound<'_, PyAny>,
        radius: Option<&Bound<'_, PyAny>>,
        size: Option<&Bound<'_, PyAny>>,
        spacing: f32,
        replaces: Option<u64>,
    ) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let given = [("centre", Some(centre)), ("radius", radius), ("size", size)];
            let shape: Shape<_> = items::read("add_waiting_area()", &given, None)?;
            let places = Places::area(name, &shape, spacing, world.settings());
            put(&mut world.environment_mut().places, replaces, places)
        })
    }

    /// The queues and waiting areas, in the order in which they were added.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `handle`, `name`, `queue` (whether it is one), `points` in metres, and `agents`: the id of the agent that has
    ///     each place, or `None`.
    fn places<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let places = world.environment().places.iter().map(|(id, places)| {
                let described = PyDict::new(py);
                described.set_item("handle", id.to_bits())?;
                described.set_item("name", &places.name)?;
                described.set_item("queue", places.is_queue)?;
                described.set_item("points", places.points.iter().map(|point| point.0.to_vec()).collect::<Vec<_>>())?;
                let occupants = world.environment().occupants(id).unwrap_or_default();
                let agents = places.points.iter().enumerate().map(|(place, _)| {
                    occupants.get(place).copied().flatten().map(|agent| agent.to_bits())
                });
                described.set_item("agents", agents.collect::<Vec<_>>())?;
                Ok(described)
            });
            places.collect()
        })
    }

    /// Removes a queue or a waiting area.
    ///
    /// Parameters
    /// ----------
    /// places : int
    ///     Its handle.
    fn remove_places(&self, places: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = PlacesId::from_bits(places);
        with_world!(&mut *world, world => world.environment_mut().places.remove(id).or_raise().map(drop))
    }
}
