//! Validators that check the whole structure of a world after every step, in debug builds.

use crate::agents::Agents;
use crate::agents::columns::Column;
use crate::base::settings::nearest_image;
use crate::index::species_index::SpeciesIndex;
use crate::kernels::CLUSTER;
use crate::maths::Vector;
use crate::state::State;
use crate::state::fault::SnapshotFault;
use crate::world::World;

impl<const D: usize> World<D> {
    /// Checks that ids, rows and slots agree, that columns have one value per agent and nothing beyond the last, and that
    /// boxes contain their rows.
    pub(super) fn check(&self) -> Result<(), String> {
        self.state.check().map_err(|fault| fault.to_string())?;
        self.state.agents.iter().try_for_each(Agents::check_padding)?;
        for (index, agents) in self.derived.indices.species.iter().zip(&self.state.agents) {
            self.check_boxes(index, agents.len(), |row| agents.position(row))?;
        }
        let ids = &self.state.mix_ids;
        self.check_boxes(&self.derived.indices.mixed.index, ids.len(), |place| {
            let at = self.view().motion(ids[place]);
            at.map_or(Vector::splat(f32::NAN), |(position, _)| position)
        })
    }

    /// Checks that each of these rows is in the box of its cluster or is listed as loose.
    fn check_boxes(
        &self,
        index: &SpeciesIndex<D>,
        rows: usize,
        position: impl Fn(usize) -> Vector<D>,
    ) -> Result<(), String> {
        if !index.valid {
            return Ok(());
        }
        let period = self.state.settings.period();
        let mut loose = vec![false; rows];
        for &row in index.loose.iter().filter(|&&row| (row as usize) < rows) {
            loose[row as usize] = true;
        }
        for row in 0..rows {
            if index.placed.members(row / CLUSTER) >> (row % CLUSTER) & 1 == 0 {
                if !loose[row] {
                    return Err(format!("row {row} is in no box and not loose"));
                }
                continue;
            }
            for axis in 0..D {
                let boxes = &index.placed.boxes;
                let (centre, half) = (boxes.centre[axis][row / CLUSTER], boxes.half[axis][row / CLUSTER]);
                let offset = nearest_image(position(row)[axis] - centre, period[axis]).abs();
                let inside = offset <= half + index.placed.moved;
                if !inside {
                    return Err(format!("row {row} is {offset} m from the centre of a box of {half} m"));
                }
            }
        }
        Ok(())
    }
}

impl<const D: usize> State<D> {
    /// Checks that ids, rows and slots agree, and that columns have one value per agent.
    pub(crate) fn check(&self) -> Result<(), SnapshotFault> {
        for (number, agents) in self.agents.iter().enumerate() {
            for (row, &id) in agents.id.iter().enumerate() {
                let found = self.ids.row_of(id).map(|found| (found.species as usize, found.row as usize));
                if found != Some((number, row)) {
                    return Err(SnapshotFault::Slot(id));
                }
            }
            let whole = |column: &&Column| column.data.len() == agents.len() * column.width;
            if let Some(column) = agents.columns.0.iter().find(|column| !whole(column)) {
                let (species, column) = (agents.name.clone(), column.name.clone());
                return Err(SnapshotFault::ColumnLength { species, column });
            }
        }
        if let Some((&id, _)) = self.leavers.iter().find(|(id, _)| self.ids.row_of(**id).is_none()) {
            return Err(SnapshotFault::Leaver(id));
        }
        if self.ids_in_mix()? != self.mix_ids {
            return Err(SnapshotFault::Mix);
        }
        if self.tally.total() != self.ids.removed() {
            return Err(SnapshotFault::Tally);
        }
        if self.ids.is_complete() { Ok(()) } else { Err(SnapshotFault::FreeSlots) }
    }
}
