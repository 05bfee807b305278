//! Species: the bodies, limits and rules shared by agents of one kind.

mod condition;
mod contacts;
mod draws;
mod familiar;
mod kinds;
mod people;
pub(crate) mod resolved_names;
pub(crate) mod resolved_states;
mod quantity;
pub(crate) mod registry;
pub(crate) mod stairs;
mod rule;
#[cfg(feature = "serde")]
mod rule_form;
#[cfg(feature = "serde")]
mod species_form;
pub mod states;
pub mod tables;

pub use crate::base::distribution::Distribution;
pub use crate::base::population::{Population, Sex};
pub use contacts::Contacts;
pub use familiar::Familiar;
pub use kinds::PersonKind;
pub use quantity::Quantity;
pub use rule::Rule;
#[cfg(feature = "serde")]
pub use species_form::SpeciesSeed;

pub(crate) use tables::{LIFETIME, MAX_SPEED, PRE_MOVEMENT};

use crate::species::tables::{THRESHOLD, TIMES, WEIGHT, check_quantities};

use std::any::Any;
use std::sync::Arc;

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::environment::{FACTOR, Sink};
use crate::rules::interface::{Behaviour, Inputs, Sight, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::Kinematic;
use crate::rules::parameters::{Allowed, Kind, Parameter, Range, Value};
use crate::rules::{behaviours, motions};
use crate::species::states::{Catch, State, Variable};

definition! {
    /// Agents of one kind: their bodies, their limits and their behaviours.
    ///
    /// ```
    /// use throng::behaviours::{Alignment, Cohesion, Separation};
    /// use throng::{Distribution, Species};
    ///
    /// let starling = Species::<2>::new("starling")
    ///     .with_mass(0.08)
    ///     .with_max_speed(Distribution::Uniform(8.0, 12.0))
    ///     .with(1.5, Separation { radius: 4.0, ..Separation::default() })
    ///     .with(1.0, Alignment::default())
    ///     .with(0.5, Cohesion::default());
    /// assert_eq!(starling.rules.len(), 3);
    /// ```
    #[derive(Clone, Debug)]
    pub struct Species<D> {
        /// The name, by which rules of other species refer to it.
        pub name: String;
        /// Mass in kilograms, in [1e-6, 1e6].
        pub mass: Distribution = (tables::default(0).into());
        /// Radius of the body in metres, in [0, 1e6].
        pub radius: Distribution = (tables::default(1).into());
        /// Largest speed in metres per second, in [0, 1e6].
        pub max_speed: Distribution = (tables::default(2).into());
        /// Largest steering force in newtons, in [0, 1e9].
        pub max_force: Distribution = (tables::default(3).into());
        /// Smallest speed of a moving agent in metres per second, in [0, 1e6].
        pub min_speed: f32 = (tables::default(4));
        /// Largest turn rate in degrees per second; infinite for no limit.
        pub max_turn_rate: f32 = (tables::default(5));
        /// The time in which an agent reaches its desired velocity, in seconds, in (0, 1e6].
        pub response: f32 = (tables::default(6));
        /// Whether the host moves the agents. The engine then steers them and updates their velocities, and leaves the
        /// positions to the host: see [`World::set_position`](crate::World::set_position).
        pub moved_by_host: bool;
        /// The motion of its agents; `None` for vehicles with mass and limits.
        pub motion: Option<Arc<dyn Motion<D>>>;
        /// Its rules, in the order in which their forces are combined.
        pub rules: Vec<Rule<D>>;
        /// The method that combines the forces of its rules.
        pub combine: Combine;
        /// Its states, at most 32. Agents start in the first. May be empty.
        pub states: Vec<State>;
        /// The variables of each agent, which states change.
        pub variables: Vec<Variable>;
        /// The catch of its agents, if any.
        pub catch: Option<Catch>;
        /// The contacts that its agents report, if any.
        pub contacts: Option<Contacts>;
        /// The time for which an agent rests after it is spawned, in seconds: it has no velocity, its rules and its states
        /// are silent, and it catches nothing. The column `pre_movement` of its agents has the time left.
        pub pre_movement: Option<Distribution>;
        /// The time after which an agent is removed, in seconds since it was spawned. The column `lifetime` of its agents
        /// has the time left.
        pub lifetime: Option<Distribution>;
        /// Kinds of people among its agents, such as wheelchair users, each with a share. Agents beyond the shares have the
        /// quantities of the species. The column `kind` of its agents has the number of the kind from 1 on, or 0.
        pub kinds: Vec<PersonKind>;
        /// The shares of the agents that know the goals of navigations, drawn for each agent when it is spawned. Agents know
        /// the goals of all others. The column `familiar` has the goals that an agent knows: see
        /// [`WalkTo`](crate::behaviours::WalkTo).
        pub familiar: Vec<Familiar>;
        /// Whether `walls` and closed doors hide other agents from all rules with `sight = "through"`, rules without that
        /// key, and the model of motion; `social_force` and `collision_free_speed` see through no wall.
        pub sight: Sight = (Sight::Through) or "through", "", Kind::Choice(&["through", "walls"]);
        /// Least distance between the body of a new agent of a source and other bodies, walls and obstacles.
        pub gap: f32 = 0.0, "m", Kind::Number(Range::LENGTH), [added];
        /// Factor of the largest speed up stairs, in place of the factor of the stairs.
        pub stairs_up: Option<f32> = None, "", Kind::Number(FACTOR), [added];
        /// Factor of the largest speed down stairs, in place of the factor of the stairs.
        pub stairs_down: Option<f32> = None, "", Kind::Number(FACTOR), [added];
    }
}

/// The method that combines the forces of several rules. A rule's force is first multiplied by its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Combine {
    /// The sum of the forces.
    #[default]
    Weighted,
    /// The first force, in the order of the rules, that exceeds this many newtons; zero if none does.
    Priority(f32),
    /// The sum in the order of the rules, each force truncated to the remainder of the largest force (Reynolds 1987:
    /// "prioritized acceleration allocation").
    Truncated,
}

impl<const D: usize> Species<D> {
    /// A species without behaviours: mass 1 kg, radius 0.5 m, at most 10 m/s and 30 N, response 0.2 s.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::blank() }
    }

    /// Adds a behaviour.
    #[must_use]
    pub fn with(mut self, weight: f32, behaviour: impl Behaviour<D>) -> Self {
        self.rules.push(Rule::new(weight, behaviour));
        self
    }

    /// Adds a behaviour that applies in one state only.
    #[must_use]
    pub fn with_during(mut self, state: &str, weight: f32, behaviour: impl Behaviour<D>) -> Self {
        self.rules.push(Rule::new(weight, behaviour).during(state));
        self
    }

    /// Sets the motion: see [`Motion`].
    #[must_use]
    pub fn with_motion(mut self, motion: impl Motion<D>) -> Self {
        self.motion = Some(Arc::new(motion));
        self
    }

    /// Sets the [`Kinematic`] motion: an agent has the velocity that its rules desire.
    #[must_use]
    pub fn kinematic(self) -> Self {
        self.with_motion(Kinematic {})
    }

    /// Sets the mass, in kilograms.
    #[must_use]
    pub fn with_mass(mut self, mass: impl Into<Distribution>) -> Self {
        self.mass = mass.into();
        self
    }

    /// Sets the radius of the body, in metres.
    #[must_use]
    pub fn with_radius(mut self, radius: impl Into<Distribution>) -> Self {
        self.radius = radius.into();
        self
    }

    /// Sets the largest speed, in metres per second.
    #[must_use]
    pub fn with_max_speed(mut self, max_speed: impl Into<Distribution>) -> Self {
        self.max_speed = max_speed.into();
        self
    }

    /// Sets the largest steering force, in newtons.
    #[must_use]
    pub fn with_max_force(mut self, max_force: impl Into<Distribution>) -> Self {
        self.max_force = max_force.into();
        self
    }

    /// Sets the smallest speed of a moving agent, in metres per second.
    #[must_use]
    pub fn with_min_speed(mut self, min_speed: f32) -> Self {
        self.min_speed = min_speed;
        self
    }

    /// Sets the largest turn rate, in degrees per second.
    #[must_use]
    pub fn with_max_turn_rate(mut self, max_turn_rate: f32) -> Self {
        self.max_turn_rate = max_turn_rate;
        self
    }

    /// Sets the response, in seconds: the time in which an agent reaches its desired velocity.
    #[must_use]
    pub fn with_response(mut self, response: f32) -> Self {
        self.response = response;
        self
    }

    /// Sets which walls hide other agents from all rules that leave it open.
    #[must_use]
    pub fn with_sight(mut self, sight: Sight) -> Self {
        self.sight = sight;
        self
    }

    /// Sets the catch: see [`Catch`].
    #[must_use]
    pub fn with_catch(mut self, catch: Catch) -> Self {
        self.catch = Some(catch);
        self
    }

    /// Reports contacts with agents of a filter, within a distance between bodies in metres: see [`Contacts`].
    #[must_use]
    pub fn with_contacts(mut self, filter: SpeciesFilter, distance: f32) -> Self {
        self.contacts = Some(Contacts::new(filter, distance));
        self
    }

    /// Sets the time for which agents rest after they are spawned, in seconds.
    #[must_use]
    pub fn with_pre_movement(mut self, pre_movement: impl Into<Distribution>) -> Self {
        self.pre_movement = Some(pre_movement.into());
        self
    }

    /// Sets the time after which agents are removed, in seconds.
    #[must_use]
    pub fn with_lifetime(mut self, lifetime: impl Into<Distribution>) -> Self {
        self.lifetime = Some(lifetime.into());
        self
    }

    /// Adds a state. Agents start in the first.
    #[must_use]
    pub fn with_state(mut self, state: State) -> Self {
        self.states.push(state);
        self
    }

    /// Adds a variable with its start value, or its distribution, and its range.
    #[must_use]
    pub fn with_variable(
        mut self,
        name: impl Into<String>,
        start: impl Into<Distribution>,
        low: f32,
        high: f32,
    ) -> Self {
        self.variables.push(Variable { name: name.into(), start: start.into(), low, high });
        self
    }

    /// The position of the state with this name.
    pub(crate) fn state_number(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// The states in which a sink removes agents of the species, one bit each. Species without states have the first bit.
    pub(crate) fn removed_by(&self, sink: &Sink) -> u32 {
        if !sink.species.is_empty() && !sink.species.contains(&self.name) {
            return 0;
        }
        if sink.states.is_empty() {
            return u32::MAX;
        }
        let numbers = sink.states.iter().filter_map(|name| self.state_number(name));
        numbers.fold(0, |states, number| states | 1 << number)
    }

    /// The value of a quantity, or how it is drawn.
    #[must_use]
    pub fn quantity(&self, quantity: Quantity) -> Distribution {
        self.quantities()[quantity as usize]
    }

    /// The values of [`Quantity::ALL`], in their order.
    pub(crate) fn quantities(&self) -> [Distribution; 7] {
        let [min_speed, max_turn_rate, response] =
            [self.min_speed, self.max_turn_rate, self.response].map(Distribution::Same);
        [self.mass, self.radius, self.max_speed, self.max_force, min_speed, max_turn_rate, response]
    }

    /// Sets a quantity.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the value is out of its range, or if it is drawn for a quantity that is not one
    /// [of the body](Quantity::OF_BODY). An error leaves the species unchanged.
    pub fn set_quantity(&mut self, quantity: Quantity, value: impl Into<Distribution>) -> Result<(), Error> {
        let (value, parameter) = (value.into(), quantity.parameter());
        value.check(parameter)?;
        let shared = || match value {
            Distribution::Same(value) => Ok(value),
            _ => {
                let Parameter { name, kind, unit, .. } = *parameter;
                Err(Error::bad(name, value, Allowed::Kind { kind, unit }))
            }
        };
        match quantity {
            Quantity::Mass => self.mass = value,
            Quantity::Radius => self.radius = value,
            Quantity::MaxSpeed => self.max_speed = value,
            Quantity::MaxForce => self.max_force = value,
            Quantity::MinSpeed => self.min_speed = shared()?,
            Quantity::MaxTurnRate => self.max_turn_rate = shared()?,
            Quantity::Response => self.response = shared()?,
        }
        Ok(())
    }

    /// Sets a value by its path: see [`World::set_parameter`](crate::World::set_parameter).
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the path does not exist or the value is out of its range.
    pub fn set_parameter(&mut self, path: &str, value: impl Into<Value>) -> Result<(), Error> {
        self.set_value(path, &value.into())
    }

    fn set_value(&mut self, path: &str, value: &Value) -> Result<(), Error> {
        let Some((rule, parameter)) = path.rsplit_once('.') else {
            let Some(quantity) = Quantity::named(path) else {
                return Err(Error::bad("quantity", path, Allowed::one_of(Quantity::ALL.map(Quantity::name))));
            };
            return match value.number() {
                Some(number) => self.set_quantity(quantity, number as f32),
                None => Err(Error::bad(path, value.clone(), Allowed::number(Range::FINITE, ""))),
            };
        };
        if rule == "motion" {
            return self.set_motion(parameter, value);
        }
        let place = match rule.strip_prefix("behaviours.") {
            Some(place) => place.parse().ok().filter(|&place: &usize| place < self.rules.len()),
            None => self.rules.iter().position(|known| known.behaviour.name() == rule),
        };
        let Some(place) = place else {
            return Err(Error::bad("rule", rule, Allowed::one_of(self.rules.iter().map(|rule| rule.behaviour.name()))));
        };
        match value.number() {
            Some(weight) if parameter == WEIGHT.name => {
                Distribution::Same(weight as f32).check(&WEIGHT)?;
                self.rules[place].weight = weight as f32;
                Ok(())
            }
            _ => self.rules[place].set(parameter, value),
        }
    }

    /// Sets one parameter of the motion's table.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownRule`] if the species has no motion with a table, [`Error::BadValue`] if the table does not
    /// contain the parameter or the value is out of its range. An error leaves the species unchanged.
    fn set_motion(&mut self, parameter: &str, value: &Value) -> Result<(), Error> {
        let table = self.motion.as_ref().and_then(|motion| motion.table());
        let mut changed = table.ok_or_else(|| Error::UnknownRule("motion".to_owned()))?.duplicate();
        changed.set(parameter, value)?;
        self.motion = Some(Arc::from(changed as Box<dyn Motion<D>>));
        Ok(())
    }

    /// Checks that every limit is in its range.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] for the first limit out of its range.
    pub fn check(&self) -> Result<(), Error> {
        self.inputs().map(drop)
    }

    /// Checks the species. Returns the inputs of its rules, and of its motion if it has one.
    pub(crate) fn inputs(&self) -> Result<Vec<Inputs>, Error> {
        check_quantities(self.quantities())?;
        self.check_keys()?;
        if let Combine::Priority(threshold) = self.combine {
            Distribution::Same(threshold).check(&THRESHOLD)?;
        }
        let of_motion = self.motion.as_ref().map(|motion| rule::check_motion(&**motion)).transpose()?;
        let variables: Vec<&str> = self.variables.iter().map(|variable| &variable.name[..]).collect();
        let of_rule =
            |rule: &Rule<D>| rule.check(&self.states, &variables).map_err(|error| error.of_rule(rule.behaviour.name()));
        let of_rules = self.rules.iter().map(of_rule).collect::<Result<Vec<_>, _>>()?;
        if self.states.len() > 32 {
            return Err(Error::bad("states", self.states.len(), Allowed::Kind { kind: Kind::Whole(0, 32), unit: "" }));
        }
        states::check(&self.states, &self.variables, self.catch.as_ref())?;
        self.contacts.as_ref().map_or(Ok(()), Contacts::check_keys)?;
        PersonKind::check(&self.kinds, &variables, self.pre_movement.is_some())?;
        self.familiar.iter().try_for_each(Familiar::check)?;
        for (time, table) in self.times().into_iter().zip(&TIMES) {
            let Some(time) = time else { continue };
            time.check(table)?;
            if self.variables.iter().any(|variable| variable.name == table.name) {
                return Err(Error::NameTaken(table.name.to_owned()));
            }
        }
        Ok(of_rules.into_iter().chain(of_motion).map(|inputs| inputs.seen_by(self.sight)).collect())
    }

    /// The distributions of [`TIMES`], in their order.
    pub(crate) fn times(&self) -> [Option<Distribution>; 2] {
        [self.pre_movement, self.lifetime]
    }

    /// Whether a rule or the motion is not built in, so that it may panic.
    pub(crate) fn is_hosted(&self) -> bool {
        let is_own_rule = |rule: &Rule<D>| {
            let rule: &dyn Any = &*rule.behaviour;
            behaviours::all::<D>().iter().any(|own| (&**own as &dyn Any).type_id() == rule.type_id())
        };
        let is_own_motion = |motion: &Arc<dyn Motion<D>>| {
            let motion: &dyn Any = &**motion;
            motions::all::<D>().iter().any(|own| (&**own as &dyn Any).type_id() == motion.type_id())
        };
        !self.rules.iter().all(is_own_rule) || !self.motion.iter().all(is_own_motion)
    }

    /// Whether a motion turns the velocities that rules want into others.
    pub(crate) fn prefers(&self) -> bool {
        self.motion.is_some() && !self.rules.is_empty()
    }

    /// The name of the model by which its agents move, if they have a motion.
    pub(crate) fn model(&self) -> Option<&'static str> {
        self.motion.as_ref().map(|motion| motion.table().map_or("own", |table| table.rule()))
    }

    /// Whether a motion displaces its agents in addition to their velocities.
    pub(crate) fn displaces(&self) -> bool {
        self.motion.as_ref().is_some_and(|motion| motion.displaces())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::Seek;
    use crate::species::states::{Condition, Place};
    use crate::world::World;
    use crate::{Settings, Vector};

    #[test]
    fn a_limit_of_minus_zero_is_zero() {
        let after = |max_speed: f32, set: f32| {
            let mut world = World::<2>::new(Settings::default()).unwrap();
            let species = Species::new("fly").with_max_speed(max_speed).with(1.0, Seek { target: [50.0, 50.0].into() });
            let species = world.add_species(species).unwrap();
            let agents = [[10.0, 20.0], [30.0, 40.0]].map(|at| world.spawn(species, at, [-1.0, 2.0]).unwrap());
            world.set_quantity(agents[1], crate::Quantity::MaxSpeed, set).unwrap();
            world.step();
            agents.map(|agent| world.velocity(agent).unwrap().0.map(f32::to_bits))
        };
        assert_eq!(after(-0.0, -0.0), after(0.0, 0.0));
        assert_eq!(after(1.0, -0.0), after(1.0, 0.0));
    }

    #[test]
    fn a_place_has_finite_coordinates() {
        for (point, fits) in [(vec![1.0, 2.0], true), (vec![f32::NAN, 0.0], false), (vec![0.0, 2e6], false)] {
            for when in [Condition::NearerPlace, Condition::FartherPlace] {
                let state = State::new("idle").with_transition("idle", when(Place::Point(point.clone()), 3.0));
                assert_eq!(Species::<2>::new("moth").with_state(state).check().is_ok(), fits, "{point:?}");
            }
        }
    }

    #[test]
    fn builder_methods_set_all_limits() {
        let species = Species::<2>::new("fly")
            .with_mass(2.0)
            .with_radius(Distribution::Uniform(0.1, 0.2))
            .with_max_speed(3.0)
            .with_max_force(4.0)
            .with_min_speed(1.0)
            .with_max_turn_rate(90.0)
            .with_response(0.5)
            .kinematic();
        let [mass, radius, max_speed, max_force, min_speed, max_turn_rate, response] = species.quantities();
        assert_eq!([mass, radius, max_speed], [2.0.into(), Distribution::Uniform(0.1, 0.2), 3.0.into()]);
        assert_eq!([max_force, min_speed, max_turn_rate, response], [4.0, 1.0, 90.0, 0.5].map(Distribution::Same));
        assert_eq!(species.motion.as_ref().and_then(|motion| Some(motion.table()?.rule())), Some("kinematic"));
        assert_eq!(crate::Target::from(Vector([1.0, 2.0])), [1.0, 2.0].into());
    }
}
