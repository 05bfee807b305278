//! The keys of species: their agents, states and places.

use throng::parameters::{Definition, Kind, Parameter, Preset, Range, Scaled, count, joined};
use throng::species::tables::{QUANTITIES, THRESHOLD, TIMES};
use throng::{Catch, LIMIT, Population, Quantity, Sex, Species, Transition, Variable};

use crate::keys::parameter::{EXTENT, SPEED, key, names, optional, required, without_name};
use crate::keys::storeys::{HEIGHT, ON};

/// The population that decides bodies and speeds, by kinds.
pub(crate) const RESIDENTS: &str = "residents";

const POPULATIONS: &[&str] = &{
    let (names, mut all) = (names!(Population::ALL, name()), [RESIDENTS; Population::ALL.len() + 1]);
    let mut number = 0;
    while number < names.len() {
        all[number] = names[number];
        number += 1;
    }
    all
};
const SEXES: &[&str] = &names!(Sex::ALL, name());

/// The keys of a species: of the file, and of its definition.
pub(super) const SPECIES: &[Parameter] = &joined::<{ count(PARTS) }>(PARTS);
const PARTS: &[&[Parameter]] = &[BODIES, Species::<2>::KEYS, RULES];

const BODIES: &[Parameter] = &[
    key(
        "count",
        "",
        Kind::Whole(0, 1 << 53),
        "Initial number of agents; required unless a source feeds the species, or `place.file` has its agents.",
        Preset::Word("zero with a source, all with a file"),
    )
    .growing(Scaled::Count),
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
        "Population whose walking speeds the agents' largest speeds have; excludes `max_speed`. With `residents` also masses and radii, by age and sex.",
    ),
    optional(
        "kinds",
        "",
        Kind::Tables(KIND),
        "Kinds of people among the agents, such as wheelchair users, each with a share.",
    ),
    TIMES[0],
    TIMES[1],
    optional(
        "familiar",
        "",
        Kind::Named("navigation", &Kind::Number(Range::from(0.0, 1.0))),
        "Share of the agents that know the goals of each navigation, 1 for one that is not named: `walk_to` chooses among those.",
    ),
];

const RULES: &[Parameter] = &[
    key(
        "combine",
        "",
        Kind::Choice(&["weighted", "priority", "truncated"]),
        "Method that combines the forces of the rules.",
        Preset::Word("weighted"),
    ),
    THRESHOLD,
    key(
        "people",
        "",
        Kind::Flag,
        "Whether the agents are pedestrians: with the motion `pedvo`, unless `motion` has another model.",
        Preset::Word("false"),
    ),
    optional("motion", "", Kind::Motion, "Model of motion; vehicles with mass and limits by default."),
    optional("behaviours", "", Kind::Rules, "Rules of motion, in order."),
    optional(
        "variables",
        "",
        Kind::Named("variable", &Kind::Table(without_name(Variable::KEYS))),
        "Numbers of each agent, which its states change.",
    ),
    optional(
        "states",
        "",
        Kind::Named("state", &Kind::Table(STATE)),
        "States with their own rules; agents start in the first.",
    ),
    optional("catch", "", Kind::Table(Catch::KEYS), "Catching of other agents."),
];

/// A quantity of a species. Quantities of the body may be drawn for each agent.
const fn quantity(place: usize) -> Parameter {
    let quantity = QUANTITIES[place];
    match quantity.kind {
        Kind::Number(range) if place < Quantity::OF_BODY.len() => {
            Parameter { kind: Kind::Distribution(range), ..quantity }
        }
        _ => quantity,
    }
}

const KIND: &[Parameter] = &[
    required("name", "", Kind::Name, "Name of the kind."),
    required(
        "share",
        "",
        Kind::Number(Range::from(0.0, 1.0)),
        "Share of the agents; agents beyond all shares have the quantities of the species, or are of its `population`.",
    ),
    optional(
        "age",
        "years",
        Kind::Distribution(Range::from(10.0, 85.0)),
        "Age, or the ages [from, to]: without `max_speed`, agents have walking speeds of these ages as in `rimea`.",
    ),
    optional("sex", "", Kind::Choice(SEXES), "Sex: without `max_speed`, agents have walking speeds of this sex."),
    of_kind("mass", 0, "Mass."),
    of_kind("radius", 1, "Radius of the body."),
    of_kind("max_speed", 2, "Largest speed."),
    key(
        "pre_movement",
        "s",
        TIMES[0].kind,
        "Time for which an agent rests after it is spawned; needs `pre_movement` of the species.",
        Preset::Word(SPECIES_OWN),
    ),
    on_stairs("stairs_up", "Factor of the largest speed up stairs, in place of the factor of the stairs."),
    on_stairs("stairs_down", "Factor of the largest speed down stairs, in place of the factor of the stairs."),
    key(
        "familiar",
        "",
        Kind::Named("navigation", &Kind::Number(Range::from(0.0, 1.0))),
        "Share of the kind that knows the goals of each navigation, such as 0 for stairs.",
        Preset::Word(SPECIES_OWN),
    ),
];

const SPECIES_OWN: &str = "the species' own";

const fn on_stairs(name: &'static str, help: &'static str) -> Parameter {
    key(name, "", Kind::Number(Range::from(0.0, 10.0)), help, Preset::Word(SPECIES_OWN))
}

const fn of_kind(name: &'static str, place: usize, help: &'static str) -> Parameter {
    Parameter { name, help, default: Preset::Word(SPECIES_OWN), ..quantity(place) }
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
    optional("gamma", "", Kind::Number(POSITIVE), "Shape of a gamma distribution, before it is cut; needs `scale`."),
    optional(
        "weibull",
        "",
        Kind::Number(POSITIVE),
        "Shape of a Weibull distribution, before it is cut; needs `scale`.",
    ),
    optional(
        "scale",
        "",
        Kind::Number(POSITIVE),
        "Scale of a gamma distribution, whose mean is shape times scale, or of a Weibull distribution.",
    ),
    key("low", "", Kind::Number(Range::FINITE), "Smallest value.", Preset::Word("the smallest that the key can have")),
    key("high", "", Kind::Number(Range::FINITE), "Largest value.", Preset::Word("the largest that the key can have")),
];

const POSITIVE: Range = Range::above(0.0, LIMIT as f64);

const STATE: &[Parameter] = &[
    optional("behaviours", "", Kind::Rules, "Rules of this state, after the rules of the species."),
    optional(
        "rates",
        "1/s",
        Kind::Named("variable", &Kind::Number(Range::COORDINATE)),
        "Rates of change of variables.",
    ),
    optional(
        "transitions",
        "",
        Kind::Tables(Transition::KEYS),
        "Transitions to other states; an agent takes the first whose condition holds.",
    ),
];

const GROUP_SIZE: Range = Range::from(0.5, 1e6);

const PLACE: &[Parameter] = &[
    key(
        "region",
        "",
        Kind::ChoiceOrRegion(&["all", "disc", "circle", "box", "point", "polygon"]),
        "Region of the initial positions: the whole world or storey, a disc or ball, places at equal distances on a circle, a box, a point, a polygon or a named region.",
        Preset::Word("all"),
    ),
    optional(
        "regions",
        "",
        Kind::References("region"),
        "Named regions, or areas of the floor plan, over which the agents are spread by area; excludes `region`.",
    ),
    key(
        "centre",
        "m",
        Kind::Point(Range::COORDINATE),
        "Centre of the disc, the circle or the box, or the point.",
        Preset::Word("the middle of the world or of the storey"),
    ),
    optional("radius", "m", Kind::Number(EXTENT), "Radius of the disc or the circle.").growing(Scaled::Length),
    optional("size", "m", Kind::Point(EXTENT), "Extent of the box."),
    optional("polygon", "m", Kind::Points(Range::COORDINATE), "Corners of the polygon, in two dimensions."),
    ON,
    HEIGHT,
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
        "positions",
        "m",
        Kind::Points(Range::COORDINATE),
        "Initial positions, one for each agent; excludes `region` and `file`.",
    ),
    optional(
        "file",
        "",
        Kind::File,
        "Trajectory, relative to the folder of the scenario, with whose positions and velocities the agents start; excludes `region`.",
    ),
    key("tick", "", Kind::Whole(0, 1 << 53), "Tick of these positions.", Preset::Word("the last of the file")),
];
