//! Edits of a world by its host between ticks. Every value is checked on entry, and a refused edit changes nothing.
//!
//! An edit gets the state from [`World::edit`], to which it describes itself for a [recording](crate::Recording). It then
//! changes the state, and reports the data that it touched to [`Derived`](crate::derived::Derived).

pub(super) mod agents;
pub(super) mod columns;
mod environment;
mod move_wall;

use crate::agents::columns::Owner;
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::{Settings, check_tick};
use crate::base::values::Allowed;
use crate::derived::Change;
use crate::rules::interface::Behaviour;
use crate::rules::parameters::Value;
use crate::species::{Distribution, MAX_SPEED, Quantity, Rule, Species};
use crate::world::World;
use crate::world::compiled::Compiled;
use crate::world::edits::agents::{despawn_all, moved_inside};
use crate::world::recording::edit::{Definition, Edit};

impl<const D: usize> World<D> {
    /// Adds a species. It has no agents yet.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a limit or a parameter is out of its range or the name is empty, [`Error::NameTaken`] if
    /// another species has this name.
    pub fn add_species(&mut self, species: Species<D>) -> Result<SpeciesId, Error> {
        (Compiled::functions().add_species)(self, species)
    }

    pub(super) fn added_species(&mut self, mut species: Species<D>) -> Result<SpeciesId, Error> {
        self.state.disown(None, &mut species);
        self.state.admit_species(None, &species)?;
        let (state, derived) = self.edit(|| Edit::AddSpecies(Definition::of(&species)));
        let id = state.add_species(species)?;
        derived.note(Change::Species);
        Ok(id)
    }

    /// Removes a species and all its agents. The next tick reports each of them as despawned. Ids of other species stay
    /// valid, and this one is never assigned again; its name may be. A source, sink, rule or other definition that names it
    /// finds no agents until a species with this name is added. A removed species leaves an entry in the state, so a host
    /// that changes a species often does so by [`edit_species`](Self::edit_species).
    ///
    /// ```
    /// # use throng::{Settings, Species, World};
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let [fly, bee] = ["fly", "bee"].map(|name| world.add_species(Species::new(name)).unwrap());
    /// world.spawn(fly, [1.0, 1.0], [1.0, 0.0])?;
    /// world.remove_species(fly)?;
    /// assert!(world.species(fly).is_err() && world.population() == 0);
    /// assert_eq!(world.species_ids().collect::<Vec<_>>(), [bee]);
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], also if it was removed already.
    pub fn remove_species(&mut self, id: SpeciesId) -> Result<(), Error> {
        self.agents(id)?;
        let number = id.number();
        let (state, derived) = self.edit(|| Edit::RemoveSpecies(id));
        despawn_all(state, derived, number);
        state.remove_species(number);
        derived.note(Change::SpeciesRemoved { species: number });
        Ok(())
    }

    /// Changes any part of the definition of a species, such as rules, quantities or states. Agents keep their state,
    /// variables and rule memory, except the columns of rules, states and variables that were removed. An agent whose
    /// state was removed enters the first state. A quantity that changed is drawn again for each agent, from the same
    /// random numbers as at its spawn.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; as for [`add_species`](Self::add_species) if the edited species is refused. Nothing
    /// has changed then, as after a function that leaves the definition as it is.
    pub fn edit_species<R>(&mut self, id: SpeciesId, edit: impl FnOnce(&mut Species<D>) -> R) -> Result<R, Error> {
        let mut species = self.species(id)?.clone();
        let result = edit(&mut species);
        (Compiled::functions().replace_species)(self, id.number(), species)?;
        Ok(result)
    }

    pub(super) fn replace_species(&mut self, number: usize, mut species: Species<D>) -> Result<(), Error> {
        self.state.disown(Some(number), &mut species);
        self.state.admit_species(Some(number), &species)?;
        // A function that refuses the edit itself leaves the definition as it is.
        if Definition::are_equal(&species, &self.state.species[number]) {
            return Ok(());
        }
        let record = || Edit::ReplaceSpecies(SpeciesId(number as u32), Definition::of(&species));
        let (state, derived) = self.edit(record);
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

    /// Sets a value of a species by its path: a quantity (`max_speed`), or a parameter or the weight of a rule, by the
    /// rule's name (`separation.radius`) or its position (`behaviours.0.weight`). If several rules have this name, the
    /// path means the first of them. The value is a number, a point, a word or another kind of [`Value`], such as a
    /// target.
    ///
    /// ```
    /// # use throng::{Settings, Species, World, behaviours::Seek};
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let bird = world.add_species(Species::new("bird").with(1.0, Seek { target: [30.0, 40.0].into() }))?;
    /// world.set_parameter(bird, "max_speed", 12.0)?;
    /// world.set_parameter(bird, "seek.target", [60.0, 40.0])?;
    /// world.set_parameter(bird, "behaviours.0.weight", 0.5)?;
    /// assert!(world.set_parameter(bird, "seek.target", "no target").is_err());
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::BadValue`] if the path does not exist or the value is out of its range.
    /// Nothing has changed then.
    pub fn set_parameter(&mut self, id: SpeciesId, path: &str, value: impl Into<Value>) -> Result<(), Error> {
        let mut species = self.species(id)?.clone();
        species.set_parameter(path, value)?;
        self.edit_species(id, |edited| *edited = species)
    }

    /// Sets the mass, radius, largest speed or largest force of one agent, instead of the value of its species.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`]; [`Error::BadValue`] if the quantity is not one [of the body](Quantity::OF_BODY), or the
    /// value is out of its range.
    pub fn set_quantity(&mut self, id: AgentId, quantity: Quantity, value: f32) -> Result<(), Error> {
        let found = self.row_of(id)?;
        let Some(number) = Quantity::OF_BODY.into_iter().position(|known| known == quantity) else {
            return Err(Error::bad(
                "quantity",
                quantity.name(),
                Allowed::one_of(Quantity::OF_BODY.map(Quantity::name)),
            ));
        };
        Distribution::Same(value).check(quantity.parameter())?;
        let (state, _) = self.edit(|| Edit::SetQuantity(id, quantity, value));
        let agents = &mut state.agents[found.species as usize];
        agents.set_agent_quantity(found.row as usize, number, value + 0.0);
        if let Some(speeds) = agents.columns.values_mut::<f32>(Owner::FreeSpeed).filter(|_| number == MAX_SPEED) {
            speeds[found.row as usize] = value + 0.0;
        }
        Ok(())
    }

    /// Sets the length of the next ticks, in seconds. It may change in every frame: this costs nothing, and the next tick
    /// costs no more than others. [`seconds`](Self::seconds) continues from the present time, and so do doors, schedules
    /// and everything else that depends on the time.
    ///
    /// ```
    /// # use throng::{Settings, World};
    /// let mut world = World::<2>::new(Settings { tick_seconds: 0.5, ..Settings::default() })?;
    /// world.step();
    /// world.set_tick_seconds(0.25)?;
    /// world.step();
    /// assert_eq!(world.seconds(), 0.75);
    /// assert!(world.set_tick_seconds(0.0).is_err());
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the length is not in (0, 1000] s. Nothing has changed then.
    pub fn set_tick_seconds(&mut self, seconds: f32) -> Result<(), Error> {
        check_tick(seconds)?;
        if seconds == self.settings().tick_seconds {
            return Ok(());
        }
        // What is derived from the state depends on distances, which agents and walls have moved, not on times.
        self.edit(|| Edit::SetTickSeconds(seconds)).0.change_tick(seconds);
        Ok(())
    }

    /// Changes the settings. Agents outside the changed world move to its boundary. A change of size or edge sets the
    /// [residuals](crate::Agents::position_residuals) of all positions to zero.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a setting is out of its range, or if seams differ. Nothing has changed then.
    pub fn set_settings(&mut self, settings: Settings<D>) -> Result<(), Error> {
        settings.check()?;
        if settings.seams != self.state.settings.seams {
            return Err(Error::bad("seams", settings.seams.len(), Allowed::Unchanged));
        }
        let (state, derived) = self.edit(|| Edit::SetSettings(settings.clone()));
        state.change_tick(settings.tick_seconds);
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
                    state.agents[number].jump(row, inside);
                    state.stray(number, row);
                }
            }
        }
        state.limited = None;
        derived.note(Change::Settings);
        Ok(())
    }
}
