//! What a host changes in a world between ticks. Every value is checked where it enters: what is refused changes nothing.
//!
//! An edit changes the state, and notes in [`Derived::note`](crate::derived::Derived::note) what it touched.

use std::ops::{Deref, DerefMut};

use super::World;
use crate::behaviour::Behaviour;
use crate::columns::{ColumnValue, Owner, Stored as _};
use crate::derived::Change;
use crate::error::Error;
use crate::ids::{AgentId, SpeciesId};
use crate::kernels::confine::wrap;
use crate::order::LONGEST;
use crate::parameters::Value;
use crate::scenery::{RegionId, Scenery};
use crate::settings::{Edge, LIMIT, Settings};
use crate::species::{BODY_QUANTITIES, QUANTITIES, Rule, Species, Spread, WEIGHT};
use crate::state::Leaving;
use crate::tick::edit::remove;
use crate::maths::Vector;

impl<const D: usize> World<D> {
    /// Adds a species. It has no agents yet.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a limit or a parameter is out of its range, [`Error::NameTaken`] if there is a species of
    /// this name.
    pub fn add_species(&mut self, species: Species<D>) -> Result<SpeciesId, Error> {
        let id = self.state.add_species(species)?;
        self.derived.note(Change::Species);
        Ok(id)
    }

    /// Changes the definition of a species: its rules, quantities, states, anything. Agents keep what is remembered of
    /// them but for what belongs to rules, states and variables that are gone; an agent whose state is gone goes into the
    /// first. A quantity that is another is drawn again for each agent, from the same random numbers as when the agent
    /// was spawned.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; as for [`add_species`](Self::add_species), if the edited species is refused: then
    /// nothing has changed.
    pub fn edit_species<R>(&mut self, id: SpeciesId, edit: impl FnOnce(&mut Species<D>) -> R) -> Result<R, Error> {
        let mut species = self.species(id)?.clone();
        let result = edit(&mut species);
        self.state.replace_species(id.number(), species)?;
        self.derived.note(Change::Rules);
        Ok(result)
    }

    /// Changes the rule in a place of a species' list, of type `T`.
    ///
    /// ```
    /// # use throng::{Settings, Species, World, behaviours::Separation};
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let bird = world.add_species(Species::new("bird").with(1.0, Separation::default()))?;
    /// world.edit_rule::<Separation>(bird, 0, |rule| rule.radius = 4.0)?;
    /// assert!(world.edit_rule::<Separation>(bird, 0, |rule| rule.radius = f32::NAN).is_err());
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::NoSuchRule`] if there is none in this place, or it is of another type;
    /// [`Error::BadValue`] if the edited rule is out of range: then nothing has changed.
    pub fn edit_rule<T: Behaviour<D> + Clone>(
        &mut self,
        id: SpeciesId,
        number: usize,
        edit: impl FnOnce(&mut T),
    ) -> Result<(), Error> {
        let mut species = self.species(id)?.clone();
        let none = || Error::NoSuchRule { number, asked: std::any::type_name::<T>() };
        species.rules.get_mut(number).and_then(|rule| rule.edit(edit)).ok_or_else(none)?;
        self.edit_species(id, |edited| *edited = species)
    }

    /// Adds a rule to the end of a species' list.
    ///
    /// # Errors
    ///
    /// As for [`edit_species`](Self::edit_species).
    pub fn add_rule(&mut self, id: SpeciesId, rule: Rule<D>) -> Result<(), Error> {
        self.edit_species(id, |species| species.rules.push(rule))
    }

    /// Removes the rule in a place of a species' list, and what it remembered.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], or [`Error::NoSuchRule`].
    pub fn remove_rule(&mut self, id: SpeciesId, number: usize) -> Result<Rule<D>, Error> {
        if number >= self.species(id)?.rules.len() {
            return Err(Error::NoSuchRule { number, asked: "any type" });
        }
        self.edit_species(id, |species| species.rules.remove(number))
    }

    /// Sets a number of a species by its path: a quantity (`max_speed`), or a parameter or the weight of a rule, by the
    /// rule's name (`separation.radius`) or its place (`behaviours.0.weight`). A name that several rules have is the
    /// first of them.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::BadValue`] if there is no such number or the value is out of its range: then
    /// nothing has changed.
    pub fn set(&mut self, id: SpeciesId, path: &str, value: f64) -> Result<(), Error> {
        self.set_value_of(id, path, &Value::Number(value))
    }

    /// The same for values of every kind, such as points, words and targets.
    ///
    /// # Errors
    ///
    /// As for [`set`](Self::set).
    pub fn set_value_of(&mut self, id: SpeciesId, path: &str, value: &Value) -> Result<(), Error> {
        let mut species = self.species(id)?.clone();
        species.set(path, value)?;
        self.edit_species(id, |edited| *edited = species)
    }

    /// Gives one agent another mass, radius, largest speed or largest force than its species has.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`]; [`Error::BadValue`] if `quantity` is not one of `mass`, `radius`, `max_speed` and
    /// `max_force`, or the value is out of its range.
    pub fn set_body(&mut self, id: AgentId, quantity: &str, value: f32) -> Result<(), Error> {
        let place = self.place(id)?;
        let body = &QUANTITIES[..BODY_QUANTITIES];
        let Some(number) = body.iter().position(|known| known.name == quantity) else {
            return Err(Error::bad("quantity", quantity, "one of mass, radius, max_speed, max_force"));
        };
        Spread::Same(value).check(&QUANTITIES[number])?;
        self.state.agents[place.species as usize].set_agent_quantity(place.row as usize, number, value + 0.0);
        Ok(())
    }

    /// Changes the settings. Agents that are outside of the changed world are brought to its boundary.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a setting is out of its range: then nothing has changed.
    pub fn set_settings(&mut self, settings: Settings<D>) -> Result<(), Error> {
        settings.check()?;
        self.state.settings = settings;
        for number in 0..self.state.agents.len() {
            for row in 0..self.state.agents[number].len() {
                let at = self.state.agents[number].position(row);
                let inside = match self.admit(at) {
                    Ok(inside) => inside,
                    Err(_) => Vector::from_fn(|axis| at[axis].clamp(0.0, self.state.settings.size[axis])),
                };
                if inside != at {
                    self.state.agents[number].set_position(row, inside);
                    self.state.orders[number].stray(row);
                }
            }
        }
        self.state.limited = None;
        self.derived.note(Change::Settings);
        Ok(())
    }

    /// Adds an agent. It is steered from the next step on.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::BadValue`] if a coordinate is not finite, or outside of a world that has a
    /// boundary (a periodic world takes any point within [`LIMIT`] and uses its image inside); [`Error::Full`].
    pub fn spawn(
        &mut self,
        species: SpeciesId,
        position: impl Into<Vector<D>>,
        velocity: impl Into<Vector<D>>,
    ) -> Result<AgentId, Error> {
        let number = species.number();
        if number >= self.state.agents.len() {
            return Err(Error::NoSuchSpecies(species));
        }
        let position = self.admit(position.into())?;
        let velocity = check_velocity(velocity.into())?;
        let id = self.state.spawn(number, position, velocity)?;
        self.derived.note(Change::Added { species: number, row: self.state.agents[number].len() - 1 });
        Ok(id)
    }

    /// Adds an agent for each position, and returns their ids in the same order. None is added if one is refused.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if there are not as many velocities; as for [`spawn`](Self::spawn).
    pub fn spawn_many(
        &mut self,
        species: SpeciesId,
        positions: &[[f32; D]],
        velocities: &[[f32; D]],
    ) -> Result<Vec<AgentId>, Error> {
        if positions.len() != velocities.len() {
            return Err(Error::Length { agents: positions.len(), given: velocities.len() });
        }
        self.agents(species)?;
        for (position, velocity) in positions.iter().zip(velocities) {
            self.admit(Vector(*position))?;
            check_velocity(Vector(*velocity))?;
        }
        let pairs = positions.iter().zip(velocities);
        pairs.map(|(position, velocity)| self.spawn(species, *position, *velocity)).collect()
    }

    /// Removes an agent at once. Rows of its species may move.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn despawn(&mut self, id: AgentId) -> Result<(), Error> {
        self.place(id)?;
        remove(&mut self.state, &mut self.derived, id);
        Ok(())
    }

    /// Removes the agents of a species for which `unwanted`, called with a row, says so. Returns how many these are.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn despawn_where(
        &mut self,
        species: SpeciesId,
        mut unwanted: impl FnMut(&crate::Agents<D>, usize) -> bool,
    ) -> Result<usize, Error> {
        let agents = self.agents(species)?;
        let rows = (0..agents.len()).filter(|&row| unwanted(agents, row));
        let ids: Vec<AgentId> = rows.map(|row| agents.ids()[row]).collect();
        for &id in &ids {
            remove(&mut self.state, &mut self.derived, id);
        }
        Ok(ids.len())
    }

    /// Removes all agents, of every species.
    pub fn clear(&mut self) {
        for number in 0..self.state.agents.len() {
            for row in (0..self.state.agents[number].len()).rev() {
                let id = self.state.agents[number].id[row];
                remove(&mut self.state, &mut self.derived, id);
            }
        }
    }

    /// The point if the world takes it, its image inside where the world is periodic.
    pub(crate) fn admit(&self, mut point: Vector<D>) -> Result<Vector<D>, Error> {
        if !point.0.iter().all(|coordinate| coordinate.abs() <= LIMIT) {
            return Err(Error::bad("position", point.0, "within 1e6 metres of zero"));
        }
        for axis in 0..D {
            let size = self.state.settings.size[axis];
            match self.state.settings.edge {
                Edge::Wrap if (0.0..size).contains(&point[axis]) && point[axis].is_sign_positive() => {}
                Edge::Wrap => {
                    let mut lanes = [point[axis]; 16];
                    wrap(self.level, &mut lanes, size);
                    point[axis] = lanes[0];
                }
                Edge::Open => {}
                Edge::Bounce | Edge::Remove | Edge::Respawn if (0.0..=size).contains(&point[axis]) => {}
                _ => return Err(Error::bad("position", point.0, format!("in the world: [0, {size}]"))),
            }
        }
        Ok(point)
    }

    /// Puts an agent elsewhere.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] as for [`spawn`](Self::spawn).
    pub fn set_position(&mut self, id: AgentId, position: impl Into<Vector<D>>) -> Result<(), Error> {
        let place = self.place(id)?;
        let position = self.admit(position.into())?;
        self.put(place.species as usize, place.row as usize, position);
        Ok(())
    }

    /// Puts all agents of a species elsewhere, row by row: one slice of metres per axis.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::Length`] if a slice is not as long as there are agents; [`Error::BadValue`] as
    /// for [`spawn`](Self::spawn): then no agent was moved.
    pub fn set_positions(&mut self, species: SpeciesId, positions: [&[f32]; D]) -> Result<(), Error> {
        let agents = self.agents(species)?.len();
        check_lengths(agents, &positions)?;
        let at = |row: usize| Vector::from_fn(|axis| positions[axis][row]);
        let admitted = (0..agents).map(|row| self.admit(at(row))).collect::<Result<Vec<_>, _>>()?;
        for (row, position) in admitted.into_iter().enumerate() {
            self.put(species.number(), row, position);
        }
        Ok(())
    }

    /// Gives all agents of a species other velocities, row by row: one slice of metres per second per axis.
    ///
    /// # Errors
    ///
    /// As for [`set_positions`](Self::set_positions).
    pub fn set_velocities(&mut self, species: SpeciesId, velocities: [&[f32]; D]) -> Result<(), Error> {
        let agents = self.agents(species)?.len();
        check_lengths(agents, &velocities)?;
        let at = |row: usize| Vector::from_fn(|axis| velocities[axis][row]);
        (0..agents).try_for_each(|row| check_velocity(at(row)).map(|_| ()))?;
        for row in 0..agents {
            self.state.agents[species.number()].set_velocity(row, at(row));
        }
        Ok(())
    }

    /// Puts the agent of a row at a point of the world.
    fn put(&mut self, species: usize, row: usize, position: Vector<D>) {
        let (agents, order) = (&mut self.state.agents[species], &mut self.state.orders[species]);
        let moved = self.state.settings.offset(agents.position(row), position);
        // A host that moves all agents itself moves them as far as they go in a tick: their order holds.
        let usual = agents.max_speed(row) * self.state.settings.tick_seconds * LONGEST as f32;
        agents.set_position(row, position);
        if moved.length_squared() > usual * usual {
            order.stray(row);
        } else {
            order.carried(moved.length());
        }
        // It stays if the edge was to remove it.
        if let Some(Leaving::Left) = self.state.leavers.get(&agents.id[row]) {
            self.state.leavers.remove(&agents.id[row]);
        }
        self.derived.note(Change::Row { species, row });
    }

    /// Gives an agent another velocity.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if a component is not finite or beyond [`LIMIT`].
    pub fn set_velocity(&mut self, id: AgentId, velocity: impl Into<Vector<D>>) -> Result<(), Error> {
        let place = self.place(id)?;
        let velocity = check_velocity(velocity.into())?;
        self.state.agents[place.species as usize].set_velocity(place.row as usize, velocity);
        Ok(())
    }

    /// Gives an agent a goal of its own, which the rules that have a target take instead of it, or takes it away.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if a coordinate is not finite or beyond [`LIMIT`].
    pub fn set_goal(&mut self, id: AgentId, goal: Option<Vector<D>>) -> Result<(), Error> {
        let place = self.place(id)?;
        if let Some(goal) = goal.filter(|goal| !goal.0.iter().all(|coordinate| coordinate.abs() <= LIMIT)) {
            return Err(Error::bad("goal", goal.0, "within 1e6 metres of zero"));
        }
        self.state.agents[place.species as usize].set_goal(place.row as usize, goal);
        Ok(())
    }

    /// Puts an agent into the state of this name, as if it had just entered it.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::NoSuchState`] if its species has no such state.
    pub fn set_state(&mut self, id: AgentId, state: &str) -> Result<(), Error> {
        let place = self.place(id)?;
        let (species, row) = (place.species as usize, place.row as usize);
        let number = self.state.species[species].state_number(state).ok_or(Error::NoSuchState(state.to_owned()))?;
        let columns = &mut self.state.agents[species].columns;
        if let Some(states) = columns.values_mut::<u32>(Owner::State) {
            states[row] = number as u32;
        }
        if let Some(seconds) = columns.values_mut::<f32>(Owner::Seconds) {
            seconds[row] = 0.0;
        }
        Ok(())
    }

    /// Points with names, obstacles, regions and flow fields, to be changed between ticks.
    pub fn scenery_mut(&mut self) -> SceneryMut<'_, D> {
        SceneryMut { regions: self.state.scenery.region_ids().map(|(id, _)| id).collect(), world: self }
    }

    /// Adds a column of a name of the host's choice to the agents of a species, `start` for all of them and for those to
    /// come. Columns move with their agents, are part of the state, and travel in snapshots.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], or [`Error::NameTaken`] if the species has a column or a variable of this name.
    pub fn add_column<T: ColumnValue>(&mut self, species: SpeciesId, name: &str, start: T) -> Result<(), Error> {
        let agents = self.state.agents.get_mut(species.number()).ok_or(Error::NoSuchSpecies(species))?;
        if agents.columns.named(name).is_some() {
            return Err(Error::NameTaken(name.to_owned()));
        }
        let column = crate::columns::Column::new(Owner::Host, name, start.data(), agents.len());
        agents.columns.0.push(column);
        self.state.conform(species.number());
        self.derived.note(Change::Rules);
        Ok(())
    }

    /// Removes a column that the host added.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], or [`Error::NoSuchColumn`].
    pub fn remove_column(&mut self, species: SpeciesId, name: &str) -> Result<(), Error> {
        let agents = self.state.agents.get_mut(species.number()).ok_or(Error::NoSuchSpecies(species))?;
        let place = agents.columns.0.iter().position(|column| column.is(Owner::Host, name));
        agents.columns.0.remove(place.ok_or_else(|| Error::NoSuchColumn(name.to_owned()))?);
        self.derived.note(Change::Rules);
        Ok(())
    }

    /// The value of an agent in a column that the host added, or a variable of its species' states.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], [`Error::NoSuchColumn`], or [`Error::ColumnType`].
    pub fn value<T: ColumnValue>(&self, id: AgentId, name: &str) -> Result<T, Error> {
        let place = self.place(id)?;
        Ok(self.state.agents[place.species as usize].column::<T>(name)?[place.row as usize])
    }

    /// Sets it.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], [`Error::NoSuchColumn`], [`Error::ColumnType`], or [`Error::BadValue`] if it is a variable
    /// and the value is out of its range.
    pub fn set_value<T: ColumnValue>(&mut self, id: AgentId, name: &str, value: T) -> Result<(), Error> {
        let place = self.place(id)?;
        self.check_values(place.species as usize, name, &[value])?;
        if let Some(column) = self.state.agents[place.species as usize].columns.named_mut(name) {
            if let Some(values) = T::rows_mut(&mut column.data) {
                values[place.row as usize] = value;
            }
        }
        Ok(())
    }

    /// Writes a column that the host added, or a variable of the species' states: one value per row.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], [`Error::NoSuchColumn`], [`Error::ColumnType`], [`Error::Length`] if there are not as
    /// many values as agents, or [`Error::BadValue`] if it is a variable and a value is out of its range: then nothing
    /// has changed.
    pub fn set_column<T: ColumnValue>(&mut self, species: SpeciesId, name: &str, values: &[T]) -> Result<(), Error> {
        let agents = self.agents(species)?.len();
        self.check_values(species.number(), name, values)?;
        if values.len() != agents {
            return Err(Error::Length { agents, given: values.len() });
        }
        if let Some(column) = self.state.agents[species.number()].columns.named_mut(name) {
            if let Some(rows) = T::rows_mut(&mut column.data) {
                rows.copy_from_slice(values);
            }
        }
        Ok(())
    }

    /// Whether a column holds such values, and a variable may have them.
    fn check_values<T: ColumnValue>(&self, species: usize, name: &str, values: &[T]) -> Result<(), Error> {
        let column = self.state.agents[species].columns.typed::<T>(name)?;
        let variables = &self.state.species[species].variables;
        let Some(variable) = variables.iter().find(|variable| column.is(Owner::Variable, &variable.name)) else {
            return Ok(());
        };
        for value in values {
            let data = value.data();
            let [number] = f32::rows(&data).unwrap_or_default() else { continue };
            if !(variable.low..=variable.high).contains(number) {
                return Err(Error::bad(name, number, format!("in [{}, {}]", variable.low, variable.high)));
            }
        }
        Ok(())
    }
}

impl<const D: usize> Species<D> {
    /// Sets a number or another value by its path: see [`World::set`].
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if there is no such number or the value is out of its range.
    pub fn set(&mut self, path: &str, value: &Value) -> Result<(), Error> {
        let Some((rule, parameter)) = path.rsplit_once('.') else {
            return match value {
                Value::Number(number) => self.set_quantity(path, *number as f32),
                _ => Err(Error::bad(path, value, "a number")),
            };
        };
        let place = match rule.strip_prefix("behaviours.") {
            Some(place) => place.parse().ok().filter(|&place: &usize| place < self.rules.len()),
            None => self.rules.iter().position(|known| known.behaviour.name() == rule),
        };
        let Some(place) = place else {
            let names: Vec<&str> = self.rules.iter().map(|rule| rule.behaviour.name()).collect();
            return Err(Error::bad("rule", rule, format!("one of {}", names.join(", "))));
        };
        match (parameter, value) {
            ("weight", Value::Number(number)) => {
                Spread::Same(*number as f32).check(&WEIGHT)?;
                self.rules[place].weight = *number as f32;
                Ok(())
            }
            _ => self.rules[place].set(parameter, value),
        }
    }
}

/// The scenery of a world, being changed.
#[derive(Debug)]
pub struct SceneryMut<'a, const D: usize> {
    world: &'a mut World<D>,
    /// The regions that there were.
    regions: Vec<RegionId>,
}

impl<const D: usize> Deref for SceneryMut<'_, D> {
    type Target = Scenery<D>;

    fn deref(&self) -> &Scenery<D> {
        &self.world.state.scenery
    }
}

impl<const D: usize> DerefMut for SceneryMut<'_, D> {
    fn deref_mut(&mut self) -> &mut Scenery<D> {
        &mut self.world.state.scenery
    }
}

impl<const D: usize> Drop for SceneryMut<'_, D> {
    fn drop(&mut self) {
        // Which regions there are decides what is remembered of agents.
        let state = &mut self.world.state;
        let now: Vec<RegionId> = state.scenery.region_ids().map(|(id, _)| id).collect();
        if now == self.regions {
            return;
        }
        for number in 0..state.species.len() {
            if !now.starts_with(&self.regions) {
                renumber(&mut state.agents[number], &self.regions, &now);
            }
            state.conform(number);
        }
        self.world.derived.note(Change::Rules);
    }
}

/// Gives the bits of regions, by their places in `before`, the places that the same regions have in `now`.
fn renumber<const D: usize>(agents: &mut crate::Agents<D>, before: &[RegionId], now: &[RegionId]) {
    let Some(column) = agents.columns.of_mut(Owner::Regions) else { return };
    let width = column.width;
    let crate::columns::Data::U64(words) = &mut column.data else { return };
    for words in words.chunks_mut(width) {
        let old = words.to_vec();
        words.fill(0);
        let inside = before.iter().enumerate().filter(|(place, _)| old[place / 64] >> (place % 64) & 1 == 1);
        for (_, id) in inside {
            if let Some(place) = now.iter().position(|other| other == id) {
                words[place / 64] |= 1 << (place % 64);
            }
        }
    }
}

fn check_lengths<const D: usize>(agents: usize, slices: &[&[f32]; D]) -> Result<(), Error> {
    match slices.iter().find(|slice| slice.len() != agents) {
        Some(slice) => Err(Error::Length { agents, given: slice.len() }),
        None => Ok(()),
    }
}

fn check_velocity<const D: usize>(velocity: Vector<D>) -> Result<Vector<D>, Error> {
    if velocity.0.iter().all(|component| component.abs() <= LIMIT) {
        return Ok(velocity);
    }
    Err(Error::bad("velocity", velocity.0, "within 1e6 metres per second on every axis"))
}
