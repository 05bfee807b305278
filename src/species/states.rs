//! The states of a species, the transitions between them, variables and catches.
//!
//! A species may have states, each with its own rules. An agent starts in the first state. It changes state at the
//! start of a tick, depending on its perceptions and its variables at that time.

use crate::base::definition::definition;
use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::base::values::{is_trajectory_column, shortest};
use crate::maths::{Noise, mix64};
use crate::rules::expressions;
use crate::rules::interface::SpeciesFilter;
use crate::rules::parameters::{Allowed, Kind, Parameter, Range};
pub use crate::species::condition::{Condition, Place};

/// A state of a species.
///
/// ```
/// use throng::{Condition, SpeciesFilter, State, Transition};
///
/// let rest = State::new("rest")
///     .with_rate("stamina", 0.2)
///     .with_transition("hunt", Condition::Above("stamina".to_owned(), 0.9));
/// assert_eq!(rest.transitions.len(), 1);
/// # let _: (State, Transition, SpeciesFilter) = (rest.clone(), rest.transitions[0].clone(), SpeciesFilter::Own);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct State {
    /// The name by which rules and transitions refer to the state.
    pub name: String,
    /// The rate of change of variables in this state, per second. Variables without a rate stay constant.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rates: Vec<(String, f32)>,
    /// The transitions out of this state. An agent takes the first whose condition holds.
    #[cfg_attr(feature = "serde", serde(default))]
    pub transitions: Vec<Transition>,
}

impl State {
    /// A state without rates and without transitions.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), rates: Vec::new(), transitions: Vec::new() }
    }

    /// Adds a variable's rate of change per second.
    #[must_use]
    pub fn with_rate(mut self, variable: impl Into<String>, rate: f32) -> Self {
        self.rates.push((variable.into(), rate));
        self
    }

    /// Adds a transition out of the state.
    #[must_use]
    pub fn with_transition(mut self, to: impl Into<String>, when: Condition) -> Self {
        self.transitions.push(Transition { to: to.into(), when });
        self
    }
}

definition! {
    /// A transition from one state to another.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Transition {
        /// Next state.
        pub to: String, "", Kind::Reference("state");
        /// Condition.
        pub when: Condition as Condition;
    }
}

/// The range of the start of a variable.
const START: Parameter = Parameter::new("start", "", Kind::Distribution(Range::COORDINATE), "");

definition! {
    /// A number stored for each agent, which states change at their rates.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Variable {
        /// Name of the variable.
        pub name: String, "", Kind::Name;
        /// Initial value; drawn for each agent, within the range, if it is a range.
        pub start: Distribution, "", Kind::Distribution(Range::COORDINATE);
        /// Smallest value.
        pub low: f32, "", Kind::Number(Range::COORDINATE);
        /// Largest value.
        pub high: f32, "", Kind::Number(Range::COORDINATE);
    }
}

impl Variable {
    /// Checks the range, and that the start or the middle of its distribution is in it.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the numbers do not ascend, or if a number of the distribution is out of its range.
    pub fn check(&self) -> Result<(), Error> {
        let Self { name, start, low, high } = self;
        let (least, most) = match *start {
            Distribution::Same(start) => (start, start),
            Distribution::Uniform(least, most) => (least, most),
            Distribution::Normal { mean: middle, .. }
            | Distribution::LogNormal { median: middle, .. }
            | Distribution::Weibull { scale: middle, .. } => (middle, middle),
            Distribution::Gamma { shape, scale, .. } => (shape * scale, shape * scale),
            Distribution::Population(_) => (f32::NAN, f32::NAN),
        };
        if !(low <= &least && least <= most && &most <= high && low.is_finite() && high.is_finite()) {
            return Err(Error::bad(&name[..], [*low, least, *high], Allowed::Ascending));
        }
        match start {
            Distribution::Same(_) => Ok(()),
            drawn => drawn.check(&START),
        }
    }

    /// Whether a name has another meaning in expressions or in the columns of trajectories, so that no variable can have
    /// it: `speed`, `pi`, `id`, and every name that ends in `_i` or `_j`.
    ///
    /// ```
    /// use throng::Variable;
    ///
    /// assert!(Variable::is_taken("speed") && Variable::is_taken("phase_j") && !Variable::is_taken("phase"));
    /// ```
    #[must_use]
    pub fn is_taken(name: &str) -> bool {
        expressions::is_taken(name) || is_trajectory_column(name)
    }

    /// The value of an agent when it is spawned.
    pub(crate) fn draw(&self, seed: u64, agent: AgentId) -> f32 {
        // The order of variables does not matter.
        let name = self.name.bytes().fold(0, |hash, byte| mix64(hash ^ u64::from(byte)));
        let noise = || Noise::new(seed, agent.to_bits(), name, Noise::VARIABLE);
        self.start.draw_from(noise).clamp(self.low, self.high)
    }

    /// The value of an agent without a draw.
    pub(crate) fn usual(&self) -> f32 {
        if let Distribution::Same(start) = self.start { start } else { self.low }
    }

    /// Its range, which also limits the values of conditions: beyond it a condition would hold never or always.
    #[must_use]
    pub fn range(&self) -> Range {
        Range::from(shortest(self.low), shortest(self.high))
    }
}

definition! {
    /// The catch of a species: its prey, its distance and its states.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Catch {
        /// Species to catch; an agent catches the nearest one.
        pub whom: SpeciesFilter, "", Kind::SpeciesFilter;
        /// Distance within which agents catch.
        pub distance: f32, "m", Kind::Number(Range::LENGTH);
        /// Whether a caught agent is removed at the start of the next tick.
        pub remove: bool = false, "", Kind::Flag;
        /// States in which agents catch; all states by default.
        pub during: Vec<String> = (Vec::new()), "", Kind::References("state");
    }
}

impl Catch {
    /// A catch of the agents of a filter, within a distance in metres, which removes none, in all states.
    #[must_use]
    pub fn new(whom: SpeciesFilter, distance: f32) -> Self {
        Self { whom, distance, remove: false, during: Vec::new() }
    }
}

/// Checks the states, variables and catch of a species: unique names, known references and finite numbers.
pub(crate) fn check(states: &[State], variables: &[Variable], catch: Option<&Catch>) -> Result<(), Error> {
    let named = |name: &str| states.iter().any(|state| state.name == name);
    for (number, variable) in variables.iter().enumerate() {
        let Variable { name, .. } = variable;
        if variables[..number].iter().any(|other| other.name == *name) {
            return Err(Error::bad("variable", &name[..], Allowed::NewName));
        }
        if Variable::is_taken(name) {
            return Err(Error::NameTaken(name.clone()));
        }
        variable.check()?;
    }
    for (number, state) in states.iter().enumerate() {
        if states[..number].iter().any(|other| other.name == state.name) {
            return Err(Error::bad("state", &state.name[..], Allowed::NewName));
        }
        for (variable, rate) in &state.rates {
            known(variable, variables)?;
            finite("rate", *rate, "1/s")?;
        }
        for transition in &state.transitions {
            if !named(&transition.to) {
                return Err(Error::bad("to", &transition.to[..], state_names(states)));
            }
            match &transition.when {
                Condition::Below(variable, value) | Condition::Above(variable, value) => {
                    let variable = known(variable, variables)?;
                    if !(variable.low..=variable.high).contains(value) {
                        return Err(Error::bad("value", *value, Allowed::number(variable.range(), "")));
                    }
                }
                Condition::Nearer(_, distance) | Condition::Farther(_, distance) => check_distance(*distance)?,
                Condition::NearerPlace(place, distance) | Condition::FartherPlace(place, distance) => {
                    check_place(place)?;
                    check_distance(*distance)?;
                }
                Condition::After(seconds) => finite("after", *seconds, "s")?,
                Condition::Open(_)
                | Condition::Closed(_)
                | Condition::Caught
                | Condition::WasCaught
                | Condition::Arrived => {}
            }
        }
    }
    if let Some(catch) = catch {
        check_distance(catch.distance)?;
        if let Some(unknown) = catch.during.iter().find(|name| !named(name)) {
            return Err(Error::bad("during", &unknown[..], state_names(states)));
        }
    }
    Ok(())
}

fn known<'v>(name: &str, variables: &'v [Variable]) -> Result<&'v Variable, Error> {
    variables.iter().find(|variable| variable.name == name).ok_or_else(|| {
        let names = variables.iter().map(|variable| &variable.name[..]);
        Error::bad("variable", name, Allowed::one_of(names))
    })
}

fn check_distance(distance: f32) -> Result<(), Error> {
    let fits = Range::LENGTH.contains(distance.into());
    if fits { Ok(()) } else { Err(Error::bad("distance", distance, Allowed::number(Range::LENGTH, "m"))) }
}

/// Checks the coordinates of a point. Marks and regions may be named before they exist.
fn check_place(place: &Place) -> Result<(), Error> {
    match place {
        Place::Point(point) if !point.iter().all(|&at| Range::COORDINATE.contains(f64::from(at))) => {
            Err(Error::bad("place", &point[..], Allowed::point(Range::COORDINATE, "m")))
        }
        _ => Ok(()),
    }
}

fn finite(what: &str, value: f32, unit: &'static str) -> Result<(), Error> {
    if value.is_finite() { Ok(()) } else { Err(Error::bad(what, value, Allowed::number(Range::FINITE, unit))) }
}

/// The allowed values of a state's name: one of these.
pub(crate) fn state_names(states: &[State]) -> Allowed {
    Allowed::one_of(states.iter().map(|state| &state.name[..]))
}
