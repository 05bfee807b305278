//! The keys of results: pictures, trajectories and measures.

use throng::measures::{Measure, measures};
use throng::parameters::{Kind, Parameter, Preset, Range};

use crate::keys::parameter::{EXTENT, key, names, optional, required};
use crate::keys::storeys::{HEIGHT, ON};

const MEASURES: &[Measure] = measures();
const MEASURE_NAMES: &[&str] = &names!(MEASURES, built_in_name());

pub(super) const OUTPUT: &[Parameter] = &[
    optional("trajectory", "", Kind::Table(TRAJECTORY), "Positions, velocities, states and columns, as a text table."),
    optional("picture", "", Kind::Table(PICTURE), "Picture of the most telling tick."),
    optional(
        "show",
        "",
        Kind::References("value"),
        "Values whose sliders the page shows first: `SPECIES.QUANTITY`, `SPECIES.variables.NAME`, `SPECIES.motion.PARAMETER` or `SPECIES.RULE.PARAMETER`.",
    ),
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
        Preset::Word("the usual ones: without a `radius`, those that need none"),
    ),
    optional(
        "own",
        "",
        Kind::Statements,
        "Measures of your own: `NAME = EXPRESSION` or `NAME [UNIT] = EXPRESSION` over the agents.",
    ),
    optional("radius", "m", Kind::Number(EXTENT), "Radius of neighbours for `local_density` and clusters."),
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
    optional(
        "window",
        "s",
        Kind::Number(Range::from(1e-6, 1e6)),
        "Window of time over which velocities are measured, as a displacement over its length; momentary ones otherwise.",
    ),
    key(
        "persons",
        "",
        Kind::Flag,
        "Whether there is a table of all agents: when each came, set off and left.",
        Preset::Word("false"),
    ),
];

const LINE: &[Parameter] = &[
    required("from", "m", Kind::Point(Range::COORDINATE), "First end; agents cross forward from left to right."),
    required("to", "m", Kind::Point(Range::COORDINATE), "Second end."),
    ON,
    HEIGHT,
];

const AREA: &[Parameter] = &[
    required("centre", "m", Kind::Point(Range::COORDINATE), "Centre of the box."),
    required("size", "m", Kind::Point(EXTENT), "Extent of the box."),
    ON,
    HEIGHT,
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
        Kind::Reference("quantity"),
        "Quantity that the colour of an agent shows: `species`, `heading`, `speed`, `neighbours`, `state` or a variable.",
        Preset::Word("species where there are several, else heading"),
    ),
    key("width", "pixels", Kind::Whole(16, 16_384), "Width.", Preset::Word("what fits 1920 x 1080")),
    key("height", "pixels", Kind::Whole(16, 16_384), "Height.", Preset::Word("what fits 1920 x 1080")),
];
