//! The amounts of substances.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use throng::{SubstanceId, with_world};

use crate::errors::OrRaise;
use crate::world::World;
use crate::world::items::missing;

#[pymethods]
impl World {
    /// A copy of the amounts of a substance, per square metre or in three dimensions per cubic metre.
    ///
    /// Parameters
    /// ----------
    /// handle : int
    ///     The handle of the substance.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (cells along x, cells along y), with a third axis in three dimensions
    ///     Before the first step that follows its addition, all are the key `start`.
    fn substance_amounts<'py>(&self, py: Python<'py>, handle: u64) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let (world, id) = (self.shared.read()?, SubstanceId::from_bits(handle));
        with_world!(&*world, world => {
            let environment = world.environment();
            let substance = environment.substances.get(id).ok_or_else(|| missing("substance", handle))?;
            let cells = substance.cells(world.settings());
            let amounts = match environment.substance_amounts(id) {
                Some(amounts) => PyArray1::from_slice(py, amounts),
                None => PyArray1::from_vec(py, vec![substance.start; cells.iter().product()]),
            };
            // In the engine the first axis varies fastest.
            let shape: Vec<usize> = cells.into_iter().rev().collect();
            amounts.reshape(shape)?.transpose()
        })
    }

    /// Sets the amounts of a substance.
    ///
    /// Parameters
    /// ----------
    /// handle : int
    ///     The handle of the substance.
    /// amounts : array of float32
    ///     The amounts, with the shape of `substance_amounts`.
    fn set_substance_amounts(&self, handle: u64, amounts: PyReadonlyArrayDyn<'_, f32>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = SubstanceId::from_bits(handle);
        with_world!(&mut *world, world => {
            let substance = world.environment().substances.get(id).ok_or_else(|| missing("substance", handle))?;
            let cells = substance.cells(world.settings());
            if amounts.shape() != cells {
                let (given, wanted) = (amounts.shape(), &cells[..]);
                return Err(PyValueError::new_err(format!("amounts of shape {given:?}: must have the shape {wanted:?}")));
            }
            let flat = amounts.as_array().reversed_axes().iter().copied().collect();
            world.set_substance_amounts(id, flat).or_raise()
        })
    }
}
