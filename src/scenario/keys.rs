//! Which keys may a scenario file have, and what may each of them be? The one table of them.
//!
//! The checker and the JSON schema both read it. What belongs to a species or a rule comes from their own tables
//! ([`QUANTITIES`], [`Tunable::parameters`](crate::parameters::Tunable::parameters)).

use crate::parameters::{Kind, Range};
use crate::settings::{Edge, LIMIT, Settings};
use crate::species::{BODY_QUANTITIES, QUANTITIES, Species, Spread, THRESHOLD};

/// The version of the file format.
pub const FORMAT: u64 = 1;

/// One key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The unit of its value; empty where it has none.
    pub unit: &'static str,
    /// What it may be.
    pub form: Form,
    /// One line on what it does.
    pub help: &'static str,
    /// What it is where the file does not say.
    pub default: Preset,
}

/// What a key is where the file does not say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Preset {
    /// The file must say.
    Required,
    /// Nothing: what the key asks for is not done.
    Absent,
    /// This number.
    Number(f64),
    /// This word, or in words what it is.
    Word(&'static str),
}

/// What a key may be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// A whole number, both bounds included.
    Whole(u64, u64),
    /// A whole number from this one on, or `"off"`.
    WholeOrOff(u64),
    /// A number.
    Number(Range),
    /// A number, or `[low, high]`: a number drawn for each agent.
    Spread(Range),
    /// An array of one number per dimension.
    PerAxis(Range),
    /// One of these words.
    Choice(Vec<&'static str>),
    /// A text.
    Text,
    /// `"random"`, a vector, or in two dimensions an angle in degrees.
    Heading,
    /// A table with these keys.
    Table(Vec<Key>),
    /// A table of tables with these keys, one for each species by its name.
    Species(Vec<Key>),
    /// An array of tables, one for each rule; their keys are those of the rules' own tables.
    Rules,
}

impl Form {
    /// What is allowed, in words; `unit` may be empty.
    #[must_use]
    pub fn allowed(&self, unit: &str) -> String {
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        match self {
            Self::Whole(low, high) if low == high => format!("must be {low}"),
            Self::Whole(low, u64::MAX) => format!("must be a whole number from {low} on"),
            Self::Whole(low, high) => format!("must be a whole number from {low} to {high}"),
            Self::WholeOrOff(low) => format!("must be a whole number from {low} on, or \"off\""),
            Self::Number(range) => format!("must be a number in {range}{unit}"),
            Self::Spread(range) => format!("must be a number in {range}{unit}, or [low, high] for a draw between two"),
            Self::PerAxis(range) => format!("must be an array of one number per dimension, each in {range}{unit}"),
            Self::Choice(words) => format!("must be one of {}", words.join(", ")),
            Self::Text => "must be a text on one line, of at most 100 characters".to_owned(),
            Self::Heading => {
                "must be \"random\", a vector that is not zero, or in two dimensions degrees from the x axis".to_owned()
            }
            Self::Table(_) | Self::Species(_) => "must be a table".to_owned(),
            Self::Rules => "must be an array of tables, such as [{ rule = \"separation\" }]".to_owned(),
        }
    }
}

const COORDINATE: Range = Range::from(-LIMIT as f64, LIMIT as f64);
const EXTENT: Range = Range::above(0.0, LIMIT as f64);
const SPEED: Range = Range::from(0.0, LIMIT as f64);

/// The keys of a scenario file.
#[must_use]
pub fn file() -> Vec<Key> {
    let format = Form::Whole(FORMAT, FORMAT);
    vec![
        key("format", "", format, "Version of the file format.", Preset::Required),
        key("world", "", Form::Table(world()), "Space and time.", Preset::Required),
        key("species", "", Form::Species(species()), "Who lives there.", Preset::Required),
        key("output", "", Form::Table(output()), "What a run writes.", Preset::Absent),
    ]
}

fn world() -> Vec<Key> {
    let settings = Settings::<2>::default();
    let edges = Form::Choice(Edge::ALL.map(Edge::name).to_vec());
    let cap = settings.candidate_cap.map_or(Preset::Word("off"), |cap| Preset::Number(cap as f64));
    let ticks = Form::Whole(0, 1 << 53);
    vec![
        key("name", "", Form::Text, "Title of the scenario.", Preset::Word("the name of the file")),
        key("dimensions", "", Form::Whole(2, 3), "Number of dimensions.", Preset::Required),
        key("size", "m", Form::PerAxis(EXTENT), "Extent of the world: it reaches from zero to here.", Preset::Required),
        key("edge", "", edges, "What happens at the world's boundary.", Preset::Word(settings.edge.name())),
        key("tick", "s", Form::Number(TICK), "Simulated time per tick.", number(settings.tick_seconds)),
        key("ticks", "", ticks, "How many ticks a run makes.", Preset::Number(TICKS as f64)),
        key("seed", "", Form::Whole(0, u64::MAX), "Key of all random draws.", Preset::Number(settings.seed as f64)),
        key(
            "candidate_cap",
            "",
            Form::WholeOrOff(CAP),
            "Most candidates that sixteen agents look at: a bound on the cost of a tick in which all stand on one point.",
            cap,
        ),
    ]
}

/// How many ticks a run makes where the file does not say.
pub(crate) const TICKS: u64 = 300;
/// The range of [`Settings::tick_seconds`].
pub(crate) const TICK: Range = Range::above(0.0, 1000.0);
/// The least [`Settings::candidate_cap`].
const CAP: u64 = 64;

fn species() -> Vec<Key> {
    let mut keys = vec![
        key("count", "", Form::Whole(0, 1 << 53), "How many agents there are at the start.", Preset::Required),
        key("place", "", Form::Table(place()), "Where they are at the start, and how they move.", Preset::Absent),
    ];
    for (number, (quantity, value)) in QUANTITIES.iter().zip(Species::<2>::new("").quantities()).enumerate() {
        if let (Kind::Number(range), Spread::Same(value)) = (quantity.kind, value) {
            let form = if number < BODY_QUANTITIES { Form::Spread(range) } else { Form::Number(range) };
            keys.push(key(quantity.name, quantity.unit, form, quantity.help, self::number(value)));
        }
    }
    let combine = Form::Choice(vec!["weighted", "priority", "truncated"]);
    keys.push(key("combine", "", combine, "How the forces of the rules become one.", Preset::Word("weighted")));
    if let Kind::Number(range) = THRESHOLD.kind {
        keys.push(key(THRESHOLD.name, THRESHOLD.unit, Form::Number(range), THRESHOLD.help, Preset::Number(0.0)));
    }
    keys.push(key("behaviours", "", Form::Rules, "The rules that steer them, in this order.", Preset::Absent));
    keys
}

fn place() -> Vec<Key> {
    let regions = Form::Choice(vec!["all", "disc", "box", "point"]);
    let middle = Preset::Word("the middle of the world");
    let speed = Preset::Word("the species' max_speed");
    vec![
        key("region", "", regions, "Where: all of the world, a disc (a ball), a box or a point.", Preset::Word("all")),
        key("centre", "m", Form::PerAxis(COORDINATE), "Centre of the disc or the box; the point.", middle),
        key("radius", "m", Form::Number(EXTENT), "Radius of the disc.", Preset::Absent),
        key("size", "m", Form::PerAxis(EXTENT), "Extent of the box.", Preset::Absent),
        key("heading", "", Form::Heading, "Where they fly.", Preset::Word("random")),
        key("speed", "m/s", Form::Spread(SPEED), "How fast they fly.", speed),
    ]
}

fn output() -> Vec<Key> {
    let every = key("every", "", Form::Whole(1, 1 << 53), "Ticks from one to the next.", Preset::Required);
    vec![
        key("trajectory", "", Form::Table(vec![every]), "Positions and velocities as a table of text.", Preset::Absent),
        key("picture", "", Form::Table(picture()), "The picture of the last tick.", Preset::Absent),
    ]
}

fn picture() -> Vec<Key> {
    let colour = Form::Choice(vec!["species", "heading"]);
    let automatic = Preset::Word("species where there are several, else heading");
    vec![
        key("colour", "", colour, "What the colour of an agent says.", automatic),
        key("width", "pixels", Form::Whole(16, 16_384), "Width.", Preset::Word("what fits 1920 x 1080")),
        key("height", "pixels", Form::Whole(16, 16_384), "Height.", Preset::Word("what fits 1920 x 1080")),
    ]
}

fn key(name: &'static str, unit: &'static str, form: Form, help: &'static str, default: Preset) -> Key {
    Key { name, unit, form, help, default }
}

/// The default of an `f32` as it was written.
fn number(value: f32) -> Preset {
    Preset::Number(value.to_string().parse().unwrap_or(f64::from(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vector;

    /// The settings check what a host gives; the ranges here must be theirs.
    #[test]
    fn the_ranges_are_those_of_the_settings() {
        let base = Settings::<2>::default();
        for tick_seconds in [0.0, f32::from_bits(1), 1000.0, 1000.1, -1.0, f32::NAN, f32::INFINITY] {
            let fits = Settings { tick_seconds, ..base.clone() }.check().is_ok();
            assert_eq!(fits, TICK.contains(f64::from(tick_seconds)), "{tick_seconds}");
        }
        for size in [0.0, f32::from_bits(1), LIMIT, LIMIT * 1.001, f32::NAN] {
            let fits = Settings { size: Vector([1.0, size]), ..base.clone() }.check().is_ok();
            assert_eq!(fits, EXTENT.contains(f64::from(size)), "{size}");
        }
        for cap in [CAP - 1, CAP] {
            let fits = Settings { candidate_cap: Some(cap as usize), ..base.clone() }.check().is_ok();
            assert_eq!(fits, cap >= CAP);
        }
    }
}
