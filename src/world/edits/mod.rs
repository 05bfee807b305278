//! Edits of a world by its host between ticks. Every value is checked on entry, and a refused edit changes nothing.
//!
//! An edit gets the state from [`World::edit`], changes it, and reports the data that it touched to
//! [`Derived::note`](crate::derived::Derived::note).

mod agents;
mod columns;
mod environment;
mod move_wall;

use crate::agents::columns::Owner;
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::Settings;
use crate::base::values::Allowed;
use crate::derived::Change;
use crate::rules::interface::Behaviour;
use crate::rules::parameters::Value;
use crate::species::{BODY_QUANTITIES, Distribution, MAX_SPEED, QUANTITIES, Rule, Species};
use crate::world::World;
use crate::world::compiled::Compiled;
use crate::world::edits::agents::moved_inside;

impl<const D: usize> World<D> {
    /// Adds a species. It has no agents yet.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a limit or a parameter is out of its range, [`Error::NameTaken`] if another species has
    /// this name.
    pub fn add_species(&mut self, species: Species<D>) -> Result<SpeciesId, Error> {
        let (state, derived) = self.edit();
        let id = (Compiled::functions().add_species)(state, species)?;
        derived.note(Change::Species);
        Ok(id)
    }

    /// Changes any part of the definition of a species, such as rules, quantities or states. Agents keep their state,
    /// variables and rule memory, except the columns of rules, states and variables that were removed. An agent whose
    /// state was removed enters the first state. A quantity that changed is drawn again for each agent, from the same
    /// random numbers as at its spawn.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; as for [`add_species`](Self::add_species) if the edited species is refused. Nothing
    /// has changed then.
    pub fn edit_species<R>(&mut self, id: SpeciesId, edit: impl FnOnce(&mut Species<D>) -> R) -> Result<R, Error> {
        let mut species = self.species(id)?.clone();
        let result = edit(&mut species);
        (Compiled::functions().replace_species)(self, id.number(), species)?;
        Ok(result)
    }

    pub(super) fn replace_species(&mut self, number: usize, species: Species<D>) -> Result<(), Error> {
        let (state, derived) = self.edit();
        state.replace_species(number, species)?;
        derived.note(Change::Rules);
        Ok(())
    }

    /// Changes the rule of type `T` at position `number` of a species' list.
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
    /// [`Error::NoSuchSpecies`]; [`Error::NoSuchRule`] if the list has no such position, or the rule there has another
    /// type; [`Error::BadValue`] if the edited rule is out of range. Nothing has changed then.
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

    /// Removes the rule at position `number` of a species' list, and its memory.
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
    /// rule's name (`separation.radius`) or its position (`behaviours.0.weight`). If several rules have this name, the
    /// path means the first of them.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::BadValue`] if the path does not exist or the value is out of its range.
    /// Nothing has changed then.
    pub fn set(&mut self, id: SpeciesId, path: &str, value: f64) -> Result<(), Error> {
        self.set_value_of(id, path, &Value::Number(value))
    }

    /// Sets a value of any kind by its path, such as a point, a word or a target: see [`set`](Self::set).
    ///
    /// # Errors
    ///
    /// As for [`set`](Self::set).
    pub fn set_value_of(&mut self, id: SpeciesId, path: &str, value: &Value) -> Result<(), Error> {
        let mut species = self.species(id)?.clone();
        species.set(path, value)?;
        self.edit_species(id, |edited| *edited = species)
    }

    /// Sets the mass, radius, largest speed or largest force of one agent, instead of the value of its species.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`]; [`Error::BadValue`] if `quantity` is not one of `mass`, `radius`, `max_speed` and
    /// `max_force`, or the value is out of its range.
    pub fn set_body(&mut self, id: AgentId, quantity: &str, value: f32) -> Result<(), Error> {
        let found = self.row_of(id)?;
        let body = &QUANTITIES[..BODY_QUANTITIES];
        let Some(number) = body.iter().position(|known| known.name == quantity) else {
            return Err(Error::bad("quantity", quantity, Allowed::one_of(body.iter().map(|known| known.name))));
        };
        Distribution::Same(value).check(&QUANTITIES[number])?;
        let agents = &mut self.edit().0.agents[found.species as usize];
        agents.set_agent_quantity(found.row as usize, number, value + 0.0);
        if let Some(speeds) = agents.columns.values_mut::<f32>(Owner::FreeSpeed).filter(|_| number == MAX_SPEED) {
            speeds[found.row as usize] = value + 0.0;
        }
        Ok(())
    }

    /// Changes the settings. Agents outside the changed world move to its boundary. A change of size or edge sets the
    /// [residuals](crate::Agents::position_residuals) of all positions to zero.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a setting is out of its range. Nothing has changed then.
    pub fn set_settings(&mut self, settings: Settings<D>) -> Result<(), Error> {
        settings.check()?;
        let (state, derived) = self.edit();
        let old = std::mem::replace(&mut state.settings, settings);
        let settings = &state.settings;
        if (settings.edge, settings.size) != (old.edge, old.size) {
            // The bound on residuals depends on the world's period.
            let residuals = state.agents.iter_mut().flat_map(|agents| &mut agents.position_residual);
            residuals.for_each(|column| column.fill(0.0));
        }
        state.mix.chosen = false;
        for number in 0..state.agents.len() {
            for row in 0..state.agents[number].len() {
                let at = state.agents[number].position(row);
                let inside = moved_inside(&state.settings, at);
                if inside != at {
                    state.agents[number].set_position(row, inside);
                    state.agents[number].forget_way(row);
                    state.stray(number, row);
                }
            }
        }
        state.limited = None;
        derived.note(Change::Settings);
        Ok(())
    }
}
