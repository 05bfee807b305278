//! The table of the keys of scenario files: units, allowed values, defaults and help.
//!
//! The checker, the JSON schema and the documents read it. The keys of species and rules come from their own tables
//! ([`QUANTITIES`], [`Reflect::parameters`](crate::parameters::Reflect::parameters)).

use crate::base::settings::{Edge, LIMIT, Settings};
use crate::environment::{navigation, source, wall, zone};
use crate::measures::{Measure, measures};
use crate::rules::parameters::{Kind, Parameter, Preset, Range};
use crate::scenario::output::Colour;
use crate::species::states::Condition;
use crate::species::{BODY_QUANTITIES, Population, QUANTITIES, THRESHOLD, TIMES};

/// The version of the file format.
pub const FORMAT: u64 = 1;

/// The largest size of a scenario file, in bytes; larger files are refused unread.
pub const LARGEST_FILE: u64 = 16 << 20;

/// The most values in a scenario file, where a number with a point counts two and a key eight; files with more are refused
/// before they are parsed.
pub const MOST_VALUES: u64 = 1_000_000;

/// The largest seed of a scenario file: the largest integer of TOML.
pub const MAX_SEED: u64 = i64::MAX as u64;

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

const EDGES: &[&str] = &names!(Edge::ALL, name());
const COLOURS: &[&str] = &names!(Colour::ALL, name());
const MEASURES: &[Measure] = measures();
const MEASURE_NAMES: &[&str] = &names!(MEASURES, name);
const POPULATIONS: &[&str] = &names!(Population::ALL, name());
const EVENT_NAMES: &[&str] = &names!(EVENTS, 0);

/// The keys of a scenario file.
pub const FILE: &[Parameter] = &[
    required("format", "", Kind::Whole(FORMAT, FORMAT), "Version of the file format."),
    required("world", "", Kind::Table(WORLD), "Space and time."),
    required("species", "", Kind::Species(SPECIES), "The species and their agents."),
    optional(
        "marks",
        "m",
        Kind::Named("mark", &Kind::Point(Range::COORDINATE)),
        "Named points, for targets and conditions.",
    ),
    optional("obstacle", "", Kind::Tables(OBSTACLE), "Obstacles: discs, or balls in three dimensions."),
    optional(
        "wall",
        "",
        Kind::Tables(WALL),
        "Walls and doors; each has one of `line`, `polygon`, `radius`, `size` and `normal`.",
    ),
    optional(
        "walls",
        "m",
        Kind::Paths(Range::COORDINATE),
        "Further walls at rest, each a line through these points, in two dimensions.",
    ),
    optional(
        "floor_plan",
        "",
        Kind::FileOrTable(FLOOR_PLAN),
        "Floor plan in WKT, SVG or TOML: its walls, and its named rectangles as regions, in two dimensions.",
    ),
    optional("region", "", Kind::Tables(REGION), "Regions, with events for agents that enter or leave."),
    optional("source", "", Kind::Tables(SOURCE), "Sources: regions in which agents come into the world."),
    optional("sink", "", Kind::Tables(SINK), "Sinks: regions that remove agents."),
    optional("zone", "", Kind::Tables(ZONE), "Zones: regions that change the largest speed of agents."),
    optional("fields", "", Kind::Named("flow field", &Kind::Table(FIELD)), "Flow fields over the whole world."),
    optional(
        "navigation",
        "",
        Kind::Named("navigation", &Kind::Table(NAVIGATION)),
        "Ways to goals around walls, used by name like flow fields, in two dimensions.",
    ),
    optional("places", "", Kind::Named("queue or waiting area", &Kind::Table(PLACES)), "Queues and waiting areas."),
    optional("output", "", Kind::Table(OUTPUT), "Output of a run."),
];

const SETTINGS: Settings<2> = Settings::DEFAULT;

const WORLD: &[Parameter] = &[
    key("name", "", Kind::Text, "Title of the scenario.", Preset::Word("the name of the file")),
    required("dimensions", "", Kind::Whole(2, 3), "Number of dimensions."),
    required("size", "m", Kind::Point(EXTENT), "Extent of the world, from the origin."),
    key(
        "edge",
        "",
        Kind::ChoicePerAxis(EDGES),
        "Effect of the world's boundaries on agents.",
        Preset::Word(SETTINGS.edge[0].name()),
    ),
    key("tick", "s", Kind::Number(TICK), "Simulated time per tick.", Preset::Number(SETTINGS.tick_seconds)),
    key("ticks", "", Kind::Whole(0, 1 << 53), "Number of ticks of a run.", Preset::Number(TICKS as f32)),
    key("seed", "", Kind::Whole(0, MAX_SEED), "Key of all random draws.", Preset::Number(SETTINGS.seed as f32)),
    key(
        "pair_budget",
        "",
        Kind::WholeOrOff(BUDGET),
        "Largest average number of pairs per agent in a tick; above it, crowded agents perceive only nearby neighbours.",
        match SETTINGS.pair_budget {
            Some(budget) => Preset::Number(budget as f32),
            None => Preset::Word("off"),
        },
    ),
];

/// The default number of ticks of a run.
pub(crate) const TICKS: u64 = 300;
/// The range of [`Settings::tick_seconds`].
pub(crate) const TICK: Range = Range::above(0.0, 1000.0);
/// The least [`Settings::pair_budget`].
const BUDGET: u64 = 64;

const OBSTACLE: &[Parameter] = &[
    required("centre", "m", Kind::Point(Range::COORDINATE), "Centre of the disc or the ball."),
    required("radius", "m", Kind::Number(Range::LENGTH), "Radius."),
    key(
        "velocity",
        "m/s",
        Kind::Point(Range::COORDINATE),
        "Velocity; the obstacle turns back at the world's boundary.",
        Preset::Word("zero"),
    ),
];

const WALL: &[Parameter] = &[
    optional("name", "", Kind::Name, "Name of the wall."),
    optional("line", "m", Kind::Points(Range::COORDINATE), "Corners of a line, in two dimensions."),
    optional("polygon", "m", Kind::Points(Range::COORDINATE), "Corners of a closed line, in two dimensions."),
    optional("centre", "m", Kind::Point(Range::COORDINATE), "Centre of a disc, a ball or a box."),
    optional("radius", "m", Kind::Number(wall::EXTENT), "Radius of a disc or a ball."),
    optional("size", "m", Kind::Point(wall::EXTENT), "Extent of a box."),
    optional(
        "point",
        "m",
        Kind::Point(Range::COORDINATE),
        "Point of a plane, or of a line without ends in two dimensions.",
    ),
    optional("normal", "", Kind::Point(Range::COORDINATE), "Direction at right angles to the plane."),
    key(
        "velocity",
        "m/s",
        Kind::Point(Range::COORDINATE),
        "Velocity; the wall turns back at the world's boundary.",
        Preset::Word("zero"),
    ),
    optional("open", "s", Kind::Intervals(wall::TIME), "Times at which the wall does not exist: a door is open."),
];

const FLOOR_PLAN: &[Parameter] = &[
    required("file", "", Kind::File, "Name of the file, relative to the folder of the scenario: .wkt, .svg or .toml."),
    key(
        "scale",
        "m",
        Kind::Number(SCALE),
        "Length of a unit of the file.",
        Preset::Word("that of the file's unit; an SVG has none"),
    ),
    key(
        "origin",
        "m",
        Kind::Point(Range::COORDINATE),
        "Position of the file's point (0, 0); in an SVG, the lower left corner of the page.",
        Preset::Word("zero"),
    ),
];

/// The length of a unit of a floor plan.
const SCALE: Range = Range::from(1e-6, 1e6);

const REGION: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the region."),
    required("centre", "m", Kind::Point(Range::COORDINATE), "Centre of the disc, the ball or the box."),
    optional("radius", "m", Kind::Number(Range::LENGTH), "Radius of a disc or a ball; excludes `size`."),
    optional("size", "m", Kind::Point(EXTENT), "Extent of a box; excludes `radius`."),
];

const SOURCE: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the source."),
    required("species", "", Kind::Reference("species"), "Species of the new agents."),
    required("region", "", Kind::Reference("region"), "Region in which their bodies lie, clear of others."),
    optional("number", "", Kind::Whole(0, 1 << 53), "Arrivals: this number at once, at the start."),
    optional("rate", "1/s", Kind::Number(source::RATE), "Arrivals: this number of agents per second, evenly."),
    optional("poisson", "1/s", Kind::Number(source::RATE), "Arrivals: a Poisson process with this mean rate."),
    optional("schedule", "s", Kind::Schedule(source::TIME), "Arrivals: numbers of agents at these times."),
    optional("on_entry", "", Kind::Reference("region"), "Arrivals: one agent for each that enters this region."),
    optional("limit", "", Kind::Whole(0, 1 << 53), "Number of agents after which the source ends."),
    key("heading", "", Kind::Heading, "Direction of motion of new agents.", Preset::Word("random")),
    key(
        "speed",
        "m/s",
        Kind::Distribution(SPEED),
        "Speed of new agents.",
        Preset::Word("the largest speed of each agent"),
    ),
];

const SINK: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the sink; removals are counted as `sink:NAME`."),
    required("region", "", Kind::Reference("region"), "Region in which agents are removed."),
    optional("species", "", Kind::References("species"), "Species that it removes; all by default."),
    optional("states", "", Kind::References("state"), "States in which it removes agents; all by default."),
];

const ZONE: &[Parameter] = &[
    required("region", "", Kind::Reference("region"), "Region of the zone."),
    required("factor", "", Kind::Number(zone::FACTOR), "Factor of the largest speed."),
    optional("against", "", Kind::Number(zone::FACTOR), "Factor for agents that move against `direction`."),
    optional("direction", "", Kind::Point(Range::COORDINATE), "Direction that `against` refers to."),
];

const FIELD: &[Parameter] = &[
    required("cells", "", Kind::WholePoint(1, 1 << 20), "Number of cells on each axis."),
    required("vectors", "m/s", Kind::Points(Range::COORDINATE), "One vector per cell; the first axis varies fastest."),
];

const NAVIGATION: &[Parameter] = &[
    required(
        "goals",
        "",
        Kind::References("mark or region"),
        "Goals: `\"region:NAME\"` or `\"mark:NAME\"`; ways lead to the nearest.",
    ),
    key(
        "clearance",
        "m",
        Kind::Number(Range::LENGTH),
        "Least distance of ways from walls: the radius of the bodies.",
        Preset::Number(0.25),
    ),
    key(
        "cell",
        "m",
        Kind::Number(navigation::CELL),
        "Length of a cell; a passage must be wider by more than a cell than twice the clearance.",
        Preset::Word("the longer side of the world / 512"),
    ),
    key(
        "capacity",
        "1/s",
        Kind::Number(navigation::CAPACITY),
        "Agents that can leave at the goals per second, for estimates of queues.",
        Preset::Number(1.3),
    ),
];

/// The default distance between two places, in metres.
pub(crate) const SPACING: f32 = 0.8;

const PLACES: &[Parameter] = &[
    optional(
        "line",
        "m",
        Kind::Points(Range::COORDINATE),
        "Corners of a queue from its head to its tail; excludes `region`.",
    ),
    optional("region", "", Kind::Reference("region"), "Region of a waiting area; excludes `line`."),
    key(
        "spacing",
        "m",
        Kind::Number(Range::from(1e-3, LIMIT as f64)),
        "Distance between places.",
        Preset::Number(SPACING),
    ),
];

const SPECIES: &[Parameter] = &[
    key(
        "count",
        "",
        Kind::Whole(0, 1 << 53),
        "Initial number of agents; required unless a source feeds the species, or `place.file` has its agents.",
        Preset::Word("zero with a source, all with a file"),
    ),
    optional("place", "", Kind::Table(PLACE), "Initial positions and velocities."),
    quantity(0),
    quantity(1),
    quantity(2),
    quantity(3),
    quantity(4),
    quantity(5),
    quantity(6),
    optional(
        "population",
        "",
        Kind::Choice(POPULATIONS),
        "Population whose walking speeds the agents' largest speeds have; excludes `max_speed`.",
    ),
    TIMES[0],
    TIMES[1],
    key(
        "combine",
        "",
        Kind::Choice(&["weighted", "priority", "truncated"]),
        "Method that combines the forces of the rules.",
        Preset::Word("weighted"),
    ),
    THRESHOLD,
    optional("motion", "", Kind::Motion, "Model of motion; vehicles with mass and limits by default."),
    optional("behaviours", "", Kind::Rules, "Rules of motion, in order."),
    optional(
        "variables",
        "",
        Kind::Named("variable", &Kind::Table(VARIABLE)),
        "Numbers of each agent, which its states change.",
    ),
    optional(
        "states",
        "",
        Kind::Named("state", &Kind::Table(STATE)),
        "States with their own rules; agents start in the first.",
    ),
    optional("catch", "", Kind::Table(CATCH), "Catching of other agents."),
];

/// A quantity of a species. Those of the body may be drawn for each agent.
const fn quantity(place: usize) -> Parameter {
    let quantity = QUANTITIES[place];
    match quantity.kind {
        Kind::Number(range) if place < BODY_QUANTITIES => Parameter { kind: Kind::Distribution(range), ..quantity },
        _ => quantity,
    }
}

/// The keys of a distribution that is written as a table. Its numbers have the unit and the range of the key.
pub const DISTRIBUTION: &[Parameter] = &[
    optional("mean", "", Kind::Number(Range::FINITE), "Mean of a normal distribution, before it is cut; needs `sd`."),
    optional("sd", "", Kind::Number(POSITIVE), "Standard deviation of a normal distribution, before it is cut."),
    optional(
        "median",
        "",
        Kind::Number(POSITIVE),
        "Median of a lognormal distribution, before it is cut; needs `log_sd`.",
    ),
    optional(
        "log_sd",
        "",
        Kind::Number(POSITIVE),
        "Standard deviation of the natural logarithm of a lognormal distribution.",
    ),
    key("low", "", Kind::Number(Range::FINITE), "Smallest value.", Preset::Word("the smallest that the key can have")),
    key("high", "", Kind::Number(Range::FINITE), "Largest value.", Preset::Word("the largest that the key can have")),
];

const POSITIVE: Range = Range::above(0.0, LIMIT as f64);

const VARIABLE: &[Parameter] = &[
    required("start", "", Kind::Number(Range::COORDINATE), "Initial value."),
    required("low", "", Kind::Number(Range::COORDINATE), "Smallest value."),
    required("high", "", Kind::Number(Range::COORDINATE), "Largest value."),
];

const STATE: &[Parameter] = &[
    optional("behaviours", "", Kind::Rules, "Rules of this state, after those of the species."),
    optional(
        "rates",
        "1/s",
        Kind::Named("variable", &Kind::Number(Range::COORDINATE)),
        "Rates of change of variables.",
    ),
    optional(
        "transitions",
        "",
        Kind::Tables(TRANSITION),
        "Transitions to other states; an agent takes the first whose condition holds.",
    ),
];

/// The conditions of a transition: the key that identifies a condition, and the further keys that it takes.
pub(crate) const CONDITIONS: [(&str, &[&str]); 8] = [
    ("below", &["when"]),
    ("above", &["when"]),
    ("nearer", &["distance"]),
    ("farther", &["distance"]),
    ("open", &[]),
    ("closed", &[]),
    ("after", &[]),
    ("event", &[]),
];

const TRANSITION: &[Parameter] = &[
    required("to", "", Kind::Reference("state"), "Next state."),
    optional("when", "", Kind::Reference("variable"), "Variable of `below` or `above`."),
    optional("below", "", Kind::Number(Range::COORDINATE), "Condition: the variable is at or below this value."),
    optional("above", "", Kind::Number(Range::COORDINATE), "Condition: the variable is at or above this value."),
    optional(
        "nearer",
        "m",
        Kind::SpeciesOrPlace,
        "Condition: an agent of these species, or this place, is within `distance`.",
    ),
    optional(
        "farther",
        "m",
        Kind::SpeciesOrPlace,
        "Condition: no agent of these species is within `distance`, or this place is farther.",
    ),
    optional("distance", "m", Kind::Number(Range::LENGTH), "Distance of `nearer` or `farther`."),
    optional("open", "", Kind::Reference("wall"), "Condition: the door with this name, a wall, is open."),
    optional("closed", "", Kind::Reference("wall"), "Condition: the door with this name, a wall, is closed."),
    optional("after", "s", Kind::Number(SPEED), "Condition: the agent has been in the state for this time."),
    optional(
        "event",
        "",
        Kind::Choice(EVENT_NAMES),
        "Condition: the agent caught another, was caught or arrived at a target.",
    ),
];

/// The events that a transition may wait for.
pub(crate) const EVENTS: [(&str, Condition); 3] =
    [("caught", Condition::Caught), ("was_caught", Condition::WasCaught), ("arrived", Condition::Arrived)];

const CATCH: &[Parameter] = &[
    required("whom", "", Kind::SpeciesFilter, "Species to catch; an agent catches the nearest one."),
    required("distance", "m", Kind::Number(Range::LENGTH), "Distance within which agents catch."),
    key("remove", "", Kind::Flag, "Whether caught agents are removed.", Preset::Word("false")),
    optional("during", "", Kind::References("state"), "States in which agents catch; all states by default."),
];

const GROUP_SIZE: Range = Range::from(0.5, 1e6);

const PLACE: &[Parameter] = &[
    key(
        "region",
        "",
        Kind::Choice(&["all", "disc", "circle", "box", "point"]),
        "Region of the initial positions: the whole world, a disc or ball, places at equal distances on a circle, a box or a point.",
        Preset::Word("all"),
    ),
    key(
        "centre",
        "m",
        Kind::Point(Range::COORDINATE),
        "Centre of the disc, the circle or the box, or the point.",
        Preset::Word("the middle of the world"),
    ),
    optional("radius", "m", Kind::Number(EXTENT), "Radius of the disc or the circle."),
    optional("size", "m", Kind::Point(EXTENT), "Extent of the box."),
    key("heading", "", Kind::Heading, "Initial direction of motion.", Preset::Word("random")),
    key("speed", "m/s", Kind::Distribution(SPEED), "Initial speed.", Preset::Word("the species' max_speed")),
    key(
        "goal",
        "",
        Kind::Choice(&["none", "opposite"]),
        "Goal of each agent, in place of the targets of its rules: the point opposite its initial position.",
        Preset::Word("none"),
    ),
    optional(
        "group_size",
        "",
        Kind::Distribution(GROUP_SIZE),
        "Size of groups, rounded: members start side by side and have the same number in the column `group`.",
    ),
    optional(
        "file",
        "",
        Kind::Text,
        "Trajectory whose agents' positions and velocities the agents start with; excludes `region`.",
    ),
    key("tick", "", Kind::Whole(0, 1 << 53), "Tick of these positions.", Preset::Word("the last of the file")),
];

const OUTPUT: &[Parameter] = &[
    optional("trajectory", "", Kind::Table(TRAJECTORY), "Positions, velocities, states and columns, as a text table."),
    optional("picture", "", Kind::Table(PICTURE), "Picture of the last tick."),
    optional("measures", "", Kind::Table(RECORDING), "Series of measures, and measures of crowds."),
    key(
        "audit",
        "",
        Kind::Flag,
        "Whether `throng run` tests every tick for agents that cross walls, by brute force.",
        Preset::Word("false"),
    ),
];

const TRAJECTORY: &[Parameter] = &[
    required("every", "", Kind::Whole(1, 1 << 53), "Interval between records, in ticks."),
    key(
        "unwrapped",
        "",
        Kind::Flag,
        "Whether it also has positions without the jumps at the seams of a periodic world.",
        Preset::Word("false"),
    ),
];

const RECORDING: &[Parameter] = &[
    key("every", "", Kind::Whole(1, 1 << 53), "Interval between records, in ticks.", Preset::Number(1.0)),
    key(
        "names",
        "",
        Kind::Choices(MEASURE_NAMES),
        "Measures to record, of all agents and of each species.",
        Preset::Word("all that need no `radius`, or all with it, but not `correlation_length`"),
    ),
    optional(
        "radius",
        "m",
        Kind::Number(EXTENT),
        "Radius of neighbours for `local_density`, `clusters` and `largest_cluster`.",
    ),
    optional(
        "line",
        "",
        Kind::Named("line", &Kind::Table(LINE)),
        "Lines through which the flow of agents is counted, in two dimensions.",
    ),
    optional(
        "area",
        "",
        Kind::Named("area", &Kind::Table(AREA)),
        "Boxes in which density and speed are measured, in two dimensions.",
    ),
];

const LINE: &[Parameter] = &[
    required("from", "m", Kind::Point(Range::COORDINATE), "First end; agents cross forward from left to right."),
    required("to", "m", Kind::Point(Range::COORDINATE), "Second end."),
];

const AREA: &[Parameter] = &[
    required("centre", "m", Kind::Point(Range::COORDINATE), "Centre of the box."),
    required("size", "m", Kind::Point(EXTENT), "Extent of the box."),
    key(
        "reach",
        "m",
        Kind::Number(EXTENT),
        "Largest distance from an agent to the corners of its Voronoi cell.",
        Preset::Number(REACH),
    ),
];

/// The default reach of Voronoi cells, in metres.
pub(crate) const REACH: f32 = 2.0;

const PICTURE: &[Parameter] = &[
    key(
        "colour",
        "",
        Kind::Choice(COLOURS),
        "Quantity that the colour of an agent shows.",
        Preset::Word("species where there are several, else heading"),
    ),
    key("width", "pixels", Kind::Whole(16, 16_384), "Width.", Preset::Word("what fits 1920 x 1080")),
    key("height", "pixels", Kind::Whole(16, 16_384), "Height.", Preset::Word("what fits 1920 x 1080")),
];

const fn key(name: &'static str, unit: &'static str, kind: Kind, help: &'static str, default: Preset) -> Parameter {
    Parameter { name, unit, kind, help, default }
}

const fn required(name: &'static str, unit: &'static str, kind: Kind, help: &'static str) -> Parameter {
    key(name, unit, kind, help, Preset::Required)
}

const fn optional(name: &'static str, unit: &'static str, kind: Kind, help: &'static str) -> Parameter {
    key(name, unit, kind, help, Preset::Absent)
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
