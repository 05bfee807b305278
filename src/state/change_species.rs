//! The change of an agent's species: it gets a row of the other species, and keeps its id.

use crate::agents::Agents;
use crate::agents::columns::{Column, Owner, Stored as _};
use crate::base::ids::{AgentId, AgentRow};
use crate::species::MAX_SPEED;
use crate::species::states::Variable;
use crate::state::{State, person};

impl<const D: usize> State<D> {
    /// Moves an agent from its place to the last row of another species. Columns that both species have are kept; the
    /// others are as if it were spawned. Returns its place in the mix before.
    pub(crate) fn change_species(&mut self, id: AgentId, from: AgentRow, to: usize) -> Option<usize> {
        let (species, row) = (from.species as usize, from.row as usize);
        let before = self.agents[species].part(row..row + 1);
        let mixed = self.mix_row(species, row);
        if let Some(moved) = self.agents[species].swap_remove(row) {
            self.ids.set_row(moved, from.row);
        }
        if let Some(mixed) = mixed {
            self.leave_mix(mixed);
        }
        self.orders[species].stray(row);
        let row = self.agents[to].len();
        self.add_row(to, id, before.position(0), before.velocity(0));
        self.ids.change_row(id, AgentRow { species: to as u32, row: row as u32 });
        self.keep_body(&before, species, (to, row));
        self.agents[to].keep(&before, row, &self.species[to].variables);
        let [old, new] = [species, to].map(|species| &self.species[species]);
        if old.kinds != new.kinds || old.familiar != new.familiar {
            let first = person::firsts(&self.agents[to])[row];
            self.draw_person(to, row, first);
        }
        self.join_mix(to, id);
        self.stray(to, row);
        mixed
    }

    /// Keeps those quantities of a body that are distributed in the same way in both species.
    fn keep_body(&mut self, before: &Agents<D>, from: usize, (to, row): (usize, usize)) {
        if self.species[from].kinds != self.species[to].kinds {
            return;
        }
        let [old, new] = [from, to].map(|species| self.species[species].quantities());
        let body = &before.body;
        let free = before.columns.values::<f32>(Owner::FreeSpeed).map(|speeds| speeds[0]);
        let max_speed = free.unwrap_or(body.max_speed.get(0));
        let values = [body.mass.get(0), body.radius.get(0), max_speed, body.max_force.get(0)];
        let agents = &mut self.agents[to];
        for (quantity, value) in values.into_iter().enumerate().filter(|(place, _)| old[*place] == new[*place]) {
            agents.set_agent_quantity(row, quantity, value);
            if let Some(speeds) = agents.columns.values_mut::<f32>(Owner::FreeSpeed).filter(|_| quantity == MAX_SPEED) {
                speeds[row] = value;
            }
        }
    }
}

impl<const D: usize> Agents<D> {
    /// Keeps at a row the values of an agent of another species, the only one in `before`.
    fn keep(&mut self, before: &Self, row: usize, variables: &[Variable]) {
        for axis in 0..D {
            self.position_residual[axis][row] = before.position_residual[axis][0];
            self.velocity_residual[axis][row] = before.velocity_residual[axis][0];
        }
        if let Some(goal) = before.goal(0) {
            self.set_goal(row, Some(goal));
        }
        if before.keeps_headings() {
            self.face(row, before.heading(0));
            self.follow_velocity(row);
        }
        if let Some(from) = &before.previous {
            let to = self.previous.get_or_insert_with(|| (*self.position).clone());
            to.iter_mut().zip(from).for_each(|(to, from)| to[row] = from[0]);
        }
        let same_state =
            before.states.get(before.state(0)).and_then(|name| self.states.iter().position(|own| own == name));
        if let (None, Some(jumps)) = (self.columns.of(Owner::Jumps), before.columns.of(Owner::Jumps)) {
            self.columns.0.push(Column::new(Owner::Jumps, &jumps.name[..], jumps.start.clone(), self.id.len()));
        }
        for column in &mut self.columns.0 {
            let same = |old: &&Column| old.is(column.owner, &column.name) && old.type_name() == column.type_name();
            let Some(old) = before.columns.0.iter().find(same) else { continue };
            match column.owner {
                Owner::Mix | Owner::FreeSpeed | Owner::Rule(_) => {}
                Owner::State => {
                    if let (Some(states), Some(number)) = (u32::rows_mut(&mut column.data), same_state) {
                        states[row] = number as u32;
                    }
                }
                Owner::Seconds if same_state.is_none() => {}
                _ => column.data.copy_row(row, &old.data, column.width),
            }
            let variable = variables.iter().find(|variable| column.is(Owner::Variable, &variable.name));
            if let (Some(variable), Some(values)) = (variable, f32::rows_mut(&mut column.data)) {
                values[row] = values[row].clamp(variable.low, variable.high);
            }
        }
    }
}
