//! Checked writes of columns, and columns of the host.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use throng::columns::{ColumnSlice, ColumnView};
use throng::{AgentId, AnyWorld, ColumnValue, Error, LIMIT, Quantity, SpeciesId, Vector, with_world};

use crate::columns;
use crate::errors::OrRaise;
use crate::rows;
use crate::world::{World, species_named};

#[pymethods]
impl World {
    /// Writes a column of a species, one row per agent: `position` and `velocity`, `goal` (a row of NaN clears it), a
    /// quantity of the body, a variable or a column of the host. Numbers are converted to the type of the column: any real
    /// ones to `float32`, integers in its range to an integer type.
    ///
    /// **Rows move**: in each step an agent may get another row. `order` and `ids` write to the agents that were read.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// column : str
    ///     The name of the column.
    /// array : array-like
    ///     One row per agent.
    /// order : str
    ///     `row`, or `id` for ascending ids.
    /// ids : array of uint64
    ///     The agents of the rows; the others keep their values.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     If the numbers are of a kind that the column does not hold.
    /// ValueError
    ///     If the shape is wrong or a value is refused. Nothing has changed then.
    #[pyo3(signature = (species, column, array, *, order="row", ids=None))]
    fn write(
        &self,
        species: &str,
        column: &str,
        array: &Bound<'_, PyAny>,
        order: &str,
        ids: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let species = species_named(&world, species)?;
        let rows = rows::picked(&world, species, order, ids)?;
        let all = world.ids(species).or_raise()?;
        let agents: Option<Vec<AgentId>> = rows.as_ref().map(|rows| rows.iter().map(|&row| all[row]).collect());
        let count = agents.as_ref().map_or(all.len(), Vec::len);
        if let Some(rows) = &rows {
            rows::check_once(rows)?;
        }
        match column {
            "position" | "velocity" => {
                let values = numbers::<f32>(array, &[count, world.dimensions()])?;
                with_world!(&mut *world, world => write_vectors(world, species, column, agents.as_deref(), &values))
            }
            "goal" => {
                let values = goals(array, &[count, world.dimensions()])?;
                let agents = agents.unwrap_or_else(|| all.to_vec());
                with_world!(&mut *world, world => write_goals(world, &agents, &values))
            }
            name => {
                if let Some(quantity) = body_quantity(name) {
                    let values = numbers::<f32>(array, &[count])?;
                    let agents = agents.unwrap_or_else(|| all.to_vec());
                    return write_body(&mut world, species, quantity, &agents, &values);
                }
                let column = columns::found(columns::own(&world, species).or_raise()?, name)?;
                let values = Values::read(&column, array, rows.as_deref())?;
                values.write(&mut world, species, name)
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
        if name == columns::ID {
            return Err(Error::NameTaken(name.to_owned())).or_raise();
        }
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

/// The quantity of the body with this name.
pub(crate) fn body_quantity(name: &str) -> Option<Quantity> {
    Quantity::OF_BODY.into_iter().find(|quantity| quantity.name() == name)
}

/// Writes a quantity of the bodies of these agents. Every value is checked on a copy of the world's species first.
pub(crate) fn write_body(
    world: &mut AnyWorld,
    species: SpeciesId,
    quantity: Quantity,
    agents: &[AgentId],
    values: &[f32],
) -> PyResult<()> {
    with_world!(world, world => {
        let mut definition = world.species(species).or_raise()?.clone();
        for value in values {
            definition.set_quantity(quantity, *value).or_raise()?;
        }
        agents.iter().zip(values).try_for_each(|(id, value)| world.set_quantity(*id, quantity, *value)).or_raise()
    })
}

/// Writes positions or velocities, of all agents or of these.
pub(crate) fn write_vectors<const D: usize>(
    world: &mut throng::World<D>,
    species: SpeciesId,
    column: &str,
    agents: Option<&[AgentId]>,
    values: &[f32],
) -> PyResult<()> {
    let (vectors, is_position) = (values.as_chunks::<D>().0, column == "position");
    let written = match agents {
        Some(agents) if is_position => world.set_positions_of(agents, vectors),
        Some(agents) => world.set_velocities_of(agents, vectors),
        None => {
            let axes: [Vec<f32>; D] = std::array::from_fn(|axis| vectors.iter().map(|vector| vector[axis]).collect());
            let axes = axes.each_ref().map(|axis| &axis[..]);
            if is_position { world.set_positions(species, axes) } else { world.set_velocities(species, axes) }
        }
    };
    written.or_raise()
}

/// Sets the goals of agents, in metres; NaN clears one. Nothing has changed if one is refused.
pub(crate) fn write_goals<const D: usize>(
    world: &mut throng::World<D>,
    agents: &[AgentId],
    values: &[f32],
) -> PyResult<()> {
    let goals = values.as_chunks::<D>().0;
    if let Some(number) = goals.iter().position(|goal| !is_cleared(goal) && !goal.iter().all(|at| at.abs() <= LIMIT)) {
        let goal = goals[number];
        return Err(PyValueError::new_err(format!(
            "goal = {goal:?} at number {number}: must be numbers from -{LIMIT} to {LIMIT}, or NaN in all of them"
        )));
    }
    let set = |(&id, &goal): (&AgentId, &[f32; D])| world.set_goal(id, (!is_cleared(&goal)).then_some(Vector(goal)));
    agents.iter().zip(goals).try_for_each(set).or_raise()
}

/// Whether a row of goals is NaN.
fn is_cleared(goal: &[f32]) -> bool {
    goal.iter().all(|at| at.is_nan())
}

/// The numbers of a whole column, to be written.
#[derive(Debug)]
pub(crate) struct Values {
    width: usize,
    numbers: Numbers,
}

#[derive(Debug)]
enum Numbers {
    F32(Vec<f32>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

impl Values {
    /// The numbers of an array for all rows of a column, or for these; the others keep theirs.
    pub(crate) fn read(column: &ColumnView<'_>, array: &Bound<'_, PyAny>, rows: Option<&[usize]>) -> PyResult<Self> {
        let width = column.width;
        let numbers = match column.numbers {
            ColumnSlice::F32(kept) => Numbers::F32(merged(kept, width, array, rows)?),
            ColumnSlice::U32(kept) => Numbers::U32(merged(kept, width, array, rows)?),
            ColumnSlice::U64(kept) => Numbers::U64(merged(kept, width, array, rows)?),
            _ => return Err(PyTypeError::new_err(format!("column `{}` has an unknown type", column.name))),
        };
        Ok(Self { width, numbers })
    }

    /// The numbers of an array for a column of several worlds: `shape` has their number, and how many agents each has.
    pub(crate) fn of_worlds(column: &ColumnView<'_>, array: &Bound<'_, PyAny>, shape: &[usize; 2]) -> PyResult<Self> {
        let width = column.width;
        let shape = if width == 1 { shape.to_vec() } else { [&shape[..], &[width]].concat() };
        let numbers = match column.numbers {
            ColumnSlice::F32(_) => Numbers::F32(numbers(array, &shape)?),
            ColumnSlice::U32(_) => Numbers::U32(numbers(array, &shape)?),
            ColumnSlice::U64(_) => Numbers::U64(numbers(array, &shape)?),
            _ => return Err(PyTypeError::new_err(format!("column `{}` has an unknown type", column.name))),
        };
        Ok(Self { width, numbers })
    }

    /// Writes the part of the world with this number, whose agents are at these rows.
    pub(crate) fn write_part(
        &self,
        world: &mut AnyWorld,
        species: SpeciesId,
        name: &str,
        number: usize,
        rows: &[usize],
    ) -> PyResult<()> {
        let len = rows.len() * self.width;
        let part = number * len..(number + 1) * len;
        let column = columns::found(columns::own(world, species).or_raise()?, name)?;
        let numbers = match (column.numbers, &self.numbers) {
            _ if column.width != self.width => None,
            (ColumnSlice::F32(kept), Numbers::F32(all)) => Some(Numbers::F32(spread(kept, &all[part], rows))),
            (ColumnSlice::U32(kept), Numbers::U32(all)) => Some(Numbers::U32(spread(kept, &all[part], rows))),
            (ColumnSlice::U64(kept), Numbers::U64(all)) => Some(Numbers::U64(spread(kept, &all[part], rows))),
            _ => None,
        };
        let numbers = numbers.ok_or_else(|| columns::differs(name, number))?;
        Self { width: self.width, numbers }.write(world, species, name)
    }

    pub(crate) fn write(&self, world: &mut AnyWorld, species: SpeciesId, name: &str) -> PyResult<()> {
        match &self.numbers {
            Numbers::F32(values) => f32::write(world, species, name, self.width, values),
            Numbers::U32(values) => u32::write(world, species, name, self.width, values),
            Numbers::U64(values) => u64::write(world, species, name, self.width, values),
        }
    }

    /// The numbers, if they are of the type of variables.
    pub(crate) fn floats(&self) -> &[f32] {
        if let Numbers::F32(values) = &self.numbers { values } else { &[] }
    }
}

/// The numbers of an array, which replace the numbers of a column, in all rows or in these.
fn merged<T: Number>(kept: &[T], width: usize, array: &Bound<'_, PyAny>, rows: Option<&[usize]>) -> PyResult<Vec<T>> {
    let count = rows.map_or(kept.len() / width, <[usize]>::len);
    let shape = if width == 1 { vec![count] } else { vec![count, width] };
    let given = numbers::<T>(array, &shape)?;
    let Some(rows) = rows else { return Ok(given) };
    Ok(spread(kept, &given, rows))
}

/// The numbers of a column, in which these rows have others.
fn spread<T: Copy>(kept: &[T], given: &[T], rows: &[usize]) -> Vec<T> {
    let (mut all, width) = (kept.to_vec(), if rows.is_empty() { 1 } else { given.len() / rows.len() });
    for (&row, numbers) in rows.iter().zip(given.chunks_exact(width)) {
        all[row * width..][..width].copy_from_slice(numbers);
    }
    all
}

/// The numbers of an array of this shape, converted to the type of a column, row by row.
pub(crate) fn numbers<T: Number>(given: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<T>> {
    let values = numbers_or_nan::<T>(given, shape)?;
    check_nan(&values).map_err(|place| PyValueError::new_err(format!("the array has NaN at number {place}")))?;
    Ok(values)
}

/// The goals of an array of this shape, some of them NaN.
pub(crate) fn goals(given: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<f32>> {
    numbers_or_nan(given, shape)
}

/// The numbers of an array of this shape, converted to the type of a column, row by row.
fn numbers_or_nan<T: Number>(given: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<T>> {
    let py = given.py();
    let array = py.import("numpy")?.call_method1("require", (given, py.None(), "AC"))?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let kind: String = untyped.dtype().getattr("kind")?.extract()?;
    if !T::KINDS.contains(&&kind[..]) {
        return Err(PyTypeError::new_err(format!(
            "the array has the type {}, and the column holds {}",
            untyped.dtype(),
            T::NAME
        )));
    }
    if untyped.shape() != shape {
        return Err(PyValueError::new_err(format!("the array has the shape {:?}, not {shape:?}", untyped.shape())));
    }
    T::read(&array)
}

/// The numbers of an array, which NumPy converts to this type, row by row.
fn converted<T: Element + Copy>(array: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let array = array.call_method1("astype", (numpy::dtype::<T>(array.py()),))?;
    let values = array.cast::<PyArrayDyn<T>>()?.try_readonly()?;
    Ok(values.as_array().iter().copied().collect())
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
pub(crate) trait Number: Element + Copy + PartialOrd + ColumnValue {
    /// The name of the type in NumPy.
    const NAME: &str;
    /// NumPy's letters for the kinds of numbers that are converted to the type.
    const KINDS: &[&str];

    /// The numbers of an array of such a kind.
    fn read(array: &Bound<'_, PyAny>) -> PyResult<Vec<Self>>;
    fn write(world: &mut AnyWorld, species: SpeciesId, name: &str, width: usize, values: &[Self]) -> PyResult<()>;
    fn add(world: &mut AnyWorld, species: SpeciesId, name: &str, start: &[Self]) -> PyResult<()>;
}

macro_rules! number {
    ($number:ty, $name:literal, $kinds:expr, $read:expr) => {
        impl Number for $number {
            const NAME: &str = $name;
            const KINDS: &[&str] = $kinds;

            fn read(array: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
                $read(array)
            }

            fn write(
                world: &mut AnyWorld,
                species: SpeciesId,
                name: &str,
                width: usize,
                values: &[Self],
            ) -> PyResult<()> {
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
    };
}
number!(f32, "float32", &["f", "i", "u", "b"], rounded);
number!(u32, "uint32", &["i", "u", "b"], |array| whole(array, u32::MAX.into(), "uint32"));
number!(u64, "uint64", &["i", "u", "b"], |array| whole(array, u64::MAX.into(), "uint64"));

/// The real numbers of an array, rounded.
fn rounded(array: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    if let Ok(array) = array.cast::<PyArrayDyn<f32>>() {
        let array = array.try_readonly()?;
        return Ok(array.as_slice().map_or_else(|_| array.as_array().iter().copied().collect(), <[f32]>::to_vec));
    }
    let round = |number: f64| match number as f32 {
        rounded if rounded.is_infinite() && number.is_finite() => {
            Err(PyValueError::new_err(format!("{number:?} is beyond the numbers of the type float32")))
        }
        rounded => Ok(rounded),
    };
    converted::<f64>(array)?.into_iter().map(round).collect()
}

/// The integers of an array, from zero to `most`.
fn whole<T: Element + Copy>(array: &Bound<'_, PyAny>, most: i128, name: &str) -> PyResult<Vec<T>> {
    if array.cast::<PyUntypedArray>()?.len() > 0 {
        let bound = |name: &str| array.call_method0(name)?.call_method0("item")?.extract::<i128>();
        for bound in [bound("min")?, bound("max")?] {
            if !(0..=most).contains(&bound) {
                return Err(PyValueError::new_err(format!("{bound} is not a number of the type {name}")));
            }
        }
    }
    converted(array)
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
