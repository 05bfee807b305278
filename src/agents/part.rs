//! Parts of the agents of a species: rows that are copied, kept or moved.

use std::ops::Range;

use crate::agents::columns::{Column, Columns, keep_entries, spread};
use crate::agents::{Agents, BodyQuantities, BodyQuantity};
use crate::base::ids::AgentId;
use crate::kernels::{CHUNK, CLUSTER};

impl<const D: usize> Agents<D> {
    /// A copy of some rows.
    pub(crate) fn part(&self, rows: Range<usize>) -> Self {
        let part = |column: &Vec<f32>| column[rows.clone()].to_vec();
        let quantity = |quantity: &BodyQuantity| match quantity {
            BodyQuantity::Same(value) => BodyQuantity::Same(*value),
            BodyQuantity::Each(column) => BodyQuantity::Each(part(column)),
        };
        let BodyQuantities { mass, radius, max_speed, max_force } = &self.body;
        let [mass, radius, max_speed, max_force] = [mass, radius, max_speed, max_force].map(quantity);
        let mut copy = Self {
            species: self.species,
            name: self.name.clone(),
            states: self.states.clone(),
            position: self.position.each_ref().map(part).into(),
            velocity: self.velocity.each_ref().map(part),
            position_residual: self.position_residual.each_ref().map(part),
            velocity_residual: self.velocity_residual.each_ref().map(part),
            id: self.id[rows.clone()].to_vec(),
            of: Vec::new(),
            body: BodyQuantities { mass, radius, max_speed, max_force },
            goal: self.goal.as_ref().map(|goal| goal.each_ref().map(part)),
            heading: self.heading.as_ref().map(|heading| heading.each_ref().map(part)),
            previous: self.previous.as_ref().map(|previous| previous.each_ref().map(part)),
            columns: Columns(self.columns.0.iter().map(|column| column.part(rows.clone())).collect()),
            placed: 0,
        };
        copy.pad();
        copy
    }

    /// Gives back the memory of all chunks but these.
    pub(crate) fn keep_chunks(&mut self, chunks: Range<usize>) {
        let rows = chunks.start * CHUNK..chunks.end * CHUNK;
        self.float_columns_mut().for_each(|column| keep_entries(column, rows.clone()));
        for Column { data, width, .. } in &mut self.columns.0 {
            data.keep_entries(rows.start * *width..rows.end * *width);
        }
        self.change_ids(|ids| keep_entries(ids, rows));
        self.clear(self.len()..self.position[0].len());
    }

    /// Moves all agents to the rows from `first` on, of `rows` rows. Pages of other rows are left untouched.
    pub(crate) fn spread(&mut self, first: usize, rows: usize) {
        let padded = rows.next_multiple_of(CLUSTER);
        self.float_columns_mut().for_each(|column| spread(column, first, padded));
        for Column { data, width, .. } in &mut self.columns.0 {
            data.spread(first * *width, rows * *width);
        }
        self.change_ids(|ids| spread(ids, first, rows));
        self.clear(rows..padded);
    }

    /// Changes the column of ids as one of numbers.
    fn change_ids(&mut self, change: impl FnOnce(&mut Vec<u64>)) {
        let mut ids: Vec<u64> = std::mem::take(&mut self.id).into_iter().map(AgentId::to_bits).collect();
        change(&mut ids);
        self.id = ids.into_iter().map(AgentId::from_bits).collect();
    }
}
