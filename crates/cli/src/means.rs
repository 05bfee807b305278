//! Means over all agents at the end of a run, which are read in blocks.

use throng::columns::{ColumnSlice, ColumnView};
use throng::measures::Order;
use throng::{Agents, World};

use crate::lead::Lead;

/// The means over the agents of a world.
#[derive(Debug)]
pub(crate) struct Means {
    pub(crate) polarisation: f64,
    pub(crate) mean_speed: f64,
    /// The means of the columns of single numbers, of every species with agents: species, column, mean.
    pub(crate) columns: Vec<(String, String, f64)>,
}

impl Means {
    /// The means over the agents of all ranks.
    pub(crate) fn of<const D: usize>(world: &World<D>, lead: &Lead) -> Self {
        let (mut order, mut columns) = (Order::default(), Vec::new());
        lead.read(world, &mut |agents| {
            (0..agents.len()).for_each(|row| order.add(agents.velocity(row)));
            add_columns(agents, &mut columns);
        });
        for (species, _, sum) in &mut columns {
            let agents = world.all_agents().iter().find(|agents| agents.name() == *species).map_or(0, Agents::len);
            *sum /= agents as f64;
        }
        Self { polarisation: order.polarisation(), mean_speed: order.mean_speed(), columns }
    }
}

/// Adds the numbers of some agents to the sums of their columns.
fn add_columns<const D: usize>(agents: &Agents<D>, sums: &mut Vec<(String, String, f64)>) {
    for ColumnView { name, numbers, .. } in agents.columns().filter(|column| column.width == 1) {
        let known = sums.iter().position(|(species, column, _)| species == agents.name() && column == name);
        let place = known.unwrap_or(sums.len());
        if known.is_none() {
            sums.push((agents.name().to_owned(), name.to_owned(), 0.0));
        }
        let sum = &mut sums[place].2;
        match numbers {
            ColumnSlice::F32(numbers) => numbers.iter().for_each(|&number| *sum += f64::from(number)),
            ColumnSlice::U32(numbers) => numbers.iter().for_each(|&number| *sum += f64::from(number)),
            ColumnSlice::U64(numbers) => numbers.iter().for_each(|&number| *sum += number as f64),
            _ => {}
        }
    }
}
