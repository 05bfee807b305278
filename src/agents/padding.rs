//! The rows beyond the last agent, which fill the last cluster.
//!
//! Kernels read them with the others, and they may be more than a cluster, because columns do not shrink while neighbour
//! lists still contain removed rows. After every change they are as in a world that was just loaded, so that nothing of
//! an agent that is gone remains.

use std::ops::Range;

use crate::agents::columns::Column;
use crate::agents::{Agents, BODY_BEYOND, BodyQuantities, BodyQuantity};

/// Each padded column with its name and its value in rows beyond the last agent: no position, which no distance test
/// accepts, no goal, no motion, no heading. `$iter` is `iter` or `iter_mut`.
macro_rules! padded_columns {
    ($agents:expr, $iter:ident) => {{
        // Typed columns and ids have no rows beyond the last agent.
        let Agents {
            species: _,
            name: _,
            states: _,
            id: _,
            of: _,
            columns: _,
            placed: _,
            position,
            velocity,
            position_residual,
            velocity_residual,
            body,
            goal,
            heading,
            previous,
        } = $agents;
        let BodyQuantities { mass, radius, max_speed, max_force } = body;
        let body = [("mass", mass), ("radius", radius), ("max_speed", max_speed), ("max_force", max_force)];
        let body = body.into_iter().filter_map(|(name, quantity)| match quantity {
            BodyQuantity::Same(_) => None,
            BodyQuantity::Each(column) => Some((name, column, BODY_BEYOND)),
        });
        let motion = position.$iter().map(|column| ("position", column, f32::NAN));
        let motion = motion.chain(velocity.$iter().map(|column| ("velocity", column, 0.0)));
        let motion = motion.chain(position_residual.$iter().map(|column| ("position residual", column, 0.0)));
        let motion = motion.chain(velocity_residual.$iter().map(|column| ("velocity residual", column, 0.0)));
        let host = goal.$iter().flatten().map(|column| ("goal", column, f32::NAN));
        let host = host.chain(heading.$iter().flatten().map(|column| ("heading", column, 0.0)));
        let host = host.chain(previous.$iter().flatten().map(|column| ("previous position", column, f32::NAN)));
        motion.chain(body).chain(host)
    }};
}

impl<const D: usize> Agents<D> {
    /// All padded columns, with one `f32` per row.
    pub(crate) fn float_columns_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        padded_columns!(self, iter_mut).map(|(_, column, _)| column)
    }

    /// All padded columns, with their names.
    fn float_columns(&self) -> impl Iterator<Item = (&'static str, &Vec<f32>)> {
        padded_columns!(self, iter).map(|(name, column, _)| (name, column))
    }

    /// Replaces all rows by copies of these rows of another table of the species.
    pub(crate) fn copy_rows(&mut self, from: &Self, rows: &[u32]) {
        let same_columns = self.columns.0.iter().map(Column::layout).eq(from.columns.0.iter().map(Column::layout));
        if !same_columns || !self.float_columns().map(|(name, _)| name).eq(from.float_columns().map(|(name, _)| name)) {
            *self = from.part(0..0);
        }
        for (to, (_, from)) in self.float_columns_mut().zip(from.float_columns()) {
            to.clear();
            to.extend(rows.iter().map(|&row| from[row as usize]));
        }
        for (to, from) in self.columns.0.iter_mut().zip(&from.columns.0) {
            to.data.copy_rows(&from.data, from.width, rows);
        }
        self.id.clear();
        self.id.extend(rows.iter().map(|&row| from.id[row as usize]));
        self.of.clear();
        self.of.extend_from_slice(rows);
        self.pad();
    }

    /// Grows every column to at least its padded length. Columns do not shrink here, because neighbour lists may still
    /// contain removed rows.
    pub(crate) fn pad(&mut self) {
        let padded = self.padded();
        // All columns have the same length.
        if self.position[0].len() < padded {
            padded_columns!(self, iter_mut).for_each(|(_, column, value)| column.resize(padded, value));
        }
    }

    /// Clears rows beyond the last agent.
    pub(crate) fn clear(&mut self, rows: Range<usize>) {
        padded_columns!(self, iter_mut).for_each(|(_, column, value)| column[rows.clone()].fill(value));
    }

    /// Checks that columns fill whole clusters, and that their rows beyond the last agent are clear.
    pub(crate) fn check_padding(&self) -> Result<(), String> {
        let (agents, padded, length) = (self.len(), self.padded(), self.position[0].len());
        for (name, column, value) in padded_columns!(self, iter) {
            if column.len() < padded || column.len() != length {
                return Err(format!("a column of species {} is short: {name}", self.name));
            }
            let is_clear = |number: &f32| number.to_bits() == value.to_bits() || number.is_nan() && value.is_nan();
            if !column[agents..].iter().all(is_clear) {
                return Err(format!("species {} has a {name} beyond its last agent", self.name));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::{AgentId, SpeciesId};
    use crate::maths::{Noise, Vector};

    /// Changes the agents in every way in random order.
    #[test]
    fn rows_beyond_the_last_are_clear_after_every_change() {
        let same = || BodyQuantity::Same(2.0);
        let body = BodyQuantities { mass: same(), radius: same(), max_speed: same(), max_force: same() };
        for seed in 0..40 {
            let mut noise = Noise::new(seed, 0, 0, 0);
            let mut agents = Agents::<2>::new(SpeciesId(0), "bird".to_owned(), body.clone());
            for number in 0..300 {
                let row = (noise.unit() * agents.len() as f32) as usize;
                let at: Vector<2> = noise.in_ball();
                match (noise.unit() * 12.0) as usize {
                    0..5 => {
                        agents.push(AgentId::from_bits(number), at, at);
                        let row = agents.len() - 1;
                        agents.set_body(row, [1.0 + noise.unit(), 3.0, 4.0, 2.0]);
                        agents.velocity_residual[0][row] = noise.unit();
                        agents.position_residual[1][row] = noise.unit();
                    }
                    _ if agents.is_empty() => {}
                    5..9 => _ = agents.swap_remove(row),
                    9 => agents.set_goal(row, Some(at)),
                    10 => agents.set_agent_quantity(row, 3, noise.unit()),
                    _ => agents.trim(),
                }
                assert_eq!(agents.check_padding(), Ok(()), "seed {seed}, change {number}");
                assert_eq!(agents.part(0..agents.len()).check_padding(), Ok(()));
            }
        }
    }
}
