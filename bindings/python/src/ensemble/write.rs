//! One array for a column of all worlds.

use pyo3::prelude::*;
use rayon::prelude::*;
use throng::{AgentId, with_world};

use crate::columns;
use crate::ensemble::{agents_of, check_agents, for_each};
use crate::errors::OrRaise;
use crate::rows;
use crate::world::{
    Values, World, body_quantity, goals, numbers, species_named, write_body, write_goals, write_vectors,
};

/// The numbers for all worlds, one world after the other.
enum Given {
    Floats(Vec<f32>),
    Column(Values),
}

/// Writes a column of all worlds, agents in ascending order of their ids.
#[pyfunction]
pub(crate) fn write(
    py: Python<'_>,
    worlds: Vec<Py<World>>,
    species: &str,
    column: &str,
    array: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let Some(first) = worlds.first() else { return Ok(()) };
    let count = agents_of(&worlds, species)?;
    let (given, width) = {
        let world = first.get().shared.read()?;
        let (lead, dimensions) = ([worlds.len(), count], world.dimensions());
        let vectors = [worlds.len(), count, dimensions];
        match column {
            "position" | "velocity" => (Given::Floats(numbers::<f32>(array, &vectors)?), dimensions),
            "goal" => (Given::Floats(goals(array, &vectors)?), dimensions),
            name if body_quantity(name).is_some() => (Given::Floats(numbers::<f32>(array, &lead)?), 1),
            name => {
                let column = columns::found(columns::own(&world, species_named(&world, species)?).or_raise()?, name)?;
                (Given::Column(Values::of_worlds(&column, array, &lead)?), column.width)
            }
        }
    };
    for_each(py, &worlds, (0..worlds.len()).into_par_iter(), |number, world, _| {
        let mut world = world.shared.write()?;
        let species = species_named(&world, species)?;
        let rows = rows::by_id(&world, species)?;
        check_agents(number, rows.len(), count)?;
        let floats = match &given {
            Given::Column(values) => return values.write_part(&mut world, species, column, number, &rows),
            Given::Floats(floats) => &floats[number * count * width..][..count * width],
        };
        let all = world.ids(species).or_raise()?;
        let agents: Vec<AgentId> = rows.iter().map(|&row| all[row]).collect();
        match (column, body_quantity(column)) {
            (_, Some(quantity)) => write_body(&mut world, species, quantity, &agents, floats),
            ("goal", _) => with_world!(&mut *world, world => write_goals(world, &agents, floats)),
            _ => with_world!(&mut *world, world => write_vectors(world, species, column, Some(&agents), floats)),
        }
    })
}
