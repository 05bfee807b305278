//! The keys of storeys, stairs and ground, and the keys of items that lie on them.

use throng::parameters::{Definition, Kind, Parameter, Preset, Range, count, joined};
use throng::{Lift, Obstacle, Region, Wall};

use crate::keys::parameter::{key, optional, required};

/// The storey on which an item lies.
pub(super) const ON: Parameter = key(
    "storey",
    "",
    Kind::Reference("storey"),
    "Storey on which it lies.",
    Preset::Word("the first, if there are any"),
);

/// The height at which an item lies.
pub(super) const HEIGHT: Parameter = key(
    "height",
    "m",
    Kind::Number(Range::COORDINATE),
    "Height near which it lies, on the storey or the ground that is the nearest to it under its middle.",
    Preset::Word("on a mesh the lowest ground there"),
);

/// The ground in a mesh.
pub(super) const GROUND: &[Parameter] = &[
    required("file", "", Kind::File, "Name of the file, relative to the folder of the scenario: .obj."),
    key("up", "", Kind::Choice(&["y", "z"]), "Axis of the file that points up.", Preset::Word("y")),
    key(
        "slope",
        "degrees",
        Kind::Number(Range::from(0.0, 60.0)),
        "Largest slope on which people walk; steeper faces are left out.",
        Preset::Number(SLOPE),
    ),
    key("scale", "m", Kind::Number(Range::from(1e-6, 1e6)), "Length of a unit of the file.", Preset::Number(1.0)),
    key("origin", "m", Kind::Point(Range::COORDINATE), "Place of the file's origin in the plan.", Preset::Word("zero")),
];

/// The default of the largest slope, in degrees.
pub(crate) const SLOPE: f32 = 45.0;

pub(super) const STOREY: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the storey, which no other storey and no stair has."),
    key("elevation", "m", Kind::Number(Range::COORDINATE), "Height of its floor.", Preset::Number(0.0)),
];

/// The parts of their speed with which people go up and down.
pub(crate) const FACTORS: [f32; 2] = [0.5, 0.6];

const FACTOR: Kind = Kind::Number(Range::above(0.0, 10.0));

pub(super) const STAIR: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the stair, which no other stair and no storey has."),
    required(
        "storeys",
        "",
        Kind::References("storey"),
        "Storey at its foot, and the one at its head, which is not lower.",
    ),
    required("foot", "m", Kind::Points(Range::COORDINATE), "Ends of the line at its foot, along an axis, in the plan."),
    optional(
        "run",
        "m",
        Kind::Point(Range::COORDINATE),
        "Way of a straight flight to its head in the plan, across the line.",
    ),
    optional(
        "path",
        "m",
        Kind::Points(Range::COORDINATE),
        "Points through which the middle of the stair leads after its foot: where it turns, with a landing, and the middle of its head.",
    ),
    optional("centre", "m", Kind::Point(Range::COORDINATE), "Centre of a spiral in the plan, on the line of the foot."),
    optional(
        "turn",
        "degrees",
        Kind::Number(Range::from(-345.0, 345.0)),
        "Turn of a spiral from its foot to its head, anticlockwise; a negative one is clockwise.",
    ),
    key("up", "", FACTOR, "Factor of the largest speed of agents that go up.", Preset::Number(FACTORS[0])),
    key("down", "", FACTOR, "Factor of the largest speed of agents that go down.", Preset::Number(FACTORS[1])),
    key(
        "escalator",
        "m/s",
        Kind::Number(Range::from(-10.0, 10.0)),
        "Velocity with which the flight carries agents up in the plan; a negative one carries them down.",
        Preset::Number(0.0),
    ),
];

/// The keys of a lift, and those that the lift of a world has too.
pub(super) const LIFT: &[Parameter] = &joined::<{ count(WHOLE_LIFT) }>(WHOLE_LIFT);
const WHOLE_LIFT: &[&[Parameter]] = &[LIFT_IN_PLAN, OF_LIFT];
pub(crate) const OF_LIFT: &[Parameter] = Lift::KEYS.split_at(4).1;

const LIFT_IN_PLAN: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the lift, which no other lift, stair or storey has."),
    required("storeys", "", Kind::References("storey"), "Storeys at which it stops."),
    required("centre", "m", Kind::Point(Range::COORDINATE), "Middle of its car in the plan."),
    required("size", "m", Kind::Point(Range::EXTENT), "Extent of its car, which has walls around it."),
    required(
        "door",
        "",
        Kind::Point(Range::COORDINATE),
        "Direction from the middle of the car through its door, along an axis.",
    ),
    key("door_width", "m", Kind::Number(Range::EXTENT), "Width of the door.", Preset::Word("the side of the car")),
];

/// The keys of obstacles, walls and regions, and the storey.
pub(super) const OBSTACLE: &[Parameter] = &joined::<{ count(OF_OBSTACLE) }>(OF_OBSTACLE);
const OF_OBSTACLE: &[&[Parameter]] = &[Obstacle::<2>::KEYS, &[ON, HEIGHT]];

pub(super) const WALL: &[Parameter] = &joined::<{ count(OF_WALL) }>(OF_WALL);
const OF_WALL: &[&[Parameter]] = &[Wall::<2>::KEYS, &[ON, HEIGHT]];

pub(super) const REGION: &[Parameter] = &joined::<{ count(OF_REGION) }>(OF_REGION);
const OF_REGION: &[&[Parameter]] = &[Region::<2>::KEYS, &[ON, HEIGHT]];
