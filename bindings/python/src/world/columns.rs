//! Columns: copies, views, checked writes, and tables.

use numpy::{
    Element, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use numpy::{PyArray2, PyArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use throng::columns::{ColumnSlice, ColumnView};
use throng::species::{BODY_QUANTITIES, QUANTITIES};
use throng::{AnyWorld, ColumnValue, Error, SpeciesId, with_world};

use crate::arrow::Numbers;
use crate::columns;
use crate::errors::OrRaise;
use crate::points;
use crate::table::Table;
use crate::view::View;
use crate::world::{World, id_array, species_named};

#[pymethods]
impl World {
    /// The positions of a species' agents in metres: a copy of shape (agents, dimensions).
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (agents, dimensions)
    ///     In metres.
    fn positions<'py>(&self, py: Python<'py>, species: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = self.shared.read()?;
        points::array(py, &world.positions(species_named(&world, species)?).or_raise()?)
    }

    /// The velocities of a species' agents in metres per second: a copy of shape (agents, dimensions).
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (agents, dimensions)
    ///     In metres per second.
    fn velocities<'py>(&self, py: Python<'py>, species: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = self.shared.read()?;
        points::array(py, &world.velocities(species_named(&world, species)?).or_raise()?)
    }

    /// The steering forces of the last tick in newtons: a copy of shape (agents, dimensions).
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (agents, dimensions)
    ///     In newtons.
    fn steering<'py>(&self, py: Python<'py>, species: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = self.shared.read()?;
        let species = species_named(&world, species)?;
        with_world!(&*world, world => points::array(py, &world.steering(species).or_raise()?))
    }

    /// The ids of a species' agents, row by row.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// array of uint64
    ///     An id is valid for the life of its agent, a row until the world changes.
    fn ids<'py>(&self, py: Python<'py>, species: &str) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let world = self.shared.read()?;
        Ok(id_array(py, world.ids(species_named(&world, species)?).or_raise()?))
    }

    /// The states of a species' agents, as numbers of `state_names`.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// array of uint32
    ///     Zeros if the species has no states.
    fn states<'py>(&self, py: Python<'py>, species: &str) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let world = self.shared.read()?;
        Ok(PyArray1::from_vec(py, states(&world, species_named(&world, species)?)?))
    }

    /// The names of the columns of a species that `column` and `view` read.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     Axes first.
    fn column_names(&self, species: &str) -> PyResult<Vec<String>> {
        let world = self.shared.read()?;
        let all = columns::all(&world, species_named(&world, species)?).or_raise()?;
        Ok(all.into_iter().map(|column| column.name.to_owned()).collect())
    }

    /// A copy of one column: an axis (`x`, `vx`), a quantity of the body (`mass`, `radius`, `max_speed`, `max_force`), a
    /// variable or a column of the host.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// name : str
    ///     The name of the column.
    ///
    /// Returns
    /// -------
    /// array
    ///     One row per agent.
    ///
    /// Raises
    /// ------
    /// NotFoundError
    ///     If the species has no such column.
    fn column<'py>(&self, py: Python<'py>, species: &str, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let world = self.shared.read()?;
        let species = species_named(&world, species)?;
        if let Some(body) = body(&world, species, name).or_raise()? {
            return Ok(PyArray1::from_vec(py, body).into_any());
        }
        let ColumnView { width, numbers, .. } = columns::named(&world, species, name).or_raise()?;
        let shaped =
            |array: Bound<'py, PyAny>| if width == 1 { Ok(array) } else { array.call_method1("reshape", (-1, width)) };
        match numbers {
            ColumnSlice::F32(numbers) => shaped(PyArray1::from_slice(py, numbers).into_any()),
            ColumnSlice::U32(numbers) => shaped(PyArray1::from_slice(py, numbers).into_any()),
            ColumnSlice::U64(numbers) => shaped(PyArray1::from_slice(py, numbers).into_any()),
            _ => Err(PyTypeError::new_err(format!("column `{name}` has an unknown type"))),
        }
    }

    /// The columns of a species, read-only and without a copy, for the length of a `with` block.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// View
    ///     A mapping of names to read-only arrays, and the vectors `position` and `velocity`.
    fn view(&self, species: &str) -> PyResult<View> {
        let species = species_named(&*self.shared.read()?, species)?;
        Ok(View::new(&self.shared, species))
    }

    /// A copy of the columns of a species, for dataframe libraries.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// Table
    ///     polars, pyarrow and duckdb read it as it is.
    fn table(&self, species: &str) -> PyResult<Table> {
        let world = self.shared.read()?;
        let species = species_named(&world, species)?;
        let ids = world.ids(species).or_raise()?.iter().map(|id| id.to_bits()).collect();
        let mut copied = vec![("id".to_owned(), 1, Numbers::U64(ids))];
        if !world.states(species).or_raise()?.is_empty() {
            copied.push(("state".to_owned(), 1, Numbers::U32(states(&world, species)?)));
        }
        for ColumnView { name, width, numbers } in columns::all(&world, species).or_raise()? {
            copied.push((name.to_owned(), width, Numbers::copied(numbers)));
        }
        Ok(Table { columns: copied })
    }

    /// Writes a column of a species, one row per agent: `position` and `velocity`, a quantity of the body, a variable or
    /// a column of the host. The array has the type of the column and only finite numbers.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// column : str
    ///     The name of the column.
    /// array : array
    ///     One row per agent.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     If the array has another type than the column.
    /// ValueError
    ///     If the shape is wrong or a value is refused. Nothing has changed then.
    fn write(&self, species: &str, column: &str, array: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let species = species_named(&world, species)?;
        match column {
            "position" | "velocity" => with_world!(&mut *world, world => write_vectors(world, species, column, array)),
            name if body_quantity(name) => {
                let values = numbers::<f32>(array, &[world.ids(species).or_raise()?.len()], "float32")?;
                write_body(&mut world, species, name, &values)
            }
            name => {
                // An axis is part of a vector, and hides a column of its name.
                let known = columns::all(&world, species).or_raise()?.into_iter().skip(2 * world.dimensions());
                let found = known.into_iter().find(|column| column.name == name);
                let ColumnView { width, numbers: kept, .. } =
                    found.ok_or_else(|| Error::NoSuchColumn(name.to_owned())).or_raise()?;
                let agents = world.ids(species).or_raise()?.len();
                let shape = if width == 1 { vec![agents] } else { vec![agents, width] };
                match kept {
                    ColumnSlice::F32(_) => {
                        let values = numbers::<f32>(array, &shape, "float32")?;
                        write_column(&mut world, species, name, width, &values)
                    }
                    ColumnSlice::U32(_) => {
                        let values = numbers::<u32>(array, &shape, "uint32")?;
                        write_column(&mut world, species, name, width, &values)
                    }
                    _ => {
                        let values = numbers::<u64>(array, &shape, "uint64")?;
                        write_column(&mut world, species, name, width, &values)
                    }
                }
            }
        }
    }

    /// Adds a column with this value for all agents, present and new: `start` is a number, or one to four of them.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// name : str
    ///     The name of the column.
    /// start : number or sequence of numbers
    ///     The value of every agent; zero by default.
    /// dtype : str
    ///     `float32`, `uint32` or `uint64`.
    #[pyo3(signature = (species, name, start=None, *, dtype="float32"))]
    fn add_column(&self, species: &str, name: &str, start: Option<&Bound<'_, PyAny>>, dtype: &str) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let species = species_named(&world, species)?;
        match dtype {
            "float32" => add::<f32>(&mut world, species, name, start),
            "uint32" => add::<u32>(&mut world, species, name, start),
            "uint64" => add::<u64>(&mut world, species, name, start),
            _ => Err(PyTypeError::new_err(format!("dtype = {dtype:?}: must be float32, uint32 or uint64"))),
        }
    }

    /// Removes a column that the host added.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// name : str
    ///     The name of the column.
    fn remove_column(&self, species: &str, name: &str) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let species = species_named(&world, species)?;
        with_world!(&mut *world, world => world.remove_column(species, name)).or_raise()
    }
}

fn states(world: &AnyWorld, species: SpeciesId) -> PyResult<Vec<u32>> {
    let agents = world.ids(species).or_raise()?.len();
    (0..agents).map(|row| world.state(species, row).map(|state| state as u32).or_raise()).collect()
}

fn body_quantity(name: &str) -> bool {
    QUANTITIES[..BODY_QUANTITIES].iter().any(|quantity| quantity.name == name)
}

/// A quantity of the bodies of a species' agents; `None` for another name.
fn body(world: &AnyWorld, species: SpeciesId, name: &str) -> Result<Option<Vec<f32>>, Error> {
    with_world!(world, world => {
        let agents = world.agents(species)?;
        let rows = 0..agents.len();
        Ok(match name {
            "mass" => Some(rows.map(|row| agents.mass(row)).collect()),
            "radius" => Some(rows.map(|row| agents.radius(row)).collect()),
            "max_speed" => Some(rows.map(|row| agents.max_speed(row)).collect()),
            "max_force" => Some(rows.map(|row| agents.max_force(row)).collect()),
            _ => None,
        })
    })
}

/// Writes a quantity of the bodies. Every value is checked on a copy of the world's species first.
fn write_body(world: &mut AnyWorld, species: SpeciesId, name: &str, values: &[f32]) -> PyResult<()> {
    with_world!(world, world => {
        let mut definition = world.species(species).or_raise()?.clone();
        for value in values {
            definition.set_quantity(name, *value).or_raise()?;
        }
        let ids = world.agents(species).or_raise()?.ids().to_vec();
        ids.into_iter().zip(values).try_for_each(|(id, value)| world.set_body(id, name, *value)).or_raise()
    })
}

/// Writes positions or velocities.
fn write_vectors<const D: usize>(
    world: &mut throng::World<D>,
    species: SpeciesId,
    column: &str,
    array: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let agents = world.agents(species).or_raise()?.len();
    let values = numbers::<f32>(array, &[agents, D], "float32")?;
    let mut axes: [Vec<f32>; D] = std::array::from_fn(|_| Vec::with_capacity(agents));
    for row in values.as_chunks::<D>().0 {
        axes.iter_mut().zip(row).for_each(|(axis, &number)| axis.push(number));
    }
    let axes = axes.each_ref().map(|axis| &axis[..]);
    let written =
        if column == "position" { world.set_positions(species, axes) } else { world.set_velocities(species, axes) };
    written.or_raise()
}

/// The numbers of an array of exactly this type and shape, row by row.
fn numbers<T: Element + Copy + PartialOrd>(array: &Bound<'_, PyAny>, shape: &[usize], dtype: &str) -> PyResult<Vec<T>> {
    let py = array.py();
    let untyped = array
        .cast::<PyUntypedArray>()
        .map_err(|_| PyTypeError::new_err(format!("{}: must be a NumPy array", array.get_type())))?;
    if !untyped.dtype().is_equiv_to(&numpy::dtype::<T>(py)) {
        return Err(PyTypeError::new_err(format!("the array has the type {}, not {dtype}", untyped.dtype())));
    }
    if untyped.shape() != shape {
        return Err(PyValueError::new_err(format!("the array has the shape {:?}, not {shape:?}", untyped.shape())));
    }
    let values: PyReadonlyArrayDyn<'_, T> = untyped.cast::<PyArrayDyn<T>>()?.try_readonly()?;
    let values: Vec<T> = values.as_array().iter().copied().collect();
    check_nan(&values).map_err(|place| PyValueError::new_err(format!("the array has NaN at number {place}")))?;
    Ok(values)
}

/// Fails with the place of the first value that is NaN.
#[expect(clippy::eq_op, reason = "only NaN differs from itself")]
fn check_nan<T: PartialEq>(values: &[T]) -> Result<(), usize> {
    values.iter().position(|value| value != value).map_or(Ok(()), Err)
}

/// The widths of columns that Python can write.
macro_rules! with_width {
    ($width:expr, $numbers:expr, $chunks:ident => $write:expr) => {
        match $width {
            1 => {
                let $chunks = $numbers;
                $write
            }
            2 => {
                let $chunks = $numbers.as_chunks::<2>().0;
                $write
            }
            3 => {
                let $chunks = $numbers.as_chunks::<3>().0;
                $write
            }
            4 => {
                let $chunks = $numbers.as_chunks::<4>().0;
                $write
            }
            width => Err(PyValueError::new_err(format!("a column of {width} numbers per agent is not writable"))),
        }
    };
}

/// The types of numbers in columns.
trait Number: Element + Copy + PartialOrd + ColumnValue {
    fn write(world: &mut AnyWorld, species: SpeciesId, name: &str, width: usize, values: &[Self]) -> PyResult<()>;
    fn add(world: &mut AnyWorld, species: SpeciesId, name: &str, start: &[Self]) -> PyResult<()>;
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl Number for $number {
            fn write(world: &mut AnyWorld, species: SpeciesId, name: &str, width: usize, values: &[Self]) -> PyResult<()> {
                with_world!(world, world => {
                    with_width!(width, values, rows => world.set_column(species, name, rows).or_raise())
                })
            }

            fn add(world: &mut AnyWorld, species: SpeciesId, name: &str, start: &[Self]) -> PyResult<()> {
                with_world!(world, world => {
                    with_width!(start.len(), start, rows => world.add_column(species, name, rows[0]).or_raise())
                })
            }
        }
    )*};
}
number!(f32, u32, u64);

fn write_column<T: Number>(
    world: &mut AnyWorld,
    species: SpeciesId,
    name: &str,
    width: usize,
    values: &[T],
) -> PyResult<()> {
    T::write(world, species, name, width, values)
}

fn add<'py, T>(world: &mut AnyWorld, species: SpeciesId, name: &str, start: Option<&Bound<'py, PyAny>>) -> PyResult<()>
where
    T: Number + Default + for<'a> FromPyObject<'a, 'py>,
{
    let start = match start {
        None => vec![T::default()],
        Some(start) => match start.extract::<T>() {
            Ok(number) => vec![number],
            Err(_) => start.extract::<Vec<T>>()?,
        },
    };
    check_nan(&start).map_err(|place| PyValueError::new_err(format!("start has NaN at number {place}")))?;
    T::add(world, species, name, &start)
}
