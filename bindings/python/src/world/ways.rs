//! Flow fields and navigations: vectors that agents follow.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{AnyWorld, FieldId, FlowField, NavigationField, NavigationId, Vector, with_world};

use crate::errors::{NotFoundError, OrRaise};
use crate::points::{Point, rows};
use crate::world::World;
use crate::world::items::missing;

#[pymethods]
impl World {
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
            let field = field(name, &vectors)?;
            Ok(world.environment_mut().fields.put(field).or_raise()?.to_bits())
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
        with_world!(&mut *world, world => world.environment_mut().fields.remove(id).or_raise().map(drop))
    }

    /// The flow fields by name.
    ///
    /// Returns
    /// -------
    /// dict of str to int
    ///     Handles.
    fn flow_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (world, fields) = (self.shared.read()?, PyDict::new(py));
        with_world!(&*world, world => {
            world.environment().fields.iter().try_for_each(|(id, field)| fields.set_item(field.name(), id.to_bits()))
        })?;
        Ok(fields)
    }

    /// The vector of a flow field at a point.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of the flow field.
    /// point : sequence of float
    ///     A point in metres.
    ///
    /// Returns
    /// -------
    /// list of float
    ///     One number per dimension.
    fn flow(&self, name: &str, point: Point) -> PyResult<Vec<f32>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let unknown = || NotFoundError::new_err(format!("unknown flow field `{name}`"));
            let field = world.environment().fields.named(name).ok_or_else(unknown)?;
            Ok(field.at(point.vector()?, world.settings()).0.to_vec())
        })
    }

    /// The way from a point to the nearest goal of a navigation.
    ///
    /// Parameters
    /// ----------
    /// navigation : int
    ///     Its handle.
    /// point : sequence of float
    ///     A point in metres.
    ///
    /// Returns
    /// -------
    /// tuple of float and list of float
    ///     The distance in metres, infinite without a way, and the direction in which the way begins: a unit vector, or
    ///     zeros at the goal and without a way.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     While the ways of the navigation are not computed yet.
    fn way(&self, navigation: u64, point: Point) -> PyResult<(f32, [f32; 2])> {
        let world = self.shared.read()?;
        let (field, point) = (field_of(&world, navigation)?, point.vector::<2>()?);
        Ok((field.distance(point), field.direction(point).0))
    }

    /// The shortest way from one point to another, on the ground of a navigation. Its goals do not count.
    ///
    /// Parameters
    /// ----------
    /// navigation : int
    ///     Its handle.
    /// start, end : sequence of float
    ///     Points, in metres.
    ///
    /// Returns
    /// -------
    /// list of list of float, or None
    ///     The points at which the way turns, and its end; None without a way.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     While the ways of the navigation are not computed yet.
    fn route(&self, navigation: u64, start: Point, end: Point) -> PyResult<Option<Vec<[f32; 2]>>> {
        let world = self.shared.read()?;
        let route = field_of(&world, navigation)?.route(start.vector::<2>()?, end.vector::<2>()?);
        Ok(route.map(|route| route.into_iter().map(|point| point.0).collect()))
    }

    /// The nearest point to which ways of a navigation lead.
    ///
    /// Parameters
    /// ----------
    /// navigation : int
    ///     Its handle.
    /// point : sequence of float
    ///     A point, in metres.
    ///
    /// Returns
    /// -------
    /// list of float, or None
    ///     This point, or the centre of the nearest free cell; None without one.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     While the ways of the navigation are not computed yet.
    fn nearest_free(&self, navigation: u64, point: Point) -> PyResult<Option<[f32; 2]>> {
        let world = self.shared.read()?;
        Ok(field_of(&world, navigation)?.nearest_free(point.vector::<2>()?).map(|point| point.0))
    }

    /// Computes the ways of navigations, which the first step does otherwise. It changes no bit.
    fn prepare(&self) -> PyResult<()> {
        with_world!(&mut *self.shared.write()?, world => world.prepare());
        Ok(())
    }

    /// The distance from each cell of a navigation to the nearest goal.
    ///
    /// Parameters
    /// ----------
    /// navigation : int
    ///     Its handle.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (cells along x, cells along y)
    ///     In metres, from the centres of the cells; infinite without a way.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     While the ways of the navigation are not computed yet.
    fn navigation_distances<'py>(&self, py: Python<'py>, navigation: u64) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = self.shared.read()?;
        let field = field_of(&world, navigation)?;
        let [columns, lines] = field.cells();
        PyArray1::from_slice(py, field.distances()).reshape([lines, columns])?.transpose()
    }
}

/// The field in use of a navigation.
fn field_of(world: &AnyWorld, handle: u64) -> PyResult<&NavigationField> {
    let id = NavigationId::from_bits(handle);
    with_world!(world, world => {
        if world.environment().navigations.get(id).is_none() {
            return Err(missing("navigation", handle));
        }
        let early = || PyValueError::new_err("the ways of this navigation are not computed yet: call `prepare` or step");
        world.environment().navigation_field(id).ok_or_else(early)
    })
}

fn field<const D: usize>(name: &str, given: &PyReadonlyArrayDyn<'_, f32>) -> PyResult<FlowField<D>> {
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
    FlowField::new(name, cells, vectors).or_raise()
}
