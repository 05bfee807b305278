//! Zones: regions that change the largest speed of agents, and carry them.

use crate::base::definition::{self, Definition, definition};
use crate::base::error::Error;
use crate::base::handles::ZoneId;
use crate::base::values::{Allowed, Field, Kind, Parameter, Range, Value};
use crate::environment::collection::{Data, Item};
use crate::maths::Vector;

definition! {
    /// Multiplies the largest speed of the agents in a region by a factor: stairs, escalators, rough ground. An agent that
    /// leaves the region has its own largest speed again. Where zones overlap, their factors multiply.
    ///
    /// The zones of a tick are those in which an agent was at the end of the last one. Where a zone has two factors, the
    /// velocity that the rules of an agent want decides, also while it rests: its own velocity plus their force times the
    /// [response](crate::Species::response), whatever the motion, and for vehicles too. Nothing that a motion adds, such as
    /// the push of a crowd, moves it against the direction faster than this factor.
    ///
    /// In smoke the largest speed is multiplied once more, as Frantzich and Nilsson (Utrymning genom tät rök, 2003) measured
    /// and FDS+Evac computes: by `1 - 0.0807 extinction`, and by 0.1 at least. The quickest ways count this factor in steps
    /// of an eighth, everywhere at once.
    ///
    /// A zone can carry its agents: an escalator, a moving walk. They move with the ground in addition to their own
    /// velocity, which remains relative to the ground. The quickest ways count it for people of 1.34 m/s.
    ///
    /// A zone can add to a [variable](crate::Variable) of the agents in it, such as the dose of a gas. Series are linear
    /// between their times; the first number holds before them, and the last one after them.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Zone<D> {
        /// Region of the zone.
        pub region: String, "", Kind::Reference("region");
        /// Factor of the largest speed.
        pub factor: f32, "", Kind::Number(FACTOR);
        /// Factor of agents that want to move against a direction, if it is another one.
        pub against: Option<Against<D>> as Against<2>;
        /// Velocity of the ground, which carries the agents.
        pub carry: Vector<D> = (Vector::ZERO), "m/s", Kind::Point(Range::COORDINATE), [added];
        /// Extinction of smoke over time.
        pub extinction: Vec<[f32; 2]> = (Vec::new()), "1/m", Kind::Series(Range::from(0.0, 1e3)), [added];
        /// Variable to which the zone adds; the species that lack it are not concerned.
        pub variable: Option<String> = None, "", Kind::Reference("variable"), [added];
        /// Whether it is a flight of stairs that leads up in `direction`: factors of species on stairs replace its own.
        pub stairs: bool = false, "", Kind::Flag, [added];
        /// What it adds to the variable in a second, over time.
        pub rate: Vec<[f32; 2]> = (Vec::new()), "1/s", Kind::Series(Range::COORDINATE), [added];
    }
}

/// The factor of agents that want to move against a direction: see [`Zone`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Against<const D: usize> {
    /// The direction.
    pub direction: Vector<D>,
    /// The factor of agents that want a velocity with a component against the direction.
    pub factor: f32,
}

/// The free speed of people for which ways count grounds that carry them, and lifts, in metres per second: Weidmann,
/// Transporttechnik der Fussgänger (1993).
pub(crate) const WALKING: f32 = 1.34;

/// The part of the speed that an extinction of one per metre costs: 0.057 of 0.706 m/s.
const SLOWER: f32 = 0.057 / 0.706;

/// The least factor in smoke.
const SLOWEST: f32 = 0.1;

/// The factors up and down stairs that an agent has of its own.
pub(crate) type Factors = [Option<f32>; 2];

/// The range of factors.
pub(crate) const FACTOR: Range = Range::from(0.0, 10.0);

const AGAINST: [Parameter; 2] = [
    Parameter::optional(
        "against",
        "",
        Kind::Number(FACTOR),
        "Factor for agents that want to move against `direction`.",
    ),
    Parameter::optional("direction", "", Kind::Point(Range::COORDINATE), "Direction that `against` refers to."),
];

impl<const D: usize> Definition for Against<D> {
    const KEYS: &'static [Parameter] = &AGAINST;

    fn get(&self, key: &str) -> Option<Value> {
        match key {
            "against" => Some(self.factor.into()),
            "direction" => Some(self.direction.into()),
            _ => None,
        }
    }

    fn blank() -> Self {
        Self { direction: Vector::ZERO, factor: 1.0 }
    }

    fn read(given: &[(&str, Value)]) -> Result<Self, Error> {
        Ok(Self {
            factor: definition::needed(given, Self::key("against"), Some("direction"))?,
            direction: definition::needed(given, Self::key("direction"), Some("against"))?,
        })
    }

    fn check_keys(&self) -> Result<(), Error> {
        Field::check(&self.factor, Self::key("against"))?;
        Field::check(&self.direction, Self::key("direction"))?;
        if self.direction == Vector::ZERO {
            return Err(Error::bad("direction", self.direction, Allowed::Direction));
        }
        Ok(())
    }
}

impl<const D: usize> Zone<D> {
    /// A zone with one factor.
    #[must_use]
    pub fn new(region: impl Into<String>, factor: f32) -> Self {
        Self { region: region.into(), factor, ..Self::blank() }
    }

    /// Sets the factor of agents that want to move against a direction.
    #[must_use]
    pub fn with_against(mut self, direction: impl Into<Vector<D>>, factor: f32) -> Self {
        self.against = Some(Against { direction: direction.into(), factor });
        self
    }

    /// The factor of the largest speed in its smoke at a time.
    pub(crate) fn factor_in_smoke(&self, seconds: f64) -> f32 {
        let factor = 1.0 - SLOWER * at(&self.extinction, seconds);
        if factor > SLOWEST { factor } else { SLOWEST }
    }

    /// What it adds to its variable in a tick from a time on.
    pub(crate) fn added(&self, seconds: f64, tick_seconds: f32) -> f32 {
        at(&self.rate, seconds) * tick_seconds
    }

    /// Sets the velocity of the ground in metres per second.
    #[must_use]
    pub fn with_carry(mut self, carry: impl Into<Vector<D>>) -> Self {
        self.carry = carry.into();
        self
    }

    /// Whether speeds in it depend on the direction.
    pub(crate) fn is_directed(&self) -> bool {
        self.against.is_some() || self.carry != Vector::ZERO
    }

    /// The factor along the direction, if there is one, and the factor against it.
    fn factors(&self, on_stairs: Factors) -> (f32, Option<f32>) {
        let [up, down] = if self.stairs { on_stairs } else { [None; 2] };
        (up.unwrap_or(self.factor), self.against.map(|against| down.unwrap_or(against.factor)))
    }

    /// The factor of an agent that wants this velocity, with these factors of its own on stairs.
    pub(crate) fn factor_at(&self, velocity: Vector<D>, on_stairs: Factors) -> f32 {
        match (self.against, self.factors(on_stairs)) {
            (Some(Against { direction, .. }), (_, Some(down))) if velocity.dot(direction) < 0.0 => down,
            (_, (up, _)) => up,
        }
    }

    /// The factor up to which an agent with this velocity may want to move. One that rests may want either direction.
    pub(crate) fn factor_of_wishes(&self, velocity: Vector<D>, on_stairs: Factors) -> f32 {
        match self.factors(on_stairs) {
            (up, Some(down)) if velocity == Vector::ZERO && down > up => down,
            _ => self.factor_at(velocity, on_stairs),
        }
    }
}

/// The number of a series at a time; zero without one.
fn at(series: &[[f32; 2]], seconds: f64) -> f32 {
    let later = series.partition_point(|[time, _]| f64::from(*time) <= seconds);
    match (later.checked_sub(1).and_then(|last| series.get(last)), series.get(later)) {
        (Some([from, start]), Some([to, end])) => {
            let share = (seconds - f64::from(*from)) / (f64::from(*to) - f64::from(*from));
            start + share as f32 * (end - start)
        }
        (Some([_, number]), None) | (None, Some([_, number])) => *number,
        (None, None) => 0.0,
    }
}

impl<const D: usize> Item for Zone<D> {
    type Id = ZoneId;
}

impl<const D: usize> Data for Zone<D> {
    type Record = ();

    fn check(&self) -> Result<(), Error> {
        self.check_keys()?;
        if self.stairs && self.against.is_none() {
            return Err(Error::bad("direction of stairs", "none", Allowed::Direction));
        }
        Ok(())
    }
}
