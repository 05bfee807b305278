//! The environment: walls, obstacles, marks and regions.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{
    Collection, Handle, Item, Mark, MarkId, Obstacle, ObstacleId, Region, RegionId, Vector, Wall, WallId, with_world,
};

use crate::errors::{NotFoundError, OrRaise};
use crate::points::Point;
use crate::world::World;
use crate::world::shapes;

/// Adds an item to its collection, or replaces one. Returns its handle.
pub(super) fn put<T: Item>(all: &mut Collection<T>, what: &str, replaces: Option<u64>, item: T) -> PyResult<u64> {
    match replaces {
        None => Ok(all.add(item).or_raise()?.to_bits()),
        Some(handle) => match all.set(T::Id::from_bits(handle), item).or_raise()? {
            true => Ok(handle),
            false => Err(missing(what, handle)),
        },
    }
}

#[pymethods]
impl World {
    /// Adds a wall: a path through `points`, or a solid at `centre`. Returns its handle.
    ///
    /// Parameters
    /// ----------
    /// points : sequence of points
    ///     The corners of a path, in two dimensions.
    /// closed : bool
    ///     Whether a segment leads from the last corner to the first.
    /// centre : sequence of float
    ///     The centre of a solid with `radius` or `size`, or a point of a plane with `normal`.
    /// radius : float
    ///     Of a ball or disc, in metres.
    /// size : sequence of float
    ///     The extent of a box, in metres.
    /// normal : sequence of float
    ///     A vector at right angles to a plane.
    /// name : str
    ///     A name of its own.
    /// velocity : sequence of float
    ///     In metres per second.
    /// open : sequence of (from, to)
    ///     The intervals in seconds in which the wall does not exist.
    /// replaces : int
    ///     The handle of a wall that this one takes the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (
        points=None, *, closed=false, centre=None, radius=None, size=None, normal=None, name=None, velocity=None,
        open=None, replaces=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each part of a wall")]
    fn add_wall(
        &self,
        points: Option<Vec<Point>>,
        closed: bool,
        centre: Option<Point>,
        radius: Option<f32>,
        size: Option<Point>,
        normal: Option<Point>,
        name: Option<String>,
        velocity: Option<Point>,
        open: Option<Vec<[f32; 2]>>,
        replaces: Option<u64>,
    ) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let shape = shapes::wall(points, closed, centre.as_ref(), radius, size.as_ref(), normal.as_ref())?;
            let velocity = velocity.map_or(Ok(Vector::ZERO), |velocity| velocity.vector())?;
            let wall = Wall { name, velocity, open: open.unwrap_or_default(), ..Wall::new(shape) };
            put(&mut world.environment_mut().walls, "wall", replaces, wall)
        })
    }

    /// The walls, in the order in which they were added.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `handle`, `name`, the shape as in `add_wall`, `velocity` and `open`.
    fn walls<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let walls = world.environment().walls.iter().map(|(id, wall)| {
                let described = PyDict::new(py);
                described.set_item("handle", id.to_bits())?;
                described.set_item("name", &wall.name)?;
                shapes::describe_wall(&described, &wall.shape)?;
                described.set_item("velocity", wall.velocity.0.to_vec())?;
                described.set_item("open", wall.open.iter().map(|span| span.to_vec()).collect::<Vec<_>>())?;
                Ok(described)
            });
            walls.collect()
        })
    }

    /// Sets the intervals of simulated time in which a wall does not exist: a door.
    ///
    /// Parameters
    /// ----------
    /// wall : int
    ///     Its handle.
    /// open : sequence of (from, to)
    ///     In seconds.
    fn set_wall_open(&self, wall: u64, open: Vec<[f32; 2]>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let id = WallId::from_bits(wall);
            let known = world.environment().walls.get(id).cloned().ok_or_else(|| missing("wall", wall))?;
            let set = world.environment_mut().walls.set(id, Wall { open, ..known });
            set.or_raise().map(drop)
        })
    }

    /// Removes a wall.
    ///
    /// Parameters
    /// ----------
    /// wall : int
    ///     Its handle.
    fn remove_wall(&self, wall: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = WallId::from_bits(wall);
        with_world!(&mut *world, world => removed("wall", wall, world.environment_mut().walls.remove(id)))
    }

    /// Adds an obstacle: a disc or a ball that agents avoid. Returns its handle.
    ///
    /// Parameters
    /// ----------
    /// centre : sequence of float
    ///     In metres.
    /// radius : float
    ///     A distance in metres.
    /// velocity : sequence of float
    ///     In metres per second.
    /// replaces : int
    ///     The handle of an obstacle that this one takes the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (centre, radius, *, velocity=None, replaces=None))]
    fn add_obstacle(
        &self,
        centre: Point,
        radius: f32,
        velocity: Option<Point>,
        replaces: Option<u64>,
    ) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let velocity = velocity.map_or(Ok(Vector::ZERO), |velocity| velocity.vector())?;
            let obstacle = Obstacle { centre: centre.vector()?, radius, velocity };
            put(&mut world.environment_mut().obstacles, "obstacle", replaces, obstacle)
        })
    }

    /// The obstacles, in the order in which they were added.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `handle`, `centre`, `radius` and `velocity`.
    fn obstacles<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let obstacles = world.environment().obstacles.iter().map(|(id, obstacle)| {
                let described = PyDict::new(py);
                described.set_item("handle", id.to_bits())?;
                described.set_item("centre", obstacle.centre.0.to_vec())?;
                described.set_item("radius", obstacle.radius)?;
                described.set_item("velocity", obstacle.velocity.0.to_vec())?;
                Ok(described)
            });
            obstacles.collect()
        })
    }

    /// Removes an obstacle.
    ///
    /// Parameters
    /// ----------
    /// obstacle : int
    ///     Its handle.
    fn remove_obstacle(&self, obstacle: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = ObstacleId::from_bits(obstacle);
        with_world!(&mut *world, world => removed("obstacle", obstacle, world.environment_mut().obstacles.remove(id)))
    }

    /// Puts a mark, a named point that rules have as their target. A mark of this name moves there.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name.
    /// position : sequence of float
    ///     A point in metres.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    fn set_mark(&self, name: &str, position: Point) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            Ok(world.environment_mut().marks.put(Mark::new(name, position.vector()?)).or_raise()?.to_bits())
        })
    }

    /// The marks by name.
    ///
    /// Returns
    /// -------
    /// dict of str to list of float
    ///     Positions in metres.
    fn marks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (world, marks) = (self.shared.read()?, PyDict::new(py));
        with_world!(&*world, world => {
            for mark in world.environment().marks.items() {
                marks.set_item(&mark.name, mark.position.0.to_vec())?;
            }
            PyResult::Ok(())
        })?;
        Ok(marks)
    }

    /// Removes a mark by its handle.
    ///
    /// Parameters
    /// ----------
    /// mark : int
    ///     Its handle.
    fn remove_mark(&self, mark: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = MarkId::from_bits(mark);
        with_world!(&mut *world, world => removed("mark", mark, world.environment_mut().marks.remove(id)))
    }

    /// Adds a region: a ball with a radius or a box with a size. Returns its handle.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name.
    /// centre : sequence of float
    ///     In metres.
    /// radius : float
    ///     A distance in metres.
    /// size : sequence of float
    ///     The extent of a box, in metres.
    /// replaces : int
    ///     The handle of a region that this one takes the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (name, centre, *, radius=None, size=None, replaces=None))]
    fn add_region(
        &self,
        name: String,
        centre: Point,
        radius: Option<f32>,
        size: Option<Point>,
        replaces: Option<u64>,
    ) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let shape = shapes::shape(&centre, radius, size.as_ref())?;
            put(&mut world.environment_mut().regions, "region", replaces, Region { name, shape })
        })
    }

    /// The regions, in the order in which they were added.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `handle`, `name`, and `centre` with `radius` or `size`.
    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let regions = world.environment().regions.iter().map(|(id, region)| {
                let described = PyDict::new(py);
                described.set_item("handle", id.to_bits())?;
                described.set_item("name", &region.name)?;
                shapes::describe(&described, &region.shape)?;
                Ok(described)
            });
            regions.collect()
        })
    }

    /// Removes a region.
    ///
    /// Parameters
    /// ----------
    /// region : int
    ///     Its handle.
    fn remove_region(&self, region: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = RegionId::from_bits(region);
        with_world!(&mut *world, world => removed("region", region, world.environment_mut().regions.remove(id)))
    }
}

/// Fails if nothing was removed.
pub(super) fn removed<T>(what: &str, handle: u64, item: Option<T>) -> PyResult<()> {
    item.map(drop).ok_or_else(|| missing(what, handle))
}

pub(super) fn missing(what: &str, handle: u64) -> PyErr {
    NotFoundError::new_err(format!("{what} {handle} does not exist"))
}
