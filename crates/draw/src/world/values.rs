//! The values of variables and other columns of a world.

use throng::columns::ColumnSlice;
use throng::{Agents, World};

use crate::drawable::Values;

/// Reads the agents of a world, species by species.
pub(super) type Read<'a, const D: usize> = &'a dyn Fn(&mut dyn FnMut(&Agents<D>));

/// The values of a column: on the scale of the variable with its name, else on the scale of the present values.
pub(super) fn values<const D: usize>(world: &World<D>, name: &str, read: Read<'_, D>) -> Option<Values> {
    let species = world.species_ids().filter_map(|id| world.species(id).ok());
    let variable = species.flat_map(|species| &species.variables).find(|variable| variable.name == name);
    let mut is_known = variable.is_some();
    let mut numbers = Vec::new();
    read(&mut |agents: &Agents<D>| {
        let column = agents.columns().find(|column| column.name == name);
        is_known |= column.is_some();
        numbers.extend((0..agents.len()).map(|row| {
            column.map_or(f32::NAN, |column| match column.numbers {
                ColumnSlice::F32(numbers) => numbers[row * column.width],
                ColumnSlice::U32(numbers) => numbers[row * column.width] as f32,
                ColumnSlice::U64(numbers) => numbers[row * column.width] as f32,
                _ => f32::NAN,
            })
        }));
    });
    let present = || {
        let known = numbers.iter().copied().filter(|number| number.is_finite());
        known.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], number| {
            [if number < low { number } else { low }, if number > high { number } else { high }]
        })
    };
    let range = variable.map_or_else(present, |variable| [variable.low, variable.high]);
    is_known.then_some(Values { range, numbers })
}
