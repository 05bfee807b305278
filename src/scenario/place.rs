//! Initial positions and velocities of the agents of a scenario.

use crate::base::ids::AgentId;
use crate::base::settings::{Edge, LIMIT, Settings};
use crate::environment::index::EnvironmentIndex;
use crate::environment::tree::Aabb;
use crate::environment::{Environment, Obstacle};
use crate::maths::{Noise, Vector, sin_cos};
use crate::rules::parameters::Value;
use crate::scenario::fields::{Fields, Reader, point};
use crate::scenario::reason::{Cause, Reason};
use crate::scenario::{Group, Scenario};
use crate::species::Distribution;

/// The initial positions and velocities of a species.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Start {
    region: StartRegion,
    heading: Heading,
    /// `None` for the maximum speed of each agent.
    speed: Option<Distribution>,
}

#[derive(Clone, Debug, PartialEq)]
enum StartRegion {
    All,
    /// Centre and radius.
    Disc(Vec<f32>, f32),
    /// Centre and extent.
    Box(Vec<f32>, Vec<f32>),
}

#[derive(Clone, Debug, PartialEq)]
enum Heading {
    Random,
    Along(Vec<f32>),
}

/// Reads a species' `place`, which is optional.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, place: Option<&Fields<'d>>, scenario: &Scenario) -> Start {
    let mut start = Start { region: StartRegion::All, heading: Heading::Random, speed: None };
    let Some(place) = place else { return start };
    start.speed = reader.spread(place, "speed");
    start.heading = read_heading(reader, place, scenario.dimensions).unwrap_or(start.heading);
    let centre = reader.per_axis(place, "centre", scenario.dimensions);
    let radius = reader.number(place, "radius");
    let size = reader.per_axis(place, "size", scenario.dimensions);
    let region = match place.entry("region") {
        Some(_) => reader.choice(place, "region"),
        None => Some("all"),
    };
    let (Some(region), Some(world)) = (region, &scenario.size) else { return start };
    let middle: Vec<f32> = world.iter().map(|extent| 0.5 * extent).collect();
    let used: &[&str] = match region {
        "disc" => &["centre", "radius"],
        "box" => &["centre", "size"],
        "point" => &["centre"],
        _ => &[],
    };
    let cause = || Cause { key: "region", value: Some(region.to_owned()) };
    for name in ["centre", "radius", "size"] {
        match place.entry(name) {
            Some(entry) if !used.contains(&name) => {
                reader.note(entry.at, place.path_of(name), None, Reason::Unused(cause()));
            }
            None if used.contains(&name) && name != "centre" => {
                reader.note(place.at, place.path_of(name), None, Reason::MissingFor(cause()));
            }
            _ => {}
        }
    }
    let centre = match place.entry("centre") {
        Some(_) => centre,
        None => Some(middle),
    };
    start.region = match (region, centre, radius, size) {
        ("disc", Some(centre), Some(radius), _) => StartRegion::Disc(centre, radius),
        ("box", Some(centre), _, Some(size)) => StartRegion::Box(centre, size),
        ("point", Some(centre), ..) => StartRegion::Box(centre, vec![0.0; scenario.dimensions]),
        _ => StartRegion::All,
    };
    check_inside(reader, place, &start.region, world, scenario.edge);
    start
}

/// Refuses a region that extends beyond a bounded world, or beyond the coordinate limit of any world.
fn check_inside(reader: &mut Reader<'_>, place: &Fields<'_>, region: &StartRegion, world: &[f32], edge: Edge) {
    let (centre, reach) = match region {
        StartRegion::All => return,
        StartRegion::Disc(centre, radius) => (centre, vec![*radius; world.len()]),
        StartRegion::Box(centre, size) => (centre, size.iter().map(|extent| 0.5 * extent).collect()),
    };
    let bounded = !matches!(edge, Edge::Wrap | Edge::Open);
    let inside = |axis: usize| {
        let (low, high) = if bounded { (0.0, world[axis]) } else { (-LIMIT, LIMIT) };
        centre[axis] - reach[axis] >= low && centre[axis] + reach[axis] <= high
    };
    if !(0..world.len()).all(inside) {
        let at = place.entry("centre").or(place.entry("region")).map_or(place.at, |entry| entry.at);
        reader.note(at, place.path.clone(), None, Reason::Outside(bounded.then(|| world.to_vec())));
    }
}

fn read_heading<'d>(reader: &mut Reader<'d>, place: &Fields<'d>, dimensions: usize) -> Option<Heading> {
    match reader.value(place, "heading", dimensions)? {
        Value::Number(degrees) => {
            let (sine, cosine) = sin_cos((degrees * (std::f64::consts::PI / 180.0)) as f32);
            Some(Heading::Along(vec![cosine, sine]))
        }
        value => Some(point(value).map_or(Heading::Random, Heading::Along)),
    }
}

/// Refuses a region that obstacles fill completely.
pub(crate) fn check_free(reader: &mut Reader<'_>, fields: &Fields<'_>, group: &Group, scenario: &Scenario) {
    let free = match scenario.dimensions {
        3 => group.finds_place::<3>(scenario),
        _ => group.finds_place::<2>(scenario),
    };
    if !free {
        let at = fields.entry("centre").or(fields.entry("region")).map_or(fields.at, |entry| entry.at);
        reader.note(at, fields.path.clone(), None, Reason::NoFreePlace { draws: CHECK_DRAWS });
    }
}

/// The numbers of draws for a position clear of obstacles: of one agent in a check, and of each agent of a world.
const CHECK_DRAWS: u32 = 1000;
const DRAWS: u32 = 100_000;

impl Start {
    /// The speeds of agents with these maximum speeds.
    fn speed(&self, max_speed: Distribution) -> Distribution {
        self.speed.unwrap_or(match max_speed {
            Distribution::Uniform(low, _) => Distribution::Same(low),
            same => same,
        })
    }

    fn draw_position<const D: usize>(&self, settings: &Settings<D>, noise: &mut Noise) -> Vector<D> {
        let mut position = match &self.region {
            StartRegion::All => Vector::from_fn(|axis| noise.between(0.0, settings.size[axis])),
            StartRegion::Disc(centre, radius) => {
                let offset = noise.in_ball::<D>() * *radius;
                Vector::from_fn(|axis| centre[axis] + offset[axis])
            }
            StartRegion::Box(centre, size) => {
                Vector::from_fn(|axis| centre[axis] + noise.between(-0.5 * size[axis], 0.5 * size[axis]))
            }
        };
        if !matches!(settings.edge, Edge::Wrap | Edge::Open) {
            // Rounding of the sum may carry it beyond a boundary.
            for axis in 0..D {
                position[axis] = position[axis].clamp(0.0, settings.size[axis]);
            }
        }
        position
    }
}

/// The obstacles that agents must not start in, and their index.
#[derive(Debug)]
pub(crate) struct OccupiedSpace<'a, const D: usize> {
    obstacles: &'a [Obstacle<D>],
    index: EnvironmentIndex<D>,
}

impl<'a, const D: usize> OccupiedSpace<'a, D> {
    pub(crate) fn new(environment: &'a Environment<D>, settings: &Settings<D>) -> Self {
        let mut index = EnvironmentIndex::default();
        index.update(environment, settings);
        Self { obstacles: environment.obstacles(), index }
    }

    /// Whether a body of this radius touches an obstacle.
    fn touches(&self, settings: &Settings<D>, position: Vector<D>, radius: f32) -> bool {
        let mut near = Vec::new();
        self.index.obstacles_within(&Aabb { centre: position, half: Vector::ZERO }, radius, &mut near);
        near.iter().any(|&number| {
            let obstacle = &self.obstacles[number as usize];
            let reach = obstacle.radius + radius;
            settings.offset(position, obstacle.centre).length_squared() < reach * reach
        })
    }
}

impl Group {
    fn finds_place<const D: usize>(&self, scenario: &Scenario) -> bool {
        let Some(settings) = scenario.settings::<D>().filter(|_| self.count > 0) else { return true };
        let mut noise = Noise::new(settings.seed, 0, 0, Noise::PLACE);
        let mut environment = Environment::default();
        // Environment that a world refuses is reported when the environment is built.
        if scenario.environment.build(&mut environment).is_err() {
            return true;
        }
        self.draw_position(&settings, &OccupiedSpace::new(&environment, &settings), &mut noise, CHECK_DRAWS).1
    }

    /// Draws the initial position and velocity of an agent.
    pub(crate) fn draw<const D: usize>(
        &self,
        settings: &Settings<D>,
        taken: &OccupiedSpace<'_, D>,
        id: AgentId,
    ) -> (Vector<D>, Vector<D>) {
        let mut noise = Noise::new(settings.seed, id.to_bits(), 0, Noise::PLACE);
        let (position, _) = self.draw_position(settings, taken, &mut noise, DRAWS);
        let heading = match &self.start.heading {
            Heading::Random => noise.direction(),
            Heading::Along(vector) => Vector::from_fn(|axis| vector[axis]).direction(),
        };
        let max_speed = self.quantities[2];
        let speed = self.start.speed(max_speed).draw(&mut noise);
        (position, heading * speed)
    }

    /// Draws a point that no obstacle reaches within the given number of draws, and returns whether it found one.
    fn draw_position<const D: usize>(
        &self,
        settings: &Settings<D>,
        taken: &OccupiedSpace<'_, D>,
        noise: &mut Noise,
        draws: u32,
    ) -> (Vector<D>, bool) {
        let (Distribution::Same(radius) | Distribution::Uniform(_, radius)) = self.quantities[1];
        let mut position = Vector::ZERO;
        for _ in 0..draws {
            position = self.start.draw_position(settings, noise);
            if !taken.touches(settings, position, radius) {
                return (position, true);
            }
        }
        (position, false)
    }
}
