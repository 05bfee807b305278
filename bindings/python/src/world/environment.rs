//! The environment: walls, obstacles, marks, regions, flow fields and navigations.

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{
    FieldId, FlowField, Goal, MarkId, Navigation, NavigationId, Obstacle, ObstacleId, Region, RegionId, Vector, Wall,
    WallId, with_world,
};

use crate::errors::{NotFoundError, OrRaise};
use crate::points::{Point, rows};
use crate::world::World;
use crate::world::shapes;

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
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (
        points=None, *, closed=false, centre=None, radius=None, size=None, normal=None, name=None, velocity=None,
        open=None
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
    ) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let shape = shapes::wall(points, closed, centre.as_ref(), radius, size.as_ref(), normal.as_ref())?;
            let velocity = velocity.map_or(Ok(Vector::ZERO), |velocity| velocity.vector())?;
            let wall = Wall { name, velocity, open: open.unwrap_or_default(), ..Wall::new(shape) };
            Ok(world.environment_mut().add_wall(wall).or_raise()?.to_bits())
        })
    }

    /// The walls, in the order in which they were added.
    fn walls<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let walls = world.environment().wall_ids().map(|(id, wall)| {
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
            let known = world.environment().wall(id).cloned().ok_or_else(|| missing("wall", wall))?;
            let set = world.environment_mut().set_wall(id, Wall { open, ..known });
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
        with_world!(&mut *world, world => removed("wall", wall, world.environment_mut().remove_wall(id)))
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
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (centre, radius, *, velocity=None))]
    fn add_obstacle(&self, centre: Point, radius: f32, velocity: Option<Point>) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let velocity = velocity.map_or(Ok(Vector::ZERO), |velocity| velocity.vector())?;
            let obstacle = Obstacle { centre: centre.vector()?, radius, velocity };
            Ok(world.environment_mut().add_obstacle(obstacle).or_raise()?.to_bits())
        })
    }

    /// The obstacles, in the order in which they were added.
    fn obstacles<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let obstacles = world.environment().obstacle_ids().map(|(id, obstacle)| {
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

    /// Replaces an obstacle, which keeps its handle.
    ///
    /// Parameters
    /// ----------
    /// obstacle : int
    ///     Its handle.
    /// centre : sequence of float
    ///     In metres.
    /// radius : float
    ///     A distance in metres.
    /// velocity : sequence of float
    ///     In metres per second.
    #[pyo3(signature = (obstacle, centre, radius, *, velocity=None))]
    fn set_obstacle(&self, obstacle: u64, centre: Point, radius: f32, velocity: Option<Point>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let velocity = velocity.map_or(Ok(Vector::ZERO), |velocity| velocity.vector())?;
            let item = Obstacle { centre: centre.vector()?, radius, velocity };
            match world.environment_mut().set_obstacle(ObstacleId::from_bits(obstacle), item).or_raise()? {
                true => Ok(()),
                false => Err(missing("obstacle", obstacle)),
            }
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
        with_world!(&mut *world, world => removed("obstacle", obstacle, world.environment_mut().remove_obstacle(id)))
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
            Ok(world.environment_mut().set_mark(name, position.vector()?).or_raise()?.to_bits())
        })
    }

    /// The marks by name.
    fn marks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (world, marks) = (self.shared.read()?, PyDict::new(py));
        with_world!(&*world, world => {
            for mark in world.environment().marks() {
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
        with_world!(&mut *world, world => removed("mark", mark, world.environment_mut().remove_mark(id)))
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
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (name, centre, *, radius=None, size=None))]
    fn add_region(&self, name: String, centre: Point, radius: Option<f32>, size: Option<Point>) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let shape = shapes::shape(&centre, radius, size.as_ref())?;
            Ok(world.environment_mut().add_region(Region { name, shape }).or_raise()?.to_bits())
        })
    }

    /// The regions, in the order in which they were added.
    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let regions = world.environment().region_ids().map(|(id, region)| {
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
        with_world!(&mut *world, world => removed("region", region, world.environment_mut().remove_region(id)))
    }

    /// Sets a flow field: an array of float32 with one axis per dimension of the world, and a last one for the
    /// components. `vectors[i, j]` is the cell `i` along x and `j` along y.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name, which rules use.
    /// vectors : array of float32
    ///     The vectors.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    fn set_flow_field(&self, name: &str, vectors: PyReadonlyArrayDyn<'_, f32>) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let field = field(&vectors)?;
            Ok(world.environment_mut().set_field(name, field).to_bits())
        })
    }

    /// Removes a flow field by its handle.
    ///
    /// Parameters
    /// ----------
    /// field : int
    ///     Its handle.
    fn remove_flow_field(&self, field: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = FieldId::from_bits(field);
        with_world!(&mut *world, world => removed("flow field", field, world.environment_mut().remove_field(id)))
    }

    /// Adds a navigation, the shortest ways around walls to goals: points, `"mark:NAME"` or `"region:NAME"`.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name, which rules use.
    /// goals : sequence of points and str
    ///     Ways lead to the nearest.
    /// clearance : float
    ///     The least distance from walls, in metres.
    /// cell : float
    ///     The length of a cell, in metres.
    /// capacity : float
    ///     The agents per second that can leave at the goals.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    #[pyo3(signature = (name, goals, *, clearance=None, cell=None, capacity=None))]
    fn add_navigation(
        &self,
        name: String,
        goals: Vec<Bound<'_, PyAny>>,
        clearance: Option<f32>,
        cell: Option<f32>,
        capacity: Option<f32>,
    ) -> PyResult<u64> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let goals = goals.iter().map(goal).collect::<PyResult<Vec<_>>>()?;
            let usual = Navigation::new(name, goals);
            let navigation = Navigation {
                clearance: clearance.unwrap_or(usual.clearance),
                capacity: capacity.unwrap_or(usual.capacity),
                cell,
                ..usual
            };
            Ok(world.environment_mut().add_navigation(navigation).or_raise()?.to_bits())
        })
    }

    /// Removes a navigation.
    ///
    /// Parameters
    /// ----------
    /// navigation : int
    ///     Its handle.
    fn remove_navigation(&self, navigation: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = NavigationId::from_bits(navigation);
        with_world!(&mut *world, world => {
            removed("navigation", navigation, world.environment_mut().remove_navigation(id))
        })
    }
}

fn field<const D: usize>(given: &PyReadonlyArrayDyn<'_, f32>) -> PyResult<FlowField<D>> {
    let shape = given.shape().to_vec();
    let wrong = || PyValueError::new_err(format!("a flow field of shape {shape:?}: must have {D} axes and one of {D}"));
    let (components, cells) = shape.split_last().ok_or_else(wrong)?;
    let cells: [usize; D] = cells.try_into().map_err(|_| wrong())?;
    if *components != D {
        return Err(wrong());
    }
    // In the engine the first axis varies fastest.
    let mut order: Vec<usize> = (0..D).rev().collect();
    order.push(D);
    let turned = given.as_array().permuted_axes(order);
    let flat = turned.to_owned().into_shape_clone((cells.iter().product(), D)).map_err(|_| wrong())?;
    let vectors = rows::<D>(&flat.view())?.into_iter().map(Vector).collect();
    FlowField::new(cells, vectors).or_raise()
}

fn goal<const D: usize>(given: &Bound<'_, PyAny>) -> PyResult<Goal<D>> {
    let Ok(text) = given.extract::<String>() else { return Ok(Goal::Point(given.extract::<Point>()?.vector()?)) };
    match text.split_once(':') {
        Some(("mark", name)) => Ok(Goal::Mark(name.to_owned())),
        Some(("region", name)) => Ok(Goal::Region(name.to_owned())),
        _ => Err(PyValueError::new_err(format!("goal = {text:?}: must be a point, \"mark:NAME\" or \"region:NAME\""))),
    }
}

/// Fails if nothing was removed.
pub(super) fn removed<T>(what: &str, handle: u64, item: Option<T>) -> PyResult<()> {
    item.map(drop).ok_or_else(|| missing(what, handle))
}

fn missing(what: &str, handle: u64) -> PyErr {
    NotFoundError::new_err(format!("{what} {handle} does not exist"))
}
