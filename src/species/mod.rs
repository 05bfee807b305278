//! A species: the bodies, limits and rules that agents of one kind have in common.

mod quantities;
mod rule;

pub use quantities::{BODY_QUANTITIES, QUANTITIES, Spread, THRESHOLD, WEIGHT};
pub use rule::Rule;

pub(crate) use quantities::check_quantities;

use std::sync::Arc;

use crate::agents::Body;
use crate::behaviour::Behaviour;
use crate::error::Error;
use crate::ids::AgentId;
use crate::maths::Noise;
use crate::motion::{Kinematic, Motion};
use crate::parameters::{Allowed, Kind, Parameter, Range, Value};
use crate::states::{self, Catch, State, Variable};

/// Agents of one kind: their bodies, their limits and their behaviours.
///
/// ```
/// use throng::behaviours::{Alignment, Cohesion, Separation};
/// use throng::{Species, Spread};
///
/// let starling = Species::<2>::new("starling")
///     .with_mass(0.08)
///     .with_max_speed(Spread::Uniform(8.0, 12.0))
///     .with(1.5, Separation { radius: 4.0, ..Separation::default() })
///     .with(1.0, Alignment::default())
///     .with(0.5, Cohesion::default());
/// assert_eq!(starling.rules.len(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Species<const D: usize> {
    /// The name that other species perceive it by.
    pub name: String,
    /// Mass in kilograms, in [1e-6, 1e6].
    pub mass: Spread,
    /// Radius of the body in metres, in [0, 1e6].
    pub radius: Spread,
    /// Largest speed in metres per second, in [0, 1e6].
    pub max_speed: Spread,
    /// Largest steering force in newtons, in [0, 1e9].
    pub max_force: Spread,
    /// Smallest speed in metres per second of an agent that moves at all, in [0, 1e6].
    pub min_speed: f32,
    /// Largest turn in degrees per second; infinite for an agent that turns as it likes.
    pub max_turn_rate: f32,
    /// The time in which an agent takes on the velocity it wants, in seconds, in (0, 1e6].
    pub response: f32,
    /// Whether the host moves the agents. The engine then steers them and makes their velocities what they want to be,
    /// and leaves the positions to the host: see [`World::set_position`](crate::World::set_position).
    pub moved_by_host: bool,
    /// How its agents move by what their rules want; as vehicles with mass and limits if none.
    pub motion: Option<Arc<dyn Motion<D>>>,
    /// Its rules, in the order in which their forces are combined.
    pub rules: Vec<Rule<D>>,
    /// How the forces of its rules are combined.
    pub combine: Combine,
    /// Its states, at most 32; the first is where agents start. It needs none.
    pub states: Vec<State>,
    /// What is remembered of each agent for its states.
    pub variables: Vec<Variable>,
    /// Which agents its agents catch.
    pub catch: Option<Catch>,
}

/// How the forces of several rules become one. A rule's force is multiplied by its weight first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Combine {
    /// Their sum.
    #[default]
    Weighted,
    /// The first, in the order of the rules, that is larger than this many newtons; none if no one is.
    Priority(f32),
    /// Their sum in the order of the rules, each cut to what is left of the largest force (Reynolds 1987: "prioritized
    /// acceleration allocation").
    Truncated,
}

impl<const D: usize> Species<D> {
    /// A species without behaviours: mass 1 kg, radius 0.5 m, at most 10 m/s and 30 N, response 0.2 s.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            mass: 1.0.into(),
            radius: 0.5.into(),
            max_speed: 10.0.into(),
            max_force: 30.0.into(),
            min_speed: 0.0,
            max_turn_rate: f32::INFINITY,
            response: 0.2,
            moved_by_host: false,
            motion: None,
            rules: Vec::new(),
            combine: Combine::Weighted,
            states: Vec::new(),
            variables: Vec::new(),
            catch: None,
        }
    }

    /// The species with one more behaviour.
    #[must_use]
    pub fn with(mut self, weight: f32, behaviour: impl Behaviour<D>) -> Self {
        self.rules.push(Rule::new(weight, behaviour));
        self
    }

    /// The species with one more behaviour, that has a say in one state only.
    #[must_use]
    pub fn with_during(mut self, state: &str, weight: f32, behaviour: impl Behaviour<D>) -> Self {
        self.rules.push(Rule::new(weight, behaviour).during(state));
        self
    }

    /// The species with another way of moving: see [`Motion`].
    #[must_use]
    pub fn with_motion(mut self, motion: impl Motion<D>) -> Self {
        self.motion = Some(Arc::new(motion));
        self
    }

    /// The species with [`Kinematic`] motion: an agent's velocity is what its rules want.
    #[must_use]
    pub fn kinematic(self) -> Self {
        self.with_motion(Kinematic)
    }

    /// The species with this mass, in kilograms.
    #[must_use]
    pub fn with_mass(mut self, mass: impl Into<Spread>) -> Self {
        self.mass = mass.into();
        self
    }

    /// The species with bodies of this radius, in metres.
    #[must_use]
    pub fn with_radius(mut self, radius: impl Into<Spread>) -> Self {
        self.radius = radius.into();
        self
    }

    /// The species with this largest speed, in metres per second.
    #[must_use]
    pub fn with_max_speed(mut self, max_speed: impl Into<Spread>) -> Self {
        self.max_speed = max_speed.into();
        self
    }

    /// The species with this largest steering force, in newtons.
    #[must_use]
    pub fn with_max_force(mut self, max_force: impl Into<Spread>) -> Self {
        self.max_force = max_force.into();
        self
    }

    /// The species with this smallest speed of an agent that moves at all, in metres per second.
    #[must_use]
    pub fn with_min_speed(mut self, min_speed: f32) -> Self {
        self.min_speed = min_speed;
        self
    }

    /// The species with this largest turn, in degrees per second.
    #[must_use]
    pub fn with_max_turn_rate(mut self, max_turn_rate: f32) -> Self {
        self.max_turn_rate = max_turn_rate;
        self
    }

    /// The species with this response, in seconds: the time in which an agent takes on the velocity it wants.
    #[must_use]
    pub fn with_response(mut self, response: f32) -> Self {
        self.response = response;
        self
    }

    /// The species with agents that catch others.
    #[must_use]
    pub fn with_catch(mut self, catch: Catch) -> Self {
        self.catch = Some(catch);
        self
    }

    /// The species with one more state. Agents start in the first.
    #[must_use]
    pub fn with_state(mut self, state: State) -> Self {
        self.states.push(state);
        self
    }

    /// The species with one more variable.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<String>, start: f32, low: f32, high: f32) -> Self {
        self.variables.push(Variable { name: name.into(), start, low, high });
        self
    }

    /// The place of the state of this name.
    pub(crate) fn state_number(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// The values of [`QUANTITIES`], in their order.
    #[must_use]
    pub fn quantities(&self) -> [Spread; 7] {
        let [min_speed, max_turn_rate, response] =
            [self.min_speed, self.max_turn_rate, self.response].map(Spread::Same);
        [self.mass, self.radius, self.max_speed, self.max_force, min_speed, max_turn_rate, response]
    }

    /// Sets one of [`QUANTITIES`] by its name.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if there is no such quantity, if the value is out of its range, or if it is a range for a
    /// quantity that is not the body's: then nothing has changed.
    pub fn set_quantity(&mut self, name: &str, value: impl Into<Spread>) -> Result<(), Error> {
        let value = value.into();
        let Some(place) = QUANTITIES.iter().position(|quantity| quantity.name == name) else {
            return Err(Error::bad("quantity", name, Allowed::one_of(QUANTITIES.map(|quantity| quantity.name))));
        };
        value.check(&QUANTITIES[place])?;
        match (place, value) {
            (0, value) => self.mass = value,
            (1, value) => self.radius = value,
            (2, value) => self.max_speed = value,
            (3, value) => self.max_force = value,
            (4, Spread::Same(value)) => self.min_speed = value,
            (5, Spread::Same(value)) => self.max_turn_rate = value,
            (6, Spread::Same(value)) => self.response = value,
            (place, value) => {
                let Parameter { kind, unit, .. } = QUANTITIES[place];
                return Err(Error::bad(name, value, Allowed::Kind { kind, unit }));
            }
        }
        Ok(())
    }

    /// Sets a number or another value by its path: see [`World::set`](crate::World::set).
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if there is no such number or the value is out of its range.
    pub fn set(&mut self, path: &str, value: &Value) -> Result<(), Error> {
        let Some((rule, parameter)) = path.rsplit_once('.') else {
            return match value {
                Value::Number(number) => self.set_quantity(path, *number as f32),
                _ => Err(Error::bad(path, value.clone(), Allowed::number(Range::FINITE, ""))),
            };
        };
        let place = match rule.strip_prefix("behaviours.") {
            Some(place) => place.parse().ok().filter(|&place: &usize| place < self.rules.len()),
            None => self.rules.iter().position(|known| known.behaviour.name() == rule),
        };
        let Some(place) = place else {
            return Err(Error::bad("rule", rule, Allowed::one_of(self.rules.iter().map(|rule| rule.behaviour.name()))));
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

    /// Whether every limit is in its range.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] names the first that is not.
    pub fn check(&self) -> Result<(), Error> {
        check_quantities(self.quantities())?;
        if let Combine::Priority(threshold) = self.combine {
            Spread::Same(threshold).check(&THRESHOLD)?;
        }
        for rule in &self.rules {
            rule.check(&self.states).map_err(|error| error.of_rule(rule.behaviour.name()))?;
        }
        if self.states.len() > 32 {
            return Err(Error::bad("states", self.states.len(), Allowed::Kind { kind: Kind::Whole(0, 32), unit: "" }));
        }
        states::check(&self.states, &self.variables, self.catch.as_ref())?;
        Ok(())
    }

    pub(crate) fn body(&self) -> Body {
        Body {
            mass: self.mass.varying(),
            radius: self.radius.varying(),
            max_speed: self.max_speed.varying(),
            max_force: self.max_force.varying(),
        }
    }

    /// One quantity of an agent's body: each is drawn from random numbers of its own, so that another quantity of the
    /// species does not change it.
    pub(crate) fn draw(&self, quantity: usize, seed: u64, agent: AgentId) -> f32 {
        let spread = [self.mass, self.radius, self.max_speed, self.max_force][quantity];
        spread.draw(&mut Noise::new(seed, agent.to_bits(), quantity as u64, Noise::BODY))
    }

    /// The quantities of an agent's body: mass, radius, largest speed, largest force.
    pub(crate) fn draw_body(&self, seed: u64, agent: AgentId) -> [f32; BODY_QUANTITIES] {
        std::array::from_fn(|quantity| self.draw(quantity, seed, agent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviours::Seek;
    use crate::states::{Condition, Place};
    use crate::world::World;
    use crate::{Settings, Vector};

    #[test]
    fn a_limit_of_minus_zero_is_zero() {
        let after = |max_speed: f32, set: f32| {
            let mut world = World::<2>::new(Settings::default()).unwrap();
            let species = Species::new("fly").with_max_speed(max_speed).with(1.0, Seek { target: [50.0, 50.0].into() });
            let species = world.add_species(species).unwrap();
            let agents = [[10.0, 20.0], [30.0, 40.0]].map(|at| world.spawn(species, at, [-1.0, 2.0]).unwrap());
            world.set_body(agents[1], "max_speed", set).unwrap();
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
    fn limits_are_set_in_a_chain() {
        let species = Species::<2>::new("fly")
            .with_mass(2.0)
            .with_radius(Spread::Uniform(0.1, 0.2))
            .with_max_speed(3.0)
            .with_max_force(4.0)
            .with_min_speed(1.0)
            .with_max_turn_rate(90.0)
            .with_response(0.5)
            .kinematic();
        let [mass, radius, max_speed, max_force, min_speed, max_turn_rate, response] = species.quantities();
        assert_eq!([mass, radius, max_speed], [2.0.into(), Spread::Uniform(0.1, 0.2), 3.0.into()]);
        assert_eq!([max_force, min_speed, max_turn_rate, response], [4.0, 1.0, 90.0, 0.5].map(Spread::Same));
        assert_eq!(species.motion.and_then(|motion| motion.name()), Some("kinematic"));
        assert_eq!(crate::Target::from(Vector([1.0, 2.0])), [1.0, 2.0].into());
    }
}
