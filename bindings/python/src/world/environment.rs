//! Marks, and the times at which doors are open.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{Mark, MarkId, Wall, WallId, with_world};

use crate::errors::OrRaise;
use crate::points::Point;
use crate::world::World;
use crate::world::items::missing;

#[pymethods]
impl World {
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
        with_world!(&mut *world, world => world.environment_mut().marks.remove(id).or_raise().map(drop))
    }
}
