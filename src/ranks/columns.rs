//! The columns of agents, as ranks exchange them.

use crate::agents::Agents;
use crate::agents::columns::Column;
use crate::kernels::CHUNK;
use crate::transport::numbers::{Numbers, Wire};

/// A column that ranks exchange.
pub(super) struct Shared<'a> {
    /// The number of the species; `None` for the mix.
    pub(super) species: Option<usize>,
    /// The number of entries per chunk.
    pub(super) per_chunk: usize,
    pub(super) numbers: Box<dyn Numbers + 'a>,
}

impl<'a> Shared<'a> {
    /// A column of a species.
    pub(super) fn of<T: Wire>(species: usize, per_chunk: usize, numbers: &'a mut [T]) -> Self {
        Self { species: Some(species), per_chunk, numbers: Box::new(numbers) }
    }

    /// A column of a species, with several entries per row.
    pub(super) fn wide(species: usize, numbers: Box<dyn Numbers + 'a>, width: usize) -> Self {
        Self { species: Some(species), per_chunk: CHUNK * width, numbers }
    }

    /// A typed column of the agents of a species.
    pub(super) fn typed(species: usize, column: &'a mut Column) -> Self {
        Self::wide(species, column.data.numbers(), column.width)
    }
}

/// A column, and its entries per row.
pub(super) type Wide<'a> = (Box<dyn Numbers + 'a>, usize);

/// The columns of agents; a rank has the rows of its own agents and some rows near them.
pub(super) struct OwnColumns<'a> {
    /// Motion and the memory of rules.
    pub(super) changing: Vec<Wide<'a>>,
    /// Ids, and the columns that only hosts change.
    pub(super) fixed: Vec<Wide<'a>>,
}

impl<'a> OwnColumns<'a> {
    pub(super) fn of<const D: usize>(agents: &'a mut Agents<D>) -> Self {
        let Agents { position, velocity, position_residual, velocity_residual, heading, previous, .. } = agents;
        let residuals = position_residual.iter_mut().chain(velocity_residual);
        let motion = position.iter_mut().chain(velocity).chain(residuals);
        let motion = motion.chain(heading.iter_mut().flatten()).chain(previous.iter_mut().flatten());
        let Agents { body, goal, id, columns, .. } = agents;
        let (memory, host): (Vec<_>, Vec<_>) = columns.0.iter_mut().partition(|column| column.owner.is_rule());
        let fixed = body.columns_mut().chain(goal.iter_mut().flatten());
        let ids: Wide<'a> = (Box::new(&mut id[..]), 1);
        Self {
            changing: motion.map(|column| single(column)).chain(memory.into_iter().map(typed)).collect(),
            fixed: fixed.map(|column| single(column)).chain(host.into_iter().map(typed)).chain([ids]).collect(),
        }
    }
}

/// A column with one entry per row.
pub(super) fn single(column: &mut [f32]) -> Wide<'_> {
    (Box::new(column), 1)
}

fn typed(column: &mut Column) -> Wide<'_> {
    (column.data.numbers(), column.width)
}
