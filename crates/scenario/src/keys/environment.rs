//! The keys of floor plans, tracks, flow fields and places.

use throng::parameters::{Kind, Parameter, Preset, Range};
use throng::{LIMIT, Tracks};

use crate::keys::parameter::{key, optional, required};
use crate::keys::storeys::{HEIGHT, ON};

pub(super) const FLOOR_PLAN: &[Parameter] = &[
    required(
        "file",
        "",
        Kind::File,
        "Name of the file, relative to the folder of the scenario: .wkt, .geojson, .svg, .dxf or .toml.",
    ),
    key(
        "scale",
        "m",
        Kind::Number(SCALE),
        "Length of a unit of the file; in an SVG, of its `viewBox`.",
        Preset::Word("the file's unit; an SVG has none"),
    ),
    key(
        "origin",
        "m",
        Kind::Point(FAR),
        "Position of the file's point (0, 0); in an SVG, the lower left corner of the page.",
        Preset::Word("zero; a plan in the coordinates of a map is moved to zero"),
    ),
    key(
        "element",
        "",
        Kind::Whole(0, 1 << 20),
        "Number of the one polygon or line of a WKT or GeoJSON file to read, from 0.",
        Preset::Word("all of them"),
    ),
    key(
        "select",
        "",
        Kind::References("property with its value, such as `level=0`"),
        "Features of a GeoJSON file to read: those with one of the given values of each given property.",
        Preset::Word("all of them"),
    ),
    key(
        "walls",
        "",
        Kind::References("shape, of a group, of a colour or of a layer"),
        "Filled shapes of an SVG without a stroke that are walls: ids or labels of shapes or groups, or colours such as `\"#333333\"`. Layers of a DXF whose shapes are walls.",
        Preset::Word("those with a word for a wall in their names; in a DXF without such a layer, all but doors"),
    ),
];

/// The coordinates of a map.
const FAR: Range = Range::from(-1e9, 1e9);

/// The length of a unit of a floor plan.
const SCALE: Range = Range::from(1e-6, 1e6);

pub(super) const TRACKS: &[Parameter] = &[
    required("species", "", Kind::Reference("species"), "Species of the agents that follow the tracks."),
    required(
        "file",
        "",
        Kind::File,
        "Trajectory, relative to the folder of the scenario: .csv, .txt, .sqlite or .parquet.",
    ),
    key("name", "", Kind::Name, "Name of the tracks.", Preset::Word("the name of the species")),
    key(
        "from",
        "",
        Kind::Whole(0, 1 << 53),
        "Tick or frame of the file at the start of the world.",
        Preset::Word("the first of the file"),
    ),
    key(
        "frame_seconds",
        "s",
        Kind::Number(Tracks::<2>::FRAME),
        "Time between frames.",
        Preset::Word("the time in the file"),
    ),
];

pub(super) const FIELD: &[Parameter] = &[
    required("cells", "", Kind::WholePoint(1, 1 << 20), "Number of cells on each axis."),
    required("vectors", "m/s", Kind::Points(Range::COORDINATE), "One vector per cell; the first axis varies fastest."),
];

/// The default distance between two places, in metres.
pub(crate) const SPACING: f32 = 0.8;

pub(super) const PLACES: &[Parameter] = &[
    optional(
        "line",
        "m",
        Kind::Points(Range::COORDINATE),
        "Corners of a queue from its head to its tail; excludes `region`.",
    ),
    optional("region", "", Kind::Reference("region"), "Region of a waiting area; excludes `line`."),
    ON,
    HEIGHT,
    key(
        "spacing",
        "m",
        Kind::Number(Range::from(1e-3, LIMIT as f64)),
        "Distance between places.",
        Preset::Number(SPACING),
    ),
];
