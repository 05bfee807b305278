//! Random initial positions and velocities of the agents of a scenario.

use throng::maths::sin_cos;
use throng::{
    AgentId, AgentStart, Distribution, Edge, Environment, FreeSpace, Noise, Quantity, Settings, Species, Vector,
};

use crate::bodies::{Bodies, Body};
use crate::definition::{Group, MAX_SPEED, RADIUS, Scenario};
use crate::start::{Heading, Start, StartRegion, in_dimensions};
use crate::storeys::Storeys;

/// The largest number of draws for a position when a scenario is checked, for one agent.
pub(crate) const CHECK_DRAWS: u32 = 1000;

/// The largest number of agents that are placed when a scenario is checked; more are when the world is built.
const MOST_PLACED: u64 = 1 << 20;

/// The number of draws that other bodies may spoil for an agent: after these, a lattice has more room.
const DRAWS_AMONG_BODIES: u32 = 256;

/// The group of an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    /// Its number, from one.
    pub(super) number: u32,
    /// Its first member, with which all set off and whose goals all know.
    pub(super) leader: AgentId,
}

/// The start of an agent, as drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawnStart<const D: usize> {
    pub(super) id: AgentId,
    pub(super) agent: AgentStart<D>,
    /// Its group.
    pub(super) group: Option<Joined>,
}

impl Start {
    /// Draws a position. On a circle and from a file it is not drawn, and follows from the number of the agent among
    /// this many.
    fn draw_position<const D: usize>(
        &self,
        settings: &Settings<D>,
        noise: &mut Noise,
        [number, count]: [u64; 2],
    ) -> Vector<D> {
        let turn = number as f64 / count as f64;
        let position = match &self.region {
            StartRegion::Recorded(agents) => {
                let recorded = agents.get(number as usize).map_or([0.0; 3], |agent| agent.position);
                in_dimensions(&recorded)
            }
            StartRegion::All => Vector::from_fn(|axis| noise.between(0.0, settings.size[axis])),
            StartRegion::Disc(centre, radius) => {
                let offset = noise.in_ball::<D>() * *radius;
                Vector::from_fn(|axis| centre[axis] + offset[axis])
            }
            StartRegion::Circle(centre, radius) => {
                let (sine, cosine) = sin_cos((turn * std::f64::consts::TAU) as f32);
                let offset = [cosine, sine];
                Vector::from_fn(|axis| centre[axis] + offset.get(axis).map_or(0.0, |along| along * radius))
            }
            StartRegion::Box(centre, size) => {
                Vector::from_fn(|axis| centre[axis] + noise.between(-0.5 * size[axis], 0.5 * size[axis]))
            }
            StartRegion::Polygon(_) | StartRegion::Several(_) => {
                let [low, high] = self.region.bounds(settings.size);
                Vector::from_fn(|axis| noise.between(low[axis], high[axis]))
            }
        };
        inside(settings, position)
    }

    /// The point opposite a position, beyond the centre of the region.
    fn opposite<const D: usize>(&self, settings: &Settings<D>, position: Vector<D>) -> Vector<D> {
        let [low, high] = self.region.bounds(settings.size);
        let centre = match &self.region {
            StartRegion::Disc(centre, _) | StartRegion::Circle(centre, _) | StartRegion::Box(centre, _) => {
                in_dimensions(centre)
            }
            StartRegion::Polygon(_) | StartRegion::Several(_) => (low + high) * 0.5,
            StartRegion::All | StartRegion::Recorded(_) => settings.size * 0.5,
        };
        centre + (centre - position)
    }
}

/// The position, not beyond a boundary: rounding of a sum may move it there.
pub(super) fn inside<const D: usize>(settings: &Settings<D>, mut position: Vector<D>) -> Vector<D> {
    for axis in 0..D {
        if !matches!(settings.edge[axis], Edge::Wrap | Edge::Open) {
            position[axis] = position[axis].clamp(0.0, settings.size[axis]);
        }
    }
    position
}

/// The bodies that agents must not overlap when they start: obstacles, walls and the bodies of walkers.
#[derive(Debug)]
pub(crate) struct OccupiedSpace<'a, const D: usize> {
    pub(super) settings: &'a Settings<D>,
    free: FreeSpace<'a, D>,
    /// The storeys, which have holes over and under the flights of stairs.
    storeys: Option<Storeys>,
    /// The bodies so far; `None` if no agents walk.
    pub(super) bodies: Option<Bodies<D>>,
}

impl<'a, const D: usize> OccupiedSpace<'a, D> {
    /// The space in which the agents of a scenario start.
    pub(crate) fn new(environment: &'a Environment<D>, settings: &'a Settings<D>, scenario: &Scenario) -> Self {
        let starts =
            scenario.groups.iter().filter(|group| group.count > 0).map(|group| group.start.region.samples::<D>());
        let starts: Vec<_> = starts.filter(|points| !points.is_empty()).collect();
        let storeys = scenario.storeys.clone();
        Self { settings, free: FreeSpace::new(environment, settings, &starts), storeys, bodies: None }
    }

    /// The same space, in which walkers are clear of others.
    pub(super) fn with_bodies(mut self, groups: &[Group]) -> Self {
        let walk = groups.iter().any(|group| group.walks && group.count > 0);
        self.bodies = walk.then(|| Bodies::new(self.settings, widest(groups, self.settings.seed)));
        self
    }

    /// The same as far as a file that is being checked needs it: without bodies if there are very many.
    pub(super) fn with_few_bodies(self, groups: &[Group]) -> Self {
        let agents = groups.iter().fold(0_u64, |sum, group| sum.saturating_add(group.count));
        if agents > MOST_PLACED { self } else { self.with_bodies(groups) }
    }

    /// Whether a body may start where it is, which was drawn from the whole world if it is from `everywhere`.
    pub(super) fn is_clear(&self, body: &Body<D>, everywhere: bool) -> bool {
        self.is_ground(body, everywhere) && self.is_apart(body)
    }

    /// Whether a source has room for a body, other agents aside.
    pub(super) fn has_room(&self, position: Vector<D>, radius: f32) -> bool {
        let is_floor = |storeys: &Storeys| storeys.is_floor(Vector([position[0], position[1]]));
        self.storeys.as_ref().is_none_or(is_floor) && self.free.is_free(position, radius) == Ok(true)
    }

    /// Whether it overlaps no other body.
    fn is_apart(&self, body: &Body<D>) -> bool {
        self.bodies.as_ref().is_none_or(|bodies| !bodies.overlap(self.settings, body))
    }

    /// Whether it is clear of everything but other bodies.
    fn is_ground(&self, body: &Body<D>, everywhere: bool) -> bool {
        let &Body { position, radius, walks } = body;
        let settings = self.settings;
        let beside = |axis: usize| {
            !walks
                || settings.edge[axis] != Edge::Bounce
                || (radius..=settings.size[axis] - radius).contains(&position[axis])
        };
        (0..D).all(beside) && (!everywhere || self.free.is_ground(position)) && self.has_room(position, radius)
    }
}

/// The largest radius of an agent of these groups.
fn widest(groups: &[Group], seed: u64) -> f32 {
    let (mut first, mut widest) = (0, 0.0);
    for group in groups {
        for number in 0..if group.radius_varies() { group.count } else { 1 } {
            let radius = group.radius(seed, AgentId::from_bits(first + number));
            widest = if radius > widest { radius } else { widest };
        }
        first += group.count;
    }
    widest
}

impl Group {
    /// Whether the draws find a position for the first agent, whose id this is, other agents aside.
    pub(super) fn finds_place<const D: usize>(&self, space: &OccupiedSpace<'_, D>, id: AgentId) -> bool {
        let mut noise = Noise::new(space.settings.seed, 0, 0, Noise::PLACE);
        self.count == 0 || self.draw_position(space, &mut noise, (id, 0), CHECK_DRAWS).1
    }

    /// Whether agents have different radii.
    pub(super) fn radius_varies(&self) -> bool {
        let is_same = |radius: Distribution| matches!(radius, Distribution::Same(_));
        !is_same(self.quantities[RADIUS]) || self.kinds.kinds.iter().any(|kind| kind.radius.is_some())
    }

    /// The radius that an agent has when it is spawned.
    pub(super) fn radius(&self, seed: u64, id: AgentId) -> f32 {
        self.body().start_radius(seed, id)
    }

    /// The definition from which the bodies of agents are drawn.
    pub(super) fn body(&self) -> Species<2> {
        let (radius, max_speed) = (self.quantities[RADIUS], self.quantities[MAX_SPEED]);
        let kinds = self.kinds.kinds.clone();
        let familiar = self.familiar.clone();
        Species { radius, max_speed, kinds, familiar, pre_movement: self.times[0], ..Species::new("") }
    }

    /// The largest radius of an agent, in metres.
    pub(super) fn widest(&self) -> f32 {
        self.body().largest(Quantity::Radius)
    }

    /// Whether positions are drawn. Others are taken as they are.
    pub(super) fn is_drawn(&self) -> bool {
        !matches!(self.start.region, StartRegion::Circle(..) | StartRegion::Recorded(_))
    }

    /// Draws positions until one is clear, at most `draws` times. Returns the last one, and whether it is clear.
    pub(super) fn draw_position<const D: usize>(
        &self,
        space: &OccupiedSpace<'_, D>,
        noise: &mut Noise,
        (id, number): (AgentId, u64),
        draws: u32,
    ) -> (Vector<D>, bool) {
        let (radius, region) = (self.radius(space.settings.seed, id), &self.start.region);
        let (mut position, mut spoilt) = (Vector::ZERO, 0);
        for _ in 0..if self.is_drawn() { draws } else { 1 } {
            position = self.start.draw_position(space.settings, noise, [number, self.count]);
            let body = Body { position, radius, walks: self.walks };
            let is_drawn_around = matches!(region, StartRegion::Polygon(_) | StartRegion::Several(_));
            let in_region = !is_drawn_around || region.contains(position);
            if in_region && space.is_ground(&body, *region == StartRegion::All) {
                if space.is_apart(&body) {
                    return (position, true);
                }
                spoilt += 1;
                if spoilt == DRAWS_AMONG_BODIES {
                    break;
                }
            }
        }
        // The places of a file or a list are taken as they are.
        (position, matches!(region, StartRegion::Recorded(_)))
    }

    /// The start of an agent at a position, with a velocity that is drawn, and a goal if the agents of the species have
    /// goals of their own.
    pub(super) fn start_at<const D: usize>(
        &self,
        settings: &Settings<D>,
        noise: &mut Noise,
        (id, number): (AgentId, u64),
        position: Vector<D>,
        group: Option<Joined>,
    ) -> DrawnStart<D> {
        let recorded: Option<Vector<D>> = match &self.start.region {
            StartRegion::Recorded(agents) => {
                agents.get(number as usize).and_then(|agent| Some(in_dimensions(&agent.velocity?)))
            }
            _ => None,
        };
        let heading = match (&self.start.heading, recorded) {
            (Heading::Random, Some(velocity)) => velocity.direction(),
            (Heading::Random, None) => noise.direction(),
            (Heading::Along(vector), _) => Vector::from_fn(|axis| vector[axis]).direction(),
        };
        let speed = match (self.start.speed, recorded) {
            (Some(speed), _) => speed.draw(noise),
            (None, Some(velocity)) => velocity.length(),
            (None, None) => self.body().start_speed(settings.seed, id),
        };
        let goal = self.start.opposite.then(|| self.start.opposite(settings, position));
        let mut agent = AgentStart::new(position, heading * speed).with_heading(heading);
        agent.goal = goal;
        DrawnStart { id, agent, group }
    }
}
