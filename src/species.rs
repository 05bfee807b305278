//! What do agents of one kind have in common: bodies, limits, behaviours?

use crate::agents::{Body, Varying};
use crate::behaviour::Behaviour;
use crate::error::Error;
use crate::ids::AgentId;
use crate::noise::Noise;
use crate::settings::LIMIT;

/// Agents of one kind: their bodies, their limits and their behaviours.
///
/// ```
/// use throng::behaviours::{Alignment, Cohesion, Separation};
/// use throng::Species;
///
/// let starling = Species::<2>::new("starling")
///     .with(1.5, Separation { radius: 4.0, ..Separation::default() })
///     .with(1.0, Alignment::default())
///     .with(0.5, Cohesion::default());
/// assert_eq!(starling.rules.len(), 3);
/// ```
#[derive(Debug)]
pub struct Species<const D: usize> {
    /// The name that other species perceive it by.
    pub name: String,
    /// Mass in kilograms, in (0, 1e6].
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
    /// Its rules, in the order in which their forces are added.
    pub rules: Vec<Rule<D>>,
}

/// A behaviour of a species, and how much it counts.
#[derive(Debug)]
pub struct Rule<const D: usize> {
    /// The factor of the behaviour's force.
    pub weight: f32,
    /// The behaviour.
    pub behaviour: Box<dyn Behaviour<D>>,
}

/// A quantity of a body: the same for every agent, or drawn for each when it is spawned.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Spread {
    /// The same for all.
    Same(f32),
    /// Drawn from [low, high), all values equally likely.
    Uniform(f32, f32),
}

impl From<f32> for Spread {
    fn from(value: f32) -> Self {
        Self::Same(value)
    }
}

impl Spread {
    fn check(self, what: &str, low: f32, high: f32, above: bool) -> Result<(), Error> {
        let fits = |value: f32| value <= high && if above { value > low } else { value >= low };
        let fits = match self {
            Self::Same(value) => fits(value),
            Self::Uniform(least, most) => fits(least) && fits(most) && least <= most,
        };
        if fits {
            return Ok(());
        }
        Err(Error::bad(what, self, format!("in {}{low}, {high}], lower bound first", if above { '(' } else { '[' })))
    }

    /// The value for one agent.
    pub(crate) fn draw(self, noise: &mut Noise) -> f32 {
        match self {
            Self::Same(value) => value,
            Self::Uniform(low, high) => noise.between(low, high),
        }
    }

    fn varying(self) -> Varying {
        match self {
            Self::Same(value) => Varying::Same(value),
            Self::Uniform(..) => Varying::Each(Vec::new()),
        }
    }
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
            rules: Vec::new(),
        }
    }

    /// The species with one more behaviour.
    #[must_use]
    pub fn with(mut self, weight: f32, behaviour: impl Behaviour<D> + 'static) -> Self {
        self.rules.push(Rule { weight, behaviour: Box::new(behaviour) });
        self
    }

    /// Whether every limit is in its range.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] names the first that is not.
    pub fn check(&self) -> Result<(), Error> {
        self.mass.check("mass", 0.0, LIMIT, true)?;
        self.radius.check("radius", 0.0, LIMIT, false)?;
        self.max_speed.check("max_speed", 0.0, LIMIT, false)?;
        self.max_force.check("max_force", 0.0, 1e9, false)?;
        Spread::Same(self.min_speed).check("min_speed", 0.0, LIMIT, false)?;
        Spread::Same(self.max_turn_rate).check("max_turn_rate", 0.0, f32::INFINITY, false)?;
        Spread::Same(self.response).check("response", 0.0, LIMIT, true)?;
        for rule in &self.rules {
            Spread::Same(rule.weight).check("weight", -LIMIT, LIMIT, false)?;
        }
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

    /// The quantities of one agent's body: mass, radius, largest speed, largest force.
    pub(crate) fn draw_body(&self, seed: u64, agent: AgentId) -> [f32; 4] {
        let mut noise = Noise::new(seed, agent.to_bits(), 0, Noise::BODY);
        [self.mass, self.radius, self.max_speed, self.max_force].map(|spread| spread.draw(&mut noise))
    }
}
