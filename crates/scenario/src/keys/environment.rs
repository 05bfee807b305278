//! The keys of the environment: obstacles, walls, regions, sources, tracks, fields, ways and places.

use throng::parameters::{Kind, Parameter, Preset, Range};
use throng::{Arrivals, LIMIT, Navigation, Tracks, Wall, WallShape, Zone};

use crate::keys::parameter::{EXTENT, SPEED, key, optional, required};

pub(super) const OBSTACLE: &[Parameter] = &[
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

pub(super) const WALL: &[Parameter] = &[
    optional("name", "", Kind::Name, "Name of the wall."),
    optional("line", "m", Kind::Points(Range::COORDINATE), "Corners of a line, in two dimensions."),
    optional("polygon", "m", Kind::Points(Range::COORDINATE), "Corners of a closed line, in two dimensions."),
    optional("centre", "m", Kind::Point(Range::COORDINATE), "Centre of a disc, a ball or a box."),
    optional("radius", "m", Kind::Number(WallShape::<2>::EXTENT), "Radius of a disc or a ball."),
    optional("size", "m", Kind::Point(EXTENT), "Extent of a box."),
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
    optional("open", "s", Kind::Intervals(Wall::<2>::TIME), "Times at which the wall does not exist: a door is open."),
    key(
        "solid",
        "",
        Kind::Flag,
        "Whether agents start outside a `polygon`, as of a column, or inside, as of a room.",
        Preset::Word("false if it encloses a region, a start, a mark, an obstacle, a wall or half of the world"),
    ),
];

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

pub(super) const REGION: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the region."),
    required("centre", "m", Kind::Point(Range::COORDINATE), "Centre of the disc, the ball or the box."),
    optional("radius", "m", Kind::Number(Range::LENGTH), "Radius of a disc or a ball; excludes `size`."),
    optional("size", "m", Kind::Point(EXTENT), "Extent of a box; excludes `radius`."),
];

pub(super) const SOURCE: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the source."),
    required("species", "", Kind::Reference("species"), "Species of the new agents."),
    required("region", "", Kind::Reference("region"), "Region in which their bodies lie, clear of others."),
    optional("number", "", Kind::Whole(0, 1 << 53), "Arrivals: this number at once, at the start."),
    optional("rate", "1/s", Kind::Number(Arrivals::RATE), "Arrivals: this number of agents per second, evenly."),
    optional("poisson", "1/s", Kind::Number(Arrivals::RATE), "Arrivals: a Poisson process with this mean rate."),
    optional("schedule", "s", Kind::Schedule(Arrivals::TIME), "Arrivals: numbers of agents at these times."),
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

pub(super) const SINK: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the sink; removals are counted as `sink:NAME`."),
    required("region", "", Kind::Reference("region"), "Region in which agents are removed."),
    optional("species", "", Kind::References("species"), "Species that it removes; all by default."),
    optional("states", "", Kind::References("state"), "States in which it removes agents; all by default."),
];

pub(super) const ZONE: &[Parameter] = &[
    required("region", "", Kind::Reference("region"), "Region of the zone."),
    required("factor", "", Kind::Number(Zone::<2>::FACTOR), "Factor of the largest speed."),
    optional(
        "against",
        "",
        Kind::Number(Zone::<2>::FACTOR),
        "Factor for agents that want to move against `direction`.",
    ),
    optional("direction", "", Kind::Point(Range::COORDINATE), "Direction that `against` refers to."),
];

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

pub(super) const NAVIGATION: &[Parameter] = &[
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
        Preset::Number(Navigation::<2>::CLEARANCE),
    ),
    key(
        "cell",
        "m",
        Kind::Number(Navigation::<2>::CELL),
        "Length of a cell; a passage must be wider by more than a cell than twice the clearance.",
        Preset::Word("the longer side of the world / 512"),
    ),
    key(
        "capacity",
        "1/s",
        Kind::Number(Navigation::<2>::CAPACITY),
        "Agents that can leave at the goals per second, for estimates of queues.",
        Preset::Word("1.3 for each metre of the narrowest passage on the way"),
    ),
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
    key(
        "spacing",
        "m",
        Kind::Number(Range::from(1e-3, LIMIT as f64)),
        "Distance between places.",
        Preset::Number(SPACING),
    ),
];
