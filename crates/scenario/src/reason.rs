//! The reasons for refusing a scenario, and their messages.

use std::fmt;
use std::io;

use throng::PathFault;
use throng::parameters::{Allowed, Kind, Parameter, nearest_word};

use crate::keys::{FORMAT, LARGEST_FILE, MOST_VALUES};

/// The reason for refusing a key, a value or a whole file. The display is the message without the location, the key and
/// the value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The file cannot be read.
    Unreadable {
        /// The kind of the error.
        kind: io::ErrorKind,
        /// The message of the operating system.
        message: String,
    },
    /// The file is larger than [`LARGEST_FILE`].
    TooLarge,
    /// The file has more than [`MOST_VALUES`].
    TooManyValues,
    /// The file is not TOML, nor does its name end in `.toml`.
    NotAScenario,
    /// The file is not UTF-8 from this byte on.
    NotUtf8(usize),
    /// The text is not TOML, according to this message of the parser.
    Syntax(String),
    /// The file has another version of the format than [`FORMAT`], which this program reads.
    Format,
    /// The value has another type, or is out of range.
    MustBe(Allowed),
    /// A required key is missing.
    Missing(Allowed),
    /// A key that another key needs is missing.
    MissingFor(Cause),
    /// A key or a name is unknown.
    Unknown {
        /// The kind of the name, such as `key`, `rule`, `species`, `state`, `variable` or `mark`.
        what: &'static str,
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// A world of another size cannot have this: [`Scenario::parse_scaled`](crate::Scenario::parse_scaled).
    NotScaled(&'static str),
    /// The key was renamed after an earlier version.
    Renamed {
        /// The present name.
        to: &'static str,
    },
    /// The species has neither a key nor a rule of this name, which an override sets.
    NeitherKeyNorRule {
        /// The unknown name.
        name: String,
        /// The names of the rules, and the keys.
        rules: Vec<String>,
    },
    /// The species has several rules of this name, which an override sets.
    SeveralRules(String),
    /// A name is too long, or has characters that names cannot have.
    Name {
        /// Whether it is the name of a species.
        of_species: bool,
    },
    /// The name of a species is a reserved word of the rules' `from`.
    Reserved(String),
    /// The name of a variable has another meaning in expressions or in the columns of trajectories.
    ReservedVariable(String),
    /// A flow field has the name of this navigation.
    FieldTaken,
    /// The cell of a navigation gives too many cells.
    TooFine {
        /// The least length of a cell, in metres.
        least: f32,
        /// The largest number of cells.
        most: usize,
    },
    /// The shares of the kinds of people of a species add up to this.
    Shares(f32),
    /// No way to any goal is wide enough for a kind of people from where one of them starts.
    NoWideWay {
        /// The kind.
        kind: String,
        /// The radius of the body, in metres.
        radius: f32,
        /// The start, in metres.
        from: [f32; 2],
        /// The storey of the start.
        storey: Option<String>,
        /// The goals.
        goals: Vec<String>,
    },
    /// No way leads to the goals from where an agent starts.
    OutOfReach {
        /// The species of the agent.
        species: String,
        /// The start, in metres.
        from: [f32; 2],
        /// The storey of the start.
        storey: Option<String>,
        /// The length of the cells over which one does, in metres.
        cell: Option<f32>,
    },
    /// The path of a wall has this fault.
    WallPath(PathFault),
    /// The floor plan cannot be read, or does not fit the world. The text has the place in the file of the plan.
    FloorPlan(String),
    /// The mesh of the ground cannot be used, or does not have the ground of an item. The text has the place in its file.
    Ground(String),
    /// The trajectory of start positions cannot be used.
    Trajectory(String),
    /// Exactly one of these keys must be present.
    OneOf {
        /// The keys.
        keys: Vec<&'static str>,
        /// The number of keys that are present.
        found: usize,
    },
    /// The key has no effect together with this one.
    Unused(Cause),
    /// The key has an effect only if another key has this value.
    OnlyWith {
        /// The other key.
        key: &'static str,
        /// The value.
        value: &'static str,
    },
    /// The values of these keys must not descend.
    Ascending(&'static [&'static str]),
    /// A table has too many entries of a kind.
    TooMany {
        /// The name of the entries, in the plural.
        what: &'static str,
        /// The largest allowed number.
        most: usize,
    },
    /// The file has no species.
    NoSpecies,
    /// No transition leads to a state.
    Unreached {
        /// The state in which agents start.
        first: String,
        /// The state that agents cannot reach.
        state: String,
    },
    /// A flow field does not have as many vectors as cells.
    Vectors {
        /// The number of vectors.
        vectors: usize,
        /// The number of cells; `None` if it overflows.
        cells: Option<usize>,
    },
    /// The ends of a line are the same point.
    NoLength,
    /// The key needs a world of two dimensions.
    OnlyFlat,
    /// A species has neither a number of agents nor a source.
    NoAgents,
    /// Two items of this kind have this name.
    NameTaken(&'static str),
    /// The region of a source is smaller than a body of this radius, in metres.
    NoRoom {
        /// The largest radius of a body.
        radius: f32,
    },
    /// The region of the initial positions is not inside the world: the box from the origin to this point, or, if
    /// `None`, the largest coordinates of an unbounded world.
    Outside(Option<Vec<f32>>),
    /// A wall, or another item, is not in the world, which has this size, or reaches out of it by more than this.
    OutOfWorld(&'static str, Vec<f32>),
    /// A flight, or another item, is not in the plan of the building, which has this size.
    OutOfPlan(&'static str, [f32; 2]),
    /// A key of a stair or a lift must be this.
    Stair(&'static str),
    /// The flight or car overlaps the one of the stair or lift with this name at the same storey.
    Overlaps(String),
    /// No stair and no lift leads to a storey.
    NoStair,
    /// The region of a source reaches over or under the flight of this stair, or into the car of this lift.
    InHole(String),
    /// Obstacles fill the region of the initial positions: no draw found a free position.
    NoFreePlace {
        /// The number of draws.
        draws: u32,
    },
    /// The region of the initial positions is too small for bodies that do not overlap.
    TooFull {
        /// The number that were placed.
        fit: u64,
        /// The wanted number.
        count: u64,
    },
    /// An override is not `key=value`.
    NotAnOverride,
    /// A key of an override is empty.
    EmptyKey,
    /// The value of an override is not TOML. The field is its text.
    NotAValue(String),
    /// An override sets a key of this value, which is not a table.
    NoKeys(String),
    /// An override sets an element of an array that does not exist.
    NoElement {
        /// The text in place of the number of the element.
        number: String,
        /// The number of elements.
        count: usize,
    },
}

/// The key that makes another key necessary or unused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The key.
    pub key: &'static str,
    /// Its value; `None` if all values have this effect.
    pub value: Option<String>,
}

impl Reason {
    /// The error for a value that a key cannot have.
    pub(crate) fn must_be(key: &Parameter) -> Self {
        Self::MustBe(key.expected())
    }

    /// The error for an unknown name.
    pub(crate) fn unknown(what: &'static str, name: &str, known: &[&str]) -> Self {
        Self::Unknown { what, name: name.chars().take(64).collect(), known: owned(known) }
    }

    /// The allowed values, if the value is the problem.
    #[must_use]
    pub const fn allowed(&self) -> Option<&Allowed> {
        match self {
            Self::MustBe(allowed) | Self::Missing(allowed) => Some(allowed),
            _ => None,
        }
    }
}

pub(crate) fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The known names, preceded by a question if one of them is near; empty without known names.
fn suggestion(name: &str, known: &[String]) -> String {
    if known.is_empty() {
        return String::new();
    }
    let near = nearest_word(name, known.iter().map(String::as_str));
    format!("{} (one of {})", near.map_or(String::new(), question), known.join(", "))
}

/// The question whether a word was meant.
pub(crate) fn question(word: &str) -> String {
    format!("; did you mean `{word}`?")
}

/// The way to write a text that is not a value.
fn as_a_value(text: &str) -> String {
    if let Some(number) = text.parse::<f64>().ok().filter(|number| number.is_finite()) {
        return if text.contains('.') { format!("write {number:?}") } else { format!("write {number}") };
    }
    let is_digit = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
    let mut points = text.match_indices('.');
    if points.any(|(at, _)| !is_digit(text[..at].chars().last()) || !is_digit(text[at + 1..].chars().next())) {
        return "a number has digits on both sides of its point, such as 0.5".to_owned();
    }
    "write it as in a scenario file".to_owned()
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "the {} `{value}`", self.key),
            None => write!(f, "`{}`", self.key),
        }
    }
}

/// The storey of a place, after it.
fn on(storey: &Option<String>) -> String {
    storey.as_ref().map_or(String::new(), |storey| format!(" on the storey `{storey}`"))
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { message, .. } => write!(f, "cannot be read: {message}"),
            Self::TooLarge => write!(f, "is larger than {} MiB", LARGEST_FILE >> 20),
            Self::TooManyValues => write!(f, "has more than {MOST_VALUES} values"),
            Self::NotAScenario => {
                write!(f, "is not a scenario, which is TOML; trajectories are .csv, .txt, .sqlite or .parquet")
            }
            Self::NotUtf8(at) => write!(f, "is not UTF-8 at byte {at}"),
            Self::Syntax(message) => write!(f, "not TOML: {message}"),
            Self::Format => write!(f, "this program reads format = {} only", FORMAT),
            Self::MustBe(allowed) => write!(f, "must be {allowed}"),
            Self::Missing(allowed) => write!(f, "is missing: must be {allowed}"),
            Self::MissingFor(cause) => write!(f, "is missing: {cause} needs it"),
            Self::Unknown { what: what @ ("key" | "rule"), name, known } => {
                write!(f, "unknown {what}{}", suggestion(name, known))
            }
            Self::Unknown { what, name, known } => {
                write!(f, "unknown {what} `{name}`{}", suggestion(name, known))
            }
            Self::NotScaled(what) => write!(f, "cannot be scaled: {what}"),
            Self::Renamed { to } => write!(f, "is not a key any more: see `{to}`"),
            Self::NeitherKeyNorRule { name, rules } => {
                write!(f, "the species has neither a key nor a rule `{name}`{}", suggestion(name, rules))
            }
            Self::SeveralRules(name) => write!(f, "several rules are named `{name}`: use behaviours.NUMBER"),
            Self::Name { of_species: false } => write!(f, "a name must be {}", Kind::Name.allowed("")),
            Self::Name { of_species: true } => write!(f, "the name of a species is {}", Kind::Name.allowed("")),
            Self::Reserved(name) => {
                write!(f, "a species cannot be named `{name}`: the word has another meaning in `from`")
            }
            Self::ReservedVariable(name) => {
                write!(
                    f,
                    "a variable cannot be named `{name}`: the name has another meaning in expressions or trajectories"
                )
            }
            Self::FieldTaken => write!(f, "must be a name that no flow field has"),
            Self::TooFine { least, most } => {
                write!(f, "must be a number in [{least}, 1e6] m: a navigation has at most {most} cells")
            }
            Self::OutOfReach { species, from: [x, y], storey, cell } => {
                write!(f, "no way leads there from [{x}, {y}] m{}, where a {species} starts, ", on(storey))?;
                write!(f, "even if every door is open")?;
                cell.map_or(Ok(()), |cell| write!(f, ": with `cell = {cell}` one does"))
            }
            Self::Shares(sum) => write!(f, "the shares add up to {sum}: they must add up to 1 at most"),
            Self::NoWideWay { kind, radius, from: [x, y], storey, goals } => write!(
                f,
                "a {kind} with a radius of {radius} m starts at [{x}, {y}] m{}, from where no way wide enough leads to \
                 {}, even if every door is open: widen the doors, start such people elsewhere, or give the navigation \
                 a smaller `cell`",
                on(storey),
                goals.join(", ")
            ),
            Self::WallPath(fault) => fault.fmt(f),
            Self::FloorPlan(reason) | Self::Ground(reason) | Self::Trajectory(reason) => f.write_str(reason),
            Self::OneOf { keys, found } => match &keys[..] {
                [one, other] => write!(f, "must have either a {one} or a {other}"),
                keys => {
                    let one = if *found == 0 { "" } else { ", and no more than one" };
                    write!(f, "must have one of {}{one}", keys.join(", "))
                }
            },
            Self::Unused(cause) => write!(f, "{cause} does not use it"),
            Self::OnlyWith { key, value } => write!(f, "only {key} = {value:?} uses it"),
            Self::Ascending(keys) => write!(f, "must have {}", keys.join(" <= ")),
            Self::TooMany { what, most } => write!(f, "there can be {most} {what} at most"),
            Self::NoSpecies => write!(f, "there must be a species, such as [species.starling]"),
            Self::Unreached { first, state } => {
                write!(f, "no transition leads from `{first}`, where agents start, to `{state}`")
            }
            Self::Vectors { vectors, cells } => {
                let cells = cells.map_or("more than can be".to_owned(), |cells| cells.to_string());
                write!(f, "there are {vectors} vectors, and {cells} cells")
            }
            Self::NoLength => write!(f, "must differ from the first end"),
            Self::OnlyFlat => write!(f, "needs a world of two dimensions"),
            Self::Outside(Some(size)) => {
                let origin = vec![0; size.len()];
                write!(f, "the region must lie in the world: {origin:?} to {size:?}")
            }
            Self::OutOfWorld(what, size) => {
                let origin = vec![0; size.len()];
                write!(
                    f,
                    "the {what} is not in the world, {origin:?} to {size:?} m, or reaches far out of it: it may be in "
                )?;
                write!(f, "another unit, such as millimetres")
            }
            Self::OutOfPlan(what, [x, y]) => {
                write!(f, "the {what} must lie in the plan of the building: [0, 0] to [{x}, {y}] m")
            }
            Self::Stair(reason) => f.write_str(reason),
            Self::Overlaps(name) => {
                write!(
                    f,
                    "must be beside the stair or lift `{name}`, which is at the same storey: they overlap in the plan"
                )
            }
            Self::NoStair => write!(f, "no stair or lift leads to it: it must be one of the `storeys` of one"),
            Self::InHole(name) => write!(f, "the region must be clear of the stair or lift `{name}`"),
            Self::Outside(None) => write!(f, "the region must lie in 1e6 m around zero"),
            Self::NoAgents => {
                let count = Allowed::Kind { kind: Kind::Whole(0, 1 << 53), unit: "" };
                write!(f, "is missing: must be {count}, unless a source feeds the species")
            }
            Self::NameTaken(what) => write!(f, "must be a name that no other {what} has"),
            Self::NoRoom { radius } => write!(f, "the region is smaller than a body of {radius} m radius"),
            Self::NoFreePlace { draws } => {
                write!(f, "is inside an obstacle or a wall, or outside of the floor plan: ")?;
                write!(f, "no free place was found in {draws} draws")
            }
            Self::TooFull { fit, count } => {
                write!(f, "{fit} of {count} agents fit without overlaps: take fewer, smaller ones or more room")
            }
            Self::NotAnOverride => write!(f, "must be key=value, such as world.seed=3"),
            Self::EmptyKey => write!(f, "must be key=value, with keys joined by points"),
            Self::NotAValue(text) => write!(f, "{text} is not a value: {}", as_a_value(text)),
            Self::NoKeys(key) => write!(f, "`{key}` has no keys"),
            Self::NoElement { number, count } => {
                write!(f, "`{number}` must be the number of an element: there are {count}, from 0")
            }
        }
    }
}
