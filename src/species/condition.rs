//! The conditions of transitions between states.

use crate::base::definition::{self, Alternative, Definition, required};
use crate::base::error::Error;
use crate::rules::interface::SpeciesFilter;
use crate::rules::parameters::{Field, Kind, Parameter, Range, Value, rounded};

/// The condition of a transition. Thresholds are inclusive.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// A variable is at or below a value of its range.
    Below(String, f32),
    /// A variable is at or above a value of its range.
    Above(String, f32),
    /// An agent of these species is within this many metres.
    Nearer(SpeciesFilter, f32),
    /// No agent of these species is within this many metres.
    Farther(SpeciesFilter, f32),
    /// The agent is within this many metres of a place.
    NearerPlace(Place, f32),
    /// The agent is not within this many metres of a place.
    FartherPlace(Place, f32),
    /// The door with this name, a wall, is open.
    Open(String),
    /// The door with this name, a wall, is closed.
    Closed(String),
    /// The agent has been in its state for this many seconds.
    After(f32),
    /// The agent caught another one in the last tick.
    Caught,
    /// The agent was caught in the last tick.
    WasCaught,
    /// The agent arrived at the target of a rule in the last tick.
    Arrived,
}

/// The place in a condition. A mark or region that the world does not have is farther than any distance.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// A point: its coordinates in metres, one per dimension.
    Point(Vec<f32>),
    /// The mark with this name.
    Mark(String),
    /// The region with this name. The distance is zero inside it.
    Region(String),
}

/// The events, by their words.
const EVENTS: [(&str, Condition); 3] =
    [("caught", Condition::Caught), ("was_caught", Condition::WasCaught), ("arrived", Condition::Arrived)];

const WHEN: Kind = Kind::Reference("variable");
const VALUE: Kind = Kind::Number(Range::COORDINATE);
const DOOR: Kind = Kind::Reference("wall");
const EVENT: Kind = Kind::Choice(&[EVENTS[0].0, EVENTS[1].0, EVENTS[2].0]);

const KEYS: [Parameter; 10] = [
    Parameter::optional("when", "", WHEN, "Variable of `below` or `above`."),
    Parameter::optional("below", "", VALUE, "Condition: the variable is at or below this value."),
    Parameter::optional("above", "", VALUE, "Condition: the variable is at or above this value."),
    Parameter::optional(
        "nearer",
        "m",
        Kind::SpeciesOrPlace,
        "Condition: an agent of these species, or this place, is within `distance`.",
    ),
    Parameter::optional(
        "farther",
        "m",
        Kind::SpeciesOrPlace,
        "Condition: no agent of these species is within `distance`, or this place is farther.",
    ),
    Parameter::optional("distance", "m", Kind::Number(Range::LENGTH), "Distance of `nearer` or `farther`."),
    Parameter::optional("open", "", DOOR, "Condition: the door with this name, a wall, is open."),
    Parameter::optional("closed", "", DOOR, "Condition: the door with this name, a wall, is closed."),
    Parameter::optional(
        "after",
        "s",
        Kind::Number(Range::LENGTH),
        "Condition: the agent has been in the state for this time.",
    ),
    Parameter::optional("event", "", EVENT, "Condition: the agent caught another, was caught or arrived at a target."),
];

/// Agents or a place, for a distance.
enum Near {
    Agents(SpeciesFilter),
    Place(Place),
}

impl Near {
    fn read(value: &Value, key: &Parameter) -> Result<Self, Error> {
        let place = match (value, value.word().and_then(|word| word.split_once(':'))) {
            (Value::Point(point), _) => Place::Point(point.iter().copied().map(rounded).collect()),
            (_, Some(("mark", name))) => Place::Mark(name.to_owned()),
            (_, Some(("region", name))) => Place::Region(name.to_owned()),
            _ => return SpeciesFilter::read(value, key).map(Self::Agents),
        };
        Ok(Self::Place(place))
    }
}

impl Place {
    fn value(&self) -> Value {
        match self {
            Self::Point(point) => point[..].into(),
            Self::Mark(name) => Value::Word(format!("mark:{name}")),
            Self::Region(name) => Value::Word(format!("region:{name}")),
        }
    }
}

impl Definition for Condition {
    const KEYS: &'static [Parameter] = &KEYS;

    const ALTERNATIVES: &'static [Alternative] = &[
        ("below", &["when"]),
        ("above", &["when"]),
        ("nearer", &["distance"]),
        ("farther", &["distance"]),
        ("open", &[]),
        ("closed", &[]),
        ("after", &[]),
        ("event", &[]),
    ];

    fn get(&self, key: &str) -> Option<Value> {
        match (self, key) {
            (Self::Below(variable, _) | Self::Above(variable, _), "when") => Some(variable[..].into()),
            (Self::Below(_, value), "below") | (Self::Above(_, value), "above") => Some((*value).into()),
            (Self::Nearer(agents, _), "nearer") | (Self::Farther(agents, _), "farther") => Some(agents.value()),
            (Self::NearerPlace(place, _), "nearer") | (Self::FartherPlace(place, _), "farther") => Some(place.value()),
            (
                Self::Nearer(_, distance)
                | Self::Farther(_, distance)
                | Self::NearerPlace(_, distance)
                | Self::FartherPlace(_, distance),
                "distance",
            ) => Some((*distance).into()),
            (Self::Open(door), "open") | (Self::Closed(door), "closed") => Some(door[..].into()),
            (Self::After(seconds), "after") => Some((*seconds).into()),
            (event, "event") => EVENTS.iter().find(|(_, known)| known == event).map(|(word, _)| (*word).into()),
            _ => None,
        }
    }

    fn blank() -> Self {
        Self::After(0.0)
    }

    fn read(given: &[(&str, Value)]) -> Result<Self, Error> {
        let value = |name: &str| definition::given(given, name).map(|value| (value, Self::key(name)));
        let distance = || required(given, Self::key("distance"));
        for (name, agents, place) in [
            ("nearer", Self::Nearer as fn(_, _) -> _, Self::NearerPlace as fn(_, _) -> _),
            ("farther", Self::Farther, Self::FartherPlace),
        ] {
            if let Some((value, key)) = value(name) {
                return Ok(match Near::read(value, key)? {
                    Near::Agents(filter) => agents(filter, distance()?),
                    Near::Place(at) => place(at, distance()?),
                });
            }
        }
        for (name, condition) in [("below", Self::Below as fn(_, _) -> _), ("above", Self::Above)] {
            if let Some((value, key)) = value(name) {
                return Ok(condition(required(given, Self::key("when"))?, f32::read(value, key)?));
            }
        }
        for (name, condition) in [("open", Self::Open as fn(_) -> _), ("closed", Self::Closed)] {
            if let Some((value, key)) = value(name) {
                return String::read(value, key).map(condition);
            }
        }
        if let Some((value, key)) = value("after") {
            return f32::read(value, key).map(Self::After);
        }
        let (value, key) = value("event").ok_or(Error::MissingKey { key: "after", by: None })?;
        let event = EVENTS.into_iter().find(|(word, _)| value.word() == Some(word));
        event.map(|(_, event)| event).ok_or_else(|| key.refuse(value))
    }

    fn check_keys(&self) -> Result<(), Error> {
        Ok(())
    }
}
