//! The columns that saving writes after edits of regions, zones, lifts and links, as the next tick settles them, some rows at a time.

use std::ops::Range;

use crate::agents::Agents;
use crate::agents::columns::{Column, Columns, Data, Owner};
use crate::environment::Environment;
use crate::state::{State, renumber};

impl<const D: usize> State<D> {
    /// The settled state without agents: its species, and the columns that their agents have.
    pub(crate) fn settled_layout(&self) -> Self {
        let mut environment = Environment::default();
        environment.regions = self.environment.regions.clone();
        environment.zones = self.environment.zones.clone();
        environment.lifts = self.environment.lifts.clone();
        environment.links = self.environment.links.clone();
        let agents = self.agents.iter().zip(&self.species).map(|(agents, species)| {
            let columns = agents.columns.0.iter().map(|column| column.part(0..0)).collect();
            Agents { columns: Columns(columns), ..Agents::new(agents.species, agents.name.clone(), species.body()) }
        });
        let mut layout = Self {
            species: self.species.clone(),
            inputs: self.inputs.clone(),
            agents: agents.collect(),
            environment,
            region_bits: self.region_bits.clone(),
            zoned: self.zoned,
            last_key: self.last_key,
            ..Self::new(self.settings.clone())
        };
        layout.settle();
        layout
    }

    /// Some rows of a species in a column of the [settled layout](Self::settled_layout).
    pub(crate) fn settled_rows(&self, layout: &Self, number: usize, column: &Column, rows: Range<usize>) -> Data {
        let agents = &self.agents[number];
        if column.owner == Owner::FreeSpeed && !self.zoned {
            return Data::F32(rows.map(|row| agents.max_speed(row)).collect());
        }
        let (count, start) = (rows.len(), column.start.clone());
        let same =
            |old: &&Column| old.is(column.owner, &column.name) && old.data.type_name() == column.data.type_name();
        let Some(old) = agents.columns.0.iter().find(same) else {
            return Column::new(column.owner, &column.name[..], start, count).data;
        };
        let mut part = old.part(rows);
        if part.owner == Owner::Regions && !layout.region_bits.starts_with(&self.region_bits) {
            renumber(&mut part, &self.region_bits, &layout.region_bits);
        }
        if part.width == column.width { part.data } else { part.widened(start, count).data }
    }

    /// The largest speeds of a species' agents that replace the speeds of their bodies: the speeds outside of zones,
    /// after the last zone was removed.
    pub(crate) fn settled_speeds(&self, layout: &Self, number: usize) -> Option<&[f32]> {
        if layout.zoned { None } else { self.agents[number].columns.values::<f32>(Owner::FreeSpeed) }
    }
}
