//! Columns: copies, views and tables.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use throng::columns::{ColumnSlice, ColumnView};
use throng::{AnyWorld, Error, SpeciesId, Vector, with_world};

use crate::arrow::Numbers;
use crate::columns;
use crate::errors::OrRaise;
use crate::points;
use crate::rows;
use crate::table::Table;
use crate::view::View;
use crate::world::{World, id_array, species_named};

impl World {
    /// What `read` returns for a species, in the order that the caller of Python asks for.
    fn read_rows<'py, T>(
        &self,
        species: &str,
        order: &str,
        ids: Option<&Bound<'py, PyAny>>,
        read: impl FnOnce(&AnyWorld, SpeciesId) -> PyResult<Bound<'py, T>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let world = self.shared.read()?;
        let species = species_named(&world, species)?;
        let rows = rows::picked(&world, species, order, ids)?;
        rows::ordered(read(&world, species)?, rows)
    }
}

#[pymethods]
impl World {
    /// The positions of a species' agents in metres: a copy of shape (agents, dimensions).
    ///
    /// **Rows move**: in each step an agent may get another row. `order` and `ids` read the same agents again.
    /// `Displacements` follows agents across the seam of a periodic world.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// order : str
    ///     `row`, or `id` for ascending ids.
    /// ids : array of uint64
    ///     The agents to read, in this order; all by default.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (agents, dimensions)
    ///     In metres.
    #[pyo3(signature = (species, *, order="row", ids=None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        order: &str,
        ids: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.read_rows(species, order, ids, |world, species| points::array(py, &world.positions(species).or_raise()?))
    }

    /// Keeps the positions before each tick from now on, for `drawn`, or stops. They are part of neither the hash nor
    /// snapshots.
    ///
    /// Parameters
    /// ----------
    /// keep : bool
    ///     Whether to keep them.
    #[pyo3(signature = (keep=true))]
    fn keep_previous(&self, keep: bool) -> PyResult<()> {
        self.shared.write()?.keep_previous(keep);
        Ok(())
    }

    /// The positions at which to draw a species' agents between two ticks, in metres: a copy of shape (agents,
    /// dimensions). Across the seam of a periodic world they take the shortest way. New agents are where they are, as are
    /// all unless `keep_previous` was called.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// share : float
    ///     The share of the way from the positions before the last tick, 0, to the present ones, 1.
    /// order : str
    ///     `row`, or `id` for ascending ids.
    /// ids : array of uint64
    ///     The agents to read, in this order; all by default.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (agents, dimensions)
    ///     In metres.
    #[pyo3(signature = (species, share, *, order="row", ids=None))]
    fn drawn<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        share: f32,
        order: &str,
        ids: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.read_rows(species, order, ids, |world, species| {
            with_world!(world, world => {
                let points: Vec<_> = world.drawn(species, share).or_raise()?.flat_map(|Vector(point)| point).collect();
                let dimensions = world.settings().size.0.len();
                PyArray1::from_vec(py, points).reshape([world.agents(species).or_raise()?.len(), dimensions])
            })
        })
    }

    /// The velocities of a species' agents in metres per second: a copy of shape (agents, dimensions).
    ///
    /// **Rows move**: in each step an agent may get another row. `order` and `ids` read the same agents again.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// order : str
    ///     `row`, or `id` for ascending ids.
    /// ids : array of uint64
    ///     The agents to read, in this order; all by default.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (agents, dimensions)
    ///     In metres per second.
    #[pyo3(signature = (species, *, order="row", ids=None))]
    fn velocities<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        order: &str,
        ids: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.read_rows(species, order, ids, |world, species| points::array(py, &world.velocities(species).or_raise()?))
    }

    /// The steering forces of the last tick in newtons: a copy of shape (agents, dimensions).
    ///
    /// **Rows move**: in each step an agent may get another row. `order` and `ids` read the same agents again.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// order : str
    ///     `row`, or `id` for ascending ids.
    /// ids : array of uint64
    ///     The agents to read, in this order; all by default.
    ///
    /// Returns
    /// -------
    /// array of float32, shape (agents, dimensions)
    ///     In newtons.
    #[pyo3(signature = (species, *, order="row", ids=None))]
    fn steering<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        order: &str,
        ids: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.read_rows(
            species,
            order,
            ids,
            |world, species| with_world!(world, world => points::array(py, &world.steering(species).or_raise()?)),
        )
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
    ///     An id is valid for the life of its agent, a row until the world changes: **rows move** in each step.
    fn ids<'py>(&self, py: Python<'py>, species: &str) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let world = self.shared.read()?;
        Ok(id_array(py, world.ids(species_named(&world, species)?).or_raise()?))
    }

    /// The states of a species' agents, as numbers of `state_names`.
    ///
    /// **Rows move**: in each step an agent may get another row. `order` and `ids` read the same agents again.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// order : str
    ///     `row`, or `id` for ascending ids.
    /// ids : array of uint64
    ///     The agents to read, in this order; all by default.
    ///
    /// Returns
    /// -------
    /// array of uint32
    ///     Zeros if the species has no states.
    #[pyo3(signature = (species, *, order="row", ids=None))]
    fn states<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        order: &str,
        ids: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.read_rows(species, order, ids, |world, species| Ok(PyArray1::from_vec(py, states(world, species)?)))
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
    ///     `id` and the axes first.
    fn column_names(&self, species: &str) -> PyResult<Vec<String>> {
        let world = self.shared.read()?;
        columns::names(&world, species_named(&world, species)?).or_raise()
    }

    /// A copy of one column: `id`, an axis (`x`, `vx`), a quantity of the body (`mass`, `radius`, `max_speed`,
    /// `max_force`), a variable or a column of the host.
    ///
    /// **Rows move**: in each step an agent may get another row. `order` and `ids` read the same agents again.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// name : str
    ///     The name of the column.
    /// order : str
    ///     `row`, or `id` for ascending ids.
    /// ids : array of uint64
    ///     The agents to read, in this order; all by default.
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
    #[pyo3(signature = (species, name, *, order="row", ids=None))]
    fn column<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        name: &str,
        order: &str,
        ids: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.read_rows(species, order, ids, |world, species| column(py, world, species, name))
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
    ///     A mapping of names to read-only arrays, and the vectors `position` and `velocity`. **Rows move** in each step:
    ///     the column `id` has the agent of each row.
    fn view(&self, species: &str) -> PyResult<View> {
        let species = species_named(&*self.shared.read()?, species)?;
        Ok(View::new(&self.shared, species))
    }

    /// A copy of the columns of a species, for dataframe libraries. Its column `id` has the agent of each row: **rows
    /// move** in each step.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// order : str
    ///     `row`, or `id` for ascending ids.
    /// ids : array of uint64
    ///     The agents to read, in this order; all by default.
    ///
    /// Returns
    /// -------
    /// Table
    ///     polars, pyarrow and duckdb read it as it is.
    #[pyo3(signature = (species, *, order="row", ids=None))]
    fn table(&self, species: &str, order: &str, ids: Option<&Bound<'_, PyAny>>) -> PyResult<Table> {
        let world = self.shared.read()?;
        let species = species_named(&world, species)?;
        let rows = rows::picked(&world, species, order, ids)?;
        let mut copied = vec![("id".to_owned(), 1, Numbers::U64(columns::ids(&world, species).or_raise()?))];
        if !world.states(species).or_raise()?.is_empty() {
            copied.push(("state".to_owned(), 1, Numbers::U32(states(&world, species)?)));
        }
        for ColumnView { name, width, numbers } in columns::all(&world, species).or_raise()? {
            copied.push((name.to_owned(), width, Numbers::copied(numbers)));
        }
        if let Some(rows) = rows {
            for (_, width, numbers) in &mut copied {
                *numbers = numbers.picked(*width, &rows);
            }
        }
        Ok(Table { columns: copied })
    }
}

/// A copy of a column by its name.
fn column<'py>(py: Python<'py>, world: &AnyWorld, species: SpeciesId, name: &str) -> PyResult<Bound<'py, PyAny>> {
    if name == columns::ID {
        return Ok(PyArray1::from_vec(py, columns::ids(world, species).or_raise()?).into_any());
    }
    if let Some(body) = body(world, species, name).or_raise()? {
        return Ok(PyArray1::from_vec(py, body).into_any());
    }
    let ColumnView { width, numbers, .. } = columns::named(world, species, name)?;
    let shaped =
        |array: Bound<'py, PyAny>| if width == 1 { Ok(array) } else { array.call_method1("reshape", (-1, width)) };
    match numbers {
        ColumnSlice::F32(numbers) => shaped(PyArray1::from_slice(py, numbers).into_any()),
        ColumnSlice::U32(numbers) => shaped(PyArray1::from_slice(py, numbers).into_any()),
        ColumnSlice::U64(numbers) => shaped(PyArray1::from_slice(py, numbers).into_any()),
        _ => Err(PyTypeError::new_err(format!("column `{name}` has an unknown type"))),
    }
}

fn states(world: &AnyWorld, species: SpeciesId) -> PyResult<Vec<u32>> {
    let agents = world.ids(species).or_raise()?.len();
    (0..agents).map(|row| world.state(species, row).map(|state| state as u32).or_raise()).collect()
}

/// A quantity of the bodies of a species' agents; `None` for another name.
pub(crate) fn body(world: &AnyWorld, species: SpeciesId, name: &str) -> Result<Option<Vec<f32>>, Error> {
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
