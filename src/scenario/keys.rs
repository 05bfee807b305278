//! The table of all keys of scenario files and their allowed values.
//!
//! The checker and the JSON schema both read it. The keys of species and rules come from their own tables
//! ([`QUANTITIES`], [`Tunable::parameters`](crate::parameters::Tunable::parameters)).

pub use crate::scenario::form::{Form, Key, Preset};

use crate::parameters::{Kind, Parameter, Range};
use crate::scenario::Colour;
use crate::settings::{Edge, LIMIT, Settings};
use crate::species::{BODY_QUANTITIES, QUANTITIES, Species, Spread, THRESHOLD};
use crate::states::Condition;

/// The version of the file format.
pub const FORMAT: u64 = 1;

const EXTENT: Range = Range::from(1e-6, LIMIT as f64);
const SPEED: Range = Range::from(0.0, LIMIT as f64);

/// The names of all elements of a constant array, as a constant array.
macro_rules! names {
    ($all:path, $($name:tt)+) => {{
        let mut names = [""; $all.len()];
        let mut number = 0;
        while number < names.len() {
            names[number] = $all[number].$($name)+;
            number += 1;
        }
        names
    }};
}

static EDGES: [&str; Edge::ALL.len()] = names!(Edge::ALL, name());
static COLOURS: [&str; Colour::ALL.len()] = names!(Colour::ALL, name());
static EVENT_NAMES: [&str; EVENTS.len()] = names!(EVENTS, 0);

/// The keys of a scenario file.
#[must_use]
pub fn file() -> Vec<Key> {
    let format = Kind::Whole(FORMAT, FORMAT);
    vec![
        key("format", "", format, "Version of the file format.", Preset::Required),
        key("world", "", Form::Table(world()), "Space and time.", Preset::Required),
        key("species", "", Form::Species(species()), "The agents, species by species.", Preset::Required),
        key("marks", "m", named("mark", Kind::Point(Range::COORDINATE)), "Points that targets name.", Preset::Absent),
        key("obstacle", "", Form::Tables(obstacle()), "What agents avoid.", Preset::Absent),
        key("region", "", Form::Tables(region()), "Areas that report which agents enter and leave.", Preset::Absent),
        key("fields", "", named("flow field", Form::Table(field())), "Flows over all of the world.", Preset::Absent),
        key("output", "", Form::Table(output()), "What a run writes.", Preset::Absent),
    ]
}

fn world() -> Vec<Key> {
    let settings = Settings::<2>::default();
    let edges = Kind::Choice(&EDGES);
    let budget = settings.pair_budget.map_or(Preset::Word("off"), |budget| Preset::Number(budget as f64));
    let ticks = Kind::Whole(0, 1 << 53);
    vec![
        key("name", "", Kind::Text, "Title of the scenario.", Preset::Word("the name of the file")),
        key("dimensions", "", Kind::Whole(2, 3), "Number of dimensions.", Preset::Required),
        key("size", "m", Kind::Point(EXTENT), "Extent of the world: it reaches from zero to here.", Preset::Required),
        key("edge", "", edges, "What happens at the world's boundary.", Preset::Word(settings.edge.name())),
        key("tick", "s", Kind::Number(TICK), "Simulated time per tick.", number(settings.tick_seconds)),
        key("ticks", "", ticks, "How many ticks a run makes.", Preset::Number(TICKS as f64)),
        key("seed", "", Kind::Whole(0, u64::MAX), "Key of all random draws.", Preset::Number(settings.seed as f64)),
        key(
            "pair_budget",
            "",
            Kind::WholeOrOff(BUDGET),
            "Most pairs that a tick looks at, per agent on average: beyond it, crowded agents see the nearest others only.",
            budget,
        ),
    ]
}

/// The default number of ticks of a run.
pub(crate) const TICKS: u64 = 300;
/// The range of [`Settings::tick_seconds`].
pub(crate) const TICK: Range = Range::above(0.0, 1000.0);
/// The least [`Settings::pair_budget`].
const BUDGET: u64 = 64;

fn named(what: &'static str, form: impl Into<Form>) -> Form {
    Form::Named(what, Box::new(form.into()))
}

fn obstacle() -> Vec<Key> {
    let rest = Preset::Word("zero");
    vec![
        key("centre", "m", Kind::Point(Range::COORDINATE), "Centre of the disc (the ball).", Preset::Required),
        key("radius", "m", Kind::Number(Range::LENGTH), "Radius.", Preset::Required),
        key(
            "velocity",
            "m/s",
            Kind::Point(Range::COORDINATE),
            "How it moves; it turns back at the world's boundary.",
            rest,
        ),
    ]
}

fn region() -> Vec<Key> {
    vec![
        key("name", "", Kind::Name, "Name of the region.", Preset::Required),
        key(
            "centre",
            "m",
            Kind::Point(Range::COORDINATE),
            "Centre of the disc (the ball) or the box.",
            Preset::Required,
        ),
        key("radius", "m", Kind::Number(Range::LENGTH), "Radius of a disc; a box has none.", Preset::Absent),
        key("size", "m", Kind::Point(EXTENT), "Extent of a box; a disc has none.", Preset::Absent),
    ]
}

fn field() -> Vec<Key> {
    let vectors = "One vector for each cell, row by row: the first axis runs fastest.";
    vec![
        key("cells", "", Kind::WholePoint(1, 1 << 20), "How many cells there are on each axis.", Preset::Required),
        key("vectors", "m/s", Kind::Points(Range::COORDINATE), vectors, Preset::Required),
    ]
}

fn species() -> Vec<Key> {
    let mut keys = vec![
        key("count", "", Kind::Whole(0, 1 << 53), "How many agents there are at the start.", Preset::Required),
        key("place", "", Form::Table(place()), "Where they are at the start, and how they move.", Preset::Absent),
    ];
    for (number, (quantity, value)) in QUANTITIES.iter().zip(Species::<2>::new("").quantities()).enumerate() {
        if let (Kind::Number(range), Spread::Same(value)) = (quantity.kind, value) {
            let kind = if number < BODY_QUANTITIES { Kind::Spread(range) } else { quantity.kind };
            keys.push(self::quantity(quantity, kind, self::number(value)));
        }
    }
    let combine = Kind::Choice(&["weighted", "priority", "truncated"]);
    keys.push(key("combine", "", combine, "How the forces of the rules become one.", Preset::Word("weighted")));
    keys.push(quantity(&THRESHOLD, THRESHOLD.kind, Preset::Number(0.0)));
    keys.push(key("behaviours", "", Form::Rules, "The rules that steer them, in this order.", Preset::Absent));
    let variables = named("variable", Form::Table(variable()));
    keys.push(key("variables", "", variables, "Numbers that each agent has, and its states change.", Preset::Absent));
    let states = "States, each with rules of its own; agents start in the first.";
    keys.push(key("states", "", named("state", Form::Table(state())), states, Preset::Absent));
    keys.push(key("catch", "", Form::Table(catch()), "Which agents they catch.", Preset::Absent));
    keys
}

fn variable() -> Vec<Key> {
    let number = |name, help| key(name, "", Kind::Number(Range::COORDINATE), help, Preset::Required);
    vec![number("start", "Value at the start."), number("low", "Smallest value."), number("high", "Largest value.")]
}

fn state() -> Vec<Key> {
    let rules = "The rules of this state, after those that the species always follows.";
    let rates = named("variable", Kind::Number(Range::COORDINATE));
    let transitions = "What leads to another state: the first that holds.";
    vec![
        key("behaviours", "", Form::Rules, rules, Preset::Absent),
        key("rates", "1/s", rates, "How fast variables change.", Preset::Absent),
        key("transitions", "", Form::Tables(transition()), transitions, Preset::Absent),
    ]
}

/// The conditions of a transition: the key that identifies a condition, and the further keys that it takes.
pub(crate) const CONDITIONS: [(&str, &[&str]); 6] = [
    ("below", &["when"]),
    ("above", &["when"]),
    ("nearer", &["distance"]),
    ("farther", &["distance"]),
    ("after", &[]),
    ("event", &[]),
];

fn transition() -> Vec<Key> {
    let absent = |name, unit, kind: Kind, help| key(name, unit, kind, help, Preset::Absent);
    let events = Kind::Choice(&EVENT_NAMES);
    vec![
        key("to", "", Kind::Reference("state"), "The state that it leads to.", Preset::Required),
        absent("when", "", Kind::Reference("variable"), "The variable that `below` or `above` is about."),
        absent("below", "", Kind::Number(Range::COORDINATE), "The variable is at or below this."),
        absent("above", "", Kind::Number(Range::COORDINATE), "The variable is at or above this."),
        absent("nearer", "m", Kind::WhomOrPlace, "An agent of these, or the place, is within `distance`."),
        absent("farther", "m", Kind::WhomOrPlace, "No agent of these, or not the place, is within `distance`."),
        absent("distance", "m", Kind::Number(Range::LENGTH), "The distance of `nearer` or `farther`."),
        absent("after", "s", Kind::Number(SPEED), "The agent has been in the state for so long."),
        absent("event", "", events, "The agent caught another, was caught or arrived at a target."),
    ]
}

/// The events that a transition may wait for.
pub(crate) const EVENTS: [(&str, Condition); 3] =
    [("caught", Condition::Caught), ("was_caught", Condition::WasCaught), ("arrived", Condition::Arrived)];

fn catch() -> Vec<Key> {
    vec![
        key("whom", "", Kind::Whom, "The nearest of these is caught.", Preset::Required),
        key("distance", "m", Kind::Number(Range::LENGTH), "From how near.", Preset::Required),
        key("remove", "", Kind::Flag, "Whether an agent that is caught is removed.", Preset::Word("false")),
        key("during", "", Kind::References("state"), "In which states; in all of them by default.", Preset::Absent),
    ]
}

fn place() -> Vec<Key> {
    let regions = Kind::Choice(&["all", "disc", "box", "point"]);
    let middle = Preset::Word("the middle of the world");
    let speed = Preset::Word("the species' max_speed");
    vec![
        key("region", "", regions, "Where: all of the world, a disc (a ball), a box or a point.", Preset::Word("all")),
        key("centre", "m", Kind::Point(Range::COORDINATE), "Centre of the disc or the box; the point.", middle),
        key("radius", "m", Kind::Number(EXTENT), "Radius of the disc.", Preset::Absent),
        key("size", "m", Kind::Point(EXTENT), "Extent of the box.", Preset::Absent),
        key("heading", "", Kind::Heading, "Where they fly.", Preset::Word("random")),
        key("speed", "m/s", Kind::Spread(SPEED), "How fast they fly.", speed),
    ]
}

fn output() -> Vec<Key> {
    let every = key("every", "", Kind::Whole(1, 1 << 53), "Ticks from one to the next.", Preset::Required);
    vec![
        key(
            "trajectory",
            "",
            Form::Table(vec![every]),
            "Positions, velocities, states and columns as a table of text.",
            Preset::Absent,
        ),
        key("picture", "", Form::Table(picture()), "The picture of the last tick.", Preset::Absent),
    ]
}

fn picture() -> Vec<Key> {
    let colour = Kind::Choice(&COLOURS);
    let automatic = Preset::Word("species where there are several, else heading");
    vec![
        key("colour", "", colour, "What the colour of an agent says.", automatic),
        key("width", "pixels", Kind::Whole(16, 16_384), "Width.", Preset::Word("what fits 1920 x 1080")),
        key("height", "pixels", Kind::Whole(16, 16_384), "Height.", Preset::Word("what fits 1920 x 1080")),
    ]
}

fn key(name: &'static str, unit: &'static str, form: impl Into<Form>, help: &'static str, default: Preset) -> Key {
    Key { name, unit, form: form.into(), help, default }
}

/// The key of a quantity that has its own parameter entry.
fn quantity(quantity: &Parameter, kind: Kind, default: Preset) -> Key {
    key(quantity.name, quantity.unit, kind, quantity.help, default)
}

/// The default value of an `f32`, in its shortest decimal form.
fn number(value: f32) -> Preset {
    Preset::Number(value.to_string().parse().unwrap_or(f64::from(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vector;

    /// The ranges here must equal those that the settings enforce for a host.
    #[test]
    fn the_ranges_are_those_of_the_settings() {
        let base = Settings::<2>::default();
        for tick_seconds in [0.0, f32::from_bits(1), 1000.0, 1000.1, -1.0, f32::NAN, f32::INFINITY] {
            let fits = Settings { tick_seconds, ..base.clone() }.check().is_ok();
            assert_eq!(fits, TICK.contains(f64::from(tick_seconds)), "{tick_seconds}");
        }
        for size in [0.0, f32::from_bits(1), 0.9e-6, 1e-6, LIMIT, LIMIT * 1.001, f32::NAN] {
            let fits = Settings { size: Vector([1.0, size]), ..base.clone() }.check().is_ok();
            assert_eq!(fits, EXTENT.contains(f64::from(size)), "{size}");
        }
        for budget in [BUDGET - 1, BUDGET] {
            let fits = Settings { pair_budget: Some(budget as usize), ..base.clone() }.check().is_ok();
            assert_eq!(fits, budget >= BUDGET);
        }
    }
}
