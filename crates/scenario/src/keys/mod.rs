//! The table of the keys of scenario files: units, allowed values, defaults and help.
//!
//! The checker, the JSON schema and the documents read it. The keys of species and rules come from their own tables
//! ([`QUANTITIES`](throng::species::tables::QUANTITIES), [`Reflect::parameters`](throng::parameters::Reflect::parameters)).

mod environment;
mod output;
mod parameter;
mod species;
mod storeys;

pub(crate) use environment::SPACING;
pub(crate) use output::REACH;
pub use species::DISTRIBUTION;
pub(crate) use species::RESIDENTS;
pub(crate) use storeys::{FACTORS, OF_LIFT, SLOPE};

use throng::parameters::{Definition, Kind, Parameter, Preset, Range};
use throng::{Edge, Link, Navigation, Settings, Sink, Source, Substance, Zone};

use crate::keys::environment::{FIELD, FLOOR_PLAN, PLACES, TRACKS};
use crate::keys::output::OUTPUT;
use crate::keys::parameter::{EXTENT, key, names, optional, required, without_name};
use crate::keys::species::SPECIES;
use crate::keys::storeys::{GROUND, LIFT, OBSTACLE, REGION, STAIR, STOREY, WALL};

/// The version of the file format.
pub const FORMAT: u64 = 1;

/// The largest size of a scenario file, in bytes; larger files are refused unread.
pub const LARGEST_FILE: u64 = 16 << 20;

/// The most values in a scenario file, where a number with a point counts two and a key eight; files with more are
/// refused before they are parsed.
pub const MOST_VALUES: u64 = 1_000_000;

/// The largest seed of a scenario file: the largest integer of TOML.
pub const MAX_SEED: u64 = i64::MAX as u64;

const EDGES: &[&str] = &names!(Edge::ALL, name());

/// The keys of a scenario file.
pub const FILE: &[Parameter] = &[
    required("format", "", Kind::Whole(FORMAT, FORMAT), "Version of the file format."),
    required("world", "", Kind::Table(WORLD), "Space and time."),
    required("species", "", Kind::Species(SPECIES), "The species and their agents."),
    optional(
        "storey",
        "",
        Kind::Tables(STOREY),
        "Storeys of a building, which have the size of the world, in two dimensions.",
    ),
    optional("stair", "", Kind::Tables(STAIR), "Stairs between storeys."),
    optional("lift", "", Kind::Tables(LIFT), "Lifts between storeys."),
    optional(
        "ground",
        "",
        Kind::FileOrTable(GROUND),
        "Ground with height: the faces of a mesh in the format OBJ, in two dimensions.",
    ),
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
        "Floor plan in WKT, GeoJSON, SVG, DXF or TOML: its walls, and its named rectangles as regions, in two dimensions.",
    ),
    optional("region", "", Kind::Tables(REGION), "Regions, with events for agents that enter or leave."),
    optional("source", "", Kind::Tables(Source::<2>::KEYS), "Sources: regions in which agents come into the world."),
    optional("sink", "", Kind::Tables(Sink::KEYS), "Sinks: regions that remove agents."),
    optional("zone", "", Kind::Tables(Zone::<2>::KEYS), "Zones: regions that change the largest speed of agents."),
    optional(
        "link",
        "",
        Kind::Tables(Link::<2>::KEYS),
        "Links: jumps, drops, ladders and doors that take time, from one region to another.",
    ),
    optional("tracks", "", Kind::Tables(TRACKS), "Recorded tracks, which agents follow."),
    optional("fields", "", Kind::Named("flow field", &Kind::Table(FIELD)), "Flow fields over the whole world."),
    optional(
        "navigation",
        "",
        Kind::Named("navigation", &Kind::Table(without_name(Navigation::<2>::KEYS))),
        "Ways to goals around walls, used by name like flow fields, in two dimensions.",
    ),
    optional("places", "", Kind::Named("queue or waiting area", &Kind::Table(PLACES)), "Queues and waiting areas."),
    optional(
        "substance",
        "",
        Kind::Named("substance", &Kind::Table(without_name(Substance::KEYS))),
        "Substances: fields that agents deposit and sense.",
    ),
    optional("output", "", Kind::Table(OUTPUT), "Output of a run."),
];

const SETTINGS: &Settings<2> = &Settings::DEFAULT;

const WORLD: &[Parameter] = &[
    key("name", "", Kind::Text, "Title of the scenario.", Preset::Word("the name of the file")),
    required("dimensions", "", Kind::Whole(2, 3), "Number of dimensions."),
    required(
        "size",
        "m",
        Kind::Point(EXTENT),
        "Extent of the world, of each storey or of the plan of a mesh, from the origin.",
    ),
    key(
        "edge",
        "",
        Kind::ChoicePerAxis(EDGES),
        "Effect of the world's boundaries on agents; with storeys bounce by default, and never wrap.",
        Preset::Word(SETTINGS.edge[0].name()),
    ),
    key("tick", "s", Kind::Number(TICK), "Simulated time per tick.", Preset::Number(SETTINGS.tick_seconds)),
    key("ticks", "", Kind::Whole(0, 1 << 53), "Number of ticks of a run.", Preset::Number(TICKS as f32)),
    key(
        "until",
        "",
        Kind::Choice(&["ticks", "empty"]),
        "End of a run: its last tick, or before it the tick in which no agent is left and no source can add one.",
        Preset::Word("ticks"),
    ),
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

#[cfg(test)]
mod tests {
    use super::*;
    use throng::{LIMIT, Vector};

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
